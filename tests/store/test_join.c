/* test_join.c - run directories joined, with their models. */
#include "support/stores.h"
#include "support/support.h"

#include "base/alloc.h"
#include "store/join.h"

#include <unistd.h>

/* Two directories, a with the even jobs and b with the odd ones: 8 jobs of 2 configurations. */
typedef struct join_setup {
    test_store_plan *t;
    char *root, *a, *b, *out;
    const char *parts[2];
} join_setup;

static join_setup join_setup_open(void)
{
    join_setup s = {.t = test_store_plan_make(2, 2, 3, 2), .root = test_directory_make()};
    s.a = test_format("%s/a", s.root);
    s.b = test_format("%s/b", s.root);
    s.out = test_format("%s/out", s.root);
    s.parts[0] = s.a;
    s.parts[1] = s.b;
    test_store_fill(s.a, s.t, 0, 2);
    test_store_fill(s.b, s.t, 1, 2);
    return s;
}

static void join_setup_close(join_setup *s)
{
    test_store_plan_free(s->t);
    test_directory_remove(s->root);
    free(s->a);
    free(s->b);
    free(s->out);
}

static void name_model(const char *directory, uint32_t run, const char *file, const char *bytes)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_open(&store, directory, true, err));
    ASSERT_OK(
        rg_store_put_model(store, &(rg_store_model){.run = run, .file = file, .digest = "d"}, err));
    rg_store_close(store);
    if (bytes)
        test_write(directory, file, bytes);
}

static void the_whole_is_that_of_one_run(void **state)
{
    (void)state;
    join_setup s = join_setup_open();
    char *all = test_format("%s/all", s.root), digest[RG_DIGEST_TEXT];
    rg_join_report report;
    test_store_fill(all, s.t, 0, 1);
    test_store_digest(digest, all);
    ASSERT_OK(rg_runs_join(&report, s.out, s.parts, 2, err));
    assert_int_equal(report.n_jobs, 8);
    assert_int_equal(report.n_done, 8);
    assert_int_equal(report.n_failed + report.n_waiting + report.n_models + report.n_lost, 0);
    assert_string_equal(report.digest, digest);
    test_store_digest(digest, s.out);
    assert_string_equal(report.digest, digest);
    free(all);
    join_setup_close(&s);
}

static void what_is_missing_is_counted(void **state)
{
    (void)state;
    join_setup s = join_setup_open();
    rg_join_report report;
    ASSERT_OK(rg_runs_join(&report, s.out, s.parts, 1, err));
    assert_int_equal(report.n_done, 4);
    assert_int_equal(report.n_waiting, 4);
    join_setup_close(&s);
}

static void models_come_along_once_each(void **state)
{
    (void)state;
    join_setup s = join_setup_open();
    rg_join_report report;
    rg_store *store = NULL;
    rg_store_model *models = NULL;
    size_t n = 0;
    name_model(s.a, 0, "models/0", "zero");
    name_model(s.a, 1, "models/1", NULL); /* it was removed */
    name_model(s.b, 2, "models/x/2", "two");
    ASSERT_OK(rg_runs_join(&report, s.out, s.parts, 2, err));
    assert_int_equal(report.n_models, 2);
    assert_int_equal(report.n_lost, 1);
    char *path = test_format("%s/models/x/2", s.out), *bytes = test_read(path, NULL);
    assert_string_equal(bytes, "two");
    ASSERT_OK(rg_store_open(&store, s.out, false, err));
    ASSERT_OK(rg_store_models(&models, &n, store, err));
    assert_int_equal(n, 2);
    assert_string_equal(models[1].file, "models/x/2");
    rg_store_close(store);
    rg_free(models);
    free(bytes);
    free(path);
    join_setup_close(&s);
}

static void models_elsewhere_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"../a",    "/etc/passwd", "models/../../x",
                                        "",        "models//x",   "./x",
                                        "models/", "..",          "models/."};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        join_setup s = join_setup_open();
        rg_join_report report;
        name_model(s.a, 0, names[k], NULL);
        ASSERT_REFUSED(rg_runs_join(&report, s.out, s.parts, 2, err), RG_EDATA,
                       "which is outside of it");
        join_setup_close(&s);
    }
}

static void what_cannot_be_joined_is_left_alone(void **state)
{
    (void)state;
    join_setup s = join_setup_open();
    rg_join_report report;
    char *other = test_format("%s/other", s.root);
    const char *strange[] = {s.a, other};
    ASSERT_REFUSED(rg_runs_join(&report, s.out, strange, 2, err), RG_EIO, "is not a run directory");
    s.t->experiment.seed = 5;
    test_store_fill(other, s.t, 0, 1);
    ASSERT_REFUSED(rg_runs_join(&report, s.out, strange, 2, err), RG_EFAIL, "its seed differs");
    ASSERT_REFUSED(rg_runs_join(&report, s.b, s.parts, 1, err), RG_EFAIL, "holds a run already");
    ASSERT_REFUSED(rg_runs_join(&report, s.out, s.parts, 0, err), RG_EUSAGE, "nothing to merge");
    assert_int_not_equal(access(s.out, F_OK), 0);
    free(other);
    join_setup_close(&s);
}

/* Each time into a directory of its own. A failure while what is no longer needed is removed does
 * not matter: then all is there. */
static unsigned long sweep(rg_fault kind, rg_status expected)
{
    join_setup s = join_setup_open();
    unsigned long n = 0;
    bool happened = true;
    name_model(s.a, 0, "models/0", "zero");
    while (happened) {
        rg_join_report report;
        rg_error err = {""};
        char *out = test_format("%s/out%lu", s.root, n);
        rg_fault_set(kind, n = test_next_fault(n));
        rg_status status = rg_runs_join(&report, out, s.parts, 2, &err);
        happened = rg_fault_happened(kind);
        rg_fault_set(kind, 0);
        if (status ? status != expected || !happened : report.n_done != 8 || report.n_models != 1)
            fail_msg("fault %lu: status %d '%s', expected %d", n, status, err.message, expected);
        free(out);
    }
    join_setup_close(&s);
    return n - 1;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    assert_true(sweep(RG_FAULT_ALLOC, RG_ENOMEM) > 100);
}

static void the_disk_may_fail_anywhere(void **state)
{
    (void)state;
    assert_true(sweep(RG_FAULT_IO, RG_EIO) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_is_that_of_one_run),
        cmocka_unit_test(what_is_missing_is_counted),
        cmocka_unit_test(models_come_along_once_each),
        cmocka_unit_test(models_elsewhere_are_refused),
        cmocka_unit_test(what_cannot_be_joined_is_left_alone),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(the_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
