/* ogb.c - the csv layout of OGB's graph-level sets (raw/ of ogbg-...).
 *
 *   num-node-list    nodes of each graph, one line per graph
 *   num-edge-list    edges of each graph, one line per graph
 *   edge             a,b: nodes of the edge's graph, from 0; lines of graph 0, then of graph 1, ...
 *   node-feat        one line per node (may be missing)
 *   edge-feat        one line per edge (may be missing)
 *   graph-label      one line per graph; an empty field or "nan" is not known (may be missing)
 *
 * and of its node-level sets (raw/ of ogbn-..., with the lists of split/), where classes or targets are
 * those of nodes:
 *
 *   node-label       one line per node, as graph-label; without counts all of it is one graph
 *   node-feat.svm    one line per node, COLUMN:VALUE with columns from 0, in place of node-feat
 *   train, valid, test   nodes of the parts, one per line (may be missing): masks
 *
 * Features that are whole numbers throughout their file are labels, others attributes; in the same
 * way graph labels are classes or real-valued targets. The two lists of counts are mere claims and
 * are held against the lines of the other files before anything is allocated by them. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "format.h"
#include "mixed.h"
#include "ogb_nodes.h"

#include <inttypes.h>
#include <string.h>

enum file_kind {
    NODE_COUNTS,
    EDGE_COUNTS,
    EDGES,
    NODE_VALUES,
    EDGE_VALUES,
    GRAPH_VALUES,
    NODE_TARGETS,
    SPARSE,
    LISTS, /* and the files behind it */
    N_LISTS = 3,
    N_KINDS = LISTS + N_LISTS
};

static const char *const kind_names[N_KINDS] = {
    "num-node-list.csv", "num-edge-list.csv", "edge.csv",       "node-feat.csv",
    "edge-feat.csv",     "graph-label.csv",   "node-label.csv", "node-feat.svm",
    "train.csv",         "valid.csv",         "test.csv"};
static const char *const mask_names[N_LISTS] = {"train", "validation", "test"};

/* Without node-feat.csv nothing but a number says how many nodes there are: so many are believed
 * anyway, and so many more for every edge. */
enum { BELIEVED = 1 << 20, BELIEVED_PER_EDGE = 64 };

typedef struct counts {
    int64_t *data; /* one per graph, none negative */
    size_t n, capacity;
    int64_t sum;
} counts;

typedef struct ogb {
    char *files[N_KINDS]; /* for messages; NULL: not taken */
    counts nodes, edges;
    uint32_t (*pairs)[2]; /* numbers inside the graph */
    size_t n_pairs, pair_capacity;
    rg_mixed values[N_KINDS];
    rg_sparse_rows sparse;
    rg_node_list lists[N_LISTS];
} ogb;

static bool ogb_knows(const char *file, size_t *prefix)
{
    for (size_t kind = 0; kind < LISTS; kind++)
        if (strcmp(file, kind_names[kind]) == 0) {
            *prefix = 0;
            return true;
        }
    return false;
}

/* Sets of graphs have lists of the same names, of graphs: these are not read. */
static bool ogb_beside(const void *state, const char *file)
{
    const ogb *o = state;
    for (size_t kind = LISTS; o->files[NODE_TARGETS] && kind < N_KINDS; kind++)
        if (strcmp(file, kind_names[kind]) == 0)
            return true;
    return false;
}

static void ogb_close(void *state)
{
    ogb *o = state;
    if (!o)
        return;
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        rg_free(o->files[kind]);
        rg_mixed_free(&o->values[kind]);
    }
    rg_free(o->nodes.data);
    rg_free(o->edges.data);
    rg_free(o->pairs);
    rg_sparse_rows_free(&o->sparse);
    for (size_t k = 0; k < N_LISTS; k++)
        rg_node_list_free(&o->lists[k]);
    rg_free(o);
}

static rg_status take_counts(counts *list, rg_reader *in, const char *what, rg_error *err)
{
    bool more = false;
    rg_status status;
    while (!(status = rg_row_next(in, &more, what, err)) && more) {
        int64_t value;
        if (!rg_grow(&list->data, &list->capacity, list->n + 1, sizeof *list->data))
            return rg_fail_memory(err, rg_reader_name(in));
        if ((status = rg_reader_int(in, &value, what, err)) ||
            (status = rg_reader_expect_end(in, err)))
            return status;
        if (value < 0 || value > INT64_MAX - list->sum)
            return rg_fail(err, RG_EDATA, "%s:%zu: found %" PRId64 ", expected %s",
                           rg_reader_name(in), rg_reader_line_number(in), value, what);
        list->data[list->n++] = value;
        list->sum += value;
    }
    return status;
}

static rg_status take_edges(ogb *o, rg_reader *in, rg_error *err)
{
    static const char what[] = "a node (a whole number from 0)";
    for (;;) {
        uint32_t pair[2];
        bool more = false;
        rg_status status = rg_read_pair(in, &more, pair, what, "an edge", err);
        if (status || !more)
            return status;
        if (!rg_grow(&o->pairs, &o->pair_capacity, o->n_pairs + 1, sizeof *o->pairs))
            return rg_fail_memory(err, rg_reader_name(in));
        memcpy(o->pairs[o->n_pairs++], pair, sizeof pair);
    }
}

static rg_status take_values(rg_mixed *rows, rg_reader *in, const char *what, rg_error *err)
{
    bool more = false;
    rg_status status;
    while (!(status = rg_row_next(in, &more, what, err)) && more)
        if ((status = rg_mixed_read(rows, in, what, err)))
            break;
    return status;
}

/* One field between two commas, without blanks around it: a number, or nothing. */
static rg_status push_label(rg_mixed *rows, rg_reader *in, const char *p, const char *end,
                            const char *item, rg_error *err)
{
    size_t column = (size_t)(p - rg_reader_text(in, NULL)) + 1;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++, column++;
    while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    int64_t whole;
    double real;
    bool pushed;
    if (p == end || (end - p == 2 && memcmp(p, "\"\"", 2) == 0))
        pushed = rg_mixed_push_int(rows, RG_MISSING);
    else if (rg_number_int(p, end, &whole) == end && whole != RG_MISSING)
        pushed = rg_mixed_push_int(rows, whole);
    else if (rg_number_real(p, end, &real) == end)
        pushed = rg_mixed_push_real(rows, real);
    else
        return rg_fail(err, RG_EDATA,
                       "%s:%zu:%zu: found '%.*s%s', expected a %s label (a number, or nothing)",
                       rg_reader_name(in), rg_reader_line_number(in), column,
                       (int)(end - p < 40 ? end - p : 40), p, end - p > 40 ? "..." : "", item);
    return pushed ? RG_OK : rg_fail_memory(err, rg_reader_name(in));
}

static rg_status push_labels(rg_mixed *rows, rg_reader *in, const char *item, rg_error *err)
{
    size_t n, columns = 0;
    const char *p = rg_reader_text(in, &n), *end = p + n;
    for (;;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        rg_status status = push_label(rows, in, p, comma ? comma : end, item, err);
        if (status)
            return status;
        columns++;
        if (!comma)
            break;
        p = comma + 1;
    }
    if (rows->n_rows > 0 && columns != rows->n_columns)
        return rg_fail(err, RG_EDATA, "%s:%zu: found %zu %s labels, expected %zu as on line 1",
                       rg_reader_name(in), rg_reader_line_number(in), columns, item,
                       rows->n_columns);
    rows->n_columns = columns;
    rows->n_rows++;
    return RG_OK;
}

/* A line may be blank because its one label is missing; a row it is only if another comes later. */
static rg_status take_labels(rg_mixed *rows, rg_reader *in, const char *item, rg_error *err)
{
    size_t blank = 0;
    for (;;) {
        bool more = false;
        rg_status status = rg_reader_next(in, &more, err);
        if (status || !more)
            return status;
        if (rg_read_is_blank(in)) {
            blank++;
            continue;
        }
        for (; blank > 0; blank--) {
            if (rows->n_rows > 0 && rows->n_columns != 1)
                return rg_fail(err, RG_EDATA, "%s:%zu: found an empty line, expected %zu labels",
                               rg_reader_name(in), rg_reader_line_number(in) - blank,
                               rows->n_columns);
            if (!rg_mixed_push_int(rows, RG_MISSING))
                return rg_fail_memory(err, rg_reader_name(in));
            rows->n_columns = 1;
            rows->n_rows++;
        }
        if ((status = push_labels(rows, in, item, err)))
            return status;
    }
}

static rg_status ogb_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    ogb *o = state;
    size_t kind = 0;
    while (kind + 1 < N_KINDS && strcmp(file, kind_names[kind]) != 0)
        kind++;
    rg_status status = rg_row_file(&o->files[kind], in, err);
    if (status)
        return status;
    switch (kind) {
    case NODE_COUNTS:
        return take_counts(&o->nodes, in, "a number of nodes", err);
    case EDGE_COUNTS:
        return take_counts(&o->edges, in, "a number of edges", err);
    case EDGES:
        return take_edges(o, in, err);
    case GRAPH_VALUES:
    case NODE_TARGETS:
        o->values[kind].missing = true;
        return take_labels(&o->values[kind], in, kind == GRAPH_VALUES ? "graph" : "node", err);
    case SPARSE:
        return rg_sparse_rows_read(&o->sparse, in, err);
    case LISTS:
    case LISTS + 1:
    case LISTS + 2:
        return rg_node_list_read(&o->lists[kind - LISTS], in, err);
    default:
        return take_values(&o->values[kind], in, "a feature (a number)", err);
    }
}

/* `lines` lines of `file` must be what the counts add up to. */
static rg_status check_sum(const counts *list, const char *list_file, size_t lines,
                           const char *file, const char *items, rg_error *err)
{
    size_t left = lines;
    for (size_t g = 0; g < list->n; g++) {
        if ((uint64_t)list->data[g] > left)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found %" PRId64 " %s, expected at most %zu: %s has %zu lines",
                           list_file, g + 1, list->data[g], items, left, file, lines);
        left -= (size_t)list->data[g];
    }
    if (left > 0)
        return rg_fail(err, RG_EDATA, "%s:%zu: found a line, expected the end: %s counts %zu %s",
                       file, lines - left + 1, list_file, lines - left, items);
    return RG_OK;
}

static rg_status check_lines(const ogb *o, size_t kind, size_t found, size_t like, size_t expected,
                             rg_error *err)
{
    if (!o->files[kind] || found == expected)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "%s: found %zu lines, expected %zu as in %s", o->files[kind],
                   found, expected, o->files[like]);
}

static rg_status add_count(counts *list, size_t count, rg_error *err)
{
    if (!rg_grow(&list->data, &list->capacity, 1, sizeof *list->data))
        return rg_fail_memory(err, "the numbers of nodes and edges");
    list->data[0] = list->sum = (int64_t)count;
    list->n = 1;
    return RG_OK;
}

/* Sets for node targets may come without counts: they are one graph. */
static rg_status count_one(ogb *o, rg_error *err)
{
    if (!o->files[NODE_TARGETS] || !o->files[EDGES] || o->files[NODE_COUNTS] ||
        o->files[EDGE_COUNTS])
        return RG_OK;
    rg_status status = add_count(&o->nodes, o->values[NODE_TARGETS].n_rows, err);
    if (!status)
        status = add_count(&o->edges, o->n_pairs, err);
    for (size_t kind = NODE_COUNTS; !status && kind <= EDGE_COUNTS; kind++) {
        const char *like = o->files[kind == NODE_COUNTS ? NODE_TARGETS : EDGES];
        o->files[kind] = rg_copy_text(like, strlen(like));
        status = o->files[kind] ? RG_OK : rg_fail_memory(err, like);
    }
    return status;
}

/* What belongs to nodes has a line for each. */
static rg_status check_nodes(const ogb *o, rg_error *err)
{
    size_t n = (size_t)o->nodes.sum;
    const rg_sparse_rows *sparse = &o->sparse;
    if (o->files[SPARSE] && o->files[NODE_VALUES])
        return rg_fail(err, RG_EDATA, "%s: found %s beside it, expected one of the two",
                       o->files[SPARSE], o->files[NODE_VALUES]);
    if (o->files[NODE_TARGETS] && o->values[NODE_TARGETS].n_rows != n)
        return rg_fail(err, RG_EDATA, "%s: found %zu lines, expected one for each of %zu nodes",
                       o->files[NODE_TARGETS], o->values[NODE_TARGETS].n_rows, n);
    if (o->files[SPARSE] && (sparse->n_filled > n || sparse->n_rows < n))
        return rg_fail(err, RG_EDATA, "%s: found %zu lines, expected one for each of %zu nodes",
                       o->files[SPARSE], sparse->n_rows, n);
    return RG_OK;
}

static rg_status check(const ogb *o, rg_error *err)
{
    const char *there = "data set";
    for (size_t kind = 0; kind < N_KINDS; kind++)
        if (o->files[kind])
            there = o->files[kind];
    for (size_t kind = 0; kind <= EDGES; kind++)
        if (!o->files[kind])
            return rg_fail(err, RG_EDATA, "%s: found no %s beside it, expected one", there,
                           kind_names[kind]);
    size_t n_graphs = o->nodes.n;
    rg_status status;
    if ((status = check_lines(o, EDGE_COUNTS, o->edges.n, NODE_COUNTS, n_graphs, err)) ||
        (status = check_lines(o, GRAPH_VALUES, o->values[GRAPH_VALUES].n_rows, NODE_COUNTS,
                              n_graphs, err)) ||
        (status =
             check_lines(o, EDGE_VALUES, o->values[EDGE_VALUES].n_rows, EDGES, o->n_pairs, err)) ||
        (status = check_sum(&o->edges, o->files[EDGE_COUNTS], o->n_pairs, o->files[EDGES], "edges",
                            err)))
        return status;
    if (o->files[NODE_VALUES])
        status = check_sum(&o->nodes, o->files[NODE_COUNTS], o->values[NODE_VALUES].n_rows,
                           o->files[NODE_VALUES], "nodes", err);
    else if (!o->files[NODE_TARGETS] &&
             (uint64_t)o->nodes.sum > BELIEVED + BELIEVED_PER_EDGE * (uint64_t)o->n_pairs)
        status = rg_fail(err, RG_EDATA,
                         "%s: found %" PRId64 " nodes in all, expected at most %" PRIu64
                         " with %zu edges and no node-feat.csv",
                         o->files[NODE_COUNTS], o->nodes.sum,
                         BELIEVED + BELIEVED_PER_EDGE * (uint64_t)o->n_pairs, o->n_pairs);
    if (!status &&
        (o->nodes.sum >= UINT32_MAX || o->n_pairs >= UINT32_MAX || n_graphs >= UINT32_MAX))
        status = rg_fail(err, RG_EDATA,
                         "%s: found 2^32 or more nodes, graphs or edges, expected less", there);
    return status ? status : check_nodes(o, err);
}

/* Numbers inside a graph become numbers inside the set. The counts have been checked. */
static rg_status number_nodes(ogb *o, rg_raw *raw, rg_error *err)
{
    size_t first = 0, k = 0;
    raw->n_nodes = raw->node_capacity = (size_t)o->nodes.sum;
    raw->node_graph = rg_alloc(raw->n_nodes, sizeof *raw->node_graph);
    if (!raw->node_graph)
        return rg_fail_memory(err, o->files[NODE_COUNTS]);
    for (size_t g = 0; g < o->nodes.n; g++) {
        size_t n = (size_t)o->nodes.data[g], end = k + (size_t)o->edges.data[g];
        for (size_t i = 0; i < n; i++)
            raw->node_graph[first + i] = (uint32_t)g;
        for (; k < end; k++) {
            uint32_t *pair = o->pairs[k];
            if (pair[0] >= n || pair[1] >= n)
                return rg_fail(err, RG_EDATA,
                               "%s:%zu: found node %" PRIu32
                               ", expected a node of graph %zu, which has %zu, from 0",
                               o->files[EDGES], k + 1, pair[0] >= n ? pair[0] : pair[1], g, n);
            pair[0] += (uint32_t)first;
            pair[1] += (uint32_t)first;
        }
        first += n;
    }
    return RG_OK;
}

static rg_status ogb_finish(void *state, rg_raw *raw, rg_error *err)
{
    ogb *o = state;
    rg_status status = count_one(o, err);
    if (!status)
        status = check(o, err);
    if (!status)
        status = number_nodes(o, raw, err);
    if (!status && o->files[SPARSE])
        status = rg_sparse_rows_fill(&raw->node_attributes, &o->sparse, raw->n_nodes,
                                     o->files[SPARSE], err);
    if (!status)
        status = rg_node_lists_to_masks(raw, o->lists, o->files + LISTS, mask_names, N_LISTS, err);
    if (status) {
        rg_raw_free(raw);
        return status;
    }
    raw->n_graphs = o->nodes.n;
    raw->pairs = o->pairs;
    raw->n_pairs = o->n_pairs;
    raw->pair_capacity = o->pair_capacity;
    o->pairs = NULL;
    raw->pair_file = o->files[EDGES];
    raw->pair_first_line = 1;
    rg_mixed_move(&o->values[NODE_VALUES], &raw->node_labels, &raw->node_attributes);
    rg_mixed_move(&o->values[NODE_TARGETS], &raw->node_classes, &raw->node_targets);
    rg_mixed_move(&o->values[EDGE_VALUES], &raw->edge_labels, &raw->edge_attributes);
    rg_mixed_move(&o->values[GRAPH_VALUES], &raw->classes, &raw->targets);
    return RG_OK;
}

const rg_format_kind rg_format_ogb = {
    .name = "ogb",
    .files = "edge.csv.gz and num-node-list.csv.gz",
    .size = sizeof(ogb),
    .knows = ogb_knows,
    .beside = ogb_beside,
    .take = ogb_take,
    .finish = ogb_finish,
    .close = ogb_close,
};
