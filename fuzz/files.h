/* files.h - one fuzz input cut into the files of a format, and what must hold of a set. */
#ifndef REGULA_FUZZ_FILES_H
#define REGULA_FUZZ_FILES_H

#include "format/format.h"

#include <assert.h>
#include <string.h>

/* Files are parted by a form feed, which no format knows; file k goes by names[k]. */
static inline rg_status fuzz_feed(rg_dataset **out, const rg_format_kind *format,
                                  const char *const *names, size_t n_names, bool backwards,
                                  const uint8_t *bytes, size_t n)
{
    const uint8_t *begin[8], *end[8];
    size_t n_files = 0;
    void *state = NULL;
    rg_raw raw = {0};
    rg_error err;
    for (const uint8_t *p = bytes; n_files < n_names; p = end[n_files++] + 1) {
        const uint8_t *mark = memchr(p, '\f', (size_t)(bytes + n - p));
        begin[n_files] = p;
        end[n_files] = mark ? mark : bytes + n;
        if (!mark) {
            n_files++;
            break;
        }
    }
    rg_status status = rg_format_open(&state, format, &err);
    for (size_t k = 0; k < n_files && !status; k++) {
        size_t f = backwards ? n_files - 1 - k : k;
        rg_reader *in = NULL;
        status = rg_reader_memory(&in, names[f], begin[f], (size_t)(end[f] - begin[f]), &err);
        if (!status)
            status = format->take(state, names[f], in, &err);
        rg_reader_close(in);
    }
    if (!status)
        status = format->finish(state, &raw, &err);
    if (!status)
        status = rg_dataset_build(out, &raw, &err);
    if (status) {
        assert(err.message[0] != '\0' && !strchr(err.message, '\n'));
        assert(status == RG_EDATA || status == RG_ENOMEM);
    }
    rg_raw_free(&raw);
    format->close(state);
    return status;
}

/* Rows ascend, no loops, every arc has its way back, ranks have values. */
static inline void fuzz_check(const rg_dataset *data)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++) {
                uint32_t j = graph.col[k];
                bool back = false;
                assert(j < graph.n_nodes && j != i);
                assert(k == graph.row[i] || graph.col[k - 1] < j);
                for (uint64_t b = graph.row[j]; b < graph.row[j + 1] && !back; b++)
                    back = graph.col[b] == i;
                assert(back);
            }
    }
    static const rg_column kinds[] = {RG_NODE_LABEL, RG_CLASS};
    for (size_t c = 0; c < 2; c++)
        for (size_t column = 0; column < rg_dataset_n_columns(data, kinds[c]); column++) {
            size_t n_values;
            size_t n =
                kinds[c] == RG_CLASS ? rg_dataset_n_graphs(data) : (size_t)rg_dataset_n_nodes(data);
            rg_dataset_values(data, kinds[c], column, &n_values);
            const uint32_t *ranks = rg_dataset_ranks(data, kinds[c], column);
            for (size_t k = 0; k < n; k++)
                assert(ranks[k] < n_values || (kinds[c] == RG_CLASS && ranks[k] == RG_NO_CLASS));
        }
}

/* Reads, checks, and reads again with the files the other way round: the same set, or refused. */
static inline int fuzz_both_ways(const rg_format_kind *format, const char *const *names,
                                 size_t n_names, const uint8_t *bytes, size_t n)
{
    rg_dataset *data = NULL, *again = NULL;
    rg_status status = fuzz_feed(&data, format, names, n_names, false, bytes, n);
    assert(status == fuzz_feed(&again, format, names, n_names, true, bytes, n));
    assert(!data == (status != RG_OK) && !again == !data);
    if (data) {
        char one[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
        fuzz_check(data);
        rg_dataset_digest(data, one);
        rg_dataset_digest(again, other);
        assert(strcmp(one, other) == 0);
    }
    rg_dataset_free(data);
    rg_dataset_free(again);
    return 0;
}

#endif
