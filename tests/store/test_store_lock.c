/* test_store_lock.c - one process that writes, any number that read, and what is left behind. */
#include "support/stores.h"
#include "support/support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_second_writer_is_refused_at_once(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store *store = test_store_place_begin(&s), *second = NULL;
    char *words = test_format("'%s' is in use by process %ld on ", s.directory, (long)getpid());
    ASSERT_REFUSED(rg_store_open(&second, s.directory, true, err), RG_EFAIL, words);
    ASSERT_REFUSED(rg_store_create(&second, NULL, s.directory, &s.t->plan, err), RG_EFAIL, words);
    pid_t child = fork();
    rg_error why = {""};
    if (child == 0)
        _exit(rg_store_open(&second, s.directory, true, &why) == RG_EFAIL &&
                      strstr(why.message, words)
                  ? 0
                  : 1);
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    ASSERT_OK(test_store_put(store, 0, err)); /* and the first was not disturbed */
    rg_store_close(store);
    rg_store_close(test_store_place_begin(&s));
    free(words);
    test_store_place_close(&s);
}

static void a_lock_ends_with_its_process(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    int ready[2], result;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        rg_store *store = NULL;
        if (rg_store_create(&store, NULL, s.directory, &s.t->plan, NULL) ||
            test_store_put(store, 0, NULL) || write(ready[1], "x", 1) != 1)
            _exit(1);
        pause();
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    rg_store *store = NULL;
    char *words = test_format("is in use by process %ld on ", (long)child);
    ASSERT_REFUSED(rg_store_open(&store, s.directory, true, err), RG_EFAIL, words);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &result, 0), child);
    store = test_store_place_begin(&s);
    assert_int_equal(rg_store_count(store, RG_JOB_DONE), 1);
    rg_store_close(store);
    close(ready[0]);
    close(ready[1]);
    free(words);
    test_store_place_close(&s);
}

static void readers_see_one_moment_while_another_writes(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store *store = test_store_place_begin(&s);
    ASSERT_OK(test_store_put(store, 0, err));
    rg_store *early = test_store_place_read(&s);
    ASSERT_OK(test_store_put(store, 1, err));
    rg_store *late = test_store_place_read(&s);
    assert_int_equal(rg_store_count(early, RG_JOB_DONE), 1);
    assert_int_equal(rg_store_count(late, RG_JOB_DONE), 2);
    for (int k = 0; k < 2; k++) {
        rg_store_run *runs = NULL;
        size_t n = 0;
        ASSERT_OK(rg_store_runs(&runs, &n, k ? late : early, err));
        assert_int_equal(n, k ? 3 : 2);
        ASSERT_OK(rg_store_check(k ? late : early, err));
        rg_store_runs_free(runs, n);
    }
    rg_store_close(store); /* the writer may go first */
    ASSERT_OK(rg_store_check(early, err));
    rg_store_close(early);
    rg_store_close(late);
    char *log = test_format("%s/%s-wal", s.directory, RG_STORE_FILE);
    assert_int_not_equal(access(log, F_OK), 0); /* the last one cleans up */
    free(log);
    test_store_place_close(&s);
}

/* A log of a file that was deleted is not taken for one of the next. */
static void what_a_deleted_store_left_behind_is_not_used(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    char *file = test_format("%s/%s", s.directory, RG_STORE_FILE);
    char *log = test_format("%s-wal", file), *index = test_format("%s-shm", file);
    size_t n, m;
    rg_store *store = test_store_place_begin(&s);
    ASSERT_OK(test_store_put(store, 0, err));
    char *bytes = test_read(log, &n), *more = test_read(index, &m);
    rg_store_close(store);
    assert_int_equal(unlink(file), 0);
    test_write_bytes(s.directory, RG_STORE_FILE "-wal", bytes, n);
    test_write_bytes(s.directory, RG_STORE_FILE "-shm", more, m);
    test_write(s.directory, RG_STORE_FILE ".new", "half a file");
    store = test_store_place_begin(&s);
    assert_int_equal(rg_store_count(store, RG_JOB_DONE), 0);
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    free(bytes);
    free(more);
    free(file);
    free(log);
    free(index);
    test_store_place_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_writer_is_refused_at_once),
        cmocka_unit_test(a_lock_ends_with_its_process),
        cmocka_unit_test(readers_see_one_moment_while_another_writes),
        cmocka_unit_test(what_a_deleted_store_left_behind_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
