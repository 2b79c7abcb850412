/* test_cli_table.c - one table in every format, with names that try to break out of it. */
#include "support/support.h"

#include "base/alloc.h"
#include "cli/output/table.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const cli_column columns[] = {
    {"name", "name", CLI_CELL_TEXT},  {"n", "n", CLI_CELL_COUNT},
    {"loss", "loss", CLI_CELL_REAL},  {"seconds", "s", CLI_CELL_FIXED},
    {"test", "test", CLI_CELL_SCORE}, {"accuracy", "accuracy", CLI_CELL_SPREAD},
    {"note", "note", CLI_CELL_TEXT}};

static cli_table make(rg_metric metric)
{
    cli_table t = {.columns = columns, .n_columns = COUNT(columns), .metric = metric};
    cli_cell_text(&t, "one");
    cli_cell_count(&t, 7);
    cli_cell_real(&t, 0.123456);
    cli_cell_real(&t, 1.5);
    cli_cell_real(&t, 0.25);
    cli_cell_spread(&t, 0.828, 0.0203);
    cli_cell_text(&t, "");
    cli_cell_text(&t, "\xc3\xa9l\xc3\xa9ment");
    cli_cell_known(&t, UINT64_MAX);
    cli_cell_real(&t, NAN);
    cli_cell_none(&t);
    cli_cell_real(&t, 1);
    cli_cell_spread(&t, NAN, NAN);
    cli_cell_text(&t, NULL);
    return t;
}

typedef void (*printer)(rg_text *out, const cli_table *table);

/* What it prints is `expected`; the table is freed. */
static void expect_print(printer print, cli_table table, const char *expected)
{
    rg_text text = {0};
    print(&text, &table);
    char *all = rg_text_take(&text);
    assert_string_equal(all, expected);
    rg_free(all);
    cli_table_free(&table);
}

static void people_see_columns_side_by_side(void **state)
{
    (void)state;
    expect_print(cli_table_print_text, make(RG_METRIC_ACCURACY),
                 "name     n    loss     s  test %     accuracy %  note\n"
                 "one      7  0.1235  1.50   25.00  82.80 +- 2.03\n"
                 "\xc3\xa9l\xc3\xa9ment  -       -     -  100.00              -  -\n");
    expect_print(cli_table_print_text, make(RG_METRIC_MAE),
                 "name     n    loss     s  test error   accuracy error  note\n"
                 "one      7  0.1235  1.50        0.25  0.828 +- 0.0203\n"
                 "\xc3\xa9l\xc3\xa9ment  -       -     -           1                -  -\n");
}

static void programs_see_all_digits(void **state)
{
    (void)state;
    expect_print(cli_table_print_csv, make(RG_METRIC_ACCURACY),
                 "name,n,loss,seconds,test,accuracy,accuracy_std,note\r\n"
                 "one,7,0.123456,1.5,0.25,0.828,0.0203,\r\n"
                 "\xc3\xa9l\xc3\xa9ment,,,,1,,,\r\n");
    cli_table table = make(RG_METRIC_ACCURACY);
    json_t *rows = cli_table_json(&table);
    const char *name;
    json_int_t n;
    double loss, accuracy, deviation;
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(json_unpack(json_array_get(rows, 0), "{s:s,s:I,s:F,s:F,s:F}", "name", &name,
                                 "n", &n, "loss", &loss, "accuracy", &accuracy, "accuracy_std",
                                 &deviation),
                     0);
    assert_string_equal(name, "one");
    assert_int_equal(n, 7);
    assert_true(loss == 0.123456 && accuracy == 0.828 && deviation == 0.0203);
    const json_t *second = json_array_get(rows, 1);
    static const char *const none[] = {"n", "loss", "seconds", "accuracy", "accuracy_std", "note"};
    for (size_t k = 0; k < COUNT(none); k++)
        assert_true(json_is_null(json_object_get(second, none[k])));
    json_decref(rows);
    cli_table_free(&table);
}

static void papers_see_what_people_see(void **state)
{
    (void)state;
    expect_print(cli_table_print_markdown, make(RG_METRIC_ACCURACY),
                 "| name | n | loss | s | test % | accuracy % | note |\n"
                 "| --- | ---: | ---: | ---: | ---: | ---: | --- |\n"
                 "| one | 7 | 0.1235 | 1.50 | 25.00 | 82.80 \xc2\xb1 2.03 |  |\n"
                 "| \xc3\xa9l\xc3\xa9ment | - | - | - | 100.00 | - | - |\n");
    expect_print(cli_table_print_latex, make(RG_METRIC_ACCURACY),
                 "\\begin{tabular}{lrrrrrl}\n\\hline\n"
                 "name & n & loss & s & test \\% & accuracy \\% & note \\\\\n\\hline\n"
                 "one & $7$ & $0.1235$ & $1.50$ & $25.00$ & $82.80 \\pm 2.03$ &  \\\\\n"
                 "\xc3\xa9l\xc3\xa9ment & -- & -- & -- & $100.00$ & -- & -- \\\\\n"
                 "\\hline\n\\end{tabular}\n");
}

static const cli_column one[] = {{"x", "x", CLI_CELL_TEXT}};

/* The line of the only row. Owned (rg_free). */
static char *print_name(printer print, const char *name, const char *begin, const char *end)
{
    cli_table table = {.columns = one, .n_columns = 1};
    rg_text text = {0};
    cli_cell_text(&table, name);
    print(&text, &table);
    cli_table_free(&table);
    char *all = rg_text_take(&text), *at = strstr(all, begin);
    assert_non_null(at);
    at += strlen(begin);
    char *stop = strstr(at, end);
    assert_non_null(stop);
    char *line = rg_copy_text(at, (size_t)(stop - at));
    rg_free(all);
    return line;
}

static void names_cannot_break_out(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *csv, *markdown, *latex;
    } cases[] = {
        {"plain lr=0.05", "plain lr=0.05", "plain lr=0.05", "plain lr=0.05", "plain lr=0.05"},
        {"a,b", "a,b", "\"a,b\"", "a,b", "a,b"},
        {"say \"x\"", "say \"x\"", "\"say \"\"x\"\"\"", "say \"x\"", "say ''x''"},
        {"a\r\nb", "a??b", "\"a\r\nb\"", "a??b", "a??b"},
        {" x ", " x", "\" x \"", " x ", " x "},
        {"\033[31m", "?[31m", "?[31m", "?\\[31m", "?{[}31m"},
        {"\xff\xc3", "??", "??", "??", "??"},
        {"a|b\\|c", "a|b\\|c", "a|b\\|c", "a\\|b\\\\\\|c",
         "a\\textbar{}b\\textbackslash{}\\textbar{}c"},
        {"<b>*x*_y_`z`", "<b>*x*_y_`z`", "<b>*x*_y_`z`", "\\<b\\>\\*x\\*\\_y\\_\\`z\\`",
         "\\textless{}b\\textgreater{}{*}x{*}\\_y\\_`z`"},
        {"\\input{x}", "\\input{x}", "\\input{x}", "\\\\input\\{x\\}",
         "\\textbackslash{}input\\{x\\}"},
        {"50% & $x^2$ #1~", "50% & $x^2$ #1~", "50% & $x^2$ #1~", "50% \\& \\$x^2\\$ \\#1\\~",
         "50\\% \\& \\$x\\textasciicircum{}2\\$ \\#1\\textasciitilde{}"},
        {"[2pt]", "[2pt]", "[2pt]", "\\[2pt\\]", "{[}2pt{]}"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct {
            printer print;
            const char *begin, *end, *expected;
        } formats[] = {
            {cli_table_print_text, "x\n", "\n", cases[k].text},
            {cli_table_print_csv, "x\r\n", "\r\n", cases[k].csv},
            {cli_table_print_markdown, "| --- |\n| ", " |\n", cases[k].markdown},
            {cli_table_print_latex, "x \\\\\n\\hline\n", " \\\\\n", cases[k].latex},
        };
        for (size_t f = 0; f < COUNT(formats); f++) {
            char *line =
                print_name(formats[f].print, cases[k].name, formats[f].begin, formats[f].end);
            bool cut = f == 1 && strchr(cases[k].name, '\n'); /* the end was the name's own */
            size_t blanks = f == 0 ? strlen(line) : 0;        /* text: none at the end of a line */
            while (blanks && line[blanks - 1] == ' ')
                line[--blanks] = '\0';
            if (cut ? strncmp(line, formats[f].expected, strlen(line)) != 0
                    : strcmp(line, formats[f].expected) != 0)
                fail_msg("case %zu, format %zu: '%s', expected '%s'", k, f, line,
                         formats[f].expected);
            rg_free(line);
        }
    }
}

static rg_status print_all(void *context, rg_error *err)
{
    (void)context;
    static const printer printers[] = {cli_table_print_text, cli_table_print_csv,
                                       cli_table_print_markdown, cli_table_print_latex};
    rg_status status = RG_OK;
    for (size_t k = 0; k < COUNT(printers) && !status; k++) {
        cli_table table = make(RG_METRIC_ACCURACY);
        rg_text text = {0};
        printers[k](&text, &table);
        char *all = rg_text_take(&text);
        if (!all) {
            strcpy(err->message, "out of memory");
            status = RG_ENOMEM;
        }
        rg_free(all);
        cli_table_free(&table);
    }
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(print_all, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_see_columns_side_by_side),
        cmocka_unit_test(programs_see_all_digits),
        cmocka_unit_test(papers_see_what_people_see),
        cmocka_unit_test(names_cannot_break_out),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
