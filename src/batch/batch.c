/* batch.c - see batch.h. */
#include "batch.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        sizes[k] = rg_dataset_graph(data, list ? list[k] : k).n_nodes;
    size.nodes = sum_of_largest(sizes, n, graphs);
    for (size_t k = 0; k < n; k++)
        sizes[k] = rg_dataset_graph(data, list ? list[k] : k).n_arcs;
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

/* Where the pieces of rows go: counted once, then set. */
static void lay_rows(rg_rows *rows, rg_carve *carve, char *block, const rg_batch_size *size,
                     uint32_t n_colours, size_t real)
{
    size_t nodes = (size_t)size->nodes, arcs = (size_t)size->arcs;
    size_t of = rg_carve_add(carve, nodes, sizeof *rows->of);
    size_t node = rg_carve_add(carve, nodes, sizeof *rows->node);
    size_t count = rg_carve_add(carve, nodes, sizeof *rows->count);
    size_t colour = rg_carve_add(carve, nodes, sizeof *rows->colour);
    size_t place = rg_carve_add(carve, n_colours, sizeof *rows->place);
    size_t own = rg_carve_add(carve, nodes, sizeof *rows->own);
    size_t first = rg_carve_add(carve, nodes + 1, sizeof *rows->first);
    size_t col = rg_carve_add(carve, arcs, sizeof *rows->col);
    size_t times = rg_carve_add(carve, arcs, real);
    size_t inverse = rg_carve_add(carve, nodes, real);
    size_t root = rg_carve_add(carve, nodes, real);
    size_t near = rg_carve_add(carve, nodes, real);
    if (!block)
        return;
    *rows = (rg_rows){.of = (void *)(block + of),
                      .node = (void *)(block + node),
                      .count = (void *)(block + count),
                      .colour = (void *)(block + colour),
                      .place = (void *)(block + place),
                      .own = (void *)(block + own),
                      .first = (void *)(block + first),
                      .col = (void *)(block + col),
                      .times = block + times,
                      .inverse = block + inverse,
                      .root = block + root,
                      .near = block + near};
    memset(rows->place, 0, n_colours * sizeof *rows->place);
}

/* Does the batch have rows of the level? */
static bool has_level(const rg_colouring *colouring, uint32_t level)
{
    return level == RG_EACH ? !colouring || colouring->each
                            : colouring && level < colouring->n_rounds;
}

static void lay(rg_batch *batch, rg_carve *carve, char *block, const rg_batch_size *size)
{
    size_t graphs = size->graphs;
    size_t sample = rg_carve_add(carve, graphs, sizeof *batch->sample);
    size_t first = rg_carve_add(carve, graphs + 1, sizeof *batch->first);
    size_t node = rg_carve_add(carve, graphs, sizeof *batch->node);
    size_t id = rg_carve_add(carve, (size_t)size->nodes, sizeof *batch->id);
    for (uint32_t t = 0; t < RG_N_LEVELS; t++)
        if (has_level(batch->colouring, t))
            lay_rows(&batch->rows[t], carve, block, size,
                     t == RG_EACH ? 0 : batch->colouring->rounds[t].n,
                     rg_real_size(batch->precision));
    if (!block)
        return;
    batch->sample = (void *)(block + sample);
    batch->first = (void *)(block + first);
    batch->node = (void *)(block + node);
    batch->id = (void *)(block + id);
    batch->block = block;
}

rg_status rg_batch_open(rg_batch *batch, const rg_batch_size *size, const rg_colouring *colouring,
                        rg_precision precision, rg_error *err)
{
    rg_batch opened = {.colouring = colouring, .precision = precision};
    rg_carve counted = {0}, again = {0};
    lay(&opened, &counted, NULL, size);
    char *block = rg_carve_alloc(&counted);
    if (!block)
        return rg_fail_memory(err, "a batch");
    lay(&opened, &again, block, size);
    *batch = opened;
    return RG_OK;
}

void rg_batch_close(rg_batch *batch)
{
    rg_free(batch->block);
    *batch = (rg_batch){0};
}

/* What aggregations need of the degree of a row's nodes. */
static void fill_degree(rg_rows *rows, rg_precision precision, uint32_t row, uint32_t degree)
{
    double inverse = 1 / ((double)degree + 1);
    rg_real_put(precision, rows->inverse, row, inverse);
    rg_real_put(precision, rows->root, row, sqrt(inverse));
    rg_real_put(precision, rows->near, row, degree ? 1 / (double)degree : 0);
}

/* A row for a colour that the batch did not have yet. All of its nodes' neighbours are in the
 * batch, so their colours have rows. */
static uint32_t row_new(rg_batch *batch, rg_rows *rows, const rg_wl_colours *colours,
                        uint32_t colour, uint32_t node)
{
    uint32_t row = rows->n++, entry = rows->first[row];
    const rg_wl_colour *like = &colours->colours[colour];
    rows->colour[row] = colour;
    rows->place[colour] = row;
    rows->node[row] = node;
    rows->count[row] = 0;
    fill_degree(rows, batch->precision, row, like->degree);
    if (rows > batch->rows) {
        const uint32_t *place = rows[-1].place;
        rows->own[row] = place[like->before];
        for (uint64_t e = like->first; e < like[1].first; e++, entry++) {
            rows->col[entry] = place[colours->entries[e].colour];
            rg_real_put(batch->precision, rows->times, entry, colours->entries[e].times);
        }
    }
    rows->first[row + 1] = entry;
    return row;
}

static void fill_round(rg_batch *batch, uint32_t t)
{
    rg_rows *rows = &batch->rows[t];
    const rg_wl_colours *colours = &batch->colouring->rounds[t];
    rows->n = 0;
    rows->first[0] = 0;
    for (uint32_t i = 0; i < batch->n_nodes; i++) {
        uint32_t colour = colours->of[batch->id[i]], row = rows->place[colour];
        if (row >= rows->n || rows->colour[row] != colour)
            row = row_new(batch, rows, colours, colour, i);
        rows->of[i] = row;
        rows->count[row]++;
    }
}

static void fill_each(rg_batch *batch, const rg_dataset *data)
{
    rg_rows *rows = &batch->rows[RG_EACH];
    uint32_t entry = 0;
    rows->n = batch->n_nodes;
    for (uint32_t g = 0; g < batch->n_graphs; g++) {
        rg_graph graph = rg_dataset_graph(data, batch->sample[g]);
        for (uint32_t i = 0, node = batch->first[g]; i < graph.n_nodes; i++, node++) {
            rows->of[node] = rows->node[node] = rows->own[node] = node;
            rows->count[node] = 1;
            rows->first[node] = entry;
            fill_degree(rows, batch->precision, node, (uint32_t)(graph.row[i + 1] - graph.row[i]));
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++, entry++) {
                rows->col[entry] = batch->first[g] + graph.col[k];
                rg_real_put(batch->precision, rows->times, entry, 1);
            }
        }
    }
    rows->first[rows->n] = entry;
}

void rg_batch_fill(rg_batch *batch, const rg_dataset *data, const uint32_t *list, uint32_t n)
{
    uint32_t nodes = 0;
    for (uint32_t g = 0; g < n; g++) {
        rg_graph graph = rg_dataset_graph(data, list[g]);
        batch->sample[g] = list[g];
        batch->first[g] = nodes;
        batch->node[g] = graph.first_node;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            batch->id[nodes++] = graph.first_node + i;
    }
    batch->first[n] = nodes;
    batch->n_graphs = n;
    batch->n_nodes = nodes;
    for (uint32_t t = 0; batch->colouring && t < batch->colouring->n_rounds; t++)
        fill_round(batch, t);
    if (has_level(batch->colouring, RG_EACH))
        fill_each(batch, data);
}
