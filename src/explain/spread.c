/* spread.c - see spread.h. */
#include "spread.h"

#include "base/alloc.h"
#include "base/error.h"
#include "label/kind.h"
#include "label/labeling.h"
#include "rule/rule.h"

#include <string.h>

enum {
    MOST_NODES = 500,  /* larger graphs are not spread: parts of all pairs take time */
    MOST_STEPS = 20000 /* of a search for the rings of one node */
};

/* ---- environments: rows of parts that add up to 1 */

typedef struct neighbourhood {
    const rg_graph *graph;
    uint32_t n;
    uint32_t *list; /* [n]: nodes in the order in which they were found */
    uint32_t *seen; /* [n]: distance + 1, or place in a path + 1; 0: not */
    uint8_t *found; /* [n] */
    size_t steps;
} neighbourhood;

/* Adds the same part for all nodes within `depth` edges of i. */
static void add_ball(const neighbourhood *h, double *row, uint32_t i, uint32_t depth)
{
    uint32_t n = 0;
    memset(h->seen, 0, h->n * sizeof *h->seen);
    h->list[n++] = i;
    h->seen[i] = 1;
    for (uint32_t at = 0; at < n; at++) {
        uint32_t v = h->list[at];
        if (h->seen[v] > depth)
            continue;
        for (uint64_t a = h->graph->row[v]; a < h->graph->row[v + 1]; a++) {
            uint32_t k = h->graph->col[a];
            if (!h->seen[k]) {
                h->seen[k] = h->seen[v] + 1;
                h->list[n++] = k;
            }
        }
    }
    for (uint32_t k = 0; k < n; k++)
        row[h->list[k]] += 1.0 / n;
}

static bool is_adjacent(const rg_graph *g, uint32_t a, uint32_t b)
{
    for (uint64_t k = g->row[a]; k < g->row[a + 1]; k++)
        if (g->col[k] == b)
            return true;
    return false;
}

/* Marks all nodes of the chordless rings of up to `most` nodes through list[0]; the path has n nodes. */
static void find_rings(neighbourhood *h, uint32_t n, uint32_t most)
{
    uint32_t last = h->list[n - 1];
    for (uint64_t a = h->graph->row[last]; a < h->graph->row[last + 1]; a++) {
        uint32_t v = h->graph->col[a];
        bool chord = false;
        if (h->seen[v] || h->steps++ > MOST_STEPS)
            continue;
        for (uint32_t k = 1; k + 1 < n && !chord; k++)
            chord = is_adjacent(h->graph, v, h->list[k]);
        if (chord)
            continue;
        if (n >= 2 &&
            is_adjacent(h->graph, v, h->list[0])) { /* closed; going on would leave a chord */
            h->found[v] = 1;
            for (uint32_t k = 0; k < n; k++)
                h->found[h->list[k]] = 1;
        } else if (n + 1 < most) {
            h->list[n] = v;
            h->seen[v] = 1;
            find_rings(h, n + 1, most);
            h->seen[v] = 0;
        }
    }
}

/* Adds the same part for all nodes of the rings of node i, or all of it for i. */
static void add_rings(neighbourhood *h, double *row, uint32_t i, uint32_t most)
{
    size_t n = 0;
    memset(h->seen, 0, h->n * sizeof *h->seen);
    memset(h->found, 0, h->n);
    h->list[0] = i;
    h->seen[i] = 1;
    h->steps = 0;
    if (most >= 3)
        find_rings(h, 1, most);
    if (h->steps > MOST_STEPS)
        memset(h->found, 0, h->n);
    h->found[i] = 1;
    for (uint32_t k = 0; k < h->n; k++)
        n += h->found[k];
    for (uint32_t k = 0; k < h->n; k++)
        if (h->found[k])
            row[k] += 1.0 / (double)n;
}

/* out[k] += sum of a[i][j] b[j][k] */
static void compose(double *out, const double *a, const double *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (a[(size_t)i * n + j] != 0)
                for (uint32_t k = 0; k < n; k++)
                    out[(size_t)i * n + k] += a[(size_t)i * n + j] * b[(size_t)j * n + k];
}

static void add_scaled(double *out, const double *a, double scale, uint32_t n)
{
    for (size_t k = 0; k < (size_t)n * n; k++)
        out[k] += scale * a[k];
}

/* Fills out[i][k], zero before, with what the labels of a labeling speak for. */
static bool describe(double *out, neighbourhood *h, const rg_label_spec *spec)
{
    uint32_t n = h->n;
    double *part = NULL, *own = NULL;
    bool refines = spec->kind->refine && spec->n_parts == 1;
    bool fine = true;
    if (refines || spec->kind->joins) {
        part = rg_alloc_zero((size_t)n * n, sizeof *part);
        own = rg_alloc_zero((size_t)n * n, sizeof *own);
        fine = part && own;
    }
    if (fine && refines) {
        for (uint32_t i = 0; i < n; i++)
            add_ball(h, own + (size_t)i * n, i, spec->depth);
        fine = describe(part, h, spec->parts[0]);
        compose(out, own, part, n);
    } else if (fine && spec->kind->joins) {
        for (size_t p = 0; fine && p < spec->n_parts; p++) {
            memset(part, 0, (size_t)n * n * sizeof *part);
            fine = describe(part, h, spec->parts[p]);
            add_scaled(out, part, 1.0 / (double)spec->n_parts, n);
        }
    } else if (fine) {
        bool rings = spec->kind->counted && strcmp(spec->kind->counted->noun, "cycle") == 0;
        uint32_t most = rings ? spec->kind->counted->size(spec, rg_label_spec_dims(spec) - 1) : 0;
        for (uint32_t i = 0; i < n; i++)
            add_rings(h, out + (size_t)i * n, i, most < 12 ? most : 12);
    }
    rg_free(part);
    rg_free(own);
    return fine;
}

/* ---- the labels that rules use */

/* Which labelings of the network the rules of a layer name; [n_labels]: labels of the nodes themselves. */
static void note_labels(bool *used, const rg_explainer *e, size_t l)
{
    const rg_net_layer *layer = &e->net.layers[l];
    const rg_spec *spec = e->net.spec;
    for (size_t r = 0; r <= layer->n_rules; r++) {
        const rg_rule *rule = r < layer->n_rules ? layer->rules[r].rule : layer->bias.rule;
        for (size_t t = 0; rule && t < rule->n_terms; t++) {
            const rg_term *term = &rule->terms[t];
            used[spec->n_labels] |= term->op == RG_OP_NODE_LABEL;
            for (size_t k = 0; term->op == RG_OP_LABEL && k < spec->n_labels; k++)
                used[k] |= strcmp(spec->label_names[k], rule->names[term->index]) == 0;
        }
    }
}

static bool fill(rg_spread *out, const rg_explainer *e, neighbourhood *h, const bool *used)
{
    size_t n_labels = e->net.spec->n_labels, n_used = 0;
    uint32_t n = out->n;
    double *one = rg_alloc((size_t)n * n, sizeof *one);
    bool fine = one != NULL;
    for (size_t k = 0; k <= n_labels; k++)
        n_used += used[k];
    for (size_t k = 0; fine && k <= n_labels; k++) {
        double scale = n_used ? 1.0 / (double)n_used : 1;
        if (k == n_labels && (used[k] || !n_used))
            for (uint32_t i = 0; i < n; i++)
                out->parts[(size_t)i * n + i] += scale;
        if (k == n_labels || !used[k])
            continue;
        memset(one, 0, (size_t)n * n * sizeof *one);
        fine = describe(one, h, e->net.labelings[k]->spec);
        add_scaled(out->parts, one, scale, n);
    }
    rg_free(one);
    return fine;
}

/* Layers before the nodes are left: the last with rules from nodes to nodes, and the aggregation. */
static void find_layers(size_t *rule, size_t *aggregation, const rg_network *net)
{
    *rule = *aggregation = SIZE_MAX;
    for (size_t l = net->last + 1; l-- > 0;) {
        const rg_layer_kind *kind = net->layers[l].kind;
        if (kind->rounds)
            return;
        if (kind->rules && kind->outputs && *aggregation == SIZE_MAX)
            *aggregation = l;
        if (kind->rules && !kind->outputs && *rule == SIZE_MAX)
            *rule = l;
    }
}

rg_status rg_spread_make(rg_spread *out, const rg_explainer *e, const rg_graph *graph,
                         rg_error *err)
{
    uint32_t n = graph->n_nodes;
    bool used[RG_SPEC_LABELS_MAX + 1] = {false};
    size_t rule, aggregation;
    *out = (rg_spread){.n = n};
    find_layers(&rule, &aggregation, &e->net);
    if (n == 0 || n > MOST_NODES || (rule == SIZE_MAX && aggregation == SIZE_MAX))
        return RG_OK;
    neighbourhood h = {.graph = graph,
                       .n = n,
                       .list = rg_alloc(n, sizeof *h.list),
                       .seen = rg_alloc(n, sizeof *h.seen),
                       .found = rg_alloc(n, 1)};
    out->parts = rg_alloc_zero((size_t)n * n, sizeof *out->parts);
    if (rule != SIZE_MAX)
        note_labels(used, e, rule);
    if (aggregation != SIZE_MAX)
        note_labels(used, e, aggregation);
    bool fine = h.list && h.seen && h.found && out->parts && fill(out, e, &h, used);
    rg_free(h.list);
    rg_free(h.seen);
    rg_free(h.found);
    if (fine)
        return RG_OK;
    rg_spread_free(out);
    return rg_fail_memory(err, "the nodes that labels speak for");
}

void rg_spread_free(rg_spread *spread)
{
    rg_free(spread->parts);
    *spread = (rg_spread){0};
}

rg_status rg_spread_apply(const rg_spread *spread, double *nodes, size_t width, rg_error *err)
{
    size_t n = spread->n;
    if (!spread->parts)
        return RG_OK;
    double *got = rg_alloc_zero(n * width, sizeof *got);
    if (!got)
        return rg_fail_memory(err, "the nodes that labels speak for");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t c = 0; c < width; c++)
                got[k * width + c] += spread->parts[i * n + k] * nodes[i * width + c];
    if (n)
        memcpy(nodes, got, n * width * sizeof *got);
    rg_free(got);
    return RG_OK;
}
