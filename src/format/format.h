/* format.h - what a format is made of: one file in this room, and one line of RG_FORMATS.
 *
 * read.c walks over the entries of a path and hands each file to the format that knows its name.
 * Files come in any order, each once; a format keeps what it needs and makes an rg_raw at the end.
 */
#ifndef REGULA_FORMAT_FORMAT_H
#define REGULA_FORMAT_FORMAT_H

#include "base/file.h"
#include "graph/raw.h"
#include "text/reader.h"

/* A set that is being written. */
enum { RG_SET_FILES_MAX = 8 };

typedef struct rg_set_writer {
    const rg_dataset *data;
    const char *directory, *name;
    const char *text; /* for formats that have all of it in memory */
    rg_column column; /* for formats with a file for each kind of columns */
    rg_file *file;    /* the one being written: the last of `files` */
    rg_file *files[RG_SET_FILES_MAX];
    size_t n_files;
} rg_set_writer;

/* Column by column, what row k of a kind holds; `before` comes before each but the first. */
void rg_set_writer_row(rg_set_writer *w, rg_column kind, uint64_t k, const char *first,
                       const char *before);
/* DIRECTORY/NAME + ending as `put` writes it. It appears once all files of the set are written.
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_set_writer_add(rg_set_writer *w, const char *ending,
                                          void (*put)(rg_set_writer *w), rg_error *err);
/* An earlier set of this name may have had labels or attributes that this one has not; its file
 * must not be taken for one of ours. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_set_writer_remove(const rg_set_writer *w, const char *ending,
                                             rg_error *err);

typedef struct rg_format_kind {
    const char *name;
    const char *files; /* what a set needs at least, for messages */
    /* Does this file belong to the format? `file` has no directory in front. *prefix: how many
     * bytes at its start are the data set's name (0: the name comes from the path). */
    bool (*knows)(const char *file, size_t *prefix);
    /* Once files of the format were taken: does this one, which `knows` does not know, belong to them?
     * NULL: no. */
    bool (*beside)(const void *state, const char *file);
    /* Only where the file is all there is: a table beside other files may be about anything. */
    bool alone;
    /* A file that is all there is may have any name, if the format is asked for. */
    bool any;
    /* Before the first file; options are kept. NULL: there is nothing to choose. */
    void (*configure)(void *state, const rg_read_options *options);
    size_t size; /* of the state, which is all zero before the first file */
    rg_status (*take)(void *state, const char *file, rg_reader *in, rg_error *err);
    /* Everything was taken. Fills `raw`, which is empty (its name stays so: read.c sets it). Names
     * that raw borrows for messages live as long as state does. */
    rg_status (*finish)(void *state, rg_raw *raw, rg_error *err);
    void (*close)(void *state); /* NULL is fine */
    /* NULL: it is only read. Refuses what it has no words for before its first file. */
    rg_status (*write)(rg_set_writer *writer, rg_error *err);
} rg_format_kind;

#define RG_FORMAT_KIND(upper, lower) extern const rg_format_kind rg_format_##lower;
RG_FORMATS(RG_FORMAT_KIND)
#undef RG_FORMAT_KIND

/* NULL: auto, or there is none. */
const rg_format_kind *rg_format_kind_of(rg_format format);
/* state: owned (format->close). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_format_open(void **state, const rg_format_kind *format, rg_error *err);

/* Shared by formats: one row of numbers per line, every line as many as the first; a last line
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
