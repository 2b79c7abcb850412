/* figure.c - see figure.h: panels in rows and columns, and the file that they go to. */
#include "figure.h"

#include "base/alloc.h"
#include "base/error.h"
#include "display.h"

#include <math.h>
#include <string.h>

#define UNIT 36.0  /* pixels of an edge, at most */
#define PAD 20.0   /* around a graph in its panel */
#define GAP 8.0    /* between panels */
#define SIZE 13.0  /* of titles */
#define NARROW 130 /* pixels of a panel, at least */

/* Where everything goes. Arrays by column and by row. */
typedef struct figure_plan {
    double panel;               /* width of each */
    double *unit, *height;      /* by row: pixels of an edge, height of its panels */
    double *scale, *bias_scale; /* by column */
    double *middle;             /* by panel across the page */
    size_t across;              /* panels across the page */
    double width;
    void *block;
} figure_plan;

static rg_point extent(const rg_figure_row *row)
{
    rg_point most = {0, 0};
    for (uint32_t i = 0; i < row->graph->n_nodes; i++) {
        most.x = row->points[i].x > most.x ? row->points[i].x : most.x;
        most.y = row->points[i].y > most.y ? row->points[i].y : most.y;
    }
    return most;
}

/* Graphs that stand beside each other. */
static size_t beside(const rg_figure *f)
{
    size_t n = f->n_columns == 1 && f->across > 1 ? f->across : 1;
    return n < f->n_rows ? n : f->n_rows ? f->n_rows : 1;
}

static rg_status plan_new(figure_plan *p, const rg_figure *f, rg_error *err)
{
    rg_carve l = {0};
    size_t unit = rg_carve_add(&l, f->n_rows, sizeof(double));
    size_t height = rg_carve_add(&l, f->n_rows, sizeof(double));
    size_t scale = rg_carve_add(&l, f->n_columns, sizeof(double));
    size_t bias = rg_carve_add(&l, f->n_columns, sizeof(double));
    size_t middle = rg_carve_add(&l, f->n_columns * beside(f), sizeof(double));
    char *block = rg_carve_alloc(&l);
    if (!block)
        return rg_fail_memory(err, "a figure");
    *p = (figure_plan){.unit = (void *)(block + unit),
                       .height = (void *)(block + height),
                       .scale = (void *)(block + scale),
                       .bias_scale = (void *)(block + bias),
                       .middle = (void *)(block + middle),
                       .across = f->n_columns * beside(f),
                       .block = block};
    return RG_OK;
}

/* The widest that a panel becomes by itself: several of them share a page. */
static double widest(size_t n_columns)
{
    static const double widths[] = {1100, 1100, 640, 460, 380, 320};
    return widths[n_columns < 5 ? n_columns : 5];
}

static void plan_sizes(figure_plan *p, const rg_figure *f)
{
    double most = 0;
    for (size_t r = 0; r < f->n_rows; r++) {
        double x = extent(&f->rows[r]).x;
        most = x > most ? x : most;
    }
    p->panel = most * UNIT + 2 * PAD;
    double limit = widest(p->across);
    p->panel = p->panel > limit ? limit : p->panel < NARROW ? NARROW : p->panel;
    if (f->width > 0)
        p->panel = f->width < 60 ? 60 : f->width;
    for (size_t r = 0; r < f->n_rows; r++) {
        rg_point size = extent(&f->rows[r]);
        double fits = size.x > 0 ? (p->panel - 2 * PAD) / size.x : UNIT;
        p->unit[r] = fits < UNIT ? fits : UNIT;
        p->height[r] = size.y * p->unit[r] + 2 * PAD;
    }
    for (size_t c = 0; c < p->across; c++)
        p->middle[c] = GAP + (p->panel + GAP) * (double)c + p->panel / 2;
    p->width = GAP + (p->panel + GAP) * (double)p->across;
    if (!f->plain && p->width < 300)
        p->width = 300; /* room for a legend */
}

static double largest_weight(const rg_panel *panel)
{
    double most = 0;
    for (size_t k = 0; k < panel->n_arrows; k++) {
        double size = fabs(panel->arrows[k].weight);
        most = size > most && isfinite(size) ? size : most;
    }
    return most;
}

static double largest_bias(const rg_panel *panel, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; panel->bias && i < n; i++) {
        double size = fabs(panel->bias[i]);
        most = size > most && isfinite(size) ? size : most;
    }
    return most;
}

/* One scale a column: the largest one that its panels ask for, or hold. */
static void plan_scales(figure_plan *p, const rg_figure *f)
{
    for (size_t c = 0; c < f->n_columns; c++) {
        p->scale[c] = p->bias_scale[c] = 0;
        for (size_t r = 0; r < f->n_rows; r++) {
            const rg_panel *panel = f->rows[r].panels ? &f->rows[r].panels[c] : NULL;
            if (!panel)
                continue;
            double scale = panel->scale > 0 ? panel->scale : largest_weight(panel);
            double bias = panel->bias_scale > 0 ? panel->bias_scale
                                                : largest_bias(panel, f->rows[r].graph->n_nodes);
            if (panel->n_arrows && scale > p->scale[c])
                p->scale[c] = scale;
            if (panel->bias && bias > p->bias_scale[c])
                p->bias_scale[c] = bias;
        }
    }
}

static bool has_notes(const rg_figure *f, const rg_figure_row *row)
{
    for (size_t c = 0; row->panels && c < f->n_columns; c++) {
        if (row->panels[c].note && *row->panels[c].note)
            return true;
    }
    return false;
}

/* The panels of one row from y on; returns where they end. */
static double draw_row(rg_display *display, const figure_plan *p, const rg_figure *f, size_t r,
                       double y)
{
    const rg_figure_row *row = &f->rows[r];
    rg_point size = extent(row);
    size_t first = r % beside(f);
    if (row->title && *row->title) {
        y += SIZE + 4;
        rg_display_fit(display, (rg_point){p->middle[first] - p->panel / 2 + 4, y}, row->title,
                       SIZE - 1, RG_INK, RG_ANCHOR_START, true,
                       beside(f) > 1 ? p->panel - 8 : p->width - 2 * GAP - 8);
        y += 4;
    }
    for (size_t c = 0; c < f->n_columns; c++) {
        const rg_panel *panel = row->panels ? &row->panels[c] : NULL;
        double middle = p->middle[first + c];
        rg_panel_place place = {.corner = {middle - size.x * p->unit[r] / 2, y + PAD},
                                .unit = p->unit[r],
                                .scale = panel && panel->scale > 0 ? panel->scale : p->scale[c],
                                .bias_scale = panel && panel->bias_scale > 0 ? panel->bias_scale
                                                                             : p->bias_scale[c]};
        rg_panel_draw(display, f, row, panel, &place);
        if (panel)
            rg_display_fit(display, (rg_point){middle, y + p->height[r] + 8}, panel->note, SIZE - 2,
                           RG_FAINT, RG_ANCHOR_MIDDLE, false, p->panel);
    }
    return y + p->height[r] + (has_notes(f, row) ? SIZE + 4 : 0);
}

/* What no writer could place would come out as "nan". */
static rg_status check(const rg_figure *f, rg_error *err)
{
    if (!f->n_columns)
        return rg_fail(err, RG_EUSAGE, "a figure has at least one column");
    for (size_t r = 0; r < f->n_rows; r++) {
        const rg_figure_row *row = &f->rows[r];
        for (uint32_t i = 0; i < row->graph->n_nodes; i++) {
            if (!isfinite(row->points[i].x) || !isfinite(row->points[i].y))
                return rg_fail(err, RG_EUSAGE, "node %u of row %zu of a figure has no position", i,
                               r);
        }
        for (size_t c = 0; row->panels && c < f->n_columns; c++) {
            const rg_panel *panel = &row->panels[c];
            for (size_t k = 0; k < panel->n_arrows; k++) {
                uint32_t n = row->graph->n_nodes;
                if (panel->arrows[k].from >= n || panel->arrows[k].to >= n)
                    return rg_fail(err, RG_EUSAGE,
                                   "arrow %zu of a figure goes from %u to %u, but there are %u "
                                   "nodes",
                                   k, panel->arrows[k].from, panel->arrows[k].to, n);
            }
        }
    }
    return RG_OK;
}

static void draw(rg_display *display, const figure_plan *p, const rg_figure *f)
{
    double y = 6;
    bool titles = false;
    display->width = ceil(p->width);
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_BOX, .fill = 0xffffff, .opacity = 1});
    if (f->title && *f->title) {
        y += SIZE + 8;
        rg_display_fit(display, (rg_point){p->width / 2, y}, f->title, SIZE + 2, RG_INK,
                       RG_ANCHOR_MIDDLE, true, p->width - 2 * GAP);
        y += 4;
    }
    for (size_t c = 0; f->columns && c < f->n_columns; c++) {
        titles = titles || (f->columns[c] && *f->columns[c]);
        rg_display_fit(display, (rg_point){p->middle[c], y + SIZE + 6}, f->columns[c], SIZE, RG_INK,
                       RG_ANCHOR_MIDDLE, false, p->panel);
    }
    y += titles ? SIZE + 8 : 0;
    double end = y;
    for (size_t r = 0; r < f->n_rows; r++) {
        y = r % beside(f) ? y : end;
        double below = draw_row(display, p, f, r, y);
        end = below > end ? below : end;
    }
    y = rg_legend_draw(display, f, p->scale, p->bias_scale, p->middle, display->width, end);
    display->height = ceil(y + 12);
    if (!display->failed)
        display->shapes[0].at[1] = (rg_point){display->width, display->height};
}

rg_status rg_figure_display(rg_display *out, const rg_figure *figure, rg_error *err)
{
    figure_plan p = {0};
    rg_display display = {0};
    rg_status status = check(figure, err);
    if (status)
        return status;
    status = plan_new(&p, figure, err);
    if (status)
        return status;
    plan_sizes(&p, figure);
    plan_scales(&p, figure);
    draw(&display, &p, figure);
    rg_free(p.block);
    if (display.failed) {
        rg_display_free(&display);
        return rg_fail_memory(err, "a figure");
    }
    *out = display;
    return RG_OK;
}

rg_status rg_figure_svg(char **out, size_t *n, const rg_figure *figure, const char *id,
                        rg_error *err)
{
    rg_display display;
    rg_text text = {0};
    rg_status status = rg_figure_display(&display, figure, err);
    if (status)
        return status;
    rg_display_svg(&text, &display, figure->title, id);
    rg_display_free(&display);
    size_t length = text.n;
    char *made = rg_text_take(&text);
    if (!made)
        return rg_fail_memory(err, "a figure");
    *out = made;
    *n = length;
    return RG_OK;
}

/* ---- files */

static const char *const endings[RG_N_FIGURE_FORMATS] = {".svg", ".png", ".pdf"};

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    for (size_t k = 0; k < m; k++) {
        char c = n < m ? '\0' : path[n - m + k];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != ending[k])
            return false;
    }
    return n > m;
}

rg_status rg_figure_format_find(rg_figure_format *out, const char *path, rg_error *err)
{
    for (int k = 0; k < RG_N_FIGURE_FORMATS; k++) {
        if (!ends_with(path, endings[k]))
            continue;
        if (k != RG_FIGURE_SVG && !rg_cairo_is_there())
            return rg_fail(err, RG_EUSAGE,
                           "cannot write '%s': built without cairo; a name that ends with .svg "
                           "gives the same picture as SVG",
                           path);
        *out = (rg_figure_format)k;
        return RG_OK;
    }
    return rg_fail(err, RG_EUSAGE,
                   "'%s' has no known file type: the name must end with .svg, .png or .pdf", path);
}

static rg_status write_svg(rg_file *file, const rg_display *display, const char *title,
                           rg_error *err)
{
    rg_text text = {0};
    rg_display_svg(&text, display, title, NULL);
    size_t n = text.n;
    char *svg = rg_text_take(&text);
    if (!svg)
        return rg_fail_memory(err, "a figure");
    rg_file_bytes(file, svg, n);
    rg_free(svg);
    return RG_OK;
}

rg_status rg_display_save(const rg_display *display, const char *path, const char *title,
                          rg_error *err)
{
    rg_figure_format format;
    rg_file *file = NULL;
    rg_status status = rg_figure_format_find(&format, path, err);
    if (!status)
        status = rg_file_create(&file, path, err);
    if (!status)
        status = format == RG_FIGURE_SVG ? write_svg(file, display, title, err)
                                         : rg_display_cairo(file, display, format, err);
    if (!status) {
        status = rg_file_commit(file, err);
        file = NULL;
    }
    rg_file_discard(file);
    return status;
}

rg_status rg_figure_write(const rg_figure *figure, const char *path, rg_error *err)
{
    rg_figure_format format;
    rg_display display = {0};
    rg_status status = rg_figure_format_find(&format, path, err); /* before the work begins */
    if (!status)
        status = rg_figure_display(&display, figure, err);
    if (!status)
        status = rg_display_save(&display, path, figure->title, err);
    rg_display_free(&display);
    return status;
}
