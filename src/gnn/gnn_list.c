/* gnn_list.c - the key `layers` of a message passing network that is a list: one map per layer,
 * whose first key says what it is. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "gnn.h"
#include "network/spec_parts.h"
#include "text/yaml_edit.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { N_KEYS = 6 };

static const char *const pooling_words[] = {"sum", "mean", "max"};
static const char *const sage_words[] = {"add", "mean", "max"};
static const char *const activation_words[] = {"identity", "tanh", "relu"}; /* as rg_activation */
static const char *const self_words[] = {"shared", "own"};
static const char *const mix_words[] = {"each", "full"};

/* Keys of each kind of layer; the first is that of its kind. */
static const char *const layer_keys[RG_N_MIXED][N_KEYS] = {
    {"gin", "eps"},
    {"graphsage", "aggregation", "self", "activation", "residual"},
    {"gcn", "activation", "residual"},
    {"rule", "bias", "heads", "mix", "activation", "residual"},
    {"dense", "activation", "residual"},
    {"pool"},
    {"norm"},
    {"dropout"},
    {"activation"},
};

void rg_gnn_list_free(rg_gnn_settings *s)
{
    for (size_t k = 0; k < s->n_list; k++) {
        rg_free(s->list[k].rule);
        rg_free(s->list[k].bias);
    }
    rg_free(s->list);
    s->list = NULL;
    s->n_list = 0;
}

/* ---- pieces */

static rg_status read_width(uint32_t *out, const rg_yaml *node, rg_error *err)
{
    int64_t width = 0;
    rg_status status = rg_yaml_int(node, &width, 1, RG_SPEC_CHANNELS_MAX, NULL, err);
    if (!status)
        *out = (uint32_t)width;
    return status;
}

/* A word of a key that may be missing; *out is then left as it is. */
static rg_status read_word(size_t *out, const rg_yaml *map, const char *key,
                           const char *const *words, size_t n, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, key);
    return node ? rg_yaml_word(node, out, words, n, err) : RG_OK;
}

static rg_status read_options(rg_gnn_layer *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *residual = rg_yaml_find(map, "residual");
    size_t activation = (size_t)layer->activation;
    rg_status status =
        read_word(&activation, map, "activation", activation_words, COUNT(activation_words), err);
    layer->activation = (rg_activation)activation;
    if (!status && residual)
        status = rg_yaml_bool(residual, &layer->residual, NULL, err);
    return status;
}

static rg_status read_eps(rg_gnn_layer *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "eps");
    const char *text = node ? rg_yaml_text(node) : "learned";
    layer->learned = text && strcmp(text, "learned") == 0;
    return layer->learned ? RG_OK : rg_yaml_real(node, &layer->eps, "learned or a number", err);
}

/* A rule in normal form. out: owned. */
static rg_status read_rule(char **out, const rg_yaml *node, rg_rule_kind kind,
                           const rg_features_spec *names, rg_error *err)
{
    rg_rule_labeling known[RG_SPEC_LABELS_MAX] = {{.name = NULL}};
    rg_rule *rule = NULL;
    rg_error inner;
    const char *text = rg_yaml_text(node);
    if (!text || !*text)
        return rg_yaml_expected(node, "a rule, such as share node(i), node(j) when edge(i,j)", err);
    for (size_t k = 0; k < names->n_labels; k++)
        known[k].name = names->label_names[k];
    rg_status status = rg_rule_parse(&rule, text, kind, known, names->n_labels, NULL, &inner);
    if (status)
        return rg_spec_blame(node, status, inner.message, err);
    if (rg_rule_describe(rule)->on_shapes)
        status = rg_yaml_complain(node, err, "found a rule on shapes, expected one on graphs");
    else if (!(*out = rg_copy_text(rg_rule_text(rule), strlen(rg_rule_text(rule)))))
        status = rg_fail_memory(err, "a rule");
    rg_rule_free(rule);
    return status;
}

static rg_status read_rule_layer(rg_gnn_layer *layer, const rg_yaml *map,
                                 const rg_features_spec *names, rg_error *err)
{
    const rg_yaml *bias = rg_yaml_find(map, "bias"), *heads = rg_yaml_find(map, "heads");
    const char *none = bias ? rg_yaml_text(bias) : NULL;
    size_t mix = 0;
    rg_status status = read_rule(&layer->rule, rg_yaml_find(map, "rule"), RG_RULE_PAIR, names, err);
    if (!status && bias && !(none && strcmp(none, "none") == 0))
        status = read_rule(&layer->bias, bias, RG_RULE_BIAS, names, err);
    if (!status)
        status = read_word(&mix, map, "mix", mix_words, COUNT(mix_words), err);
    layer->full = mix == 1;
    if (!status && heads)
        status = read_width(&layer->width, heads, err);
    if (!status && layer->full && !heads)
        status = rg_yaml_complain(map, err,
                                  "found 'mix: full' without 'heads', expected how many "
                                  "channels come out");
    if (!status && heads && !layer->full)
        status =
            rg_yaml_complain(heads, err,
                             "found heads without 'mix: full', expected none: as many channels "
                             "come out as go in");
    return status;
}

/* ---- a layer */

static rg_status read_own(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                          const rg_features_spec *names, rg_error *err)
{
    static const char *const batch[] = {"batch"};
    const char *text = rg_yaml_text(node);
    size_t word = 0;
    rg_status status = RG_OK;
    switch (layer->kind) {
    case RG_MIXED_GIN:
        status = read_width(&layer->width, node, err);
        return status ? status : read_eps(layer, map, err);
    case RG_MIXED_GRAPHSAGE:
        word = RG_GATHER_MEAN;
        status = read_width(&layer->width, node, err);
        if (!status)
            status = read_word(&word, map, "aggregation", sage_words, COUNT(sage_words), err);
        layer->gathering = word == 2 ? RG_GATHER_MAX : (rg_gathering)word;
        word = 0;
        if (!status)
            status = read_word(&word, map, "self", self_words, COUNT(self_words), err);
        layer->own = word == 1;
        return status;
    case RG_MIXED_GCN:
        return read_width(&layer->width, node, err);
    case RG_MIXED_RULE:
        return read_rule_layer(layer, map, names, err);
    case RG_MIXED_DENSE:
        return text && strcmp(text, "auto") == 0 ? RG_OK : read_width(&layer->width, node, err);
    case RG_MIXED_POOL:
        status = rg_yaml_word(node, &word, pooling_words, COUNT(pooling_words), err);
        layer->pooling = (rg_pooling)word;
        return status;
    case RG_MIXED_NORM:
        return rg_yaml_word(node, &word, batch, 1, err);
    case RG_MIXED_DROPOUT:
        status = rg_yaml_real(node, &layer->dropout, "a number from 0 to below 1", err);
        if (!status && !(layer->dropout >= 0 && layer->dropout < 1))
            status = rg_yaml_expected(node, "a number from 0 to below 1", err);
        return status;
    default:
        return RG_OK;
    }
}

static size_t n_keys(rg_gnn_layer_kind kind)
{
    size_t n = 0;
    while (n < N_KEYS && layer_keys[kind][n])
        n++;
    return n;
}

static rg_status read_layer(rg_gnn_layer *layer, const rg_yaml *map, const rg_features_spec *names,
                            rg_error *err)
{
    const char *words[RG_N_MIXED];
    size_t kind = 0;
    if (rg_yaml_kind_of(map) != RG_YAML_MAP || rg_yaml_size(map) == 0)
        return rg_yaml_expected(map, "a layer such as 'gin: 64'", err);
    for (size_t k = 0; k < RG_N_MIXED; k++)
        words[k] = layer_keys[k][0];
    rg_status status = rg_yaml_word(rg_yaml_key_node(map, 0), &kind, words, RG_N_MIXED, err);
    if (status)
        return status;
    layer->kind = (rg_gnn_layer_kind)kind;
    bool plain = layer->kind == RG_MIXED_GRAPHSAGE || layer->kind == RG_MIXED_GCN ||
                 layer->kind == RG_MIXED_RULE || layer->kind == RG_MIXED_DENSE;
    layer->activation = plain ? RG_RELU : RG_IDENTITY;
    status = rg_yaml_keys(map, layer_keys[kind], n_keys(layer->kind), err);
    if (!status)
        status = read_own(layer, map, rg_yaml_item(map, 0), names, err);
    if (!status && layer->kind == RG_MIXED_DENSE && !layer->width)
        layer->activation = RG_IDENTITY; /* the outputs */
    return status ? status : read_options(layer, map, err);
}

/* ---- the list */

static bool has_weights(rg_gnn_layer_kind kind)
{
    return kind <= RG_MIXED_DENSE;
}

/* Nodes first, one pooling, then vectors. */
static rg_status check_order(const rg_gnn_settings *s, const rg_yaml *list, rg_error *err)
{
    bool pooled = false, weighs = false;
    for (size_t k = 0; k < s->n_list; k++) {
        rg_gnn_layer_kind kind = s->list[k].kind;
        const rg_yaml *item = rg_yaml_item(list, k);
        bool needs_nodes = kind <= RG_MIXED_RULE || kind == RG_MIXED_POOL;
        if (pooled && needs_nodes)
            return rg_yaml_complain(
                item, err,
                "found '%s' after a pooling, expected it before: there are no nodes any more",
                layer_keys[kind][0]);
        pooled = pooled || kind == RG_MIXED_POOL;
        weighs = weighs || has_weights(kind);
    }
    if (!pooled)
        return rg_yaml_complain(
            list, err, "found no layer 'pool', expected one: the task is graph classification");
    if (!weighs)
        return rg_yaml_complain(list, err,
                                "found no layer with weights, expected one: end with 'dense: auto'");
    return RG_OK;
}

rg_status rg_gnn_list_read(rg_gnn_settings *s, const rg_yaml *root, rg_error *err)
{
    const rg_yaml *list = rg_yaml_find(root, "layers");
    if (!list)
        return rg_yaml_complain(root, err, "found no key 'layers', expected a list of layers");
    size_t n = rg_yaml_size(list);
    if (rg_yaml_kind_of(list) != RG_YAML_LIST || n == 0 || n > RG_SPEC_LAYERS_MAX)
        return rg_yaml_expected(list, "a list of 1..64 layers", err);
    s->list = rg_alloc_zero(n, sizeof *s->list);
    if (!s->list)
        return rg_fail_memory(err, "layers");
    s->n_list = n;
    rg_status status = RG_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = read_layer(&s->list[k], rg_yaml_item(list, k), &s->features, err);
    return status ? status : check_order(s, list, err);
}

/* ---- printing */

static void print_real(rg_text *out, const char *before, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s%s", before, number);
}

static void print_own(rg_text *out, const rg_gnn_layer *layer)
{
    switch (layer->kind) {
    case RG_MIXED_GIN:
        rg_text_add(out, "%u\n    eps: ", layer->width);
        if (layer->learned)
            rg_text_add(out, "learned");
        else
            print_real(out, "", layer->eps);
        break;
    case RG_MIXED_GRAPHSAGE:
        rg_text_add(out, "%u\n    aggregation: %s\n    self: %s", layer->width,
                    layer->gathering == RG_GATHER_MAX ? "max" : sage_words[layer->gathering],
                    self_words[layer->own]);
        break;
    case RG_MIXED_RULE:
        rg_yaml_print_text(out, layer->rule, false);
        rg_text_add(out, "\n    bias: ");
        rg_yaml_print_text(out, layer->bias ? layer->bias : "none", false);
        rg_text_add(out, "\n    mix: %s", mix_words[layer->full]);
        if (layer->full)
            rg_text_add(out, "\n    heads: %u", layer->width);
        break;
    case RG_MIXED_POOL:
        rg_text_add(out, "%s", pooling_words[layer->pooling]);
        break;
    case RG_MIXED_NORM:
        rg_text_add(out, "batch");
        break;
    case RG_MIXED_DROPOUT:
        print_real(out, "", layer->dropout);
        break;
    case RG_MIXED_ACTIVATION:
        rg_text_add(out, "%s", activation_words[layer->activation]);
        break;
    default:
        if (layer->width)
            rg_text_add(out, "%u", layer->width);
        else
            rg_text_add(out, "auto");
        break;
    }
}

void rg_gnn_list_print(rg_text *out, const rg_gnn_settings *s)
{
    rg_text_add(out, "layers:\n");
    for (size_t k = 0; k < s->n_list; k++) {
        const rg_gnn_layer *layer = &s->list[k];
        rg_text_add(out, "  - %s: ", layer_keys[layer->kind][0]);
        print_own(out, layer);
        if (layer->kind == RG_MIXED_GRAPHSAGE || layer->kind == RG_MIXED_GCN ||
            layer->kind == RG_MIXED_RULE || layer->kind == RG_MIXED_DENSE)
            rg_text_add(out, "\n    activation: %s\n    residual: %s",
                        activation_words[layer->activation], layer->residual ? "true" : "false");
        rg_text_add(out, "\n");
    }
}
