/* features.c - features of all nodes of a set; see features.h. All one-hot parts are labelings
 * (src/label), so that one way of fitting, counting and keeping counts serves them all. */
#include "features.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

/* What is to be built: a labeling for every one-hot part, dense columns in order. */
typedef struct feature_plan {
    const rg_features_spec *spec;
    const rg_dataset *data;
    char **hot; /* specs of labelings, owned */
    size_t n_hot, hot_capacity;
    rg_feature dense[RG_N_FEATURES];
    size_t n_parts;
    size_t n_dense; /* columns of them */
} feature_plan;

static void plan_clear(feature_plan *p)
{
    for (size_t k = 0; k < p->n_hot; k++)
        rg_free(p->hot[k]);
    rg_free(p->hot);
}

static rg_status add_hot(feature_plan *p, rg_text *text, rg_error *err)
{
    char *spec = rg_text_take(text);
    if (!spec || !rg_grow(&p->hot, &p->hot_capacity, p->n_hot + 1, sizeof *p->hot)) {
        rg_free(spec);
        return rg_fail_memory(err, "features");
    }
    p->hot[p->n_hot++] = spec;
    return RG_OK;
}

static void add_dense(feature_plan *p, rg_feature part, size_t columns)
{
    p->dense[p->n_parts++] = part;
    p->n_dense += columns;
}

/* ---- what a part asks for */

static rg_status plan_labels(feature_plan *p, rg_error *err)
{
    size_t n = rg_dataset_n_columns(p->data, RG_NODE_LABEL);
    rg_status status = RG_OK;
    if (n == 0)
        return rg_fail(err, RG_EDATA,
                       "'%s' has no node labels: features 'labels' need them ('auto' takes degrees "
                       "then)",
                       rg_dataset_name(p->data));
    for (size_t k = 0; k < n && !status; k++) {
        rg_text text = {0};
        rg_text_add(&text, "node(%zu)", k);
        status = add_hot(p, &text, err);
    }
    return status;
}

static rg_status plan_attributes(feature_plan *p, rg_error *err)
{
    const rg_dataset *data = p->data;
    size_t n = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    const double *real = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    if (n == 0)
        return rg_fail(err, RG_EDATA,
                       "'%s' has no node attributes: features 'attributes' need them",
                       rg_dataset_name(data));
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (size_t k = 0; k < graph.n_nodes * n; k++)
            if (!isfinite(real[graph.first_node * n + k]))
                return rg_fail(err, RG_EDATA,
                               "'%s': graph %zu, node %zu, attribute %zu is no finite number: "
                               "features 'attributes' need one",
                               rg_dataset_name(data), g, k / n, k % n);
    }
    add_dense(p, RG_FEATURE_ATTRIBUTES, n);
    return RG_OK;
}

static rg_status plan_rule(feature_plan *p, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < p->spec->n_labels && !status; k++) {
        rg_text text = {0};
        rg_text_add(&text, "%s", p->spec->label_specs[k]);
        status = add_hot(p, &text, err);
    }
    return status;
}

/* One labeling a size: two nodes that differ in triangles alone share all columns but one. */
static rg_status plan_structure(feature_plan *p, rg_error *err)
{
    const rg_features_spec *spec = p->spec;
    rg_status status = RG_OK;
    for (uint32_t n = 3; n <= spec->cycles && !status; n++) {
        rg_text text = {0};
        rg_text_add(&text, "cycles(kind=%s, min=%u, max=%u, max_labels=%u)",
                    spec->induced ? "induced" : "simple", n, n, spec->most);
        status = add_hot(p, &text, err);
    }
    for (uint32_t n = spec->cycles ? 4 : 3; n <= spec->cliques && !status; n++) {
        rg_text text = {0};
        rg_text_add(&text, "pattern(clique(%u), max_labels=%u)", n, spec->most);
        status = add_hot(p, &text, err);
    }
    return status;
}

static rg_status plan_part(feature_plan *p, rg_feature part, rg_error *err)
{
    rg_text text = {0};
    switch (part) {
    case RG_FEATURE_AUTO:
        return plan_part(
            p, rg_dataset_n_columns(p->data, RG_NODE_LABEL) ? RG_FEATURE_LABELS : RG_FEATURE_DEGREE,
            err);
    case RG_FEATURE_LABELS:
        return plan_labels(p, err);
    case RG_FEATURE_DEGREE_ONE_HOT:
        rg_text_add(&text, "degree");
        return add_hot(p, &text, err);
    case RG_FEATURE_ATTRIBUTES:
        return plan_attributes(p, err);
    case RG_FEATURE_RULE:
        return plan_rule(p, err);
    case RG_FEATURE_STRUCTURE:
        return plan_structure(p, err);
    case RG_FEATURE_RULE_SCALED:
        add_dense(p, part, p->spec->n_labels);
        return RG_OK;
    default: /* degree, constant */
        add_dense(p, part, 1);
        return RG_OK;
    }
}

/* ---- columns */

static rg_status fit(rg_labeling **labeling, rg_labels **labels, const char *spec,
                     const rg_dataset *data, const rg_baseline_options *options, rg_error *err)
{
    rg_label_options how = rg_label_options_default();
    how.n_threads = options->n_threads;
    how.cache = options->cache;
    return rg_labeling_fit(labeling, labels, spec, data, options->fit, options->n_fit, &how, err);
}

/* Slot k of all nodes: a column for each label but "unseen", behind those of the slots before. */
static rg_status fill_hot(rg_features *f, const feature_plan *p, size_t k,
                          const rg_baseline_options *options, rg_error *err)
{
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_status status = fit(&labeling, &labels, p->hot[k], p->data, options, err);
    if (status)
        return status;
    uint32_t unseen = rg_labeling_unseen(labeling);
    const uint32_t *label = rg_labels_data(labels);
    if (unseen > INT32_MAX - f->n_sparse)
        status = rg_fail(err, RG_EDATA, "'%s' has too many features", rg_dataset_name(p->data));
    for (uint64_t i = 0; i < f->n_nodes && !status; i++)
        f->hot[i * f->n_hot + k] = label[i] == unseen ? RG_NO_COLUMN : f->n_sparse + label[i];
    f->n_sparse += unseen;
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return status;
}

/* Labels as numbers, as the published comparison takes them: over the largest in the graph. */
static rg_status fill_scaled(rg_features *f, const feature_plan *p, size_t column, const char *spec,
                             const rg_baseline_options *options, rg_error *err)
{
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_status status = fit(&labeling, &labels, spec, p->data, options, err);
    if (status)
        return status;
    for (size_t g = 0; g < rg_dataset_n_graphs(p->data); g++) {
        rg_graph graph = rg_dataset_graph(p->data, g);
        const uint32_t *label = rg_labels_data(labels) + graph.first_node;
        double *out = f->dense + graph.first_node * f->n_dense + column;
        uint32_t most = 0;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            most = label[i] > most ? label[i] : most;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            out[(size_t)i * f->n_dense] = most ? (double)label[i] / most : 0;
    }
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return RG_OK;
}

static void fill_degree(rg_features *f, const rg_dataset *data, size_t column)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            f->dense[(graph.first_node + i) * f->n_dense + column] =
                (double)(graph.row[i + 1] - graph.row[i]);
    }
}

static void fill_attributes(rg_features *f, const rg_dataset *data, size_t column)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    const double *real = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    for (uint64_t i = 0; i < f->n_nodes; i++)
        for (size_t c = 0; c < n; c++)
            f->dense[i * f->n_dense + column + c] = real[i * n + c];
}

static rg_status fill_dense(rg_features *f, const feature_plan *p,
                            const rg_baseline_options *options, rg_error *err)
{
    size_t column = 0;
    rg_status status = RG_OK;
    for (size_t k = 0; k < p->n_parts && !status; k++)
        switch (p->dense[k]) {
        case RG_FEATURE_DEGREE:
            fill_degree(f, p->data, column++);
            break;
        case RG_FEATURE_ATTRIBUTES:
            fill_attributes(f, p->data, column);
            column += rg_dataset_n_columns(p->data, RG_NODE_ATTRIBUTE);
            break;
        case RG_FEATURE_RULE_SCALED:
            for (size_t l = 0; l < p->spec->n_labels && !status; l++)
                status = fill_scaled(f, p, column++, p->spec->label_specs[l], options, err);
            break;
        default: /* constant */
            for (uint64_t i = 0; i < f->n_nodes; i++)
                f->dense[i * f->n_dense + column] = 1;
            column++;
        }
    return status;
}

/* ---- the whole */

static rg_status features_new(rg_features **out, const feature_plan *p, rg_error *err)
{
    size_t hot, dense;
    uint64_t n_nodes = rg_dataset_n_nodes(p->data);
    rg_features *f = rg_alloc_zero(1, sizeof *f);
    if (f && p->n_hot <= INT32_MAX && p->n_dense <= INT32_MAX &&
        rg_size_mul(&hot, (size_t)n_nodes, p->n_hot) &&
        rg_size_mul(&dense, (size_t)n_nodes, p->n_dense)) {
        f->n_nodes = n_nodes;
        f->n_hot = (uint32_t)p->n_hot;
        f->n_dense = (uint32_t)p->n_dense;
        f->hot = rg_alloc(hot, sizeof *f->hot);
        f->dense = rg_alloc(dense, sizeof *f->dense);
    }
    if (!f || !f->hot || !f->dense) {
        rg_features_free(f);
        return rg_fail_memory(err, "features");
    }
    *out = f;
    return RG_OK;
}

rg_status rg_features_build(rg_features **out, const rg_features_spec *spec, const rg_dataset *data,
                            const rg_baseline_options *options, rg_error *err)
{
    feature_plan p = {.spec = spec, .data = data};
    rg_features *f = NULL;
    rg_status status = RG_OK;
    for (size_t k = 0; k < spec->n_parts && !status; k++)
        status = plan_part(&p, spec->parts[k], err);
    if (!status)
        status = features_new(&f, &p, err);
    for (size_t k = 0; k < p.n_hot && !status; k++)
        status = fill_hot(f, &p, k, options, err);
    if (!status)
        status = fill_dense(f, &p, options, err);
    plan_clear(&p);
    if (status) {
        rg_features_free(f);
        return status;
    }
    f->width = f->n_sparse + f->n_dense;
    *out = f;
    return RG_OK;
}

void rg_features_free(rg_features *features)
{
    if (!features)
        return;
    rg_free(features->hot);
    rg_free(features->dense);
    rg_free(features);
}

uint64_t rg_features_bytes(const rg_features *features)
{
    return features->n_nodes *
           (features->n_hot * sizeof *features->hot + features->n_dense * sizeof *features->dense);
}
