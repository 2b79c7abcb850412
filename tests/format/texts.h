/* texts.h - texts in memory handed to one format, file by file. */
#ifndef REGULA_TESTS_FORMAT_TEXTS_H
#define REGULA_TESTS_FORMAT_TEXTS_H

#include "base/random.h"
#include "format/format.h"
#include "support/support.h"

#include <string.h>

typedef struct text_file {
    const char *name; /* NULL: no such file */
    const char *text;
} text_file;

/* Files in the order given. */
static inline rg_status read_texts(rg_dataset **out, const rg_format_kind *format,
                                   const text_file *files, size_t n, rg_error *err)
{
    void *state = NULL;
    rg_raw raw = {0};
    rg_status status = rg_format_open(&state, format, err);
    for (size_t k = 0; k < n && !status; k++) {
        rg_reader *in = NULL;
        if (!files[k].name)
            continue;
        size_t prefix;
        assert_true(format->knows(files[k].name, &prefix));
        status = rg_reader_memory(&in, files[k].name, files[k].text, strlen(files[k].text), err);
        if (!status)
            status = format->take(state, files[k].name, in, err);
        rg_reader_close(in);
    }
    if (!status)
        status = format->finish(state, &raw, err);
    if (!status)
        status = rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    format->close(state);
    return status;
}

/* Must be refused with exactly this message. */
static inline void texts_refused(const rg_format_kind *format, const text_file *files, size_t n,
                                 const char *what, const char *message)
{
    rg_dataset *data = NULL;
    rg_error err = {""};
    rg_status status = read_texts(&data, format, files, n, &err);
    if (status != RG_EDATA || strcmp(err.message, message) != 0)
        fail_msg("%s: status %d, found\n  %s\nexpected\n  %s", what, status, err.message, message);
    assert_null(data);
}

/* The next draw of a test's own stream, 0 .. n-1. */
static inline uint32_t test_draw(uint64_t *index, uint32_t n)
{
    return rg_random_below(2, 3, (*index)++, n);
}

/* For the allocation sweep. */
typedef struct read_texts_sweep {
    const rg_format_kind *format;
    const text_file *files;
    size_t n;
} read_texts_sweep;

static inline rg_status read_texts_once(void *context, rg_error *err)
{
    const read_texts_sweep *s = context;
    rg_dataset *data = NULL;
    rg_status status = read_texts(&data, s->format, s->files, s->n, err);
    rg_dataset_free(data);
    return status;
}

/* Is {i,j} an edge of graph g? */
static inline bool test_has_edge(const rg_dataset *data, size_t g, uint32_t i, uint32_t j)
{
    rg_graph graph = rg_dataset_graph(data, g);
    for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++)
        if (graph.col[k] == j)
            return true;
    return false;
}

/* A label value by its place: node k of the set, or graph k. */
static inline int64_t test_label_value(const rg_dataset *data, rg_column kind, size_t column,
                                       size_t k)
{
    size_t n;
    const int64_t *values = rg_dataset_values(data, kind, column, &n);
    uint32_t rank = rg_dataset_ranks(data, kind, column)[k];
    return rank == RG_NO_CLASS ? RG_MISSING : values[rank];
}

#endif
