/* pattern_formula.c - patterns without labels that need not be looked for one by one.
 *
 * d(v) is the degree of v, t(v) the number of triangles through it, u ~ v "u is a neighbour of v".
 *   edge                d(v)
 *   star of k leaves    C(d(v), k) + sum over u ~ v of C(d(u)-1, k-1)              (not induced)
 *   path of 3 nodes     the star of 2 leaves; induced: less 3 t(v), for each triangle is three of
 *                       them that are not induced
 *   path of 4 nodes     sum over u ~ v of (d(v)-1)(d(u)-1) + S(u) - (d(v)-1), less 4 t(v), where
 *                       S(u) = sum over w ~ u of d(w)-1                            (not induced)
 *                       (first product: v inside, less the ends that coincide, 2 t(v);
 *                       rest: v at an end, less paths v-u-w-v and paths back to v, again 2 t(v))
 *   other graphs of 4   see pattern_four.c
 *   cliques, cycles     the counters of cliques and cycles */
#include "base/alloc.h"
#include "base/error.h"
#include "pattern_count.h"
#include "space.h"

void rg_pattern_fill(const rg_pattern_job *job, int64_t value)
{
    for (uint32_t i = 0; i < job->graph->n_nodes; i++)
        job->out[i * job->stride] = value;
}

/* values[i * n_dims + d] to the node's place; capped there is capped here. */
static void copy_dimension(const rg_pattern_job *job, const int64_t *values, size_t n_dims,
                           size_t d)
{
    for (uint32_t i = 0; i < job->graph->n_nodes; i++)
        job->out[i * job->stride] = values[i * n_dims + d];
}

static rg_status count_cliques(const rg_pattern_job *job, uint32_t n, rg_error *err)
{
    size_t n_dims = n - 2, size;
    bool capped = false;
    int64_t *values = NULL;
    if (rg_size_mul(&size, job->graph->n_nodes, n_dims))
        values = rg_count_space_get(job->space, RG_SLOT_PATTERN, size, sizeof *values);
    if (!values)
        return rg_fail_memory(err, "counting patterns");
    rg_status status =
        rg_count_cliques(values, job->graph, n, false, job->budget, &capped, job->space, err);
    if (!status)
        copy_dimension(job, values, n_dims, n_dims - 1);
    return status;
}

static rg_status count_cycles(const rg_pattern_job *job, uint32_t n, rg_error *err)
{
    bool capped = false;
    int64_t *values =
        rg_count_space_get(job->space, RG_SLOT_PATTERN, job->graph->n_nodes, sizeof *values);
    if (!values)
        return rg_fail_memory(err, "counting patterns");
    rg_status status = rg_count_cycles(values, job->graph, n, n, job->induced, job->budget, &capped,
                                       job->space, err);
    if (!status)
        copy_dimension(job, values, 1, 0);
    return status;
}

/* C(n, k), capped as soon as a product on the way is. */
static uint64_t choose(uint64_t n, unsigned k)
{
    uint64_t value = 1;
    if (k > n)
        return 0;
    for (unsigned i = 0; i < k && value != UINT64_MAX; i++) {
        value = rg_mul_capped(value, n - i);
        if (value != UINT64_MAX)
            value /= i + 1;
    }
    return value;
}

/* One number too large and the whole dimension is capped. times * t(v) is taken off, where t(v)
 * stands in out before. */
static void store(const rg_pattern_job *job, uint32_t i, uint64_t value, uint64_t times,
                  bool *large)
{
    int64_t *out = &job->out[i * job->stride];
    if (value > INT64_MAX)
        *large = true;
    else
        *out = (int64_t)(value - (times ? times * (uint64_t)*out : 0));
}

/* times: triangles to take off, as store does. */
static void count_stars(const rg_pattern_job *job, unsigned leaves, uint64_t times)
{
    const rg_graph *g = job->graph;
    bool large = false;
    for (uint32_t i = 0; i < g->n_nodes && !large; i++) {
        uint64_t value = choose(rg_degree(g, i), leaves);
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
            value = rg_add_capped(value, choose(rg_degree(g, g->col[k]) - 1, leaves - 1));
        store(job, i, value, times, &large);
    }
    if (large)
        rg_pattern_fill(job, RG_CAPPED);
}

static rg_status count_paths_of_4(const rg_pattern_job *job, rg_error *err)
{
    const rg_graph *g = job->graph;
    bool large = false;
    uint64_t *further = /* S(u) */
        rg_count_space_get(job->space, RG_SLOT_PATTERN, g->n_nodes, sizeof *further);
    if (!further)
        return rg_fail_memory(err, "counting patterns");
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        further[i] = 0;
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
            further[i] = rg_add_capped(further[i], rg_degree(g, g->col[k]) - 1);
    }
    for (uint32_t i = 0; i < g->n_nodes && !large; i++) {
        uint64_t value = 0, own = rg_degree(g, i) - 1; /* not used if the degree is 0 */
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            uint32_t u = g->col[k];
            value = rg_add_capped(value, rg_mul_capped(own, rg_degree(g, u) - 1));
            value = rg_add_capped(value, further[u] - own); /* own is part of S(u) */
        }
        store(job, i, value, 4, &large);
    }
    if (large)
        rg_pattern_fill(job, RG_CAPPED);
    return RG_OK;
}

static bool is_capped(const rg_pattern_job *job)
{
    return job->graph->n_nodes && job->out[0] == RG_CAPPED;
}

/* Paths of 3 and 4 nodes; t(v) is counted into out first where it is needed. */
static rg_status count_paths(const rg_pattern_job *job, uint32_t n, rg_error *err)
{
    if (n == 3 && !job->induced) {
        count_stars(job, 2, 0);
        return RG_OK;
    }
    rg_status status = count_cliques(job, 3, err);
    if (status || is_capped(job))
        return status;
    if (n == 3) {
        count_stars(job, 2, 3);
        return RG_OK;
    }
    status = count_paths_of_4(job, err);
    if (!status && job->induced && !is_capped(job))
        status = rg_pattern_of_four(job, RG_FOUR_PATH, err);
    return status;
}

static unsigned count_pattern_edges(const rg_pattern *pattern)
{
    unsigned n = 0;
    for (unsigned a = 0; a < pattern->n_nodes; a++)
        for (unsigned b = 0; b < a; b++)
            n += pattern->edge[a][b];
    return n;
}

rg_status rg_pattern_by_formula(const rg_pattern_job *job, bool *known, rg_error *err)
{
    const rg_graph *g = job->graph;
    uint32_t n = job->pattern->n_nodes;
    rg_pattern_form form = rg_pattern_form_of(job->pattern);
    *known = !job->pattern->has_node_labels && !job->pattern->has_edge_labels &&
             (n <= 4 || form == RG_FORM_CLIQUE || form == RG_FORM_CYCLE ||
              (form == RG_FORM_STAR && !job->induced));
    if (!*known)
        return RG_OK;
    switch (form) {
    case RG_FORM_NODE:
        rg_pattern_fill(job, 1);
        return RG_OK;
    case RG_FORM_EDGE:
        for (uint32_t i = 0; i < g->n_nodes; i++)
            job->out[i * job->stride] = (int64_t)rg_degree(g, i);
        return RG_OK;
    case RG_FORM_CLIQUE:
        return count_cliques(job, n, err);
    case RG_FORM_CYCLE:
        return count_cycles(job, n, err);
    case RG_FORM_PATH:
        return count_paths(job, n, err);
    case RG_FORM_STAR:
        count_stars(job, n - 1, 0);
        if (!job->induced || is_capped(job))
            return RG_OK;
        return rg_pattern_of_four(job, RG_FOUR_STAR, err);
    case RG_FORM_OTHER:
        break;
    }
    /* four nodes and neither tree, cycle nor clique: four edges or five */
    return rg_pattern_of_four(
        job, count_pattern_edges(job->pattern) == 4 ? RG_FOUR_PAW : RG_FOUR_DIAMOND, err);
}
