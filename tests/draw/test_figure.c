/* test_figure.c - figures as SVG, PNG and PDF: well-formed whatever the text, the same bytes. */
#include "support/graphs.h"

#include "draw/display.h"
#include "draw/matrix.h"
#include "draw/pictures.h"

#include <math.h>
#include <string.h>

/* A triangle with a tail: 0-1-2, 2-3; and a figure of it with two columns. */
typedef struct sample {
    test_graph graph;
    rg_graph view;
    rg_point points[4];
    uint32_t labels[4];
    const char *letters[4], *texts[4], *columns[2];
    rg_bond bonds[8];
    rg_arrow arrows[8];
    double bias[4];
    rg_panel panels[2];
    rg_figure_label names[3];
    rg_figure_row rows[1];
    rg_figure figure;
} sample;

static sample *sample_new(void)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->graph = test_graph_new(4);
    test_cycle(&s->graph, 0, 3);
    test_edge(&s->graph, 2, 3, 0);
    s->view = test_view(&s->graph).graph;
    ASSERT_OK(rg_graph_layout(s->points, &s->view, err));
    for (uint32_t i = 0; i < 4; i++) {
        s->labels[i] = i; /* one more than there are names */
        s->letters[i] = "C";
        s->bias[i] = 0.5 * i - 0.5;
    }
    for (int k = 0; k < 8; k++)
        s->bonds[k] = (rg_bond)(k % 5);
    s->names[0] = (rg_figure_label){"carbon", 0x909090};
    s->names[1] = (rg_figure_label){"nitrogen", 0x3050f8};
    s->names[2] = (rg_figure_label){NULL, 0xff0000};
    s->arrows[0] = (rg_arrow){0, 1, 0.5, "a rule"};
    s->arrows[1] = (rg_arrow){1, 0, -0.25, NULL};
    s->arrows[2] = (rg_arrow){3, 3, 0.1, "itself"};
    s->arrows[3] = (rg_arrow){0, 2, 0, "nothing"};
    s->arrows[4] = (rg_arrow){0, 2, NAN, "no number"};
    s->arrows[5] = (rg_arrow){0, 2, -INFINITY, "too much"};
    s->panels[0] = (rg_panel){.arrows = s->arrows, .n_arrows = 6, .note = "a note"};
    s->panels[1] = (rg_panel){.arrows = s->arrows, .n_arrows = 1, .bias = s->bias};
    s->columns[0] = "layer 1";
    s->columns[1] = "layer 2";
    s->rows[0] = (rg_figure_row){.graph = &s->view,
                                 .points = s->points,
                                 .labels = s->labels,
                                 .letters = s->letters,
                                 .bonds = s->bonds,
                                 .title = "graph 0",
                                 .panels = s->panels};
    s->figure = (rg_figure){.title = "A figure",
                            .caption = "what it is",
                            .rows = s->rows,
                            .n_rows = 1,
                            .n_columns = 2,
                            .columns = s->columns,
                            .labels = s->names,
                            .n_labels = 3};
    return s;
}

static void sample_free(sample *s)
{
    test_graph_free(&s->graph);
    free(s);
}

/* Owned (rg_text_free, as the library's own). */
static char *svg_of(const rg_figure *figure)
{
    char *svg = NULL;
    size_t n = 0;
    ASSERT_OK(rg_figure_svg(&svg, &n, figure, NULL, err));
    assert_int_equal(strlen(svg), n);
    return svg;
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        n++;
    return n;
}

/* ---- is it XML? */

/* The reference at p ("&#60;"): its length; 0: none. */
static size_t reference(const char *p)
{
    size_t digits = p[1] == '#' ? strspn(p + 2, "0123456789") : 0;
    return digits && p[2 + digits] == ';' ? digits + 3 : 0;
}

/* One tag at p, which is '<'. Returns what follows it; *depth goes up or down. */
static const char *tag(const char *p, char names[][16], int *depth)
{
    bool closes = p[1] == '/';
    p += closes ? 2 : 1;
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz");
    assert_true(n > 0 && n < 16);
    if (closes) {
        assert_true(*depth > 0);
        (*depth)--;
        assert_true(strlen(names[*depth]) == n && strncmp(names[*depth], p, n) == 0);
        assert_true(p[n] == '>');
        return p + n + 1;
    }
    memcpy(names[*depth], p, n);
    names[*depth][n] = '\0';
    for (p += n; *p == ' ';) {
        size_t key = strspn(++p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
        assert_true(key > 0 && p[key] == '=' && p[key + 1] == '"');
        for (p += key + 2; *p != '"'; p++) {
            assert_true(*p && *p != '<');
            assert_true(*p != '&' || reference(p));
        }
        p++;
    }
    if (p[0] == '/') {
        assert_true(p[1] == '>');
        return p + 2;
    }
    assert_true(*p == '>');
    (*depth)++;
    assert_true(*depth < 8);
    return p + 1;
}

/* Tags that match, attributes in quotes, nothing but references behind '&'; no other text. */
static void assert_xml(const char *text)
{
    char names[8][16];
    int depth = 0;
    assert_true(strncmp(text, "<svg ", 5) == 0);
    for (const char *p = text; *p;) {
        if (*p == '<') {
            p = tag(p, names, &depth);
            continue;
        }
        assert_true(*p != '>' && (*p != '&' || reference(p)));
        assert_true((unsigned char)*p >= ' ' || *p == '\n');
        assert_true(depth > 0 || *p == '\n');
        p++;
    }
    assert_int_equal(depth, 0);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf\""));
}

/* ---- tests */

static void an_svg_shows_all_there_is(void **state)
{
    (void)state;
    sample *s = sample_new();
    char *svg = svg_of(&s->figure);
    assert_xml(svg);
    static const char *const words[] = {"<title>A figure</title>",
                                        ">graph 0<",
                                        ">layer 1<",
                                        ">layer 2<",
                                        ">a note<",
                                        "<title>a rule</title>",
                                        "<title>itself</title>",
                                        ">carbon<",
                                        ">nitrogen<",
                                        ">what it is<",
                                        "node 0: carbon",
                                        "bias -0.5",
                                        "1 \xe2\x86\x92 0: -0.25",
                                        "fill=\"#ffffff\"",
                                        ">+0.5<",
                                        ">-0.5<"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (!strstr(svg, words[k]))
            fail_msg("'%s' is missing", words[k]);
    }
    assert_null(strstr(svg, "nothing"));
    assert_null(strstr(svg, "no number"));
    assert_null(strstr(svg, "too much"));
    /* in one column three arrows, in the other one; eight samples in the two keys */
    assert_int_equal(count(svg, "fill=\"none\""), 4 + 4);
    rg_text_free(svg);
    sample_free(s);
}

/* The strongest weight of a column is as thick as arrows get, in every column alike. */
static void one_scale_holds_for_a_column(void **state)
{
    (void)state;
    sample *s = sample_new();
    rg_figure_row rows[2] = {s->rows[0], s->rows[0]};
    rg_arrow weak = {0, 1, 0.25, "weak"}, strong = {0, 1, -1, "strong"};
    rg_panel first = {.arrows = &weak, .n_arrows = 1}, second = {.arrows = &strong, .n_arrows = 1};
    rows[0].panels = &first;
    rows[1].panels = &second;
    s->figure.rows = rows;
    s->figure.n_rows = 2;
    s->figure.n_columns = 1;
    s->figure.columns = NULL;
    for (int fixed = 0; fixed < 2; fixed++) {
        rg_display display;
        double thin = 0, thick = 0;
        first.scale = fixed ? 0.25 : 0;
        ASSERT_OK(rg_figure_display(&display, &s->figure, err));
        for (size_t k = 0; k < display.n; k++) {
            const char *text = rg_display_string(&display, display.shapes[k].hover);
            if (display.shapes[k].kind != RG_SHAPE_TOGETHER)
                continue;
            if (strcmp(text, "weak") == 0)
                thin = display.shapes[k + 1].width;
            if (strcmp(text, "strong") == 0)
                thick = display.shapes[k + 1].width;
        }
        assert_true(fabs(thick - rg_arrow_width(1, 36)) < 1e-9);
        assert_true(fabs(thin - rg_arrow_width(fixed ? 1 : 0.25, 36)) < 1e-9);
        rg_display_free(&display);
    }
    sample_free(s);
}

static void arrows_end_at_the_rim_of_nodes(void **state)
{
    (void)state;
    sample *s = sample_new();
    rg_display display;
    ASSERT_OK(rg_figure_display(&display, &s->figure, err));
    rg_point centres[4] = {{0, 0}};
    double radius = 0;
    for (size_t k = 0; k + 1 < display.n; k++) {
        const rg_shape *shape = &display.shapes[k];
        unsigned node;
        if (shape->kind == RG_SHAPE_TOGETHER && shape[1].kind == RG_SHAPE_CIRCLE &&
            sscanf(rg_display_string(&display, shape->hover), "node %u", &node) == 1 && node < 4 &&
            centres[node].x == 0) {
            centres[node] = shape[1].at[0];
            radius = shape[1].radius;
        }
    }
    size_t found = 0;
    for (size_t k = 0; k + 2 < display.n; k++) {
        const rg_shape *shape = &display.shapes[k];
        if (shape->kind != RG_SHAPE_TOGETHER || shape[2].kind != RG_SHAPE_AREA ||
            strcmp(rg_display_string(&display, shape->hover), "a rule") != 0)
            continue;
        if (found++)
            continue; /* in the second column nodes have other sizes */
        assert_true(fabs(rg_point_distance(shape[2].at[0], centres[1]) - radius) < 1);
        assert_true(fabs(rg_point_distance(shape[1].at[0], centres[0]) - radius) < 1);
    }
    assert_int_equal(found, 2);
    rg_display_free(&display);
    sample_free(s);
}

static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "\"><svg onload=alert(1)>",
    "]]>",
    "<!--",
    "-->",
    "&lt;&amp;&#0;",
    "a\x01\x02\x1b[31m",
    "\xff\xfe\xc0\x80",
    "\xed\xa0\x80",
    "\xef\xbf\xbe\xef\xbf\xbf",
    "'onx='",
    "\xf4\x8f\xbf\xbf\xf0\x9f\x98\x80",
    "</title></svg>",
    "%s%n%d",
    "a very long text that goes on and on and "
    "on and on and on and on and on and on and on and on and on and on and on and on and on and on",
    "\xe2\x80\xae"
    "right to left",
    "line\nend\ttab\r",
};

static void hostile_text_cannot_break_the_picture(void **state)
{
    (void)state;
    sample *s = sample_new();
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        const char *text = hostile[k];
        s->figure.title = s->figure.caption = s->rows[0].title = s->columns[0] = text;
        s->panels[0].note = s->arrows[0].text = s->names[0].name = text;
        for (int i = 0; i < 4; i++)
            s->letters[i] = s->texts[i] = text;
        s->rows[0].texts = s->panels[1].texts = s->texts;
        char *svg = NULL;
        size_t n = 0;
        ASSERT_OK(rg_figure_svg(&svg, &n, &s->figure, text, err));
        assert_xml(svg);
        assert_null(strstr(svg, "<script"));
        assert_null(strstr(svg, "onload=a\""));
        assert_null(strstr(svg, "\xef\xbf\xbe"));
        assert_int_equal(count(svg, "<svg"), 1);
        rg_text_free(svg);
    }
    sample_free(s);
}

static void figures_of_nothing_are_pictures_too(void **state)
{
    (void)state;
    sample *s = sample_new();
    rg_figure nothing = {.n_columns = 1};
    char *svg = svg_of(&nothing);
    assert_xml(svg);
    assert_null(strstr(svg, "role=")); /* nothing names it */
    rg_text_free(svg);
    test_graph none = test_graph_new(0);
    rg_graph empty = test_view(&none).graph;
    rg_figure_row row = {.graph = &empty, .points = s->points};
    rg_figure figure = {.rows = &row, .n_rows = 1, .n_columns = 3};
    svg = svg_of(&figure);
    assert_xml(svg);
    rg_text_free(svg);
    test_graph_free(&none);
    s->figure.plain = true;
    s->figure.width = 90;
    svg = svg_of(&s->figure);
    assert_xml(svg);
    assert_null(strstr(svg, ">carbon<"));
    rg_text_free(svg);
    sample_free(s);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    sample *s = sample_new();
    rg_error err;
    char *svg = NULL;
    size_t n = 7;
    s->figure.n_columns = 0;
    assert_int_equal(rg_figure_svg(&svg, &n, &s->figure, NULL, &err), RG_EUSAGE);
    assert_string_equal(err.message, "a figure has at least one column");
    s->figure.n_columns = 2;
    s->arrows[0].to = 4;
    assert_int_equal(rg_figure_svg(&svg, &n, &s->figure, NULL, &err), RG_EUSAGE);
    assert_string_equal(err.message, "arrow 0 of a figure goes from 0 to 4, but there are 4 nodes");
    s->arrows[0].to = 1;
    s->points[2].x = NAN;
    assert_int_equal(rg_figure_svg(&svg, &n, &s->figure, NULL, &err), RG_EUSAGE);
    assert_string_equal(err.message, "node 2 of row 0 of a figure has no position");
    assert_true(svg == NULL && n == 7);
    sample_free(s);
}

static void the_end_of_the_name_is_the_format(void **state)
{
    (void)state;
    rg_figure_format format = RG_N_FIGURE_FORMATS;
    rg_error why = {""};
    ASSERT_OK(rg_figure_format_find(&format, "dir.pdf/x.SVG", err));
    assert_int_equal(format, RG_FIGURE_SVG);
    static const char *const wrong[] = {"x", "x.svgz", ".svg", "svg", "x.svg/", ""};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(rg_figure_format_find(&format, wrong[k], &why), RG_EUSAGE);
        assert_non_null(strstr(why.message, "must end with .svg, .png or .pdf"));
    }
    if (rg_cairo_is_there()) {
        ASSERT_OK(rg_figure_format_find(&format, "x.png", err));
        assert_int_equal(format, RG_FIGURE_PNG);
    } else {
        assert_int_equal(rg_figure_format_find(&format, "x.pdf", &why), RG_EUSAGE);
        assert_non_null(strstr(why.message, "built without cairo"));
    }
}

static void files_have_the_same_bytes_each_time(void **state)
{
    (void)state;
    static const struct {
        const char *ending, *begin;
        size_t n;
    } formats[] = {{"svg", "<svg ", 5}, {"png", "\x89PNG\r\n\x1a\n", 8}, {"pdf", "%PDF-1.", 7}};
    char *directory = test_directory_make();
    sample *s = sample_new();
    for (size_t k = 0; k < (rg_cairo_is_there() ? 3 : 1); k++) {
        size_t n[2];
        char *bytes[2];
        for (int run = 0; run < 2; run++) {
            char *path = test_format("%s/%d.%s", directory, run, formats[k].ending);
            ASSERT_OK(rg_figure_write(&s->figure, path, err));
            bytes[run] = test_read(path, &n[run]);
            free(path);
        }
        assert_true(n[0] == n[1] && n[0] > 400);
        assert_memory_equal(bytes[0], bytes[1], n[0]);
        assert_memory_equal(bytes[0], formats[k].begin, formats[k].n);
        if (k == 1) { /* twice as many pixels as in SVG */
            rg_display display;
            const unsigned char *p = (const unsigned char *)bytes[0] + 16;
            ASSERT_OK(rg_figure_display(&display, &s->figure, err));
            assert_int_equal(p[2] * 256 + p[3], (int)(2 * display.width));
            assert_int_equal(p[6] * 256 + p[7], (int)(2 * display.height));
            rg_display_free(&display);
        }
        for (size_t at = 0; k == 2 && at + 12 < n[0]; at++)
            assert_true(memcmp(bytes[0] + at, "CreationDate", 12) != 0);
        free(bytes[0]);
        free(bytes[1]);
    }
    sample_free(s);
    test_directory_remove(directory);
}

static void a_picture_too_large_for_png_is_refused(void **state)
{
    (void)state;
    if (!rg_cairo_is_there())
        skip();
    char *directory = test_directory_make(), *path = test_format("%s/x.png", directory);
    sample *s = sample_new();
    rg_error err = {""};
    s->figure.width = 40000;
    assert_int_equal(rg_figure_write(&s->figure, path, &err), RG_EUSAGE);
    assert_non_null(strstr(err.message, "more than a PNG can be"));
    assert_false(rg_path_exists(path));
    sample_free(s);
    free(path);
    test_directory_remove(directory);
}

static double light(rg_colour c)
{
    double sum = 0;
    static const double parts[] = {0.2126, 0.7152, 0.0722};
    for (int k = 0; k < 3; k++) {
        double v = (c >> (16 - 8 * k) & 255) / 255.0;
        sum += parts[k] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static void letters_can_be_read_on_every_colour(void **state)
{
    (void)state;
    static const char *const atoms[] = {"H", "C", "N", "O",  "F",  "Cl",     "Br",
                                        "I", "S", "P", "Na", "Zn", "N H1 +", "word"};
    for (size_t k = 0; k < 40 + sizeof atoms / sizeof *atoms; k++) {
        rg_colour c = k < 40 ? rg_palette_colour(k) : rg_atom_colour(atoms[k - 40]);
        double a = light(c) + 0.05, b = light(rg_colour_ink(c)) + 0.05;
        assert_true((a > b ? a / b : b / a) >= 4.5);
        for (size_t j = 0; j < k && k < 20; j++)
            assert_true(c != rg_palette_colour(j));
    }
    assert_int_equal(rg_atom_colour("N"), rg_atom_colour("N H1 +"));
    assert_true(rg_atom_colour("C") != rg_atom_colour("Cl"));
}

static void numbers_have_three_digits(void **state)
{
    (void)state;
    static const double values[] = {0.41234, -0.41264, 0, 1, 12345, 99.96, 0.000123456, -2.5};
    static const char *const texts[] = {"+0.412", "-0.413", "0",        "+1",
                                        "12345",  "100",    "0.000123", "-2.5"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char text[RG_SHORT_MAX];
        rg_short_number(text, values[k], k < 4); /* the first ones with their sign */
        assert_string_equal(text, texts[k]);
    }
}

/* ---- graphs of a data set */

static rg_dataset *toy(void)
{
    static const char lines[] =
        "{\"nodes\":3,\"edges\":[[0,1],[1,2]],\"node_labels\":[0,1,4],\"edge_labels\":[1,2]}\n"
        "{\"nodes\": 1, \"edges\": [], \"node_labels\": [4], \"edge_labels\": []}\n";
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_lines(&data, "MUTAG", 1, lines, strlen(lines), err));
    return data;
}

static void graphs_of_a_set_become_rows(void **state)
{
    (void)state;
    rg_dataset *data = toy();
    rg_names *names = NULL;
    rg_pictures pictures;
    rg_error why = {""};
    uint64_t graphs[] = {0, 1, 2};
    ASSERT_OK(rg_names_known(&names, "MUTAG", 1, err));
    ASSERT_OK(rg_pictures_make(&pictures, data, graphs, 2, names, err));
    assert_true(pictures.n_rows == 2 && pictures.n_labels == 3);
    assert_string_equal(pictures.labels[2].name, "I");
    assert_int_equal(pictures.labels[1].colour, rg_atom_colour("N"));
    assert_string_equal(pictures.rows[0].letters[1], "N");
    assert_int_equal(pictures.rows[0].bonds[0], RG_BOND_SINGLE);
    assert_int_equal(pictures.rows[0].bonds[2], RG_BOND_DOUBLE);
    assert_int_equal(pictures.rows[1].labels[0], 2);
    assert_string_equal(pictures.rows[1].title, "graph 1");
    rg_pictures_free(&pictures);
    ASSERT_OK(rg_pictures_make(&pictures, data, graphs + 1, 1, NULL, err));
    assert_string_equal(pictures.labels[0].name, "label 4");
    assert_string_equal(pictures.rows[0].letters[0], "4");
    assert_null(pictures.rows[0].bonds);
    /* a label keeps its colour whatever else is drawn */
    assert_int_equal(pictures.labels[0].colour, rg_palette_colour(2));
    rg_pictures_free(&pictures);
    /* a label without a name is no atom, and then none has the colour of one */
    rg_names_free(names);
    ASSERT_OK(rg_names_parse(&names, "some", "0 C\n", 4, NULL, err));
    ASSERT_OK(rg_pictures_make(&pictures, data, graphs, 1, names, err));
    assert_int_equal(pictures.labels[0].colour, rg_palette_colour(0));
    rg_pictures_free(&pictures);
    assert_int_equal(rg_pictures_make(&pictures, data, graphs, 3, names, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "there is no graph 2: "));
    rg_names_free(names);
    rg_dataset_free(data);
}

/* ---- failures */

typedef struct figure_sweep {
    sample *s;
    rg_dataset *data;
    char *path;
} figure_sweep;

static rg_status svg_again(void *context, rg_error *err)
{
    figure_sweep *a = context;
    char *svg = NULL;
    size_t n = 0;
    rg_status status = rg_figure_svg(&svg, &n, &a->s->figure, "id", err);
    rg_text_free(svg);
    return status;
}

static rg_status write_again(void *context, rg_error *err)
{
    figure_sweep *a = context;
    return rg_figure_write(&a->s->figure, a->path, err);
}

static rg_status pictures_again(void *context, rg_error *err)
{
    figure_sweep *a = context;
    uint64_t graphs[] = {0, 1};
    rg_pictures pictures = {0};
    rg_status status = rg_pictures_make(&pictures, a->data, graphs, 2, NULL, err);
    rg_pictures_free(&pictures);
    return status;
}

static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    figure_sweep a = {sample_new(), toy(), NULL};
    static const char *const endings[] = {"svg", "png", "pdf"};
    assert_true(test_allocation_sweep(svg_again, &a) > 10);
    assert_true(test_allocation_sweep(pictures_again, &a) > 5);
    for (size_t k = 0; k < (rg_cairo_is_there() ? 3 : 1); k++) {
        a.path = test_format("%s/x.%s", directory, endings[k]);
        assert_true(test_allocation_sweep(write_again, &a) > 10);
        assert_true(test_io_sweep(write_again, &a) > 3);
        free(a.path);
    }
    rg_dataset_free(a.data);
    sample_free(a.s);
    test_directory_remove(directory);
}

/* ---- weight matrices */

static rg_status matrix_again(void *context, rg_error *err)
{
    static const uint32_t numbers[] = {1, 0, 2, 0, 40, 1};
    static const char *const keys[40] = {"a < b & c", NULL, "x", [39] = "last"};
    const char *path = context;
    rg_weight_matrix m = {"share <i>", 2, 3, numbers, keys, 40};
    return rg_weight_matrix_write(&m, path, err);
}

static void a_matrix_has_a_box_for_each_entry_and_a_line_for_each_key(void **state)
{
    char *directory = test_directory_make(), path[300];
    (void)state;
    snprintf(path, sizeof path, "%s/m.svg", directory);
    ASSERT_OK(matrix_again(path, err));
    size_t n;
    char *svg = test_read(path, &n);
    size_t boxes = 0;
    for (const char *c = svg; (c = strstr(c, "<rect")); c++)
        boxes++;
    assert_int_equal(boxes, 1 + 6 + 3); /* the page, entries, the legend */
    assert_non_null(strstr(svg, "row 1, column 1: weight 1, a &#60; b &#38; c"));
    assert_non_null(strstr(svg, "row 2, column 2: weight 40, last"));
    assert_non_null(strstr(svg, "share &#60;i&#62;"));
    free(svg);
    assert_true(test_allocation_sweep(matrix_again, path) > 5);
    assert_true(test_io_sweep(matrix_again, path) > 3);
    rg_error err = {""};
    rg_weight_matrix large = {.n_rows = 4097, .n_cols = 1};
    assert_int_equal(rg_weight_matrix_write(&large, path, &err), RG_EUSAGE);
    test_directory_remove(directory);
}

static void shades_go_from_blue_over_white_to_red(void **state)
{
    (void)state;
    assert_int_equal(rg_shade_colour(0), 0xffffff);
    assert_int_equal(rg_shade_colour(1), 0xc4281b);
    assert_int_equal(rg_shade_colour(7), 0xc4281b);
    assert_int_equal(rg_shade_colour(-1), 0x1b55b8);
    assert_int_equal(rg_shade_colour((double)NAN), 0xffffff);
    for (double part = 0; part < 0.95; part += 0.1) { /* deeper and deeper */
        assert_true((rg_shade_colour(part) & 0xff) > (rg_shade_colour(part + 0.1) & 0xff));
        assert_true(rg_shade_colour(-part) >> 16 > rg_shade_colour(-part - 0.1) >> 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shades_go_from_blue_over_white_to_red),
        cmocka_unit_test(a_matrix_has_a_box_for_each_entry_and_a_line_for_each_key),
        cmocka_unit_test(an_svg_shows_all_there_is),
        cmocka_unit_test(one_scale_holds_for_a_column),
        cmocka_unit_test(arrows_end_at_the_rim_of_nodes),
        cmocka_unit_test(hostile_text_cannot_break_the_picture),
        cmocka_unit_test(figures_of_nothing_are_pictures_too),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(the_end_of_the_name_is_the_format),
        cmocka_unit_test(files_have_the_same_bytes_each_time),
        cmocka_unit_test(a_picture_too_large_for_png_is_refused),
        cmocka_unit_test(letters_can_be_read_on_every_colour),
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(graphs_of_a_set_become_rows),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
