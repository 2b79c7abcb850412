/* structures.c - see counts.h: cycles, cliques and patterns of every graph.
 *
 * Labels count, for each node, the occurrences that hold it. An occurrence of a pattern of k nodes
 * is counted at k nodes, so a graph has a k-th of the sum over its nodes. */
#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "kernel.h"
#include "label/kind.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct counting {
    const rg_dataset *data;
    const rg_label_spec *spec;
    uint64_t budget;
    size_t dims;
    double *table; /* [graph][dims] */
    size_t *whole; /* [graph]: so many dimensions, from the first on, are within the budget */
    rg_count_space **spaces;
    int64_t **nodes; /* a worker's: [node][dims] of one graph */
    size_t *room;
} counting;

static rg_status count_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    counting *c = context;
    rg_label_task task = {.data = c->data,
                          .index = index,
                          .graph = rg_dataset_graph(c->data, index),
                          .budget = c->budget,
                          .space = c->spaces[worker]};
    size_t need = 0;
    double *own = c->table + index * c->dims;
    if (!rg_size_mul(&need, task.graph.n_nodes, c->dims) ||
        !rg_grow(&c->nodes[worker], &c->room[worker], need + 1, sizeof **c->nodes))
        return rg_fail_memory(err, "counting structures");
    int64_t *nodes = c->nodes[worker];
    rg_status status = c->spec->kind->numbers(nodes, c->spec, &task, err);
    c->whole[index] = task.capped ? 0 : c->dims;
    while (!status && task.capped && c->whole[index] < c->dims &&
           nodes[c->whole[index]] != RG_CAPPED)
        c->whole[index]++;
    for (size_t k = 0; !status && !task.capped && k < need; k++)
        own[k % c->dims] += (double)nodes[k];
    for (size_t d = 0; d < c->dims; d++)
        own[d] /= c->spec->kind->counted->size(c->spec, d);
    return status;
}

static rg_status counting_open(counting *c, unsigned n_workers, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(c->data), n_all = 0;
    if (rg_size_mul(&n_all, n, c->dims))
        c->table = rg_alloc_zero(n_all, sizeof *c->table);
    c->whole = rg_alloc_zero(n, sizeof *c->whole);
    c->spaces = rg_alloc_zero(n_workers, sizeof *c->spaces);
    c->nodes = rg_alloc_zero(n_workers, sizeof *c->nodes);
    c->room = rg_alloc_zero(n_workers, sizeof *c->room);
    bool fine = c->table && c->whole && c->spaces && c->nodes && c->room;
    for (unsigned w = 0; fine && w < n_workers; w++)
        fine = (c->spaces[w] = rg_count_space_new()) != NULL;
    return fine ? RG_OK : rg_fail_memory(err, "counting structures");
}

static void counting_close(counting *c, unsigned n_workers)
{
    for (unsigned w = 0; w < n_workers; w++) {
        if (c->spaces)
            rg_count_space_free(c->spaces[w]);
        if (c->nodes)
            rg_free(c->nodes[w]);
    }
    rg_free(c->spaces);
    rg_free(c->nodes);
    rg_free(c->room);
    rg_free(c->whole);
    rg_free(c->table);
}

/* Numbers that are not there are not taken for 0. Whether a length or size is within the budget
 * does not depend on what else is counted, so the largest that is can be told. */
static rg_status check(const counting *c, const char *spec, rg_error *err)
{
    size_t over = 0, whole = c->dims, n = rg_dataset_n_graphs(c->data);
    char hint[64] = "smaller structures";
    for (size_t g = 0; g < n; g++) {
        over += c->whole[g] < c->dims;
        whole = c->whole[g] < whole ? c->whole[g] : whole;
    }
    if (over == 0)
        return RG_OK;
    if (whole > 0 && !c->spec->kind->counted->text)
        snprintf(hint, sizeof hint, "max=%" PRIu32 ", which is within it",
                 c->spec->kind->counted->size(c->spec, whole - 1));
    return rg_fail(err, RG_EDATA,
                   "'%s': counting %s takes more than %" PRIu64 " steps in %zu of %zu graphs, "
                   "expected at most that (settings that help: 'counts' with %s; a larger "
                   "'budget')",
                   rg_dataset_name(c->data), spec, c->budget, over, n, hint);
}

static rg_status run(rg_counts **out, counting *c, const char *spec, bool logarithm, rg_pool *pool,
                     rg_error *err)
{
    size_t n = rg_dataset_n_graphs(c->data);
    rg_status status = rg_pool_run(pool, n, count_graph, c, err);
    if (!status)
        status = check(c, spec, err);
    for (size_t k = 0; !status && logarithm && k < n * c->dims; k++)
        c->table[k] = rg_log(1 + c->table[k]);
    return status ? status : rg_counts_of_table(out, c->table, n, c->dims, err);
}

static rg_status check_labels(const rg_label_spec *spec, const rg_dataset *data, rg_error *err)
{
    char known[64] = "";
    if (spec->kind->counted)
        return spec->kind->check_data ? spec->kind->check_data(spec, data, err) : RG_OK;
    rg_label_spec_counted(known, sizeof known, "");
    return rg_fail(err, RG_EUSAGE, "found '%s', expected %s", spec->kind->name, known);
}

rg_status rg_counts_structures(rg_counts **out, const char *spec, bool logarithm,
                               const rg_dataset *data, const rg_count_options *options,
                               rg_error *err)
{
    counting c = {.data = data, .budget = options->label.budget};
    rg_label_spec *parsed = NULL;
    rg_pool *pool = NULL;
    rg_status status = rg_label_spec_parse(&parsed, spec, err);
    if (status)
        return status;
    status = check_labels(parsed, data, err);
    if (!status)
        status = rg_pool_new(&pool, options->label.n_threads, err);
    if (!status) {
        c.spec = parsed;
        c.dims = rg_label_spec_dims(parsed);
        status = counting_open(&c, rg_pool_size(pool), err);
        if (!status)
            status = run(out, &c, spec, logarithm, pool, err);
        counting_close(&c, rg_pool_size(pool));
    }
    rg_pool_free(pool);
    rg_label_spec_free(parsed);
    return status;
}

/* ---- the kernels */

typedef struct structures_kernel {
    rg_kernel base;
    bool logarithm;
} structures_kernel;

static const rg_kernel_setting logarithm =
    RG_KERNEL_FLAG("log", "use log(1 + count) instead of the count", structures_kernel, logarithm);

static const rg_kernel_setting budget = {
    .help = {"budget", "1 .. 2^40", "maximum number of steps for counting in one graph"},
    .offset = offsetof(rg_kernel, budget),
    .low = 1,
    .high = (int64_t)1 << 40,
};

static rg_status count(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err)
{
    bool log = ((const structures_kernel *)k)->logarithm;
    return rg_counts_structures(layers, k->counts, log, data, options, err);
}

#define STRUCTURES                                     \
    .size = sizeof(structures_kernel), .count = count, \
    .settings = {&rg_kernel_counts, &logarithm, &budget, &rg_kernel_normalise, &rg_kernel_c}

/* The connected graphs of three and of four nodes, each as it stands. */
const rg_baseline_kind rg_baseline_graphlet = RG_KERNEL(
    "graphlet", "counts of small subgraphs, SVM", STRUCTURES,
    .counts = "pattern(path(3), triangle, path(4), star(3), cycle(4), "
              "graph(\"0 1; 1 2; 2 0; 2 3\"), graph(\"0 1; 1 2; 2 3; 3 0; 0 2\"), clique(4))");
/* Rings as chemists count them. */
const rg_baseline_kind rg_baseline_cycles =
    RG_KERNEL("cycles", "counts of cycles by length, SVM", STRUCTURES,
              .counts = "cycles(kind=simple, max=8)");
