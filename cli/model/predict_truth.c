/* predict_truth.c - what stands beside a prediction: the targets and the name of its sample, and what the
 * model had not seen in training. */
#include "predict.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Classes of column `column`; NULL: the data have none. */
static const uint32_t *ranks_of(const cli_predict *job, size_t column)
{
    if (job->arrays)
        return column < rg_arrays_n_columns(job->arrays, RG_CLASS)
                   ? rg_arrays_classes(job->arrays, column)
                   : NULL;
    return job->graphs && column < rg_dataset_n_columns(job->graphs, RG_CLASS)
               ? rg_dataset_ranks(job->graphs, RG_CLASS, column)
               : NULL;
}

/* The class of a sample. False: not known. */
static bool class_of(const cli_predict *job, size_t sample, size_t column, int64_t *value)
{
    const uint32_t *ranks = ranks_of(job, column);
    size_t n;
    if (!ranks || ranks[sample] == RG_NO_CLASS)
        return false;
    *value = (job->arrays ? rg_arrays_class_values(job->arrays, column, &n)
                          : rg_dataset_values(job->graphs, RG_CLASS, column, &n))[ranks[sample]];
    return true;
}

static double real_of(const cli_predict *job, size_t sample, size_t column)
{
    size_t n = job->arrays   ? rg_arrays_n_columns(job->arrays, RG_TARGET)
               : job->graphs ? rg_dataset_n_columns(job->graphs, RG_TARGET)
                             : 0;
    const double *all = job->arrays   ? rg_arrays_reals(job->arrays)
                        : job->graphs ? rg_dataset_reals(job->graphs, RG_TARGET)
                                      : NULL;
    int64_t value = 0;
    if (all && column < n)
        return all[sample * n + column];
    return !n && class_of(job, sample, column, &value) ? (double)value : (double)NAN;
}

/* The same of a node; NaN: not known. */
static double node_real(const cli_predict *job, size_t sample, size_t node, size_t column)
{
    size_t n = job->graphs ? rg_dataset_n_columns(job->graphs, RG_NODE_TARGET) : 0;
    if (column >= n)
        return (double)NAN;
    size_t row = (size_t)rg_dataset_graph(job->graphs, sample).first_node + node;
    return rg_dataset_reals(job->graphs, RG_NODE_TARGET)[row * n + column];
}

/* Of a node: by the classes of nodes if there are any, else by the labels. */
static bool node_class(const cli_predict *job, size_t sample, size_t node, int64_t *value)
{
    size_t n;
    if (!job->graphs)
        return false;
    rg_column kind =
        rg_dataset_n_columns(job->graphs, RG_NODE_CLASS) ? RG_NODE_CLASS : RG_NODE_LABEL;
    if (!rg_dataset_n_columns(job->graphs, kind))
        return false;
    uint32_t rank = rg_dataset_ranks(job->graphs, kind,
                                     0)[rg_dataset_graph(job->graphs, sample).first_node + node];
    if (rank == RG_NO_CLASS)
        return false;
    *value = rg_dataset_values(job->graphs, kind, 0, &n)[rank];
    return true;
}

/* The number of the model for the class; UINT32_MAX: it does not know it. */
static uint32_t number_of(const cli_predict *job, int64_t value)
{
    for (uint32_t c = 0; c < job->n_outputs; c++)
        if (rg_model_class(job->model, c) == value)
            return c;
    return UINT32_MAX;
}

static void put_class(const cli_predict *job, const char *before, bool known, int64_t value)
{
    uint32_t c = known ? number_of(job, value) : UINT32_MAX;
    char text[RG_NUMBER_MAX];
    cli_predict_text(job, before);
    snprintf(text, sizeof text, "%" PRId64, value);
    if (!known)
        cli_predict_text(job, job->csv ? "" : "-");
    else if (job->named && c != UINT32_MAX)
        cli_predict_cell(job, rg_model_output_name(job->model, c));
    else
        cli_predict_text(job, text);
}

void cli_truth_head(const cli_predict *job)
{
    bool several =
        (job->task == RG_MODEL_VALUES || job->task == RG_MODEL_NODE_VALUES) && job->n_outputs > 1;
    char text[32];
    for (size_t k = 0; job->targets && !job->embed && k < (several ? job->n_outputs : 1); k++) {
        snprintf(text, sizeof text, "target_%zu", k);
        cli_predict_text(job, job->gap);
        cli_predict_text(job, several ? text : "target");
    }
    static const char *const counts[] = {"unknown_labels", "unseen_labels", "unseen_pairs"};
    for (size_t k = 0; job->unseen && k < 3; k++) {
        cli_predict_text(job, job->gap);
        cli_predict_text(job, counts[k]);
    }
    if (job->ids) {
        cli_predict_text(job, job->gap);
        cli_predict_text(job, "id");
    }
}

static void put_targets(const cli_predict *job, const rg_prediction *p, size_t node)
{
    int64_t value = 0;
    char text[RG_NUMBER_MAX];
    switch (job->task) {
    case RG_MODEL_CLASSES: {
        bool known = class_of(job, p->sample, 0, &value);
        put_class(job, job->gap, known, value);
        break;
    }
    case RG_MODEL_VALUES:
    case RG_MODEL_NODE_VALUES:
        for (size_t k = 0; k < p->n_outputs; k++) {
            double real = job->task == RG_MODEL_VALUES ? real_of(job, p->sample, k)
                                                       : node_real(job, p->sample, node, k);
            cli_predict_text(job, job->gap);
            rg_number_print(text, real);
            cli_predict_text(job, !isnan(real) ? text : job->csv ? "" : "-");
        }
        break;
    case RG_MODEL_MULTILABEL:
        for (size_t k = 0; k < p->n_outputs; k++) {
            bool known = class_of(job, p->sample, k, &value);
            cli_predict_text(job, k ? " " : job->gap);
            cli_predict_text(job, !known                                             ? "-"
                                  : value == rg_model_class(job->model, (uint32_t)k) ? "yes"
                                                                                     : "no");
        }
        break;
    case RG_MODEL_NODES:
        for (size_t i = node == SIZE_MAX ? 0 : node; i < (node == SIZE_MAX ? p->n_rows : node + 1);
             i++) {
            bool known = node_class(job, p->sample, i, &value);
            bool first = i == node || i == 0;
            put_class(job, first ? job->gap : " ", known, value);
            if (!known && job->csv && node == SIZE_MAX)
                cli_predict_text(job, "-");
        }
        break;
    }
}

void cli_truth_put(const cli_predict *job, const rg_prediction *p, size_t node)
{
    if (job->targets && !job->embed)
        put_targets(job, p, node);
    const uint64_t counts[] = {p->unknown_labels, p->unseen_labels, p->unseen_pairs};
    for (size_t k = 0; job->unseen && k < 3; k++) {
        char text[32];
        snprintf(text, sizeof text, "%s%" PRIu64, job->gap, counts[k]);
        cli_predict_text(job, text);
    }
    if (job->ids) {
        const char *name = rg_dataset_graph_name(job->graphs, p->sample);
        cli_predict_text(job, job->gap);
        cli_predict_cell(job, name ? name : job->csv ? "" : "-");
    }
}

static json_t *class_json(bool known, int64_t value)
{
    return known ? json_integer(value) : json_null();
}

/* One, or a list of those of all outputs, or of all nodes. */
static json_t *targets_json(const cli_predict *job, const rg_prediction *p)
{
    int64_t value = 0;
    bool known;
    json_t *list;
    size_t n = cli_predict_of_nodes(job) ? p->n_rows : p->n_outputs;
    if (job->task == RG_MODEL_CLASSES) {
        known = class_of(job, p->sample, 0, &value);
        return class_json(known, value);
    }
    list = json_array();
    for (size_t k = 0; k < n; k++) {
        if (job->task == RG_MODEL_VALUES) {
            cli_json_add(&list, cli_json_real(real_of(job, p->sample, k)));
        } else if (job->task == RG_MODEL_NODE_VALUES) {
            cli_json_add(&list, cli_json_real(node_real(job, p->sample, k, 0)));
        } else if (job->task == RG_MODEL_MULTILABEL) {
            known = class_of(job, p->sample, k, &value);
            cli_json_add(&list, known
                                    ? json_boolean(value == rg_model_class(job->model, (uint32_t)k))
                                    : json_null());
        } else {
            known = node_class(job, p->sample, k, &value);
            cli_json_add(&list, class_json(known, value));
        }
    }
    return list;
}

void cli_truth_json(const cli_predict *job, json_t **item, const rg_prediction *p)
{
    const char *name = job->graphs ? rg_dataset_graph_name(job->graphs, p->sample) : NULL;
    if (name)
        cli_json_set(item, "id", cli_json_text(name));
    if (job->unseen || p->unknown_labels || p->unseen_labels || p->unseen_pairs) {
        cli_json_set(item, "unknown_labels", cli_json_count(p->unknown_labels));
        cli_json_set(item, "unseen_labels", cli_json_count(p->unseen_labels));
        cli_json_set(item, "unseen_pairs", cli_json_count(p->unseen_pairs));
    }
    if (!job->targets || job->embed)
        return;
    cli_json_set(item, "target", targets_json(job, p));
    int64_t value = 0;
    uint32_t c = job->task == RG_MODEL_CLASSES && class_of(job, p->sample, 0, &value)
                     ? number_of(job, value)
                     : UINT32_MAX;
    if (c != UINT32_MAX && cli_predict_class_name(job, c))
        cli_json_set(item, "target_name", json_string(cli_predict_class_name(job, c)));
}

void cli_truth_json_node(const cli_predict *job, json_t **item, const rg_prediction *p, size_t node)
{
    int64_t value = 0;
    if (job->targets && job->task == RG_MODEL_NODE_VALUES) {
        cli_json_set(item, "target", cli_json_real(node_real(job, p->sample, node, 0)));
    } else if (job->targets) {
        bool known = node_class(job, p->sample, node, &value);
        cli_json_set(item, "target", class_json(known, value));
    }
}

bool cli_truth_ids(const rg_dataset *graphs)
{
    for (size_t g = 0; graphs && g < rg_dataset_n_graphs(graphs); g++)
        if (rg_dataset_graph_name(graphs, g))
            return true;
    return false;
}
