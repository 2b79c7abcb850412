/* predict_json.c - a prediction as a JSON object. */
#include "predict.h"

static json_t *numbers(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++)
        cli_json_add(&list, cli_json_real(values[k]));
    return list;
}

/* One list, or with `nodes` a list of rows. */
static json_t *rows(const double *values, size_t n_rows, size_t n, bool nodes)
{
    json_t *list = json_array();
    if (!nodes) {
        json_decref(list);
        return numbers(values, n);
    }
    for (size_t i = 0; i < n_rows; i++)
        cli_json_add(&list, numbers(values + i * n, n));
    return list;
}

const char *cli_predict_class_name(const cli_predict *job, uint32_t c)
{
    return job->named ? rg_model_output_name(job->model, c)
                      : rg_names_find(job->names, RG_NAME_CLASS, rg_model_class(job->model, c));
}

static json_t *class_json(const cli_predict *job, uint32_t c)
{
    return json_integer(rg_model_class(job->model, c));
}

/* An object for each node that was asked for. */
static json_t *nodes_json(const cli_predict *job, const rg_prediction *p)
{
    json_t *list = json_array();
    size_t n = job->nodes ? job->n_nodes : p->n_rows;
    for (size_t k = 0; k < n; k++) {
        size_t i = job->nodes ? job->nodes[k] : k;
        if (i >= p->n_rows)
            continue;
        json_t *node = json_object();
        cli_json_set(&node, "node", cli_json_count(i));
        if (job->task == RG_MODEL_NODE_VALUES) {
            cli_json_set(&node, "values", numbers(p->outputs + i * p->n_outputs, p->n_outputs));
            cli_truth_json_node(job, &node, p, i);
            cli_json_add(&list, node);
            continue;
        }
        const double *own = p->probabilities + i * p->n_outputs;
        cli_json_set(&node, "class", class_json(job, p->classes[i]));
        if (job->named)
            cli_json_set(&node, "name",
                         json_string(rg_model_output_name(job->model, p->classes[i])));
        cli_json_set(&node, "probability", cli_json_real(own[p->classes[i]]));
        if (job->probabilities)
            cli_json_set(&node, "probabilities", numbers(own, p->n_outputs));
        cli_truth_json_node(job, &node, p, i);
        cli_json_add(&list, node);
    }
    return list;
}

/* The classes that may be, and how much of the sample the model never saw. */
static void add_set(json_t **item, const cli_predict *job, const rg_prediction *p)
{
    json_t *list = json_array();
    for (uint32_t c = 0; c < p->n_outputs; c++)
        if (cli_calibration_holds(job->calibration, p->probabilities, c, p->sample))
            cli_json_add(&list, class_json(job, c));
    cli_json_set(item, "set", list);
    cli_json_set(item, "nodes", cli_json_count(p->n_nodes));
    cli_json_set(item, "unseen_nodes", cli_json_count(p->n_unseen));
}

json_t *cli_prediction_json(const cli_predict *job, size_t number, const rg_prediction *p)
{
    json_t *item = json_object(), *list = NULL;
    bool nodes = cli_predict_of_nodes(job);
    cli_json_set(&item, "sample", cli_json_count(number));
    cli_truth_json(job, &item, p);
    if (job->embed) {
        cli_json_set(&item, "embedding", rows(p->embedding, p->n_rows, p->n_embedding, nodes));
        return item;
    }
    switch (job->task) {
    case RG_MODEL_VALUES:
        cli_json_set(&item, "values", numbers(p->outputs, p->n_outputs));
        return item;
    case RG_MODEL_CLASSES:
        cli_json_set(&item, "class", class_json(job, p->classes[0]));
        if (cli_predict_class_name(job, p->classes[0]))
            cli_json_set(&item, "name", json_string(cli_predict_class_name(job, p->classes[0])));
        cli_json_set(&item, "probability", cli_json_real(p->probabilities[p->classes[0]]));
        if (job->calibration)
            add_set(&item, job, p);
        break;
    case RG_MODEL_MULTILABEL:
        list = json_array();
        for (size_t k = 0; k < p->n_outputs; k++)
            cli_json_add(&list, json_boolean(p->probabilities[k] > 0.5));
        cli_json_set(&item, "answers", list);
        break;
    case RG_MODEL_NODE_VALUES:
        cli_json_set(&item, "nodes", nodes_json(job, p));
        return item;
    case RG_MODEL_NODES:
        if (job->by_node) {
            cli_json_set(&item, "nodes", nodes_json(job, p));
            return item;
        }
        list = json_array();
        for (size_t i = 0; i < p->n_rows; i++)
            cli_json_add(&list, class_json(job, p->classes[i]));
        cli_json_set(&item, "classes", list);
        break;
    }
    if (job->probabilities)
        cli_json_set(&item, "probabilities",
                     rows(p->probabilities, p->n_rows, p->n_outputs, nodes));
    return item;
}
