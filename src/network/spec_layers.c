/* spec_layers.c - the key `layers` of a network file. */
#include "spec_parts.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

/* What the layers before have decided. */
typedef struct progress {
    bool on_graphs, on_shapes; /* never both */
    bool aggregated;           /* there are no nodes any more */
} progress;

static const char *const kind_words[] = {"rule",    "aggregate", "dense",
                                         "dropout", "norm",      "activation"};
enum { N_KINDS = 6, N_KEYS = 7 };

/* Keys of each kind of layer; the first is that of its kind. */
static const char *const layer_keys[N_KINDS][N_KEYS] = {
    {"rule", "bias", "heads", "mix", "shape", "activation", "residual"},
    {"aggregate", "outputs", "by", "bias", "activation"},
    {"dense", "bias", "activation", "residual"},
    {"dropout"},
    {"norm"},
    {"activation"},
};

/* ---- rules */

static rg_status note_world(progress *past, const rg_rule_info *info, const rg_yaml *node,
                            rg_error *err)
{
    if (info->on_graphs && past->on_shapes)
        return rg_yaml_complain(node, err,
                                "found a rule on graphs, expected one on shapes, as "
                                "before");
    if (info->on_shapes && past->on_graphs)
        return rg_yaml_complain(node, err,
                                "found a rule on shapes, expected one on graphs, as "
                                "before");
    past->on_graphs = past->on_graphs || info->on_graphs;
    past->on_shapes = past->on_shapes || info->on_shapes;
    return RG_OK;
}

/* Parses the rule in this node; out: its normal form, owned. needs_shape is set if the rule cannot
 * be without one. */
static rg_status read_rule(char **out, bool *needs_shape, const rg_spec *spec, progress *past,
                           const rg_yaml *node, rg_rule_kind kind, rg_error *err)
{
    static const char first_line[] = "rule: line 1, ";
    rg_rule_labeling known[RG_SPEC_LABELS_MAX];
    rg_rule *rule = NULL;
    rg_error inner = {""};
    const char *text = rg_yaml_text(node);
    if (!text || !*text)
        return rg_yaml_expected(node, "a rule, such as share node(i), node(j) when edge(i,j)", err);
    rg_spec_names(spec, known);
    rg_status status = rg_rule_parse(&rule, text, kind, known, spec->n_labels, NULL, &inner);
    if (status && !strchr(text, '\n') &&
        strncmp(inner.message, first_line, sizeof first_line - 1) == 0)
        return rg_yaml_complain(node, err, "rule: %s", inner.message + sizeof first_line - 1);
    if (status)
        return rg_spec_blame(node, status, inner.message, err);
    status = note_world(past, rg_rule_describe(rule), node, err);
    if (!status) {
        *needs_shape = *needs_shape || rg_rule_describe(rule)->on_shapes;
        *out = rg_copy_text(rg_rule_text(rule), strlen(rg_rule_text(rule)));
        if (!*out)
            status = rg_fail_memory(err, "reading a network");
    }
    rg_rule_free(rule);
    return status;
}

static rg_status read_rules(rg_layer_spec *layer, bool *needs_shape, const rg_spec *spec,
                            progress *past, const rg_yaml *node, rg_rule_kind kind, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    if (n == 0 || n > RG_SPEC_RULES_MAX)
        return rg_yaml_complain(node, err, "found %zu rules, expected 1..%d", n, RG_SPEC_RULES_MAX);
    for (size_t k = 0; k < n; k++) {
        rg_status status =
            read_rule(&layer->rules[k], needs_shape, spec, past, rg_spec_thing(node, k), kind, err);
        if (status)
            return status;
        layer->n_rules++;
    }
    return RG_OK;
}

/* ---- options: what is not in the map is left as it is */

static rg_status read_flag(bool *out, const rg_yaml *map, const char *key, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, key);
    return node ? rg_yaml_bool(node, out, NULL, err) : RG_OK;
}

/* True if the second of two words stands there. */
static rg_status read_either(bool *out, const rg_yaml *map, const char *key,
                             const char *const words[2], rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, key);
    size_t word = *out;
    rg_status status = node ? rg_yaml_word(node, &word, words, 2, err) : RG_OK;
    *out = word == 1;
    return status;
}

static rg_status read_width(rg_layer_spec *layer, const rg_yaml *node, const char *what,
                            rg_error *err)
{
    int64_t width = 0;
    rg_status status = node ? rg_yaml_int(node, &width, 1, RG_SPEC_CHANNELS_MAX, what, err) : RG_OK;
    if (!status)
        layer->width = (uint32_t)width;
    return status;
}

static rg_status read_activation(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "activation");
    size_t word = 0;
    if (!node)
        return RG_OK;
    rg_status status = rg_yaml_word(node, &word, rg_activation_words, RG_N_ACTIVATIONS, err);
    if (!status) {
        layer->has_activation = true;
        layer->activation = (rg_activation)word;
    }
    return status;
}

/* [rows, cols] or [rows, cols, channels] */
static rg_status read_shape(rg_layer_spec *layer, progress *past, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "shape");
    int64_t size[3] = {0, 0, 1};
    if (!node)
        return RG_OK;
    if (past->on_graphs)
        return rg_yaml_complain(node, err,
                                "found a shape, expected none: the rules before are on "
                                "graphs");
    if (rg_yaml_kind_of(node) != RG_YAML_LIST || rg_yaml_size(node) < 2 || rg_yaml_size(node) > 3)
        return rg_yaml_expected(node, "[ROWS, COLS] or [ROWS, COLS, CHANNELS]", err);
    for (size_t k = 0; k < rg_yaml_size(node); k++) {
        rg_status status = rg_yaml_int(rg_yaml_item(node, k), &size[k], 1, 1 << 20, NULL, err);
        if (status)
            return status;
    }
    if (size[0] * size[1] > INT32_MAX || size[0] * size[1] * size[2] > INT32_MAX)
        return rg_yaml_complain(node, err, "found a shape of more than %d values, expected fewer",
                                INT32_MAX);
    past->on_shapes = true;
    layer->shape = (rg_rule_shape){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
    return RG_OK;
}

/* ---- layers */

static rg_status read_rule_layer(rg_layer_spec *layer, const rg_spec *spec, progress *past,
                                 const rg_yaml *map, rg_error *err)
{
    static const char *const mixes[] = {"each", "full"};
    const rg_yaml *rule = rg_yaml_find(map, "rule"), *bias = rg_yaml_find(map, "bias");
    bool needs_shape = false;
    rg_status status = read_shape(layer, past, map, err);
    if (!status)
        status = read_rules(layer, &needs_shape, spec, past, rule, RG_RULE_PAIR, err);
    bool no_bias = !bias || (rg_yaml_text(bias) && strcmp(rg_yaml_text(bias), "none") == 0);
    if (!status && !no_bias)
        status = read_rule(&layer->bias, &needs_shape, spec, past, bias, RG_RULE_BIAS, err);
    if (!status && needs_shape && layer->shape.rows == 0)
        status = rg_yaml_complain(
            map, err, "found a rule on shapes, expected the key shape too: the output shape");
    if (!status)
        status = read_width(layer, rg_yaml_find(map, "heads"), NULL, err);
    if (!status)
        status = read_either(&layer->full, map, "mix", mixes, err);
    return status ? status : read_flag(&layer->residual, map, "residual", err);
}

static rg_status read_aggregate(rg_layer_spec *layer, const rg_spec *spec, progress *past,
                                const rg_yaml *map, rg_error *err)
{
    static const char *const ways[] = {"sum", "mean"};
    bool needs_shape = false; /* it takes the one of its input */
    layer->mean = layer->has_bias = true;
    rg_status status = read_rules(layer, &needs_shape, spec, past, rg_yaml_find(map, "aggregate"),
                                  RG_RULE_AGGREGATE, err);
    if (!status)
        status = read_width(layer, rg_yaml_find(map, "outputs"), NULL, err);
    if (!status)
        status = read_either(&layer->mean, map, "by", ways, err);
    past->aggregated = true;
    return status ? status : read_flag(&layer->has_bias, map, "bias", err);
}

static rg_status read_dense(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "dense");
    const char *text = rg_yaml_text(node);
    rg_status status = RG_OK;
    layer->has_bias = true;
    if (!text || strcmp(text, "auto") != 0)
        status = read_width(layer, node, "auto or a whole number 1..4096", err);
    if (!status)
        status = read_flag(&layer->has_bias, map, "bias", err);
    return status ? status : read_flag(&layer->residual, map, "residual", err);
}

static rg_status read_dropout(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    static const char what[] = "a probability, 0 or more and below 1";
    const rg_yaml *node = rg_yaml_find(map, "dropout");
    rg_status status = rg_yaml_real(node, &layer->dropout, what, err);
    if (!status && !(layer->dropout >= 0 && layer->dropout < 1))
        return rg_yaml_expected(node, what, err);
    return status;
}

/* Which kind of layer it is: the first of the words that is a key. */
static rg_status read_kind(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    size_t kind = 0, n_keys = 0;
    while (kind < N_KINDS && !rg_yaml_find(map, kind_words[kind]))
        kind++;
    if (kind == N_KINDS && rg_yaml_kind_of(map) == RG_YAML_MAP && rg_yaml_size(map) == 0)
        return rg_yaml_complain(map, err, "found an empty map, expected a layer");
    if (kind == N_KINDS) /* no key is one of the words: complains */
        return rg_yaml_keys(map, kind_words, N_KINDS, err);
    while (n_keys < N_KEYS && layer_keys[kind][n_keys])
        n_keys++;
    layer->kind = (rg_layer_kind)kind;
    layer->line = rg_yaml_line(map);
    return rg_yaml_keys(map, layer_keys[kind], n_keys, err);
}

static rg_status read_layer(rg_layer_spec *layer, const rg_spec *spec, progress *past,
                            const rg_yaml *map, rg_error *err)
{
    static const char *const norms[] = {"layer"};
    size_t word;
    rg_status status = read_kind(layer, map, err);
    if (!status)
        status = read_activation(layer, map, err);
    if (status)
        return status;
    if (past->aggregated && (layer->kind == RG_LAYER_RULE || layer->kind == RG_LAYER_AGGREGATE))
        return rg_yaml_complain(map, err,
                                "found a layer '%s' after an aggregate, expected dense, "
                                "dropout, norm or activation",
                                kind_words[layer->kind]);
    switch (layer->kind) {
    case RG_LAYER_RULE:
        return read_rule_layer(layer, spec, past, map, err);
    case RG_LAYER_AGGREGATE:
        return read_aggregate(layer, spec, past, map, err);
    case RG_LAYER_DENSE:
        return read_dense(layer, map, err);
    case RG_LAYER_DROPOUT:
        return read_dropout(layer, map, err);
    case RG_LAYER_NORM:
        return rg_yaml_word(rg_yaml_find(map, "norm"), &word, norms, 1, err);
    case RG_LAYER_ACTIVATION:
        break;
    }
    return RG_OK;
}

rg_status rg_spec_read_layers(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    progress past = {0};
    if (rg_yaml_kind_of(node) != RG_YAML_LIST)
        return rg_yaml_expected(node, "a list of layers", err);
    if (rg_yaml_size(node) == 0 || rg_yaml_size(node) > RG_SPEC_LAYERS_MAX)
        return rg_yaml_complain(node, err, "found %zu layers, expected 1..%d", rg_yaml_size(node),
                                RG_SPEC_LAYERS_MAX);
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(node) && !status; k++)
        status =
            read_layer(&spec->layers[spec->n_layers++], spec, &past, rg_yaml_item(node, k), err);
    return status;
}
