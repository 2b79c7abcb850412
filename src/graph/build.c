/* build.c - from what a reader found to a data set: checks, order, ranks; pack.c makes the block. */
#include "base/alloc.h"
#include "base/error.h"
#include "pack.h"

#include <string.h>

static rg_status check_rows(size_t found, size_t expected, const char *rows, const char *items,
                            const rg_raw *raw, rg_error *err)
{
    if (found == 0 || found == expected)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "'%s': found %s for %zu %s, expected %zu",
                   raw->name ? raw->name : "", rows, found, items, expected);
}

static const char *const item_words[] = {"nodes", "edges", "graphs"};
static const rg_column label_kinds[RG_N_SLOTS] = {RG_NODE_LABEL, RG_EDGE_LABEL, RG_CLASS,
                                                  RG_NODE_CLASS, RG_EDGE_CLASS};
static const rg_column real_kinds[RG_N_SLOTS] = {RG_NODE_ATTRIBUTE, RG_EDGE_ATTRIBUTE, RG_TARGET,
                                                 RG_NODE_TARGET, RG_EDGE_TARGET};

static rg_status check_counts(rg_raw *raw, rg_error *err)
{
    rg_status status;
    if (raw->n_nodes >= UINT32_MAX || raw->n_graphs >= UINT32_MAX || raw->n_pairs >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "'%s': found 2^32 or more nodes, graphs or edges, expected less",
                       raw->name ? raw->name : "");
    const size_t expected[3] = {raw->n_nodes, raw->n_pairs, raw->n_graphs};
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        size_t item = rg_slot_item(slot);
        if ((status = check_rows(rg_raw_ints(raw, slot)->n_rows, expected[item],
                                 rg_column_words(label_kinds[slot]), item_words[item], raw, err)))
            return status;
        if ((status = check_rows(rg_raw_reals(raw, slot)->n_rows, expected[item],
                                 rg_column_words(real_kinds[slot]), item_words[item], raw, err)))
            return status;
    }
    for (size_t item = 0; item < 3; item++)
        if ((status = check_rows(raw->masks[item].n_rows, expected[item], "rows of masks",
                                 item_words[item], raw, err)))
            return status;
    return RG_OK;
}

/* Only a class may be missing; a label with that number would have no rank. */
static rg_status check_labels(const rg_int_rows *rows, const char *items, const rg_raw *raw,
                              rg_error *err)
{
    for (size_t k = 0; !rows->shorts && k < rows->n_rows * rows->n_columns; k++)
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

static void plan_free(rg_build_plan *p)
{
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        for (size_t c = 0; p->rankings[slot] && c < rg_raw_ints(p->raw, slot)->n_columns; c++)
            rg_ranking_free(&p->rankings[slot][c]);
        rg_free(p->rankings[slot]);
    }
    rg_free(p->start);
    rg_free(p->order);
    rg_arcs_free(&p->arcs);
}

static bool plan_rankings(rg_build_plan *p)
{
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        const rg_int_rows *rows = rg_raw_ints(p->raw, slot);
        p->rankings[slot] = rg_alloc_zero(rows->n_columns, sizeof *p->rankings[slot]);
        if (!p->rankings[slot])
            return false;
        for (size_t c = 0; c < rows->n_columns; c++) {
            /* Of arcs, not of pairs: a label that stands only on dropped lines does not occur. */
            if (!rg_ranking_build(&p->rankings[slot][c], rows, c,
                                  rg_slot_item(slot) == 1 ? p->arcs.source : NULL,
                                  rg_plan_items(p, rg_slot_item(slot))))
                return false;
            if (!rg_ranking_is_plain(&p->rankings[slot][c]))
                *(slot < 2 ? &p->raw->quirks.label_gaps : &p->raw->quirks.class_gaps) += 1;
        }
    }
    return true;
}

/* Slots 2 and on hold what is to be learned; of edges, every listed line counts. */
static void count_missing(rg_raw *raw)
{
    for (size_t slot = 2; slot < RG_N_SLOTS; slot++) {
        const rg_int_rows *classes = rg_raw_ints(raw, slot);
        const rg_real_rows *targets = rg_raw_reals(raw, slot);
        for (size_t k = 0; k < classes->n_rows * classes->n_columns; k++)
            raw->quirks.missing_targets += classes->data[k] == RG_MISSING;
        for (size_t k = 0; k < targets->n_rows * targets->n_columns; k++)
            raw->quirks.missing_targets += targets->data[k] != targets->data[k];
    }
}

/* A file of labels for no edge at all says nothing: its columns are none. */
static void forget_empty_rows(rg_raw *raw)
{
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        if (!rg_raw_ints(raw, slot)->n_rows)
            rg_raw_ints(raw, slot)->n_columns = 0;
        if (!rg_raw_reals(raw, slot)->n_rows)
            rg_raw_reals(raw, slot)->n_columns = 0;
    }
    for (size_t item = 0; item < 3; item++)
        if (!raw->masks[item].n_rows)
            raw->masks[item].n_columns = 0;
}

/* Nodes in order, pairs by their new numbers, arcs. */
static rg_status plan_arcs(rg_build_plan *p, rg_error *err)
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

static rg_status build(rg_dataset **out, rg_build_plan *p, rg_error *err)
{
    for (size_t slot = 0; !p->arcs.n && slot < RG_N_SLOTS; slot++)
        if (rg_slot_item(slot) == 1) /* rows of dropped lines only */
            rg_raw_ints(p->raw, slot)->n_columns = rg_raw_reals(p->raw, slot)->n_columns = 0;
    if (!p->arcs.n)
        p->raw->masks[1].n_columns = 0;
    rg_dataset *data = plan_rankings(p) ? rg_plan_pack(p) : NULL;
    if (!data)
        return rg_fail_memory(err, "building a data set");
    *out = data;
    return RG_OK;
}

rg_status rg_dataset_build(rg_dataset **out, rg_raw *raw, rg_error *err)
{
    rg_build_plan p = {.raw = raw};
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
