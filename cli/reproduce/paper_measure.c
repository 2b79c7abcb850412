/* paper_measure.c - how large the networks of the paper are on their data, and how long it takes to
 * build them. */
#include "base/clock.h"
#include "base/error.h"
#include "network/network.h"
#include "network/samples.h"
#include "paper.h"
#include "train/recipe.h"

#include <string.h>

/* Possible weights are L*L*|D| of a rule and M*L of an aggregation, for L labels, the distances D
 * and M classes; biases are L and M more. */
static void count(rg_paper_size *out, const rg_network *net)
{
    out->n_layers = net->n_layers;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        double bias = layer->bias.rule ? layer->bias.facts.possible : (double)layer->bias.n_params;
        out->possible[k] = bias;
        out->used[k] = layer->bias.n_params;
        for (size_t r = 0; r < layer->n_rules; r++) {
            out->possible[k] += layer->rules[r].facts.possible * (double)rg_net_per_key(layer);
            out->used[k] += layer->rules[r].n_params;
        }
    }
}

/* Labels alone, to tell their time from the rest. */
static rg_status time_labels(rg_paper_size *out, const rg_spec *spec, const rg_dataset *data,
                             rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    rg_status status = RG_OK;
    double start = rg_seconds();
    options.n_threads = 1;
    options.cache = NULL;
    for (size_t k = 0; !status && k < spec->n_labels; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        status =
            rg_labeling_fit(&labeling, &labels, spec->label_specs[k], data, NULL, 0, &options, err);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    out->label_seconds = rg_seconds() - start;
    return status;
}

static rg_status build(rg_paper_size *out, const rg_recipe *recipe, const rg_dataset *data,
                       rg_error *err)
{
    rg_source source = {.graphs = data};
    rg_build_options building = {.n_threads = 1};
    rg_samples_options tables = {
        .precision = recipe->settings.precision, .n_threads = 1, .keep = true};
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_spec *spec = NULL;
    rg_network *net = NULL;
    rg_samples *samples = NULL;
    rg_status status = rg_recipe_spec(&spec, recipe, err);
    if (!status)
        status = time_labels(out, spec, data, err);
    if (status) {
        rg_spec_free(spec);
        return status;
    }
    double start = rg_seconds();
    status = rg_network_build(&net, labels, spec, &source, &building, err);
    double built = rg_seconds();
    if (!status)
        status = rg_samples_open(&samples, net, &source, labels, &tables, err);
    double end = rg_seconds();
    if (!status) {
        double keys = built - start - out->label_seconds; /* it labels again, and times vary */
        out->table_seconds = end - built + (keys > 0 ? keys : 0);
        count(out, net);
    }
    rg_samples_free(samples);
    rg_network_free(net);
    return status;
}

rg_status rg_paper_measure(rg_paper_size *out, const rg_paper_row *row, const rg_dataset *data,
                           rg_error *err)
{
    const char *text = rg_paper_network_text(row);
    rg_recipe *recipe = NULL;
    rg_paper_size size = {.n_layers = 0};
    rg_status status = rg_recipe_parse(&recipe, row->data, text, strlen(text), err);
    if (!status)
        status = build(&size, recipe, data, err);
    rg_recipe_free(recipe);
    if (!status)
        *out = size;
    return status;
}
