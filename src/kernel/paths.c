/* paths.c - see counts.h: pairs of labels with the distance between them.
 *
 * Every graph is one item: its pairs are collected as words, sorted and counted, and the words get
 * numbers afterwards, graph after graph, so that they do not depend on who was first. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"
#include "kernel.h"
#include "regula/property.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "counting shortest paths";

/* The lower label first: the pair has no direction. */
typedef struct trio {
    uint32_t low, high, distance;
} trio;

/* What occurs in a graph, and how often. */
typedef struct graph_paths {
    trio *trios;
    double *counts;
    size_t n;
} graph_paths;

typedef struct walking {
    const rg_dataset *data;
    const uint32_t *labels;
    int64_t distance; /* no further */
    rg_property_space **spaces;
    graph_paths *graphs;
} walking;

static int compare_trios(const void *a, const void *b)
{
    const trio *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

/* All pairs i < j. Moved to *trios, which has room for *n of them. */
static rg_status collect(trio **trios, size_t *n, const walking *w, size_t index,
                         rg_property_space *space, rg_error *err)
{
    rg_graph graph = rg_dataset_graph(w->data, index);
    const uint32_t *labels = w->labels + graph.first_node;
    size_t room = 0;
    rg_status status = rg_property_space_graph(space, index, err);
    for (uint32_t i = 0; !status && i < graph.n_nodes; i++) {
        rg_property_row row = rg_property_list(space, i, 1, w->distance);
        if (!rg_grow(trios, &room, *n + row.n, sizeof **trios))
            return rg_fail_memory(err, what);
        for (size_t k = 0; k < row.n; k++) {
            uint32_t a = labels[i], b = labels[row.j[k]];
            if (row.j[k] > i)
                (*trios)[(*n)++] = (trio){a < b ? a : b, a < b ? b : a, (uint32_t)row.value[k]};
        }
    }
    return status;
}

static rg_status walk_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    const walking *w = context;
    graph_paths *own = &w->graphs[index];
    size_t n = 0, used = 0;
    rg_status status = collect(&own->trios, &n, w, index, w->spaces[worker], err);
    if (status || n == 0)
        return status;
    qsort(own->trios, n, sizeof *own->trios, compare_trios);
    for (size_t k = 1; k < n; k++)
        used += compare_trios(&own->trios[k], &own->trios[k - 1]) != 0;
    own->counts = rg_alloc_zero(used + 1, sizeof *own->counts);
    if (!own->counts)
        return rg_fail_memory(err, what);
    own->counts[0] = 1;
    for (size_t k = 1; k < n; k++) {
        if (compare_trios(&own->trios[k], &own->trios[own->n]) != 0)
            own->trios[++own->n] = own->trios[k];
        own->counts[own->n]++;
    }
    own->n++;
    trio *fewer = rg_realloc(own->trios, own->n, sizeof *fewer);
    if (!fewer)
        return rg_fail_memory(err, what);
    own->trios = fewer;
    return RG_OK;
}

typedef struct feature_entry {
    uint32_t feature;
    double count;
} feature_entry;

static int compare_entries(const void *a, const void *b)
{
    const feature_entry *x = a, *y = b;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

/* Numbers for all that occurs, in the order of graphs. */
static rg_status number(rg_counts **out, const walking *w, rg_table *table, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(w->data), n_entries = 0, most = 0;
    for (size_t g = 0; g < n; g++) {
        n_entries += w->graphs[g].n;
        most = w->graphs[g].n > most ? w->graphs[g].n : most;
        for (size_t k = 0; k < w->graphs[g].n; k++)
            if (rg_table_add(table, &w->graphs[g].trios[k], sizeof(trio)) == RG_TABLE_NONE)
                return rg_fail_memory(err, what);
    }
    feature_entry *row = rg_alloc(most, sizeof *row);
    rg_counts *c = NULL;
    if (!row)
        return rg_fail_memory(err, what);
    rg_status status = rg_counts_new(&c, n, rg_table_size(table), n_entries, err);
    for (size_t g = 0, used = 0; !status && g < n; g++) {
        const graph_paths *own = &w->graphs[g];
        for (size_t k = 0; k < own->n; k++)
            row[k] =
                (feature_entry){rg_table_find(table, &own->trios[k], sizeof(trio)), own->counts[k]};
        qsort(row, own->n, sizeof *row, compare_entries);
        for (size_t k = 0; k < own->n; k++, used++) {
            c->feature[used] = row[k].feature;
            c->count[used] = row[k].count;
        }
        c->row[g + 1] = used;
    }
    rg_free(row);
    if (status)
        return status;
    rg_counts_index(c);
    *out = c;
    return RG_OK;
}

static rg_status walk(rg_counts **out, walking *w, rg_pool *pool, rg_error *err)
{
    rg_property dist = rg_property_default(RG_PROPERTY_DIST);
    rg_table *table = rg_table_new();
    size_t n = rg_dataset_n_graphs(w->data);
    unsigned n_workers = rg_pool_size(pool);
    w->spaces = rg_alloc_zero(n_workers, sizeof *w->spaces);
    w->graphs = rg_alloc_zero(n, sizeof *w->graphs);
    rg_status status = table && w->spaces && w->graphs ? RG_OK : rg_fail_memory(err, what);
    for (unsigned k = 0; !status && k < n_workers; k++)
        status = rg_property_space_new(&w->spaces[k], &dist, w->data, err);
    if (!status)
        status = rg_pool_run(pool, n, walk_graph, w, err);
    if (!status)
        status = number(out, w, table, err);
    for (unsigned k = 0; w->spaces && k < n_workers; k++)
        rg_property_space_free(w->spaces[k]);
    for (size_t g = 0; w->graphs && g < n; g++) {
        rg_free(w->graphs[g].trios);
        rg_free(w->graphs[g].counts);
    }
    rg_free(w->spaces);
    rg_free(w->graphs);
    rg_table_free(table);
    return status;
}

rg_status rg_counts_paths(rg_counts **out, uint32_t distance, const rg_dataset *data,
                          const rg_count_options *options, rg_error *err)
{
    bool labelled = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    const char *spec = options->labels ? options->labels : labelled ? "node" : "trivial";
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_pool *pool = NULL;
    rg_status status = rg_labeling_fit(&labeling, &labels, spec, data, options->fit, options->n_fit,
                                       &options->label, err);
    if (!status)
        status = rg_pool_new(&pool, options->label.n_threads, err);
    if (!status) {
        walking w = {.data = data,
                     .labels = rg_labels_data(labels),
                     .distance = distance ? (int64_t)distance : (int64_t)RG_DIST_ANY};
        status = walk(out, &w, pool, err);
    }
    rg_pool_free(pool);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return status;
}

/* ---- the kernel */

typedef struct paths_kernel {
    rg_kernel base;
    uint64_t distance; /* 0: any */
} paths_kernel;

static const rg_kernel_setting distance = {
    .help = {"distance", "any or a number from 1 on", "longest path to count"},
    .offset = offsetof(paths_kernel, distance),
    .low = 1,
    .high = 1000000000,
    .zero = "any",
    .wanted = "'any', or a number of edges from 1 on",
};

static rg_status count(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err)
{
    return rg_counts_paths(layers, (uint32_t)((const paths_kernel *)k)->distance, data, options,
                           err);
}

const rg_baseline_kind rg_baseline_paths = RG_KERNEL(
    "shortest-path", "shortest-path kernel, SVM", .size = sizeof(paths_kernel),
    .settings = {&distance, &rg_kernel_labels, &rg_kernel_normalise, &rg_kernel_c}, .count = count);
