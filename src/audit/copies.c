/* copies.c - graphs with equal invariants lie in one bucket; inside it, each is compared with the
 * first of every kind found so far. A bucket is one item of work, so that nothing depends on which
 * thread does it. */
#include "copies.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"
#include "graph/isomorphism.h"

#include <stdlib.h>
#include <string.h>

#define MANY_KINDS 8   /* in a bucket, before a stronger invariant is worth its price */
#define FLOOR 64       /* times the size of a graph: the least a comparison may follow */
#define MAX_HALVING 32 /* of the budget */

/* All columns of labels as one colour. */
typedef struct colours {
    const uint32_t *colour; /* NULL without columns */
    uint32_t *own;          /* where it is not simply the only column */
} colours;

typedef struct copy_candidate {
    uint64_t key; /* invariant of the graph */
    uint32_t graph;
} copy_candidate;

typedef struct copy_scratch {
    rg_invariant_work invariant;
    rg_isomorphism_work isomorphism;
} copy_scratch;

typedef struct hunt {
    const rg_dataset *data;
    colours nodes, arcs;
    uint64_t budget;
    copy_candidate *sorted; /* by graph at first, then by key */
    size_t n_graphs;
    size_t *bucket; /* bucket k: sorted[bucket[k]] .. sorted[bucket[k+1] - 1] */
    size_t n_buckets;
    uint32_t *first;       /* by graph */
    uint32_t *kinds;       /* by place in sorted: first graph of each kind, bucket by bucket */
    uint64_t *strong;      /* by graph: stronger invariant, where it is known */
    uint8_t *known;        /* by graph: is it? */
    uint64_t *undecided;   /* by bucket */
    copy_scratch *scratch; /* by worker */
    unsigned n_scratch;
    rg_progress hashing, comparing;
} hunt;

void rg_copies_free(rg_copies *copies)
{
    rg_free(copies->first);
    copies->first = NULL;
}

void rg_progress_tell(const rg_progress *progress, unsigned worker, size_t index, size_t n)
{
    const rg_audit_options *options = progress->options;
    if (worker == 0 && options->progress)
        options->progress(options->progress_context,
                          progress->from +
                              (progress->to - progress->from) * (double)index / (double)n);
}

/* Rows of ranks to numbers: equal rows, equal colours. */
static rg_status colours_make(colours *out, const rg_dataset *data, rg_column kind, rg_error *err)
{
    size_t n_columns = rg_dataset_n_columns(data, kind);
    *out = (colours){0};
    if (n_columns <= 1) {
        out->colour = n_columns ? rg_dataset_ranks(data, kind, 0) : NULL;
        return RG_OK;
    }
    uint64_t n = kind == RG_NODE_LABEL ? rg_dataset_n_nodes(data) : rg_dataset_n_arcs(data);
    rg_table *table = rg_table_new();
    uint32_t *own = rg_alloc(n, sizeof *own), *row = rg_alloc(n_columns, sizeof *row);
    const uint32_t **column = rg_alloc(n_columns, sizeof *column);
    bool fine = table && own && row && column;
    for (size_t c = 0; fine && c < n_columns; c++)
        column[c] = rg_dataset_ranks(data, kind, c);
    for (uint64_t k = 0; fine && k < n; k++) {
        for (size_t c = 0; c < n_columns; c++)
            row[c] = column[c][k];
        own[k] = rg_table_add(table, row, n_columns * sizeof *row);
        fine = own[k] != RG_TABLE_NONE;
    }
    if (fine)
        out->colour = out->own = own;
    else
        rg_free(own);
    rg_table_free(table);
    rg_free(row);
    rg_free(column);
    return fine ? RG_OK : rg_fail_memory(err, "comparing labels");
}

static rg_coloured coloured(const hunt *h, uint32_t graph)
{
    rg_graph g = rg_dataset_graph(h->data, graph);
    return (rg_coloured){.graph = g,
                         .node_colour = h->nodes.colour ? h->nodes.colour + g.first_node : NULL,
                         .arc_colour = h->arcs.colour};
}

static rg_status hash_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    hunt *h = context;
    rg_coloured g = coloured(h, (uint32_t)index);
    rg_progress_tell(&h->hashing, worker, index, h->n_graphs);
    h->sorted[index].graph = (uint32_t)index;
    return rg_invariant_graph(&h->sorted[index].key, &g, &h->scratch[worker].invariant, err);
}

/* The stronger invariant. All graphs of a bucket have the same size (or no business there), so that
 * those too large for it are so together and all count as equal. */
static rg_status strong_invariant(uint64_t *out, hunt *h, uint32_t graph, copy_scratch *s,
                                  rg_error *err)
{
    rg_status status = RG_OK;
    if (!h->known[graph]) {
        rg_coloured g = coloured(h, graph);
        uint64_t size = g.graph.n_arcs + g.graph.n_nodes;
        h->strong[graph] = 0;
        if (size <= h->budget / 8 / (g.graph.n_nodes + (uint64_t)1))
            status = rg_invariant_strong(&h->strong[graph], &g, &s->invariant, err);
        h->known[graph] = 1;
    }
    *out = h->strong[graph];
    return status;
}

static uint64_t budget_now(const hunt *h, const rg_graph *g, uint64_t undecided)
{
    uint64_t left = h->budget >> (undecided < MAX_HALVING ? undecided : MAX_HALVING);
    uint64_t least = FLOOR * (g->n_nodes + g->n_arcs);
    least = least < h->budget ? least : h->budget;
    return left > least ? left : least;
}

/* Isomorphic texts are the same if they are so from left to right, too. */
static bool same_order(const hunt *h, uint32_t a, uint32_t b)
{
    rg_graph x = rg_dataset_graph(h->data, a), y = rg_dataset_graph(h->data, b);
    const uint32_t *tokens =
        rg_dataset_sequence(h->data) ? rg_dataset_ranks(h->data, RG_NODE_LABEL, 0) : NULL;
    return !tokens ||
           memcmp(tokens + x.first_node, tokens + y.first_node, x.n_nodes * sizeof *tokens) == 0;
}

/* Which of the kinds is the graph? *kind is its number, n_kinds if none. */
static rg_status find_kind(uint32_t *kind, hunt *h, uint32_t graph, const uint32_t *kinds,
                           uint32_t n_kinds, uint64_t *undecided, copy_scratch *s, rg_error *err)
{
    rg_coloured g = coloured(h, graph);
    for (uint32_t k = 0; k < n_kinds; k++) {
        rg_same_verdict verdict;
        rg_status status;
        if (n_kinds >= MANY_KINDS) {
            uint64_t mine, its = 0;
            status = strong_invariant(&mine, h, graph, s, err);
            if (!status)
                status = strong_invariant(&its, h, kinds[k], s, err);
            if (status)
                return status;
            if (mine != its)
                continue;
        }
        rg_coloured other = coloured(h, kinds[k]);
        status = rg_isomorphism_test(&verdict, &other, &g, budget_now(h, &g.graph, *undecided),
                                     &s->isomorphism, err);
        if (status)
            return status;
        if (verdict == RG_SAME && !same_order(h, graph, kinds[k]))
            continue;
        if (verdict == RG_SAME) {
            *kind = k;
            return RG_OK;
        }
        *undecided += verdict == RG_UNDECIDED;
    }
    *kind = n_kinds;
    return RG_OK;
}

static rg_status search_bucket(void *context, size_t index, unsigned worker, rg_error *err)
{
    hunt *h = context;
    size_t begin = h->bucket[index], end = h->bucket[index + 1];
    uint32_t *kinds = h->kinds + begin, n_kinds = 0;
    rg_progress_tell(&h->comparing, worker, index, h->n_buckets);
    h->undecided[index] = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t graph = h->sorted[k].graph, kind = 0;
        rg_status status = find_kind(&kind, h, graph, kinds, n_kinds, &h->undecided[index],
                                     &h->scratch[worker], err);
        if (status)
            return status;
        if (kind == n_kinds)
            kinds[n_kinds++] = graph;
        h->first[graph] = kinds[kind];
    }
    return RG_OK;
}

static int by_key_then_graph(const void *left, const void *right)
{
    const copy_candidate *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->graph < b->graph ? -1 : a->graph > b->graph;
}

static void make_buckets(hunt *h)
{
    qsort(h->sorted, h->n_graphs, sizeof *h->sorted, by_key_then_graph);
    for (size_t k = 0; k < h->n_graphs; k++)
        if (k == 0 || h->sorted[k].key != h->sorted[k - 1].key)
            h->bucket[h->n_buckets++] = k;
    h->bucket[h->n_buckets] = h->n_graphs;
}

static bool hunt_alloc(hunt *h, const rg_pool *pool)
{
    size_t n = h->n_graphs;
    h->n_scratch = rg_pool_size(pool);
    h->scratch = rg_alloc_zero(h->n_scratch, sizeof *h->scratch);
    h->sorted = rg_alloc(n, sizeof *h->sorted);
    h->bucket = rg_alloc(n + 1, sizeof *h->bucket);
    h->first = rg_alloc(n, sizeof *h->first);
    h->kinds = rg_alloc(n, sizeof *h->kinds);
    h->strong = rg_alloc(n, sizeof *h->strong);
    h->known = rg_alloc_zero(n, 1);
    h->undecided = rg_alloc(n, sizeof *h->undecided);
    return h->scratch && h->sorted && h->bucket && h->first && h->kinds && h->strong && h->known &&
           h->undecided;
}

static void hunt_free(hunt *h)
{
    for (unsigned k = 0; h->scratch && k < h->n_scratch; k++) {
        rg_invariant_work_free(&h->scratch[k].invariant);
        rg_isomorphism_work_free(&h->scratch[k].isomorphism);
    }
    rg_free(h->scratch);
    rg_free(h->sorted);
    rg_free(h->bucket);
    rg_free(h->first);
    rg_free(h->kinds);
    rg_free(h->strong);
    rg_free(h->known);
    rg_free(h->undecided);
    rg_free(h->nodes.own);
    rg_free(h->arcs.own);
}

rg_status rg_copies_find(rg_copies *out, const rg_dataset *data, rg_pool *pool, uint64_t budget,
                         const rg_progress *progress, rg_error *err)
{
    double middle = progress->from + (progress->to - progress->from) / 2;
    hunt h = {.data = data,
              .budget = budget,
              .n_graphs = rg_dataset_n_graphs(data),
              .hashing = {progress->options, progress->from, middle},
              .comparing = {progress->options, middle, progress->to}};
    rg_status status = hunt_alloc(&h, pool) ? RG_OK : rg_fail_memory(err, "looking for copies");
    if (!status)
        status = colours_make(&h.nodes, data, RG_NODE_LABEL, err);
    if (!status)
        status = colours_make(&h.arcs, data, RG_EDGE_LABEL, err);
    if (!status)
        status = rg_pool_run(pool, h.n_graphs, hash_graph, &h, err);
    if (!status) {
        make_buckets(&h);
        status = rg_pool_run(pool, h.n_buckets, search_bucket, &h, err);
    }
    if (!status) {
        out->undecided = 0;
        for (size_t k = 0; k < h.n_buckets; k++)
            out->undecided += h.undecided[k];
        out->first = h.first;
        h.first = NULL;
    }
    hunt_free(&h);
    return status;
}
