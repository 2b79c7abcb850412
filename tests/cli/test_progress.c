/* test_progress.c - the line that says how far a job is, seen on a terminal of the test's own. */
#include "support/program.h"

#include "cli/command/command.h"
#include "cli/output/progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct progress_case {
    bool quiet, terminal;
    double age; /* seconds since it began */
    bool bytes;
    double part;
    uint64_t done, total;
    const char *shown; /* "": nothing at all */
} progress_case;

/* One call of the job's progress with standard error on a terminal, or in a pipe. */
static char *draw(const progress_case *j)
{
    int ends[2], out, old = dup(STDERR_FILENO);
    if (j->terminal) {
        ends[0] = terminal_open(&ends[1]);
    } else {
        assert_int_equal(pipe(ends), 0);
    }
    out = ends[1];
    fflush(stderr);
    dup2(out, STDERR_FILENO);
    cli_progress progress;
    cli_progress_begin(&progress, "NCI1", j->quiet);
    progress.start -= j->age;
    progress.last -= j->age;
    if (j->bytes)
        assert_int_equal(cli_progress_bytes(&progress, j->done, j->total), 0);
    else
        cli_progress_part(&progress, j->part);
    cli_progress_end(&progress);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    close(out);
    char *text = terminal_read(ends[0]);
    close(ends[0]);
    return text;
}

static void progress_is_one_line_that_is_wiped(void **state)
{
    (void)state;
    static const progress_case jobs[] = {
        {.terminal = true, .age = 10, .part = 0.25, .shown = "NCI1:  25 %, 30 s left"},
        {.terminal = true, .age = 300, .part = 0.5, .shown = "NCI1:  50 %, 5:00 left"},
        {.terminal = true, .age = 10, .part = 0, .shown = "NCI1:   0 %"},
        {.terminal = true, .age = 10, .part = 7, .shown = "NCI1: 100 %, 0 s left"},
        {.terminal = true,
         .age = 10,
         .bytes = true,
         .done = 1000000,
         .total = 4000000,
         .shown = "NCI1:  25 %, 1.0 MB of 4.0 MB, 30 s left"},
        {.terminal = true, .age = 10, .bytes = true, .done = 1500, .shown = "NCI1: 1.5 kB"},
        {.terminal = true, .age = 0, .part = 0.25, .shown = ""}, /* too early to say */
        {.terminal = true, .quiet = true, .age = 10, .part = 0.25, .shown = ""},
        {.terminal = false, .age = 10, .part = 0.25, .shown = ""},
        {.terminal = false, .age = 10, .bytes = true, .done = 1, .total = 2, .shown = ""},
    };
    setenv("TERM", "xterm", 1);
    for (size_t k = 0; k < CLI_COUNT(jobs); k++) {
        char *text = draw(&jobs[k]);
        char *wanted =
            jobs[k].shown[0] ? test_format("\r\033[K%s\r\033[K", jobs[k].shown) : strdup("");
        assert_string_equal(text, wanted);
        free(text);
        free(wanted);
    }
}

static void a_dumb_terminal_shows_none(void **state)
{
    (void)state;
    static const progress_case one = {.terminal = true, .age = 10, .part = 0.25};
    setenv("TERM", "dumb", 1);
    char *text = draw(&one);
    assert_string_equal(text, "");
    free(text);
    unsetenv("TERM");
    text = draw(&one);
    assert_string_equal(text, "");
    free(text);
}

static void lines_come_with_a_pause_between(void **state)
{
    (void)state;
    cli_progress progress;
    cli_progress_begin(&progress, "NCI1", true);
    progress.shown = true; /* whatever standard error is */
    progress.start -= 10;
    progress.last = cli_now() + 3600;
    cli_progress_part(&progress, 0.5);
    assert_false(progress.drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_one_line_that_is_wiped),
        cmocka_unit_test(a_dumb_terminal_shows_none),
        cmocka_unit_test(lines_come_with_a_pause_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
