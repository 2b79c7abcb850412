/* test_store_merge.c - parts of an experiment are worth the same as the whole. */
#include "support/stores.h"
#include "support/support.h"

#include <stdio.h>
#include <unistd.h>

enum { MAX = 4 };

/* Run directories below one, and the stores of some of them. */
typedef struct merge_setup {
    test_store_plan *t;
    char *root, *whole, *out;
    char *parts[MAX];
    rg_store *stores[MAX];
    size_t n;
} merge_setup;

static merge_setup merge_setup_open(size_t n)
{
    merge_setup s = {
        test_store_plan_make(3, 4, 3, 2), test_directory_make(), NULL, NULL, {0}, {0}, n};
    s.whole = test_format("%s/whole", s.root);
    s.out = test_format("%s/out", s.root);
    test_store_fill(s.whole, s.t, 0, 1);
    for (size_t k = 0; k < n; k++)
        s.parts[k] = test_format("%s/part%zu", s.root, k);
    return s;
}

static void open_parts(merge_setup *s)
{
    for (size_t k = 0; k < s->n; k++)
        ASSERT_OK(rg_store_open(&s->stores[k], s->parts[k], false, err));
}

static void merge_setup_close(merge_setup *s)
{
    for (size_t k = 0; k < s->n; k++) {
        rg_store_close(s->stores[k]);
        free(s->parts[k]);
    }
    test_store_plan_free(s->t);
    free(s->whole);
    free(s->out);
    test_directory_remove(s->root);
}

static void assert_merged(const merge_setup *s)
{
    char expected[RG_DIGEST_TEXT], digest[RG_DIGEST_TEXT];
    test_store_digest(expected, s->whole);
    test_store_digest(digest, s->out);
    assert_string_equal(digest, expected);
}

static void assert_nothing_made(const merge_setup *s)
{
    char *file = test_format("%s/%s", s->out, RG_STORE_FILE), *new = test_format("%s.new", file);
    assert_int_not_equal(access(file, F_OK), 0);
    assert_int_not_equal(access(new, F_OK), 0);
    free(file);
    free(new);
}

static void parts_make_the_whole(void **state)
{
    (void)state;
    for (size_t n = 1; n <= MAX; n++) {
        merge_setup s = merge_setup_open(n);
        for (size_t k = 0; k < n; k++)
            test_store_fill(s.parts[k], s.t, k, n);
        open_parts(&s);
        ASSERT_OK(rg_store_merge(s.out, s.stores, n, err));
        assert_merged(&s);
        rg_store *store = NULL; /* times stay those of the part that did the job */
        ASSERT_OK(rg_store_open(&store, s.out, true, err));
        size_t n_jobs;
        const rg_store_job *jobs = rg_store_jobs(store, &n_jobs);
        assert_int_equal(n_jobs, 24);
        assert_true(jobs[7].outcome.seconds == 7.5);
        assert_string_equal(rg_store_about(store)->created, rg_store_about(s.stores[0])->created);
        rg_store_close(store);
        merge_setup_close(&s);
    }
}

static void jobs_may_be_done_in_several_parts(void **state)
{
    (void)state;
    merge_setup s = merge_setup_open(3);
    test_store_fill(s.parts[0], s.t, 0, 2);
    test_store_fill(s.parts[1], s.t, 3, 1);
    test_store_fill(s.parts[2], s.t, 0, 1);
    open_parts(&s);
    ASSERT_OK(rg_store_merge(s.out, s.stores, 3, err));
    assert_merged(&s);
    ASSERT_REFUSED(rg_store_merge(s.out, s.stores, 3, err), RG_EFAIL, "holds a run already");
    assert_merged(&s);
    merge_setup_close(&s);
}

static void what_nobody_did_waits_and_failures_count_last(void **state)
{
    (void)state;
    merge_setup s = merge_setup_open(2);
    rg_store_outcome outcome = {.state = RG_JOB_FAILED, .message = "no luck"};
    for (size_t k = 0; k < 2; k++) {
        ASSERT_OK(rg_store_create(&s.stores[k], NULL, s.parts[k], &s.t->plan, err));
        ASSERT_OK(rg_store_put_job(s.stores[k], 5 + k, &outcome, NULL, err));
    }
    ASSERT_OK(test_store_put(s.stores[1], 5, err)); /* done here, failed there */
    ASSERT_OK(rg_store_merge(s.out, s.stores, 2, err));
    rg_store *store = NULL;
    ASSERT_OK(rg_store_open(&store, s.out, false, err));
    size_t n;
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    assert_int_equal(jobs[4].outcome.state, RG_JOB_WAITING);
    assert_int_equal(jobs[5].outcome.state, RG_JOB_DONE);
    assert_int_equal(jobs[6].outcome.state, RG_JOB_FAILED);
    assert_string_equal(jobs[6].outcome.message, "no luck");
    assert_int_equal(rg_store_count(store, RG_JOB_WAITING), 22);
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    merge_setup_close(&s);
}

static void parts_that_disagree_are_not_joined(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE run SET test_loss = 0.3000000000000001 WHERE configuration = 1 AND fold = 2 AND "
        "run = 1",
        "UPDATE epoch SET train_loss = 0.5 WHERE configuration = 1 AND fold = 2 AND run = 0 AND "
        "epoch = 3",
        "UPDATE prediction SET samples = zeroblob(20) WHERE configuration = 1 AND fold = 2 AND "
        "run = 0",
        "DELETE FROM prediction WHERE configuration = 1 AND fold = 2 AND run = 0"};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        merge_setup s = merge_setup_open(3);
        test_store_fill(s.parts[0], s.t, 1, 2);
        test_store_fill(s.parts[1], s.t, 0, 1);
        test_store_fill(s.parts[2], s.t, 0, 1);
        test_store_sql(s.parts[2], changes[k]);
        open_parts(&s);
        ASSERT_REFUSED(rg_store_merge(s.out, s.stores, 3, err), RG_EFAIL,
                       "disagree: configuration 1, fold 2, runs 0 to 1");
        assert_nothing_made(&s);
        merge_setup_close(&s);
    }
}

static void parts_of_other_experiments_are_refused(void **state)
{
    (void)state;
    merge_setup s = merge_setup_open(2);
    test_store_fill(s.parts[0], s.t, 1, 2);
    s.t->experiment.resolved = "another";
    test_store_fill(s.parts[1], s.t, 0, 2);
    open_parts(&s);
    ASSERT_REFUSED(rg_store_merge(s.out, s.stores, 2, err), RG_EFAIL,
                   "is not of the same experiment as");
    ASSERT_REFUSED(rg_store_merge(s.out, s.stores, 0, err), RG_EUSAGE, "nothing to merge");
    assert_nothing_made(&s);
    merge_setup_close(&s);
}

static void parts_that_are_damaged_are_refused(void **state)
{
    (void)state;
    merge_setup s = merge_setup_open(2);
    test_store_fill(s.parts[0], s.t, 1, 2);
    test_store_fill(s.parts[1], s.t, 0, 2);
    test_store_sql(s.parts[1], "DELETE FROM epoch WHERE configuration = 0 AND fold = 1 AND run = 0 "
                               "AND epoch = 1");
    open_parts(&s);
    ASSERT_REFUSED(rg_store_merge(s.out, s.stores, 2, err), RG_EDATA,
                   "epoch 0/1/0/2: epoch: found '2', expected a whole number from 1 to 1");
    assert_nothing_made(&s);
    merge_setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(jobs_may_be_done_in_several_parts),
        cmocka_unit_test(what_nobody_did_waits_and_failures_count_last),
        cmocka_unit_test(parts_that_disagree_are_not_joined),
        cmocka_unit_test(parts_of_other_experiments_are_refused),
        cmocka_unit_test(parts_that_are_damaged_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
