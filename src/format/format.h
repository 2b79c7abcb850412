/* format.h - what a format must offer to be read.
 *
 * read.c walks over the entries of a path and hands each file to the format that knows its name.
 * Files come in any order, each once; a format keeps what it needs and makes an rg_raw at the end.
 */
#ifndef REGULA_FORMAT_FORMAT_H
#define REGULA_FORMAT_FORMAT_H

#include "graph/raw.h"
#include "text/reader.h"

typedef struct rg_format_reader {
    rg_format format;
    /* Does this file belong to the format? `file` has no directory in front. *prefix: how many
     * bytes at its start are the data set's name (0: the name comes from the path). */
    bool (*knows)(const char *file, size_t *prefix);
    /* state: owned by the caller (close). */
    rg_status (*open)(void **state, rg_error *err);
    rg_status (*take)(void *state, const char *file, rg_reader *in, rg_error *err);
    /* Everything was taken. Fills `raw`, which is empty (its name stays so: read.c sets it). Names
     * that raw borrows for messages live as long as state does. */
    rg_status (*finish)(void *state, rg_raw *raw, rg_error *err);
    void (*close)(void *state); /* NULL is fine */
} rg_format_reader;

extern const rg_format_reader rg_format_tu, rg_format_three, rg_format_ogb, rg_format_graph6;

/* Shared by formats: one row of numbers a line, every line as many as the first; a last line
 * without newline and blank lines at the very end are fine. `what` names a field in messages. */
RG_MUST_CHECK rg_status rg_read_int_rows(rg_int_rows *rows, rg_reader *in, const char *what,
                                         rg_error *err);
RG_MUST_CHECK rg_status rg_read_real_rows(rg_real_rows *rows, rg_reader *in, const char *what,
                                          rg_error *err);
/* The same for classes of graphs: "nan" is a class that is not known (RG_MISSING). */
RG_MUST_CHECK rg_status rg_read_class_rows(rg_int_rows *rows, rg_reader *in, const char *what,
                                           rg_error *err);

/* For formats that go through lines by themselves. rg_read_is_blank: nothing but blanks in the
 * current line. rg_read_only_blanks: called on a blank line, goes on to the end; RG_EDATA at the
 * first blank line if anything else follows. */
bool rg_read_is_blank(const rg_reader *in);
RG_MUST_CHECK rg_status rg_read_only_blanks(rg_reader *in, const char *what, rg_error *err);

/* rg_reader_pair for edge lists: *more is false at blank lines that end the file too. `what` names
 * a field and `row` a line in messages. Inside a loop over millions of lines: hence inline. */
RG_MUST_CHECK static inline rg_status rg_read_pair(rg_reader *in, bool *more, uint32_t pair[2],
                                                   const char *what, const char *row, rg_error *err)
{
    rg_status status = rg_reader_pair(in, more, pair, what, err);
    if (status != RG_EDATA || !rg_read_is_blank(in))
        return status;
    status = rg_read_only_blanks(in, row, err);
    if (!status)
        *more = false;
    return status;
}

#endif
