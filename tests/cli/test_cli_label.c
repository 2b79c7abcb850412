/* test_cli_label.c - regula label and regula selftest as users and scripts meet them. */
#include "support/program.h"

#include "cli/command/command.h"

#include <jansson.h>
#include <string.h>

/* toy/: a triangle with a tail, and a path of three nodes; csl/ and csl.json (five folds). */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "toy/TOY_A.txt",
               "1,2\n2,1\n1,3\n3,1\n2,3\n3,2\n3,4\n4,3\n4,5\n5,4\n6,7\n7,6\n7,8\n8,7\n");
    test_write(directory, "toy/TOY_graph_indicator.txt", "1\n1\n1\n1\n1\n2\n2\n2\n");
    test_write(directory, "toy/TOY_graph_labels.txt", "0\n1\n");
    test_write(directory, "toy/TOY_node_labels.txt", "6\n6\n6\n6\n8\n8\n6\n6\n");
    test_write(directory, "first.txt", "0\n");
    test_write(directory, "none.txt", "");
    test_write(directory, "third.txt", "0\n2\n");
    test_write(directory, "word.txt", "0\nx\n");
    expect(directory, "regula data generate CSL --out csl --seed 1", 0, "150 graphs", "");
    expect(directory, "regula data split csl --folds 5 --out csl.json", 0, "5 folds", "");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula label --help", 0, "\n  trivial\n", ""},
        {"regula label --help", 0, "\n  cycles(kind=simple|induced, min=3, max=10, max_labels=N)\n",
         ""},
        {"regula label --help", 0, "\n  attribute(column=0, bins=8)\n", ""},
        {"regula label --help", 0, "\n  combine(LABELING, ..., max_labels=N)\n", ""},
        {"regula label --help", 0, "\n  file(PATH)\n", ""},
        {"regula label toy --labels degree", 0, "0 0 2 0 1\n1 0 1\n", ""},
        {"regula label toy -l 'wl(depth=1)' --fit-on first.txt", 0, "0 0 3 1 2\n2 4 2\n", ""},
        {"regula label toy --labels degree --out labels.txt && cat labels.txt", 0,
         "TOY: 3 labels for 8 nodes, in labels.txt\n0 0 2 0 1\n1 0 1\n", ""},
        {"regula label toy --labels 'file(labels.txt)'", 0, "0 0 2 0 1\n1 0 1\n", ""},
        {"regula label toy --labels 'wl(depth=1)' --fit-on first.txt --out x", 0,
         "4 labels for 8 nodes, 1 of them unseen, in x\n", ""},
        {"regula label toy --labels degree --describe", 0, "degree 3\n", ""},
        {"regula label toy --labels node --describe", 0, "0          6  75.00%  node label 6\n",
         ""},
        {"regula features toy -r 'share degree(i)' -r 'share node(i), node(j) when edge(i,j)' "
         "--out f.svm "
         "--names f.txt && cat f.svm f.txt",
         0,
         "TOY: 2 graphs, 6 features, 11 counts above 0, in f.svm\n0 1:1 2:3 3:1 4:8 5:1 6:1\n1 1:2 "
         "2:1 "
         "4:2 5:1 6:1\na node of degree 1\n",
         ""},
        {"regula features toy -r 'share e(i)' -l e=degree --fit-on first.txt --support 2 --json", 0,
         "\"features\": 0", ""},
        {"regula features toy -r 'share degree(i)' --out f.npz && head -c 2 f.npz", 0,
         "in f.npz\nPK", ""},
        {"regula features toy -r 'share degree(i)' --out f.csv", 2, "",
         "must end with .npz or .svm"},
        {"regula features toy -r 'share x(i)'", 2, "", "rule: line 1, column 7: found 'x'"},
        {"regula features toy", 2, "", "--rule"},
        {"regula features toy -r 'share a(i)' -l degree", 2, "", "expected NAME=SPEC"},
        {"regula label csl --labels degree --fit-on csl.json | head -n 1 | wc -w", 0, "41\n", ""},
        {"regula label csl --labels degree --fit-on csl.json --fold 4", 0, "0 0 0", ""},
        {"regula label", 2, "", "argument DATA of 'regula label' is missing"},
        {"regula label toy", 2, "", "option '--labels SPEC' or '--vocabulary FILE'"},
        {"regula label toy --labels 'wl(dept=2)'", 2, "", "regula: labels: column 4: found 'dept'"},
        {"regula label nowhere --labels 'wl(dept=2)'", 2, "", "column 4"},
        {"regula label toy --labels 'attribute(0)'", 3, "", "found 0 node attributes"},
        {"regula label toy --labels 'wl(edges=true)'", 3, "", "found no edge labels"},
        {"regula label toy --labels 'node(1)'", 3, "", "found 1 column of node labels"},
        {"regula label toy --labels 'file(nowhere)'", 4, "", "nowhere"},
        {"regula label toy --labels degree --fold 1", 2, "", "option '--fold' is for '--fit-on'"},
        {"regula label toy --labels degree --fit-on nowhere", 4, "", "nowhere"},
        {"regula label toy --labels degree --fit-on none.txt", 3, "", "none.txt: found no graphs"},
        {"regula label toy --labels degree --fit-on third.txt", 3, "",
         "third.txt:2: found graph 2, expected a graph, a number below 2"},
        {"regula label toy --labels degree --fit-on word.txt", 3, "",
         "word.txt:2:1: found 'x', expected a graph, a number below 2"},
        {"regula label toy --labels degree --fit-on csl.json", 3, "", "csl.json"},
        {"regula label csl --labels degree --fit-on csl.json --fold 5", 2, "",
         "csl.json: found 5 folds, expected one with number 5"},
        {"regula label toy --vocabulary x --labels degree", 2, "", "exclude each other"},
        {"regula label toy --vocabulary x --save y", 2, "", "exclude each other"},
        {"regula label toy --vocabulary nowhere", 4, "", "nowhere"},
        {"regula label toy --vocabulary first.txt", 3, "",
         "regula: first.txt: found other content, expected 'RGLABEL1' first"},
        {"regula label toy --labels degree --out /dev/null/x", 4, "", "/dev/null"},
        {"regula label toy --labels degree --save /dev/null/x", 4, "", "/dev/null"},
        {"regula label nowhere --labels degree --out gone/x", 4, "", "cannot create 'gone/x'"},
        {"regula label nowhere --labels degree --save gone/x", 4, "", "cannot create 'gone/x'"},
        {"regula label toy --labels degree > /dev/full", 4, "", "No space left"},
        {"regula label csl --labels 'cycles(max=20)' --budget 1 --describe", 0,
         "not counted: over the budget",
         "regula: warning: in 150 of 150 graphs counting exceeded the budget of 1 steps and was "
         "skipped\n"},
        {"regula selftest --equivariance nowhere", 4, "", "nowhere"},
        {"regula selftest --equivariance toy", 0, " labels compared, 0 different\n", ""},
        {"regula selftest", 0, "same      Snowflakes ", ""},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void json_has_the_keys_that_scripts_rely_on(void **state)
{
    program_result result = run(*state, "regula label toy --labels 'wl(depth=2,unseen=backoff)' "
                                        "--fit-on first.txt --json --describe --out in.txt");
    json_t *root = program_result_json(&result), *histogram = json_object_get(root, "histogram");
    const char *spec, *digest, *name, *path, *out, *meaning;
    json_int_t labels, size, seen, backoff, unseen, capped, nodes, graphs, count, fitted;
    double seconds, read_seconds;
    assert_int_equal(
        json_unpack(root, "{s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:F,s:F}", "spec",
                    &spec, "digest", &digest, "name", &name, "path", &path, "out", &out, "labels",
                    &labels, "size", &size, "seen", &seen, "backoff", &backoff, "unseen", &unseen,
                    "capped_graphs", &capped, "nodes", &nodes, "graphs", &graphs, "seconds",
                    &seconds, "read_seconds", &read_seconds),
        0);
    assert_string_equal(spec, "wl(depth=2, from=degree, edges=false, unseen=backoff)");
    assert_int_equal(strlen(digest), 64);
    assert_string_equal(out, "in.txt");
    assert_int_equal(graphs, 2);
    assert_int_equal(nodes, 8);
    assert_int_equal(labels, 4);
    assert_int_equal(size, 4 + 4 + 3 + 1); /* depths 2, 1 and 0, and "unseen" */
    assert_int_equal(seen, 5);
    assert_int_equal(backoff, 3);
    assert_int_equal(unseen, 0);
    assert_int_equal(capped, 0);
    assert_int_equal(json_array_size(histogram), 6);
    assert_int_equal(json_unpack(json_array_get(histogram, 0), "{s:I,s:I,s:s}", "nodes", &count,
                                 "fitted", &fitted, "meaning", &meaning),
                     0);
    assert_int_equal(count, 2);
    assert_int_equal(fitted, 2);
    assert_non_null(strstr(meaning, "depth-2 WL class: degree 2; neighbours: "));
    json_decref(root);
    program_result_free(&result);
    expect(*state, "cat in.txt", 0, "0 0 3 1 2\n6 8 6\n", "");
}

static void without_a_file_json_stands_alone(void **state)
{
    program_result result = run(*state, "regula label csl --labels 'cycles(max=4)' --json");
    json_t *root = program_result_json(&result);
    assert_null(json_object_get(root, "histogram"));
    assert_null(json_object_get(root, "out"));
    json_decref(root);
    program_result_free(&result);
    result = run(*state, "regula selftest --equivariance toy --json --seed 3");
    root = program_result_json(&result);
    assert_true(json_is_true(json_object_get(root, "ok")));
    assert_true(json_array_size(json_object_get(root, "checks")) >= 12);
    assert_int_equal(json_integer_value(json_object_get(root, "different")), 0);
    json_decref(root);
    program_result_free(&result);
}

static void a_stored_vocabulary_gives_the_same_labels(void **state)
{
    expect(*state,
           "regula label csl --labels 'wl(depth=1,from=cycles(max=6))' --save v --out fitted && "
           "regula label csl --vocabulary v --out applied && cmp fitted applied",
           0, "6 labels for 6150 nodes, in applied", "");
    expect(*state, "regula label toy --vocabulary v", 0, "\n", "");
    /* the budget of the fit goes with it */
    expect(*state,
           "regula label csl --labels 'cycles(max=9)' --budget 5000 --save b --out fitted && "
           "regula label csl --vocabulary b --out applied && cmp fitted applied && "
           "regula label csl --vocabulary b --budget 5000 | cmp - fitted",
           0, "labels for 6150 nodes, in applied",
           "exceeded the budget of 5000 steps and was skipped\n");
    expect(*state, "regula label csl --vocabulary b --budget 5001", 2, "",
           "option '--budget': found 5001, expected 5000 as in the fit");
    expect(*state, "printf x >> v; regula label csl --vocabulary v", 3, "", "regula: v: labels: ");
}

static void the_cache_changes_nothing_but_the_time(void **state)
{
    expect(*state,
           "rm -rf cache; regula label csl --labels 'cycles(max=7)' --out one >/dev/null && "
           "regula label csl --labels 'cycles(max=7)' --out two --threads 1 >/dev/null && "
           "regula label csl --labels 'cycles(max=7)' --out three --no-cache >/dev/null && "
           "cmp one two && cmp one three && ls cache/regula/labels | wc -l",
           0, "1\n", "");
    expect(*state,
           "for f in cache/regula/labels/*; do echo damage > $f; done; "
           "regula label csl --labels 'cycles(max=7)' --out four >/dev/null && cmp one four",
           0, "", "");
    expect(*state, "rm -rf cache; regula label csl --no-cache --labels 'cycles(max=7)' | cmp - one",
           0, "", "");
    expect(*state, "ls cache", 2, "", NULL);
    expect(*state, "touch cache; regula label csl --labels 'cycles(max=7)' | cmp - one; rm cache",
           0, "", "");
    expect(*state,
           "unset HOME XDG_CACHE_HOME; regula label csl --labels 'cycles(max=7)' | cmp - one", 0,
           "", "");
}

static void the_example_script_runs(void **state)
{
    expect(*state, "sh " REGULA_SOURCE "/examples/labels.sh work", 0,
           "graphs that the vocabulary never saw get the same labels", "");
}

static void the_commands_of_the_documentation_run(void **state)
{
    expect(*state,
           "awk '/^    regula / { here = 1 } !/^    / { here = 0 } here' " REGULA_SOURCE
           "/docs/labels.md > commands && sh -e commands && grep -c regula commands",
           0, "8\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(without_a_file_json_stands_alone),
        cmocka_unit_test(a_stored_vocabulary_gives_the_same_labels),
        cmocka_unit_test(the_cache_changes_nothing_but_the_time),
        cmocka_unit_test(the_example_script_runs),
        cmocka_unit_test(the_commands_of_the_documentation_run),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
