/* read.c - layers from network files, and back: heads, settings, names. What only one kind of layer
 * has is read in its own file. */
#include "read.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "text/yaml_edit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const rg_activation_words[] = {"identity", "tanh",     "relu", "leaky-relu", "gelu",
                                           "sigmoid",  "softplus", "elu",  "swish"};

/* Other programs write ReLU and leaky_relu. */
static bool means(const char *text, const char *word)
{
    for (; *text && *word; text++, word++) {
        if (*text == '_' && *word == '-')
            continue;
        if (*text == *word || (*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *word))
            continue;
        if (*word != '-' || !(*text >= 'A' && *text <= 'Z') || *text - 'A' + 'a' != *++word)
            return false;
    }
    return *text == *word;
}

static rg_status activation_word(size_t *word, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    for (size_t k = 0; text && k < RG_N_ACTIVATIONS; k++)
        if (means(text, rg_activation_words[k])) {
            *word = k;
            return RG_OK;
        }
    return rg_yaml_word(node, word, rg_activation_words, RG_N_ACTIVATIONS, err);
}

const char *rg_activation_name(rg_activation activation)
{
    return rg_activation_words[activation];
}

rg_status rg_spec_blame(const rg_yaml *node, rg_status status, const char *message, rg_error *err)
{
    if (status == RG_ENOMEM)
        return rg_fail(err, status, "%s", message);
    rg_yaml_complain(node, err, "%s", message);
    return status == RG_EUSAGE ? RG_EDATA : status;
}

size_t rg_spec_n_things(const rg_yaml *node)
{
    return rg_yaml_kind_of(node) == RG_YAML_LIST ? rg_yaml_size(node) : 1;
}

const rg_yaml *rg_spec_thing(const rg_yaml *node, size_t k)
{
    return rg_yaml_kind_of(node) == RG_YAML_LIST ? rg_yaml_item(node, k) : node;
}

void rg_layer_spec_clear(rg_layer_spec *layer)
{
    for (size_t k = 0; k < layer->n_rules; k++)
        rg_free(layer->rules[k]);
    for (size_t k = 0; k < layer->n_from; k++)
        rg_free(layer->from[k]);
    rg_free(layer->bias);
    rg_free(layer->name);
    rg_free(layer->weights);
}

/* ---- which kind, and which keys it has */

/* Keys that any layer may have. */
static const char *const common_keys[] = {"name", "from"};
enum { N_COMMON = 2, KEYS_MAX = 24 };

static bool has_key(const rg_layer_kind *kind, const char *key)
{
    for (size_t k = 0; k < sizeof kind->keys / sizeof *kind->keys && kind->keys[k]; k++)
        if (strcmp(kind->keys[k], key) == 0)
            return true;
    return false;
}

static rg_status check_keys(const rg_layer_kind *kind, const rg_yaml *map, rg_error *err)
{
    const char *known[KEYS_MAX] = {kind->name};
    size_t n = 1;
    for (size_t k = 0; k < sizeof kind->keys / sizeof *kind->keys && kind->keys[k]; k++)
        known[n++] = kind->keys[k];
    for (size_t k = 0; kind->settings[k].type; k++)
        if (kind->settings[k].key)
            known[n++] = kind->settings[k].key;
    if (kind->weighs || has_key(kind, "decay"))
        known[n++] = "decay";
    for (size_t k = 0; k < N_COMMON; k++)
        if (kind->head != RG_HEAD_NAMES || strcmp(common_keys[k], "from") != 0)
            known[n++] = common_keys[k];
    return rg_yaml_keys(map, known, n, err);
}

/* Is it a key of layers of this kind? */
static bool takes_key(const rg_layer_kind *kind, const char *key)
{
    bool taken = strcmp(kind->name, key) == 0 || has_key(kind, key);
    for (size_t k = 0; kind->settings[k].type; k++)
        taken |= kind->settings[k].key && strcmp(kind->settings[k].key, key) == 0;
    return taken;
}

static const rg_layer_kind *kind_of_key(const rg_yaml *map, size_t k)
{
    const rg_layer_kind *kind = rg_layer_kind_find(rg_yaml_key(map, k));
    return kind && !kind->inner ? kind : NULL;
}

/* Some words are layers and settings of others, as `dropout`: the kind is the first key that is one and
 * takes all others that are; else the first. NULL: there is none. */
static const rg_layer_kind *find_kind(const rg_yaml *map)
{
    const rg_layer_kind *first = NULL;
    size_t n = rg_yaml_kind_of(map) == RG_YAML_MAP ? rg_yaml_size(map) : 0;
    for (size_t k = 0; k < n; k++) {
        const rg_layer_kind *kind = kind_of_key(map, k);
        bool fits = kind != NULL;
        for (size_t other = 0; fits && other < n; other++)
            fits = !kind_of_key(map, other) || takes_key(kind, rg_yaml_key(map, other));
        if (fits)
            return kind;
        first = first ? first : kind;
    }
    return first;
}

static rg_status read_kind(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const char *words[64];
    size_t n = 0;
    for (size_t k = 0; k < rg_layer_n_kinds(); k++)
        if (!rg_layer_kind_at(k)->inner)
            words[n++] = rg_layer_kind_at(k)->name;
    layer->kind = find_kind(map);
    if (!layer->kind && rg_yaml_kind_of(map) == RG_YAML_MAP && rg_yaml_size(map) == 0)
        return rg_yaml_complain(map, err, "found an empty map, expected a layer");
    if (!layer->kind) /* no key is one of the words: complains */
        return rg_yaml_keys(map, words, n, err);
    layer->line = rg_yaml_line(map);
    return check_keys(layer->kind, map, err);
}

/* ---- names */

static bool is_name(const char *text)
{
    if (!text || !isalpha((unsigned char)*text) || strlen(text) > 60)
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return true;
}

static rg_status read_name(char **out, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    if (!is_name(text))
        return rg_yaml_expected(node, "a name of letters, digits, - and _, a letter first", err);
    *out = rg_copy_text(text, strlen(text));
    return *out ? RG_OK : rg_fail_memory(err, "reading a network");
}

/* One name or, if the kind takes several values, a list; `every` alone. */
static rg_status read_inputs(rg_layer_spec *layer, const rg_yaml *node, bool many, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    const char *text = rg_yaml_text(node);
    if (many && text && strcmp(text, "every") == 0) {
        layer->every = true;
        return RG_OK;
    }
    if (!many && rg_yaml_kind_of(node) != RG_YAML_TEXT)
        return rg_yaml_expected(node, "the name of one layer before", err);
    if (n == 0 || n > RG_SPEC_LAYERS_MAX)
        return rg_yaml_complain(node, err, "found %zu names, expected 1..%d", n,
                                RG_SPEC_LAYERS_MAX);
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < n; k++) {
        status = read_name(&layer->from[k], rg_spec_thing(node, k), err);
        layer->n_from += !status;
    }
    return status;
}

static rg_status read_names(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *name = rg_yaml_find(map, "name"), *from = rg_yaml_find(map, "from");
    const rg_yaml *of = has_key(layer->kind, "of") ? rg_yaml_find(map, "of") : NULL;
    const rg_yaml *weights = has_key(layer->kind, "weights") ? rg_yaml_find(map, "weights") : NULL;
    rg_status status = name ? read_name(&layer->name, name, err) : RG_OK;
    if (layer->name && strcmp(layer->name, "every") == 0)
        return rg_yaml_complain(
            name, err, "found the name 'every', expected another: it stands for all layers");
    if (!status && layer->kind->head == RG_HEAD_NAMES)
        status = read_inputs(layer, rg_yaml_find(map, layer->kind->name), true, err);
    if (!status && of && from)
        status = rg_yaml_complain(from, err, "found 'from' beside 'of', expected one of them");
    if (!status && (of || from))
        status = read_inputs(layer, of ? of : from, of != NULL, err);
    if (!status && weights)
        status = read_name(&layer->weights, weights, err);
    layer->every = layer->every || (layer->kind->every && !layer->n_from);
    return status;
}

/* ---- settings */

static rg_status read_words(double *out, const rg_layer_setting *s, const rg_yaml *node,
                            rg_error *err)
{
    unsigned set = 0;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < rg_spec_n_things(node); k++) {
        const rg_yaml *item = rg_spec_thing(node, k);
        size_t word = 0;
        status = rg_yaml_word(item, &word, s->words, s->n_words, err);
        if (!status && set & 1u << word)
            status = rg_yaml_complain(item, err, "found '%s' a second time, expected each once",
                                      s->words[word]);
        set |= 1u << word;
    }
    if (!status && !set)
        status =
            rg_yaml_complain(node, err, "found an empty list, expected %s or others", s->words[0]);
    *out = set;
    return status;
}

static rg_status read_real(double *out, const rg_layer_setting *s, const rg_yaml *node,
                           rg_error *err)
{
    const char *text = rg_yaml_text(node);
    if (s->n_words && text && strcmp(text, s->words[0]) == 0) {
        *out = (double)NAN;
        return RG_OK;
    }
    rg_status status = rg_yaml_real(node, out, s->what, err);
    if (!status && !(*out >= s->low && *out < s->high))
        return rg_yaml_expected(node, s->what, err);
    return status;
}

static rg_status read_setting(double *out, const rg_layer_setting *s, const rg_yaml *node,
                              rg_error *err)
{
    bool flag = false;
    size_t word = 0;
    int64_t count = 0;
    rg_status status = RG_OK;
    switch (s->type) {
    case RG_SETTING_FLAG:
        status = rg_yaml_bool(node, &flag, NULL, err);
        *out = flag;
        break;
    case RG_SETTING_WORD:
        status = rg_yaml_word(node, &word, s->words, s->n_words, err);
        *out = (double)word;
        break;
    case RG_SETTING_WORDS:
        return read_words(out, s, node, err);
    case RG_SETTING_REAL:
        return read_real(out, s, node, err);
    case RG_SETTING_COUNT:
        status = rg_yaml_int(node, &count, (int64_t)s->low, (int64_t)s->high, s->what, err);
        *out = (double)count;
        break;
    case RG_SETTING_NONE:
        break;
    }
    return status;
}

static rg_status read_settings(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && layer->kind->settings[k].type; k++) {
        const rg_layer_setting *s = &layer->kind->settings[k];
        const rg_yaml *node = rg_yaml_find(map, s->key ? s->key : layer->kind->name);
        layer->own[k] = s->usual;
        if (node)
            status = read_setting(&layer->own[k], s, node, err);
    }
    return status;
}

rg_status rg_layer_read_width(rg_layer_spec *layer, const rg_yaml *node, const char *what,
                              rg_error *err)
{
    int64_t width = 0;
    rg_status status = node ? rg_yaml_int(node, &width, 1, RG_SPEC_CHANNELS_MAX, what, err) : RG_OK;
    if (!status && node)
        layer->width = (uint32_t)width;
    return status;
}

static rg_status read_head(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, layer->kind->name);
    const char *text = rg_yaml_text(node);
    bool may = layer->kind->head == RG_HEAD_AUTO_WIDTH;
    if (may && text && strcmp(text, "auto") == 0)
        return RG_OK;
    if (may || layer->kind->head == RG_HEAD_WIDTH)
        return rg_layer_read_width(layer, node, may ? "auto or a whole number 1..4096" : NULL, err);
    return RG_OK;
}

static rg_status read_activation(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "activation");
    size_t word = 0;
    if (!node)
        return RG_OK;
    rg_status status = activation_word(&word, node, err);
    if (!status) {
        layer->has_activation = true;
        layer->activation = (rg_activation)word;
    }
    return status;
}

static rg_status read_decay(rg_layer_spec *layer, const rg_yaml *map, rg_error *err)
{
    static const char what[] = "a number, 0 or more";
    const rg_yaml *node = rg_yaml_find(map, "decay");
    if (!node)
        return RG_OK;
    rg_status status = rg_yaml_real(node, &layer->decay, what, err);
    if (!status && !(layer->decay >= 0 && isfinite(layer->decay)))
        return rg_yaml_expected(node, what, err);
    layer->has_decay = true;
    return status;
}

rg_status rg_layer_read(rg_layer_spec *layer, rg_layer_reading *past, const rg_yaml *map,
                        rg_error *err)
{
    rg_status status = read_kind(layer, map, err);
    if (!status)
        status = read_activation(layer, map, err);
    if (!status)
        status = read_decay(layer, map, err);
    if (!status)
        status = read_names(layer, map, err);
    if (status)
        return status;
    const rg_layer_kind *kind = layer->kind;
    const rg_yaml *residual = has_key(kind, "residual") ? rg_yaml_find(map, "residual") : NULL;
    if (past->aggregated && kind->nodes && !layer->n_from && !layer->every)
        return rg_yaml_complain(map, err,
                                "found a layer '%s' after an aggregate, expected dense, "
                                "dropout, norm or activation",
                                kind->name);
    /* of named inputs only the plan knows whether they are nodes */
    bool follows = !layer->n_from && !layer->every;
    past->aggregated = kind->aggregates || (past->aggregated && follows);
    status = read_head(layer, map, err);
    if (!status && kind->read)
        status = kind->read(layer, past, map, err);
    if (!status)
        status = read_settings(layer, map, err);
    if (!status && residual)
        status = rg_yaml_bool(residual, &layer->residual, NULL, err);
    return status;
}

/* ---- printing */

static void print_setting(rg_text *out, const rg_layer_setting *s, double value)
{
    char number[RG_NUMBER_MAX];
    unsigned bits = s->type == RG_SETTING_WORDS ? (unsigned)value : 0;
    bool many = false, bare = s->bare && (bits & (bits - 1)) == 0;
    switch (s->type) {
    case RG_SETTING_FLAG:
        rg_text_add(out, "%s", value != 0 ? "true" : "false");
        break;
    case RG_SETTING_WORD:
        rg_text_add(out, "%s", s->words[(size_t)value]);
        break;
    case RG_SETTING_WORDS:
        for (unsigned k = 0; k < s->n_words; k++)
            if (bits & 1u << k) {
                rg_text_add(out, "%s%s", many ? ", " : bare ? "" : "[", s->words[k]);
                many = true;
            }
        rg_text_add(out, "%s", bare ? "" : "]");
        break;
    case RG_SETTING_REAL:
    case RG_SETTING_COUNT:
        rg_number_print(number, value);
        rg_text_add(out, "%s", isnan(value) && s->n_words ? s->words[0] : number);
        break;
    case RG_SETTING_NONE:
        break;
    }
}

static void print_names(rg_text *out, const rg_layer_spec *layer)
{
    if (layer->every)
        rg_text_add(out, "every");
    for (size_t k = 0; k < layer->n_from; k++)
        rg_text_add(out, "%s%s", k ? ", " : layer->n_from > 1 ? "[" : "", layer->from[k]);
    rg_text_add(out, "%s", layer->n_from > 1 ? "]" : "");
}

static void print_rules(rg_text *out, const rg_layer_spec *layer)
{
    bool many = layer->n_rules > 1;
    rg_text_add(out, "%s", many ? "\n" : " ");
    for (size_t k = 0; k < layer->n_rules; k++) {
        rg_text_add(out, "%s", many ? "      - " : "");
        rg_yaml_print_text(out, layer->rules[k], false);
        rg_text_add(out, "\n");
    }
}

static void print_head(rg_text *out, const rg_layer_spec *layer)
{
    const rg_layer_kind *kind = layer->kind;
    rg_text_add(out, "  - %s:", kind->name);
    if (kind->head == RG_HEAD_RULES) {
        print_rules(out, layer);
        return;
    }
    rg_text_add(out, " ");
    if (kind->head == RG_HEAD_ACTIVATION)
        rg_text_add(out, "%s", rg_activation_name(layer->activation));
    else if (kind->head == RG_HEAD_SETTING)
        print_setting(out, &kind->settings[0], layer->own[0]);
    else if (kind->head == RG_HEAD_NAMES)
        print_names(out, layer);
    else if (layer->width)
        rg_text_add(out, "%u", layer->width);
    else
        rg_text_add(out, "auto");
    rg_text_add(out, "\n");
}

void rg_layer_print(rg_text *out, const rg_layer_spec *layer)
{
    const rg_layer_kind *kind = layer->kind;
    print_head(out, layer);
    if (kind->print)
        kind->print(out, layer);
    for (size_t k = 0; kind->settings[k].type; k++)
        if (kind->settings[k].key &&
            !(kind->settings[k].young && layer->own[k] == kind->settings[k].usual)) {
            rg_text_add(out, "    %s: ", kind->settings[k].key);
            print_setting(out, &kind->settings[k], layer->own[k]);
            rg_text_add(out, "\n");
        }
    if (layer->shape.depth)
        rg_text_add(out, "    shape: [%u, %u, %u, %u]\n", layer->shape.rows, layer->shape.cols,
                    layer->shape.depth, layer->shape.channels / layer->shape.depth);
    else if (layer->shape.rows)
        rg_text_add(out, "    shape: [%u, %u, %u]\n", layer->shape.rows, layer->shape.cols,
                    layer->shape.channels);
    if (has_key(kind, "residual"))
        rg_text_add(out, "    residual: %s\n", layer->residual ? "true" : "false");
    if (layer->has_decay) {
        char number[RG_NUMBER_MAX];
        rg_number_print(number, layer->decay);
        rg_text_add(out, "    decay: %s\n", number);
    }
    if (layer->weights)
        rg_text_add(out, "    weights: %s\n", layer->weights);
    if (layer->name)
        rg_text_add(out, "    name: %s\n", layer->name);
    if (kind->head != RG_HEAD_NAMES && (layer->n_from || layer->every)) {
        rg_text_add(out, "    %s: ", has_key(kind, "of") ? "of" : "from");
        print_names(out, layer);
        rg_text_add(out, "\n");
    }
    if (layer->has_activation && kind->head != RG_HEAD_ACTIVATION)
        rg_text_add(out, "    activation: %s\n", rg_activation_name(layer->activation));
}
