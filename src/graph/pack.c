/* pack.c - see pack.h. */
#include "pack.h"

#include "base/alloc.h"

#include <string.h>

size_t rg_plan_items(const rg_build_plan *p, size_t item)
{
    return item == 0 ? p->raw->n_nodes : item == 1 ? (size_t)p->arcs.n : p->raw->n_graphs;
}

/* Arc k comes from row source[k]; row k goes to node order[k]. */
static size_t row_of(const rg_build_plan *p, size_t item, size_t k)
{
    return item == 1 ? p->arcs.source[k] : k;
}

static size_t place_of(const rg_build_plan *p, size_t item, size_t k)
{
    return item == 0 && p->order ? p->order[k] : k;
}

static void fill_labels(rg_label_columns *out, const rg_build_plan *p, size_t slot)
{
    const rg_int_rows *rows = rg_raw_ints(p->raw, slot);
    size_t item = rg_slot_item(slot), n = rg_plan_items(p, item), used = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        const rg_ranking *ranking = &p->rankings[slot][c];
        uint32_t *ranks = out->ranks + c * n;
        for (size_t k = 0; k < n; k++) {
            size_t from = row_of(p, item, k), to = place_of(p, item, k);
            ranks[to] = rg_ranking_find(ranking, rg_int_rows_at(rows, from, c));
        }
        out->value_start[c] = used;
        memcpy(out->values + used, ranking->values, ranking->n * sizeof *out->values);
        used += ranking->n;
    }
    out->value_start[rows->n_columns] = used;
}

static void fill_reals(rg_real_columns *out, const rg_build_plan *p, size_t slot)
{
    const rg_real_rows *rows = rg_raw_reals(p->raw, slot);
    size_t columns = out->n_columns, item = rg_slot_item(slot), n = rg_plan_items(p, item);
    if (!rows->data)
        return; /* none, or the block grew around them */
    for (size_t k = 0; columns && k < n; k++) {
        size_t from = row_of(p, item, k), to = place_of(p, item, k);
        memcpy(out->data + to * columns, rows->data + from * columns, columns * sizeof *out->data);
    }
}

static void fill_masks(rg_mask_columns *out, const rg_build_plan *p, size_t item)
{
    const rg_int_rows *rows = &p->raw->masks[item];
    size_t n = rg_plan_items(p, item);
    for (size_t c = 0; c < out->n_columns; c++)
        for (size_t k = 0; k < n; k++)
            out->data[c * n + place_of(p, item, k)] =
                rows->data[row_of(p, item, k) * rows->n_columns + c] != 0;
}

/* Where the parts of the block begin. */
typedef struct block_places {
    bool keep_reals; /* the block grows around the attributes of nodes, else around the columns */
    size_t head, name, start, row, col, text;
    size_t ranks[RG_N_SLOTS], values[RG_N_SLOTS], value_start[RG_N_SLOTS], reals[RG_N_SLOTS];
    size_t masks[3];
    size_t value_names[RG_N_SLOTS], column_names[RG_N_COLUMN_KINDS], graph_names; /* 0: none */
} block_places;

static size_t n_columns(const rg_build_plan *p, rg_column kind)
{
    size_t slot = rg_column_slot(kind);
    return rg_column_is_mask(kind)    ? p->raw->masks[rg_column_item(kind)].n_columns
           : rg_column_is_label(kind) ? rg_raw_ints(p->raw, slot)->n_columns
                                      : rg_raw_reals(p->raw, slot)->n_columns;
}

static size_t n_values(const rg_build_plan *p, size_t slot)
{
    size_t n = 0;
    for (size_t c = 0; c < rg_raw_ints(p->raw, slot)->n_columns; c++)
        n += p->rankings[slot][c].n;
    return n;
}

/* Labels, reals and masks. False if there are more than a size can say. */
static bool carve_columns(rg_carve *carve, block_places *at, const rg_build_plan *p)
{
    size_t n;
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        size_t columns = rg_raw_ints(p->raw, slot)->n_columns;
        size_t count = rg_plan_items(p, rg_slot_item(slot));
        if (!rg_size_mul(&n, columns, count))
            return false;
        at->ranks[slot] = rg_carve_add(carve, n, sizeof(uint32_t));
        at->value_start[slot] = rg_carve_add(carve, columns + 1, sizeof(size_t));
        at->values[slot] = rg_carve_add(carve, n_values(p, slot), sizeof(int64_t));
        if (!rg_size_mul(&n, rg_raw_reals(p->raw, slot)->n_columns, count))
            return false;
        at->reals[slot] = at->keep_reals && slot == 0 ? 0 : rg_carve_add(carve, n, sizeof(double));
    }
    for (size_t item = 0; item < 3; item++) {
        if (!rg_size_mul(&n, p->raw->masks[item].n_columns, rg_plan_items(p, item)))
            return false;
        at->masks[item] = rg_carve_add(carve, n, 1);
    }
    return true;
}

static void carve_names(rg_carve *carve, block_places *at, const rg_build_plan *p)
{
    const rg_raw_names *names = &p->raw->names;
    at->text = rg_carve_add(carve, names->n_text, 1);
    for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++) {
        rg_column column = (rg_column)kind;
        if (rg_column_is_label(column) && rg_raw_names_any(names, RG_NAME_OF_VALUE, column))
            at->value_names[rg_column_slot(column)] =
                rg_carve_add(carve, n_values(p, rg_column_slot(column)), sizeof(size_t));
        if (rg_raw_names_any(names, RG_NAME_OF_COLUMN, column))
            at->column_names[kind] = rg_carve_add(carve, n_columns(p, column), sizeof(size_t));
    }
    if (rg_raw_names_any(names, RG_NAME_OF_GRAPH, RG_CLASS))
        at->graph_names = rg_carve_add(carve, p->raw->n_graphs, sizeof(size_t));
}

static void point_columns(rg_dataset *data, char *block, const block_places *at,
                          const rg_build_plan *p)
{
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        data->labels[slot].n_columns = rg_raw_ints(p->raw, slot)->n_columns;
        data->labels[slot].ranks = (uint32_t *)(void *)(block + at->ranks[slot]);
        data->labels[slot].value_start = (size_t *)(void *)(block + at->value_start[slot]);
        data->labels[slot].values = (int64_t *)(void *)(block + at->values[slot]);
        data->reals[slot].n_columns = rg_raw_reals(p->raw, slot)->n_columns;
        data->reals[slot].data = (double *)(void *)(block + at->reals[slot]);
    }
    for (size_t item = 0; item < 3; item++) {
        data->masks[item].n_columns = p->raw->masks[item].n_columns;
        data->masks[item].data = (uint8_t *)(block + at->masks[item]);
    }
}

/* n places, cleared; NULL if there are no names. */
static size_t *point_places(char *block, size_t at, size_t n)
{
    size_t *places = at ? (size_t *)(void *)(block + at) : NULL;
    if (places)
        memset(places, 0, n * sizeof *places);
    return places;
}

static void point_names(rg_dataset *data, char *block, const block_places *at,
                        const rg_build_plan *p)
{
    rg_dataset_names *names = &data->names;
    names->text = block + at->text;
    names->n_text = p->raw->names.n_text;
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++)
        names->values[slot] = point_places(block, at->value_names[slot], n_values(p, slot));
    for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++)
        names->columns[kind] =
            point_places(block, at->column_names[kind], n_columns(p, (rg_column)kind));
    names->graphs = point_places(block, at->graph_names, p->raw->n_graphs);
}

/* The block is not new: it grows around the larger of the two arrays that go into it as they are,
 * the columns or the attributes of nodes, so that half of it need neither be touched nor copied. */
static rg_dataset *allocate(rg_build_plan *p)
{
    rg_raw *raw = p->raw;
    const char *name = raw->name ? raw->name : "";
    rg_carve carve = {0};
    block_places at = {0};
    size_t n_kept = p->order ? 0 : raw->n_nodes * raw->node_attributes.n_columns;
    at.keep_reals = n_kept * sizeof(double) > p->arcs.n * sizeof(uint32_t);
    if (at.keep_reals)
        rg_carve_add(&carve, n_kept, sizeof(double));
    else
        rg_carve_add(&carve, (size_t)p->arcs.n, sizeof(uint32_t));
    at.head = rg_carve_add(&carve, 1, sizeof(rg_dataset));
    at.name = rg_carve_add(&carve, strlen(name) + 1, 1);
    at.start = rg_carve_add(&carve, raw->n_graphs + 1, sizeof(uint64_t));
    at.row = rg_carve_add(&carve, raw->n_nodes + 1, sizeof(uint64_t));
    at.col = at.keep_reals ? rg_carve_add(&carve, (size_t)p->arcs.n, sizeof(uint32_t)) : 0;
    if (!carve_columns(&carve, &at, p))
        return NULL;
    carve_names(&carve, &at, p);
    void *kept = at.keep_reals ? (void *)raw->node_attributes.data : (void *)p->arcs.col;
    char *block = carve.overflow ? NULL : rg_realloc(kept, carve.bytes, 1);
    if (!block)
        return NULL;
    if (at.keep_reals)
        raw->node_attributes.data = NULL;
    else
        p->arcs.col = NULL;
    rg_dataset *data = (rg_dataset *)(void *)(block + at.head);
    memset(data, 0, sizeof *data);
    data->block = block;
    data->bytes = carve.bytes;
    data->name = block + at.name;
    memcpy(data->name, name, strlen(name) + 1);
    data->n_graphs = raw->n_graphs;
    data->n_nodes = raw->n_nodes;
    data->n_arcs = p->arcs.n;
    data->graph_start = (uint64_t *)(void *)(block + at.start);
    data->row = (uint64_t *)(void *)(block + at.row);
    data->col = (uint32_t *)(void *)(block + at.col);
    point_columns(data, block, &at, p);
    point_names(data, block, &at, p);
    return data;
}

static void fill(rg_dataset *data, const rg_build_plan *p)
{
    const uint32_t *col = p->arcs.col ? p->arcs.col : data->col; /* in place if they were kept */
    memcpy(data->graph_start, p->start, (data->n_graphs + 1) * sizeof *data->graph_start);
    memcpy(data->row, p->arcs.row, (size_t)(data->n_nodes + 1) * sizeof *data->row);
    data->quirks = p->raw->quirks;
    data->sequence = p->raw->sequence;
    if (data->sequence) /* neither is odd about texts */
        data->quirks.one_way_edges = data->quirks.label_gaps = data->quirks.class_gaps = 0;
    for (size_t g = 0; g < data->n_graphs; g++) {
        uint64_t first = data->graph_start[g], end = data->graph_start[g + 1];
        for (uint64_t k = data->row[first]; k < data->row[end]; k++)
            data->col[k] = col[k] - (uint32_t)first;
        for (uint64_t i = first; i < end; i++)
            data->quirks.isolated_nodes += data->row[i] == data->row[i + 1];
        data->quirks.empty_graphs += first == end;
    }
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++) {
        fill_labels(&data->labels[slot], p, slot);
        fill_reals(&data->reals[slot], p, slot);
    }
    for (size_t item = 0; item < 3; item++)
        fill_masks(&data->masks[item], p, item);
    rg_dataset_fill_names(data, &p->raw->names);
}

rg_dataset *rg_plan_pack(rg_build_plan *plan)
{
    rg_dataset *data = allocate(plan);
    if (data)
        fill(data, plan);
    return data;
}
