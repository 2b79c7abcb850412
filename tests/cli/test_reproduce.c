/* test_reproduce.c - regula reproduce as users and scripts meet it: tables, missing data, splits,
 * stopping and going on. */
#include "support/program.h"

#include "cli/command/command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* What keeps a row short. */
#define SHORT " --set training.epochs=2 --set runs=1 --set 'folds=[0, 1]'"

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

static const json_t *row_at(const json_t *root, const char *array, size_t k)
{
    const json_t *row = json_array_get(json_object_get(root, array), k);
    assert_non_null(row);
    return row;
}

static void assert_text(const json_t *object, const char *key, const char *expected)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static double number(const json_t *object, const char *first, const char *second)
{
    const json_t *value = json_object_get(object, first);
    value = second ? json_object_get(value, second) : value;
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula reproduce", 2, "", "argument TABLE of 'regula reproduce' is missing"},
        {"regula reproduce synthetik", 2, "", "synthetic"},
        {"regula reproduce real-world --only CSL", 2, "",
         "option '--only': found 'CSL', expected one of NCI1, NCI109, Mutagenicity, DHFR"},
        {"regula reproduce all --only MUTAG", 2, "", "Snowflakes"},
        {"regula reproduce synthetic --json --format text", 2, "", "'--format text' says"},
        {"regula reproduce synthetic --set network=x.yml", 2, "", "the rest is the paper's"},
        {"regula reproduce synthetic --set data=x", 2, "", "found 'data=x', expected runs, seed"},
        {"regula reproduce synthetic --set training.lrr=1", 3, "", "did you mean 'lr'?"},
        {"regula reproduce synthetic --set runs=0", 3, "", "--set runs"},
        {"regula reproduce synthetic --only CSL --set 'folds=[7]'", 3, "", "there is no 7"},
        {"regula reproduce real-world --only DHFR", 3, "",
         "regula: DHFR: not in '"}, /* $REGULA_DATA and the cache */
        {"regula reproduce real-world --only DHFR --data .", 3, "",
         "regula: DHFR: not in '.'; 'regula data get DHFR --dir .' downloads it"},
        {"regula reproduce synthetic --only CSL --out /dev/null/x", 4, "", "/dev/null"},
        {"REGULA_CPU=x regula reproduce synthetic", 2, "", "REGULA_CPU"},
        {"regula reproduce parameters --only CSL --quiet", 0, "110", ""},
        {"regula reproduce parameters --only csl", 0, "8930       110     20  (1)\n",
         "CSL  done\n"},
        {"regula reproduce parameters --only CSL --only NCI1 -q", 0, "8930       110     20  (1)\n",
         "'regula data get NCI1' downloads it"},
        {"regula reproduce parameters --only CSL --format markdown", 0,
         "| CSL | 1 | simple cycles \\<= 10 | 8930 | 110 | 20 | (1) |\n", "CSL  done\n"},
        {"regula reproduce synthetic --only CSL -q" SHORT, 0, "Not as published: --set runs=1\n",
         ""},
        {"regula reproduce synthetic --only CSL -q" SHORT " --format markdown", 0,
         "| RuleGNN | test % | published | difference |", ""},
        {"regula reproduce runtimes --only CSL" SHORT, 0, "50.0 +- 0.0", "CSL  done\n"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void json_has_what_programs_look_for(void **state)
{
    json_t *root = run_json(
        *state, "regula reproduce synthetic --only CSL --only EvenOddRings --json -q" SHORT);
    const json_t *row = row_at(root, "rows", 0);
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 2);
    assert_text(row, "model", "RuleGNN");
    assert_text(row, "data", "EvenOddRings2_16");
    assert_text(row, "protocol", "global");
    assert_true(number(row, "published", "mean") == 90.2 && number(row, "published", "std") == 7.2);
    assert_true(number(row, "accuracy", "mean") >= 0 && number(row, "accuracy", "std") >= 0);
    assert_true(number(row, "seconds", NULL) > 0 && number(row, "cpu_seconds", NULL) > 0);
    assert_true(number(row, "peak_rss_mb", NULL) > 1 && number(row, "peak_rss_mb", NULL) < 5000);
    assert_true(number(row, "configurations", NULL) == 4 && number(row, "runs", NULL) == 1);
    assert_true(json_is_true(json_object_get(row, "generated")));
    assert_true(json_is_false(json_object_get(row, "as_published")));
    assert_text(row, "splits", "made: 10 folds, validation 0.1, seed 0");
    assert_int_equal(strlen(json_string_value(json_object_get(row, "digest"))), 64);
    assert_text(row_at(root, "rows", 1), "splits", "made: 5 folds, validation 0.1, seed 0");
    assert_int_equal(json_array_size(json_object_get(root, "overrides")), 3);
    json_decref(root);
}

static void all_tables_are_in_one_object(void **state)
{
    json_t *root = run_json(*state, "regula reproduce all --only CSL --only DHFR --json -q" SHORT);
    assert_text(row_at(root, "rows", 0), "table", "synthetic");
    const json_t *layers = json_object_get(row_at(root, "parameters", 0), "layers");
    assert_int_equal(json_array_size(layers), 2);
    assert_true(number(json_array_get(layers, 0), "published", NULL) == 8930);
    assert_true(number(json_array_get(layers, 0), "possible", NULL) == 110);
    assert_true(number(json_array_get(layers, 0), "occur", NULL) == 20);
    const json_t *times = row_at(root, "runtimes", 0);
    assert_true(number(times, "best_epoch", "mean") >= 1);
    assert_true(number(times, "label_seconds", NULL) > 0);
    assert_true(number(json_object_get(times, "published"), "label_seconds", NULL) == 11.8);
    assert_text(row_at(root, "missing", 0), "data", "DHFR");
    /* Both came from one run, as CSL has no grid. */
    assert_text(times, "digest",
                json_string_value(json_object_get(row_at(root, "rows", 0), "digest")));
    json_decref(root);
}

static void the_same_comes_from_any_number_of_jobs(void **state)
{
    json_t *one = run_json(*state, "regula reproduce synthetic --only CSL --jobs 1 --json -q");
    json_t *two = run_json(*state, "regula reproduce synthetic --only CSL --jobs 3 --json -q");
    const json_t *a = row_at(one, "rows", 0), *b = row_at(two, "rows", 0);
    assert_text(a, "digest", json_string_value(json_object_get(b, "digest")));
    assert_true(number(a, "accuracy", "mean") == 100);
    json_decref(one);
    json_decref(two);
}

static void splits_of_the_folder_are_used(void **state)
{
    expect(*state,
           "mkdir -p sets/splits && regula data generate CSL --out sets/CSL --seed 3 && "
           "regula data split sets/CSL --folds 3 --out sets/splits/CSL.json",
           0, NULL, "");
    json_t *root = run_json(
        *state, "regula reproduce synthetic --only CSL --data sets --json -q --set runs=1");
    assert_text(row_at(root, "rows", 0), "splits", "file CSL.json");
    assert_true(number(row_at(root, "rows", 0), "folds", NULL) == 3);
    assert_true(json_is_false(json_object_get(row_at(root, "rows", 0), "generated")));
    json_decref(root);
    /* What has a validation part of its own goes before what has not. */
    expect(*state,
           "sed 's/\"validation\": \\[[^]]*\\]/\"validation\": []/g' sets/splits/CSL.json >x && "
           "mv sets/splits/CSL.json sets/splits/CSL_proper.json && mv x sets/splits/CSL.json && "
           "regula reproduce synthetic --only CSL --data sets -q --set runs=1",
           0, "CSL: splits from CSL_proper.json", "");
    /* And what --set says before both. */
    expect(*state,
           "regula reproduce synthetic --only CSL --data sets -q --set runs=1 --set "
           "'splits={folds: 4, seed: 9}'",
           0, "CSL: splits made: 4 folds, validation 0.1, seed 9.", "");
    test_write(*state, "sets/splits/CSL_proper.json", "[{]");
    expect(*state, "regula reproduce synthetic --only CSL --data sets -q", 3, "",
           "CSL_proper.json:1");
    /* A set that regula data generate named by itself is found, without the splits of another. */
    expect(*state,
           "regula data generate EvenOddRings --out sets/EvenOddRings --graphs 40 && "
           "echo x >sets/splits/EvenOddRings2_16.json && regula reproduce synthetic --only "
           "EvenOddRings --data sets --as-published" SHORT,
           0, "EvenOddRings2_16: splits made: 10 folds", "EvenOddRings2_16  ");
}

static void run_directories_are_kept_and_used_again(void **state)
{
    static const char line[] = "regula reproduce synthetic --only CSL --out kept --json -q" SHORT;
    json_t *first = run_json(*state, line), *again = run_json(*state, line);
    const json_t *a = row_at(first, "rows", 0), *b = row_at(again, "rows", 0);
    assert_true(json_is_false(json_object_get(a, "resumed")));
    assert_true(json_is_true(json_object_get(b, "resumed")));
    assert_text(a, "digest", json_string_value(json_object_get(b, "digest")));
    assert_true(number(a, "cpu_seconds", NULL) == number(b, "cpu_seconds", NULL));
    json_decref(first);
    json_decref(again);
    expect(*state, "ls kept/CSL", 0, "store.sqlite\n", "");
    expect(*state, "regula reproduce synthetic --only CSL --out kept -q", 3, "", "kept/CSL");
    /* Nothing else is left behind. */
    expect(*state,
           "mkdir tmp && TMPDIR=$PWD/tmp regula reproduce synthetic --only CSL -q" SHORT
           " >log && ls -A tmp | wc -l",
           0, "0\n", "");
}

static void a_signal_ends_it_and_what_is_done_is_printed(void **state)
{
    expect(*state,
           "mkdir -p tmp; TMPDIR=$PWD/tmp regula reproduce synthetic --only CSL --only Snowflakes "
           "--jobs 1 >out 2>err & p=$!; n=0; "
           "until grep -qs '^CSL' err || [ $n -gt 600 ]; do sleep 0.1; n=$((n+1)); done; "
           "sleep 0.2; kill -TERM $p; wait $p; echo code $?; cat out; tail -n 1 err; ls -A tmp",
           0, "code 1\n", "");
    expect(*state, "cat out; tail -n 1 err; ls -A tmp", 0,
           "regula: stopped: 1 of 2 data sets are finished\n", "");
    expect(*state, "grep -c '^CSL   *100.00 +- 0.00' out", 0, "1\n", "");
}

/* Two rows in full where the published sets are at hand: seconds. */
static void published_rows_come_out(void **state)
{
    char *dhfr = test_data("DHFR.zip"), *csl = test_data("CSL.zip");
    if (!dhfr || !csl) {
        free(dhfr);
        free(csl);
        skip();
    }
    char *line = test_format("regula reproduce all --only DHFR --only CSL --data '%s' --json -q",
                             getenv("REGULA_DATA"));
    json_t *root = run_json(*state, line);
    for (size_t k = 0; k < 2; k++) {
        const json_t *row = row_at(root, "rows", k);
        double ours = number(row, "accuracy", "mean"), theirs = number(row, "published", "mean");
        if (fabs(ours - theirs) > 1.2)
            fail_msg("row %zu: %g, published %g", k, ours, theirs);
    }
    json_decref(root);
    free(line);
    free(dhfr);
    free(csl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(json_has_what_programs_look_for),
        cmocka_unit_test(all_tables_are_in_one_object),
        cmocka_unit_test(the_same_comes_from_any_number_of_jobs),
        cmocka_unit_test(splits_of_the_folder_are_used),
        cmocka_unit_test(run_directories_are_kept_and_used_again),
        cmocka_unit_test(a_signal_ends_it_and_what_is_done_is_printed),
        cmocka_unit_test(published_rows_come_out),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
