/* reader.h - lines and fields of a text that comes from a file, from memory or from a stream.
 *
 * Memory stays bounded: one buffer, as large as the longest line and never above
 * RG_READER_LINE_MAX. Every complaint says where: "NAME:LINE:COLUMN: found X, expected Y". */
#ifndef REGULA_TEXT_READER_H
#define REGULA_TEXT_READER_H

#include "regula/base.h"

#include <stdbool.h>

#define RG_READER_LINE_MAX ((size_t)64 << 20)

typedef struct rg_reader rg_reader;

/* Where bytes come from. `read` puts up to n bytes into `buffer` and their number into *got (0: the
 * end); `close` may be NULL. */
typedef struct rg_stream {
    void *state;
    rg_status (*read)(void *state, void *buffer, size_t n, size_t *got, rg_error *err);
    void (*close)(void *state);
} rg_stream;

/* out: owned by the caller (rg_reader_close). `name` is copied and used in messages only.
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_reader_open(rg_reader **out, const char *path, rg_error *err);
/* `bytes` is kept: it must outlive the reader. */
RG_MUST_CHECK rg_status rg_reader_memory(rg_reader **out, const char *name, const void *bytes,
                                         size_t n, rg_error *err);
/* `stream` is moved, also on failure. */
RG_MUST_CHECK rg_status rg_reader_stream(rg_reader **out, const char *name, rg_stream stream,
                                         rg_error *err);
void rg_reader_close(rg_reader *in); /* NULL is fine */

const char *rg_reader_name(const rg_reader *in);
/* Number of the current line, from 1; 0 before the first. */
size_t rg_reader_line_number(const rg_reader *in);
/* True once the last line was read and no newline ended it. */
bool rg_reader_unended(const rg_reader *in);
/* Bytes taken from the source so far. */
uint64_t rg_reader_bytes(const rg_reader *in);

/* Goes to the next line; *more is false at the end. The line ends at '\n' or the end of the text,
 * and a '\r' before that is not part of it. RG_EDATA (line too long), RG_ENOMEM, or what the stream
 * says. */
RG_MUST_CHECK rg_status rg_reader_next(rg_reader *in, bool *more, rg_error *err);

/* The current line, terminated by a zero byte. Borrowed, valid until the next rg_reader_next. */
const char *rg_reader_text(const rg_reader *in, size_t *n);

/* Up to n bytes as they stand, for files that have no lines: those behind the current line, if
 * there is one. *got is 0 at the end. What the stream says. */
RG_MUST_CHECK rg_status rg_reader_raw(rg_reader *in, void *buffer, size_t n, size_t *got,
                                      rg_error *err);

/* Fields of the current line, from left to right. Between two fields stand blanks, a comma, or a
 * comma among blanks. `what` names what is expected, for the message. RG_EDATA. */
RG_MUST_CHECK rg_status rg_reader_int(rg_reader *in, int64_t *out, const char *what, rg_error *err);
RG_MUST_CHECK rg_status rg_reader_real(rg_reader *in, double *out, const char *what, rg_error *err);
/* The next field as it stands. Borrowed, not terminated. */
RG_MUST_CHECK rg_status rg_reader_word(rg_reader *in, const char **word, size_t *n,
                                       const char *what, rg_error *err);
/* True if no field is left; a comma at the end of the line counts as a field that is missing. */
bool rg_reader_at_end(const rg_reader *in);
/* RG_EDATA unless rg_reader_at_end. */
RG_MUST_CHECK rg_status rg_reader_expect_end(rg_reader *in, rg_error *err);

/* RG_EDATA, "NAME:LINE:COLUMN: found '...', expected WHAT", at the field that comes next. */
rg_status rg_reader_complain(const rg_reader *in, const char *what, rg_error *err);

/* Goes to the next line and reads exactly two whole numbers 0 .. 2^32-2 from it: the same as next,
 * int, int, expect_end, but several times as fast, for edge lists of hundreds of megabytes. Then
 * the fields of the line can be read again from its start, for a complaint about one of them. */
RG_MUST_CHECK rg_status rg_reader_pair(rg_reader *in, bool *more, uint32_t pair[2],
                                       const char *what, rg_error *err);
/* Goes to the next line if that is nothing but one whole number of a few digits and lies in the
 * buffer already. False: nothing has happened, go the careful way. */
bool rg_reader_quick_int(rg_reader *in, int64_t *out);
/* The same for a line of exactly n real numbers, each of a few digits before and after the point.
 * *out may be overwritten in any case. */
bool rg_reader_quick_reals(rg_reader *in, double *out, size_t n);

#endif
