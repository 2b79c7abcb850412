/* test_store_crash.c - processes that are killed, disks that are full, programs in the way. */
#include "base/file.h"
#include "base/random.h"
#include "support/stores.h"
#include "support/support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Goes on with the experiment until all is done: what a run is to the store. */
static rg_status work(const char *directory, const test_store_plan *t, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = rg_store_create(&store, NULL, directory, &t->plan, err);
    for (size_t k = 0; k < t->plan.n_jobs && !status; k++) {
        size_t n;
        if (rg_store_jobs(store, &n)[k].outcome.state == RG_JOB_WAITING)
            status = test_store_put(store, k, err);
    }
    rg_store_close(store);
    return status;
}

static void nap(long microseconds)
{
    struct timespec time = {0, 1000 * microseconds};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

/* A child works and is killed after a while; what it left is whole. True: it was faster. */
static bool work_and_be_killed(const char *directory, const test_store_plan *t, long microseconds)
{
    int result = -1;
    pid_t child = fork();
    if (child == 0)
        _exit((int)work(directory, t, NULL));
    assert_true(child > 0);
    nap(microseconds);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &result, 0), child);
    char *path = test_format("%s/%s", directory, RG_STORE_FILE);
    if (rg_path_exists(path)) {
        rg_store *store = NULL;
        ASSERT_OK(rg_store_open(&store, directory, microseconds % 2, err));
        ASSERT_OK(rg_store_check(store, err));
        rg_store_close(store);
    }
    free(path);
    return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

static void a_killed_run_leaves_whole_jobs_and_goes_on(void **state)
{
    (void)state;
    char *root = test_directory_make(), *calm = test_format("%s/calm", root);
    test_store_plan *t = test_store_plan_make(10, 10, 8, 1);
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    unsigned kills = 0, wanted = 60 / test_sample_step();
    ASSERT_OK(work(calm, t, err));
    test_store_digest(expected, calm);
    for (uint32_t run = 0; run < 3 || (kills < wanted && run < 60); run++) {
        char *killed = test_format("%s/killed%u", root, run);
        bool done = false;
        for (uint32_t k = 0; k < 200 && !done; k++) {
            done = work_and_be_killed(killed, t, 100 + rg_random_below(5, run, k, 6000));
            kills += !done;
        }
        ASSERT_OK(work(killed, t, err));
        test_store_digest(digest, killed);
        assert_string_equal(digest, expected);
        free(killed);
    }
    assert_true(kills >= wanted);
    test_store_plan_free(t);
    free(calm);
    test_directory_remove(root);
}

/* A child whose files may not grow past some bytes: it fails with words, and the jobs before that
 * are kept. */
static void a_full_disk_keeps_what_was_put(void **state)
{
    (void)state;
    char *root = test_directory_make();
    test_store_plan *t = test_store_plan_make(4, 5, 8, 4);
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    size_t failures = 0;
    for (rlim_t limit = 1 << 12; limit <= 1 << 19; limit += limit / 2) {
        char *directory = test_format("%s/%lu", root, (unsigned long)limit);
        int result = -1;
        pid_t child = fork();
        if (child == 0) {
            rg_error err = {""};
            struct rlimit bound = {limit, limit};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &bound);
            rg_status status = work(directory, t, &err);
            if (status && (status != RG_EIO || !strstr(err.message, "cannot write '"))) {
                fprintf(stderr, "status %d: %s\n", status, err.message);
                _exit(99);
            }
            _exit((int)status);
        }
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFEXITED(result) && WEXITSTATUS(result) != 99);
        failures += WEXITSTATUS(result) == RG_EIO;
        ASSERT_OK(work(directory, t, err));
        test_store_digest(digest, directory);
        if (limit == 1 << 12)
            memcpy(expected, digest, sizeof digest);
        assert_string_equal(digest, expected);
        free(directory);
    }
    assert_true(failures >= 4);
    test_store_plan_free(t);
    test_directory_remove(root);
}

static void a_program_that_keeps_the_file_locked_is_named(void **state)
{
    (void)state;
    char *root = test_directory_make(), *path = test_format("%s/%s", root, RG_STORE_FILE);
    test_store_plan *t = test_store_plan_make(1, 2, 1, 1);
    rg_store *store = NULL;
    sqlite3 *other = NULL;
    ASSERT_OK(rg_store_create(&store, NULL, root, &t->plan, err));
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    ASSERT_REFUSED(test_store_put(store, 0, err), RG_EFAIL, "another program keeps it locked");
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    ASSERT_OK(test_store_put(store, 0, err));
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    free(path);
    test_store_plan_free(t);
    test_directory_remove(root);
}

/* As a user who may read but not write; root becomes one. */
static int visit(const char *directory, const char *expected, const test_store_plan *t)
{
    rg_store *store = NULL;
    rg_error err = {""};
    char digest[RG_DIGEST_TEXT];
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 0;
    if (rg_store_open(&store, directory, false, &err) || rg_store_check(store, &err) ||
        rg_store_digest(digest, store, &err) || strcmp(digest, expected) != 0) {
        fprintf(stderr, "reading: %s\n", err.message);
        return 1;
    }
    rg_store_close(store);
    store = NULL;
    if (rg_store_open(&store, directory, true, &err) != RG_EIO ||
        rg_store_create(&store, NULL, directory, &t->plan, &err) != RG_EIO ||
        !strstr(err.message, "cannot open '") || !strstr(err.message, "Permission denied")) {
        fprintf(stderr, "writing: %s\n", err.message);
        return 2;
    }
    return 0;
}

static void a_directory_that_cannot_be_written_can_be_read(void **state)
{
    (void)state;
    char *root = test_directory_make(), *directory = test_format("%s/50%% #1?", root);
    char *file = test_format("%s/%s", directory, RG_STORE_FILE);
    char *lock = test_format("%s/%s", directory, RG_STORE_LOCK);
    char digest[RG_DIGEST_TEXT];
    test_store_plan *t = test_store_plan_make(2, 2, 2, 1);
    test_store_fill(directory, t, 0, 2);
    test_store_digest(digest, directory);
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(chmod(file, 0444), 0);
    assert_int_equal(chmod(lock, 0444), 0);
    assert_int_equal(chmod(directory, 0555), 0);
    int result = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(visit(directory, digest, t));
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_int_equal(chmod(directory, 0755), 0);
    test_store_plan_free(t);
    free(file);
    free(lock);
    free(directory);
    test_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_run_leaves_whole_jobs_and_goes_on),
        cmocka_unit_test(a_full_disk_keeps_what_was_put),
        cmocka_unit_test(a_program_that_keeps_the_file_locked_is_named),
        cmocka_unit_test(a_directory_that_cannot_be_written_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
