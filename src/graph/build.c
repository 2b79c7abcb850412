/* build.c - from what a reader found to a data set in one block. */
#include "arcs.h"
#include "base/alloc.h"
#include "base/error.h"
#include "dataset.h"
#include "rank.h"

#include <string.h>

static rg_status check_rows(size_t found, size_t expected, const char *rows, const char *items,
                            const rg_raw *raw, rg_error *err)
{
    if (found == 0 || found == expected)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "'%s': found %s for %zu %s, expected %zu",
                   raw->name ? raw->name : "", rows, found, items, expected);
}

static rg_status check_counts(const rg_raw *raw, rg_error *err)
{
    rg_status status;
    if (raw->n_nodes >= UINT32_MAX || raw->n_graphs >= UINT32_MAX || raw->n_pairs >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "'%s': found 2^32 or more nodes, graphs or edges, expected less",
                       raw->name ? raw->name : "");
    if ((status =
             check_rows(raw->node_labels.n_rows, raw->n_nodes, "node labels", "nodes", raw, err)))
        return status;
    if ((status = check_rows(raw->node_attributes.n_rows, raw->n_nodes, "node attributes", "nodes",
                             raw, err)))
        return status;
    if ((status =
             check_rows(raw->edge_labels.n_rows, raw->n_pairs, "edge labels", "edges", raw, err)))
        return status;
    if ((status = check_rows(raw->edge_attributes.n_rows, raw->n_pairs, "edge attributes", "edges",
                             raw, err)))
        return status;
    if ((status = check_rows(raw->classes.n_rows, raw->n_graphs, "classes", "graphs", raw, err)))
        return status;
    return check_rows(raw->targets.n_rows, raw->n_graphs, "targets", "graphs", raw, err);
}

/* Only a class may be missing; a label with that number would have no rank. */
static rg_status check_labels(const rg_int_rows *rows, const char *items, const rg_raw *raw,
                              rg_error *err)
{
    for (size_t k = 0; k < rows->n_rows * rows->n_columns; k++)
        if (rows->data[k] == RG_MISSING)
            return rg_fail(err, RG_EDATA, "'%s': found %s %zu without a label, expected one",
                           raw->name ? raw->name : "", items, k / rows->n_columns);
    return RG_OK;
}

static rg_status check_pairs(const rg_raw *raw, rg_error *err)
{
    const char *file = raw->pair_file ? raw->pair_file : raw->name ? raw->name : "edges";
    for (size_t k = 0; k < raw->n_pairs; k++) {
        uint32_t a = raw->pairs[k][0], b = raw->pairs[k][1];
        size_t line = raw->pair_first_line + k, base = raw->pair_base;
        if (raw->n_nodes == 0)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found an edge, expected none in a graph without nodes", file,
                           line);
        if (a >= raw->n_nodes || b >= raw->n_nodes)
            return rg_fail(err, RG_EDATA, "%s:%zu: found node %zu, expected a node %zu..%zu", file,
                           line, (size_t)(a >= raw->n_nodes ? a : b) + base, base,
                           raw->n_nodes + base - 1);
        if (raw->node_graph[a] != raw->node_graph[b])
            return rg_fail(
                err, RG_EDATA,
                "%s:%zu: found an edge from node %zu of graph %zu to node %zu of graph %zu, "
                "expected both in one graph",
                file, line, a + base, raw->node_graph[a] + base, b + base,
                raw->node_graph[b] + base);
    }
    return RG_OK;
}

/* Nodes in order of their graph; inside a graph as they came. order[k]: where node k goes, or NULL
 * if all stay where they are. start: n_graphs + 1, first node of each graph. */
static rg_status order_nodes(uint64_t *start, uint32_t **order, rg_raw *raw, rg_error *err)
{
    uint32_t before = 0;
    for (size_t k = 0; k < raw->n_nodes; k++) {
        uint32_t graph = raw->node_graph[k];
        if (graph >= raw->n_graphs)
            return rg_fail(err, RG_EDATA,
                           "'%s': found graph %u for node %zu, expected one of %zu graphs",
                           raw->name ? raw->name : "", graph, k, raw->n_graphs);
        raw->quirks.unsorted_nodes += graph < before;
        before = graph;
        start[graph + 1]++;
    }
    for (size_t g = 0; g < raw->n_graphs; g++)
        start[g + 1] += start[g];
    *order = NULL;
    if (!raw->quirks.unsorted_nodes)
        return RG_OK;
    uint32_t *place = rg_alloc(raw->n_nodes, sizeof *place);
    if (!place)
        return rg_fail_memory(err, "ordering nodes");
    for (size_t k = 0; k < raw->n_nodes; k++)
        place[k] = (uint32_t)start[raw->node_graph[k]]++;
    memmove(start + 1, start, raw->n_graphs * sizeof *start);
    start[0] = 0;
    *order = place;
    return RG_OK;
}

static void renumber_pairs(rg_raw *raw, const uint32_t *order)
{
    for (size_t k = 0; order && k < raw->n_pairs; k++) {
        raw->pairs[k][0] = order[raw->pairs[k][0]];
        raw->pairs[k][1] = order[raw->pairs[k][1]];
    }
}

/* Everything that is known before the block is allocated. */
typedef struct build_plan {
    rg_raw *raw;
    uint64_t *start; /* n_graphs + 1 */
    uint32_t *order;
    rg_arcs arcs;
    rg_ranking *rankings[3]; /* a column each, of node labels, edge labels, classes */
} build_plan;

static const rg_int_rows *int_rows(const rg_raw *raw, size_t item)
{
    return item == 0 ? &raw->node_labels : item == 1 ? &raw->edge_labels : &raw->classes;
}

static const rg_real_rows *real_rows(const rg_raw *raw, size_t item)
{
    return item == 0 ? &raw->node_attributes : item == 1 ? &raw->edge_attributes : &raw->targets;
}

static size_t item_count(const build_plan *p, size_t item)
{
    return item == 0 ? p->raw->n_nodes : item == 1 ? (size_t)p->arcs.n : p->raw->n_graphs;
}

static void plan_free(build_plan *p)
{
    for (size_t item = 0; item < 3; item++) {
        for (size_t c = 0; p->rankings[item] && c < int_rows(p->raw, item)->n_columns; c++)
            rg_ranking_free(&p->rankings[item][c]);
        rg_free(p->rankings[item]);
    }
    rg_free(p->start);
    rg_free(p->order);
    rg_arcs_free(&p->arcs);
}

static bool plan_rankings(build_plan *p)
{
    for (size_t item = 0; item < 3; item++) {
        const rg_int_rows *rows = int_rows(p->raw, item);
        p->rankings[item] = rg_alloc_zero(rows->n_columns, sizeof *p->rankings[item]);
        if (!p->rankings[item])
            return false;
        for (size_t c = 0; c < rows->n_columns; c++) {
            /* Of arcs, not of pairs: a label that stands only on dropped lines does not occur. */
            if (!rg_ranking_build(&p->rankings[item][c], rows, c, item == 1 ? p->arcs.source : NULL,
                                  item_count(p, item)))
                return false;
            if (!rg_ranking_is_plain(&p->rankings[item][c]))
                *(item < 2 ? &p->raw->quirks.label_gaps : &p->raw->quirks.class_gaps) += 1;
        }
    }
    return true;
}

/* Arc k comes from row source[k]; row k goes to node order[k]. */
static void fill_labels(rg_label_columns *out, const build_plan *p, size_t item)
{
    const rg_int_rows *rows = int_rows(p->raw, item);
    size_t n = item_count(p, item), used = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        const rg_ranking *ranking = &p->rankings[item][c];
        uint32_t *ranks = out->ranks + c * n;
        for (size_t k = 0; k < n; k++) {
            size_t from = item == 1 ? p->arcs.source[k] : k;
            size_t to = item == 0 && p->order ? p->order[k] : k;
            ranks[to] = rg_ranking_find(ranking, rows->data[from * rows->n_columns + c]);
        }
        out->value_start[c] = used;
        memcpy(out->values + used, ranking->values, ranking->n * sizeof *out->values);
        used += ranking->n;
    }
    out->value_start[rows->n_columns] = used;
}

static void fill_reals(rg_real_columns *out, const build_plan *p, size_t item)
{
    const rg_real_rows *rows = real_rows(p->raw, item);
    size_t columns = out->n_columns, n = item_count(p, item);
    if (!rows->data)
        return; /* none, or the block grew around them */
    for (size_t k = 0; columns && k < n; k++) {
        size_t from = item == 1 ? p->arcs.source[k] : k;
        size_t to = item == 0 && p->order ? p->order[k] : k;
        memcpy(out->data + to * columns, rows->data + from * columns, columns * sizeof *out->data);
    }
}

/* The block is not new: it grows around the larger of the two arrays that go into it as they are,
 * the columns or the attributes of nodes, so that half of it need neither be touched nor copied. */
static rg_dataset *allocate(build_plan *p)
{
    rg_raw *raw = p->raw;
    const char *name = raw->name ? raw->name : "";
    rg_carve carve = {0};
    size_t n_kept = p->order ? 0 : raw->n_nodes * raw->node_attributes.n_columns;
    bool keep_reals = n_kept * sizeof(double) > p->arcs.n * sizeof(uint32_t);
    if (keep_reals)
        rg_carve_add(&carve, n_kept, sizeof(double));
    else
        rg_carve_add(&carve, (size_t)p->arcs.n, sizeof(uint32_t));
    size_t head = rg_carve_add(&carve, 1, sizeof(rg_dataset));
    size_t name_at = rg_carve_add(&carve, strlen(name) + 1, 1);
    size_t start_at = rg_carve_add(&carve, raw->n_graphs + 1, sizeof(uint64_t));
    size_t row_at = rg_carve_add(&carve, raw->n_nodes + 1, sizeof(uint64_t));
    size_t col_at = keep_reals ? rg_carve_add(&carve, (size_t)p->arcs.n, sizeof(uint32_t)) : 0;
    size_t ranks_at[3], values_at[3], value_start_at[3], reals_at[3];
    for (size_t item = 0; item < 3; item++) {
        size_t columns = int_rows(raw, item)->n_columns, n_values = 0, n_ranks, n_reals;
        for (size_t c = 0; c < columns; c++)
            n_values += p->rankings[item][c].n;
        if (!rg_size_mul(&n_ranks, columns, item_count(p, item)) ||
            !rg_size_mul(&n_reals, real_rows(raw, item)->n_columns, item_count(p, item)))
            return NULL;
        ranks_at[item] = rg_carve_add(&carve, n_ranks, sizeof(uint32_t));
        value_start_at[item] = rg_carve_add(&carve, columns + 1, sizeof(size_t));
        values_at[item] = rg_carve_add(&carve, n_values, sizeof(int64_t));
        reals_at[item] =
            keep_reals && item == 0 ? 0 : rg_carve_add(&carve, n_reals, sizeof(double));
    }
    void *kept = keep_reals ? (void *)raw->node_attributes.data : (void *)p->arcs.col;
    char *block = carve.overflow ? NULL : rg_realloc(kept, carve.bytes, 1);
    if (!block)
        return NULL;
    if (keep_reals)
        raw->node_attributes.data = NULL;
    else
        p->arcs.col = NULL;
    rg_dataset *data = (rg_dataset *)(void *)(block + head);
    memset(data, 0, sizeof *data);
    data->block = block;
    data->bytes = carve.bytes;
    data->name = block + name_at;
    memcpy(data->name, name, strlen(name) + 1);
    data->n_graphs = raw->n_graphs;
    data->n_nodes = raw->n_nodes;
    data->n_arcs = p->arcs.n;
    data->graph_start = (uint64_t *)(void *)(block + start_at);
    data->row = (uint64_t *)(void *)(block + row_at);
    data->col = (uint32_t *)(void *)(block + col_at);
    for (size_t item = 0; item < 3; item++) {
        data->labels[item].n_columns = int_rows(raw, item)->n_columns;
        data->labels[item].ranks = (uint32_t *)(void *)(block + ranks_at[item]);
        data->labels[item].value_start = (size_t *)(void *)(block + value_start_at[item]);
        data->labels[item].values = (int64_t *)(void *)(block + values_at[item]);
        data->reals[item].n_columns = real_rows(raw, item)->n_columns;
        data->reals[item].data = (double *)(void *)(block + reals_at[item]);
    }
    return data;
}

static void fill(rg_dataset *data, const build_plan *p)
{
    const uint32_t *col = p->arcs.col ? p->arcs.col : data->col; /* in place if they were kept */
    memcpy(data->graph_start, p->start, (data->n_graphs + 1) * sizeof *data->graph_start);
    memcpy(data->row, p->arcs.row, (size_t)(data->n_nodes + 1) * sizeof *data->row);
    data->quirks = p->raw->quirks;
    for (size_t g = 0; g < data->n_graphs; g++) {
        uint64_t first = data->graph_start[g], end = data->graph_start[g + 1];
        for (uint64_t k = data->row[first]; k < data->row[end]; k++)
            data->col[k] = col[k] - (uint32_t)first;
        for (uint64_t i = first; i < end; i++)
            data->quirks.isolated_nodes += data->row[i] == data->row[i + 1];
        data->quirks.empty_graphs += first == end;
    }
    for (size_t item = 0; item < 3; item++) {
        fill_labels(&data->labels[item], p, item);
        fill_reals(&data->reals[item], p, item);
    }
}

static void count_missing(rg_raw *raw)
{
    for (size_t k = 0; k < raw->classes.n_rows * raw->classes.n_columns; k++)
        raw->quirks.missing_targets += raw->classes.data[k] == RG_MISSING;
    for (size_t k = 0; k < raw->targets.n_rows * raw->targets.n_columns; k++)
        raw->quirks.missing_targets += raw->targets.data[k] != raw->targets.data[k];
}

/* A file of labels for no edge at all says nothing: its columns are none. */
static void forget_empty_rows(rg_raw *raw)
{
    rg_int_rows *ints[] = {&raw->node_labels, &raw->edge_labels, &raw->classes};
    rg_real_rows *reals[] = {&raw->node_attributes, &raw->edge_attributes, &raw->targets};
    for (size_t item = 0; item < 3; item++) {
        if (!ints[item]->n_rows)
            ints[item]->n_columns = 0;
        if (!reals[item]->n_rows)
            reals[item]->n_columns = 0;
    }
}

/* Nodes in order, pairs by their new numbers, arcs. */
static rg_status plan_arcs(build_plan *p, rg_error *err)
{
    rg_raw *raw = p->raw;
    p->start = rg_alloc_zero(raw->n_graphs + 2, sizeof *p->start);
    if (!p->start)
        return rg_fail_memory(err, "building a data set");
    rg_status status = order_nodes(p->start, &p->order, raw, err);
    if (!status)
        status = check_pairs(raw, err);
    if (status)
        return status;
    renumber_pairs(raw, p->order);
    rg_free(raw->node_graph);
    raw->node_graph = NULL;
    count_missing(raw);
    return rg_arcs_build(&p->arcs, raw, p->start, err);
}

static rg_status build(rg_dataset **out, build_plan *p, rg_error *err)
{
    if (!p->arcs.n) /* labels of dropped lines only */
        p->raw->edge_labels.n_columns = p->raw->edge_attributes.n_columns = 0;
    rg_dataset *data = plan_rankings(p) ? allocate(p) : NULL;
    if (!data)
        return rg_fail_memory(err, "building a data set");
    fill(data, p);
    *out = data;
    return RG_OK;
}

rg_status rg_dataset_build(rg_dataset **out, rg_raw *raw, rg_error *err)
{
    build_plan p = {.raw = raw};
    forget_empty_rows(raw);
    rg_status status = check_counts(raw, err);
    if (!status)
        status = check_labels(&raw->node_labels, "node", raw, err);
    if (!status)
        status = check_labels(&raw->edge_labels, "edge", raw, err);
    if (!status)
        status = plan_arcs(&p, err);
    if (!status)
        status = build(out, &p, err);
    plan_free(&p);
    rg_raw_free(raw);
    return status;
}
