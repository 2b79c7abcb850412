/* pattern_four.c - the connected graphs of four nodes, without search.
 *
 * A pattern of four nodes covers its occurrence, so among the occurrences of H that are not induced
 * each induced graph G counts as often as H lies in it, whichever of the four nodes is asked:
 *     star    = star' + paw' + 2 diamond' + 4 K4        paw     = paw' + 4 diamond' + 12 K4
 *     path    = path' + 2 paw' + 4 cycle' + 6 diamond' + 12 K4
 *     cycle   = cycle' + diamond' + 3 K4                diamond = diamond' + 6 K4
 * (' is induced; a paw is a triangle with a tail, a diamond two triangles with a common edge), and
 * solved for what is induced the table below. The rest comes from triangles. With t(u,v) the
 * triangles over the edge {u,v}, t(v) those through v, d the degree:
 *     paw(v)     = t(v) (d(v)-2)                                      the tail hangs on v
 *                + sum over triangles v,u,w of d(u)-2 + d(w)-2        on another of the three
 *                + sum over u ~ v of t(u) - t(u,v)                    v is its end
 *     diamond(v) = sum over u ~ v of C(t(u,v), 2)                     v on the common edge
 *                + sum over triangles v,u,w of t(u,w) - 1             v opposite to it */
#include "base/alloc.h"
#include "base/error.h"
#include "pattern_count.h"
#include "space.h"

#include <string.h>

enum { BASE, PAW, DIAMOND, CYCLE, CLIQUE, N_TERMS };

/* [pattern][induced]; BASE is what stands in out: the number that is not induced. */
static const int8_t coefficients[RG_N_FOURS][2][N_TERMS] = {
    [RG_FOUR_STAR] = {{1, 0, 0, 0, 0}, {1, -1, 2, 0, -4}},
    [RG_FOUR_PATH] = {{1, 0, 0, 0, 0}, {1, -2, 6, -4, -12}},
    [RG_FOUR_PAW] = {{0, 1, 0, 0, 0}, {0, 1, -4, 0, 12}},
    [RG_FOUR_DIAMOND] = {{0, 0, 1, 0, 0}, {0, 0, 1, 0, -6}},
};

/* Numbers of a graph's nodes and arcs; all in one block of scratch. */
typedef struct numbers {
    int64_t *cliques; /* [node][2]: triangles and K4, as the counter gives them */
    int64_t *paw, *diamond, *cycle, *triangles;
    int64_t *over;          /* t(u,v) by arc, from the graph's first one */
    unsigned char *is_next; /* is a node a neighbour of the one at hand? */
} numbers;

static bool take_space(numbers *x, const rg_pattern_job *job)
{
    size_t n = job->graph->n_nodes, arcs = (size_t)job->graph->n_arcs, size;
    if (!rg_size_mul(&size, n, 7) || !rg_size_add(&size, size, arcs))
        return false;
    int64_t *block = rg_count_space_get(job->space, RG_SLOT_PATTERN, size, sizeof *block);
    if (!block)
        return false;
    x->cliques = block;
    x->cycle = block + 2 * n;
    x->paw = block + 3 * n;
    x->diamond = block + 4 * n;
    x->triangles = block + 5 * n;
    x->is_next = (unsigned char *)(block + 6 * n);
    x->over = block + 7 * n;
    return true;
}

static void mark(numbers *x, const rg_graph *g, uint32_t i, unsigned char value)
{
    for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
        x->is_next[g->col[k]] = value;
}

/* An edge is looked at from its end of larger degree, and the row of the other end is read: a hub's
 * row is not read once for each of its leaves. */
static bool looks_at(const rg_graph *g, uint32_t i, uint32_t u)
{
    uint64_t own = rg_degree(g, i), other = rg_degree(g, u);
    return own > other || (own == other && i > u);
}

static void count_triangles(numbers *x, const rg_graph *g)
{
    int64_t *over = x->over;
    memset(x->is_next, 0, g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        mark(x, g, i, 1);
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            uint32_t u = g->col[k];
            uint64_t back = 0; /* the arc from u to i */
            int64_t n = 0;
            if (!looks_at(g, i, u))
                continue;
            for (uint64_t m = g->row[u]; m < g->row[u + 1]; m++) {
                n += x->is_next[g->col[m]];
                back = g->col[m] == i ? m : back;
            }
            over[k - g->row[0]] = over[back - g->row[0]] = n;
        }
        mark(x, g, i, 0);
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        int64_t twice = 0;
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
            twice += over[k - g->row[0]];
        x->triangles[i] = twice / 2;
    }
}

/* First what each node sees of itself and its edges, then each triangle from each of its edges,
 * for the node opposite to it. */
static void count_paws_and_diamonds(numbers *x, const rg_graph *g)
{
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        x->paw[v] = x->triangles[v] * ((int64_t)rg_degree(g, v) - 2);
        x->diamond[v] = 0;
        for (uint64_t k = g->row[v]; k < g->row[v + 1]; k++) {
            int64_t t = x->over[k - g->row[0]];
            x->paw[v] += x->triangles[g->col[k]] - t;
            x->diamond[v] += t * (t - 1) / 2;
        }
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        mark(x, g, i, 1);
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            uint32_t u = g->col[k];
            int64_t t = x->over[k - g->row[0]];
            int64_t tails = (int64_t)rg_degree(g, i) + (int64_t)rg_degree(g, u) - 4;
            if (t == 0 || !looks_at(g, i, u))
                continue;
            for (uint64_t m = g->row[u]; m < g->row[u + 1]; m++) {
                uint32_t w = g->col[m];
                int64_t is = x->is_next[w];
                x->paw[w] += is * tails;
                x->diamond[w] += is * (t - 1);
            }
        }
        mark(x, g, i, 0);
    }
}

/* Are the steps within the budget, and the numbers so small that no sum below overflows? With d the
 * largest degree, a node is in at most 4 d^3 of anything. */
static bool within(const rg_pattern_job *job)
{
    const rg_graph *g = job->graph;
    uint64_t steps = 0, largest = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint64_t d = rg_degree(g, i);
        largest = d > largest ? d : largest;
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) /* each edge twice, as is its row */
            steps += d < rg_degree(g, g->col[k]) ? d : rg_degree(g, g->col[k]);
    }
    uint64_t most = rg_mul_capped(rg_mul_capped(largest, largest), largest);
    return steps <= job->budget && rg_mul_capped(most, 4) < (uint64_t)1 << 56;
}

rg_status rg_pattern_of_four(const rg_pattern_job *job, rg_pattern_four which, rg_error *err)
{
    const rg_graph *g = job->graph;
    const int8_t *coefficient = coefficients[which][job->induced];
    numbers x;
    bool capped = false;
    if (!within(job)) {
        rg_pattern_fill(job, RG_CAPPED);
        return RG_OK;
    }
    if (!take_space(&x, job))
        return rg_fail_memory(err, "counting patterns");
    rg_status status = RG_OK;
    if (coefficient[CLIQUE])
        status = rg_count_cliques(x.cliques, g, 4, false, job->budget, &capped, job->space, err);
    if (!status && coefficient[CYCLE])
        status = rg_count_cycles(x.cycle, g, 4, 4, false, job->budget, &capped, job->space, err);
    if (status)
        return status;
    if (capped) {
        rg_pattern_fill(job, RG_CAPPED);
        return RG_OK;
    }
    count_triangles(&x, g);
    count_paws_and_diamonds(&x, g);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        int64_t *out = &job->out[i * job->stride];
        int64_t value = coefficient[PAW] * x.paw[i] + coefficient[DIAMOND] * x.diamond[i];
        if (coefficient[BASE])
            value += *out;
        if (coefficient[CYCLE])
            value += coefficient[CYCLE] * x.cycle[i];
        if (coefficient[CLIQUE])
            value += coefficient[CLIQUE] * x.cliques[2 * (size_t)i + 1];
        *out = value;
    }
    return RG_OK;
}
