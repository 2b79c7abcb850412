/* test_store_faults.c - memory that runs out and disks that fail, in regula and in SQLite. */
#include "base/alloc.h"
#include "sqlite_faults.h"
#include "support/stores.h"
#include "support/support.h"

#include <stdio.h>
#include <unistd.h>

/* What is done while a fault waits for its turn, in two directories. */
typedef struct faults_setup {
    test_store_plan *t;
    char *root, *run, *merged;
    char expected[RG_DIGEST_TEXT];
} faults_setup;

static faults_setup faults_setup_open(void)
{
    faults_setup s = {test_store_plan_make(2, 1, 2, 1), test_directory_make(), NULL, NULL, ""};
    s.run = test_format("%s/run", s.root);
    s.merged = test_format("%s/merged", s.root);
    char *calm = test_format("%s/calm", s.root);
    test_store_fill(calm, s.t, 0, 1);
    test_store_digest(s.expected, calm);
    free(calm);
    return s;
}

static void faults_setup_close(faults_setup *s)
{
    test_store_plan_free(s->t);
    free(s->run);
    free(s->merged);
    test_directory_remove(s->root);
}

static void remove_run(const char *directory)
{
    static const char *const names[] = {"",     "-wal",         "-shm", "-journal",
                                        ".new", ".new-journal", NULL};
    for (size_t k = 0; names[k]; k++) {
        char *path = test_format("%s/%s%s", directory, RG_STORE_FILE, names[k]);
        unlink(path);
        free(path);
    }
    char *lock = test_format("%s/%s", directory, RG_STORE_LOCK);
    unlink(lock);
    free(lock);
    rmdir(directory);
}

/* The tests' own allocations come without faults: what is put is made before. */
static rg_status put_all(rg_store *store, const faults_setup *s, rg_store_run *const *runs,
                         rg_error *err)
{
    rg_status status = RG_OK;
    size_t n;
    for (size_t k = 0; k < s->t->plan.n_jobs && !status; k++)
        if (rg_store_jobs(store, &n)[k].outcome.state == RG_JOB_WAITING)
            status = rg_store_put_job(
                store, k, &(rg_store_outcome){.state = RG_JOB_DONE, .worker = "w"}, runs[k], err);
    if (!status)
        status = rg_store_put_model(store, &(rg_store_model){1, 0, 0, "file", "digest"}, err);
    return status;
}

static rg_status use(const faults_setup *s, rg_store_run *const *runs, rg_error *err)
{
    rg_store *store = NULL, *reader = NULL;
    char digest[RG_DIGEST_TEXT] = "";
    rg_status status = rg_store_create(&store, NULL, s->run, &s->t->plan, err);
    if (!status)
        status = put_all(store, s, runs, err);
    if (!status)
        status = rg_store_open(&reader, s->run, false, err);
    if (!status)
        status = rg_store_check(reader, err);
    if (!status)
        status = rg_store_digest(digest, reader, err);
    if (!status)
        assert_string_equal(digest, s->expected);
    if (!status)
        status = rg_store_merge(s->merged, &reader, 1, err);
    rg_store_close(reader);
    rg_store_close(store);
    return status;
}

static unsigned long next_fault(unsigned long n, unsigned long stride)
{
    return stride ? n + 1 + n * test_sample_step() / stride : test_next_fault(n);
}

/* Sweeps over the faults of one kind: all, or with a stride that grows to 1/stride of those before.
 * A call may also do without what failed. After every failure the same is done again, on what was
 * left behind, and comes to the same. Returns how many calls failed. */
static size_t sweep(rg_fault kind, unsigned long stride, rg_status expected, const char *words)
{
    faults_setup s = faults_setup_open();
    rg_store_run *runs[4];
    char digest[RG_DIGEST_TEXT];
    size_t failures = 0;
    assert_int_equal(s.t->plan.n_jobs, 4);
    for (size_t k = 0; k < 4; k++)
        runs[k] = test_runs_make(&s.t->jobs[k]);
    bool happened = true;
    for (unsigned long n = 1; happened; n = next_fault(n, stride)) {
        rg_error why = {""};
        rg_fault_set(kind, n);
        rg_status status = use(&s, runs, &why);
        happened = rg_fault_happened(kind);
        rg_fault_set(kind, 0);
        if (status && (!happened || status != expected || !strstr(why.message, words)))
            fail_msg("fault %lu: status %d '%s'", n, status, why.message);
        failures += status != RG_OK;
        if (status) {
            remove_run(s.merged);
            ASSERT_OK(use(&s, runs, err));
        }
        test_store_digest(digest, s.run);
        assert_string_equal(digest, s.expected);
        test_store_digest(digest, s.merged);
        assert_string_equal(digest, s.expected);
        remove_run(s.run);
        remove_run(s.merged);
    }
    for (size_t k = 0; k < 4; k++)
        rg_store_runs_free(runs[k], 1);
    faults_setup_close(&s);
    return failures;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    sqlite_faults_in_memory(false);
    assert_true(sweep(RG_FAULT_ALLOC, 0, RG_ENOMEM, "out of memory") > 100 / test_sample_step());
}

/* It makes 8000 allocations on the way, many of them in the same places. */
static void the_memory_of_sqlite_may_run_out(void **state)
{
    (void)state;
    sqlite_faults_in_memory(true);
    assert_true(sweep(RG_FAULT_ALLOC, 24, RG_ENOMEM, "out of memory") > 60 / test_sample_step());
    sqlite_faults_in_memory(false);
}

static void the_disk_may_fail_anywhere(void **state)
{
    (void)state;
    sqlite_faults_write_code(SQLITE_IOERR_WRITE);
    assert_true(sweep(RG_FAULT_IO, 0, RG_EIO, "cannot ") > 100 / test_sample_step());
}

/* The n-th write finds the disk full. */
static void a_full_disk_is_called_so(void **state)
{
    (void)state;
    sqlite_faults_write_code(SQLITE_FULL);
    char *root = test_directory_make();
    test_store_plan *t = test_store_plan_make(1, 8, 1, 1);
    rg_store *store = NULL;
    size_t failures = 0, n;
    ASSERT_OK(rg_store_create(&store, NULL, root, &t->plan, err));
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    for (unsigned long k = 0; k < 8; k++) {
        rg_error why = {""};
        rg_store_run *runs = test_runs_make(&jobs[k]);
        rg_store_outcome outcome = {.state = RG_JOB_DONE};
        rg_fault_set(RG_FAULT_IO, 1 + k % 3);
        rg_status status = rg_store_put_job(store, k, &outcome, runs, &why);
        rg_fault_set(RG_FAULT_IO, 0);
        failures +=
            status == RG_EIO && strstr(why.message, "the disk is full; all jobs saved before");
        assert_int_equal(jobs[k].outcome.state, status ? RG_JOB_WAITING : RG_JOB_DONE);
        if (status)
            ASSERT_OK(rg_store_put_job(store, k, &outcome, runs, err));
        rg_store_runs_free(runs, 1);
    }
    assert_true(failures >= 5);
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    test_store_plan_free(t);
    test_directory_remove(root);
}

int main(void)
{
    sqlite_faults_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(the_memory_of_sqlite_may_run_out),
        cmocka_unit_test(the_disk_may_fail_anywhere),
        cmocka_unit_test(a_full_disk_is_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
