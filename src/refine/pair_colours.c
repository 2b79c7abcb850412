/* pair_colours.c - see rg_power_pairs: folklore 2-WL on the nodes of a ball.
 *
 * Colours are ranks of keys in ascending order, so they depend on the graph alone. Pairs (i,i) come
 * first: colour[i][i] is the class of node i. The key of level 0 is what makes two stable
 * colourings equal: sizes and labels of the classes of nodes, and how pairs of each class go on
 * over every third node. What concerns a node with a class of its own follows from the classes of
 * the others and is left out: from and to such a node a class of nodes has one colour. */
#include "space.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_STEPS = 16 }; /* per triple of nodes: lists are sorted */

typedef struct pair_walk {
    rg_power_space *space;
    const rg_power_task *task;
    rg_power *out;
    uint32_t n, n_colours;
    uint32_t *size; /* pairs of each colour */
    size_t size_room;
    size_t n_words;
    uint64_t steps;
    rg_error *err;
} pair_walk;

/* A distinct key of a round, on its way to its rank. */
typedef struct pair_key {
    const uint64_t *words;
    size_t n;
    uint32_t number;
} pair_key;

static int compare_keys(const void *x, const void *y)
{
    const pair_key *a = x, *b = y;
    for (size_t k = 0; k < a->n && k < b->n; k++)
        if (a->words[k] != b->words[k])
            return a->words[k] < b->words[k] ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The kind of the edge between members a and b; n_kinds: there is no edge. */
static uint32_t kind_of(const pair_walk *w, uint32_t a, uint32_t b)
{
    const rg_power_task *task = w->task;
    const uint32_t *order = w->space->cells.order;
    for (uint64_t arc = task->graph.row[order[a]]; arc < task->graph.row[order[a] + 1]; arc++)
        if (task->graph.col[arc] == order[b])
            return task->kinds ? task->kinds[arc] : 0;
    return task->kinds ? task->n_kinds : 1;
}

/* Before the first round: are i and j one node, the edge between them, their labels. */
static size_t first_key(const pair_walk *w, uint32_t a, uint32_t b)
{
    const rg_power_task *task = w->task;
    const uint32_t *order = w->space->cells.order;
    uint64_t *key = w->space->key;
    uint32_t kind = kind_of(w, a, b), none = task->kinds ? task->n_kinds : 1;
    key[0] = a != b;
    key[1] = kind != none;
    key[2] = kind != none && task->kinds ? (uint64_t)task->values[kind] ^ (uint64_t)1 << 63 : 0;
    key[3] = task->labels ? task->labels[order[a]] : 0;
    key[4] = task->labels ? task->labels[order[b]] : 0;
    return 5;
}

/* In a round: the old colour, and those on the way over every node. */
static size_t next_key(const pair_walk *w, uint32_t a, uint32_t b)
{
    const uint32_t *colour = w->space->colour;
    size_t n = w->n;
    uint64_t *key = w->space->key;
    key[0] = colour[a * n + b];
    if (w->size[key[0]] == 1)
        return 1; /* it cannot part any more */
    for (size_t k = 0; k < n; k++)
        key[1 + k] = (uint64_t)colour[a * n + k] << 32 | colour[k * n + b];
    qsort(key + 1, n, sizeof *key, compare_u64);
    return 1 + n;
}

/* Ranks of the keys in a table, by number. */
static rg_status rank_keys(uint32_t *ranks, const rg_table *table, rg_error *err)
{
    size_t n = rg_table_size(table);
    pair_key *keys = rg_alloc(n, sizeof *keys);
    if (!keys)
        return rg_fail_memory(err, "colours of pairs");
    for (size_t k = 0; k < n; k++) {
        size_t bytes;
        keys[k].words = rg_table_key(table, (uint32_t)k, &bytes);
        keys[k].n = bytes / sizeof *keys[k].words;
        keys[k].number = (uint32_t)k;
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t k = 0; k < n; k++)
        ranks[keys[k].number] = (uint32_t)k;
    rg_free(keys);
    return RG_OK;
}

/* One round, or with `key` = first_key what comes before. */
static rg_status colour_pairs(pair_walk *w, size_t (*key)(const pair_walk *, uint32_t, uint32_t))
{
    size_t n = w->n;
    rg_table *table = rg_table_new();
    uint32_t *ranks = NULL;
    rg_status status = table ? RG_OK : rg_fail_memory(w->err, "colours of pairs");
    for (uint32_t a = 0; !status && a < n; a++) {
        if (rg_cancel_is(w->task->cancel))
            status = rg_fail_cancelled(w->err);
        for (uint32_t b = 0; !status && b < n; b++) {
            size_t n_key = key(w, a, b);
            uint32_t number = rg_table_add(table, w->space->key, n_key * sizeof *w->space->key);
            w->space->next[a * n + b] = number;
            if (number == RG_TABLE_NONE)
                status = rg_fail_memory(w->err, "colours of pairs");
        }
    }
    size_t n_colours = table ? rg_table_size(table) : 0;
    if (!status && (!(ranks = rg_alloc(n_colours, sizeof *ranks)) ||
                    !rg_grow(&w->size, &w->size_room, n_colours, sizeof *w->size)))
        status = rg_fail_memory(w->err, "colours of pairs");
    if (!status)
        status = rank_keys(ranks, table, w->err);
    if (!status) {
        memset(w->size, 0, n_colours * sizeof *w->size);
        for (size_t k = 0; k < n * n; k++)
            w->size[w->space->colour[k] = ranks[w->space->next[k]]]++;
        w->n_colours = (uint32_t)n_colours;
    }
    rg_free(ranks);
    rg_table_free(table);
    return status;
}

/* ---- the key of level 0 */

static rg_status put(pair_walk *w, uint64_t word)
{
    rg_power_space *space = w->space;
    if (!rg_grow(&space->words, &space->n_words, w->n_words + 1, sizeof *space->words))
        return rg_fail_memory(w->err, "colours of pairs");
    space->words[w->n_words++] = (uint32_t)word;
    return RG_OK;
}

/* Whether there is an edge from a to b, and its value. */
static rg_status put_edge(pair_walk *w, uint32_t a, uint32_t b)
{
    uint64_t *key = w->space->key;
    first_key(w, a, b);
    rg_status status = put(w, key[1]);
    if (!status && w->task->kinds)
        status = put(w, key[2] >> 32);
    if (!status && w->task->kinds)
        status = put(w, key[2]);
    return status;
}

static uint32_t class_of(const pair_walk *w, uint32_t a)
{
    return w->space->colour[(size_t)a * w->n + a];
}

/* Classes of nodes, by class: how many, a node of each (in done), size and label. */
static rg_status put_classes(pair_walk *w, uint32_t *n_classes)
{
    uint32_t *node = w->space->done;
    const uint32_t *order = w->space->cells.order;
    *n_classes = 0;
    for (uint32_t a = 0; a < w->n; a++) {
        uint32_t class = class_of(w, a);
        node[class] = a;
        *n_classes = class + 1 > *n_classes ? class + 1 : *n_classes;
    }
    rg_status status = put(w, *n_classes);
    for (uint32_t k = 0; !status && k < *n_classes; k++) {
        status = put(w, w->size[k]);
        if (!status)
            status = put(w, w->task->labels ? w->task->labels[order[node[k]]] : 0);
    }
    return status;
}

/* Edges between classes of which one has a single node: all or none. */
static rg_status put_single(pair_walk *w, uint32_t n_classes)
{
    const uint32_t *node = w->space->done;
    rg_status status = RG_OK;
    for (uint32_t f = 0; !status && f < n_classes; f++)
        for (uint32_t g = 0; !status && g < f; g++)
            if ((w->size[f] == 1 || w->size[g] == 1) &&
                kind_of(w, node[f], node[g]) != (w->task->kinds ? w->task->n_kinds : 1)) {
                status = put(w, f);
                if (!status)
                    status = put(w, g);
                if (!status)
                    status = put_edge(w, node[f], node[g]);
            }
    return status ? status : put(w, n_classes); /* ends the list */
}

/* How the pair (a,b) goes on over nodes that share their class with others, in new numbers of
 * colours. */
static rg_status put_ways(pair_walk *w, uint32_t a, uint32_t b, const uint32_t *renamed)
{
    const uint32_t *colour = w->space->colour;
    uint64_t *key = w->space->key;
    size_t n = w->n, n_ways = 0, same;
    for (uint32_t k = 0; k < n; k++)
        if (w->size[class_of(w, k)] > 1)
            key[n_ways++] = (uint64_t)renamed[colour[a * n + k]] << 32 | renamed[colour[k * n + b]];
    qsort(key, n_ways, sizeof *key, compare_u64);
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < n_ways; k += same) {
        for (same = 1; k + same < n_ways && key[k + same] == key[k]; same++)
            ;
        status = put(w, key[k] >> 32);
        if (!status)
            status = put(w, key[k]);
        if (!status)
            status = put(w, same);
    }
    return status ? status : put(w, UINT32_MAX); /* ends the list */
}

/* Every colour between nodes that share their class with others: its classes, edge and ways. */
static rg_status put_colours(pair_walk *w)
{
    size_t n = w->n, n_colours = w->n_colours;
    uint32_t *pair = rg_alloc(n_colours, sizeof *pair), *renamed = w->space->next, next = 0;
    if (!pair)
        return rg_fail_memory(w->err, "colours of pairs");
    memset(pair, 0xFF, n_colours * sizeof *pair); /* n * n fits, for all colours were stored */
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (w->size[class_of(w, a)] > 1 && w->size[class_of(w, b)] > 1)
                pair[w->space->colour[a * n + b]] = (uint32_t)(a * n + b);
    for (size_t c = 0; c < n_colours; c++)
        renamed[c] = pair[c] != UINT32_MAX ? next++ : UINT32_MAX;
    rg_status status = RG_OK;
    for (size_t c = 0; !status && c < n_colours; c++) {
        if (pair[c] == UINT32_MAX)
            continue;
        uint32_t a = (uint32_t)(pair[c] / n), b = (uint32_t)(pair[c] % n);
        status = put(w, class_of(w, a));
        if (!status)
            status = put(w, class_of(w, b));
        if (!status)
            status = put_edge(w, a, b);
        if (!status)
            status = put_ways(w, a, b, renamed);
    }
    rg_free(pair);
    return status;
}

/* ---- balls and graphs */

static bool grow_pairs(rg_power_space *space, size_t n)
{
    if (space->colour && n <= space->n_pairs)
        return true;
    rg_free(space->colour);
    rg_free(space->next);
    rg_free(space->key);
    space->n_pairs = 0;
    space->colour = rg_alloc(n * n, sizeof *space->colour);
    space->next = rg_alloc(n * n, sizeof *space->next);
    space->key = rg_alloc(n + 5, sizeof *space->key);
    if (!space->colour || !space->next || !space->key)
        return false;
    space->n_pairs = n;
    return true;
}

/* The stable colours of the members, and the number of their key; over: the budget does not
 * allow it. */
static rg_status refine_ball(pair_walk *w, uint32_t *number, bool *over)
{
    uint32_t before = 0, n_classes;
    w->n = w->space->cells.n;
    double once = (double)w->n * w->n * w->n * ROUND_STEPS;
    uint64_t budget = w->task->budget < (uint64_t)1 << 40 ? w->task->budget : (uint64_t)1 << 40;
    *over = once > (double)(budget - w->steps);
    if (*over)
        return RG_OK;
    if (!grow_pairs(w->space, w->n))
        return rg_fail_memory(w->err, "colours of pairs");
    w->steps += (uint64_t)once;
    rg_status status = colour_pairs(w, first_key);
    while (!status && w->n_colours > before) {
        *over = once > (double)(budget - w->steps);
        if (*over)
            return RG_OK;
        w->steps += (uint64_t)once;
        before = w->n_colours;
        status = colour_pairs(w, next_key);
    }
    w->n_words = 0;
    if (!status)
        status = put_classes(w, &n_classes);
    if (!status)
        status = put_single(w, n_classes);
    if (!status)
        status = put_colours(w);
    if (status)
        return status;
    *number = rg_table_add(w->out->levels[0], w->space->words, w->n_words * sizeof(uint32_t));
    return *number == RG_TABLE_NONE ? rg_fail_memory(w->err, "colours of pairs") : RG_OK;
}

/* Members get their keys; of a ball the node in its middle alone, which is the first member. */
static void give_keys(pair_walk *w, uint32_t number)
{
    const uint32_t *order = w->space->cells.order;
    for (uint32_t a = 0; a < (w->task->depth ? 1 : w->n); a++) {
        w->out->top[2 * (size_t)order[a]] = number;
        w->out->top[2 * (size_t)order[a] + 1] = class_of(w, a);
    }
}

/* The key of graphs over the budget: no classes. */
static rg_status give_up(pair_walk *w)
{
    rg_power_drop(w->out);
    rg_status status = rg_power_begin(w->out, w->task, 1, 2, w->space, w->err);
    w->out->capped = true;
    uint32_t none = 0;
    if (!status && rg_table_add(w->out->levels[0], &none, sizeof none) == RG_TABLE_NONE)
        status = rg_fail_memory(w->err, "colours of pairs");
    for (size_t k = 0; !status && k < 2 * (size_t)w->task->graph.n_nodes; k++)
        w->out->top[k] = 0;
    return status;
}

rg_status rg_power_pairs(rg_power *out, const rg_power_task *task, rg_power_space *space,
                         rg_error *err)
{
    rg_power power = {0};
    pair_walk w = {.space = space, .task = task, .out = &power, .err = err};
    rg_status status = rg_power_begin(&power, task, 1, 2, space, err);
    uint32_t n_nodes = task->graph.n_nodes, number = 0;
    bool over = false;
    for (uint32_t i = 0; !status && i < n_nodes; i++)
        power.top[2 * (size_t)i] = RG_TABLE_NONE;
    for (uint32_t i = 0; !status && !over && i < n_nodes; i++) {
        if (power.top[2 * (size_t)i] != RG_TABLE_NONE)
            continue;
        rg_node_cells_ball(&space->cells, i, task->depth);
        status = refine_ball(&w, &number, &over);
        if (!status && !over)
            give_keys(&w, number);
        rg_node_cells_leave(&space->cells);
    }
    if (!status && over)
        status = give_up(&w);
    rg_free(w.size);
    if (status)
        rg_power_drop(&power);
    else
        *out = power;
    return status;
}

bool rg_pairs_fit(const uint32_t *words, size_t n, uint32_t n_labels)
{
    if (n == 0 || words[0] > (n - 1) / 2 || (words[0] == 0 && n != 1))
        return false;
    for (size_t k = 0; k < words[0]; k++)
        if (words[1 + 2 * k] == 0 || words[2 + 2 * k] >= n_labels)
            return false;
    return true;
}

rg_pairs_facts rg_pairs_read(const uint32_t *words, uint32_t class)
{
    rg_pairs_facts facts = {0, words[0], words[0] ? words[2 + 2 * (size_t) class] : 0};
    for (size_t k = 0; k < words[0]; k++)
        facts.n_nodes += words[1 + 2 * k];
    return facts;
}
