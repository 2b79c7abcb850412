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

static rg_status read_rule_layer(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                                 const rg_features_spec *names, rg_error *err)
{
    const rg_yaml *bias = rg_yaml_find(map, "bias"), *heads = rg_yaml_find(map, "heads");
    const char *none = bias ? rg_yaml_text(bias) : NULL;
    size_t mix = 0;
    rg_status status = read_rule(&layer->rule, node, RG_RULE_PAIR, names, err);
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

/* ---- layers: how each is read, printed in normal form, and written as layers of a network file */

static void print_real(rg_text *out, const char *before, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s%s", before, number);
}

static rg_status read_only_width(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                                 const rg_features_spec *names, rg_error *err)
{
    (void)map;
    (void)names;
    return read_width(&layer->width, node, err);
}

static void print_width(rg_text *out, const rg_gnn_layer *layer)
{
    rg_text_add(out, "%u", layer->width);
}

static rg_status read_gin(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                          const rg_features_spec *names, rg_error *err)
{
    (void)names;
    rg_status status = read_width(&layer->width, node, err);
    return status ? status : read_eps(layer, map, err);
}

static void print_gin(rg_text *out, const rg_gnn_layer *layer)
{
    rg_text_add(out, "%u\n    eps: ", layer->width);
    if (layer->learned)
        rg_text_add(out, "learned");
    else
        print_real(out, "", layer->eps);
}

static rg_status read_sage(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                           const rg_features_spec *names, rg_error *err)
{
    size_t word = RG_GATHER_MEAN, self = 0;
    (void)names;
    rg_status status = read_width(&layer->width, node, err);
    if (!status)
        status = read_word(&word, map, "aggregation", sage_words, COUNT(sage_words), err);
    layer->gathering = word == 2 ? RG_GATHER_MAX : (rg_gathering)word;
    if (!status)
        status = read_word(&self, map, "self", self_words, COUNT(self_words), err);
    layer->own = self == 1;
    return status;
}

static void print_sage(rg_text *out, const rg_gnn_layer *layer)
{
    rg_text_add(out, "%u\n    aggregation: %s\n    self: %s", layer->width,
                layer->gathering == RG_GATHER_MAX ? "max" : sage_words[layer->gathering],
                self_words[layer->own]);
}

static void print_rule(rg_text *out, const rg_gnn_layer *layer)
{
    rg_yaml_print_text(out, layer->rule, false);
    rg_text_add(out, "\n    bias: ");
    rg_yaml_print_text(out, layer->bias ? layer->bias : "none", false);
    rg_text_add(out, "\n    mix: %s", mix_words[layer->full]);
    if (layer->full)
        rg_text_add(out, "\n    heads: %u", layer->width);
}

static rg_status read_dense(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                            const rg_features_spec *names, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    (void)map;
    (void)names;
    return text && strcmp(text, "auto") == 0 ? RG_OK : read_width(&layer->width, node, err);
}

static void print_dense(rg_text *out, const rg_gnn_layer *layer)
{
    if (layer->width)
        rg_text_add(out, "%u", layer->width);
    else
        rg_text_add(out, "auto");
}

static rg_status read_pool(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                           const rg_features_spec *names, rg_error *err)
{
    size_t word = 0;
    (void)map;
    (void)names;
    rg_status status = rg_yaml_word(node, &word, pooling_words, COUNT(pooling_words), err);
    layer->pooling = (rg_pooling)word;
    return status;
}

static void print_pool(rg_text *out, const rg_gnn_layer *layer)
{
    rg_text_add(out, "%s", pooling_words[layer->pooling]);
}

static rg_status read_norm(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                           const rg_features_spec *names, rg_error *err)
{
    static const char *const batch[] = {"batch"};
    size_t word = 0;
    (void)layer;
    (void)map;
    (void)names;
    return rg_yaml_word(node, &word, batch, 1, err);
}

static void print_norm(rg_text *out, const rg_gnn_layer *layer)
{
    (void)layer;
    rg_text_add(out, "batch");
}

static rg_status read_dropout(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                              const rg_features_spec *names, rg_error *err)
{
    static const char what[] = "a number from 0 to below 1";
    (void)map;
    (void)names;
    rg_status status = rg_yaml_real(node, &layer->dropout, what, err);
    if (!status && !(layer->dropout >= 0 && layer->dropout < 1))
        status = rg_yaml_expected(node, what, err);
    return status;
}

static void print_dropout(rg_text *out, const rg_gnn_layer *layer)
{
    print_real(out, "", layer->dropout);
}

static rg_status read_activation(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                                 const rg_features_spec *names, rg_error *err)
{
    size_t word = 0;
    (void)map;
    (void)names;
    rg_status status = rg_yaml_word(node, &word, activation_words, COUNT(activation_words), err);
    layer->activation = (rg_activation)word;
    return status;
}

static void print_activation(rg_text *out, const rg_gnn_layer *layer)
{
    rg_text_add(out, "%s", activation_words[layer->activation]);
}

/* A kind of layer. */
struct rg_gnn_layer_kind {
    const char *keys[N_KEYS]; /* the first is its own */
    const char *word;         /* its key in network files; NULL: the same */
    const char *behind;       /* lines of a network file behind it; NULL: none */
    bool nodes;               /* needs nodes */
    bool pools;
    bool plain; /* has an activation, relu where none is said, and may be residual */
    rg_status (*read)(rg_gnn_layer *layer, const rg_yaml *map, const rg_yaml *node,
                      const rg_features_spec *names, rg_error *err);
    void (*print)(rg_text *out, const rg_gnn_layer *layer); /* behind "KEY: " */
};

static const rg_gnn_layer_kind kinds[] = {
    {.keys = {"gin", "eps"}, .nodes = true, .read = read_gin, .print = print_gin},
    {.keys = {"graphsage", "aggregation", "self", "activation", "residual"},
     .word = "sage",
     .nodes = true,
     .plain = true,
     .read = read_sage,
     .print = print_sage},
    {.keys = {"gcn", "activation", "residual"},
     .nodes = true,
     .plain = true,
     .read = read_only_width,
     .print = print_width},
    {.keys = {"rule", "bias", "heads", "mix", "activation", "residual"},
     .nodes = true,
     .plain = true,
     .read = read_rule_layer,
     .print = print_rule},
    {.keys = {"dense", "activation", "residual"},
     .plain = true,
     .read = read_dense,
     .print = print_dense},
    {.keys = {"pool"}, .nodes = true, .pools = true, .read = read_pool, .print = print_pool},
    {.keys = {"norm"}, .behind = "  - activation: relu\n", .read = read_norm, .print = print_norm},
    {.keys = {"dropout"}, .read = read_dropout, .print = print_dropout},
    {.keys = {"activation"}, .read = read_activation, .print = print_activation},
};

static size_t n_keys(const rg_gnn_layer_kind *kind)
{
    size_t n = 0;
    while (n < N_KEYS && kind->keys[n])
        n++;
    return n;
}

static rg_status read_layer(rg_gnn_layer *layer, const rg_yaml *map, const rg_features_spec *names,
                            rg_error *err)
{
    const char *words[COUNT(kinds)];
    size_t kind = 0;
    if (rg_yaml_kind_of(map) != RG_YAML_MAP || rg_yaml_size(map) == 0)
        return rg_yaml_expected(map, "a layer such as 'gin: 64'", err);
    for (size_t k = 0; k < COUNT(kinds); k++)
        words[k] = kinds[k].keys[0];
    rg_status status = rg_yaml_word(rg_yaml_key_node(map, 0), &kind, words, COUNT(kinds), err);
    if (status)
        return status;
    layer->kind = &kinds[kind];
    layer->activation = layer->kind->plain ? RG_RELU : RG_IDENTITY;
    status = rg_yaml_keys(map, layer->kind->keys, n_keys(layer->kind), err);
    if (!status)
        status = layer->kind->read(layer, map, rg_yaml_item(map, 0), names, err);
    if (!status && layer->kind->read == read_dense && !layer->width)
        layer->activation = RG_IDENTITY; /* the outputs */
    return status || !layer->kind->plain ? status : read_options(layer, map, err);
}

static void print_options(rg_text *out, const rg_gnn_layer *layer)
{
    if (layer->kind->plain)
        rg_text_add(out, "\n    activation: %s\n    residual: %s",
                    activation_words[layer->activation], layer->residual ? "true" : "false");
    rg_text_add(out, "\n");
}

/* ---- the list */

static bool has_weights(const rg_gnn_layer_kind *kind)
{
    return kind->plain || (kind->nodes && !kind->pools);
}

/* Nodes first, one pooling, then vectors. */
static rg_status check_order(const rg_gnn_settings *s, const rg_yaml *list, rg_error *err)
{
    bool pooled = false, weighs = false;
    for (size_t k = 0; k < s->n_list; k++) {
        const rg_gnn_layer_kind *kind = s->list[k].kind;
        const rg_yaml *item = rg_yaml_item(list, k);
        if (pooled && kind->nodes)
            return rg_yaml_complain(
                item, err,
                "found '%s' after a pooling, expected it before: there are no nodes any more",
                kind->keys[0]);
        pooled = pooled || kind->pools;
        weighs = weighs || has_weights(kind);
    }
    if (!pooled)
        return rg_yaml_complain(
            list, err, "found no layer 'pool', expected one: the task is graph classification");
    if (!weighs)
        return rg_yaml_complain(
            list, err, "found no layer with weights, expected one: end with 'dense: auto'");
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

void rg_gnn_list_print(rg_text *out, const rg_gnn_settings *s)
{
    rg_text_add(out, "layers:\n");
    for (size_t k = 0; k < s->n_list; k++) {
        rg_text_add(out, "  - %s: ", s->list[k].kind->keys[0]);
        s->list[k].kind->print(out, &s->list[k]);
        print_options(out, &s->list[k]);
    }
}

void rg_gnn_list_network(rg_text *out, const rg_gnn_settings *s)
{
    for (size_t k = 0; k < s->n_list; k++) {
        const rg_gnn_layer_kind *kind = s->list[k].kind;
        rg_text_add(out, "  - %s: ", kind->word ? kind->word : kind->keys[0]);
        kind->print(out, &s->list[k]);
        print_options(out, &s->list[k]);
        if (kind->behind)
            rg_text_add(out, "%s", kind->behind);
    }
}
