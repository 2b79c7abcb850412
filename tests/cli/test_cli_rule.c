/* test_cli_rule.c - regula rule check and regula rule show as users and scripts meet them. */
#include "support/program.h"

#include "cli/command/command.h"

#include <jansson.h>
#include <string.h>

#define MOLECULES REGULA_SOURCE "/examples/molecules"
#define R_MOL "'share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)'"

static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "toy/TOY_A.txt", "1,2\n2,1\n2,3\n3,2\n4,5\n5,4\n");
    test_write(directory, "toy/TOY_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n");
    test_write(directory, "toy/TOY_graph_labels.txt", "0\n1\n");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula rule check 'share  wl(i),dist( j,i )' -l 'wl=wl(depth=2)'", 0,
         "rule           share wl(i), dist(i,j)\n"
         "kind           pair\n"
         "depends on     the graph: dynamic\n",
         ""},
        {"regula rule check --help", 0, "\n  dist(i,j)\n", ""},
        {"regula rule check --help", 0, "\n  same_cycle(i,j,length)\n", ""},
        {"regula rule check --help", 0, "\n  degree(i)\n", ""},
        {"regula rule check 'share i, j'", 0, "depends on     positions alone: static\n", ""},
        {"regula rule check 'share dist(i,j) when dist(i,j) in 1..2' toy", 0,
         "data           TOY, 2 graphs\n"
         "plan           pairs with dist(i,j) in 1..2\n"
         "pairs          18\n"
         "scanned        8 (44.44 %)\n"
         "connections    8\n"
         "weights        2 of 2 possible\n"
         "memory         ",
         ""},
        {"regula rule check 'share degree(i) when degree(i) = degree(j)' toy", 0,
         "plan           all pairs\n"
         "pairs          18\n"
         "scanned        18 (100.00 %): the condition does not bound the pairs\n"
         "connections    10\n"
         "weights        3 of 3 possible\n",
         ""},
        {"regula rule check 'share degree(i)' toy --bias", 0,
         "plan           all nodes\npairs          6\n", ""},
        {"regula rule check 'share out, degree(i)' toy --aggregate 2", 0,
         "connections    12\nweights        6 of 6 possible\n", ""},
        {"regula rule check 'share row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..2 and "
         "col(j)-col(i) in 0..1' --input 5x4 --output 3x3",
         0, "connections    54\nweights        6 of 6 possible\n", ""},
        {"regula rule check 'share channel(i)' --bias --output 2x2x3", 0,
         "connections    12\nweights        3 of 3 possible\n", ""},
        {"regula rule show toy -g 0 -r 'share i = j, degree(j) when dist(i,j) <= 1'", 0,
         "4 2 .\n1 5 1\n. 2 4\n\n"
         "  weight  i = j  degree(j)\n"
         "       1      0          1\n"
         "       2      0          2\n"
         "       4      1          1\n" /* 3 is the node alone, in the other graph */
         "       5      1          2\n",
         ""},
        {"regula rule show toy -g 1 -r 'share degree(i) when degree(i) > 0' --bias", 0,
         "1 1 .\n\n  weight  degree(i)\n       1          1\n", ""},
        {"regula rule show toy -g 1 -r 'share i when 1 = 2'", 0, ". . .\n. . .\n. . .\n", ""},
        {"regula rule check 'share wk(i)' --labels 'wl=wl(depth=2)'", 2, "",
         "share wk(i)\n      ^~\nregula: rule: line 1, column 7: found 'wk', expected i, j, a "
         "labeling (wl, node), "},
        {"regula rule check 'share dist(i,j) when'", 2, "",
         "                    ^\nregula: rule: "},
        {"regula rule check", 2, "", "argument RULE of 'regula rule check' is missing"},
        {"regula rule", 2, "Commands:\n  rule check", ""},
        {"regula rule check 'share node(i)' toy", 3, "", "'TOY' has 0 columns of node labels"},
        {"regula rule check 'share bond(i,j)' toy", 3, "", "bond: 'TOY' has no edge labels"},
        {"regula rule check 'share row(i)' toy", 2, "", "graphs have no rows"},
        {"regula rule check 'share dist(i,j)' --input 2x2 --output 2x2", 2, "", "has no graph"},
        {"regula rule check 'share i' toy --input 2x2", 2, "",
         "are for arrays and rules without DATA"},
        {"regula rule check 'share i' --input 2x2", 2, "", "found an output of 0 rows"},
        {"regula rule check 'share i' --input 2 --output 2x2", 2, "",
         "option '--input': found '2', expected ROWSxCOLUMNS"},
        {"regula rule check 'share i' --input 2x2 --output 2x2x2x2x2", 2, "",
         "option '--output': found '2x2x2x2x2'"},
        {"regula rule check 'share i' --input 2x2 --output 0x2", 2, "", "found '0x2'"},
        {"regula rule check 'share i' nowhere", 4, "", "nowhere"},
        {"regula rule check 'share wl(i)' --labels 'wl(depth=2)'", 2, "",
         "option '--labels': found 'wl(depth=2)', expected NAME=SPEC"},
        {"regula rule check 'share wl(i)' --labels 'wl=wl(dept=2)'", 2, "",
         "labels: column 4: found 'dept'"},
        {"regula rule check 'share i' --labels 'dist=degree'", 2, "",
         "this one is a word of the rule language"},
        {"regula rule check 'share i' --labels a=degree --labels a=degree", 2, "", "twice"},
        {"regula rule check 'share i' --bias --aggregate 2", 2, "", "exclude each other"},
        {"regula rule check \"share i$(printf '\\377\\033')\"", 2, "", "share i??\n"},
        {"regula rule show toy --rule 'share i'", 2, "", "option '--graph N' is missing"},
        {"printf 'layers:\\n  - aggregate: share out, degree(i)\\n' >n.yml && regula rule draw toy "
         "-n "
         "n.yml --graphs 0-1 --out n.svg",
         0, "2 graphs in n.svg\n", ""},
        {"regula rule draw toy -n n.yml -g 2 --out n.svg", 2, "", "there is no graph 2"},
        {"regula rule draw toy -n none.yml --out n.svg", 4, "", "none.yml"},
        {"regula rule draw toy -n n.yml --out n.txt", 2, "", "must end with .svg"},
        {"regula rule show --graph 1 --input 2x2 --output 1x1 --rule 'share i'", 2, "",
         "option '--graph' needs DATA"},
        {"regula rule show --rule 'share i'", 2, "", "found neither DATA nor the options"},
        {"regula rule show toy --graph 0 --input 2x2 --rule 'share i'", 2, "",
         "are for arrays and rules without DATA"},
        {"regula rule show --input 2x2 --output 1x1 --rule 'share i' --out m.txt", 2, "",
         "must end with .svg"},
        {"regula rule show --input 1x4 --output 1x3 --rule 'let d = j - i share d when 0 <= d "
         "<= 1'",
         0, "1 2 . .\n. 1 2 .\n. . 1 2\n\n  weight  j - i\n       1      0\n       2      1\n", ""},
        {"regula rule show --output 2x2 --bias --rule 'share i mod 2 when i > 1'", 0, ". 1 2 1\n",
         ""},
        {"regula rule show --input 1x4 --output 1x3 --rule 'share j - i' -o m.svg && cat m.svg", 0,
         "row 1, column 2: weight 4, j - i: 1", ""},
        {"regula rule show toy -g 0 -r 'share degree(i) when edge(i,j)' -o t.svg --json", 0,
         "\"matrix\":", ""},
        {"regula rule show toy --graph 0", 2, "", "option '--rule RULE'"},
        {"regula rule show toy --graph 2 --rule 'share i'", 2, "",
         "option '--graph': found 2, expected a number below 2"},
        {"regula rule show toy --graph 0 --rule 'share i' > /dev/full", 4, "", "No space left"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

/* As the paper prints them, in the numbers of ours: 5 6 1 2 3 4 for its w_1 .. w_6. */
static void molecules_are_printed_as_in_the_paper(void **state)
{
    expect(*state, "regula rule show " MOLECULES " --graph 0 --rule " R_MOL, 0,
           "5 . . . 1 .\n. 5 . . 1 .\n. . 5 . . 1\n. . . 5 . 1\n2 2 . . 6 4\n. . 2 2 4 6\n\n"
           "  weight  i = j  node(i)  node(j)  bond(i,j)\n"
           "       1      0        1        6          1\n"
           "       2      0        6        1          1\n"
           "       4      0        6        6          2\n"
           "       5      1        1        1          -\n"
           "       6      1        6        6          -\n",
           "");
    expect(*state, "regula rule show " MOLECULES " --graph 1 --rule " R_MOL, 0,
           "5 . 1 . .\n. 5 . 1 .\n2 . 6 4 3\n. 2 4 6 3\n. . 3 3 6\n\n", "");
    expect(*state,
           "regula rule show " MOLECULES " --graph 0 --rule 'share out, node(i)' --aggregate 2", 0,
           "1 1 1 1 2 2\n3 3 3 3 4 4\n\n", "");
    expect(*state,
           "regula rule show " MOLECULES " --graph 1 --rule 'share out, node(i)' --aggregate 2", 0,
           "1 1 2 2 2\n3 3 4 4 4\n\n", "");
}

static void json_has_the_keys_that_scripts_rely_on(void **state)
{
    program_result result = run(*state, "regula rule check " R_MOL " " MOLECULES " --json");
    json_t *root = program_result_json(&result);
    const char *rule, *kind, *plan, *name;
    json_int_t pairs, scanned, connections, weights, possible, bytes;
    int is_static, all;
    double seconds;
    assert_int_equal(json_unpack(root, "{s:s,s:s,s:b,s:s,s:s,s:b,s:I,s:I,s:I,s:I,s:I,s:I,s:F}",
                                 "rule", &rule, "kind", &kind, "static", &is_static, "name", &name,
                                 "plan", &plan, "all_pairs", &all, "pairs", &pairs, "scanned",
                                 &scanned, "connections", &connections, "weights", &weights,
                                 "weights_possible", &possible, "bytes", &bytes, "seconds",
                                 &seconds),
                     0);
    assert_string_equal(plan, "pairs with i = j or edge(i,j)");
    assert_string_equal(kind, "pair");
    assert_true(!is_static && !all && bytes > 0);
    assert_int_equal(pairs, 61);
    assert_int_equal(scanned, 31);
    assert_int_equal(connections, 31);
    assert_int_equal(weights, 6);
    assert_int_equal(possible, 24);
    json_decref(root);
    program_result_free(&result);
    result = run(*state, "regula rule show " MOLECULES " -g 1 --rule " R_MOL " --json");
    root = program_result_json(&result);
    json_t *matrix = json_object_get(root, "matrix"), *keys = json_object_get(root, "keys");
    assert_int_equal(json_array_size(matrix), 5);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(matrix, 3), 1)), 2);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(matrix, 0), 1)), 0);
    assert_int_equal(json_array_size(keys), 6);
    json_t *last = json_object_get(json_array_get(keys, 5), "key");
    assert_int_equal(json_array_size(last), 4);
    assert_true(json_is_null(json_array_get(last, 3)));
    json_decref(root);
    program_result_free(&result);
    result = run(*state, "regula rule check 'share i' --json");
    root = program_result_json(&result);
    assert_null(json_object_get(root, "connections"));
    json_decref(root);
    program_result_free(&result);
}

static void the_example_script_runs(void **state)
{
    expect(*state, "sh " REGULA_SOURCE "/examples/rules.sh", 0, "weights        6 of 24 possible\n",
           "");
}

static void the_commands_of_the_documentation_run(void **state)
{
    expect(
        *state,
        "ln -sf " REGULA_SOURCE "/examples examples && regula data generate CSL --out csl "
        ">/dev/null && awk '/^    regula / { here = 1 } !/^    / { here = 0 } here' " REGULA_SOURCE
        "/docs/rules.md > commands && sh -e commands >/dev/null && "
        "grep -c '^    regula' commands",
        0, NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(molecules_are_printed_as_in_the_paper),
        cmocka_unit_test(json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(the_example_script_runs),
        cmocka_unit_test(the_commands_of_the_documentation_run),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
