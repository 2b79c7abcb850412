/* diameter.c - bounds on every node's eccentricity, tightened by one breadth-first search at a time
 * (Takes, Kosters: Determining the diameter of small world networks, CIKM 2011).
 *
 * A search from v that ends at distance e says of a node w at distance d from v:
 *     max(d, e - d) <= eccentricity of w <= e + d
 * A node whose upper bound is not above the longest path found so far cannot make it longer. When
 * none is left the longest path found is the diameter. */
#include "diameter.h"

#include "base/alloc.h"
#include "base/error.h"

#define UNSEEN UINT32_MAX

typedef struct diameter_search {
    const rg_graph *graph;
    uint32_t *distance;  /* n; UNSEEN: not reached yet */
    uint32_t *members;   /* nodes of the component */
    uint32_t *queue;     /* n */
    uint32_t *candidate; /* nodes that may still have a longer path */
    uint32_t *lower, *upper;
    uint32_t n_members, n_candidates;
    uint64_t followed;
} diameter_search;

void rg_diameter_work_free(rg_diameter_work *work)
{
    rg_free(work->block);
    *work = (rg_diameter_work){0};
}

static bool reserve(rg_diameter_work *work, size_t n)
{
    size_t capacity = work->capacity, numbers;
    if (n <= capacity && work->block)
        return true;
    capacity = n > 2 * capacity ? n : 2 * capacity;
    if (!rg_size_mul(&numbers, capacity, 6))
        return false;
    uint32_t *block = rg_alloc(numbers, sizeof *block); /* nothing in the old one is needed */
    if (!block)
        return false;
    rg_free(work->block);
    work->block = block;
    work->capacity = capacity;
    return true;
}

static uint32_t degree(const rg_graph *g, uint32_t i)
{
    return (uint32_t)(g->row[i + 1] - g->row[i]);
}

/* Breadth first from `root` over nodes whose distance is UNSEEN; ends early once `limit` nodes are
 * reached, for then no arc can tell more. Fills queue; *reached of them. Returns the eccentricity.
 */
static uint32_t sweep(diameter_search *s, uint32_t root, uint32_t *queue, uint32_t limit,
                      uint32_t *reached)
{
    const rg_graph *g = s->graph;
    uint32_t tail = 1;
    queue[0] = root;
    s->distance[root] = 0;
    for (uint32_t head = 0; head < tail && tail < limit; head++) {
        uint32_t i = queue[head], next = s->distance[i] + 1;
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            uint32_t j = g->col[k];
            if (s->distance[j] != UNSEEN)
                continue;
            s->distance[j] = next;
            queue[tail++] = j;
        }
        s->followed += degree(g, i);
    }
    *reached = tail;
    return s->distance[queue[tail - 1]];
}

/* The same inside the component whose members are known. */
static uint32_t sweep_again(diameter_search *s, uint32_t root)
{
    uint32_t reached;
    for (uint32_t k = 0; k < s->n_members; k++)
        s->distance[s->members[k]] = UNSEEN;
    return sweep(s, root, s->queue, s->n_members, &reached);
}

/* What degrees alone say: a node that sees all others has eccentricity 1, any other at least 2, and
 * no more than 2 if there is such a node; and a path away from a node misses all but one of its
 * neighbours. Settles cliques and ego networks. */
static void bounds_from_degrees(diameter_search *s)
{
    uint32_t n = s->n_members, most = n;
    for (uint32_t k = 0; k < n; k++)
        if (degree(s->graph, s->members[k]) == n - 1)
            most = 2;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = s->members[k], d = degree(s->graph, i);
        s->lower[i] = d == n - 1 ? 1 : 2;
        s->upper[i] = n - d < most ? n - d : most;
        s->candidate[k] = i;
    }
    s->n_candidates = n;
}

/* A search has just ended at distance `eccentricity`. */
static void tighten(diameter_search *s, uint32_t eccentricity)
{
    for (uint32_t k = 0; k < s->n_candidates; k++) {
        uint32_t i = s->candidate[k], d = s->distance[i];
        uint32_t low = d > eccentricity - d ? d : eccentricity - d;
        if (low > s->lower[i])
            s->lower[i] = low;
        if (eccentricity + d < s->upper[i])
            s->upper[i] = eccentricity + d;
    }
}

static uint32_t best_lower(const diameter_search *s, uint32_t best)
{
    for (uint32_t k = 0; k < s->n_candidates; k++)
        if (s->lower[s->candidate[k]] > best)
            best = s->lower[s->candidate[k]];
    return best;
}

static void drop_settled(diameter_search *s, uint32_t best)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < s->n_candidates; k++)
        if (s->upper[s->candidate[k]] > best)
            s->candidate[kept++] = s->candidate[k];
    s->n_candidates = kept;
}

/* The node to search from next: alternately the one that may be farthest out and the one that may
 * be most central; among equals the one with most neighbours. */
static uint32_t choose(const diameter_search *s, bool outer)
{
    uint32_t chosen = s->candidate[0];
    for (uint32_t k = 1; k < s->n_candidates; k++) {
        uint32_t i = s->candidate[k];
        uint32_t a = outer ? s->upper[i] : s->lower[chosen];
        uint32_t b = outer ? s->upper[chosen] : s->lower[i];
        if (a > b || (a == b && degree(s->graph, i) > degree(s->graph, chosen)))
            chosen = i;
    }
    return chosen;
}

/* Forms whose diameter needs no bounds. In a tree the node found last lies at one end of a longest
 * path; all of a cycle's nodes are alike, the worst case of bounding. */
static bool closed_form(diameter_search *s, uint32_t *diameter)
{
    uint64_t arcs = 0;
    uint32_t n = s->n_members, largest = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t d = degree(s->graph, s->members[k]);
        arcs += d;
        largest = d > largest ? d : largest;
    }
    if (arcs == 2 * ((uint64_t)n - 1)) {
        *diameter = sweep_again(s, s->members[n - 1]);
        return true;
    }
    if (arcs == 2 * (uint64_t)n && largest == 2) {
        *diameter = n / 2;
        return true;
    }
    return false;
}

/* The component's diameter if it is above `best`, else best; `distance` holds the search from
 * members[0], which ended at `eccentricity`. False if the budget ran out. */
static bool bound_component(diameter_search *s, uint32_t eccentricity, uint64_t budget,
                            uint32_t *best)
{
    uint32_t diameter;
    if (s->n_members - 1 <= *best)
        return true;
    if (closed_form(s, &diameter)) {
        *best = diameter > *best ? diameter : *best;
        return true;
    }
    bounds_from_degrees(s);
    bool outer = true;
    for (;;) {
        *best = eccentricity > *best ? eccentricity : *best;
        tighten(s, eccentricity);
        *best = best_lower(s, *best);
        drop_settled(s, *best);
        if (s->n_candidates == 0)
            return true;
        if (s->followed > budget)
            return false;
        eccentricity = sweep_again(s, choose(s, outer));
        outer = !outer;
    }
}

rg_status rg_diameter_find(rg_diameter *out, const rg_graph *graph, uint64_t budget,
                           rg_diameter_work *work, rg_error *err)
{
    uint32_t n = graph->n_nodes;
    rg_diameter result = {0};
    if (!reserve(work, n))
        return rg_fail_memory(err, "the diameter of a graph");
    size_t step = work->capacity;
    diameter_search s = {.graph = graph,
                         .distance = work->block,
                         .members = work->block + step,
                         .queue = work->block + 2 * step,
                         .candidate = work->block + 3 * step,
                         .lower = work->block + 4 * step,
                         .upper = work->block + 5 * step};
    for (uint32_t i = 0; i < n; i++)
        s.distance[i] = UNSEEN;
    for (uint32_t i = 0; i < n; i++) {
        if (s.distance[i] != UNSEEN)
            continue;
        uint32_t eccentricity = sweep(&s, i, s.members, UINT32_MAX, &s.n_members);
        result.components++;
        if (!bound_component(&s, eccentricity, budget, &result.diameter))
            result.bounded = true;
    }
    result.followed = s.followed;
    *out = result;
    return RG_OK;
}
