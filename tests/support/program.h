/* program.h - running the real program: what it prints, what it complains, how it ends. */
#ifndef REGULA_TESTS_SUPPORT_PROGRAM_H
#define REGULA_TESTS_SUPPORT_PROGRAM_H

#include "support.h"

#include <jansson.h>
#include <sys/types.h>

typedef struct program_result {
    int code;        /* exit code, or 128 + signal */
    char *out, *err; /* owned: program_result_free */
} program_result;

/* Runs a line with sh in `directory`, which is also $HOME, $REGULA_DATA (as data/) and
 * $XDG_CACHE_HOME (as cache/); `regula` in it is the program under test. */
program_result run(const char *directory, const char *format, ...) RG_PRINTF(2, 3);
void program_result_free(program_result *result);
/* What a line printed, which must be JSON without keys that stand twice, and its end a good one.
 * Owned (json_decref). */
json_t *program_result_json(const program_result *result);
/* Runs a line that prints JSON: the same. */
json_t *run_json(const char *directory, const char *line);

/* Begins such a line and does not wait; its outputs go to .out and .err of the directory. With
 * 'exec' in front the process is the program itself. */
pid_t run_begin(const char *directory, const char *line);
int run_end(pid_t child); /* waits: exit code, or 128 + signal */

/* A new terminal: what is written to *user comes out of the other end, which is returned. */
int terminal_open(int *user);
/* What a terminal shows until its last user is gone. Owned (free). */
char *terminal_read(int terminal);

/* Runs a line with standard output and error on one terminal; what it printed. Owned (free). */
char *run_on_terminal(const char *directory, const char *line, int *code);

/* Runs a line and fails unless it ends with `code` and has `out` and `err` in its two outputs
 * (NULL: do not care; "": prints nothing). */
void expect(const char *directory, const char *line, int code, const char *out, const char *err);

/* A table of such lines. */
typedef struct program_line {
    const char *line;
    int code;
    const char *out, *err;
} program_line;
void expect_lines(const char *directory, const program_line *lines, size_t n);

/* For a group whose state is a directory of test_directory_make: removes it. */
int remove_directory(void **state);

#endif
