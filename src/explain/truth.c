/* truth.c - see truth.h. */
#include "truth.h"

#include "base/alloc.h"
#include "base/error.h"
#include "format/entries.h"

#include <stdlib.h>
#include <string.h>

struct rg_truth {
    size_t n_graphs;
    size_t *first; /* [graph + 1]: alternatives of a graph */
    size_t *start; /* [alternative + 1]: its nodes */
    uint32_t *nodes;
    size_t n, n_nodes; /* alternatives and nodes so far */
    size_t capacity, room;
};

void rg_truth_free(rg_truth *t)
{
    if (!t)
        return;
    rg_free(t->first);
    rg_free(t->start);
    rg_free(t->nodes);
    rg_free(t);
}

size_t rg_truth_n(const rg_truth *t, size_t graph)
{
    return graph < t->n_graphs ? t->first[graph + 1] - t->first[graph] : 0;
}

const uint32_t *rg_truth_nodes(const rg_truth *t, size_t graph, size_t k, size_t *n)
{
    size_t at = t->first[graph] + k;
    *n = t->start[at + 1] - t->start[at];
    return t->nodes + t->start[at];
}

/* ---- reading */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static rg_status complain(const rg_reader *in, size_t at, const char *found, size_t n,
                          uint32_t n_nodes, rg_error *err)
{
    return rg_fail(err, RG_EDATA,
                   "%s:%zu:%zu: found '%.*s', expected a node from 0 to %ld that was not named "
                   "before, or ';'",
                   rg_reader_name(in), rg_reader_line_number(in), at + 1, (int)(n < 20 ? n : 20),
                   found, (long)n_nodes - 1);
}

/* Ends the alternative whose nodes begin at `from`; one without nodes is none. */
static bool end_alternative(rg_truth *t, size_t from)
{
    if (t->n_nodes == from)
        return true;
    if (!rg_grow(&t->start, &t->capacity, t->n + 2, sizeof *t->start))
        return false;
    qsort(t->nodes + from, t->n_nodes - from, sizeof *t->nodes, by_number);
    t->start[t->n++] = from;
    t->start[t->n] = t->n_nodes;
    return true;
}

static bool is_new(const rg_truth *t, size_t from, uint32_t node)
{
    for (size_t k = from; k < t->n_nodes; k++)
        if (t->nodes[k] == node)
            return false;
    return true;
}

static rg_status read_line(rg_truth *t, const rg_reader *in, uint32_t n_nodes, rg_error *err)
{
    size_t n, from = t->n_nodes;
    const char *text = rg_reader_text(in, &n);
    for (size_t k = 0; k < n;) {
        size_t word = strspn(text + k, "0123456789");
        uint64_t node = 0;
        if (text[k] == ' ' || text[k] == '\t') {
            k++;
            continue;
        }
        if (text[k] == ';') {
            if (!end_alternative(t, from))
                return rg_fail_memory(err, "known causes");
            from = t->n_nodes;
            k++;
            continue;
        }
        for (size_t d = 0; d < word && node < n_nodes; d++)
            node = 10 * node + (uint64_t)(text[k + d] - '0');
        if (!word || node >= n_nodes || !is_new(t, from, (uint32_t)node))
            return complain(in, k, text + k, word ? word : strcspn(text + k, " ;\t"), n_nodes, err);
        if (!rg_grow(&t->nodes, &t->room, t->n_nodes + 1, sizeof *t->nodes))
            return rg_fail_memory(err, "known causes");
        t->nodes[t->n_nodes++] = (uint32_t)node;
        k += word;
    }
    return end_alternative(t, from) ? RG_OK : rg_fail_memory(err, "known causes");
}

/* Lines behind the last graph may be empty. */
static rg_status read_lines(rg_truth *t, rg_reader *in, const rg_dataset *data, rg_error *err)
{
    size_t graph = 0;
    bool more = true;
    rg_status status = rg_reader_next(in, &more, err);
    for (; !status && more; graph++) {
        size_t n;
        rg_reader_text(in, &n);
        if (graph < t->n_graphs) {
            status = read_line(t, in, rg_dataset_graph(data, graph).n_nodes, err);
            t->first[graph + 1] = t->n;
        } else if (n)
            status =
                rg_fail(err, RG_EDATA, "%s:%zu: found a line more, expected %zu: one per graph",
                        rg_reader_name(in), rg_reader_line_number(in), t->n_graphs);
        if (!status)
            status = rg_reader_next(in, &more, err);
    }
    if (!status && graph < t->n_graphs)
        status = rg_fail(err, RG_EDATA, "%s:%zu: found %zu lines, expected %zu: one per graph",
                         rg_reader_name(in), rg_reader_line_number(in), graph, t->n_graphs);
    return status;
}

static rg_status read_all(rg_truth **out, rg_reader *in, const rg_dataset *data, rg_error *err)
{
    rg_truth *t = rg_alloc_zero(1, sizeof *t);
    rg_status status = RG_OK;
    if (t) {
        t->n_graphs = rg_dataset_n_graphs(data);
        t->first = rg_alloc_zero(t->n_graphs + 1, sizeof *t->first);
    }
    if (!t || !t->first)
        status = rg_fail_memory(err, "known causes");
    if (!status)
        status = read_lines(t, in, data, err);
    if (status)
        rg_truth_free(t);
    else
        *out = t;
    return status;
}

rg_status rg_truth_parse(rg_truth **out, const char *name, const void *text, size_t n,
                         const rg_dataset *data, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_memory(&in, name, text, n, err);
    if (!status)
        status = read_all(out, in, data, err);
    rg_reader_close(in);
    return status;
}

rg_status rg_truth_read(rg_truth **out, const char *path, const rg_dataset *data, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, path, err);
    if (!status)
        status = read_all(out, in, data, err);
    rg_reader_close(in);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

rg_status rg_truth_find(rg_truth **out, const char *path, const rg_dataset *data, rg_error *err)
{
    rg_entries *entries = NULL;
    rg_read_options options = rg_read_options_default();
    const char *name = NULL;
    rg_status status = rg_entries_open(&entries, path, &options, err);
    if (!status)
        status = rg_entries_next(entries, &name, err);
    while (!status && name && !ends_with(name, "_truth.txt"))
        status = rg_entries_next(entries, &name, err);
    if (!status && !name)
        status = rg_fail(err, RG_EUSAGE, "'%s' has no file NAME_truth.txt: expected '--truth FILE'",
                         path);
    else if (!status) {
        rg_reader *in;
        status = rg_entries_reader(entries, &in, err);
        if (!status)
            status = read_all(out, in, data, err);
    }
    rg_entries_close(entries);
    return status;
}
