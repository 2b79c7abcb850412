/* test_cli_search.c - regula search as users and scripts meet it. */
#include "support/program.h"

#include "cli/command/command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* rings/ (120 graphs), rings.json (4 folds), leak.json (validation is test). */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 120", 0,
           "120 graphs", "");
    expect(directory, "regula data split rings --folds 4 --out rings.json", 0, "4 folds", "");
    test_write(directory, "leak.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3, 4, 5, 6, 7], "
               "\"validation\": [0, 1]}]}]");
    test_write(directory, "large.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 300], "
               "\"validation\": [3]}]}]");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula search rings --rounds 3,2 --split rings.json", 0, "EvenOddRingsCount: 3 cand", ""},
        {"regula search rings --rounds 3 -o a.yml --quiet -j 1", 0, "Effect of each choice", ""},
        {"regula search", 2, "", "argument DATA of 'regula search' is missing"},
        {"regula search rings --minutes 0", 2, "", "'--minutes'"},
        {"regula search rings --minutes soon", 2, "", "'--minutes'"},
        {"regula search rings --rounds 3,x", 2, "", "'--rounds': found '3,x', expected up to 4"},
        {"regula search rings --rounds ''", 2, "", "'--rounds' needs a value"},
        {"regula search rings --rounds 0", 2, "", "'--rounds': found '0'"},
        {"regula search rings --rounds 3,", 2, "", "'--rounds': found '3,'"},
        {"regula search rings --rounds 1000", 2, "", "numbers up to 400"},
        {"regula search rings --rounds 9,3,2,2,2", 2, "", "expected up to 4 numbers"},
        {"regula search nowhere", 4, "", "nowhere"},
        {"regula search rings --split nowhere.json", 4, "", "nowhere.json"},
        {"regula search rings --split large.json", 3, "", "large.json"},
        {"regula search rings --split leak.json", 2, "",
         "in 1 of 1 folds the validation set equals the test set: the test score of rules"},
        {"regula search rings --rounds 3 -o gone/a.yml", 4, "", "cannot create 'gone/a.yml'"},
        {"regula search rings --rounds 3 -o rings", 4, "", "cannot create 'rings'"},
        {"regula search rings --rounds 3 > /dev/full", 4, "", "No space left"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static json_t *search(const char *directory, const char *more)
{
    program_result result =
        run(directory, "regula search rings --split rings.json --json %s", more);
    json_t *root = program_result_json(&result);
    program_result_free(&result);
    return root;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* On a machine that is busy with other things too: a search that ends when it should. */
static void it_is_over_in_time_with_a_test(void **state)
{
    double start = seconds();
    json_t *root = search(*state, "--minutes 0.1 --out timed.yml");
    assert_true(seconds() - start < 1.1 * 6 + 0.5);
    assert_true(number(root, "seconds") <= 1.1 * 6);
    const json_t *test = json_array_get(json_object_get(root, "tests"), 0);
    assert_string_equal(json_string_value(json_object_get(test, "protocol")), "global");
    assert_true(number(test, "folds") >= 1);
    json_decref(root);
}

static void the_same_rounds_do_the_same_search(void **state)
{
    json_t *a = search(*state, "--rounds 8,3,2 --seed 3 --jobs 1 --out a.yml");
    json_t *b = search(*state, "--rounds 8,3,2 --seed 3 --jobs 2 --out b.yml");
    json_t *c = search(*state, "--rounds 8,3,2 --seed 4 --out c.yml");
    const json_t *x = json_object_get(a, "candidates"), *y = json_object_get(b, "candidates");
    assert_int_equal(json_array_size(x), 8);
    for (size_t k = 0; k < 8; k++) {
        json_object_del(json_array_get(x, k), "seconds");
        json_object_del(json_array_get(y, k), "seconds");
    }
    assert_true(json_equal(x, y));
    assert_true(json_equal(json_object_get(a, "tests"), json_object_get(b, "tests")));
    assert_true(json_equal(json_object_get(a, "effects"), json_object_get(b, "effects")));
    assert_false(json_equal(json_object_get(a, "effects"), json_object_get(c, "effects")));
    expect(*state, "cmp a.yml b.yml", 0, "", "");
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

static void the_winner_runs_as_it_is(void **state)
{
    char text[32];
    json_t *root = search(*state, "--rounds 4,2 --out winner.yml");
    const json_t *test = json_array_get(json_object_get(root, "tests"), 0);
    snprintf(text, sizeof text, "%.2f", 100 * number(json_object_get(test, "accuracy"), "mean"));
    expect(*state, "head -2 winner.yml", 0, "# The best of 4 rules that regula search tried", "");
    expect(*state, "regula run winner.yml --out run --quiet", 0, text, "");
    json_decref(root);
}

/* What is in the file is what was printed, and a report takes it. */
static void the_leaderboard_lies_beside_the_winner(void **state)
{
    static const char *const files[][2] = {{"board.yml", "board.json"},
                                           {"board.v2.yaml", "board.v2.json"},
                                           {"board.txt", "board.txt.json"}};
    for (size_t k = 0; k < CLI_COUNT(files); k++) {
        if (!test_in_sample(k))
            continue;
        char *more = test_format("--rounds 3,2 --out %s", files[k][0]);
        char *line = test_format("cat %s", files[k][1]);
        json_t *printed = search(*state, more), *written = run_json(*state, line);
        assert_true(json_equal(printed, written));
        assert_string_equal(json_string_value(json_object_get(written, "leaderboard")),
                            files[k][1]);
        json_decref(printed);
        json_decref(written);
        free(more);
        free(line);
    }
    expect(*state, "regula run board.yml --out boarded --quiet", 0, NULL, "");
    json_t *report = run_json(*state, "regula report boarded --search board.json --json");
    const json_t *shown = json_object_get(json_object_get(report, "search"), "candidates");
    assert_int_equal(json_array_size(shown), 3);
    json_decref(report);
    expect(*state, "mkdir full.json; regula search rings --rounds 3 --out full.yml", 4, "",
           "cannot create 'full.json'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(it_is_over_in_time_with_a_test),
        cmocka_unit_test(the_same_rounds_do_the_same_search),
        cmocka_unit_test(the_winner_runs_as_it_is),
        cmocka_unit_test(the_leaderboard_lies_beside_the_winner),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
