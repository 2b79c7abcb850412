/* cycles_search.c - cycles one by one.
 *
 * Every cycle is found from its first node in the order of starts, in the direction in which its
 * second node has a smaller number than its last. After a start is done it is taken out, and with
 * it all nodes that are on no cycle any more: a ring is searched once, not once per node. A path is
 * extended only to nodes from which the way back to the start is short enough. Induced: only to
 * nodes that no earlier node of the path but the last is next to.
 *
 * Small and dense blocks keep sets of nodes as bits, others lists; both follow the same steps. */
#include "cycles.h"

#include <string.h>

enum { SLOT_BITS = RG_CLASS_SLOTS, SLOT_SETS, SLOT_PATH, SLOT_NODES, SLOT_QUEUE, SLOT_PLACE };
enum { FAR = UINT32_MAX };

typedef struct cycle_search {
    const rg_cycle_task *task;
    const rg_block *block;
    uint32_t most, half; /* longest length, and the longest way back that matters */
    uint32_t *path;      /* most + 1 nodes */
    uint64_t *ways;      /* most + 1: to take nodes for the first so many, if there are weights */
    uint32_t *degree;    /* among nodes not taken out */
    uint32_t *queue;

    /* bits; a set is `words` long */
    uint64_t *next_to; /* n sets */
    uint64_t *alive;   /* not taken out */
    uint64_t *last;    /* where a cycle may end: neighbours of the start, above the second node */
    uint64_t *ball;    /* half + 1 sets: nodes at most so far from the start */
    uint64_t *todo;    /* most + 1 sets: how to extend a path of so many nodes */
    uint64_t *closed;  /* most + 1 sets: no node of these may follow */

    /* lists */
    uint32_t *distance; /* from the start; FAR beyond half */
    uint32_t *blocked;  /* > 0: may not follow */
    bool *gone;         /* taken out */
    size_t *place;      /* most + 1: the arc to look at */
} cycle_search;

/* A path of n_path nodes is closed by node i; *n sums up how many cycles that is for the path. */
static inline void end_count(const cycle_search *s, uint32_t n_path, uint32_t i, uint64_t *n)
{
    uint64_t *slot = rg_cycle_slot(s->task, s->block, i, n_path + 1);
    if (s->task->weight) {
        *slot = rg_many_plus(*slot, s->ways[n_path]);
        *n += s->task->weight[i];
    } else {
        ++*slot;
        ++*n;
    }
}

/* A path of n_path nodes is closed by n nodes. If the ways are many, they were so at these nodes,
 * and the length is capped whatever is added here. */
static void path_count(const cycle_search *s, uint32_t n_path, uint64_t n)
{
    const uint32_t *weight = s->task->weight;
    for (uint32_t k = 0; k < n_path; k++) {
        uint64_t *slot = rg_cycle_slot(s->task, s->block, s->path[k], n_path + 1);
        if (weight)
            *slot = rg_many_plus(*slot, rg_many_times(n, s->ways[n_path] / weight[s->path[k]]));
        else
            *slot += n;
    }
}

/* Node i is the last of a path of n_path nodes. */
static inline void path_add(const cycle_search *s, uint32_t n_path, uint32_t i)
{
    s->path[n_path - 1] = i;
    if (s->task->weight)
        s->ways[n_path] = rg_many_times(s->ways[n_path - 1], s->task->weight[i]);
}

/* ---- bits */

static inline void closed_fill(const cycle_search *s, uint32_t n_path, size_t words)
{
    uint64_t *to = s->closed + n_path * words;
    uint32_t i = s->path[n_path - 1]; /* simple: the new node; induced: the one before and around */
    if (n_path == 2)
        memset(to, 0, words * sizeof *to);
    else
        memcpy(to, to - words, words * sizeof *to);
    if (s->task->induced) {
        if (n_path == 2)
            return;
        i = s->path[n_path - 2];
        for (size_t w = 0; w < words; w++)
            to[w] |= s->next_to[i * words + w];
    }
    to[i / 64] |= (uint64_t)1 << i % 64;
}

/* Neighbours of the start above the second node; false if there is none. */
static inline bool last_fill(const cycle_search *s, size_t words)
{
    uint32_t second = s->path[1];
    const uint64_t *near = s->next_to + s->path[0] * words;
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t above = w < second / 64 ? 0 : ~(uint64_t)0;
        if (w == second / 64)
            above = ~(uint64_t)1 << second % 64;
        s->last[w] = near[w] & s->alive[w] & above;
        any |= s->last[w];
    }
    return any != 0;
}

/* A path of n_path nodes: count the cycles it closes, and list how it goes on. */
static inline void path_extend(const cycle_search *s, uint32_t n_path, size_t words)
{
    const uint64_t *near = s->next_to + s->path[n_path - 1] * words;
    const uint64_t *closed = s->closed + n_path * words;
    const uint64_t *start = s->next_to + s->path[0] * words;
    bool goes_on = n_path + 2 <= s->most, counts = n_path + 1 >= s->task->min;
    uint32_t back = s->most - n_path < s->half ? s->most - n_path : s->half;
    uint64_t n = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t open = near[w] & s->alive[w] & ~closed[w];
        if (counts)
            for (uint64_t ends = open & s->last[w]; ends; ends &= ends - 1)
                end_count(s, n_path, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ends), &n);
        if (s->task->induced)
            open &= ~start[w];
        s->todo[n_path * words + w] = goes_on ? open & s->ball[back * words + w] : 0;
    }
    if (n)
        path_count(s, n_path, n);
}

static inline void balls_fill(const cycle_search *s, uint32_t start, size_t words)
{
    uint64_t *ball = s->ball;
    memset(ball, 0, words * sizeof *ball);
    ball[start / 64] |= (uint64_t)1 << start % 64;
    for (uint32_t r = 0; r < s->half; r++, ball += words) {
        memcpy(ball + words, ball, words * sizeof *ball);
        for (size_t w = 0; w < words; w++) {
            uint64_t fresh = r ? ball[w] & ~(ball - words)[w] : ball[w];
            for (; fresh; fresh &= fresh - 1) {
                const uint64_t *near =
                    s->next_to + (w * 64 + (size_t)__builtin_ctzll(fresh)) * words;
                for (size_t u = 0; u < words; u++)
                    ball[words + u] |= near[u] & s->alive[u];
            }
        }
    }
}

/* A step takes some nanoseconds. */
static inline bool is_time_to_ask(uint32_t steps)
{
    return (steps & 0xffff) == 0;
}

static inline void start_bits(const cycle_search *s, uint32_t start, size_t words)
{
    balls_fill(s, start, words);
    path_add(s, 1, start);
    for (size_t w = 0; w < words; w++)
        s->todo[words + w] = s->next_to[start * words + w] & s->alive[w];
    for (uint32_t n_path = 1, steps = 1; n_path > 0; steps++) {
        if (is_time_to_ask(steps) && rg_count_stops(s->task->space))
            return; /* so does the caller */
        uint64_t *todo = s->todo + n_path * words;
        size_t w = 0;
        while (w < words && !todo[w])
            w++;
        if (w == words) {
            n_path--;
            continue;
        }
        path_add(s, ++n_path, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(todo[w]));
        todo[w] &= todo[w] - 1;
        if (n_path == 2 && !last_fill(s, words))
            return; /* the second node was the largest */
        closed_fill(s, n_path, words);
        path_extend(s, n_path, words);
        if (n_path + 2 > s->most)
            n_path--;
    }
}

/* One word is the common case: the compiler sees the constant. */
static void start_word(const cycle_search *s, uint32_t start)
{
    start_bits(s, start, 1);
}

/* ---- lists */

static void block_around(const cycle_search *s, uint32_t n_path, uint32_t by)
{
    const rg_block *b = s->block;
    uint32_t i = s->path[n_path - 1];
    if (!s->task->induced) {
        s->blocked[i] += by;
        return;
    }
    if (n_path == 2)
        return;
    i = s->path[n_path - 2];
    s->blocked[i] += by;
    for (size_t k = b->row[i]; k < b->row[i + 1]; k++)
        s->blocked[b->col[k]] += by;
}

static size_t distances_fill(const cycle_search *s, uint32_t start)
{
    const rg_block *b = s->block;
    size_t n = 0;
    s->distance[start] = 0;
    s->queue[n++] = start;
    for (size_t head = 0; head < n; head++) {
        uint32_t i = s->queue[head], d = s->distance[i] + 1;
        if (d > s->half)
            break;
        for (size_t k = b->row[i]; k < b->row[i + 1]; k++)
            if (!s->gone[b->col[k]] && s->distance[b->col[k]] == FAR) {
                s->distance[b->col[k]] = d;
                s->queue[n++] = b->col[k];
            }
    }
    return n;
}

static void ends_count(const cycle_search *s, uint32_t n_path)
{
    const rg_block *b = s->block;
    uint32_t i = s->path[n_path - 1];
    uint64_t n = 0;
    if (n_path + 1 < s->task->min)
        return;
    for (size_t k = b->row[i]; k < b->row[i + 1]; k++) {
        uint32_t j = b->col[k];
        if (s->distance[j] != 1 || s->blocked[j] || s->gone[j] || j <= s->path[1])
            continue;
        end_count(s, n_path, j, &n);
    }
    if (n)
        path_count(s, n_path, n);
}

static void start_lists(const cycle_search *s, uint32_t start)
{
    const rg_block *b = s->block;
    size_t reached = distances_fill(s, start);
    uint32_t n_path = 1;
    path_add(s, 1, start);
    s->place[1] = b->row[start];
    for (uint32_t steps = 1; n_path > 0; steps++) {
        uint32_t i = s->path[n_path - 1];
        if (is_time_to_ask(steps) && rg_count_stops(s->task->space))
            break; /* so does the caller */
        if (s->place[n_path] == b->row[i + 1]) {
            if (n_path > 1)
                block_around(s, n_path, UINT32_MAX); /* -1 */
            n_path--;
            continue;
        }
        uint32_t j = b->col[s->place[n_path]++], d = s->distance[j];
        if (s->gone[j] || s->blocked[j] || d > s->half || d > s->most - n_path ||
            (s->task->induced && n_path > 1 && d == 1))
            continue;
        path_add(s, ++n_path, j);
        block_around(s, n_path, 1);
        ends_count(s, n_path);
        /* At the longest length there is nothing behind the node: leave it at once. */
        s->place[n_path] = n_path + 2 > s->most ? b->row[j + 1] : b->row[j];
    }
    for (size_t k = 0; k < reached; k++)
        s->distance[s->queue[k]] = FAR;
}

/* ---- both */

static bool is_gone(const cycle_search *s, uint32_t i)
{
    return s->gone ? s->gone[i] : !(s->alive[i / 64] >> i % 64 & 1);
}

static void set_gone(const cycle_search *s, uint32_t i)
{
    if (s->gone)
        s->gone[i] = true;
    else
        s->alive[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* Nodes left with one neighbour follow the start. */
static void start_leave(const cycle_search *s, uint32_t start)
{
    const rg_block *b = s->block;
    size_t n = 0;
    s->queue[n++] = start;
    for (size_t head = 0; head < n; head++) {
        uint32_t i = s->queue[head];
        for (size_t k = b->row[i]; k < b->row[i + 1]; k++) {
            uint32_t j = b->col[k];
            if (is_gone(s, j) || --s->degree[j] != 1)
                continue;
            set_gone(s, j);
            s->queue[n++] = j;
        }
    }
}

static bool bits_init(cycle_search *s, rg_count_space *space)
{
    size_t words = rg_block_words(s->block), n_sets = 2 + (s->half + 1) + 2 * ((size_t)s->most + 1);
    s->next_to = rg_block_bits(s->block, SLOT_BITS, space);
    s->alive = rg_count_space_zero(space, SLOT_SETS, n_sets * words, sizeof *s->alive);
    if (!s->next_to || !s->alive)
        return false;
    s->last = s->alive + words;
    s->ball = s->last + words;
    s->todo = s->ball + (s->half + 1) * words;
    s->closed = s->todo + ((size_t)s->most + 1) * words;
    for (uint32_t i = 0; i < s->block->n; i++)
        s->alive[i / 64] |= (uint64_t)1 << i % 64;
    return true;
}

static bool lists_init(cycle_search *s, rg_count_space *space)
{
    size_t n = s->block->n;
    s->distance = rg_count_space_get(space, SLOT_NODES, n, 2 * sizeof *s->distance + 1);
    s->place = rg_count_space_get(space, SLOT_PLACE, (size_t)s->most + 1, sizeof *s->place);
    if (!s->distance || !s->place)
        return false;
    s->blocked = s->distance + n;
    s->gone = (bool *)(s->blocked + n);
    for (size_t i = 0; i < n; i++)
        s->distance[i] = FAR;
    memset(s->blocked, 0, n * sizeof *s->blocked);
    memset(s->gone, 0, n * sizeof *s->gone);
    return true;
}

bool rg_cycles_search(const rg_cycle_task *task, const rg_block *block, uint32_t most)
{
    uint32_t n = block->n;
    size_t words = rg_block_words(block);
    cycle_search s = {.task = task, .block = block, .most = most < n ? most : n};
    s.half = s.most / 2;
    s.ways = rg_count_space_get(task->space, SLOT_PATH, (size_t)s.most + 1,
                                sizeof *s.ways + sizeof *s.path);
    s.degree = rg_count_space_get(task->space, SLOT_QUEUE, n, 2 * sizeof *s.degree);
    bool dense = rg_block_is_dense(block);
    if (!s.ways || !s.degree || !(dense ? bits_init(&s, task->space) : lists_init(&s, task->space)))
        return false;
    s.path = (uint32_t *)(s.ways + s.most + 1);
    s.ways[0] = 1;
    s.queue = s.degree + n;
    for (uint32_t i = 0; i < n; i++)
        s.degree[i] = (uint32_t)(block->row[i + 1] - block->row[i]);
    for (uint32_t i = 0; i < n; i++) {
        if (is_gone(&s, i))
            continue;
        if (rg_count_stops(task->space))
            return false;
        set_gone(&s, i);
        if (!dense)
            start_lists(&s, i);
        else if (words == 1)
            start_word(&s, i);
        else
            start_bits(&s, i, words);
        start_leave(&s, i);
    }
    return true;
}
