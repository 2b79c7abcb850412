/* cycle.c - rows of same_cycle: the shortest cycle through i and j, for all j at once.
 *
 * A simple cycle through i and j is a pair of paths from i to j that share nothing else, so nothing
 * has to be enumerated: the shortest such pairs from i to all j are found much as distances are
 * (Suurballe and Tarjan: A quick method for finding shortest pairs of disjoint paths, Networks 14,
 * 1984). There is no budget, because there is nothing that could explode.
 *
 * Each node v is split in two, an entrance and an exit, joined by an arc from the first to the
 * second; an edge u-v joins exit of u to entrance of v and the other way round. Paths that share no
 * arc then share no node. With d the distance from i and a tree of shortest paths, the arc from u
 * to v costs 1 + d(u) - d(v), 0 .. 2, and the shortest pair to v has 2 d(v) + extra(v) edges.
 * extra is settled in ascending order, as Dijkstra does. A settled entrance is taken out of the
 * tree, which falls into pieces; whenever an arc u -> w comes to join two pieces because the
 * entrance of v went, extra(w) is at most extra(v) + cost. To begin with i itself is taken out.
 * An exit has one arc into it, hence no pair and never goes: so piece[v] is the piece of the exit
 * of v, and of its entrance too until that is settled.
 *
 * Nodes of a cycle of at most k edges are within k/2 of i and in one block (nodes that no single
 * node parts) with it, so the search stays inside that ball. A node is walked over at most once for
 * every node above it in the tree, k/2 of them. The search ends when every node of the ball is
 * known to be on a short enough cycle, which in dense graphs is soon. The answers are unique; the
 * order of nodes plays no part.
 */
#include "kind.h"

enum { LONGEST = 32 };

typedef struct cycle_space {
    uint32_t *number; /* in depth-first order */
    uint32_t *block;  /* of the edge to the parent in that order; RG_EMPTY: a bridge, or none */
    uint32_t *within; /* the block that a node of the ball has in common with i */
    uint32_t *depth;  /* RG_EMPTY outside of the ball */
    uint32_t *first, *last; /* children in the search tree: queue[first] .. queue[last-1] */
    uint32_t *piece;        /* RG_EMPTY outside of the ball */
    uint32_t *extra;
    uint32_t *next, *previous; /* in the list of nodes with the same extra */
    uint32_t *walk;
    uint32_t *settled;
    bool any; /* is there a cycle in the graph? */
} cycle_space;

/* Preorder numbers by depth-first search from `root`, nodes into queue[n ..]; first holds the
 * parents, extra how many arcs were followed. Returns the new n. */
static uint32_t number_from(rg_property_space *space, uint32_t root, uint32_t n)
{
    const rg_graph *graph = &space->graph;
    cycle_space *c = space->own;
    uint32_t here = RG_EMPTY, next = root;
    for (;;) {
        if (next != RG_EMPTY) {
            c->first[next] = here;
            c->extra[next] = 0;
            c->number[next] = n;
            space->queue[n++] = next;
            here = next;
        }
        uint64_t arc = graph->row[here] + c->extra[here]++;
        next = RG_EMPTY;
        if (arc < graph->row[here + 1])
            next = c->number[graph->col[arc]] == RG_EMPTY ? graph->col[arc] : RG_EMPTY;
        else if (here == root)
            return n;
        else
            here = c->first[here];
    }
}

/* The smallest number that the subtree of `here` touches without the edge to its parent; those of
 * its children are in last. */
static uint32_t lowest(const rg_property_space *space, uint32_t here)
{
    const rg_graph *graph = &space->graph;
    const cycle_space *c = space->own;
    uint32_t low = c->number[here];
    for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
        uint32_t j = graph->col[arc];
        if (j == c->first[here])
            continue;
        uint32_t reached = c->first[j] == here ? c->last[j] : c->number[j];
        if (reached < low)
            low = reached;
    }
    return low;
}

/* A block begins below a node that its subtree does not reach beyond (Hopcroft and Tarjan). */
static void find_blocks(rg_property_space *space)
{
    uint32_t *const *a = space->arrays;
    cycle_space *c = space->own;
    *c = (cycle_space){a[0], a[1], a[2], a[3],  a[4],  a[5], a[6],
                       a[7], a[8], a[9], a[10], a[11], false};
    uint32_t n_nodes = space->graph.n_nodes, n = 0, *size = c->walk;
    for (uint32_t i = 0; i < n_nodes; i++) {
        c->number[i] = RG_EMPTY;
        size[i] = 0;
    }
    for (uint32_t i = 0; i < n_nodes; i++)
        if (c->number[i] == RG_EMPTY)
            n = number_from(space, i, n);
    for (uint32_t k = n; k-- > 0;)
        c->last[space->queue[k]] = lowest(space, space->queue[k]);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t here = space->queue[k], parent = c->first[here];
        bool begins = parent == RG_EMPTY || c->last[here] >= c->number[parent];
        c->block[here] = begins ? here : c->block[parent];
        size[c->block[here]]++;
    }
    for (uint32_t i = 0; i < n_nodes; i++)
        c->any = c->any || size[i] > 1;
    for (uint32_t i = 0; i < n_nodes; i++)
        if (size[c->block[i]] == 1)
            c->block[i] = RG_EMPTY;
}

/* The block of the edge i-j: that of its lower end, whose edge to the parent is in it too. */
static uint32_t block_of(const cycle_space *c, uint32_t i, uint32_t j)
{
    return c->block[c->number[i] > c->number[j] ? i : j];
}

/* The ball around i and its tree, into queue; pieces are the branches at i, numbered by their
 * top nodes. Returns its size. */
static size_t grow_ball(rg_property_space *space, uint32_t i, uint32_t radius)
{
    const rg_graph *graph = &space->graph;
    cycle_space *c = space->own;
    uint32_t *queue = space->queue;
    uint32_t n = 0;
    c->depth[i] = 0;
    queue[n++] = i;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t here = queue[k];
        c->first[here] = c->last[here] = n;
        c->extra[here] = RG_EMPTY;
        c->settled[here] = 0;
        if (c->depth[here] == radius || n == graph->n_nodes)
            continue;
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (c->depth[j] != RG_EMPTY)
                continue;
            uint32_t block = block_of(c, here, j);
            if (block == RG_EMPTY || (here != i && block != c->within[here]))
                continue;
            c->within[j] = block;
            c->depth[j] = c->depth[here] + 1;
            c->piece[j] = here == i ? j : c->piece[here];
            queue[n++] = j;
        }
        c->last[here] = n;
    }
    return n;
}

/* Nodes that wait to be settled, by extra: one doubly linked list for each. */
typedef struct waiting {
    cycle_space *c;
    uint32_t longest;       /* cycle that is asked for */
    uint32_t most;          /* a larger extra helps nobody */
    size_t n_open;          /* nodes of the ball that may yet be found to be on such a cycle */
    uint32_t head[LONGEST]; /* by extra, up to the longest cycle less 2 */
} waiting;

static void leave(waiting *lists, uint32_t v)
{
    cycle_space *c = lists->c;
    uint32_t before = c->previous[v], after = c->next[v];
    if (before == RG_EMPTY)
        lists->head[c->extra[v]] = after;
    else
        c->next[before] = after;
    if (after != RG_EMPTY)
        c->previous[after] = before;
}

/* Is v known to be on a cycle with i that is short enough? */
static bool known(const waiting *lists, uint32_t v)
{
    const cycle_space *c = lists->c;
    return c->extra[v] != RG_EMPTY && 2 * c->depth[v] + c->extra[v] <= lists->longest;
}

/* The arc u -> v joins two pieces now, at `base` and the arc's cost. */
static void offer(waiting *lists, uint32_t base, uint32_t u, uint32_t v)
{
    cycle_space *c = lists->c;
    uint32_t extra = base + 1 + c->depth[u] - c->depth[v];
    if (c->settled[v] || extra > lists->most || extra >= c->extra[v])
        return;
    if (c->extra[v] != RG_EMPTY)
        leave(lists, v);
    bool before = known(lists, v);
    uint32_t after = lists->head[extra];
    c->extra[v] = extra;
    lists->n_open -= !before && known(lists, v);
    c->previous[v] = RG_EMPTY;
    c->next[v] = after;
    if (after != RG_EMPTY)
        c->previous[after] = v;
    lists->head[extra] = v;
}

/* Takes the entrance of v out: its exit and what hangs below it become a piece of their own, which
 * bears the number of v. If v is the top of its piece already, nothing comes apart. */
static void settle(const rg_property_space *space, waiting *lists, uint32_t v)
{
    const rg_graph *graph = &space->graph;
    cycle_space *c = lists->c;
    uint32_t old_piece = c->piece[v], n = 0;
    c->settled[v] = 1;
    if (old_piece == v)
        return;
    c->walk[n++] = v;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t here = c->walk[k];
        c->piece[here] = v;
        for (uint32_t child = c->first[here]; child < c->last[here]; child++)
            if (!c->settled[space->queue[child]])
                c->walk[n++] = space->queue[child];
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t here = c->walk[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (c->piece[j] != old_piece)
                continue;
            offer(lists, c->extra[v], here, j);
            if (here != v)
                offer(lists, c->extra[v], j, here);
        }
    }
}

static void find_pairs(const rg_property_space *space, waiting *lists, size_t n_ball)
{
    const rg_graph *graph = &space->graph;
    cycle_space *c = lists->c;
    for (size_t k = 1; k < n_ball && lists->n_open; k++) {
        uint32_t here = space->queue[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (c->piece[j] != RG_EMPTY && c->piece[j] != c->piece[here])
                offer(lists, 0, here, j);
        }
    }
    for (uint32_t extra = 0; extra <= lists->most; extra++)
        while (lists->n_open && lists->head[extra] != RG_EMPTY) {
            uint32_t v = lists->head[extra];
            leave(lists, v);
            settle(space, lists, v);
        }
}

static void find(rg_property_space *space, uint32_t i, uint32_t reach)
{
    (void)reach;
    cycle_space *c = space->own;
    uint32_t longest = space->property.parameter;
    waiting lists = {.c = c, .longest = longest, .most = longest - 2};
    for (size_t k = 0; k < sizeof lists.head / sizeof *lists.head; k++)
        lists.head[k] = RG_EMPTY;
    size_t n_ball = grow_ball(space, i, longest / 2), n = 0;
    lists.n_open = n_ball - 1;
    if (n_ball > 2)
        find_pairs(space, &lists, n_ball);
    /* The queue becomes the row: i first, and only if something is on a cycle with it. */
    for (size_t k = 1; k < n_ball; k++) {
        uint32_t j = space->queue[k];
        if (known(&lists, j)) {
            space->value[j] = 1;
            c->walk[n++] = j;
        }
    }
    if (n) {
        space->value[i] = 1;
        c->walk[n++] = i;
    }
    for (size_t k = 0; k < n_ball; k++)
        c->depth[space->queue[k]] = c->piece[space->queue[k]] = RG_EMPTY;
    for (size_t k = 0; k < n; k++)
        space->queue[k] = c->walk[k];
    space->n_found = n;
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    return (rg_property_bounds){0, ((const cycle_space *)space->own)->any};
}

static uint32_t reach_of(uint32_t parameter)
{
    return parameter / 2;
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)words;
    (void)high;
    rg_text_add(out, ", on %s common ring of up to %u", low ? "a" : "no", (unsigned)parameter);
}

const rg_property_table rg_property_same_cycle = {
    .info = {.name = "same_cycle",
             .n_nodes = 2,
             .parameter = "length",
             .low = 3,
             .high = LONGEST,
             .usual = 6,
             .must_be_given = 1},
    .condition = true,
    .pairs = 100,
    .n_arrays = 12,
    .own_size = sizeof(cycle_space),
    .enter = find_blocks,
    .find = find,
    .bounds = bounds,
    .range = rg_property_range_flag,
    .reach = reach_of,
    .say = say,
};
