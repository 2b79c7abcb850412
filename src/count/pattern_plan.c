/* pattern_plan.c - what a search needs to know of a pattern beforehand: an order of its nodes, and
 * its symmetries.
 *
 * An occurrence is found once for each symmetry of the pattern unless something singles one out.
 * Let G(p) be the symmetries that leave the nodes at positions 0 .. p-1 where they are. Of all ways
 * to find one occurrence, exactly one gives position p a smaller node than every other position to
 * which G(p) can move it, for all p: the smallest in lexicographic order. Those positions come
 * after p, so each condition can be tested as soon as the later one is filled. */
#include "pattern.h"

#include <string.h>

static unsigned degree_of(const rg_pattern *pattern, unsigned node)
{
    unsigned degree = 0;
    for (unsigned b = 0; b < pattern->n_nodes; b++)
        degree += pattern->edge[node][b];
    return degree;
}

rg_pattern_form rg_pattern_form_of(const rg_pattern *pattern)
{
    unsigned n = pattern->n_nodes, ends = 0, twos = 0, full = 0;
    for (unsigned a = 0; a < n; a++) {
        unsigned degree = degree_of(pattern, a);
        ends += degree == 1;
        twos += degree == 2;
        full += degree == n - 1;
    }
    if (n <= 2)
        return n == 1 ? RG_FORM_NODE : RG_FORM_EDGE;
    if (full == n)
        return RG_FORM_CLIQUE;
    if (twos == n)
        return RG_FORM_CYCLE;
    if (ends == 2 && twos == n - 2)
        return RG_FORM_PATH;
    return full == 1 && ends == n - 1 ? RG_FORM_STAR : RG_FORM_OTHER;
}

/* Labels on the node and on its edges to nodes already placed. */
static unsigned labels_of(const rg_pattern *pattern, unsigned node, unsigned placed)
{
    unsigned n = pattern->node_label[node] != RG_ANY_LABEL;
    for (unsigned b = 0; b < pattern->n_nodes; b++)
        n += (placed >> b & 1) && pattern->edge[node][b] &&
             pattern->edge_label[node][b] != RG_ANY_LABEL;
    return n;
}

/* Next comes the node that is tied down most: by edges to placed nodes, labels, then its degree. */
static void make_order(rg_pattern *pattern)
{
    rg_pattern_plan *plan = &pattern->plan;
    unsigned placed = 0;
    for (unsigned p = 0; p < pattern->n_nodes; p++) {
        unsigned best = 0, best_score = 0;
        for (unsigned a = 0; a < pattern->n_nodes; a++) {
            unsigned joined = 0;
            for (unsigned b = 0; b < pattern->n_nodes; b++)
                joined += (placed >> b & 1) && pattern->edge[a][b];
            unsigned score =
                (joined << 16) + (labels_of(pattern, a, placed) << 8) + degree_of(pattern, a) + 1;
            if (!(placed >> a & 1) && (p == 0 || joined) && score > best_score) {
                best = a;
                best_score = score;
            }
        }
        plan->order[p] = (uint8_t)best;
        placed |= 1u << best;
        for (unsigned q = p; q-- > 0;)
            if (pattern->edge[best][plan->order[q]]) {
                plan->joined[p] = (uint16_t)(plan->joined[p] | 1u << q);
                plan->parent[p] = (uint8_t)q;
            }
    }
}

static bool may_map(const rg_pattern *pattern, unsigned a, unsigned b)
{
    return degree_of(pattern, a) == degree_of(pattern, b) &&
           (pattern->plan.mixed || pattern->node_label[a] == pattern->node_label[b]);
}

/* Can image[0 .. p-1] be continued to a symmetry? Nodes of the pattern by position. */
static bool continues(const rg_pattern *pattern, unsigned *image, unsigned used, unsigned p)
{
    const uint8_t *order = pattern->plan.order;
    if (p == pattern->n_nodes)
        return true;
    for (unsigned b = 0; b < pattern->n_nodes; b++) {
        if ((used >> b & 1) || !may_map(pattern, order[p], b))
            continue;
        bool fine = true;
        for (unsigned q = 0; fine && q < p; q++) {
            unsigned a = order[p], c = order[q];
            fine = pattern->edge[a][c] == pattern->edge[b][image[q]] &&
                   (pattern->plan.mixed || !pattern->edge[a][c] ||
                    pattern->edge_label[a][c] == pattern->edge_label[b][image[q]]);
        }
        image[p] = b;
        if (fine && continues(pattern, image, used | 1u << b, p + 1))
            return true;
    }
    return false;
}

/* Is there a symmetry that keeps positions 0 .. p-1 and moves p to q? */
static bool moves(const rg_pattern *pattern, unsigned p, unsigned q)
{
    const uint8_t *order = pattern->plan.order;
    unsigned image[RG_PATTERN_MAX], used = 0, a = order[p], b = order[q];
    bool fine = may_map(pattern, a, b);
    for (unsigned r = 0; r < p; r++) {
        image[r] = order[r];
        used |= 1u << order[r];
        fine = fine && pattern->edge[a][image[r]] == pattern->edge[b][image[r]] &&
               (pattern->plan.mixed || !pattern->edge[a][image[r]] ||
                pattern->edge_label[a][image[r]] == pattern->edge_label[b][image[r]]);
    }
    image[p] = b;
    return fine && continues(pattern, image, used | 1u << b, p + 1);
}

static bool is_mixed(const rg_pattern *pattern)
{
    unsigned nodes = 0, edges = 0, labelled_nodes = 0, labelled_edges = 0;
    for (unsigned a = 0; a < pattern->n_nodes; a++) {
        nodes++;
        labelled_nodes += pattern->node_label[a] != RG_ANY_LABEL;
        for (unsigned b = 0; b < a; b++) {
            edges += pattern->edge[a][b];
            labelled_edges += pattern->edge[a][b] && pattern->edge_label[a][b] != RG_ANY_LABEL;
        }
    }
    return (labelled_nodes && labelled_nodes < nodes) || (labelled_edges && labelled_edges < edges);
}

void rg_pattern_plan_make(rg_pattern *pattern)
{
    rg_pattern_plan *plan = &pattern->plan;
    memset(plan, 0, sizeof *plan);
    plan->mixed = is_mixed(pattern);
    make_order(pattern);
    for (unsigned p = 0; p < pattern->n_nodes; p++)
        for (unsigned q = p + 1; q < pattern->n_nodes; q++)
            if (moves(pattern, p, q))
                plan->below[q] = (uint16_t)(plan->below[q] | 1u << p);
}
