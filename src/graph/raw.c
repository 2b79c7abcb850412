/* raw.c - growing arrays of what a reader finds. */
#include "raw.h"

#include "base/alloc.h"

#include <string.h>

rg_int_rows *rg_raw_ints(rg_raw *raw, size_t slot)
{
    rg_int_rows *rows[RG_N_SLOTS] = {&raw->node_labels, &raw->edge_labels, &raw->classes,
                                     &raw->node_classes, &raw->edge_classes};
    return rows[slot];
}

rg_real_rows *rg_raw_reals(rg_raw *raw, size_t slot)
{
    rg_real_rows *rows[RG_N_SLOTS] = {&raw->node_attributes, &raw->edge_attributes, &raw->targets,
                                      &raw->node_targets, &raw->edge_targets};
    return rows[slot];
}

void rg_raw_free(rg_raw *raw)
{
    rg_free(raw->name);
    rg_free(raw->node_graph);
    rg_free(raw->pairs);
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        rg_free(rg_raw_ints(raw, slot)->data);
        rg_free(rg_raw_ints(raw, slot)->shorts);
        rg_free(rg_raw_reals(raw, slot)->data);
    }
    for (size_t item = 0; item < 3; item++)
        rg_free(raw->masks[item].data);
    rg_raw_names_free(&raw->names);
    memset(raw, 0, sizeof *raw);
}

bool rg_raw_add_node(rg_raw *raw, uint32_t graph)
{
    if (!rg_grow(&raw->node_graph, &raw->node_capacity, raw->n_nodes + 1, sizeof *raw->node_graph))
        return false;
    raw->node_graph[raw->n_nodes++] = graph;
    return true;
}

/* The first room for pairs is a megabyte of addresses, of which only what is used becomes memory:
 * from that size on the system moves an array that grows instead of copying it. */
enum { FIRST_PAIRS = 1 << 17 };

bool rg_raw_add_pair(rg_raw *raw, uint32_t a, uint32_t b)
{
    size_t need = raw->pairs ? raw->n_pairs + 1 : FIRST_PAIRS;
    if (!rg_grow(&raw->pairs, &raw->pair_capacity, need, sizeof *raw->pairs))
        return false;
    raw->pairs[raw->n_pairs][0] = a;
    raw->pairs[raw->n_pairs][1] = b;
    raw->n_pairs++;
    return true;
}

int64_t *rg_int_rows_add(rg_int_rows *rows, size_t n_columns)
{
    size_t used = rows->n_rows * n_columns, need;
    if (!rg_size_add(&need, used, n_columns) ||
        !rg_grow(&rows->data, &rows->capacity, need, sizeof *rows->data))
        return NULL;
    rows->n_columns = n_columns;
    rows->n_rows++;
    return rows->data + used;
}

/* Columns keep their order and move apart, the last one first. */
static bool grow_shorts(rg_int_rows *rows, size_t n_columns)
{
    size_t before = rows->short_capacity, room = before ? 2 * before : 1 << 10, n;
    if (!rg_size_mul(&n, room, n_columns))
        return false;
    int16_t *shorts = rg_realloc(rows->shorts, n, sizeof *shorts);
    if (!shorts)
        return false;
    for (size_t c = n_columns; c > 1; c--)
        memmove(shorts + (c - 1) * room, shorts + (c - 1) * before, rows->n_rows * sizeof *shorts);
    rows->shorts = shorts;
    rows->short_capacity = room;
    return true;
}

bool rg_int_rows_add_short(rg_int_rows *rows, size_t n_columns, const int16_t *row)
{
    if (rows->n_rows == rows->short_capacity && !grow_shorts(rows, n_columns))
        return false;
    for (size_t c = 0; c < n_columns; c++)
        rows->shorts[c * rows->short_capacity + rows->n_rows] = row[c];
    rows->n_columns = n_columns;
    rows->n_rows++;
    return true;
}

double *rg_real_rows_add(rg_real_rows *rows, size_t n_columns)
{
    size_t used = rows->n_rows * n_columns, need;
    if (!rg_size_add(&need, used, n_columns) ||
        !rg_grow(&rows->data, &rows->capacity, need, sizeof *rows->data))
        return NULL;
    rows->n_columns = n_columns;
    rows->n_rows++;
    return rows->data + used;
}

bool rg_raw_name_value(rg_raw *raw, rg_column kind, size_t column, int64_t value, const char *name)
{
    return rg_raw_names_add(&raw->names, (rg_raw_name){RG_NAME_OF_VALUE, kind, column, value, 0},
                            name);
}

bool rg_raw_name_column(rg_raw *raw, rg_column kind, size_t column, const char *name)
{
    return rg_raw_names_add(&raw->names, (rg_raw_name){RG_NAME_OF_COLUMN, kind, column, 0, 0},
                            name);
}

bool rg_raw_name_graph(rg_raw *raw, size_t graph, const char *name)
{
    return rg_raw_names_add(&raw->names, (rg_raw_name){RG_NAME_OF_GRAPH, RG_CLASS, graph, 0, 0},
                            name);
}
