/* test_cli_report.c - regula report as users and scripts meet it. */
#include "support/finished_runs.h"
#include "support/program.h"

#include "base/alloc.h"
#include "text/text.h"

#include <jansson.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Rings of 5 to 8 nodes in TUDataset layout; with real targets instead of classes if `real`. */
static void write_rings(const char *root, const char *name, bool real)
{
    static const char *const files[] = {"A", "graph_indicator", "node_labels", "graph_labels"};
    rg_text texts[4] = {{0}};
    size_t node = 1;
    for (size_t g = 0; g < 24; g++) {
        size_t n = 5 + g % 4;
        for (size_t k = 0; k < n; k++) {
            size_t next = node + (k + 1) % n;
            rg_text_add(&texts[0], "%zu, %zu\n%zu, %zu\n", node + k, next, next, node + k);
            rg_text_add(&texts[1], "%zu\n", g + 1);
            rg_text_add(&texts[2], "%zu\n", (g + k * k) % 3);
        }
        node += n;
        rg_text_add(&texts[3], real ? "%zu.5\n" : "%zu\n", real ? n : g % 2);
    }
    for (size_t k = 0; k < COUNT(files); k++) {
        char *text = rg_text_take(&texts[k]);
        char *path = test_format("data/%s/%s_%s.txt", name, name,
                                 real && k == 3 ? "graph_attributes" : files[k]);
        test_write(root, path, text);
        free(path);
        rg_free(text);
    }
}

static const char network[] = "network:\n"
                              "  labels: {a: node}\n"
                              "  layers:\n"
                              "    - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..2\n"
                              "      bias: share a(i)\n"
                              "    - aggregate: share out, a(i)\n"
                              "training: {epochs: 3, batch: 8}\n";

/* Runs: `rings`, `real` (errors), `single` (one fold, nothing kept), `half` (and a failed job), and
 * `images`. */
static int set_up(void **state)
{
    static const struct {
        const char *name, *head, *rest;
    } runs[] = {
        {"rings", "data: Rings\nsplits: {folds: 3, seed: 1, validation: 0.2}\nruns: 2\n", network},
        {"real", "data: Real\nsplits: {folds: 2, stratified: false}\nruns: 1\n", network},
        {"single",
         "data: Rings\nsplits: {folds: 1, test: 0.3, validation: 0.2}\nprotocol: holdout\n"
         "runs: 1\nkeep: none\n",
         network},
        {"images", "data: Shapes\nsplits: {folds: 2}\nruns: 1\n",
         "network: {layers: [{dense: 3}, {dense: auto}]}\ntraining: {epochs: 2}\n"},
    };
    char *root = test_directory_make(), *half = test_format("%s/runs/half", root);
    write_rings(root, "Rings", false);
    write_rings(root, "Real", true);
    expect(root, "regula data generate Shapes --graphs 40 --out data/Shapes", 0, NULL, NULL);
    for (size_t k = 0; k < COUNT(runs); k++) {
        char *file = test_format("%s.yml", runs[k].name);
        char *text = test_format("%s%s", runs[k].head, runs[k].rest);
        char *line = test_format("regula run %s.yml --quiet", runs[k].name);
        test_write(root, file, text);
        expect(root, line, 0, NULL, NULL);
        free(file);
        free(text);
        free(line);
    }
    test_store_plan *t = test_store_plan_make(2, 2, 3, 2);
    finished_runs_fill(half, t, 5, finished_score_known);
    finished_runs_fail(half, 6, "no luck</script>");
    test_store_plan_free(t);
    test_write(root, "names.txt", "0 <b>zero</b>\n1 one\n2 two\nclass 0 even</script>\n");
    test_write(root, "wrong.txt", "zero one\n");
    test_write(root, "search.json", "{\"candidates\": []}");
    free(half);
    *state = root;
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula report runs/rings", 0, "runs/rings/report.html\n", ""},
        {"regula report runs/rings -o a.html --with runs/single --top 5 --graphs 2", 0, "a.html\n",
         ""},
        {"regula report runs/rings -o a.html --graphs 0,3-5 --fold 1", 0, "a.html\n", ""},
        {"regula report runs/real -o a.html", 0, "a.html\n", ""},
        {"regula report runs/single -o a.html", 0, "a.html\n", ""},
        {"regula report runs/images -o a.html", 0, "a.html\n", ""},
        {"regula report runs/half -o a.html", 0, "a.html\n",
         "warning: The data set of the run was"},
        {"regula report runs/rings --search search.json -o a.html", 0, "a.html\n", ""},
        {"regula report runs/rings --label-names names.txt -o a.html", 0, "a.html\n", ""},
        {"regula report runs/rings --json", 0, "{\"format\":\"regula report 1\",", ""},
        {"regula report runs/rings --json -o a.json", 0, "", ""},
        {"regula report runs/none", 4, "", "runs/none"},
        {"regula report runs/rings --with runs/none", 4, "", "runs/none"},
        {"regula report runs/rings --data nowhere", 4, "", "nowhere"},
        {"regula report runs/rings --split names.txt", 3, "", "names.txt"},
        {"regula report runs/rings --label-names wrong.txt", 3, "", "wrong.txt:1"},
        {"regula report runs/rings --graphs 99,100", 2, "", "graphs"},
        {"regula report runs/rings --graphs 5000", 2, "", "expected at most 500"},
        {"regula report runs/rings --graphs x", 2, "", "graphs"},
        {"regula report runs/rings --fold 3", 2, "", "there is no fold 3 in 'runs/rings'"},
        {"regula report runs/rings --search names.txt", 3, "", "the search: line 1"},
        {"regula report runs/rings --out no/such/a.html", 4, "", "no/such"},
        {"regula report runs/rings --top 0", 2, "", "top"},
        {"regula report", 2, "", "RUN"},
    };
    for (size_t k = 0; k < COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].out, cases[k].err);
}

static void names_of_labels_reach_the_rules(void **state)
{
    json_t *root = run_json(*state, "regula report runs/rings --label-names names.txt --json");
    json_t *classes = json_object_get(json_object_get(root, "confusion"), "classes");
    assert_string_equal(json_string_value(json_array_get(classes, 0)), "even</script>");
    json_t *rules = json_object_get(json_object_get(root, "rules"), "list"), *rule;
    size_t k, n = 0;
    json_array_foreach(rules, k, rule) n +=
        strstr(json_string_value(json_object_get(rule, "words")), "<b>zero</b>") != NULL;
    assert_true(n > 0);
    json_decref(root);
}

static void what_removing_does_is_measured_where_the_splits_are_known(void **state)
{
    json_t *root = run_json(*state, "regula report runs/rings --json");
    json_t *rules = json_object_get(root, "rules");
    assert_true(json_is_integer(json_object_get(rules, "validation")));
    json_t *first = json_array_get(json_object_get(rules, "list"), 0);
    assert_true(json_is_number(json_object_get(first, "removal")));
    json_decref(root);
}

static void real_values_stand_beside_true_ones(void **state)
{
    json_t *root = run_json(*state, "regula report runs/real --json");
    json_t *values = json_object_get(root, "values");
    assert_int_equal(json_integer_value(json_object_get(values, "samples")), 24);
    json_t *pair = json_array_get(json_object_get(values, "pairs"), 0);
    assert_int_equal(json_array_size(pair), 3);
    json_decref(root);
}

static void a_page_is_one_file_and_the_same_each_time(void **state)
{
    const char *root = *state;
    char *paths[2] = {test_format("%s/a.html", root), test_format("%s/b.html", root)};
    expect(root, "regula report runs/rings -o a.html --title 'A <b> & \"c\"'", 0, "a.html\n", "");
    expect(root, "regula report runs/rings -o b.html --title 'A <b> & \"c\"' --threads 2", 0,
           "b.html\n", "");
    char *first = test_read(paths[0], NULL), *second = test_read(paths[1], NULL);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "<title>A &#60;b&#62; &#38; &#34;c&#34;</title>"));
    assert_null(strstr(first, "src="));
    assert_true(strlen(first) < 1000000);
    for (int k = 0; k < 2; k++)
        free(paths[k]);
    free(first);
    free(second);
}

static void a_model_that_cannot_be_read_is_told_of(void **state)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"rm -r bad/models", "No such file"},
        {"for f in bad/models/*; do echo x > \"$f\"; done", "bad/models/"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        char *line = test_format("rm -rf bad && cp -r runs/rings bad && %s", cases[k].line);
        expect(*state, line, 0, "", "");
        expect(*state, "regula report bad -o bad.html", 3, "bad.html\n", cases[k].message);
        expect(*state, "regula report bad -o bad.html 2>&1 >bad.txt | wc -l", 0, "1\n", "");
        expect(*state, "grep -c '\"no_rules\":\"' bad.html", 0, "1\n", ""); /* and it says why */
        free(line);
    }
}

static void a_page_that_cannot_be_written_leaves_the_old_one(void **state)
{
    const char *root = *state;
    char *path = test_format("%s/runs/rings/old.html", root);
    test_write(root, "runs/rings/old.html", "old");
    expect(root, "ulimit -f 8; trap '' XFSZ; regula report runs/rings -o runs/rings/old.html", 4,
           "", "old.html");
    char *text = test_read(path, NULL);
    assert_string_equal(text, "old");
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(names_of_labels_reach_the_rules),
        cmocka_unit_test(what_removing_does_is_measured_where_the_splits_are_known),
        cmocka_unit_test(real_values_stand_beside_true_ones),
        cmocka_unit_test(a_page_is_one_file_and_the_same_each_time),
        cmocka_unit_test(a_model_that_cannot_be_read_is_told_of),
        cmocka_unit_test(a_page_that_cannot_be_written_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
