/* compile.c - from a rule to connections: two passes over the graphs, each in parallel.
 *
 * The first pass finds the pairs of every graph and notes their keys; what it found is kept a graph
 * at a time, in blocks of exactly the right size. Then keys are numbered, and the second pass
 * writes columns and weights to their final place and gives the blocks back. */
#include "compile.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/sized.h"
#include "bins.h"
#include "evaluate.h"

#include <stdio.h>
#include <string.h>

/* Connections of one graph before they are numbered. */
typedef struct graph_connections {
    void *block; /* codes, then columns */
    uint64_t n;
    unsigned worker; /* whose codes they are */
} graph_connections;

/* What one thread works with. */
typedef struct worker_space {
    rg_evaluator evaluator;
    bool open;
    uint32_t *codes, *cols; /* of the graph at hand */
    size_t n, codes_capacity, cols_capacity;
    uint64_t connections, unseen;
} worker_space;

typedef struct compile_job {
    rg_cancel *cancel;
    const rg_world *world;
    const rg_plan *plan;
    rg_fixed_rows fixed;
    rg_codes *codes;
    bool known;          /* apply: codes are weights */
    bool keep;           /* connections are wanted */
    uint64_t *unseen_of; /* [graph]; NULL: not wanted */
    worker_space *spaces;
    graph_connections *pieces; /* one per graph */
    uint32_t *row;             /* connections of every output */
    uint64_t *first;           /* outputs before each graph */
    uint64_t max_size;         /* connections that are allowed */
    atomic_uint_least64_t size;
    rg_connections *out;
} compile_job;

RG_DEFINE_INIT(rg_rule_options, RG_RULE_OPTIONS_INIT)

static bool is_small(const compile_job *j)
{
    return j->world->n_in <= 65536;
}

static rg_status too_large(const compile_job *j, rg_error *err)
{
    return rg_fail(err, RG_EFAIL, "rule: more than %llu connections exceed the memory limit",
                   (unsigned long long)j->max_size);
}

/* One connection of the graph at hand. */
static rg_status note(compile_job *j, unsigned worker, uint32_t col, const int64_t *key,
                      rg_error *err)
{
    worker_space *w = &j->spaces[worker];
    uint32_t code = j->known ? rg_codes_find(j->codes, key) : rg_codes_add(j->codes, worker, key);
    if (code == RG_NO_CODE && !j->known)
        return rg_fail_memory(err, "the keys of a rule");
    if (code == RG_NO_CODE) {
        w->unseen++;
        return RG_OK;
    }
    w->connections++;
    if (!j->keep)
        return RG_OK;
    if (w->n >= j->max_size)
        return too_large(j, err);
    if (w->n == UINT32_MAX - 1)
        return rg_fail(err, RG_EFAIL, "rule: a graph has more than 2^32 - 2 connections");
    if (!rg_grow(&w->codes, &w->codes_capacity, w->n + 1, sizeof *w->codes) ||
        !rg_grow(&w->cols, &w->cols_capacity, w->n + 1, sizeof *w->cols))
        return rg_fail_memory(err, "the connections of a rule");
    w->codes[w->n] = code;
    w->cols[w->n++] = col;
    return RG_OK;
}

/* All candidates of one output. */
static rg_status scan_row(compile_job *j, unsigned worker, uint32_t output, uint32_t n_inputs,
                          rg_error *err)
{
    rg_evaluator *e = &j->spaces[worker].evaluator;
    rg_candidates row = rg_evaluator_row(e, output, n_inputs);
    int64_t key[RG_RULE_KEYS_MAX];
    uint32_t slot = row.value ? (uint32_t)j->plan->sources[0].slot : 0;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < row.n; k++) {
        uint32_t col = row.j ? row.j[k] : (uint32_t)k;
        rg_evaluator_pair(e, output, col);
        if (row.value) {
            e->slot[slot] = row.value[k];
            e->have = UINT32_C(1) << slot;
        }
        if (rg_evaluator_key(e, key))
            status = note(j, worker, col, key, err);
    }
    return status;
}

/* A bias: one value per output, or none. */
static rg_status scan_bias(compile_job *j, unsigned worker, uint32_t output, rg_error *err)
{
    worker_space *w = &j->spaces[worker];
    int64_t key[RG_RULE_KEYS_MAX];
    size_t before = w->n;
    rg_status status = RG_OK;
    rg_evaluator_pair(&w->evaluator, output, 0);
    if (rg_evaluator_key(&w->evaluator, key))
        status = note(j, worker, 0, key, err);
    if (status || !j->keep || w->n > before)
        return status;
    if (!rg_grow(&w->codes, &w->codes_capacity, w->n + 1, sizeof *w->codes))
        return rg_fail_memory(err, "the connections of a rule");
    w->codes[w->n++] = RG_NO_CODE;
    return RG_OK;
}

/* Columns at half the size if they are 16-bit ones. */
static rg_status keep_piece(compile_job *j, size_t graph, unsigned worker, rg_error *err)
{
    worker_space *w = &j->spaces[worker];
    graph_connections *p = &j->pieces[graph];
    size_t width = is_small(j) ? 2 : 4;
    bool bias = j->world->rule->info.kind == RG_RULE_BIAS;
    uint64_t size = atomic_fetch_add(&j->size, w->n) + w->n;
    if (size > j->max_size)
        return too_large(j, err);
    *p = (graph_connections){rg_alloc(w->n, sizeof *w->codes + (bias ? 0 : width)), w->n, worker};
    if (!p->block)
        return rg_fail_memory(err, "the connections of a rule");
    if (w->n)
        memcpy(p->block, w->codes, w->n * sizeof *w->codes);
    void *cols = (uint32_t *)p->block + w->n;
    for (size_t k = 0; !bias && width == 2 && k < w->n; k++)
        ((uint16_t *)cols)[k] = (uint16_t)w->cols[k];
    if (!bias && width == 4 && w->n)
        memcpy(cols, w->cols, w->n * width);
    return RG_OK;
}

static rg_status find_graph(void *context, size_t graph, unsigned worker, rg_error *err)
{
    compile_job *j = context;
    worker_space *w = &j->spaces[worker];
    uint32_t n_outputs, n_inputs;
    bool bias = j->world->rule->info.kind == RG_RULE_BIAS;
    uint64_t unseen = w->unseen;
    rg_status status = RG_OK;
    if (!w->open) {
        w->open = true;
        status = rg_evaluator_open(&w->evaluator, j->world, j->plan, err);
        w->evaluator.fixed = &j->fixed;
    }
    if (!status)
        status = rg_evaluator_graph(&w->evaluator, graph, err);
    rg_world_size(j->world, graph, &n_outputs, &n_inputs);
    w->n = 0;
    for (uint32_t i = 0; !status && i < n_outputs; i++) {
        size_t before = w->n;
        if (rg_cancel_is(j->cancel))
            return rg_fail_cancelled(err);
        status = bias ? scan_bias(j, worker, i, err) : scan_row(j, worker, i, n_inputs, err);
        if (j->keep && !bias)
            j->row[j->first[graph] + i] = (uint32_t)(w->n - before);
    }
    if (j->unseen_of)
        j->unseen_of[graph] += w->unseen - unseen;
    return !status && j->keep ? keep_piece(j, graph, worker, err) : status;
}

static rg_status place_graph(void *context, size_t graph, unsigned worker, rg_error *err)
{
    compile_job *j = context;
    graph_connections *p = &j->pieces[graph];
    rg_connections *out = j->out;
    const uint32_t *codes = p->block;
    uint64_t start = out->bias ? out->first[graph] : out->start[graph];
    (void)worker;
    (void)err;
    for (uint64_t k = 0; k < p->n; k++)
        out->weight[start + k] = j->known || codes[k] == RG_NO_CODE
                                     ? codes[k]
                                     : rg_codes_weight(j->codes, p->worker, codes[k]);
    if (!out->bias && p->n)
        memcpy((char *)out->col + start * (out->small ? 2 : 4), codes + p->n,
               (size_t)p->n * (out->small ? 2 : 4));
    rg_free(p->block);
    p->block = NULL;
    return RG_OK;
}

/* The tables, when all pieces are there. */
static rg_status place(rg_connections **out, compile_job *j, rg_pool *pool, rg_error *err)
{
    rg_status status = rg_connections_new(&j->out, j->world, atomic_load(&j->size), err);
    if (status)
        return status;
    uint64_t start = 0;
    for (size_t g = 0; j->out->row && g < j->world->n_graphs; g++) {
        uint32_t *row = j->out->row + j->first[g] + g, at = 0;
        j->out->start[g] = start;
        row[0] = 0;
        for (uint64_t k = j->first[g]; k < j->first[g + 1]; k++)
            *++row = at += j->row[k];
        start += at;
    }
    status = rg_pool_run(pool, j->world->n_graphs, place_graph, j, err);
    if (status)
        rg_connections_free(j->out);
    else
        *out = j->out;
    return status;
}

static rg_status open_job(compile_job *j, unsigned n_workers, rg_error *err)
{
    const rg_world *world = j->world;
    bool bias = world->rule->info.kind == RG_RULE_BIAS;
    j->spaces = rg_alloc_zero(n_workers, sizeof *j->spaces);
    j->pieces = rg_alloc_zero(j->keep ? world->n_graphs : 0, sizeof *j->pieces);
    j->row = rg_alloc_zero(j->keep && !bias ? (size_t)world->n_outputs : 0, sizeof *j->row);
    j->first = rg_alloc(world->n_graphs + 1, sizeof *j->first);
    if (!j->spaces || !j->pieces || !j->row || !j->first)
        return rg_fail_memory(err, "compiling a rule");
    j->first[0] = 0;
    for (size_t k = 0; k < world->n_graphs; k++) {
        uint32_t n_outputs, n_inputs;
        rg_world_size(world, k, &n_outputs, &n_inputs);
        j->first[k + 1] = j->first[k] + n_outputs;
    }
    return RG_OK;
}

static void close_job(compile_job *j, unsigned n_workers)
{
    for (unsigned k = 0; j->spaces && k < n_workers; k++) {
        rg_evaluator_close(&j->spaces[k].evaluator);
        rg_free(j->spaces[k].codes);
        rg_free(j->spaces[k].cols);
    }
    for (size_t k = 0; j->keep && j->pieces && k < j->world->n_graphs; k++)
        rg_free(j->pieces[k].block);
    rg_free(j->spaces);
    rg_free(j->pieces);
    rg_free(j->row);
    rg_free(j->first);
}

/* Connections that fit into max_bytes. */
static uint64_t allowed(const rg_world *world, uint64_t max_bytes)
{
    uint64_t fixed = rg_connections_need(world, 0);
    uint64_t each = world->rule->info.kind == RG_RULE_BIAS ? 4 : world->n_in <= 65536 ? 6 : 8;
    return max_bytes < fixed ? 0 : (max_bytes - fixed) / each;
}

static uint64_t count_possible(const rg_world *world)
{
    uint64_t n = 1;
    for (size_t k = 0; k < world->rule->info.n_keys; k++) {
        uint64_t own = rg_world_count(world, world->rule->keys[k]);
        if (__builtin_mul_overflow(n, own, &n))
            n = UINT64_MAX;
        if (own == 0)
            return 0;
    }
    return n;
}

static rg_status write_report(rg_rule_report *out, const compile_job *j, unsigned n_workers,
                              size_t weights, rg_error *err)
{
    rg_rule_report report = {.size = sizeof report,
                             .pairs = j->world->n_pairs,
                             .weights = weights,
                             .possible = count_possible(j->world),
                             .all_pairs = j->plan->all && !j->fixed.there};
    for (unsigned k = 0; k < n_workers; k++) {
        report.scanned += j->spaces[k].evaluator.scanned;
        report.connections += j->spaces[k].connections;
        report.unseen += j->spaces[k].unseen;
    }
    if (j->fixed.there)
        snprintf(report.plan, sizeof report.plan, "pairs that their positions allow");
    else if (!rg_plan_print(report.plan, sizeof report.plan, j->plan, j->world->rule))
        return rg_fail_memory(err, "compiling a rule");
    *out = report;
    return RG_OK;
}

rg_status rg_rule_run(rg_rule_keys **keys, rg_connections **out, rg_rule_report *report,
                      const rg_rule_keys *known, const rg_rule *rule, const rg_rule_input *input,
                      const rg_rule_options *options, const rg_compile_ways *ways, rg_error *err)
{
    rg_rule_options own = RG_RULE_OPTIONS_INIT;
    rg_rule_input known_input = RG_RULE_INPUT_INIT;
    rg_world world;
    rg_plan plan;
    rg_codes codes = {0};
    rg_pool *pool = NULL;
    rg_rule_keys *new_keys = NULL;
    rg_connections *connections = NULL;
    double *edges = NULL;
    rg_rule_report told = RG_RULE_REPORT_INIT;
    compile_job j = {.world = &world, .plan = &plan, .codes = &codes, .known = known, .keep = out};
    unsigned n_workers = 0;
    rg_cancel cancel;
    j.cancel = &cancel;
    rg_status status = RG_TAKE(rg_rule_options, &own, options, err);
    if (!status)
        status = RG_TAKE(rg_rule_input, &known_input, input, err);
    if (!status)
        status = rg_sized_check(report, "rg_rule_report", err);
    if (!status)
        status = rg_world_open(&world, rule, &known_input, err);
    if (status)
        return status;
    rg_plan_make(&plan, rule);
    if (ways->all_pairs)
        plan = (rg_plan){.all = true};
    j.max_size = allowed(&world, own.max_bytes);
    if (rule->info.n_bins && !known)
        status = rg_bins_fit(&edges, &world, err);
    else if (rule->info.n_bins && known->n_edges != world.n_edges)
        status = rg_fail(err, RG_EDATA,
                         "rule: found %zu edges of bins, expected %zu: they are of "
                         "samples of another shape",
                         known->n_edges, world.n_edges);
    world.edges = known ? known->edges : edges;
    if (!status)
        status = rg_pool_new(&pool, own.n_threads, err);
    if (status) {
        rg_free(edges);
        return status;
    }
    rg_cancel_open(&cancel, own.cancel, own.cancel_context);
    rg_pool_cancel(pool, &cancel);
    n_workers = rg_pool_size(pool);
    status = known ? rg_codes_open_known(&codes, &world, known, !ways->tables, err)
                   : rg_codes_open(&codes, &world, n_workers, !ways->tables, err);
    if (!status)
        status = open_job(&j, n_workers, err);
    if (!status && !ways->all_pairs)
        status = rg_fixed_rows_open(&j.fixed, &world, err);
    if (!status)
        status = rg_pool_run(pool, world.n_graphs, find_graph, &j, err);
    if (!status && !known)
        status = rg_codes_number(&new_keys, &codes, err);
    if (!status && out)
        status = place(&connections, &j, pool, err);
    if (!status)
        status = write_report(&told, &j, n_workers, (known ? known : new_keys)->n, err);
    if (!status) {
        if (!known) {
            new_keys->edges = edges;
            new_keys->n_edges = edges ? world.n_edges : 0;
            *keys = new_keys;
        }
        if (out)
            *out = connections;
        rg_sized_put(report, &told, sizeof told);
    } else {
        rg_rule_keys_free(new_keys);
        rg_connections_free(connections);
        rg_free(edges);
    }
    close_job(&j, n_workers);
    rg_fixed_rows_close(&j.fixed);
    rg_codes_close(&codes);
    rg_pool_free(pool);
    return status;
}

rg_status rg_rule_compile(rg_rule_keys **keys, rg_connections **out, rg_rule_report *report,
                          const rg_rule *rule, const rg_rule_input *input,
                          const rg_rule_options *options, rg_error *err)
{
    return rg_rule_run(keys, out, report, NULL, rule, input, options, &(rg_compile_ways){0}, err);
}

rg_status rg_rule_apply(rg_connections **out, rg_rule_report *report, const rg_rule_keys *keys,
                        const rg_rule *rule, const rg_rule_input *input,
                        const rg_rule_options *options, rg_error *err)
{
    if (keys->width != rule->info.n_keys)
        return rg_fail(err, RG_EUSAGE,
                       "rule: found keys of %zu numbers, expected %zu: they are of another rule",
                       keys->width, rule->info.n_keys);
    return rg_rule_run(NULL, out, report, keys, rule, input, options, &(rg_compile_ways){0}, err);
}
