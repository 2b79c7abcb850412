/* pattern_count.c - every occurrence of a small graph in a graph, once.
 *
 * The search fills the positions of the pattern's plan one after another: candidates are the
 * neighbours of a node already found, of them the one with the fewest. What it may cost is known
 * beforehand. The nodes tried at position p are at most the ways to lay the first p+1 positions'
 * tree (each position with its parent) over walks of the graph; these are counted exactly by going
 * through that tree from its leaves, in O(pattern * arcs), and do not depend on the order of nodes.
 */
#include "pattern_count.h"

#include "base/alloc.h"
#include "base/error.h"
#include "space.h"

#include <string.h>

#define ANY_RANK UINT32_MAX

/* A search under way. Labels are ranks of the set; arrays by position. */
typedef struct pattern_search {
    const rg_graph *graph;
    const rg_pattern *pattern;
    bool induced;
    const uint32_t *node_rank; /* of the graph's nodes; NULL: no labels wanted */
    const uint32_t *edge_rank; /* of the set's arcs; NULL: no labels wanted */
    uint32_t node_want[RG_PATTERN_MAX];
    uint32_t edge_want[RG_PATTERN_MAX][RG_PATTERN_MAX];
    uint32_t degree[RG_PATTERN_MAX];
    uint32_t found[RG_PATTERN_MAX];
    int64_t *out;
    size_t stride;
    rg_count_space *space;
    uint32_t steps; /* so far, to ask now and then whether to go on */
    bool stopped;
} pattern_search;

/* ---- setting up */

/* The rank of a label in column 0; false if no node (edge) of the set has it. */
static bool rank_of(const rg_dataset *data, rg_column kind, int64_t label, uint32_t *out)
{
    size_t low = 0, high;
    const int64_t *values;
    *out = ANY_RANK;
    if (label == RG_ANY_LABEL)
        return true;
    if (rg_dataset_n_columns(data, kind) == 0)
        return false;
    values = rg_dataset_values(data, kind, 0, &high);
    size_t n = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    *out = (uint32_t)low;
    return low < n && values[low] == label;
}

/* False if the pattern wants a label that the set does not have. */
static bool set_up(pattern_search *s, const rg_pattern_job *job)
{
    const rg_pattern *pattern = job->pattern;
    const uint8_t *order = pattern->plan.order;
    memset(s, 0, sizeof *s);
    s->graph = job->graph;
    s->pattern = pattern;
    s->induced = job->induced;
    s->out = job->out;
    s->stride = job->stride;
    s->space = job->space;
    for (unsigned p = 0; p < pattern->n_nodes; p++) {
        unsigned a = order[p];
        if (!rank_of(job->data, RG_NODE_LABEL, pattern->node_label[a], &s->node_want[p]))
            return false;
        for (unsigned q = 0; q < pattern->n_nodes; q++) {
            unsigned b = order[q];
            s->edge_want[p][q] = ANY_RANK;
            s->degree[p] += pattern->edge[a][b];
            if (pattern->edge[a][b] &&
                !rank_of(job->data, RG_EDGE_LABEL, pattern->edge_label[a][b], &s->edge_want[p][q]))
                return false;
        }
    }
    if (pattern->has_node_labels)
        s->node_rank = rg_dataset_ranks(job->data, RG_NODE_LABEL, 0) + job->graph->first_node;
    if (pattern->has_edge_labels)
        s->edge_rank = rg_dataset_ranks(job->data, RG_EDGE_LABEL, 0);
    return true;
}

/* What can be seen of a node alone. */
static bool may_be(const pattern_search *s, unsigned p, uint32_t node)
{
    return rg_degree(s->graph, node) >= s->degree[p] &&
           (s->node_want[p] == ANY_RANK || s->pattern->plan.mixed ||
            s->node_rank[node] == s->node_want[p]);
}

/* ---- what it may cost */

/* Ways to lay positions 0 .. last over walks; the last one may be any neighbour, for all of them
 * are tried. weight: room for (last + 1) * n_nodes numbers. */
static uint64_t count_layings(const pattern_search *s, unsigned last, uint64_t *weight)
{
    const rg_graph *g = s->graph;
    size_t n = g->n_nodes;
    for (unsigned p = 0; p <= last; p++)
        for (uint32_t i = 0; i < n; i++)
            weight[p * n + i] = p == last || may_be(s, p, i);
    for (unsigned p = last; p > 0; p--) {
        uint64_t *above = weight + s->pattern->plan.parent[p] * n;
        for (uint32_t i = 0; i < n; i++) {
            uint64_t sum = 0;
            for (uint64_t k = g->row[i]; above[i] && k < g->row[i + 1]; k++)
                sum = rg_add_capped(sum, weight[p * n + g->col[k]]);
            above[i] = rg_mul_capped(above[i], sum);
        }
    }
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total = rg_add_capped(total, weight[i]);
    return total;
}

/* Is the whole search within the budget? Tried first: all degrees as large as the largest, which is
 * never below the exact bound and enough for most graphs. */
static rg_status check_budget(const pattern_search *s, uint64_t budget, bool *within,
                              rg_count_space *space, rg_error *err)
{
    const rg_graph *g = s->graph;
    unsigned n = s->pattern->n_nodes;
    uint64_t largest = 0, layings = g->n_nodes, total = 0;
    size_t size;
    budget = budget < INT64_MAX ? budget : INT64_MAX; /* counts are below the steps */
    for (uint32_t i = 0; i < g->n_nodes; i++)
        largest = rg_degree(g, i) > largest ? rg_degree(g, i) : largest;
    for (unsigned p = 0; p < n; p++) {
        total = rg_add_capped(total, layings);
        layings = rg_mul_capped(layings, largest);
    }
    *within = total <= budget;
    if (*within)
        return RG_OK;
    uint64_t *weight = NULL;
    if (!rg_size_mul(&size, g->n_nodes, n) ||
        !(weight = rg_count_space_get(space, RG_SLOT_PATTERN, size, sizeof *weight)))
        return rg_fail_memory(err, "counting patterns");
    total = 0;
    for (unsigned p = 0; p < n && total <= budget; p++)
        total = rg_add_capped(total, count_layings(s, p, weight));
    *within = total <= budget;
    return RG_OK;
}

/* ---- the search */

/* The arc from a to b; false if they are not joined. */
static bool find_arc(const rg_graph *g, uint32_t a, uint32_t b, uint64_t *arc)
{
    if (rg_degree(g, a) > rg_degree(g, b)) {
        uint32_t c = a;
        a = b;
        b = c;
    }
    uint64_t low = g->row[a], high = g->row[a + 1];
    while (high - low > 8) {
        uint64_t middle = low + (high - low) / 2;
        if (g->col[middle] <= b)
            low = middle;
        else
            high = middle;
    }
    for (; low < high; low++)
        if (g->col[low] == b) {
            *arc = low;
            return true;
        }
    return false;
}

/* Is the label of an arc what the edge between two positions wants? */
static bool right_edge(const pattern_search *s, unsigned p, unsigned q, uint64_t arc)
{
    return s->edge_want[p][q] == ANY_RANK || s->edge_rank[arc] == s->edge_want[p][q];
}

/* Does `node` go with what was found before? It is joined to position `known` by `arc`. */
static bool goes(const pattern_search *s, unsigned p, uint32_t node, unsigned known, uint64_t arc)
{
    unsigned joined = s->pattern->plan.joined[p];
    bool labels = !s->pattern->plan.mixed;
    if (!may_be(s, p, node) || (labels && !right_edge(s, p, known, arc)))
        return false;
    for (unsigned q = 0; q < p; q++) {
        if (q == known)
            continue;
        if (!(joined >> q & 1)) {
            if (node == s->found[q] || (s->induced && find_arc(s->graph, s->found[q], node, &arc)))
                return false;
        } else if (!find_arc(s->graph, s->found[q], node, &arc) ||
                   (labels && !right_edge(s, p, q, arc))) {
            return false;
        }
    }
    return true;
}

/* Labels in part of the pattern only: is there a symmetry of the bare pattern under which those of
 * the occurrence fit? place[q]: the position whose node stands in for q; q < p are chosen. */
static bool fits_from(const pattern_search *s, unsigned *place, unsigned used, unsigned p)
{
    const rg_pattern_plan *plan = &s->pattern->plan;
    unsigned n = s->pattern->n_nodes;
    if (p == n)
        return true;
    for (unsigned r = 0; r < n; r++) {
        uint32_t node = s->found[r];
        if ((used >> r & 1) || s->degree[r] != s->degree[p] ||
            (s->node_want[p] != ANY_RANK && s->node_rank[node] != s->node_want[p]))
            continue;
        bool fine = true;
        for (unsigned q = 0; fine && q < p; q++) {
            bool joined = s->pattern->edge[plan->order[p]][plan->order[q]];
            uint64_t arc;
            fine = joined == s->pattern->edge[plan->order[r]][plan->order[place[q]]];
            if (fine && joined && s->edge_want[p][q] != ANY_RANK)
                fine =
                    find_arc(s->graph, node, s->found[place[q]], &arc) && right_edge(s, p, q, arc);
        }
        place[p] = r;
        if (fine && fits_from(s, place, used | 1u << r, p + 1))
            return true;
    }
    return false;
}

/* Is every wanted label of a node there often enough? */
static bool enough_nodes(const pattern_search *s)
{
    unsigned n = s->pattern->n_nodes;
    for (unsigned p = 0; p < n; p++) {
        unsigned wanted = 0, there = 0;
        for (unsigned q = 0; q < n && s->node_want[p] != ANY_RANK; q++) {
            wanted += s->node_want[q] == s->node_want[p];
            there += s->node_rank[s->found[q]] == s->node_want[p];
        }
        if (there < wanted)
            return false;
    }
    return true;
}

/* The same for edges. */
static bool enough_edges(const pattern_search *s)
{
    uint32_t want[RG_PATTERN_MAX * RG_PATTERN_MAX / 2], is[RG_PATTERN_MAX * RG_PATTERN_MAX / 2];
    unsigned n = 0;
    for (unsigned p = 1; p < s->pattern->n_nodes; p++)
        for (unsigned q = 0; q < p; q++) {
            uint64_t arc;
            if ((s->pattern->plan.joined[p] >> q & 1) &&
                find_arc(s->graph, s->found[p], s->found[q], &arc)) {
                want[n] = s->edge_want[p][q];
                is[n++] = s->edge_rank[arc];
            }
        }
    for (unsigned k = 0; k < n; k++) {
        unsigned wanted = 0, there = 0;
        for (unsigned j = 0; j < n && want[k] != ANY_RANK; j++) {
            wanted += want[j] == want[k];
            there += is[j] == want[k];
        }
        if (there < wanted)
            return false;
    }
    return true;
}

/* Counting labels first, for there most occurrences fail, and without trying symmetries. */
static bool fits(const pattern_search *s)
{
    unsigned place[RG_PATTERN_MAX];
    return (!s->node_rank || enough_nodes(s)) && (!s->edge_rank || enough_edges(s)) &&
           fits_from(s, place, 0, 0);
}

/* Occurrences that continue found[0 .. p-1]; each node of the rest is told how many it is in. */
static int64_t extend(pattern_search *s, unsigned p)
{
    const rg_graph *g = s->graph;
    const rg_pattern_plan *plan = &s->pattern->plan;
    if (p == s->pattern->n_nodes)
        return !plan->mixed || fits(s);
    if ((++s->steps & 0xffff) == 0)
        s->stopped = rg_count_stops(s->space);
    if (s->stopped)
        return 0;
    unsigned from = plan->parent[p];
    uint32_t above = 0; /* nodes below it are not allowed */
    for (unsigned q = 0; q < p; q++) {
        if ((plan->joined[p] >> q & 1) && rg_degree(g, s->found[q]) < rg_degree(g, s->found[from]))
            from = q;
        if ((plan->below[p] >> q & 1) && s->found[q] >= above)
            above = s->found[q] + 1;
    }
    int64_t total = 0;
    for (uint64_t k = g->row[s->found[from]]; k < g->row[s->found[from] + 1]; k++) {
        uint32_t node = g->col[k];
        if (node < above || !goes(s, p, node, from, k))
            continue;
        s->found[p] = node;
        int64_t n = extend(s, p + 1);
        s->out[node * s->stride] += n;
        total += n;
    }
    return total;
}

rg_status rg_pattern_by_search(const rg_pattern_job *job, rg_error *err)
{
    pattern_search s;
    bool within;
    rg_pattern_fill(job, 0);
    if (!set_up(&s, job))
        return RG_OK;
    rg_status status = check_budget(&s, job->budget, &within, job->space, err);
    if (status)
        return status;
    if (!within) {
        rg_pattern_fill(job, RG_CAPPED);
        return RG_OK;
    }
    for (uint32_t i = 0; i < job->graph->n_nodes; i++) {
        if (!may_be(&s, 0, i))
            continue;
        s.found[0] = i;
        s.out[i * s.stride] += extend(&s, 1);
        if (s.stopped)
            return rg_fail_cancelled(err);
    }
    return RG_OK;
}

rg_status rg_count_patterns(int64_t *out, const rg_dataset *data, size_t index,
                            const rg_pattern *patterns, size_t n_patterns, bool induced,
                            uint64_t budget, bool *capped, rg_count_space *space, rg_error *err)
{
    rg_graph graph = rg_dataset_graph(data, index);
    for (size_t d = 0; d < n_patterns; d++) {
        rg_pattern_job job = {data,   &graph,  &patterns[d], induced,
                              budget, out + d, n_patterns,   space};
        bool known = patterns[d].smarts != NULL;
        rg_status status = known ? rg_pattern_by_smarts(&job, index, err)
                                 : rg_pattern_by_formula(&job, &known, err);
        if (!status && !known)
            status = rg_pattern_by_search(&job, err);
        if (status)
            return status;
        if (graph.n_nodes && out[d] == RG_CAPPED)
            *capped = true;
    }
    return RG_OK;
}
