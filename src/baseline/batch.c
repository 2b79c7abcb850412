/* batch.c - see batch.h. */
#include "batch.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

static int larger_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static uint64_t sum_of_largest(uint64_t *sizes, size_t n, uint32_t graphs)
{
    uint64_t sum = 0;
    qsort(sizes, n, sizeof *sizes, larger_first);
    for (size_t k = 0; k < n && k < graphs; k++)
        sum += sizes[k];
    return sum;
}

rg_status rg_batch_measure(rg_batch_size *out, const rg_dataset *data, const uint32_t *list,
                           size_t n, uint32_t graphs, rg_error *err)
{
    uint64_t *sizes = rg_alloc(n, sizeof *sizes);
    rg_batch_size size = {.graphs = n < graphs ? (uint32_t)n : graphs};
    if (!sizes)
        return rg_fail_memory(err, "sizes of graphs");
    for (size_t k = 0; k < n; k++)
        sizes[k] = rg_dataset_graph(data, list[k]).n_nodes;
    size.nodes = sum_of_largest(sizes, n, graphs);
    for (size_t k = 0; k < n; k++)
        sizes[k] = rg_dataset_graph(data, list[k]).n_arcs;
    size.arcs = sum_of_largest(sizes, n, graphs);
    rg_free(sizes);
    if (size.nodes >= INT32_MAX || size.arcs >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "a batch of %u graphs may have %llu nodes and %llu arcs, expected fewer "
                       "than 2^31 and 2^32: a smaller 'batch' may help",
                       (unsigned)size.graphs, (unsigned long long)size.nodes,
                       (unsigned long long)size.arcs);
    *out = size;
    return RG_OK;
}

rg_status rg_batch_open(rg_batch *batch, const rg_batch_size *size, rg_precision precision,
                        rg_error *err)
{
    rg_layout layout = {0};
    size_t nodes = (size_t)size->nodes, graphs = size->graphs, real = rg_real_size(precision);
    size_t sample = rg_layout_add(&layout, graphs, sizeof *batch->sample);
    size_t first = rg_layout_add(&layout, graphs + 1, sizeof *batch->first);
    size_t node = rg_layout_add(&layout, graphs, sizeof *batch->node);
    size_t row = rg_layout_add(&layout, nodes + 1, sizeof *batch->row);
    size_t col = rg_layout_add(&layout, (size_t)size->arcs, sizeof *batch->col);
    size_t inverse = rg_layout_add(&layout, nodes, real);
    size_t root = rg_layout_add(&layout, nodes, real);
    size_t near = rg_layout_add(&layout, nodes, real);
    char *block = rg_layout_alloc(&layout);
    if (!block)
        return rg_fail_memory(err, "a batch");
    *batch = (rg_batch){.sample = (void *)(block + sample),
                        .first = (void *)(block + first),
                        .node = (void *)(block + node),
                        .row = (void *)(block + row),
                        .col = (void *)(block + col),
                        .inverse = block + inverse,
                        .root = block + root,
                        .near = block + near,
                        .block = block};
    return RG_OK;
}

void rg_batch_close(rg_batch *batch)
{
    rg_free(batch->block);
    *batch = (rg_batch){0};
}

/* What aggregations need of the degree of a node. */
static void fill_degree(rg_batch *batch, rg_precision precision, uint32_t node, uint32_t degree)
{
    double inverse = 1 / ((double)degree + 1), near = degree ? 1 / (double)degree : 0;
    if (precision == RG_FLOAT) {
        ((float *)batch->inverse)[node] = (float)inverse;
        ((float *)batch->root)[node] = (float)sqrt(inverse);
        ((float *)batch->near)[node] = (float)near;
    } else {
        ((double *)batch->inverse)[node] = inverse;
        ((double *)batch->root)[node] = sqrt(inverse);
        ((double *)batch->near)[node] = near;
    }
}

void rg_batch_fill(rg_batch *batch, const rg_dataset *data, rg_precision precision,
                   const uint32_t *list, uint32_t n)
{
    uint32_t nodes = 0, arcs = 0;
    for (uint32_t g = 0; g < n; g++) {
        rg_graph graph = rg_dataset_graph(data, list[g]);
        batch->sample[g] = list[g];
        batch->first[g] = nodes;
        batch->node[g] = graph.first_node;
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            uint32_t degree = (uint32_t)(graph.row[i + 1] - graph.row[i]);
            batch->row[nodes + i] = arcs;
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++)
                batch->col[arcs++] = nodes + graph.col[k];
            fill_degree(batch, precision, nodes + i, degree);
        }
        nodes += graph.n_nodes;
    }
    batch->first[n] = nodes;
    batch->row[nodes] = arcs;
    batch->n_graphs = n;
    batch->n_nodes = nodes;
}
