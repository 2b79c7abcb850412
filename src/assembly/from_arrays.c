/* from_arrays.c - rg_dataset_from_arrays: from the caller's arrays to raw rows. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "graph/raw.h"
#include "matrix.h"
#include "text_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

RG_DEFINE_INIT(rg_graph_arrays, RG_GRAPH_ARRAYS_INIT)

/* What is being put together. */
typedef struct taking {
    rg_graph_arrays in; /* as this version knows it */
    rg_raw raw;
    uint32_t *first_node; /* [n_graphs + 1]; owned */
} taking;

/* ---- nodes and edges */

/* The number of nodes or edges of a graph; all of them together must stay below 2^32. */
static rg_status take_count(uint64_t *out, uint64_t *sum, const rg_matrix *m, const char *what,
                            size_t graph, rg_error *err)
{
    char word[RG_MATRIX_WORD];
    int64_t value = -1;
    if (rg_item_is_real(m->type) || !rg_matrix_int(&value, m, graph, 0) || value < 0) {
        rg_matrix_word(word, m, graph, 0);
        return rg_fail(err, RG_EDATA, "%s of graph %zu: found %s, expected a whole number from 0",
                       what, graph, word);
    }
    if ((uint64_t)value >= UINT32_MAX || *sum + (uint64_t)value >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "%s of graph %zu: found %" PRId64
                       ", which makes 2^32 or more, expected less in all",
                       what, graph, value);
    *out = (uint64_t)value;
    *sum += (uint64_t)value;
    return RG_OK;
}

/* Numbers of nodes are a mere claim where nothing else is said of the nodes: without a bound, one
 * wrong number would take all memory. */
static rg_status check_claim(const taking *a, uint64_t n_nodes, rg_error *err)
{
    uint64_t most = (1u << 24) + 16 * (uint64_t)(a->in.edges.data ? a->in.edges.n_rows : 0);
    for (size_t k = 0; k < a->in.n_columns; k++)
        if ((unsigned)a->in.columns[k].kind < RG_N_COLUMN_KINDS &&
            rg_column_item(a->in.columns[k].kind) == 0 && a->in.columns[k].values.data)
            return RG_OK; /* the numbers of rows must agree */
    if (n_nodes > most)
        return rg_fail(err, RG_EDATA,
                       "found %" PRIu64 " nodes without labels or attributes, "
                       "expected at most %" PRIu64 " for so few edges",
                       n_nodes, most);
    return RG_OK;
}

/* All rows of nodes are there before memory is taken for their number. */
static rg_status check_node_rows(const taking *a, uint64_t n_nodes, rg_error *err)
{
    for (size_t k = 0; k < a->in.n_columns; k++) {
        const rg_graph_columns *own = &a->in.columns[k];
        if ((unsigned)own->kind < RG_N_COLUMN_KINDS && rg_column_item(own->kind) == 0 &&
            own->values.data && own->values.n_rows != n_nodes)
            return rg_fail(err, RG_EDATA, "%s: found %zu rows, expected %" PRIu64,
                           rg_column_words(own->kind), own->values.n_rows, n_nodes);
    }
    return check_claim(a, n_nodes, err);
}

static rg_status take_nodes(taking *a, rg_error *err)
{
    const rg_graph_arrays *in = &a->in;
    uint64_t n_nodes = 0, own = 0;
    if (in->n_graphs >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "found 2^32 or more graphs, expected less");
    if (!in->nodes.data && in->n_graphs)
        return rg_fail(err, RG_EUSAGE, "found no numbers of nodes, expected one for each graph");
    rg_status status = in->n_graphs
                           ? rg_matrix_check(&in->nodes, "numbers of nodes", in->n_graphs, 1, err)
                           : RG_OK;
    if (status)
        return status;
    a->first_node = rg_alloc(in->n_graphs + 1, sizeof *a->first_node);
    if (!a->first_node)
        return rg_fail_memory(err, "building a data set");
    for (size_t g = 0; !status && g < in->n_graphs; g++) {
        a->first_node[g] = (uint32_t)n_nodes;
        status = take_count(&own, &n_nodes, &in->nodes, "nodes", g, err);
    }
    a->first_node[in->n_graphs] = (uint32_t)n_nodes;
    a->raw.n_graphs = in->n_graphs;
    if (!status)
        status = check_node_rows(a, n_nodes, err);
    a->raw.node_graph = status ? NULL : rg_alloc((size_t)n_nodes, sizeof *a->raw.node_graph);
    if (status)
        return status;
    if (!a->raw.node_graph)
        return rg_fail_memory(err, "building a data set");
    a->raw.n_nodes = a->raw.node_capacity = (size_t)n_nodes;
    for (size_t g = 0; g < in->n_graphs; g++)
        for (uint32_t i = a->first_node[g]; i < a->first_node[g + 1]; i++)
            a->raw.node_graph[i] = (uint32_t)g;
    return RG_OK;
}

/* One end of an edge: a node first .. end - 1 of the set, numbered from `first`. */
static rg_status take_end(uint32_t *out, const taking *a, size_t edge, size_t column,
                          uint32_t first, uint32_t end, rg_error *err)
{
    const rg_matrix *m = &a->in.edges;
    char word[RG_MATRIX_WORD], range[RG_MATRIX_WORD] = "none, for there are no nodes";
    int64_t value = -1;
    if (!rg_item_is_real(m->type) && rg_matrix_int(&value, m, edge, column) && value >= 0 &&
        value < (int64_t)(end - first)) {
        *out = first + (uint32_t)value;
        return RG_OK;
    }
    rg_matrix_word(word, m, edge, column);
    if (end > first)
        snprintf(range, sizeof range, "a node 0..%u", (unsigned)(end - first - 1));
    return rg_fail(err, RG_EDATA, "edge %zu: found node %s, expected %s", edge, word, range);
}

static rg_status take_pairs(taking *a, size_t from, size_t to, uint32_t first, uint32_t end,
                            rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = from; !status && k < to; k++) {
        status = take_end(&a->raw.pairs[k][0], a, k, 0, first, end, err);
        if (!status)
            status = take_end(&a->raw.pairs[k][1], a, k, 1, first, end, err);
    }
    return status;
}

/* Edges whose nodes are numbered in their graph. */
static rg_status take_edges_by_graph(taking *a, rg_error *err)
{
    uint64_t sum = 0, own = 0;
    rg_status status =
        rg_matrix_check(&a->in.edge_counts, "numbers of edges", a->in.n_graphs, 1, err);
    for (size_t g = 0; !status && g < a->in.n_graphs; g++) {
        size_t before = (size_t)sum;
        status = take_count(&own, &sum, &a->in.edge_counts, "edges", g, err);
        if (!status && sum > a->raw.n_pairs)
            status = rg_fail(err, RG_EDATA,
                             "numbers of edges: found %" PRIu64 " or more in all, "
                             "expected %zu, as there are rows of edges",
                             sum, a->raw.n_pairs);
        if (!status)
            status =
                take_pairs(a, before, (size_t)sum, a->first_node[g], a->first_node[g + 1], err);
    }
    if (!status && sum != a->raw.n_pairs)
        status = rg_fail(err, RG_EDATA,
                         "numbers of edges: found %" PRIu64 " in all, expected %zu, "
                         "as there are rows of edges",
                         sum, a->raw.n_pairs);
    return status;
}

static rg_status take_edges(taking *a, rg_error *err)
{
    const rg_matrix *edges = &a->in.edges;
    if (!edges->data || !edges->n_rows)
        return RG_OK;
    rg_status status = rg_matrix_check(edges, "edges", edges->n_rows, 2, err);
    if (!status && edges->n_rows >= UINT32_MAX)
        status = rg_fail(err, RG_EDATA, "found 2^32 or more edges, expected less");
    if (status)
        return status;
    a->raw.pairs = rg_alloc(edges->n_rows, sizeof *a->raw.pairs);
    if (!a->raw.pairs)
        return rg_fail_memory(err, "building a data set");
    a->raw.n_pairs = a->raw.pair_capacity = edges->n_rows;
    return a->in.edge_counts.data
               ? take_edges_by_graph(a, err)
               : take_pairs(a, 0, edges->n_rows, 0, (uint32_t)a->raw.n_nodes, err);
}

/* ---- columns */

static rg_status wrong_item(const rg_graph_columns *from, size_t row, size_t column,
                            const char *expected, rg_error *err)
{
    char word[RG_MATRIX_WORD];
    rg_matrix_word(word, &from->values, row, column);
    return rg_fail(err, RG_EDATA, "%s: found %s in row %zu, column %zu, expected %s",
                   rg_column_words(from->kind), word, row, column, expected);
}

static rg_status take_ints(rg_int_rows *rows, const rg_graph_columns *from, rg_error *err)
{
    const rg_matrix *m = &from->values;
    bool mask = rg_column_is_mask(from->kind), missing = rg_column_may_miss(from->kind);
    for (size_t r = 0; r < m->n_rows; r++)
        for (size_t c = 0; c < m->n_columns; c++) {
            int64_t *value = &rows->data[r * m->n_columns + c];
            if (!rg_matrix_int(value, m, r, c) || (*value == RG_MISSING && !missing))
                return wrong_item(from, r, c, mask ? "0 or 1" : "a whole number", err);
            if (mask && (uint64_t)*value > 1)
                return wrong_item(from, r, c, "0 or 1", err);
        }
    return RG_OK;
}

static rg_status take_reals(rg_real_rows *rows, const rg_graph_columns *from, rg_error *err)
{
    const rg_matrix *m = &from->values;
    bool missing = rg_column_may_miss(from->kind);
    if (m->type == RG_ITEM_TEXT)
        return rg_fail(err, RG_EDATA, "%s: found texts, expected numbers",
                       rg_column_words(from->kind));
    for (size_t r = 0; r < m->n_rows; r++)
        for (size_t c = 0; c < m->n_columns; c++) {
            double value = rg_matrix_real(m, r, c);
            if (isinf(value) || (isnan(value) && !missing))
                return wrong_item(from, r, c,
                                  missing ? "a finite number or nan" : "a finite number", err);
            rows->data[r * m->n_columns + c] = value;
        }
    return RG_OK;
}

static rg_status take_labels(taking *a, rg_int_rows *rows, const rg_graph_columns *from,
                             rg_error *err)
{
    size_t n;
    if (!rg_size_mul(&n, from->values.n_rows, from->values.n_columns))
        return rg_fail_memory(err, "building a data set");
    rows->data = rg_alloc(n, sizeof *rows->data);
    if (!rows->data)
        return rg_fail_memory(err, "building a data set");
    rows->n_rows = from->values.n_rows;
    rows->n_columns = from->values.n_columns;
    rows->capacity = n;
    if (from->values.type != RG_ITEM_TEXT)
        return take_ints(rows, from, err);
    if (rg_column_is_mask(from->kind))
        return rg_fail(err, RG_EDATA, "%s: found texts, expected 0 or 1",
                       rg_column_words(from->kind));
    rg_status status = RG_OK;
    for (size_t c = 0; !status && c < rows->n_columns; c++)
        status = rg_text_values(&a->raw, rows, from, c, &a->in, err);
    return status;
}

static rg_status take_column_names(taking *a, const rg_graph_columns *from, rg_error *err)
{
    for (size_t c = 0; from->names && c < from->values.n_columns; c++)
        if (from->names[c] && !rg_raw_name_column(&a->raw, from->kind, c, from->names[c]))
            return rg_fail_memory(err, "names of columns");
    return RG_OK;
}

static rg_status take_columns(taking *a, const rg_graph_columns *from, rg_error *err)
{
    if ((unsigned)from->kind >= RG_N_COLUMN_KINDS)
        return rg_fail(err, RG_EUSAGE, "found the kind of columns %d, expected one of rg_column",
                       (int)from->kind);
    const size_t expected[3] = {a->raw.n_nodes, a->raw.n_pairs, a->raw.n_graphs};
    size_t item = rg_column_item(from->kind), slot = rg_column_slot(from->kind), n;
    if (!from->values.data)
        return RG_OK;
    rg_status status =
        rg_matrix_check(&from->values, rg_column_words(from->kind), expected[item], SIZE_MAX, err);
    if (status)
        return status;
    bool label = rg_column_is_label(from->kind) || rg_column_is_mask(from->kind);
    rg_int_rows *ints =
        rg_column_is_mask(from->kind) ? &a->raw.masks[item] : rg_raw_ints(&a->raw, slot);
    rg_real_rows *reals = rg_raw_reals(&a->raw, slot);
    if (label ? ints->data != NULL : reals->data != NULL)
        return rg_fail(err, RG_EUSAGE,
                       "%s: found them twice, expected all columns of a kind at once",
                       rg_column_words(from->kind));
    if (label)
        status = take_labels(a, ints, from, err);
    else {
        reals->data = rg_size_mul(&n, from->values.n_rows, from->values.n_columns)
                          ? rg_alloc(n, sizeof *reals->data)
                          : NULL;
        if (!reals->data)
            return rg_fail_memory(err, "building a data set");
        reals->n_rows = from->values.n_rows;
        reals->n_columns = from->values.n_columns;
        reals->capacity = n;
        status = take_reals(reals, from, err);
    }
    return status ? status : take_column_names(a, from, err);
}

/* ---- names */

/* Names that come from the caller. */
static rg_status check_name(const rg_value_name *own, const char *what, size_t k, rg_error *err)
{
    if ((unsigned)own->kind >= RG_N_COLUMN_KINDS || !rg_column_is_label(own->kind) || !own->name)
        return rg_fail(err, RG_EUSAGE, "name %zu of %s: found no name of a label or class", k,
                       what);
    return RG_OK;
}

static rg_status take_value_names(taking *a, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < a->in.n_value_names; k++) {
        const rg_value_name *own = &a->in.value_names[k];
        status = check_name(own, "values", k, err);
        if (!status && !rg_raw_name_value(&a->raw, own->kind, own->column, own->value, own->name))
            status = rg_fail_memory(err, "names of values");
    }
    return status;
}

static rg_status check_known(const taking *a, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < a->in.n_known; k++)
        status = check_name(&a->in.known[k], "known values", k, err);
    return status;
}

static rg_status take_graph_names(taking *a, rg_error *err)
{
    const rg_matrix *m = &a->in.graph_names;
    char number[32];
    if (!m->data)
        return RG_OK;
    rg_status status = rg_matrix_check(m, "names of graphs", a->in.n_graphs, 1, err);
    for (size_t g = 0; !status && g < a->in.n_graphs; g++) {
        int64_t value;
        const char *name = m->type == RG_ITEM_TEXT ? rg_matrix_text(m, g, 0) : number;
        if (m->type != RG_ITEM_TEXT && !rg_matrix_int(&value, m, g, 0))
            return rg_fail(err, RG_EDATA, "names of graphs: found no whole number for graph %zu",
                           g);
        if (m->type != RG_ITEM_TEXT)
            snprintf(number, sizeof number, "%" PRId64, value);
        if (name && !rg_raw_name_graph(&a->raw, g, name))
            status = rg_fail_memory(err, "names of graphs");
    }
    return status;
}

/* ---- all of it */

static rg_status take_all(taking *a, rg_error *err)
{
    const char *name = a->in.name ? a->in.name : "data";
    a->raw.name = rg_copy_text(name, strlen(name));
    rg_status status = a->raw.name ? RG_OK : rg_fail_memory(err, "building a data set");
    if (!status && ((a->in.n_columns && !a->in.columns) ||
                    (a->in.n_value_names && !a->in.value_names) || (a->in.n_known && !a->in.known)))
        status = rg_fail(err, RG_EUSAGE, "found no columns or names where their number is not 0");
    if (!status)
        status = check_known(a, err);
    if (!status)
        status = take_nodes(a, err);
    if (!status)
        status = take_edges(a, err);
    for (size_t k = 0; !status && k < a->in.n_columns; k++)
        status = take_columns(a, &a->in.columns[k], err);
    if (!status)
        status = take_value_names(a, err);
    if (!status)
        status = take_graph_names(a, err);
    return status;
}

rg_status rg_dataset_from_arrays(rg_dataset **out, const rg_graph_arrays *arrays, rg_error *err)
{
    taking a = {.in = RG_GRAPH_ARRAYS_INIT};
    rg_status status = arrays ? RG_TAKE(rg_graph_arrays, &a.in, arrays, err)
                              : rg_fail(err, RG_EUSAGE, "found no arrays, expected some");
    if (!status)
        status = take_all(&a, err);
    rg_free(a.first_node);
    if (!status)
        return rg_dataset_build(out, &a.raw, err);
    rg_raw_free(&a.raw);
    return status;
}
