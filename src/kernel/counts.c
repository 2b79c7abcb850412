/* counts.c - see counts.h: rows of counts, and what counts by nodes. */
#include "counts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "label/labeling.h"

#include <string.h>

static const char what[] = "the counts of a kernel";

rg_status rg_counts_new(rg_counts **out, size_t n, size_t n_features, uint64_t n_entries,
                        rg_error *err)
{
    rg_carve carve = {0};
    rg_counts shape = {.n = n, .n_features = n_features};
    size_t many = (size_t)n_entries;
    if (many != n_entries || n > UINT32_MAX || n_features > UINT32_MAX)
        return rg_fail_memory(err, what);
    rg_carve_add(&carve, 1, sizeof shape);
    size_t row = rg_carve_add(&carve, n + 1, sizeof *shape.row);
    size_t feature = rg_carve_add(&carve, many, sizeof *shape.feature);
    size_t count = rg_carve_add(&carve, many, sizeof *shape.count);
    size_t first = rg_carve_add(&carve, n_features + 2, sizeof *shape.first);
    size_t graph = rg_carve_add(&carve, many, sizeof *shape.graph);
    size_t there = rg_carve_add(&carve, many, sizeof *shape.there);
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return rg_fail_memory(err, what);
    shape.row = (uint64_t *)(void *)(block + row);
    shape.feature = (uint32_t *)(void *)(block + feature);
    shape.count = (double *)(void *)(block + count);
    shape.first = (uint64_t *)(void *)(block + first);
    shape.graph = (uint32_t *)(void *)(block + graph);
    shape.there = (double *)(void *)(block + there);
    memset(shape.row, 0, (n + 1) * sizeof *shape.row);
    *out = (rg_counts *)(void *)block;
    **out = shape;
    return RG_OK;
}

void rg_counts_free(rg_counts *counts)
{
    rg_free(counts);
}

void rg_counts_index(rg_counts *c)
{
    /* first[f + 1] is where the next entry of f goes, until it is where f + 1 begins. */
    memset(c->first, 0, (c->n_features + 2) * sizeof *c->first);
    for (uint64_t k = 0; k < c->row[c->n]; k++)
        c->first[c->feature[k] + 2]++;
    for (size_t f = 0; f < c->n_features; f++)
        c->first[f + 2] += c->first[f + 1];
    for (size_t g = 0; g < c->n; g++)
        for (uint64_t k = c->row[g]; k < c->row[g + 1]; k++) {
            uint64_t at = c->first[c->feature[k] + 1]++;
            c->graph[at] = (uint32_t)g;
            c->there[at] = c->count[k];
        }
}

rg_status rg_counts_of_nodes(rg_counts **out, const rg_dataset *data, const uint32_t *numbers,
                             size_t n_features, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(data);
    rg_counts *c = NULL;
    uint64_t used = 0;
    rg_status status = rg_counts_new(&c, n, n_features, rg_dataset_n_nodes(data), err);
    if (status)
        return status;
    for (size_t g = 0; g < n; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        uint32_t *own = c->feature + used;
        memcpy(own, numbers + graph.first_node, graph.n_nodes * sizeof *own);
        rg_sort_numbers(own, graph.n_nodes);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            if (used > c->row[g] && c->feature[used - 1] == own[i]) {
                c->count[used - 1]++;
            } else {
                c->feature[used] = own[i]; /* never beyond what is read */
                c->count[used++] = 1;
            }
        }
        c->row[g + 1] = used;
    }
    rg_counts_index(c);
    *out = c;
    return RG_OK;
}

rg_status rg_counts_of_table(rg_counts **out, const double *table, size_t n, size_t n_features,
                             rg_error *err)
{
    rg_counts *c = NULL;
    uint64_t used = 0;
    for (size_t k = 0; k < n * n_features; k++)
        used += table[k] != 0;
    rg_status status = rg_counts_new(&c, n, n_features, used, err);
    if (status)
        return status;
    used = 0;
    for (size_t g = 0; g < n; g++) {
        for (size_t f = 0; f < n_features; f++)
            if (table[g * n_features + f] != 0) {
                c->feature[used] = (uint32_t)f;
                c->count[used++] = table[g * n_features + f];
            }
        c->row[g + 1] = used;
    }
    rg_counts_index(c);
    *out = c;
    return RG_OK;
}
