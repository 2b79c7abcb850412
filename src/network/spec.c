/* spec.c - network files: what is learned, from what, with which labels; see spec.h. Layers are
 * read by their own files (src/layer), signals in spec_input.c; spec_print.c prints. */
#include "spec_parts.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

const char *const rg_task_words[] = {"auto",        "classification",      "regression",
                                     "multi-label", "node-classification", "node-regression"};

const char *rg_task_name(rg_task task)
{
    return rg_task_words[task];
}

void rg_spec_free(rg_spec *spec)
{
    if (!spec)
        return;
    for (size_t k = 0; k < spec->n_signals; k++)
        rg_free(spec->signals[k].labeling);
    for (size_t k = 0; k < spec->n_labels; k++) {
        rg_free(spec->label_names[k]);
        rg_free(spec->label_specs[k]);
    }
    for (size_t k = 0; k < spec->n_tables; k++) {
        rg_free(spec->table_names[k]);
        rg_free(spec->table_paths[k]);
    }
    for (size_t k = 0; k < spec->n_layers; k++)
        rg_layer_spec_clear(&spec->layers[k]);
    rg_free(spec);
}

/* ---- labels */

/* Is the last of the names one that rules can use? The rule language knows: any rule will do. */
rg_status rg_spec_check_name(const rg_spec *spec, const rg_yaml *key, rg_error *err)
{
    static const char before[] = "rule: ";
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_rule *rule = NULL;
    rg_error inner = {""};
    size_t n = rg_spec_names(spec, known);
    rg_status status = rg_rule_parse(&rule, "share i", RG_RULE_BIAS, known, n, NULL, &inner);
    rg_rule_free(rule);
    if (!status)
        return RG_OK;
    bool cut = strncmp(inner.message, before, sizeof before - 1) == 0;
    return rg_spec_blame(key, status, inner.message + (cut ? sizeof before - 1 : 0), err);
}

static rg_status read_label(rg_spec *spec, const rg_yaml *key, const rg_yaml *value, rg_error *err)
{
    const char *name = rg_yaml_text(key), *text = rg_yaml_text(value);
    char *normal = NULL;
    rg_error inner = {""};
    if (spec->n_labels == RG_SPEC_LABELS_MAX)
        return rg_yaml_complain(key, err, "found more than %d labelings, expected fewer",
                                RG_SPEC_LABELS_MAX);
    if (!text || !*text)
        return rg_yaml_expected(value, "a labeling, such as wl(depth=2)", err);
    size_t k = spec->n_labels++; /* from here on rg_spec_free looks at it */
    spec->label_names[k] = rg_copy_text(name, strlen(name));
    if (!spec->label_names[k])
        return rg_fail_memory(err, "a labeling");
    rg_status status = rg_spec_check_name(spec, key, err);
    if (status)
        return status;
    status = rg_labeling_check(&normal, text, &inner);
    if (status)
        return rg_spec_blame(value, status, inner.message, err);
    spec->label_specs[k] = normal;
    return RG_OK;
}

rg_status rg_spec_read_labels(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        return rg_yaml_expected(node, "a map from names to labelings, such as wl: wl(depth=2)",
                                err);
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(node) && !status; k++)
        status = read_label(spec, rg_yaml_key_node(node, k), rg_yaml_item(node, k), err);
    return status;
}

/* ---- what is learned */

static rg_status read_targets(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    if (n == 0 || n > RG_SPEC_TARGETS_MAX)
        return rg_yaml_complain(node, err, "found %zu columns, expected 1..%d", n,
                                RG_SPEC_TARGETS_MAX);
    for (size_t k = 0; k < n; k++) {
        const rg_yaml *item = rg_spec_thing(node, k);
        int64_t column;
        rg_status status =
            rg_yaml_int(item, &column, 0, 1000000, "the number of a column, from 0", err);
        if (status)
            return status;
        for (size_t other = 0; other < k; other++)
            if (spec->targets[other] == column)
                return rg_yaml_expected(item, "each column once", err);
        spec->targets[spec->n_targets++] = (uint32_t)column;
    }
    return RG_OK;
}

static rg_status read_task(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, rg_task_words, RG_N_TASKS, err);
    if (!status)
        spec->task = (rg_task)word;
    return status;
}

static rg_status read_preset(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    static const char *const words[] = {"paper"};
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, words, 1, err);
    if (!status)
        spec->paper = true;
    return status;
}

static rg_status read_standardise(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    static const char *const words[] = {"none", "auto"};
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, words, 2, err);
    if (!status)
        spec->standardise = word == 1;
    return status;
}

/* ---- what layers need of each other */

/* Where the n-th input of a layer is named. */
static const rg_yaml *input_node(const rg_layer_spec *layer, const rg_yaml *item, size_t n)
{
    const rg_yaml *node = rg_yaml_find(item, layer->kind->name);
    if (layer->kind->head != RG_HEAD_NAMES) {
        const rg_yaml *of = rg_yaml_find(item, "of");
        node = of ? of : rg_yaml_find(item, "from");
    }
    return rg_spec_thing(node, n);
}

/* Names of layers: each once, and those that are taken are there before. */
static rg_status check_names(const rg_spec *spec, size_t k, const rg_yaml *item, rg_error *err)
{
    const rg_layer_spec *layer = &spec->layers[k];
    bool found = false;
    if (layer->name)
        rg_specs_find(spec->layers, k, layer->name, &found);
    if (found)
        return rg_yaml_complain(rg_yaml_find(item, "name"), err,
                                "found the name '%s' a second time, expected each once",
                                layer->name);
    for (size_t n = 0; n < layer->n_from; n++) {
        rg_specs_find(spec->layers, k, layer->from[n], &found);
        if (!found)
            return rg_yaml_complain(input_node(layer, item, n), err,
                                    "found the layer '%s' as input, expected 'input' or the "
                                    "'name' of a layer before",
                                    layer->from[n]);
    }
    return RG_OK;
}

/* What no single layer can tell. */
static rg_status check_layers(const rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    bool weighs = false;
    rg_status status = RG_OK;
    for (size_t k = 0; k < spec->n_layers; k++)
        weighs |= spec->layers[k].kind->weighs;
    if (!weighs || rg_specs_last(spec->layers, spec->n_layers) == spec->n_layers)
        return rg_yaml_complain(node, err,
                                "found no layer with weights, expected a rule, aggregate or dense "
                                "layer");
    for (size_t k = 0; !status && k < spec->n_layers; k++) {
        const rg_layer_kind *kind = spec->layers[k].kind;
        status = check_names(spec, k, rg_yaml_item(node, k), err);
        if (!status && rg_task_on_nodes(spec->task) && kind->aggregates)
            status =
                rg_yaml_complain(rg_yaml_item(node, k), err,
                                 "found %s %s layer, expected none: %s predicts every node",
                                 kind->outputs ? "an" : "a", kind->name, rg_task_words[spec->task]);
    }
    return status;
}

/* ---- layers */

rg_status rg_spec_read_layers(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_layer_reading past = {.known = known, .n_known = rg_spec_names(spec, known)};
    if (rg_yaml_kind_of(node) != RG_YAML_LIST)
        return rg_yaml_expected(node, "a list of layers", err);
    if (rg_yaml_size(node) == 0 || rg_yaml_size(node) > RG_SPEC_LAYERS_MAX)
        return rg_yaml_complain(node, err, "found %zu layers, expected 1..%d", rg_yaml_size(node),
                                RG_SPEC_LAYERS_MAX);
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(node) && !status; k++)
        status = rg_layer_read(&spec->layers[spec->n_layers++], &past, rg_yaml_item(node, k), err);
    spec->bins = past.bins;
    return status;
}

/* ---- the whole */

static rg_status read_all(rg_spec *spec, const rg_yaml *root, rg_error *err)
{
    /* Labels before what names them. */
    static const struct {
        const char *key;
        rg_status (*read)(rg_spec *spec, const rg_yaml *node, rg_error *err);
    } keys[] = {{"preset", read_preset},         {"task", read_task},
                {"target", read_targets},        {"labels", rg_spec_read_labels},
                {"tables", rg_spec_read_tables}, {"input", rg_spec_read_input},
                {"layers", rg_spec_read_layers}, {"standardise", read_standardise}};
    const rg_yaml *layers = rg_yaml_find(root, "layers");
    if (rg_yaml_kind_of(root) != RG_YAML_MAP)
        return rg_yaml_expected(root, "a map with the key layers", err);
    if (!layers)
        return rg_yaml_complain(root, err, "found no key 'layers', expected a list of layers");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const rg_yaml *node = rg_yaml_find(root, keys[k].key);
        rg_status status = node ? keys[k].read(spec, node, err) : RG_OK;
        if (status)
            return status;
    }
    if (spec->n_signals == 0)
        spec->n_signals = 1; /* zeros: RG_SIGNAL_AUTO */
    return check_layers(spec, layers, err);
}

rg_status rg_spec_from_yaml(rg_spec **out, const rg_yaml *root, rg_error *err)
{
    rg_spec *spec = rg_alloc_zero(1, sizeof *spec);
    if (!spec)
        return rg_fail_memory(err, "reading a network");
    rg_status status = read_all(spec, root, err);
    if (status) {
        rg_spec_free(spec);
        return status;
    }
    *out = spec;
    return RG_OK;
}
