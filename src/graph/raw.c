/* raw.c - growing arrays of what a reader finds. */
#include "raw.h"

#include "base/alloc.h"

#include <string.h>

void rg_raw_free(rg_raw *raw)
{
    rg_free(raw->name);
    rg_free(raw->node_graph);
    rg_free(raw->pairs);
    rg_free(raw->node_labels.data);
    rg_free(raw->edge_labels.data);
    rg_free(raw->classes.data);
    rg_free(raw->node_attributes.data);
    rg_free(raw->edge_attributes.data);
    rg_free(raw->targets.data);
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
