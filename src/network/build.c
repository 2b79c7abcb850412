/* build.c - fitting a network to data: labelings, input, targets, keys of the rules. */
#include "base/alloc.h"
#include "base/error.h"
#include "samples.h"

#include <string.h>

static void free_rule(rg_net_rule *rule)
{
    rg_rule_free(rule->rule);
    rg_rule_keys_free(rule->keys);
}

void rg_network_free(rg_network *net)
{
    if (!net)
        return;
    for (size_t k = 0; net->layers && k < net->n_layers; k++) {
        for (size_t r = 0; r < RG_SPEC_RULES_MAX; r++)
            free_rule(&net->layers[k].rules[r]);
        free_rule(&net->layers[k].bias);
    }
    rg_free(net->layers);
    rg_free(net->values);
    rg_free(net->edge_shift);
    rg_free(net->edge_factor);
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        rg_labeling_free(net->labelings[k]);
    for (size_t k = 0; k < RG_SPEC_TABLES_MAX; k++)
        rg_pair_table_free(net->tables[k]);
    for (size_t k = 0; k < RG_SPEC_SIGNALS_MAX; k++) {
        rg_free(net->signals[k].values);
        rg_free(net->signals[k].shift);
        rg_free(net->signals[k].factor);
    }
    for (size_t k = 0; k < RG_SPEC_TARGETS_MAX; k++)
        rg_free(net->targets[k].values);
    rg_free(net->names.list);
    rg_spec_free(net->spec);
    rg_free(net);
}

static void report_progress(const rg_build_options *o, double done)
{
    if (o->progress)
        o->progress(o->progress_context, done);
}

static rg_status fit_labelings(rg_network *net, rg_labels **labels, const rg_source *source,
                               const rg_build_options *o, rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    rg_status status = RG_OK;
    options.n_threads = o->n_threads;
    options.cache = o->label_cache;
    options.cancel = o->cancel ? rg_cancel_ask : NULL;
    options.cancel_context = o->cancel;
    if (net->arrays && net->spec->n_labels)
        return rg_fail(err, RG_EDATA, "network: '%s' has arrays, and labelings are for graphs",
                       rg_source_name(source));
    for (size_t k = 0; !status && k < net->spec->n_labels; k++) {
        rg_error inner;
        status = rg_labeling_fit(&net->labelings[k], &labels[k], net->spec->label_specs[k],
                                 source->graphs, o->fit, o->n_fit, &options, &inner);
        if (status)
            rg_fail(err, status, "labels '%s': %s", net->spec->label_names[k], inner.message);
        report_progress(o, 0.3 * (double)(k + 1) / (double)net->spec->n_labels);
    }
    return status;
}

/* Arrays that a rule over values is compiled on. */
static uint64_t n_samples(const rg_rule_input *input)
{
    return input->graphs ? input->n_graphs : input->values->n_samples;
}

/* Outputs of a layer in all samples of the fit: nodes, or a vector a graph. */
static uint64_t count_outputs(const rg_net_layer *layer, const rg_rule_input *input, bool by_sample)
{
    if (!input->data)
        return layer->rows_out * (by_sample ? n_samples(input) : 1);
    size_t n = input->graphs ? input->n_graphs : rg_dataset_n_graphs(input->data);
    if (layer->rows_out)
        return (uint64_t)n * layer->rows_out;
    uint64_t nodes = 0;
    for (size_t k = 0; k < n; k++)
        nodes += rg_dataset_graph(input->data, input->graphs ? input->graphs[k] : k).n_nodes;
    return nodes;
}

/* Only the keys: tables are built later, block by block. */
static rg_status compile(rg_net_rule *rule, const rg_net_layer *layer, const rg_rule_input *input,
                         const rg_build_options *o, rg_error *err)
{
    rg_rule_options options = rg_rule_options_default();
    rg_rule_report report = RG_RULE_REPORT_INIT;
    rg_rule_input own = *input;
    options.n_threads = o->n_threads;
    options.cancel = o->cancel ? rg_cancel_ask : NULL;
    options.cancel_context = o->cancel;
    own.in = layer->shape_in;
    own.out = layer->shape_out;
    own.n_outputs = layer->rows_out;
    rg_status status = rg_rule_compile(&rule->keys, NULL, &report, rule->rule, &own, &options, err);
    if (status)
        return status;
    bool by_sample = !own.data && rg_rule_by_sample(rule->rule, &own);
    uint64_t n_outputs = count_outputs(layer, &own, by_sample);
    rule->facts =
        (rg_net_facts){.possible = (double)report.possible,
                       .connections = (double)report.connections,
                       .fan = n_outputs ? (double)report.connections / (double)n_outputs : 0,
                       .nodes = by_sample         ? (double)n_samples(&own)
                                : layer->rows_out ? 0
                                                  : (double)n_outputs};
    if (rule != &layer->bias && layer->support > 1)
        status = rg_network_drop_rare(rule, layer->support, &own, &options, o, err);
    return status;
}

/* Does a rule look at the values of samples? */
static bool on_values(const rg_network *net)
{
    bool found = false;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        for (size_t r = 0; r < layer->n_rules; r++)
            found |= rg_rule_describe(layer->rules[r].rule)->on_values != 0;
        found |= layer->bias.rule && rg_rule_describe(layer->bias.rule)->on_values;
    }
    return found;
}

bool rg_network_dynamic(const rg_network *net)
{
    bool dynamic = !net->arrays || on_values(net);
    for (size_t k = 0; !dynamic && net->spec->n_tables && k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        for (size_t r = 0; r < layer->n_rules; r++)
            dynamic |= rg_network_by_sample(net, layer->rules[r].rule);
        dynamic |= layer->bias.rule && rg_network_by_sample(net, layer->bias.rule);
    }
    return dynamic;
}

static rg_status compile_all(rg_network *net, rg_labels **labels, const rg_source *source,
                             const rg_build_options *o, rg_error *err)
{
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_rule_input input = {.size = sizeof input,
                           .data = source->graphs,
                           .labels = known,
                           .n_labels = rg_network_names(net, labels, known),
                           .graphs = o->fit,
                           .n_graphs = o->n_fit};
    rg_samples looked_at = {.net = net, .source = *source, .n = rg_source_size(source)};
    rg_rule_values values;
    rg_status status = RG_OK;
    rg_samples_describe_values(&values, &looked_at);
    if (on_values(net))
        status = rg_samples_values(&values, &looked_at, labels, err);
    values.fit = o->train ? o->train : o->fit;
    values.n_fit = o->train ? o->n_train : o->n_fit;
    input.values = &values;
    for (size_t k = 0; !status && k < net->n_layers; k++) {
        rg_net_layer *layer = &net->layers[k];
        rg_error inner;
        bool own = layer->like == RG_NO_INDEX;
        if (!status && !own)
            status = rg_network_share_keys(net, layer, &inner);
        for (size_t r = 0; !status && own && r < layer->n_rules; r++)
            status = compile(&layer->rules[r], layer, &input, o, &inner);
        if (!status && own && layer->bias.rule)
            status = compile(&layer->bias, layer, &input, o, &inner);
        for (size_t r = 0; !status && r < layer->n_rules; r++)
            if (rg_rule_keys_size(layer->rules[r].keys) == 0)
                status = rg_fail(&inner, RG_EDATA, "no pair of '%s' satisfies the rule '%s'",
                                 rg_source_name(source), rg_rule_text(layer->rules[r].rule));
        if (status)
            rg_network_complain(net->spec, layer->of, status, err, inner.message);
        report_progress(o, 0.3 + 0.7 * (double)(k + 1) / (double)net->n_layers);
    }
    rg_samples_drop_values(&looked_at);
    return status;
}

/* Settings of layers that the data decide. */
static rg_status fit_layers(rg_network *net, const rg_source *source, const rg_build_options *o,
                            rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && source->graphs && k < net->spec->n_layers; k++)
        if (net->spec->layers[k].kind->fit)
            status = net->spec->layers[k].kind->fit(&net->spec->layers[k], source->graphs, o->fit,
                                                    o->n_fit, err);
    return status;
}

static rg_status fit(rg_network *net, rg_labels **labels, const rg_source *source,
                     const rg_build_options *o, rg_error *err)
{
    if (rg_source_size(source) == 0 || (o->fit && o->n_fit == 0))
        return rg_fail(err, RG_EDATA, "'%s' has no samples to fit a network on",
                       rg_source_name(source));
    if (net->arrays) {
        rg_array_shape shape = rg_arrays_shape(source->arrays);
        net->shape = (rg_rule_shape){shape.rows, shape.cols, shape.channels, shape.depth};
    }
    rg_status status = rg_network_resolve_targets(net, source, err);
    if (!status && source->graphs)
        status = rg_net_names_read(&net->names, source->graphs, err);
    if (!status)
        status = fit_labelings(net, labels, source, o, err);
    if (!status)
        status = rg_network_resolve_signals(net, source, o->fit, o->n_fit, err);
    if (!status)
        status = rg_network_standardise(net, source, o->train ? o->train : o->fit,
                                        o->train ? o->n_train : o->n_fit, err);
    if (!status)
        status = rg_network_resolve_edges(net, source, o->train ? o->train : o->fit,
                                          o->train ? o->n_train : o->n_fit, err);
    if (!status)
        status = fit_layers(net, source, o, err);
    if (!status)
        status = rg_network_shape(net, err);
    if (!status)
        status = rg_network_open_tables(net, source, o, err);
    if (!status)
        status = rg_network_parse(net, err);
    if (!status)
        status = compile_all(net, labels, source, o, err);
    if (!status)
        status = rg_network_lay_out(net, err);
    return status;
}

rg_status rg_network_build(rg_network **out, rg_labels **labels, rg_spec *spec,
                           const rg_source *source, const rg_build_options *options, rg_error *err)
{
    rg_build_options usual = {0};
    rg_labels *own[RG_SPEC_LABELS_MAX] = {NULL};
    rg_network *net = rg_alloc_zero(1, sizeof *net);
    if (!net) {
        rg_spec_free(spec);
        return rg_fail_memory(err, "a network");
    }
    net->spec = spec;
    net->arrays = source->arrays != NULL;
    net->sequence = source->graphs ? rg_dataset_sequence(source->graphs) : RG_SEQUENCE_NONE;
    rg_status status = fit(net, own, source, options ? options : &usual, err);
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        if (status || !labels)
            rg_labels_free(own[k]);
        else if (k < spec->n_labels)
            labels[k] = own[k];
    if (status)
        rg_network_free(net);
    else
        *out = net;
    return status;
}

void rg_network_count(rg_train_report *out, const rg_network *net)
{
    out->parameters = net->n_params;
    out->connections = out->weights_possible = out->weights_used = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        for (size_t r = 0; !layer->kind->outputs && r < layer->n_rules; r++) {
            const rg_net_rule *rule = &layer->rules[r];
            double possible = rule->facts.possible * (double)rg_net_per_key(layer);
            out->connections += (uint64_t)rule->facts.connections;
            if (layer->like != RG_NO_INDEX)
                continue;
            out->weights_possible += possible < 1e18 ? (uint64_t)possible : UINT64_MAX / 16;
            out->weights_used += rule->n_params;
        }
    }
}
