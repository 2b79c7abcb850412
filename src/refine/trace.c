/* trace.c - a partition in words, and back to what can be said of it. */
#include "cells.h"

#include "base/sort.h"

#include <string.h>

enum { EDGE_WORDS = 3 }; /* of a neighbour with the value of its edge */

size_t rg_trace_room(size_t n_nodes, size_t n_arcs, bool edges)
{
    return 1 + RG_MARKS_MAX + 3 * n_nodes + n_arcs * (edges ? EDGE_WORDS : 1);
}

/* The neighbours of node i by edges of one kind; their cells go to `words`, ascending. */
static uint32_t cells_of(const rg_node_cells *p, uint32_t i, uint32_t kind, uint32_t *words)
{
    uint32_t n = 0;
    for (uint64_t arc = p->graph.row[i]; arc < p->graph.row[i + 1]; arc++) {
        uint32_t cell = p->cell[p->graph.col[arc]];
        if (cell != RG_OUTSIDE && (!p->kinds || p->kinds[arc] == kind))
            words[n++] = cell;
    }
    rg_sort_numbers(words, n);
    return n;
}

/* Cells of neighbours become three words each, from the last on. */
static void widen(uint32_t *words, uint32_t n, int64_t value)
{
    uint64_t shifted = (uint64_t)value ^ (uint64_t)1 << 63;
    for (uint32_t k = n; k-- > 0;) {
        words[EDGE_WORDS * k + 2] = words[k];
        words[EDGE_WORDS * k + 1] = (uint32_t)shifted;
        words[EDGE_WORDS * k] = (uint32_t)(shifted >> 32);
    }
}

/* All lists of plain neighbours at once: cells in order go to the lists of their neighbours, which
 * are then in order without having been sorted. heads: where the list of each cell begins, by
 * cell. */
static void fill_lists(rg_node_cells *p, uint32_t *words, const uint32_t *heads)
{
    const rg_graph *graph = &p->graph;
    uint32_t *used = p->touched;
    for (uint32_t at = 0; at < p->n; at += p->size[at])
        used[at] = heads[at];
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t u = p->order[k], cell = p->cell[u];
        for (uint64_t arc = graph->row[u]; arc < graph->row[u + 1]; arc++) {
            uint32_t v = graph->col[arc], other = p->cell[v];
            if (other != RG_OUTSIDE && p->order[other] == v)
                words[used[other]++] = cell;
        }
    }
}

size_t rg_node_cells_trace(rg_node_cells *p, uint32_t *words, const uint32_t *marks,
                           uint32_t n_marks)
{
    size_t n = 0;
    uint32_t *heads = p->splitter;
    words[n++] = n_marks;
    for (uint32_t k = 0; k < n_marks; k++)
        words[n++] = p->cell[marks[k]];
    for (uint32_t at = 0; at < p->n; at += p->size[at]) {
        uint32_t i = p->order[at], degree = 0;
        size_t begin = n;
        words[n++] = p->size[at];
        words[n++] = p->labels ? p->labels[i] : 0;
        n++;
        heads[at] = (uint32_t)n;
        if (!p->kinds) {
            for (uint64_t arc = p->graph.row[i]; arc < p->graph.row[i + 1]; arc++)
                degree += p->cell[p->graph.col[arc]] != RG_OUTSIDE;
            n += degree;
        }
        for (uint32_t kind = 0; p->kinds && kind < p->n_kinds; kind++) {
            uint32_t some = cells_of(p, i, kind, words + n);
            widen(words + n, some, p->values[kind]);
            n += (size_t)some * EDGE_WORDS;
            degree += some;
        }
        words[begin + 2] = degree;
    }
    if (!p->kinds)
        fill_lists(p, words, heads);
    return n;
}

/* Steps over the cell at `at`: where the next one begins, or 0 if the words end before. */
static size_t next_cell(const uint32_t *words, size_t n, size_t at, size_t stride)
{
    if (n - at < 3 || words[at + 2] > (n - at - 3) / stride)
        return 0;
    return at + 3 + words[at + 2] * stride;
}

bool rg_trace_fits(const uint32_t *words, size_t n, bool edges, uint32_t n_labels,
                   uint32_t most_marks)
{
    size_t stride = edges ? EDGE_WORDS : 1;
    uint64_t n_nodes = 0;
    if (n == 0 || words[0] > most_marks || n < (size_t)1 + words[0])
        return false;
    if (words[0] == 0)
        return n == 1;
    bool marked = false;
    for (size_t at = 1 + words[0], next; at < n; at = next) {
        marked = marked || words[1] == n_nodes;
        if (!(next = next_cell(words, n, at, stride)) || words[at] == 0 ||
            words[at + 1] >= n_labels)
            return false;
        n_nodes += words[at];
    }
    return marked && n_nodes < RG_OUTSIDE;
}

rg_trace_facts rg_trace_read(const uint32_t *words, size_t n, bool edges)
{
    size_t stride = edges ? EDGE_WORDS : 1;
    rg_trace_facts facts = {0, 0, 0};
    for (size_t at = 1 + words[0]; words[0] && at < n; at = next_cell(words, n, at, stride)) {
        if (words[1] == facts.n_nodes)
            facts.label = words[at + 1];
        facts.n_nodes += words[at];
        facts.n_cells++;
    }
    return facts;
}
