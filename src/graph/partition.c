/* partition.c - see partition.h. A cell is split by how many arcs its nodes have from one other
 * cell, colour by colour; the pieces but the largest wait to split others in turn (Hopcroft), which
 * is O(arcs * log nodes) in all. */
#include "partition.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

void rg_partition_free(rg_partition *p)
{
    rg_free(p->block);
    *p = (rg_partition){0};
}

static bool reserve(rg_partition *p, size_t nodes, size_t keys)
{
    if (p->block && nodes <= p->node_capacity && keys <= p->key_capacity)
        return true;
    size_t n = nodes > 2 * p->node_capacity ? nodes : 2 * p->node_capacity;
    size_t k = keys > 2 * p->key_capacity ? keys : 2 * p->key_capacity;
    rg_carve l = {0};
    size_t at[9];
    for (size_t array = 0; array < 9; array++)
        at[array] = rg_carve_add(&l, n, sizeof(uint32_t));
    size_t trail = rg_carve_add(&l, n, sizeof *p->trail);
    size_t queued = rg_carve_add(&l, n, 1);
    size_t sort = rg_carve_add(&l, k, sizeof(uint64_t));
    size_t spare = rg_carve_add(&l, k, sizeof(uint64_t));
    char *block = rg_carve_alloc(&l);
    if (!block)
        return false;
    rg_free(p->block);
    *p = (rg_partition){.block = block, .node_capacity = n, .key_capacity = k};
    uint32_t **arrays[9] = {&p->order, &p->place,   &p->cell,  &p->length, &p->queue,
                            &p->count, &p->touched, &p->cells, &p->marked};
    for (size_t array = 0; array < 9; array++)
        *arrays[array] = (void *)(block + at[array]);
    p->trail = (void *)(block + trail);
    p->queued = (void *)(block + queued);
    p->keys = (void *)(block + sort);
    p->spare = (void *)(block + spare);
    return true;
}

/* Ascending. Bytes in which all keys agree cost one look. */
static void sort_keys(uint64_t *keys, uint64_t *spare, size_t n)
{
    if (n <= 32) {
        for (size_t i = 1; i < n; i++) {
            uint64_t key = keys[i];
            size_t j = i;
            for (; j > 0 && keys[j - 1] > key; j--)
                keys[j] = keys[j - 1];
            keys[j] = key;
        }
        return;
    }
    uint64_t any = 0, *from = keys, *to = spare;
    for (size_t i = 0; i < n; i++)
        any |= keys[i] ^ keys[0];
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!((any >> shift) & 0xff))
            continue;
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++)
            start[((from[i] >> shift) & 0xff) + 1]++;
        for (size_t b = 0; b < 256; b++)
            start[b + 1] += start[b];
        for (size_t i = 0; i < n; i++)
            to[start[(from[i] >> shift) & 0xff]++] = from[i];
        uint64_t *old = from;
        from = to;
        to = old;
    }
    if (from != keys)
        memcpy(keys, from, n * sizeof *keys);
}

static void put(rg_partition *p, uint32_t place, uint32_t node)
{
    p->order[place] = node;
    p->place[node] = place;
}

static void swap_places(rg_partition *p, uint32_t a, uint32_t b)
{
    uint32_t node = p->order[a];
    put(p, a, p->order[b]);
    put(p, b, node);
}

static void enqueue(rg_partition *p, uint32_t cell)
{
    if (p->queued[cell])
        return;
    p->queued[cell] = 1;
    uint64_t end = (uint64_t)p->queue_head + p->n_queue++;
    p->queue[end % (2 * (uint64_t)p->n)] = cell;
}

static uint32_t dequeue(rg_partition *p)
{
    uint32_t cell = p->queue[p->queue_head];
    p->queue_head = p->queue_head + 1 < 2 * p->n ? p->queue_head + 1 : 0;
    p->n_queue--;
    p->queued[cell] = 0;
    return cell;
}

static void cut(rg_partition *p, uint32_t from, uint32_t cell, uint32_t length)
{
    p->length[from] -= length;
    p->length[cell] = length;
    for (uint32_t k = cell; k < cell + length; k++)
        p->cell[p->order[k]] = cell;
    p->trail[p->n_trail][0] = cell;
    p->trail[p->n_trail++][1] = from;
}

void rg_partition_undo(rg_partition *p, size_t n_trail)
{
    while (p->n_trail > n_trail) {
        uint32_t cell = p->trail[--p->n_trail][0], from = p->trail[p->n_trail][1];
        for (uint32_t k = cell; k < cell + p->length[cell]; k++)
            p->cell[p->order[k]] = from;
        p->length[from] += p->length[cell];
    }
}

/* The touched nodes lie at the end of the cell, sorted by count. Cuts it into runs of equal counts;
 * false if a run is uneven (the rest, with count 0, is even if all runs are). */
static bool cut_runs(rg_partition *p, uint32_t cell, uint32_t first)
{
    uint32_t end = cell + p->length[cell], largest = cell, size = first - cell;
    bool was_queued = p->queued[cell];
    size_t start = p->n_trail;
    for (uint32_t k = first; k < end;) {
        uint32_t run = k, count = p->count[p->order[k]], of_first = 0;
        for (; k < end && p->count[p->order[k]] == count; k++)
            of_first += p->order[k] < p->n;
        if (2 * of_first != k - run)
            return false;
        if (run > cell)
            cut(p, cell, run, k - run);
        if (k - run > size) {
            size = k - run;
            largest = run;
        }
    }
    if (p->n_trail == start)
        return true;
    if (was_queued || largest != cell)
        enqueue(p, cell);
    for (size_t t = start; t < p->n_trail; t++)
        if (was_queued || p->trail[t][0] != largest)
            enqueue(p, p->trail[t][0]);
    return true;
}

static void sort_by_count(rg_partition *p, uint32_t first, uint32_t end)
{
    uint32_t count = p->count[p->order[first]], k = first;
    while (k < end && p->count[p->order[k]] == count)
        k++;
    if (k == end)
        return;
    /* p->keys may hold the arcs of the cell at work; spare is free, and holds twice the nodes */
    uint64_t *keys = p->spare, *spare = p->spare + (end - first);
    for (k = first; k < end; k++)
        keys[k - first] = (uint64_t)p->count[p->order[k]] << 32 | p->order[k];
    sort_keys(keys, spare, end - first);
    for (k = first; k < end; k++)
        put(p, k, (uint32_t)keys[k - first]);
}

/* Splits the cells of the n touched nodes by their counts, and clears the counts. */
static bool split_touched(rg_partition *p, uint32_t n)
{
    uint32_t n_cells = 0;
    bool even = true;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t node = p->touched[k], cell = p->cell[node];
        if (p->marked[cell]++ == 0)
            p->cells[n_cells++] = cell;
        swap_places(p, p->place[node], cell + p->length[cell] - p->marked[cell]);
    }
    for (uint32_t k = 0; k < n_cells; k++) {
        uint32_t cell = p->cells[k], end = cell + p->length[cell], first = end - p->marked[cell];
        p->marked[cell] = 0;
        if (!even)
            continue;
        sort_by_count(p, first, end);
        even = cut_runs(p, cell, first);
    }
    for (uint32_t k = 0; k < n; k++)
        p->count[p->touched[k]] = 0;
    return even;
}

/* Splits by the arcs of one cell, all of one colour. */
static bool split_by_plain_arcs(rg_partition *p, uint32_t cell)
{
    uint32_t n = 0;
    for (uint32_t k = cell; k < cell + p->length[cell]; k++) {
        uint32_t i, shift;
        const rg_graph *g = &rg_partition_side(p, p->order[k], &i, &shift)->graph;
        for (uint64_t arc = g->row[i]; arc < g->row[i + 1]; arc++) {
            uint32_t j = g->col[arc] + shift;
            if (p->count[j]++ == 0)
                p->touched[n++] = j;
        }
        p->followed += g->row[i + 1] - g->row[i];
    }
    return split_touched(p, n);
}

/* The same colour after colour. All arcs are gathered first, for the cell may split itself. */
static bool split_by_coloured_arcs(rg_partition *p, uint32_t cell)
{
    size_t n_arcs = 0;
    for (uint32_t k = cell; k < cell + p->length[cell]; k++) {
        uint32_t i, shift;
        const rg_coloured *side = rg_partition_side(p, p->order[k], &i, &shift);
        const rg_graph *g = &side->graph;
        for (uint64_t arc = g->row[i]; arc < g->row[i + 1]; arc++)
            p->keys[n_arcs++] = (uint64_t)side->arc_colour[arc] << 32 | (g->col[arc] + shift);
    }
    p->followed += n_arcs;
    sort_keys(p->keys, p->spare, n_arcs);
    for (size_t k = 0; k < n_arcs;) {
        uint64_t colour = p->keys[k] >> 32;
        uint32_t n = 0;
        for (; k < n_arcs && p->keys[k] >> 32 == colour; k++) {
            uint32_t j = (uint32_t)p->keys[k];
            if (p->count[j]++ == 0)
                p->touched[n++] = j;
        }
        if (!split_touched(p, n))
            return false;
    }
    return true;
}

static void clear_queue(rg_partition *p)
{
    while (p->n_queue)
        dequeue(p);
}

rg_refined rg_partition_refine(rg_partition *p)
{
    bool even = true;
    while (even && p->n_queue && p->followed <= p->budget) {
        uint32_t cell = dequeue(p);
        even =
            p->side[0].arc_colour ? split_by_coloured_arcs(p, cell) : split_by_plain_arcs(p, cell);
        p->followed++;
    }
    bool done = p->n_queue == 0;
    clear_queue(p);
    return !even ? RG_UNEVEN : done ? RG_STABLE : RG_OVERSPENT;
}

void rg_partition_pair(rg_partition *p, uint32_t a, uint32_t b)
{
    uint32_t cell = p->cell[a], end = cell + p->length[cell];
    swap_places(p, p->place[a], end - 1);
    swap_places(p, p->place[b], end - 2);
    cut(p, cell, end - 2, 2);
    enqueue(p, end - 2);
}

rg_refined rg_partition_split(rg_partition *p, const uint64_t *value)
{
    uint32_t n = 2 * p->n, distinct = 0;
    memcpy(p->keys, value, n * sizeof *value);
    sort_keys(p->keys, p->spare, n);
    for (uint32_t k = 0; k < n; k++)
        if (k == 0 || p->keys[k] != p->keys[distinct - 1])
            p->keys[distinct++] = p->keys[k];
    for (uint32_t node = 0; node < n; node++) {
        uint32_t low = 0, high = distinct - 1;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (p->keys[middle] < value[node])
                low = middle + 1;
            else
                high = middle;
        }
        p->count[node] = low + 1;
        p->touched[node] = node;
    }
    bool even = split_touched(p, n);
    if (!even)
        clear_queue(p);
    return even ? RG_STABLE : RG_UNEVEN;
}

rg_status rg_partition_start(rg_partition *p, rg_refined *state, const rg_coloured *a,
                             const rg_coloured *b, rg_error *err)
{
    size_t n = 2 * (size_t)a->graph.n_nodes;
    size_t arcs = a->arc_colour ? 2 * a->graph.n_arcs : 0, keys = 2 * n > arcs ? 2 * n : arcs;
    if (n > UINT32_MAX || !reserve(p, n, keys))
        return rg_fail_memory(err, "comparing graphs");
    p->side[0] = *a;
    p->side[1] = *b;
    p->n = a->graph.n_nodes;
    p->n_trail = 0;
    p->queue_head = p->n_queue = 0;
    p->followed = 0;
    memset(p->queued, 0, n);
    memset(p->count, 0, n * sizeof *p->count);
    memset(p->marked, 0, n * sizeof *p->marked);
    for (uint32_t node = 0; node < n; node++) {
        const uint32_t *colour = p->side[node >= p->n].node_colour;
        put(p, node, node);
        p->cell[node] = 0;
        p->touched[node] = node;
        p->count[node] = colour ? colour[node < p->n ? node : node - p->n] + 1 : 1;
    }
    *state = RG_STABLE;
    p->length[0] = (uint32_t)n;
    enqueue(p, 0);
    if (!split_touched(p, (uint32_t)n)) {
        clear_queue(p);
        *state = RG_UNEVEN;
    }
    return RG_OK;
}
