/* output.h - data on standard output, messages on standard error. */
#ifndef REGULA_CLI_OUTPUT_OUTPUT_H
#define REGULA_CLI_OUTPUT_OUTPUT_H

#include "regula/base.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Colour: only on a terminal that can, and not with NO_COLOR. */
bool cli_colour(FILE *stream);
/* Turns bold on or off where there is colour; prints nothing elsewhere. */
void cli_bold(FILE *stream, bool on);

/* Prints text that may come from a file or a path: what is not printable becomes '?', so that no
 * file name breaks the line or steers the terminal. */
void cli_print(const char *text);
void cli_print_to(FILE *stream, const char *text);

/* Two lines: a part of the text, at most `span` bytes around byte `at`, and a caret below that byte.
 * Nothing if text is NULL. */
void cli_print_caret(FILE *stream, const char *text, size_t n, size_t at, size_t span);

/* One line on standard error: "regula: MESSAGE". */
void cli_message(const char *format, ...) RG_PRINTF(1, 2);

/* Prints `text` broken between words at column 80, every line after the first indented by `indent`
 * columns; `column` is where the first line starts. Ends the line. */
void cli_wrap(FILE *stream, const char *text, int column, int indent);
/* The same for another width. */
void cli_wrap_at(FILE *stream, const char *text, int column, int indent, int width);
/* Is standard error a terminal that lines can be drawn anew on? */
bool cli_draws(void);
/* Draws a line of progress in place of the last one, cut to the columns of the terminal; "" wipes it. */
void cli_draw(const char *text);
/* Columns for a wide table: those of the terminal, 80 .. 120; 100 if there is none. */
int cli_width(void);

/* Prints `root` as JSON and a newline on standard output. `root` is moved; NULL (jansson could not
 * allocate) is RG_ENOMEM, so that a tree can be built without checking every step. */
RG_MUST_CHECK rg_status cli_print_json(json_t *root, rg_error *err);
/* How programs get their JSON (text/json_write.h). */
#define CLI_JSON (RG_JSON_UTF8 | RG_JSON_DIGITS)
/* The same as a text, on one line unless `lines`. Owned (rg_free); NULL: no memory. */
char *cli_json_print(json_t *root, bool lines);
/* The same for members: `value` is moved and `*object` becomes NULL if memory is short. */
void cli_json_set(json_t **object, const char *key, json_t *value);
void cli_json_add(json_t **array, json_t *value);
/* Text that may come from a file or a path: bytes that are no UTF-8 become '?'. */
json_t *cli_json_text(const char *text);
json_t *cli_json_count(uint64_t count);
json_t *cli_json_real(double value); /* null for NaN */

/* Makes sure that descriptors 0, 1 and 2 are open, so that no file of ours becomes one of them. */
void cli_open_standard(void);
/* Flushes standard output. RG_EIO if anything could not be written; a reader that went away is no
 * error. */
RG_MUST_CHECK rg_status cli_flush(rg_error *err);

#endif
