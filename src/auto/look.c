/* look.c - what a data set is like; see auto.h. */
#include "auto.h"

#include "base/alloc.h"
#include "base/error.h"
#include "label/labeling.h"
#include "network/samples.h"
#include "regula/property.h"
#include "train/choose_metric.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE_GRAPHS = 1000,    /* that labels are tried on */
    SAMPLE_NODES = 200000,   /* in them, about */
    PAIR_GRAPHS = 200,       /* whose distances are looked at */
    PAIR_NODES = 48,         /* in each of them */
    CATEGORIES_MAX = 32,     /* values of an attribute that is a category */
    CATEGORY_ROWS = 1 << 20, /* that are looked at for that */
    OFTEN = 10 /* nodes that must share a label, for something to be learned from it */
};
static const uint64_t label_budget = (uint64_t)1 << 24; /* steps in one graph */

/* ---- the task */

static bool all_binary(const rg_source *source, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        size_t n;
        rg_source_classes(source, RG_CLASS, c, &n);
        if (n > 2)
            return false;
    }
    return true;
}

static rg_status look_at_targets(rg_auto_facts *f, const rg_part *train, size_t n_parts,
                                 rg_error *err)
{
    size_t classes = rg_source_columns(f->source, RG_CLASS),
           reals = rg_source_columns(f->source, RG_TARGET);
    if (classes > 1 && !all_binary(f->source, classes))
        return rg_fail(err, RG_EDATA,
                       "'%s' has %zu columns of classes, expected one, or columns of two classes: "
                       "a network file says with 'target' which one to learn",
                       rg_source_name(f->source), classes);
    if (!classes && !reals &&
        (rg_source_columns(f->source, RG_NODE_CLASS) ||
         rg_source_columns(f->source, RG_NODE_TARGET)))
        return rg_fail(
            err, RG_EDATA,
            "'%s' has targets of nodes, and no network is chosen for these: give one with "
            "'task: node-classification' or 'node-regression' (docs/nodes.md)",
            rg_source_name(f->source));
    if (!classes && !reals)
        return rg_fail(err, RG_EDATA,
                       "'%s' has neither classes nor real targets: there is nothing to learn",
                       rg_source_name(f->source));
    f->task = classes > 1 ? RG_TASK_MULTILABEL : classes ? RG_TASK_CLASSES : RG_TASK_VALUES;
    f->n_outputs = classes > 1 ? classes : reals;
    if (f->task == RG_TASK_CLASSES)
        rg_source_classes(f->source, RG_CLASS, 0, &f->n_outputs);
    return rg_targets_majority(&f->majority, f->source, f->task, NULL, 0, train, n_parts, err);
}

/* The training parts of all folds; without folds all samples. */
static rg_status look_at_parts(rg_auto_facts *f, const rg_fold *folds, size_t n_folds,
                               rg_error *err)
{
    uint32_t *all = NULL;
    size_t n_parts = n_folds ? n_folds : 1;
    rg_part *train = rg_alloc(n_parts, sizeof *train);
    f->n_samples = f->source->arrays ? rg_arrays_n_samples(f->source->arrays)
                                     : rg_dataset_n_graphs(f->source->graphs);
    if (!n_folds)
        all = rg_alloc(f->n_samples, sizeof *all);
    if (!train || (!n_folds && !all)) {
        rg_free(train);
        rg_free(all);
        return rg_fail_memory(err, "looking at a data set");
    }
    for (size_t k = 0; all && k < f->n_samples; k++)
        all[k] = (uint32_t)k;
    f->n_train = f->n_samples - f->n_samples / 10;
    if (all)
        train[0] = (rg_part){all, f->n_samples};
    for (size_t k = 0; k < n_folds; k++)
        train[k] = folds[k].train;
    if (n_folds)
        f->n_train = folds[0].train.n;
    rg_status status = look_at_targets(f, train, n_parts, err);
    rg_free(train);
    rg_free(all);
    return status;
}

/* ---- graphs */

static rg_status choose_sample(rg_auto_facts *f, const rg_dataset *data, rg_error *err)
{
    size_t n = f->n_samples, wanted = n < SAMPLE_GRAPHS ? n : SAMPLE_GRAPHS;
    if (f->nodes > 0 && (double)wanted * f->nodes > SAMPLE_NODES)
        wanted = (size_t)(SAMPLE_NODES / f->nodes);
    wanted = wanted ? wanted : 1;
    (void)data;
    f->sample = rg_alloc(wanted, sizeof *f->sample);
    if (!f->sample)
        return rg_fail_memory(err, "looking at a data set");
    for (size_t k = 0; k < wanted && n; k++)
        f->sample[f->n_sample++] = (uint32_t)(k * n / wanted);
    return RG_OK;
}

/* pairs[d]: pairs (i,j) at distance d or less, i = j included, in the whole set: from a sample. */
static rg_status count_pairs(rg_auto_facts *f, const rg_dataset *data, rg_error *err)
{
    rg_property dist = {RG_PROPERTY_DIST, RG_AUTO_REACH_MAX};
    rg_property_space *space = NULL;
    size_t n = f->n_samples, n_seen = n < PAIR_GRAPHS ? n : PAIR_GRAPHS;
    rg_status status = rg_property_space_new(&space, &dist, data, err);
    for (size_t k = 0; !status && k < n_seen; k++) {
        size_t graph = k * n / n_seen;
        uint32_t n_nodes = rg_dataset_graph(data, graph).n_nodes,
                 n_asked = n_nodes < PAIR_NODES ? n_nodes : PAIR_NODES;
        double weight = n_asked ? (double)n / (double)n_seen * n_nodes / n_asked : 0;
        status = rg_property_space_graph(space, graph, err);
        for (uint32_t i = 0; !status && i < n_asked; i++) {
            uint32_t node = (uint32_t)((uint64_t)i * n_nodes / n_asked);
            rg_property_row row = rg_property_list(space, node, 0, RG_AUTO_REACH_MAX);
            for (size_t r = 0; r < row.n; r++)
                f->pairs[row.value[r]] += weight;
        }
    }
    for (size_t d = 1; d <= RG_AUTO_REACH_MAX; d++)
        f->pairs[d] += f->pairs[d - 1];
    rg_property_space_free(space);
    return status;
}

/* Is column c of the attributes whole numbers, of few values? */
static bool is_category(const rg_dataset *data, size_t c, size_t columns)
{
    const double *values = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    size_t n = (size_t)rg_dataset_n_nodes(data), n_seen = 0;
    double seen[CATEGORIES_MAX];
    n = n < CATEGORY_ROWS ? n : CATEGORY_ROWS;
    for (size_t i = 0; i < n; i++) {
        double value = values[i * columns + c];
        size_t k = 0;
        if (!(value == floor(value)))
            return false;
        while (k < n_seen && seen[k] != value)
            k++;
        if (k == CATEGORIES_MAX)
            return false;
        if (k == n_seen)
            seen[n_seen++] = value;
    }
    return n_seen > 1;
}

static rg_status look_at_graphs(rg_auto_facts *f, const rg_dataset *data, rg_error *err)
{
    const uint64_t *arcs = rg_dataset_first_arcs(data);
    uint64_t n_nodes = rg_dataset_n_nodes(data), n_arcs = rg_dataset_n_arcs(data);
    f->nodes = f->n_samples ? (double)n_nodes / (double)f->n_samples : 0;
    f->neighbours = n_nodes ? (double)n_arcs / (double)n_nodes : 0;
    for (uint64_t i = 0; i < n_nodes; i++)
        if (arcs[i + 1] - arcs[i] > f->most_neighbours)
            f->most_neighbours = (uint32_t)(arcs[i + 1] - arcs[i]);
    f->n_label_columns = rg_dataset_n_columns(data, RG_NODE_LABEL);
    for (size_t c = 0; c < f->n_label_columns && !f->atoms; c++) {
        const char *name = rg_dataset_column_name(data, RG_NODE_LABEL, c);
        f->atoms = name && strcmp(name, "element") == 0;
    }
    if (f->n_label_columns)
        rg_dataset_values(data, RG_NODE_LABEL, 0, &f->n_labels);
    if (rg_dataset_n_columns(data, RG_EDGE_LABEL))
        rg_dataset_values(data, RG_EDGE_LABEL, 0, &f->n_bonds);
    f->n_attributes = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    for (size_t c = 0; c < f->n_attributes; c++)
        f->n_categories += is_category(data, c, f->n_attributes);
    f->texts = rg_dataset_sequence(data) != RG_SEQUENCE_NONE;
    rg_status status = choose_sample(f, data, err);
    return status ? status : count_pairs(f, data, err);
}

rg_status rg_auto_look(rg_auto_facts *out, const rg_source *source, const rg_fold *folds,
                       size_t n_folds, const rg_auto_options *options, rg_error *err)
{
    *out = (rg_auto_facts){.source = source, .options = options};
    rg_status status = look_at_parts(out, folds, n_folds, err);
    if (!status && source->graphs)
        status = look_at_graphs(out, source->graphs, err);
    return status;
}

void rg_auto_facts_clear(rg_auto_facts *facts)
{
    rg_free(facts->sample);
    facts->sample = NULL;
}

/* ---- labels */

rg_status rg_auto_repeat(double *repeat, uint32_t *n_labels, const rg_auto_facts *facts,
                         const char *spec, rg_error *err)
{
    rg_label_options o = rg_label_options_default();
    rg_labeling *labeling = NULL;
    o.n_threads = facts->options->n_threads;
    o.cache = facts->options->cache;
    o.cancel = facts->options->cancel;
    o.cancel_context = facts->options->cancel_context;
    o.budget = label_budget;
    rg_status status = rg_labeling_fit(&labeling, NULL, spec, facts->source->graphs, facts->sample,
                                       facts->n_sample, &o, err);
    if (status)
        return status;
    double all = 0, often = 0;
    for (uint32_t k = 0; k < rg_labeling_seen(labeling); k++) {
        uint64_t n = rg_labeling_count(labeling, k);
        bool other =
            labeling->has_other && k == labeling->n_kept; /* what was left out repeats less */
        all += (double)n;
        often += n >= OFTEN && !other ? (double)n : 0;
    }
    *repeat = all > 0 ? often / all : 1;
    *n_labels = rg_labeling_seen(labeling);
    rg_labeling_free(labeling);
    return RG_OK;
}
