/* generate.c - from a family's sketches to a data set: random node order, no two graphs equal.
 *
 * Graphs are drawn on any number of threads, each from random numbers of its own and into its own
 * place of the raw arrays. Then one thread goes over them in order and draws again what equals an
 * earlier graph, so that the outcome does not depend on which thread was first. */
#include "regula/generate.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/sized.h"
#include "base/table.h"
#include "family.h"
#include "graph/raw.h"

#include <string.h>
#include <strings.h>

static const rg_family *const families[RG_N_GENERATORS] = {
    [RG_LONG_RINGS] = &rg_family_long_rings,
    [RG_EVEN_ODD_RINGS] = &rg_family_even_odd_rings,
    [RG_EVEN_ODD_RINGS_COUNT] = &rg_family_even_odd_rings_count,
    [RG_CSL] = &rg_family_csl,
    [RG_SNOWFLAKES] = &rg_family_snowflakes,
    [RG_SNOWFLAKE_PARTS] = &rg_family_snowflake_parts,
};

/* What a thread needs to draw one graph; arrays as long as the largest graph needs. */
typedef struct draw_scratch {
    rg_sketch sketch;
    uint32_t *order;  /* new number of each node of the sketch */
    uint32_t *labels; /* by new numbers */
    uint32_t *row;    /* CSR of the graph by new numbers: n_nodes + 1 */
    uint32_t *col;    /* 2 * n_edges, ascending in each row */
    char *block;      /* owns all of them */
} draw_scratch;

typedef struct production {
    const rg_family *family;
    rg_draw recipe;
    rg_raw raw;
    uint32_t *source;   /* n_graphs; see family.h */
    uint32_t *attempt;  /* the attempt that gave the graph that is in raw */
    uint64_t *key;      /* hash of that graph as listed */
    size_t *first_node; /* n_graphs + 1 */
    size_t *first_pair; /* n_graphs + 1; every edge is listed in both directions */
    char *block;        /* owns the five arrays */
    uint32_t max_nodes, max_edges;
    draw_scratch *workers;
    unsigned n_workers;
} production;

const char *rg_generator_name(rg_generator generator)
{
    return (unsigned)generator < RG_N_GENERATORS ? families[generator]->name : NULL;
}

rg_generator rg_generator_find(const char *name)
{
    unsigned k = 0;
    while (k < RG_N_GENERATORS && strcasecmp(name, families[k]->name) != 0)
        k++;
    return k < RG_N_GENERATORS ? (rg_generator)k : RG_NO_GENERATOR;
}

RG_DEFINE_INIT(rg_generate_options, RG_GENERATE_OPTIONS_INIT)

rg_status rg_draw_check_groups(const rg_draw *recipe, const char *groups, rg_error *err)
{
    if (recipe->n_graphs % recipe->n_groups != 0)
        return rg_fail(err, RG_EUSAGE, "%s: %zu graphs cannot be split into %u equal %s",
                       recipe->name, recipe->n_graphs, recipe->n_groups, groups);
    return RG_OK;
}

rg_status rg_draw_check_unused(const rg_draw *recipe, uint32_t value, const char *option,
                               rg_error *err)
{
    if (value != 0)
        return rg_fail(err, RG_EUSAGE, "%s: found %s %u, but these graphs have no such size",
                       recipe->name, option, value);
    return RG_OK;
}

/* Nodes and arcs of the whole set must have numbers below 2^32-1. */
static rg_status check_total(const rg_family *family, const rg_draw *recipe, rg_error *err)
{
    uint32_t n_nodes, n_edges;
    size_t group = recipe->n_graphs / recipe->n_groups;
    uint64_t total = 0;
    for (uint32_t k = 0; k < recipe->n_groups && total < UINT32_MAX; k++) {
        family->measure(recipe, k * group, &n_nodes, &n_edges);
        total += (uint64_t)group * n_nodes;
    }
    if (total >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "%s: %zu graphs of this size have more than 4294967294 nodes together",
                       recipe->name, recipe->n_graphs);
    return RG_OK;
}

static rg_status plan(rg_draw *out, const rg_generate_options *options, rg_generator generator,
                      rg_error *err)
{
    if ((unsigned)generator >= RG_N_GENERATORS)
        return rg_fail(err, RG_EUSAGE, "there is no generator number %u", (unsigned)generator);
    if (options->n_graphs >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "%s: found %zu graphs, expected at most 4294967294",
                       families[generator]->name, options->n_graphs);
    const rg_family *family = families[generator];
    rg_draw recipe = {.name = family->name,
                      .seed = options->seed,
                      .n_graphs = options->n_graphs,
                      .size = options->n_nodes,
                      .smallest = options->smallest,
                      .largest = options->largest};
    rg_status status = family->plan(&recipe, options, err);
    if (!status)
        status = check_total(family, &recipe, err);
    if (!status)
        *out = recipe;
    return status;
}

rg_status rg_generate_options_check(const rg_generate_options *options, rg_generator generator,
                                    rg_error *err)
{
    rg_generate_options own = RG_GENERATE_OPTIONS_INIT;
    rg_draw recipe;
    rg_status status = RG_TAKE(rg_generate_options, &own, options, err);
    return status ? status : plan(&recipe, &own, generator, err);
}

static bool scratch_make(draw_scratch *s, uint32_t max_nodes, uint32_t max_edges)
{
    rg_carve carve = {0};
    size_t n = max_nodes, m = max_edges;
    size_t sketch_labels = rg_carve_add(&carve, n, sizeof(uint32_t));
    size_t edges = rg_carve_add(&carve, m, sizeof *s->sketch.edges);
    size_t order = rg_carve_add(&carve, n, sizeof(uint32_t));
    size_t labels = rg_carve_add(&carve, n, sizeof(uint32_t));
    size_t row = rg_carve_add(&carve, n + 1, sizeof(uint32_t));
    size_t col = rg_carve_add(&carve, 2 * m, sizeof(uint32_t));
    s->block = rg_carve_alloc(&carve);
    if (!s->block)
        return false;
    s->sketch.labels = (void *)(s->block + sketch_labels);
    s->sketch.edges = (void *)(s->block + edges);
    s->order = (void *)(s->block + order);
    s->labels = (void *)(s->block + labels);
    s->row = (void *)(s->block + row);
    s->col = (void *)(s->block + col);
    return true;
}

/* Renames node i to order[i] and packs the edges: both directions, rows and columns ascending. */
static void pack(draw_scratch *s)
{
    const rg_sketch *sketch = &s->sketch;
    uint32_t n = sketch->n_nodes, *row = s->row, *col = s->col;
    memset(row, 0, ((size_t)n + 1) * sizeof *row);
    for (uint32_t i = 0; i < n; i++)
        s->labels[s->order[i]] = sketch->labels[i];
    for (uint32_t e = 0; e < sketch->n_edges; e++) {
        row[s->order[sketch->edges[e][0]] + 1]++;
        row[s->order[sketch->edges[e][1]] + 1]++;
    }
    for (uint32_t i = 0; i < n; i++)
        row[i + 1] += row[i];
    for (uint32_t e = 0; e < sketch->n_edges; e++)
        for (int side = 0; side < 2; side++) {
            uint32_t i = s->order[sketch->edges[e][side]];
            col[row[i]++] = s->order[sketch->edges[e][!side]];
        }
    for (uint32_t i = n; i > 0; i--) /* row[i] is now where row i+1 starts: back by one */
        row[i] = row[i - 1];
    row[0] = 0;
    for (uint32_t i = 0; i < n; i++) /* degrees are at most 8 */
        for (uint32_t k = row[i] + 1; k < row[i + 1]; k++) {
            uint32_t j = col[k], to = k;
            for (; to > row[i] && col[to - 1] > j; to--)
                col[to] = col[to - 1];
            col[to] = j;
        }
}

/* Graph k with the node order of this attempt, into its place in raw. */
static void draw(production *job, draw_scratch *s, size_t k, uint32_t attempt)
{
    rg_sketch *sketch = &s->sketch;
    job->family->sketch(sketch, &job->recipe, k, job->source[k]);
    uint32_t n = sketch->n_nodes;
    for (uint32_t i = 0; i < n; i++)
        s->order[i] = i;
    rg_random_shuffle(job->recipe.seed, rg_generate_stream(RG_FOR_ORDER, (uint32_t)k, attempt),
                      s->order, n);
    pack(s);
    size_t first = job->first_node[k];
    uint32_t(*pair)[2] = job->raw.pairs + job->first_pair[k];
    for (uint32_t i = 0; i < n; i++) {
        job->raw.node_graph[first + i] = (uint32_t)k;
        job->raw.node_labels.data[first + i] = s->labels[i];
        for (uint32_t e = s->row[i]; e < s->row[i + 1]; e++, pair++) {
            (*pair)[0] = (uint32_t)first + i;
            (*pair)[1] = (uint32_t)first + s->col[e];
        }
    }
    job->raw.classes.data[k] = sketch->graph_class;
    uint64_t key = rg_hash(s->labels, n * sizeof *s->labels, 0);
    key = rg_hash(s->row, ((size_t)n + 1) * sizeof *s->row, key);
    job->key[k] = rg_hash(s->col, (size_t)s->row[n] * sizeof *s->col, key);
    job->attempt[k] = attempt;
}

static rg_status draw_item(void *context, size_t k, unsigned worker, rg_error *err)
{
    (void)err;
    production *job = context;
    draw(job, &job->workers[worker], k, 0);
    return RG_OK;
}

/* Draws again every graph that equals an earlier one. Only hashes are compared: should two
 * different graphs ever share one, the later is drawn again without need, which does no harm. */
static rg_status redraw_equal(production *job, rg_error *err)
{
    rg_status status = RG_OK;
    rg_table *seen = rg_table_new();
    if (!seen)
        return rg_fail_memory(err, "comparing generated graphs");
    for (size_t k = 0; k < job->recipe.n_graphs && !status; k++) {
        for (;;) {
            uint32_t number = rg_table_add(seen, &job->key[k], sizeof job->key[k]);
            if (number == RG_TABLE_NONE)
                status = rg_fail_memory(err, "comparing generated graphs");
            if (status || number == k)
                break;
            if (job->attempt[k] + 1 == RG_GENERATE_DRAWS) {
                status = rg_fail(err, RG_EUSAGE,
                                 "%s: no graph of class %u is left that differs from the first %zu "
                                 "graphs (%u draws); ask for fewer or larger graphs",
                                 job->recipe.name, (unsigned)job->raw.classes.data[k], k,
                                 RG_GENERATE_DRAWS);
                break;
            }
            draw(job, &job->workers[0], k, job->attempt[k] + 1);
        }
    }
    rg_table_free(seen);
    return status;
}

/* Everything whose size is known before a graph is drawn. */
static bool job_make(production *job, unsigned n_workers)
{
    size_t n = job->recipe.n_graphs;
    rg_carve carve = {0};
    size_t source = rg_carve_add(&carve, n, sizeof *job->source);
    size_t attempt = rg_carve_add(&carve, n, sizeof *job->attempt);
    size_t key = rg_carve_add(&carve, n, sizeof *job->key);
    size_t first_node = rg_carve_add(&carve, n + 1, sizeof *job->first_node);
    size_t first_pair = rg_carve_add(&carve, n + 1, sizeof *job->first_pair);
    job->block = rg_carve_alloc(&carve);
    if (!job->block)
        return false;
    job->source = (void *)(job->block + source);
    job->attempt = (void *)(job->block + attempt);
    job->key = (void *)(job->block + key);
    job->first_node = (void *)(job->block + first_node);
    job->first_pair = (void *)(job->block + first_pair);

    job->first_node[0] = job->first_pair[0] = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t n_nodes, n_edges;
        job->family->measure(&job->recipe, k, &n_nodes, &n_edges);
        job->first_node[k + 1] = job->first_node[k] + n_nodes;
        job->first_pair[k + 1] = job->first_pair[k] + 2 * (size_t)n_edges;
        job->max_nodes = n_nodes > job->max_nodes ? n_nodes : job->max_nodes;
        job->max_edges = n_edges > job->max_edges ? n_edges : job->max_edges;
        job->source[k] = (uint32_t)k;
    }
    job->workers = rg_alloc_zero(n_workers, sizeof *job->workers);
    if (!job->workers)
        return false;
    for (; job->n_workers < n_workers; job->n_workers++)
        if (!scratch_make(&job->workers[job->n_workers], job->max_nodes, job->max_edges))
            return false;
    return true;
}

static bool raw_make(production *job)
{
    rg_raw *raw = &job->raw;
    size_t n = job->recipe.n_graphs, n_nodes = job->first_node[n], n_pairs = job->first_pair[n];
    raw->n_graphs = n;
    raw->name = rg_copy_text(job->recipe.name, strlen(job->recipe.name));
    raw->node_graph = rg_alloc(n_nodes, sizeof *raw->node_graph);
    raw->pairs = rg_alloc(n_pairs, sizeof *raw->pairs);
    raw->node_labels.data = rg_alloc(n_nodes, sizeof(int64_t));
    raw->classes.data = rg_alloc(n, sizeof(int64_t));
    if (!raw->name || !raw->node_graph || !raw->pairs || !raw->node_labels.data ||
        !raw->classes.data)
        return false;
    raw->n_nodes = raw->node_capacity = n_nodes;
    raw->n_pairs = raw->pair_capacity = n_pairs;
    raw->node_labels.n_rows = raw->node_labels.capacity = n_nodes;
    raw->classes.n_rows = raw->classes.capacity = n;
    raw->node_labels.n_columns = raw->classes.n_columns = 1;
    return true;
}

static void job_free(production *job)
{
    for (unsigned w = 0; w < job->n_workers; w++)
        rg_free(job->workers[w].block);
    rg_free(job->workers);
    rg_free(job->block);
    rg_raw_free(&job->raw);
}

rg_status rg_dataset_generate(rg_dataset **out, rg_generator generator,
                              const rg_generate_options *options, rg_error *err)
{
    rg_generate_options own = RG_GENERATE_OPTIONS_INIT;
    production job = {0};
    rg_pool *pool = NULL;
    rg_status status = RG_TAKE(rg_generate_options, &own, options, err);
    if (!status)
        status = plan(&job.recipe, &own, generator, err);
    if (!status) {
        job.family = families[generator];
        status = rg_pool_new(&pool, own.n_threads, err);
    }
    if (!status && (!job_make(&job, rg_pool_size(pool)) || !raw_make(&job)))
        status = rg_fail_memory(err, "generating graphs");
    if (!status && job.family->choose)
        status = job.family->choose(job.source, &job.recipe, err);
    if (!status)
        status = rg_pool_run(pool, job.recipe.n_graphs, draw_item, &job, err);
    if (!status)
        status = redraw_equal(&job, err);
    if (!status)
        status = rg_dataset_build(out, &job.raw, err);
    job_free(&job);
    rg_pool_free(pool);
    return status;
}
