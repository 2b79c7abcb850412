/* program.c - see program.h. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int run_end(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In the child: surroundings that are the test's own, then sh. */
static void become(const char *directory, const char *line)
{
    char *path = NULL, *data = NULL, *cache = NULL;
    const char *old = getenv("PATH");
    const char *slash = strrchr(REGULA_PROGRAM, '/');
    if (asprintf(&path, "%.*s:%s", (int)(slash - REGULA_PROGRAM), REGULA_PROGRAM,
                 old ? old : "/usr/bin:/bin") < 0 ||
        asprintf(&data, "%s/data", directory) < 0 || asprintf(&cache, "%s/cache", directory) < 0 ||
        chdir(directory))
        _exit(126);
    setenv("PATH", path, 1);
    setenv("REGULA_DATA", data, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("HOME", directory, 1);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

pid_t run_begin(const char *directory, const char *line)
{
    char *out = test_format("%s/.out", directory), *err = test_format("%s/.err", directory);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/null", "r", stdin) || !freopen(out, "w", stdout) ||
            !freopen(err, "w", stderr))
            _exit(126);
        become(directory, line);
    }
    free(out);
    free(err);
    return child;
}

program_result run(const char *directory, const char *format, ...)
{
    char *line = NULL, *out = test_format("%s/.out", directory),
         *err = test_format("%s/.err", directory);
    va_list args;
    va_start(args, format);
    int n = vasprintf(&line, format, args);
    va_end(args);
    assert_true(n >= 0);
    program_result result = {.code = run_end(run_begin(directory, line))};
    result.out = test_read(out, NULL);
    result.err = test_read(err, NULL);
    free(line);
    free(out);
    free(err);
    return result;
}

void program_result_free(program_result *result)
{
    free(result->out);
    free(result->err);
}

json_t *program_result_json(const program_result *result)
{
    json_error_t error = {.text = ""};
    json_t *root = json_loads(result->out, JSON_REJECT_DUPLICATES, &error);
    if (result->code || !root)
        fail_msg("code %d: %s\n%s\n%s", result->code, result->err, error.text, result->out);
    return root;
}

json_t *run_json(const char *directory, const char *line)
{
    program_result result = run(directory, "%s", line);
    json_t *root = program_result_json(&result);
    program_result_free(&result);
    return root;
}

int terminal_open(int *user)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    *user = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(*user >= 0);
    return terminal;
}

char *terminal_read(int fd)
{
    size_t used = 0, capacity = 1 << 20;
    char *text = malloc(capacity + 1);
    assert_non_null(text);
    while (used < capacity) {
        ssize_t got = read(fd, text + used, capacity - used);
        if (got <= 0) /* EIO: nobody is left on the other side */
            break;
        used += (size_t)got;
    }
    text[used] = '\0';
    return text;
}

char *run_on_terminal(const char *directory, const char *line, int *code)
{
    int other, terminal = terminal_open(&other);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(other, STDOUT_FILENO);
        dup2(other, STDERR_FILENO);
        close(other);
        close(terminal);
        setenv("TERM", "xterm", 1);
        unsetenv("NO_COLOR");
        become(directory, line);
    }
    close(other);
    char *text = terminal_read(terminal);
    *code = run_end(child);
    close(terminal);
    return text;
}

static int has(const char *text, const char *part)
{
    return !part || (*part ? strstr(text, part) != NULL : !*text);
}

void expect(const char *directory, const char *line, int code, const char *out, const char *err)
{
    program_result result = run(directory, "%s", line);
    if (result.code != code || !has(result.out, out) || !has(result.err, err)) {
        fprintf(stderr, "$ %s\n--- out (expected '%s')\n%s\n--- err (expected '%s')\n%s\n", line,
                out ? out : "anything", result.out, err ? err : "anything", result.err);
        fail_msg("code %d, expected %d; see above", result.code, code); /* cmocka cuts its texts */
    }
    program_result_free(&result);
}

void expect_lines(const char *directory, const program_line *lines, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!lines[k].code || test_in_sample(k)) /* what works may be what later lines need */
            expect(directory, lines[k].line, lines[k].code, lines[k].out, lines[k].err);
}

int remove_directory(void **state)
{
    if (*state)
        test_directory_remove(*state);
    return 0;
}
