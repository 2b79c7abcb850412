/* test_fetch_together.c - several who fetch the same set, some of whom are killed, and calls whose
 * n-th allocation or n-th touch of the disk fails. */
#define _GNU_SOURCE
#include "downloads.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TOGETHER = 4 };

/* A server that takes about 100 ms for the file. */
static void plan_to_be_slow(download *s)
{
    s->plan.piece = 4096;
    s->plan.pause = 4;
}

static void processes_that_fetch_at_once_do_it_once(void **state)
{
    (void)state;
    download *s = download_open();
    plan_to_be_slow(s);
    download_start(s);
    pid_t children[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0)
            _exit((int)rg_data_fetch(&s->got, "TOY", &s->options, &s->err));
    }
    for (int k = 0; k < TOGETHER; k++) {
        int how = 0;
        assert_int_equal(waitpid(children[k], &how, 0), children[k]);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), RG_OK);
    }
    assert_int_equal(http_server_requests(s->server), 1);
    download_assert_whole(s);
    download_close(s);
}

typedef struct fetch_thread {
    pthread_t thread;
    rg_fetch_options options;
    rg_fetched got;
    rg_error err;
    rg_status status;
} fetch_thread;

static void *work(void *context)
{
    fetch_thread *w = context;
    w->status = rg_data_fetch(&w->got, "TOY", &w->options, &w->err);
    return NULL;
}

static void so_do_threads(void **state)
{
    (void)state;
    download *s = download_open();
    fetch_thread workers[TOGETHER];
    plan_to_be_slow(s);
    download_start(s);
    for (int k = 0; k < TOGETHER; k++) {
        workers[k].options = s->options;
        workers[k].got = (rg_fetched)RG_FETCHED_INIT;
        assert_int_equal(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    }
    int already = 0;
    for (int k = 0; k < TOGETHER; k++) {
        assert_int_equal(pthread_join(workers[k].thread, NULL), 0);
        assert_int_equal(workers[k].status, RG_OK);
        already += workers[k].got.already;
    }
    assert_int_equal(already, TOGETHER - 1);
    assert_int_equal(http_server_requests(s->server), 1);
    download_assert_whole(s);
    download_close(s);
}

static int stop_at_once(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(unsigned *)context;
    return 1;
}

static void waiting_for_another_can_be_stopped(void **state)
{
    (void)state;
    download *s = download_open();
    char *path = test_format("%s/.TOY.lock", s->directory);
    int other = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX), 0);
    unsigned calls = 0;
    s->options.progress = stop_at_once;
    s->options.progress_context = &calls;
    assert_int_equal(download_fetch(s), RG_EFAIL);
    assert_non_null(strstr(s->err.message, "another process"));
    assert_int_equal(calls, 1);
    assert_int_equal(http_server_requests(s->server), 0);
    close(other);
    s->options.progress = NULL;
    ASSERT_FETCHED(s);
    free(path);
    download_close(s);
}

/* With force each call replaces a set that is there: more to go wrong. */
static void one_that_is_killed_leaves_nothing_that_hinders_the_next(void **state)
{
    (void)state;
    download *s = download_open();
    plan_to_be_slow(s);
    ASSERT_FETCHED(s);
    s->options.force = 1;
    for (int k = 0; k < 12; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit((int)rg_data_fetch(&s->got, "TOY", &s->options, &s->err));
        nanosleep(&(struct timespec){.tv_nsec = 12 * 1000000L * k}, NULL);
        kill(child, SIGKILL);
        int how = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(download_has(s, "TOY/TOY_A.txt") ||
                    download_has(s, ".TOY.fetch/old/TOY_A.txt"));
    }
    ASSERT_FETCHED(s);
    download_close(s);
}

static void what_someone_left_halfway_is_cleared_away_or_put_back(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    char *set = test_format("%s/TOY", s->directory),
         *old = test_format("%s/.TOY.fetch/old", s->directory);
    test_write(s->directory, ".TOY.fetch/new/TOY/TOY_A.txt", "half a l");
    assert_int_equal(rename(set, old), 0); /* killed between the two renames */
    ASSERT_FETCHED(s);
    assert_true(s->got.already);
    assert_int_equal(http_server_requests(s->server), 1);
    test_write(s->directory, ".TOY.fetch/old/TOY_A.txt", "old\n"); /* killed after them */
    test_write(s->directory, ".TOY.lock", "");
    s->options.force = 1;
    ASSERT_FETCHED(s);
    free(set);
    free(old);
    download_close(s);
}

static rg_status fetch_by_force(void *context, rg_error *err)
{
    download *s = context;
    s->options.force = 1;
    return rg_data_fetch(&s->got, "TOY", &s->options, err);
}

static rg_status fetch_what_is_there(void *context, rg_error *err)
{
    download *s = context;
    s->options.force = 0;
    return rg_data_fetch(&s->got, "TOY", &s->options, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    assert_true(test_allocation_sweep(fetch_by_force, s) > 20);
    download_assert_whole(s);
    assert_true(test_allocation_sweep(fetch_what_is_there, s) > 10);
    download_assert_whole(s);
    download_close(s);
}

static void every_touch_of_the_disk_may_fail(void **state)
{
    (void)state;
    download *s = download_open();
    ASSERT_FETCHED(s);
    assert_true(test_io_sweep(fetch_by_force, s) > 20);
    download_assert_whole(s);
    download_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_that_fetch_at_once_do_it_once),
        cmocka_unit_test(so_do_threads),
        cmocka_unit_test(waiting_for_another_can_be_stopped),
        cmocka_unit_test(one_that_is_killed_leaves_nothing_that_hinders_the_next),
        cmocka_unit_test(what_someone_left_halfway_is_cleared_away_or_put_back),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_touch_of_the_disk_may_fail),
    };
    return cmocka_run_group_tests(tests, download_prepare, NULL);
}
