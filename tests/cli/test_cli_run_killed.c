/* test_cli_run_killed.c - regula run stopped by signals, and killed at any moment. */
#include "support/program.h"

#include "base/random.h"
#include "support/stores.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NETWORK                                                    \
    "data: rings\n"                                                \
    "splits: {folds: 4, seed: 1}\n"                                \
    "runs: 2\n"                                                    \
    "network:\n"                                                   \
    "  preset: paper\n"                                            \
    "  input: scaled\n"                                            \
    "  labels: {label: node}\n"                                    \
    "  layers:\n"                                                  \
    "    - rule: share label(i), label(j) when dist(i,j) in {8}\n" \
    "      bias: share label(i)\n"                                 \
    "    - aggregate: share out, label(i)\n"

/* rings/ (60 graphs); quick.yml: 16 jobs of a few milliseconds; slow.yml: 16 of about 100. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "quick.yml",
               NETWORK "training: {epochs: 60, patience: none, lr: [0.1, 0.05]}\n");
    test_write(directory, "slow.yml",
               NETWORK "training: {epochs: 1500, patience: none, lr: [0.1, 0.05]}\n");
    expect(directory, "regula data generate EvenOddRingsCount --out rings --graphs 60", 0, NULL,
           "");
    return 0;
}

static void nap(long microseconds)
{
    struct timespec time = {microseconds / 1000000, 1000 * (microseconds % 1000000)};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

/* Jobs that are over in a run directory, which must be sound; 0 if there is no store yet. */
static size_t count_done(const char *directory)
{
    rg_store *store = NULL;
    char *path = test_format("%s/%s", directory, RG_STORE_FILE);
    size_t n = 0;
    if (access(path, F_OK) == 0) {
        ASSERT_OK(rg_store_open(&store, directory, false, err));
        ASSERT_OK(rg_store_check(store, err));
        n = rg_store_count(store, RG_JOB_DONE);
        assert_int_equal(rg_store_count(store, RG_JOB_FAILED), 0);
        rg_store_close(store);
    }
    free(path);
    return n;
}

/* ---- kill -9 */

/* Runs quick.yml until it is through, killed after a while each time. Returns how often. */
static unsigned run_and_kill(const char *root, const char *name, unsigned series)
{
    char *directory = test_format("%s/%s", root, name);
    char *line =
        test_format("exec regula run quick.yml --out %s --quiet -j %u", name, 1 + series % 2);
    unsigned kills = 0, idle = 0; /* kills in a row that came before any job was done */
    size_t before = 0;
    for (uint32_t k = 0; k < 100; k++) {
        pid_t child = run_begin(root, line);
        nap(1000 + rg_random_below(9, series, k, 70000 * (1 + idle / 8)));
        kill(child, SIGKILL);
        int code = run_end(child);
        if (code == 0)
            break;
        assert_int_equal(code, 128 + SIGKILL);
        size_t now = count_done(directory);
        assert_true(now >= before); /* nothing is lost */
        idle = now > before ? 0 : idle + 1;
        before = now;
        kills++;
    }
    free(line);
    free(directory);
    return kills;
}

/* The models of a run directory, in one digest. */
static void assert_same_models(const char *root, const char *a, const char *b)
{
    char *line = test_format("cat %s/models/* | sha256sum > a; cat %s/models/* | sha256sum > b; "
                             "cmp a b && ls %s/models",
                             a, b, a);
    expect(root, line, 0, "run-", "");
    free(line);
}

static void a_run_that_is_killed_goes_on_to_the_same_end(void **state)
{
    char *calm = test_format("%s/calm", (char *)*state);
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    unsigned kills = 0, series = 0, wanted = 60 / test_sample_step();
    expect(*state, "regula run quick.yml --out calm --quiet", 0, NULL, NULL);
    test_store_digest(expected, calm);
    unsigned least = test_sample_step() == 1 ? 3 : 2; /* one and two jobs at a time */
    for (; series < least || (kills < wanted && series < 60); series++) {
        char *name = test_format("killed%u", series);
        char *directory = test_format("%s/%s", (char *)*state, name);
        char *line = test_format("regula run quick.yml --out %s --quiet", name);
        kills += run_and_kill(*state, name, series);
        expect(*state, line, 0, NULL, NULL);
        test_store_digest(digest, directory);
        assert_string_equal(digest, expected);
        assert_same_models(*state, "calm", name);
        free(line);
        free(directory);
        free(name);
    }
    print_message("%u kills in %u series\n", kills, series);
    assert_true(kills >= 5 * wanted / 6);
    free(calm);
}

/* ---- signals that ask to stop */

static void a_signal_stops_it_between_epochs(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    for (size_t k = 0; k < 3; k++) {
        if (!test_in_sample(k))
            continue;
        char *name = test_format("stopped%zu", k);
        char *directory = test_format("%s/%s", (char *)*state, name);
        char *line = test_format("exec regula run slow.yml --out %s", name);
        char *err = test_format("%s/.err", (char *)*state);
        pid_t child = run_begin(*state, line);
        for (size_t wait = 0; wait < 2000 && count_done(directory) < 2; wait++)
            nap(10000);
        assert_int_equal(kill(child, signals[k]), 0);
        assert_int_equal(run_end(child), 1);
        size_t n = count_done(directory);
        char *said = test_read(err, NULL);
        char *words = test_format(
            "regula: stopped after %zu of 16 jobs, which are in '%s'; the same command continues\n",
            n, name);
        assert_true(n >= 2 && n < 16);
        assert_string_equal(said, words);
        if (k == 0) { /* that is enough time for one */
            expect(*state, line, 0, NULL, NULL);
            test_store_digest(digest, directory);
            expect(*state, "regula run slow.yml --out calm-slow", 0, NULL, NULL);
            char *calm = test_format("%s/calm-slow", (char *)*state);
            test_store_digest(expected, calm);
            assert_string_equal(digest, expected);
            free(calm);
        }
        free(words);
        free(said);
        free(err);
        free(line);
        free(directory);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_is_killed_goes_on_to_the_same_end),
        cmocka_unit_test(a_signal_stops_it_between_epochs),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
