/* gnn_prepared.c - what all runs of a message passing network share: features, rules, the tape. */
#include "base/alloc.h"
#include "base/error.h"
#include "gnn.h"

void rg_gnn_prepared_free(void *prepared_)
{
    rg_gnn_prepared *prepared = prepared_;
    if (!prepared)
        return;
    for (size_t k = 0; k < prepared->n_rules; k++) {
        rg_connections_free(prepared->rules[k].pairs);
        rg_connections_free(prepared->rules[k].bias);
    }
    rg_free(prepared->rules);
    rg_tape_free(&prepared->tape);
    rg_colouring_free(prepared->colouring);
    rg_features_free(prepared->features);
    rg_free(prepared);
}

/* ---- rules */

/* Labels of all graphs, as rules know them. */
typedef struct labels {
    rg_rule_labeling known[RG_SPEC_LABELS_MAX];
    rg_labeling *labelings[RG_SPEC_LABELS_MAX];
    rg_labels *labels[RG_SPEC_LABELS_MAX];
    size_t n;
} labels;

static void labels_free(labels *l)
{
    for (size_t k = 0; k < l->n; k++) {
        rg_labeling_free(l->labelings[k]);
        rg_labels_free(l->labels[k]);
    }
}

static rg_status labels_fit(labels *l, const rg_features_spec *f, const rg_dataset *data,
                            const rg_baseline_options *o, rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    rg_status status = RG_OK;
    options.n_threads = o->n_threads;
    options.cache = o->cache;
    for (size_t k = 0; k < f->n_labels && !status; k++) {
        rg_error inner;
        status = rg_labeling_fit(&l->labelings[k], &l->labels[k], f->label_specs[k], data, o->fit,
                                 o->n_fit, &options, &inner);
        if (status)
            return rg_fail(err, status, "labels '%s': %s", f->label_names[k], inner.message);
        l->known[k] = (rg_rule_labeling){
            .name = f->label_names[k], .labels = l->labels[k], .labeling = l->labelings[k]};
        l->n++;
    }
    return status;
}

/* Keys from the graphs of the fit, connections of all. */
static rg_status compile(rg_connections **out, size_t *n_keys, const char *text, rg_rule_kind kind,
                         const labels *l, const rg_dataset *data, const rg_baseline_options *o,
                         rg_error *err)
{
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_rule_options options = rg_rule_options_default();
    rg_rule_input all = {.data = data, .labels = l->known, .n_labels = l->n}, fit = all;
    fit.graphs = o->fit;
    fit.n_graphs = o->n_fit;
    options.n_threads = o->n_threads;
    if (o->memory && o->memory < options.max_bytes)
        options.max_bytes = o->memory;
    rg_status status = rg_rule_parse(&rule, text, kind, l->known, l->n, NULL, err);
    if (!status)
        status = rg_rule_compile(&keys, NULL, NULL, rule, &fit, &options, err);
    if (!status)
        status = rg_rule_apply(out, NULL, keys, rule, &all, &options, err);
    if (!status)
        *n_keys = rg_rule_keys_size(keys);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    return status;
}

static rg_status compile_layer(rg_gnn_rule *out, const rg_gnn_layer *layer, const labels *l,
                               const rg_dataset *data, const rg_baseline_options *o, rg_error *err)
{
    rg_status status =
        compile(&out->pairs, &out->tape.n_weights, layer->rule, RG_RULE_PAIR, l, data, o, err);
    if (!status && layer->bias)
        status =
            compile(&out->bias, &out->tape.n_biases, layer->bias, RG_RULE_BIAS, l, data, o, err);
    if (status)
        return status;
    double nodes = (double)rg_dataset_n_nodes(data);
    out->tape.pairs = out->pairs;
    out->tape.bias = out->bias;
    out->tape.fan = nodes > 0 ? (double)rg_connections_size(out->pairs) / nodes : 0;
    return RG_OK;
}

static rg_status build_rules(rg_gnn_prepared *prepared, const rg_gnn_settings *s,
                             const rg_baseline_options *o, rg_error *err)
{
    labels l = {.n = 0};
    prepared->rules = rg_alloc_zero(s->n_list, sizeof *prepared->rules);
    if (!prepared->rules)
        return rg_fail_memory(err, "rules");
    prepared->n_rules = s->n_list;
    rg_status status = labels_fit(&l, &s->features, prepared->task.graphs, o, err);
    for (size_t k = 0; k < s->n_list && !status; k++)
        if (s->list[k].kind == RG_MIXED_RULE) {
            rg_error inner;
            status = compile_layer(&prepared->rules[k], &s->list[k], &l, prepared->task.graphs, o,
                                   &inner);
            if (status)
                rg_fail(err, status, "layer %zu: %s", k + 1, inner.message);
        }
    labels_free(&l);
    return status;
}

/* ---- all of it */

static rg_status check_memory(const rg_gnn_prepared *prepared, uint64_t memory, rg_error *err)
{
    uint64_t bytes =
        rg_features_bytes(prepared->features) +
        rg_colouring_bytes(prepared->colouring, rg_dataset_n_nodes(prepared->task.graphs));
    for (size_t k = 0; k < prepared->n_rules; k++) {
        bytes += prepared->rules[k].pairs ? rg_connections_bytes(prepared->rules[k].pairs) : 0;
        bytes += prepared->rules[k].bias ? rg_connections_bytes(prepared->rules[k].bias) : 0;
    }
    if (memory && bytes > memory)
        return rg_fail(err, RG_EFAIL,
                       "features, node colours and connections take %llu bytes, more than the "
                       "memory limit of %llu",
                       (unsigned long long)bytes, (unsigned long long)memory);
    return RG_OK;
}

rg_status rg_gnn_prepared_new(void **out, const void *settings, const rg_source *source,
                              const rg_baseline_options *options, rg_error *err)
{
    const rg_gnn_settings *s = settings;
    rg_gnn_prepared *prepared = rg_alloc_zero(1, sizeof *prepared);
    if (!prepared)
        return rg_fail_memory(err, "a network on data");
    rg_gemm_begin();
    prepared->cpu = options->cpu;
    rg_status status = rg_baseline_task_open(&prepared->task, source, err);
    if (!status)
        status = rg_features_build(&prepared->features, &s->features, source->graphs, options, err);
    if (!status)
        status = build_rules(prepared, s, options, err);
    if (!status)
        status = rg_gnn_build(&prepared->tape, s, prepared, options, err);
    if (!status)
        status = rg_colouring_build(&prepared->colouring, prepared->features, source->graphs,
                                    prepared->tape.n_rounds, prepared->tape.each, err);
    if (!status)
        status = check_memory(prepared, options->memory, err);
    if (status)
        rg_gnn_prepared_free(prepared);
    else
        *out = prepared;
    return status;
}
