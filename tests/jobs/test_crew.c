/* test_crew.c - several processes at one experiment: the same bytes as one alone, whoever dies,
 * hangs or talks nonsense. */
/* threads */
#include "support/nets.h"
#include "support/storage.h"
#include "support/support.h"

#include "base/alloc.h"
#include "base/random.h"
#include "jobs/run.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8, N_JOBS = 20 };

static const char text[] = "name: small\n"
                           "data: toy\n"
                           "splits: {folds: 5, seed: 3}\n"
                           "runs: 3\n"
                           "keep: none\n"
                           "network:\n"
                           "  task: classification\n"
                           "  labels: {a: node}\n"
                           "  layers:\n"
                           "    - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..${far}\n"
                           "    - aggregate: share out, a(i)\n"
                           "training: {epochs: 12, lr: [0.05, 0.01]}\n"
                           "grid: {far: ['1', '3']}\n";

/* One experiment on one machine, ready to be conducted several times. */
typedef struct scene {
    char *root;
    rg_dataset *data;
    rg_source source;
    rg_splits *splits;
    rg_experiment *experiment;
    char expected[RG_DIGEST_TEXT]; /* by one thread of one process */
    rg_crew crew;
    pid_t children[MOST];
    unsigned n_children;
    char said[4096]; /* by rank 0, a line each */
    int door[2];     /* a pipe: a byte from each process that did what it is here for */
    unsigned n_expected;
    pthread_t thread; /* the first of this process */
} scene;

static void note(void *context, const char *line)
{
    scene *s = context;
    strncat(s->said, line, sizeof s->said - strlen(s->said) - 2);
    strcat(s->said, "\n");
}

static void nap(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, 1000000 * (milliseconds % 1000)};
    nanosleep(&time, NULL);
}

static void report_arrival(const scene *s)
{
    assert_int_equal(write(s->door[1], "x", 1), 1);
}

/* The thread of rank 0 that does jobs stays at its first epoch until all who are expected have
 * come, and is slow then. The other thread, which looks after them, asks too. */
static int be_slow(void *context)
{
    scene *s = context;
    struct pollfd p = {.fd = s->door[0], .events = POLLIN};
    char byte;
    if (!pthread_equal(pthread_self(), s->thread))
        return 0;
    for (; s->n_expected > 0 && poll(&p, 1, 60000) == 1; s->n_expected--)
        assert_int_equal(read(s->door[0], &byte, 1), 1);
    nap(2);
    return 0;
}

static void conduct(scene *s, const char *name, const rg_crew *crew, rg_run_report *report)
{
    char *directory = test_format("%s/%s", s->root, name);
    rg_run_options options = {.directory = directory,
                              .n_threads = 1,
                              .stop = crew ? be_slow : NULL,
                              .context = s,
                              .crew = crew};
    ASSERT_OK(rg_experiment_conduct(report, s->experiment, text, &s->source, "toy", s->splits,
                                    "made", &options, err));
    assert_int_equal(report->n_done, N_JOBS);
    assert_int_equal(report->n_failed, 0);
    free(directory);
}

static void scene_digest(char out[RG_DIGEST_TEXT], const scene *s, const char *name)
{
    char *directory = test_format("%s/%s", s->root, name);
    test_store_digest(out, directory);
    free(directory);
}

static scene *scene_open(void)
{
    scene *s = calloc(1, sizeof *s);
    rg_run_report report;
    assert_non_null(s);
    s->thread = pthread_self();
    s->root = test_directory_make();
    s->data = nets_data(60, 9, 41);
    s->source.graphs = s->data;
    ASSERT_OK(rg_experiment_parse(&s->experiment, "small.yml", text, strlen(text), NULL, 0, err));
    rg_experiment_info info = rg_experiment_describe(s->experiment);
    ASSERT_OK(rg_splits_make(&s->splits, s->data, &info.split, err));
    conduct(s, "alone", NULL, &report);
    scene_digest(s->expected, s, "alone");
    ASSERT_OK(rg_card_open(&s->crew.card, &s->crew.listener, err));
    assert_int_equal(pipe(s->door), 0);
    s->crew.size = MOST + 1;
    s->crew.say = note;
    s->crew.context = s;
    return s;
}

static void scene_close(scene *s)
{
    close(s->crew.listener);
    close(s->door[0]);
    close(s->door[1]);
    rg_experiment_free(s->experiment);
    rg_splits_free(s->splits);
    rg_dataset_free(s->data);
    test_directory_remove(s->root);
    free(s);
}

/* ---- other processes */

/* What a process does between epochs, and after how many of them. */
typedef struct habit {
    scene *scene;
    int number; /* a signal for itself; 0: none, it only says that it is here */
    int after;
    atomic_int epochs;
} habit;

static int act(void *context)
{
    habit *h = context;
    nap(1);
    if (atomic_fetch_add(&h->epochs, 1) == h->after) {
        report_arrival(h->scene);
        if (h->number)
            raise(h->number);
    }
    return 0;
}

/* A child that does jobs; it ends with the status of the call, or 100 + the end that it had. */
static void add_worker(scene *s, unsigned n_threads, int number, int after)
{
    pid_t child = fork();
    if (child == 0) {
        rg_error err = {""};
        rg_crew crew = s->crew;
        rg_crew_report report = {.n_done = 0};
        habit habits = {.scene = s, .number = number, .after = after};
        rg_run_options options = {
            .n_threads = n_threads, .stop = act, .context = &habits, .crew = &crew};
        crew.rank = s->n_children + 1;
        close(crew.listener);
        rg_status status =
            rg_experiment_join(&report, s->experiment, &s->source, s->splits, &options, &err);
        if (status)
            fprintf(stderr, "rank %u: %s\n", (unsigned)crew.rank, err.message);
        _exit(status ? (int)status : 100 + (int)report.end);
    }
    assert_true(child > 0);
    s->children[s->n_children++] = child;
    s->n_expected++;
}

/* Its exit status, or 1000 + the signal that ended it. */
static int end_of(scene *s, unsigned k)
{
    int result = -1;
    assert_int_equal(waitpid(s->children[k], &result, 0), s->children[k]);
    return WIFEXITED(result) ? WEXITSTATUS(result) : 1000 + WTERMSIG(result);
}

static rg_run_report lead(scene *s)
{
    char digest[RG_DIGEST_TEXT];
    rg_run_report report;
    conduct(s, "together", &s->crew, &report);
    scene_digest(digest, s, "together");
    assert_string_equal(digest, s->expected);
    return report;
}

/* ---- tests */

static void any_number_of_processes_gives_the_same_bytes(void **state)
{
    static const unsigned cases[][2] = {{0, 0}, {1, 1}, {2, 1}, {4, 1}, {1, 4}, {2, 2}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        scene *s = scene_open();
        for (unsigned c = 0; c < cases[k][0]; c++)
            add_worker(s, cases[k][1], 0, 0);
        assert_int_equal(lead(s).n_members, cases[k][0]);
        for (unsigned c = 0; c < cases[k][0]; c++)
            assert_int_equal(end_of(s, c), 100 + RG_CREW_DONE);
        assert_string_equal(s->said, "");
        scene_close(s);
    }
}

static void jobs_of_a_process_that_dies_are_done_by_others(void **state)
{
    (void)state;
    scene *s = scene_open();
    add_worker(s, 1, 0, 0);
    add_worker(s, 1, SIGKILL, 17);
    add_worker(s, 2, SIGKILL, 3);
    lead(s);
    assert_int_equal(end_of(s, 0), 100 + RG_CREW_DONE);
    assert_int_equal(end_of(s, 1), 1000 + SIGKILL);
    assert_int_equal(end_of(s, 2), 1000 + SIGKILL);
    assert_non_null(strstr(s->said, "rank 2 on "));
    assert_non_null(strstr(s->said, " is gone: job "));
    assert_non_null(strstr(s->said, " is handed out again\n"));
    scene_close(s);
}

static void processes_killed_at_random_change_nothing(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        scene *s = scene_open();
        for (uint32_t k = 0; k < 4; k++)
            add_worker(s, 1 + k % 2, SIGKILL, (int)rg_random_below(9, round, k, 60));
        s->n_expected = 0; /* some are done before their time has come */
        lead(s);
        for (unsigned k = 0; k < 4; k++)
            (void)end_of(s, k);
        scene_close(s);
    }
}

static void a_process_that_hangs_is_let_go(void **state)
{
    (void)state;
    scene *s = scene_open();
    s->crew.silence = 1.5;
    add_worker(s, 1, SIGSTOP, 5);
    add_worker(s, 1, 0, 0);
    lead(s);
    assert_non_null(strstr(s->said, "rank 1 on "));
    assert_non_null(strstr(s->said, " was silent for "));
    assert_null(strstr(s->said, "rank 2 on "));
    kill(s->children[0], SIGCONT);
    assert_int_equal(end_of(s, 0), 100 + RG_CREW_SILENT);
    assert_int_equal(end_of(s, 1), 100 + RG_CREW_DONE);
    scene_close(s);
}

/* A member as far as its greeting goes; then it takes a job and answers with something. */
static void talk_nonsense(const scene *s, int which)
{
    static const char junk[200] = "GET / HTTP/1.0\r\n\r\n";
    rg_crew crew = s->crew;
    rg_wire out = {0};
    unsigned char job[RG_WIRE_HEAD + 8];
    rg_wire_hello hello = {.rank = 7, .host = "elsewhere"};
    bool over;
    int link = -1;
    char data[RG_DIGEST_TEXT];
    ASSERT_OK(rg_card_connect(&link, &over, &crew.card, err));
    if (which >= 2) {
        memcpy(hello.key, crew.card.crew_key, RG_WIRE_KEY);
        hello.key[0] ^= which == 2;
        strcpy(hello.version, rg_version());
        rg_experiment_digest(s->experiment, hello.experiment);
        rg_dataset_digest(s->data, data);
        memcpy(hello.data, data, sizeof data);
        rg_splits_digest(s->splits, hello.splits);
        rg_wire_begin(&out);
        rg_wire_hello_put(&out, &hello);
        ASSERT_OK(rg_wire_seal(&out, RG_WIRE_HELLO, err));
        assert_true(rg_card_send(link, out.data, out.n));
    }
    if (which >= 3 && rg_card_receive(link, job, sizeof job)) {
        rg_wire_begin(&out);
        rg_wire_bytes(&out, job + RG_WIRE_HEAD, 8); /* the right job, then nothing that is right */
        rg_wire_bytes(&out, junk, sizeof junk);
        ASSERT_OK(rg_wire_seal(&out, which == 3 ? RG_WIRE_RESULT : RG_WIRE_JOB, err));
        if (which == 5)
            out.data[RG_WIRE_HEAD] ^= 1;
        assert_true(rg_card_send(link, out.data, out.n));
    } else if (which > 0) {
        (void)!rg_card_send(link, junk, sizeof junk);
    }
    (void)!rg_card_receive(link, job, 1); /* until rank 0 closes it */
    rg_free(out.data);
    close(link);
}

static void nonsense_is_not_listened_to(void **state)
{
    (void)state;
    scene *s = scene_open();
    s->crew.silence = 1;
    for (int which = 0; which < 6; which++) {
        pid_t child = fork();
        if (child == 0) {
            talk_nonsense(s, which);
            report_arrival(s);
            _exit(0);
        }
        assert_true(child > 0);
        s->n_expected++;
        s->children[s->n_children++] = child;
    }
    lead(s);
    for (unsigned k = 0; k < s->n_children; k++)
        assert_int_equal(end_of(s, k), 0);
    assert_non_null(strstr(s->said, "rank 7 on elsewhere sends what makes no sense: job "));
    scene_close(s);
}

/* Other data, other splits, another experiment: is it refused with these words? */
static bool is_refused(scene *s, unsigned which)
{
    static const char *const words[] = {
        "refused: other data: ", "refused: other splits: ", "refused: another experiment: "};
    static const char *const change = "training.epochs=13";
    rg_crew crew = s->crew;
    rg_crew_report report;
    rg_run_options options = {.n_threads = 2, .crew = &crew};
    rg_split_options other = rg_experiment_describe(s->experiment).split;
    rg_error why = {""};
    crew.rank = which + 1;
    other.seed++;
    if (which == 0)
        s->source.graphs = nets_data(60, 9, 42);
    else if (which == 1)
        ASSERT_OK(rg_splits_make(&s->splits, s->data, &other, err));
    else
        ASSERT_OK(
            rg_experiment_parse(&s->experiment, "small.yml", text, strlen(text), &change, 1, err));
    rg_status status =
        rg_experiment_join(&report, s->experiment, &s->source, s->splits, &options, &why);
    if (status == RG_EFAIL && strncmp(why.message, words[which], strlen(words[which])) == 0)
        return true;
    fprintf(stderr, "status %d: %s\n", status, why.message);
    return false;
}

static void whoever_has_something_else_is_refused(void **state)
{
    (void)state;
    scene *s = scene_open();
    for (unsigned which = 0; which < 3; which++) {
        pid_t child = fork();
        if (child == 0) {
            bool fine = is_refused(s, which);
            report_arrival(s);
            _exit(fine ? 0 : 1);
        }
        assert_true(child > 0);
        s->n_expected++;
        s->children[s->n_children++] = child;
    }
    assert_int_equal(lead(s).n_members, 0);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(end_of(s, k), 0);
    scene_close(s);
}

static atomic_int turns; /* that the first thread has asked */

static bool time_is_up(scene *s)
{
    be_slow(s);
    if (pthread_equal(pthread_self(), s->thread))
        atomic_fetch_add(&turns, 1);
    return atomic_load(&turns) > 20;
}

static int stop_soon(void *context)
{
    return time_is_up(context);
}

static int die_soon(void *context)
{
    return time_is_up(context) ? raise(SIGKILL) : 0;
}

static void a_run_that_is_stopped_goes_on(void **state)
{
    (void)state;
    scene *s = scene_open();
    char *directory = test_format("%s/together", s->root);
    rg_run_options options = {
        .directory = directory, .n_threads = 1, .stop = stop_soon, .context = s, .crew = &s->crew};
    rg_run_report report;
    add_worker(s, 1, 0, 0);
    atomic_store(&turns, 0);
    ASSERT_OK(rg_experiment_conduct(&report, s->experiment, text, &s->source, "toy", s->splits,
                                    "made", &options, err));
    assert_true(report.stopped && report.n_done < N_JOBS);
    assert_int_equal(end_of(s, 0), 100 + RG_CREW_STOPPED);
    s->n_children = s->n_expected = 0;
    add_worker(s, 1, 0, 0);
    assert_true(lead(s).resumed);
    assert_int_equal(end_of(s, 0), 100 + RG_CREW_DONE);
    free(directory);
    scene_close(s);
}

static void whoever_comes_too_late_has_nothing_to_do(void **state)
{
    (void)state;
    scene *s = scene_open();
    rg_card card = s->crew.card;
    close(s->crew.listener);
    add_worker(s, 2, 0, 0);
    assert_int_equal(end_of(s, 0), 100 + RG_CREW_LATE);
    ASSERT_OK(rg_card_open(&card, &s->crew.listener, err));
    scene_close(s);
}

static void a_process_notices_that_rank_0_died(void **state)
{
    (void)state;
    scene *s = scene_open();
    int result;
    add_worker(s, 1, 0, 0);
    pid_t leader = fork();
    if (leader == 0) {
        char *directory = test_format("%s/together", s->root);
        rg_run_report report;
        rg_run_options options = {.directory = directory,
                                  .n_threads = 1,
                                  .stop = die_soon,
                                  .context = s,
                                  .crew = &s->crew};
        atomic_store(&turns, 0);
        (void)!rg_experiment_conduct(&report, s->experiment, text, &s->source, "toy", s->splits,
                                     "made", &options, NULL);
        _exit(0);
    }
    close(s->crew.listener); /* the child has its own */
    assert_int_equal(waitpid(leader, &result, 0), leader);
    assert_true(WIFSIGNALED(result));
    assert_int_equal(end_of(s, 0), RG_EFAIL);
    ASSERT_OK(rg_card_open(&s->crew.card, &s->crew.listener, err));
    s->n_expected = 0;
    assert_true(lead(s).resumed); /* another one goes on */
    scene_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_processes_gives_the_same_bytes),
        cmocka_unit_test(jobs_of_a_process_that_dies_are_done_by_others),
        cmocka_unit_test(processes_killed_at_random_change_nothing),
        cmocka_unit_test(a_process_that_hangs_is_let_go),
        cmocka_unit_test(nonsense_is_not_listened_to),
        cmocka_unit_test(whoever_has_something_else_is_refused),
        cmocka_unit_test(a_run_that_is_stopped_goes_on),
        cmocka_unit_test(whoever_comes_too_late_has_nothing_to_do),
        cmocka_unit_test(a_process_notices_that_rank_0_died),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
