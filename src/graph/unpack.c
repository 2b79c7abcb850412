/* unpack.c - see unpack.h. */
#include "unpack.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

rg_status rg_unpack_open(rg_unpack *out, rg_raw *raw, const rg_dataset *data, rg_error *err)
{
    *out = (rg_unpack){.raw = raw, .data = data};
    raw->sequence = data->sequence;
    out->place = rg_alloc((size_t)data->n_nodes, sizeof *out->place);
    bool fine = out->place != NULL;
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        const rg_label_columns *labels = &data->labels[slot];
        size_t n = labels->value_start[labels->n_columns];
        out->values[slot] = rg_alloc(n, sizeof *out->values[slot]);
        fine = fine && out->values[slot];
        if (out->values[slot] && n)
            memcpy(out->values[slot], labels->values, n * sizeof *labels->values);
    }
    if (fine)
        return RG_OK;
    rg_unpack_close(out);
    return rg_fail_memory(err, "copying graphs");
}

void rg_unpack_close(rg_unpack *unpack)
{
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++)
        rg_free(unpack->values[slot]);
    rg_free(unpack->place);
    *unpack = (rg_unpack){0};
}

/* ---- rows of one node, arc or graph, in all slots that hold such rows */

static bool add_labels(rg_unpack *u, size_t slot, size_t item, uint64_t at)
{
    const rg_label_columns *labels = &u->data->labels[slot];
    const size_t counts[3] = {(size_t)u->data->n_nodes, (size_t)u->data->n_arcs, u->data->n_graphs};
    size_t n = labels->n_columns;
    int64_t *row = n ? rg_int_rows_add(rg_raw_ints(u->raw, slot), n) : NULL;
    for (size_t c = 0; row && c < n; c++) {
        uint32_t rank = labels->ranks[c * counts[item] + at];
        row[c] = rank == RG_NO_CLASS ? RG_MISSING : u->values[slot][labels->value_start[c] + rank];
    }
    return !n || row;
}

static bool add_reals(rg_unpack *u, size_t slot, uint64_t at)
{
    const rg_real_columns *reals = &u->data->reals[slot];
    size_t n = reals->n_columns;
    double *row = n ? rg_real_rows_add(rg_raw_reals(u->raw, slot), n) : NULL;
    if (row)
        memcpy(row, reals->data + at * n, n * sizeof *row);
    return !n || row;
}

static bool add_masks(rg_unpack *u, size_t item, uint64_t at)
{
    static const rg_column kinds[3] = {RG_NODE_MASK, RG_EDGE_MASK, RG_MASK};
    size_t n = u->data->masks[item].n_columns;
    int64_t *row = n ? rg_int_rows_add(&u->raw->masks[item], n) : NULL;
    for (size_t c = 0; row && c < n; c++)
        row[c] = rg_dataset_mask(u->data, kinds[item], c)[at];
    return !n || row;
}

static bool add_rows(rg_unpack *u, size_t item, uint64_t at)
{
    bool fine = add_masks(u, item, at);
    for (size_t slot = 0; fine && slot < RG_N_SLOTS; slot++)
        if (rg_slot_item(slot) == item)
            fine = add_labels(u, slot, item, at) && add_reals(u, slot, at);
    return fine;
}

/* ---- graphs and names */

bool rg_unpack_graph(rg_unpack *u, size_t graph, uint32_t number, const uint32_t *nodes)
{
    rg_graph g = rg_dataset_graph(u->data, graph);
    const char *name = rg_dataset_graph_name(u->data, graph);
    uint32_t base = (uint32_t)u->raw->n_nodes;
    bool fine = add_rows(u, 2, graph) && (!name || rg_raw_name_graph(u->raw, number, name));
    for (uint32_t k = 0; fine && k < g.n_nodes; k++) {
        uint32_t i = nodes ? nodes[g.first_node + k] : k;
        u->place[i] = base + k;
        fine = rg_raw_add_node(u->raw, number) && add_rows(u, 0, g.first_node + i);
    }
    for (uint32_t i = 0; fine && i < g.n_nodes; i++)
        for (uint64_t arc = g.row[i]; fine && arc < g.row[i + 1]; arc++)
            fine =
                rg_raw_add_pair(u->raw, u->place[i], u->place[g.col[arc]]) && add_rows(u, 1, arc);
    return fine;
}

bool rg_unpack_part(rg_unpack *u, size_t graph, uint32_t number, const uint32_t *nodes, uint32_t n)
{
    rg_graph g = rg_dataset_graph(u->data, graph);
    const char *name = rg_dataset_graph_name(u->data, graph);
    uint32_t base = (uint32_t)u->raw->n_nodes;
    bool fine = add_rows(u, 2, graph) && (!name || rg_raw_name_graph(u->raw, number, name));
    for (uint32_t i = 0; i < g.n_nodes; i++)
        u->place[i] = UINT32_MAX;
    for (uint32_t k = 0; fine && k < n; k++) {
        u->place[nodes[k]] = base + k;
        fine = rg_raw_add_node(u->raw, number) && add_rows(u, 0, g.first_node + nodes[k]);
    }
    for (uint32_t i = 0; fine && i < g.n_nodes; i++)
        for (uint64_t arc = g.row[i]; fine && arc < g.row[i + 1]; arc++)
            if (u->place[i] != UINT32_MAX && u->place[g.col[arc]] != UINT32_MAX)
                fine = rg_raw_add_pair(u->raw, u->place[i], u->place[g.col[arc]]) &&
                       add_rows(u, 1, arc);
    return fine;
}

static bool name_values(rg_unpack *u, rg_column kind, size_t column)
{
    size_t slot = rg_column_slot(kind), n;
    size_t first = u->data->labels[slot].value_start[column];
    rg_dataset_values(u->data, kind, column, &n);
    for (size_t r = 0; r < n; r++) {
        const char *name = rg_dataset_value_name(u->data, kind, column, r);
        if (name && !rg_raw_name_value(u->raw, kind, column, u->values[slot][first + r], name))
            return false;
    }
    return true;
}

bool rg_unpack_names(rg_unpack *u)
{
    for (int k = 0; k < RG_N_COLUMN_KINDS; k++) {
        rg_column kind = (rg_column)k;
        for (size_t c = 0; c < rg_dataset_n_columns(u->data, kind); c++) {
            const char *name = rg_dataset_column_name(u->data, kind, c);
            if (name && !rg_raw_name_column(u->raw, kind, c, name))
                return false;
            if (rg_column_is_label(kind) && !name_values(u, kind, c))
                return false;
        }
    }
    return true;
}
