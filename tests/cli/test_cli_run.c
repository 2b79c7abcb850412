/* test_cli_run.c - regula run as users and scripts meet it: what it says, and that nothing depends
 * on how it was run. test_cli_run_killed.c has signals and kills. */
#include "support/program.h"

#include "cli/command/command.h"
#include "support/stores.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NETWORK                                                    \
    "network:\n"                                                   \
    "  preset: paper\n"                                            \
    "  input: scaled\n"                                            \
    "  labels: {label: node}\n"                                    \
    "  layers:\n"                                                  \
    "    - rule: share label(i), label(j) when dist(i,j) in {8}\n" \
    "      bias: share label(i)\n"                                 \
    "    - aggregate: share out, label(i)\n"                       \
    "training: {epochs: 8, patience: none, lr: [0.1, 0.05]}\n"
#define SPLITS "splits: {folds: 4, seed: 1}\n"

/* rings/ (60 graphs); exp.yml (2 configurations, 4 folds, 3 runs: 8 jobs), and files with mistakes.
 * done/ has exp.yml done. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "exp.yml", "data: rings\nruns: 3\n" SPLITS NETWORK);
    test_write(directory, "typo.yml", "data: rings\nrun: 3\n" SPLITS NETWORK);
    test_write(directory, "gone.yml", "data: gone\n" SPLITS NETWORK);
    test_write(directory, "folds.yml", "data: rings\nfolds: [1, 7]\n" SPLITS NETWORK);
    test_write(directory, "holdout.yml", "data: rings\nprotocol: holdout\n" SPLITS NETWORK);
    test_write(directory, "large.yml", "data: rings\nsplits: large.json\n" NETWORK);
    test_write(directory, "leak.yml", "data: rings\nruns: 1\nsplits: leak.json\n" NETWORK);
    test_write(directory, "none.yml", "data: rings\nruns: 1\nsplits: none.json\n" NETWORK);
    test_write(directory, "misfit.yml",
               "data: rings\nruns: 1\n" SPLITS
               "network: {labels: {a: attribute(3)}, layers: [aggregate: \"share out, a(i)\"]}\n");
    test_write(directory, "large.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 300], "
               "\"validation\": [3]}]}]");
    test_write(directory, "leak.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3, 4, 5, 6, 7], "
               "\"validation\": [0, 1]}]}]");
    test_write(directory, "none.json",
               "[{\"test\": [0, 1], \"model_selection\": [{\"train\": [2, 3, 4, 5, 6, 7], "
               "\"validation\": []}]}]");
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 60", 0, NULL,
           "");
    expect(directory, "regula run exp.yml --out done -j 2", 0, NULL, NULL);
    return 0;
}

static void digest_of(char out[RG_DIGEST_TEXT], const char *root, const char *name)
{
    char *directory = test_format("%s/%s", root, name);
    test_store_digest(out, directory);
    free(directory);
}

static void assert_as_done(const char *root, const char *name)
{
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    digest_of(expected, root, "done");
    digest_of(digest, root, name);
    assert_string_equal(digest, expected);
}

static void lines_end_as_they_should(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *err;
    } cases[] = {
        {"regula run", 2, "argument FILE of 'regula run' is missing"},
        {"regula run nowhere.yml", 4, "nowhere.yml"},
        {"regula run rungs", 4, "rungs"},
        {"regula run typo.yml", 3, "typo.yml:2:1: found the key 'run'"},
        {"regula run typo.yml", 3, "(did you mean 'runs'?)"},
        {"regula run exp.yml --set training.lrr=1", 3, "found the key 'lrr'"},
        {"regula run exp.yml --set runs", 2, "runs"},
        {"regula run exp.yml --shard 4/4", 2,
         "option '--shard': found '4/4', expected I/N with 0 <= I < N, such as 0/4"},
        {"regula run exp.yml --shard 1", 2, "found '1', expected I/N"},
        {"regula run exp.yml --shard -1/4", 2, "found '-1/4', expected I/N"},
        {"regula run exp.yml --shard 0/4x", 2, "found '0/4x', expected I/N"},
        {"regula run exp.yml --shard 0/99999999999999999999", 2, "expected I/N"},
        {"regula run exp.yml --jobs -1", 2, "jobs"},
        {"REGULA_CPU=avx regula run exp.yml", 2, "expected 'auto', 'portable'"},
        {"regula run gone.yml", 4, "gone"},
        {"regula run large.yml", 3, "large.json"},
        {"regula run folds.yml", 3, "folds.yml:2:12: found '7', expected a whole number 0..3"},
        {"regula run leak.yml --set 'folds=[1]'", 3, "the splits have 1 folds, there is no 1"},
        {"regula run holdout.yml", 3, "protocol 'holdout' is for one fold, and there are 4"},
        {"regula run exp.yml --out done --set seed=2", 1, "'done' holds a different experiment"},
        {"regula run exp.yml --out exp.yml", 4, "exp.yml"},
        {"regula run exp.yml --out /proc/none", 4, "/proc/none"},
        {"regula run leak.yml", 0,
         "regula: warning: in 1 of 1 folds the validation set equals the test set"},
        {"regula run none.yml", 0,
         "regula: warning: 1 of 1 folds have no validation set to select configurations on"},
        {"regula run none.yml --out lone --set training.lr=0.1", 0, NULL},
        {"regula run exp.yml --out done --quiet", 0, NULL},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].code ? "" : NULL, cases[k].err);
    assert_as_done(*state, "done");
}

static void what_must_be_said_beside_the_numbers_is_said(void **state)
{
    expect(*state, "regula run exp.yml --out done", 0, "majority %",
           "regula: warning: protocol 'fair': 2 configurations tie with the selected one in "
           "validation score; the lower loss decided, then the lower index\n");
    expect(*state, "regula data generate CSL --out csl", 0, NULL, ""); /* ten graphs, renumbered */
    test_write(*state, "copies.yml",
               "data: csl\nruns: 1\nsplits: {folds: 2}\ntraining: {epochs: 1}\n"
               "network: {labels: {d: degree}, layers: [aggregate: \"share out, d(i)\"]}\n");
    expect(*state, "regula run copies.yml", 0, NULL,
           "regula: warning: 150 of 150 graphs of the test sets are isomorphic to a training or "
           "validation graph of their fold\n");
    expect(*state, "regula run exp.yml --out done", 0, "from all graphs, as published\n", NULL);
    expect(*state, "regula run exp.yml --out fit --set fit=train", 0, NULL, NULL);
    expect(*state, "regula show fit", 0, "from the training set of each fold\n", NULL);
    expect(*state, "regula run none.yml --out none", 0, NULL,
           "regula: warning: protocol 'fair': there is no validation set to select configurations "
           "on\n");
}

static void json_has_the_keys_that_scripts_rely_on(void **state)
{
    static const char *const keys[] = {"protocol", "data",           "accuracy",
                                       "folds",    "configurations", "jobs",
                                       "seconds",  "cpu_seconds",    "digest"};
    char digest[RG_DIGEST_TEXT];
    program_result result = run(*state, "regula run exp.yml --out done --json");
    json_t *root = program_result_json(&result);
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
        if (!json_object_get(root, keys[k]))
            fail_msg("key %s is missing", keys[k]);
    assert_true(json_is_real(json_object_get(json_object_get(root, "accuracy"), "mean")));
    assert_true(json_is_real(json_object_get(json_object_get(root, "accuracy"), "std")));
    assert_int_equal(json_array_size(json_object_get(root, "folds")), 4);
    digest_of(digest, *state, "done");
    assert_string_equal(json_string_value(json_object_get(root, "digest")), digest);
    json_decref(root);
    program_result_free(&result);
}

static void results_go_into_runs_by_name(void **state)
{
    expect(*state,
           "regula run exp.yml && test -s runs/exp/store.sqlite && ls runs/exp/models | wc -l", 0,
           "4\n", NULL);
    assert_as_done(*state, "runs/exp");
}

static void results_do_not_depend_on_how_it_was_run(void **state)
{
    static const char *const ways[] = {"--jobs 1",    "--jobs 2",     "-j 4",
                                       "--memory 1M", "-j 1 --quiet", "--json"};
    for (size_t k = 0; k < CLI_COUNT(ways); k++) {
        char *name = test_format("way%zu", k);
        char *line = test_format("regula run exp.yml --out %s %s", name, ways[k]);
        expect(*state, line, 0, NULL, NULL);
        assert_as_done(*state, name);
        free(name);
        free(line);
    }
    expect(*state, "REGULA_CPU=portable regula run exp.yml --out plain", 0, NULL, NULL);
    assert_as_done(*state, "plain");
    expect(*state, "cat way0/models/* | sha256sum > a; cat way2/models/* | sha256sum > b; cmp a b",
           0, "", "");
}

static void shards_make_the_whole(void **state)
{
    for (int k = 0; k < 3; k++) {
        program_result result = run(*state, "regula run exp.yml --out part%d --shard %d/3", k, k);
        assert_int_equal(result.code, 0);
        program_result_free(&result);
    }
    expect(*state, "test -e part0/models", 1, "", "");
    expect(*state, "regula merge part0 part1 part2 --out whole", 0, NULL, NULL);
    assert_as_done(*state, "whole");
    expect(*state, "regula run exp.yml --out whole && ls whole/models | wc -l", 0, "4\n", NULL);
    expect(*state, "regula run exp.yml --out part0", 0, NULL, NULL); /* or one does the rest */
    assert_as_done(*state, "part0");
}

static void values_are_laid_over_the_file(void **state)
{
    rg_store *store = NULL;
    size_t n;
    char *directory = test_format("%s/set", (char *)*state);
    expect(*state,
           "regula run exp.yml --out set --set runs=2 --set training.lr=0.1 -s splits.folds=2", 0,
           NULL, NULL);
    ASSERT_OK(rg_store_open(&store, directory, false, err));
    assert_int_equal(rg_store_about(store)->n_runs, 2);
    assert_int_equal(rg_store_about(store)->n_folds, 2);
    rg_store_configurations(store, &n);
    assert_int_equal(n, 1);
    rg_store_close(store);
    free(directory);
}

static void jobs_that_failed_are_done_again_when_asked(void **state)
{
    rg_store *store = NULL;
    char *directory = test_format("%s/again", (char *)*state);
    const char *why = "regula: all 8 jobs failed; 'regula show again --table jobs' says why, and "
                      "--retry runs them again\n";
    expect(*state, "regula run exp.yml --out again --memory 1 --quiet", 1, NULL, why);
    ASSERT_OK(rg_store_open(&store, directory, false, err));
    assert_int_equal(rg_store_count(store, RG_JOB_FAILED), 8);
    rg_store_close(store);
    expect(*state, "regula run exp.yml --out again", 1, NULL, NULL);
    ASSERT_OK(rg_store_open(&store, directory, false, err));
    assert_int_equal(rg_store_count(store, RG_JOB_FAILED), 8);
    rg_store_close(store);
    expect(*state, "regula run exp.yml --out again --retry", 0, NULL, NULL);
    assert_as_done(*state, "again");
    expect(*state, "regula run misfit.yml", 1, NULL, NULL); /* the message is in the store */
    free(directory);
}

static void a_directory_in_use_is_refused(void **state)
{
    rg_store *store = NULL;
    char *directory = test_format("%s/done", (char *)*state);
    char *words = test_format("regula: 'done' is in use by process %ld on ", (long)getpid());
    ASSERT_OK(rg_store_open(&store, directory, true, err));
    expect(*state, "regula run exp.yml --out done", 1, "", words);
    rg_store_close(store);
    expect(*state, "regula run exp.yml --out done", 0, NULL, NULL);
    free(words);
    free(directory);
}

/* root may write everywhere, so it becomes somebody else. */
static void a_directory_that_cannot_be_written_is_refused(void **state)
{
    const char *become = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
    char *line = test_format("%s regula run exp.yml --out locked/run", become);
    char *locked = test_format("%s/locked", (char *)*state);
    assert_int_equal(chmod(*state, 0755), 0);
    assert_int_equal(mkdir(locked, 0555), 0);
    if (geteuid() == 0 && access("/usr/bin/setpriv", X_OK) != 0)
        line[0] = '\0';
    if (*line)
        expect(*state, line, 4, "", "Permission denied");
    free(line);
    free(locked);
}

/* Files may not grow past so many blocks of 512 bytes: what was put stays, and it goes on. */
static void a_full_disk_keeps_what_was_put(void **state)
{
    size_t failures = 0;
    for (int blocks = 8; blocks <= 800; blocks += blocks / 2) {
        char *name = test_format("full%d", blocks);
        program_result result =
            run(*state, "trap '' XFSZ; ulimit -f %d; regula run exp.yml --out %s", blocks, name);
        if (result.code && (result.code != 4 || !strstr(result.err, "cannot write '")))
            fail_msg("%d blocks: code %d: %s", blocks, result.code, result.err);
        failures += result.code == 4;
        program_result_free(&result);
        result = run(*state, "regula run exp.yml --out %s", name);
        assert_int_equal(result.code, 0);
        program_result_free(&result);
        assert_as_done(*state, name);
        free(name);
    }
    assert_true(failures >= 3);
}

static void a_terminal_sees_one_line_that_changes(void **state)
{
    int code = -1;
    char *text = run_on_terminal(*state, "regula run exp.yml --out seen -j 1", &code);
    assert_int_equal(code, 0);
    if (!strstr(text, "\r\033[Kexp  0 of 8 jobs") || !strstr(text, "\r\033[K"))
        fail_msg("%s", text);
    free(text);
    text = run_on_terminal(*state, "regula run exp.yml --out still -j 1 --quiet", &code);
    assert_null(strstr(text, "\033[K"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(what_must_be_said_beside_the_numbers_is_said),
        cmocka_unit_test(json_has_the_keys_that_scripts_rely_on),
        cmocka_unit_test(results_go_into_runs_by_name),
        cmocka_unit_test(results_do_not_depend_on_how_it_was_run),
        cmocka_unit_test(shards_make_the_whole),
        cmocka_unit_test(values_are_laid_over_the_file),
        cmocka_unit_test(jobs_that_failed_are_done_again_when_asked),
        cmocka_unit_test(a_directory_in_use_is_refused),
        cmocka_unit_test(a_directory_that_cannot_be_written_is_refused),
        cmocka_unit_test(a_full_disk_keeps_what_was_put),
        cmocka_unit_test(a_terminal_sees_one_line_that_changes),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
