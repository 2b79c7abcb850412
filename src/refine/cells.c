/* cells.c - see cells.h.
 *
 * Refinement takes one cell after another from a queue and splits all cells by how many neighbours
 * their nodes have in it (Hopcroft's scheme: of the parts of a cell that was used before, the
 * largest need not be used again). What happens depends on cells, sizes and counts alone, never on
 * the numbers of nodes. */
#include "cells.h"

#include "base/sort.h"

#include <string.h>

void rg_node_cells_open(rg_node_cells *p, uint32_t *const arrays[RG_CELLS_ARRAYS])
{
    *p = (rg_node_cells){.order = arrays[0],
                         .place = arrays[1],
                         .cell = arrays[2],
                         .size = arrays[3],
                         .queue = arrays[4],
                         .waits = arrays[5],
                         .count = arrays[6],
                         .touched = arrays[7],
                         .cells = arrays[8],
                         .moved = arrays[9],
                         .splitter = arrays[10]};
}

void rg_node_cells_enter(rg_node_cells *p, const rg_graph *graph, const uint32_t *labels)
{
    p->graph = *graph;
    p->labels = labels;
    p->n = p->n_cells = p->n_waiting = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        p->cell[i] = RG_OUTSIDE;
        p->count[i] = p->moved[i] = p->waits[i] = 0;
    }
}

void rg_node_cells_leave(rg_node_cells *p)
{
    for (uint32_t k = 0; k < p->n; k++)
        p->cell[p->order[k]] = RG_OUTSIDE;
    p->n = p->n_cells = 0;
}

void rg_node_cells_ball(rg_node_cells *p, uint32_t i, uint32_t depth)
{
    const rg_graph *graph = &p->graph;
    uint32_t n = 0, distance = 0;
    p->cell[i] = 0;
    p->order[n++] = i;
    for (uint32_t k = 0, end = n; k < n && (!depth || distance < depth);) {
        for (; k < end; k++)
            for (uint64_t arc = graph->row[p->order[k]]; arc < graph->row[p->order[k] + 1]; arc++) {
                uint32_t j = graph->col[arc];
                if (p->cell[j] == RG_OUTSIDE) {
                    p->cell[j] = 0;
                    p->order[n++] = j;
                }
            }
        end = n;
        distance++;
    }
    p->n = n;
}

static void await(rg_node_cells *p, uint32_t cell)
{
    if (p->waits[cell])
        return;
    p->waits[cell] = 1;
    uint32_t at = p->first + p->n_waiting++;
    p->queue[at < p->n ? at : at - p->n] = cell;
}

static uint32_t take(rg_node_cells *p)
{
    uint32_t cell = p->queue[p->first];
    p->waits[cell] = 0;
    p->first = p->first + 1 < p->n ? p->first + 1 : 0;
    p->n_waiting--;
    return cell;
}

/* Sorts nodes by key[node], in place: nothing may be allocated here. What is equal goes in any
 * order, for it stays in one cell. */
static void sort_by(uint32_t *nodes, uint32_t n, const uint32_t *key)
{
    enum { FEW = 24 }; /* up to here insertion beats the heap */
    for (uint32_t k = 1; n <= FEW && k < n; k++) {
        uint32_t node = nodes[k], at = k;
        for (; at > 0 && key[nodes[at - 1]] > key[node]; at--)
            nodes[at] = nodes[at - 1];
        nodes[at] = node;
    }
    for (uint32_t end = n, start = n / 2; n > FEW && end > 1;) {
        uint32_t node = nodes[start > 0 ? start - 1 : end - 1];
        if (start > 0)
            start--;
        else
            nodes[--end] = nodes[0];
        uint32_t at = start;
        for (uint32_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
            child += child + 1 < end && key[nodes[child + 1]] > key[nodes[child]];
            if (key[nodes[child]] <= key[node])
                break;
            nodes[at] = nodes[child];
            at = child;
        }
        nodes[at] = node;
    }
}

/* Makes positions first .. first + n - 1 one cell. */
static void make_cell(rg_node_cells *p, uint32_t first, uint32_t n)
{
    p->size[first] = n;
    for (uint32_t k = first; k < first + n; k++) {
        p->cell[p->order[k]] = first;
        p->place[p->order[k]] = k;
    }
}

void rg_node_cells_start(rg_node_cells *p)
{
    uint32_t begin = 0;
    p->first = p->n_waiting = p->n_cells = 0;
    if (p->labels)
        sort_by(p->order, p->n, p->labels);
    for (uint32_t k = 1; k <= p->n; k++) {
        if (k < p->n && (!p->labels || p->labels[p->order[k]] == p->labels[p->order[begin]]))
            continue;
        make_cell(p, begin, k - begin);
        p->n_cells++;
        await(p, begin);
        begin = k;
    }
}

/* Moves a node to another position of its cell; the one that was there takes its place. */
static void put_at(rg_node_cells *p, uint32_t node, uint32_t position)
{
    uint32_t other = p->order[position], from = p->place[node];
    p->order[from] = other;
    p->place[other] = from;
    p->order[position] = node;
    p->place[node] = position;
}

void rg_node_cells_mark(rg_node_cells *p, uint32_t i)
{
    uint32_t cell = p->cell[i], n = p->size[cell];
    if (n == 1)
        return;
    bool waited = p->waits[cell];
    put_at(p, i, cell);
    make_cell(p, cell, 1);
    make_cell(p, cell + 1, n - 1);
    p->n_cells++;
    await(p, cell);
    if (waited) /* else the rest is not needed: what it would tell, the old cell has told */
        await(p, cell + 1);
}

/* Counts, for the nodes next to the splitter by edges of one kind, how many such edges they have;
 * moves those nodes to the ends of their cells and lists the cells. How many cells. */
static uint32_t count_neighbours(rg_node_cells *p, uint32_t n_splitter, uint32_t kind,
                                 uint32_t *n_touched)
{
    const rg_graph *graph = &p->graph;
    uint32_t n_hit = 0, n_listed = 0;
    for (uint32_t k = 0; k < n_splitter; k++) {
        uint32_t v = p->splitter[k];
        for (uint64_t arc = graph->row[v]; arc < graph->row[v + 1]; arc++) {
            uint32_t u = graph->col[arc], cell = p->cell[u];
            if (cell == RG_OUTSIDE || p->size[cell] == 1 || (p->kinds && p->kinds[arc] != kind))
                continue;
            if (p->count[u]++)
                continue;
            p->touched[n_hit++] = u;
            if (p->moved[cell] == 0)
                p->cells[n_listed++] = cell;
            put_at(p, u, cell + p->size[cell] - ++p->moved[cell]);
        }
    }
    *n_touched = n_hit;
    return n_listed;
}

/* Splits one cell, whose last moved[cell] nodes have neighbours, by how many they are. */
static void split_cell(rg_node_cells *p, uint32_t cell)
{
    uint32_t n = p->size[cell], n_moved = p->moved[cell], begin = cell;
    uint32_t largest = cell, most = 0, parts = 0;
    bool waited = p->waits[cell];
    p->moved[cell] = 0;
    sort_by(p->order + cell + n - n_moved, n_moved, p->count);
    for (uint32_t k = cell + 1; k <= cell + n; k++) {
        if (k < cell + n && p->count[p->order[k]] == p->count[p->order[k - 1]])
            continue;
        make_cell(p, begin, k - begin);
        if (k - begin > most) {
            most = k - begin;
            largest = begin;
        }
        parts++;
        begin = k;
    }
    if (parts == 1)
        return;
    p->n_cells += parts - 1;
    for (uint32_t at = cell; at < cell + n; at += p->size[at])
        if (waited || at != largest)
            await(p, at);
}

void rg_node_cells_refine(rg_node_cells *p)
{
    while (p->n_waiting && p->n_cells < p->n) {
        uint32_t cell = take(p), n_splitter = p->size[cell], n_touched;
        for (uint32_t k = 0; k < n_splitter; k++)
            p->splitter[k] = p->order[cell + k];
        for (uint32_t kind = 0; kind < (p->kinds ? p->n_kinds : 1); kind++) {
            uint32_t n_listed = count_neighbours(p, n_splitter, kind, &n_touched);
            rg_sort_numbers(p->cells, n_listed);
            for (uint32_t k = 0; k < n_listed; k++)
                split_cell(p, p->cells[k]);
            for (uint32_t k = 0; k < n_touched; k++)
                p->count[p->touched[k]] = 0;
        }
    }
    while (p->n_waiting)
        take(p);
}

void rg_node_cells_save(const rg_node_cells *p, uint32_t *order, uint32_t *size)
{
    memcpy(order, p->order, p->n * sizeof *order);
    memcpy(size, p->size, p->n * sizeof *size);
}

void rg_node_cells_restore(rg_node_cells *p, const uint32_t *order, const uint32_t *size,
                           uint32_t n_cells)
{
    memcpy(p->order, order, p->n * sizeof *order);
    for (uint32_t at = 0; at < p->n; at += size[at])
        make_cell(p, at, size[at]);
    p->n_cells = n_cells;
}
