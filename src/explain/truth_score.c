/* truth_score.c - see truth_score.h. */
#include "truth_score.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explainer.h"
#include "graph/reorder.h"
#include "regula/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIE 1e-9 /* effects that differ by less, as a part of the largest, are equal */

/* ---- effects of nodes */

void rg_node_effects_free(rg_node_effects *effects)
{
    rg_free(effects->first);
    rg_free(effects->values);
    *effects = (rg_node_effects){0};
}

static rg_status fill_graph(double *values, rg_explainer *e, uint32_t graph, rg_error *err)
{
    rg_attribution a;
    rg_status status = rg_explainer_attribute(&a, e, graph, err);
    if (status)
        return status;
    rg_effect_axis axis = rg_explainer_axis(e, a.truth);
    double sign = axis.down != RG_NO_OUTPUT && axis.down == a.truth ? -1 : 1;
    for (size_t i = 0; i < a.n_nodes; i++)
        values[i] = sign * rg_explainer_on_axis(e, axis, a.nodes + i * a.n_outputs);
    rg_attribution_free(&a);
    return RG_OK;
}

rg_status rg_explainer_node_effects(rg_node_effects *out, rg_explainer *e, const uint32_t *graphs,
                                    size_t n, rg_error *err)
{
    rg_node_effects effects = {.n_graphs = n, .first = rg_alloc_zero(n + 1, sizeof *effects.first)};
    rg_status status = effects.first ? RG_OK : rg_fail_memory(err, "effects of nodes");
    for (size_t k = 0; !status && k < n; k++)
        status = rg_explainer_check_sample(e, graphs[k], err);
    if (!status && (e->net.task != RG_TASK_CLASSES || e->net.arrays))
        status = rg_fail(err, RG_EUSAGE, "the model is not a classifier of graphs: it is for %s",
                         e->net.arrays ? "arrays" : rg_task_name(e->net.task));
    if (!status)
        status = rg_samples_check_targets(e->samples, err);
    for (size_t k = 0; !status && k < n; k++)
        effects.first[k + 1] = effects.first[k] + rg_samples_nodes(e->samples, graphs[k]);
    if (!status && !(effects.values = rg_alloc(effects.first[n], sizeof *effects.values)))
        status = rg_fail_memory(err, "effects of nodes");
    for (size_t k = 0; !status && k < n; k++)
        status = fill_graph(effects.values + effects.first[k], e, graphs[k], err);
    if (status)
        rg_node_effects_free(&effects);
    else
        *out = effects;
    return status;
}

/* ---- against causes */

static double largest(const double *values, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static bool holds(const uint32_t *nodes, size_t n, size_t node)
{
    for (size_t k = 0; k < n; k++)
        if (nodes[k] == node)
            return true;
    return false;
}

/* Of all pairs (node of the cause, other node) those in which the first has more; ties half. */
static double area(const double *values, size_t n, const uint32_t *cause, size_t n_cause)
{
    double sum = 0, tie = TIE * largest(values, n);
    for (size_t j = 0; j < n; j++) {
        if (holds(cause, n_cause, j))
            continue;
        for (size_t k = 0; k < n_cause; k++) {
            double d = values[cause[k]] - values[j];
            sum += d > tie ? 1 : d < -tie ? 0 : 0.5;
        }
    }
    return n_cause < n ? sum / ((double)n_cause * (double)(n - n_cause)) : (double)NAN;
}

/* Of the n_cause top nodes and the cause; where nodes tie at the border, the expected part of them. */
static double overlap(const double *values, size_t n, const uint32_t *cause, size_t n_cause)
{
    double tie = TIE * largest(values, n), hits = 0;
    for (size_t k = 0; k < n_cause; k++) {
        size_t above = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            double d = values[j] - values[cause[k]];
            above += d > tie;
            equal += d <= tie && d >= -tie;
        }
        if (above < n_cause) {
            double places = (double)(n_cause - above);
            hits += places >= (double)equal ? 1 : places / (double)equal;
        }
    }
    return hits / (2 * (double)n_cause - hits);
}

rg_truth_score rg_truth_judge(const rg_node_effects *effects, const rg_truth *truth,
                              const uint32_t *graphs)
{
    rg_truth_score score = {0};
    for (size_t g = 0; g < effects->n_graphs; g++) {
        const double *values = effects->values + effects->first[g];
        size_t n = effects->first[g + 1] - effects->first[g];
        double auroc = -1, jaccard = 0;
        for (size_t k = 0; k < rg_truth_n(truth, graphs[g]); k++) {
            size_t n_cause;
            const uint32_t *cause = rg_truth_nodes(truth, graphs[g], k, &n_cause);
            double one = area(values, n, cause, n_cause);
            auroc = one > auroc ? one : auroc;
            jaccard = fmax(jaccard, overlap(values, n, cause, n_cause));
        }
        score.n += rg_truth_n(truth, graphs[g]) > 0;
        score.jaccard += jaccard;
        score.n_auroc += auroc >= 0;
        score.auroc += auroc >= 0 ? auroc : 0;
    }
    score.auroc = score.n_auroc ? score.auroc / (double)score.n_auroc : (double)NAN;
    score.jaccard = score.n ? score.jaccard / (double)score.n : (double)NAN;
    return score;
}

/* ---- fidelity */

typedef struct ranked_effect {
    double value;
    uint32_t node;
} ranked_effect;

static int by_effect(const void *a, const void *b)
{
    const ranked_effect *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

typedef struct fidelity_measuring {
    const rg_explainer *e;
    const rg_node_effects *effects;
    const uint32_t *graphs;
    uint32_t *order; /* as the nodes of the effects: nodes of a graph, the largest effect first */
    double *said;    /* probabilities that predicting gave, in the order of the samples */
    const rg_dataset *data; /* that was predicted */
    size_t twice;           /* 1: a sample per graph; 2: two */
} fidelity_measuring;

static rg_status sort_nodes(fidelity_measuring *m, rg_error *err)
{
    const rg_node_effects *effects = m->effects;
    ranked_effect *list = rg_alloc(effects->first[effects->n_graphs], sizeof *list);
    if (!list)
        return rg_fail_memory(err, "nodes by their effects");
    for (size_t g = 0; g < effects->n_graphs; g++) {
        size_t first = effects->first[g], n = effects->first[g + 1] - first;
        for (size_t i = 0; i < n; i++)
            list[i] = (ranked_effect){effects->values[first + i], (uint32_t)i};
        if (n)
            qsort(list, n, sizeof *list, by_effect);
        for (size_t i = 0; i < n; i++)
            m->order[first + i] = list[i].node;
    }
    rg_free(list);
    return RG_OK;
}

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    fidelity_measuring *m = context;
    uint32_t class = m->e->samples->classes[m->graphs[p->sample / m->twice]];
    (void)err;
    m->said[p->sample] = class < p->n_outputs ? p->probabilities[class] : 0;
    return RG_OK;
}

static rg_status predict(fidelity_measuring *m, const rg_dataset *data, rg_error *err)
{
    rg_predict_options o = m->e->options;
    rg_source source = m->e->source;
    source.graphs = data;
    o.samples = NULL;
    o.progress = NULL;
    o.embed = 0;
    return rg_model_predict(m->e->model, &source, &o, note, m, NULL, err);
}

/* Of each graph two: the top nodes alone, and what is left without them. */
static rg_status take_apart(rg_dataset **out, const fidelity_measuring *m, double sparsity,
                            rg_error *err)
{
    const rg_node_effects *effects = m->effects;
    rg_node_part *parts = rg_alloc(2 * effects->n_graphs, sizeof *parts);
    if (!parts)
        return rg_fail_memory(err, "parts of graphs");
    for (size_t g = 0; g < effects->n_graphs; g++) {
        size_t first = effects->first[g], n = effects->first[g + 1] - first;
        size_t top = (size_t)ceil((1 - sparsity) * (double)n - 1e-9);
        parts[2 * g] = (rg_node_part){m->graphs[g], m->order + first, (uint32_t)top};
        parts[2 * g + 1] =
            (rg_node_part){m->graphs[g], m->order + first + top, (uint32_t)(n - top)};
    }
    rg_status status =
        rg_dataset_induce(out, m->e->source.graphs, parts, 2 * effects->n_graphs, err);
    rg_free(parts);
    return status;
}

static rg_status measure_fidelity(fidelity_measuring *m, rg_fidelity *out, double *whole,
                                  rg_error *err)
{
    rg_dataset *data = NULL;
    size_t n = m->effects->n_graphs;
    rg_status status = sort_nodes(m, err);
    if (!status)
        status = rg_dataset_select(&data, m->e->source.graphs, m->graphs, n, err);
    m->twice = 1;
    if (!status)
        status = predict(m, data, err);
    memcpy(whole, m->said, n * sizeof *whole);
    rg_dataset_free(data);
    m->twice = 2;
    for (size_t k = 0; !status && k < RG_SPARSITIES; k++) {
        status = take_apart(&data, m, (double)(k + 1) / 10, err);
        if (status)
            break;
        status = predict(m, data, err);
        rg_dataset_free(data);
        out->plus[k] = out->minus[k] = 0;
        for (size_t g = 0; g < n; g++) {
            out->minus[k] += (whole[g] - m->said[2 * g]) / (double)n;
            out->plus[k] += (whole[g] - m->said[2 * g + 1]) / (double)n;
        }
    }
    return status;
}

rg_status rg_explainer_fidelity(rg_fidelity *out, const rg_explainer *e,
                                const rg_node_effects *effects, const uint32_t *graphs,
                                rg_error *err)
{
    size_t n = effects->n_graphs;
    double *whole = rg_alloc(n, sizeof *whole);
    fidelity_measuring m = {.e = e, .effects = effects, .graphs = graphs};
    m.order = rg_alloc(effects->first[n], sizeof *m.order);
    m.said = rg_alloc(2 * n, sizeof *m.said);
    rg_status status = whole && m.order && m.said ? measure_fidelity(&m, out, whole, err)
                                                  : rg_fail_memory(err, "fidelity");
    rg_free(whole);
    rg_free(m.order);
    rg_free(m.said);
    return status;
}

/* ---- another order of nodes, other models */

/* How far the effects of graphs whose nodes were reordered are from what they were. */
static double order_error(const rg_node_effects *a, const rg_node_effects *b, const uint32_t *nodes)
{
    double worst = 0;
    for (size_t g = 0; g < a->n_graphs; g++) {
        size_t first = a->first[g], n = a->first[g + 1] - first;
        double most = largest(a->values + first, n);
        for (size_t i = 0; i < n && most > 0; i++)
            worst = fmax(worst,
                         fabs(b->values[first + i] - a->values[first + nodes[first + i]]) / most);
    }
    return worst;
}

static rg_status reorder(rg_dataset **out, uint32_t **nodes, const rg_explainer *e,
                         const uint32_t *graphs, size_t n, uint64_t seed, rg_error *err)
{
    rg_dataset *part = NULL;
    uint32_t *ignored = NULL;
    rg_status status = rg_dataset_select(&part, e->source.graphs, graphs, n, err);
    if (!status)
        status = rg_dataset_shuffle(&ignored, nodes, part, seed, err);
    if (!status)
        status = rg_dataset_reorder(out, part, NULL, *nodes, err);
    rg_free(ignored);
    rg_dataset_free(part);
    return status;
}

rg_status rg_explainer_order_error(double *out, const rg_explainer *e,
                                   const rg_node_effects *effects, const uint32_t *graphs,
                                   uint64_t seed, rg_error *err)
{
    size_t n = effects->n_graphs;
    rg_dataset *data = NULL;
    rg_explainer *other = NULL;
    rg_node_effects again = {0};
    rg_source source = e->source;
    rg_predict_options o = e->options;
    uint32_t *nodes = NULL, *all = rg_explainer_all(n);
    o.progress = NULL;
    rg_status status = all ? reorder(&data, &nodes, e, graphs, n, seed, err)
                           : rg_fail_memory(err, "another order of nodes");
    source.graphs = data;
    if (!status)
        status = rg_explainer_new(&other, e->model, e->names, err);
    if (!status)
        status = rg_explainer_read(other, &source, &o, err);
    if (!status)
        rg_explainer_set_spread(other, !e->whole_nodes);
    if (!status)
        status = rg_explainer_node_effects(&again, other, all, n, err);
    if (!status)
        *out = order_error(effects, &again, nodes);
    rg_node_effects_free(&again);
    rg_explainer_free(other);
    rg_dataset_free(data);
    rg_free(nodes);
    rg_free(all);
    return status;
}

static double correlation(const double *a, const double *b, size_t n)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        x += a[i] / (double)n;
        y += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (a[i] - x) * (a[i] - x);
        yy += (b[i] - y) * (b[i] - y);
        xy += (a[i] - x) * (b[i] - y);
    }
    return xy / sqrt(xx * yy);
}

double rg_node_effects_agree(const rg_node_effects *a, const rg_node_effects *b)
{
    double sum = 0;
    size_t n = 0;
    for (size_t g = 0; g < a->n_graphs; g++) {
        double one = correlation(a->values + a->first[g], b->values + b->first[g],
                                 a->first[g + 1] - a->first[g]);
        if (isfinite(one)) {
            sum += one;
            n++;
        }
    }
    return n ? sum / (double)n : (double)NAN;
}
