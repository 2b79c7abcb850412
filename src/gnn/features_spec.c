/* features_spec.c - the keys features, network, labels and structure of a model; see features_spec.h. */
#include "features_spec.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "network/spec_parts.h"
#include "text/yaml_edit.h"

#include <string.h>

const char *const rg_features_keys[RG_N_FEATURES_KEYS] = {"features", "network", "labels",
                                                          "structure"};

static const char *const words[RG_N_FEATURES] = {"auto",           "labels",      "degree",
                                                 "degree-one-hot", "attributes",  "constant",
                                                 "rule",           "rule-scaled", "structure"};

enum { CYCLES = 6, CLIQUES = 5, MOST = 100 }; /* the defaults of `structure` */

static bool has(const rg_features_spec *spec, rg_feature part)
{
    for (size_t k = 0; k < spec->n_parts; k++)
        if (spec->parts[k] == part)
            return true;
    return false;
}

static bool needs_labels(const rg_features_spec *spec)
{
    return has(spec, RG_FEATURE_RULE) || has(spec, RG_FEATURE_RULE_SCALED);
}

void rg_features_spec_clear(rg_features_spec *spec)
{
    for (size_t k = 0; k < spec->n_labels; k++) {
        rg_free(spec->label_names[k]);
        rg_free(spec->label_specs[k]);
    }
    *spec = (rg_features_spec){0};
}

/* ---- features */

static rg_status read_parts(rg_features_spec *spec, const rg_yaml *node, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    if (n == 0)
        return rg_yaml_complain(node, err, "found no features, expected at least one");
    for (size_t k = 0; k < n; k++) {
        const rg_yaml *item = rg_spec_thing(node, k);
        size_t word = 0;
        rg_status status = rg_yaml_word(item, &word, words, RG_N_FEATURES, err);
        if (status)
            return status;
        if (has(spec, (rg_feature)word))
            return rg_yaml_complain(item, err, "found '%s' a second time, expected each once",
                                    words[word]);
        spec->parts[spec->n_parts++] = (rg_feature)word;
        if (has(spec, RG_FEATURE_AUTO) &&
            (has(spec, RG_FEATURE_LABELS) || has(spec, RG_FEATURE_DEGREE)))
            return rg_yaml_complain(item, err,
                                    "found '%s' beside others, expected either 'auto', which is "
                                    "labels or degree, or these",
                                    words[word]);
    }
    return RG_OK;
}

/* ---- labels, and the network that has them */

/* Names and specs of labelings become the spec's. */
static void take_labels(rg_features_spec *spec, rg_spec *network)
{
    for (size_t k = 0; k < network->n_labels; k++) {
        spec->label_names[k] = network->label_names[k];
        spec->label_specs[k] = network->label_specs[k];
    }
    spec->n_labels = network->n_labels;
    network->n_labels = 0;
}

static rg_status read_labels(rg_features_spec *spec, const rg_yaml *node, rg_error *err)
{
    rg_spec *network = rg_alloc_zero(1, sizeof *network);
    if (!network)
        return rg_fail_memory(err, "features");
    rg_status status = rg_spec_read_labels(network, node, err);
    if (!status && network->n_labels == 0)
        status = rg_yaml_complain(node, err, "found no labeling, expected at least one");
    if (!status)
        take_labels(spec, network);
    rg_spec_free(network);
    return status;
}

/* Beside the file that the node stood in, if it is there, else as it stands. Owned. */
static rg_status find_file(char **out, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    char *directory = rg_path_directory(rg_yaml_name(node));
    char *path = directory ? rg_path_join(directory, text) : NULL;
    rg_free(directory);
    if (path && (text[0] == '/' || !rg_path_exists(path))) {
        rg_free(path);
        path = rg_copy_text(text, strlen(text));
    }
    if (!path)
        return rg_fail_memory(err, "features");
    if (!rg_path_exists(path)) {
        rg_free(path);
        rg_yaml_complain(node, err, "cannot find '%s'", text);
        return RG_EIO;
    }
    *out = path;
    return RG_OK;
}

static rg_status read_file(rg_yaml **out, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    char *path = NULL;
    if (!text || !*text)
        return rg_yaml_expected(node, "a network file or a map such as in one", err);
    rg_status status = find_file(&path, node, err);
    if (!status)
        status = rg_yaml_read(out, path, err);
    rg_free(path);
    return status;
}

static rg_status read_network(rg_features_spec *spec, const rg_yaml *node, rg_error *err)
{
    rg_yaml *file = NULL;
    rg_spec *network = NULL;
    rg_status status = RG_OK;
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        status = read_file(&file, node, err);
    if (!status)
        status = rg_spec_from_yaml(&network, file ? file : node, err);
    if (!status && network->n_labels == 0)
        status = rg_yaml_complain(node, err,
                                  "found a network without labels, expected some: they are the "
                                  "features");
    if (!status)
        take_labels(spec, network);
    rg_spec_free(network);
    rg_yaml_free(file);
    return status;
}

/* ---- structure */

static rg_status read_structure(rg_features_spec *spec, const rg_yaml *node, rg_error *err)
{
    static const char *const known[] = {"cycles", "cliques", "kind", "most"};
    static const char *const kinds[] = {"simple", "induced"};
    const rg_yaml *item;
    int64_t cycles = spec->cycles, cliques = spec->cliques, most = spec->most;
    size_t kind = 0;
    rg_status status = rg_yaml_keys(node, known, sizeof known / sizeof *known, err);
    if (!status && (item = rg_yaml_find(node, "cycles")))
        status =
            rg_yaml_int(item, &cycles, 0, 64, "0 (none) or the most nodes of a cycle, 3..64", err);
    if (!status && cycles > 0 && cycles < 3)
        status = rg_yaml_expected(item, "0 (none) or the most nodes of a cycle, 3..64", err);
    if (!status && (item = rg_yaml_find(node, "cliques")))
        status = rg_yaml_int(item, &cliques, 0, 16, "0 (none) or the most nodes of a clique, 3..16",
                             err);
    if (!status && cliques > 0 && cliques < 3)
        status = rg_yaml_expected(item, "0 (none) or the most nodes of a clique, 3..16", err);
    if (!status && (item = rg_yaml_find(node, "kind")))
        status = rg_yaml_word(item, &kind, kinds, 2, err);
    if (!status && (item = rg_yaml_find(node, "most")))
        status = rg_yaml_int(item, &most, 2, 1000000, NULL, err);
    if (!status && cycles == 0 && cliques == 0)
        status = rg_yaml_complain(node, err, "found neither cycles nor cliques, expected some");
    if (status)
        return status;
    spec->cycles = (uint32_t)cycles;
    spec->cliques = (uint32_t)cliques;
    spec->induced = kind == 1;
    spec->most = (uint32_t)most;
    return RG_OK;
}

/* ---- the whole */

/* A key that no part reads is a mistake: say so instead of leaving it unused. */
static rg_status check(const rg_features_spec *spec, const rg_yaml *root, rg_error *err)
{
    const rg_yaml *network = rg_yaml_find(root, "network"), *labels = rg_yaml_find(root, "labels"),
                  *structure = rg_yaml_find(root, "structure"),
                  *features = rg_yaml_find(root, "features");
    if (network && labels)
        return rg_yaml_complain(labels, err,
                                "found labels beside a network, which has its own: expected one of "
                                "the two");
    const rg_yaml *layers = rg_yaml_find(root, "layers"); /* a list of them may have rules */
    bool listed = layers && rg_yaml_kind_of(layers) == RG_YAML_LIST;
    if ((network || labels) && !needs_labels(spec) && !listed)
        return rg_yaml_complain(network ? network : labels, err,
                                "found labels that no feature uses, expected features: rule or "
                                "rule-scaled");
    if (needs_labels(spec) && !network && !labels)
        return rg_yaml_complain(features ? features : root, err,
                                "found features: rule without labels, expected the key network or "
                                "labels");
    if (structure && !has(spec, RG_FEATURE_STRUCTURE))
        return rg_yaml_complain(structure, err,
                                "found structure that no feature uses, expected features: "
                                "structure");
    return RG_OK;
}

static rg_status read_all(rg_features_spec *spec, const rg_yaml *root, const rg_feature *defaults,
                          size_t n_defaults, rg_error *err)
{
    const rg_yaml *features = rg_yaml_find(root, "features"), *item;
    rg_status status = RG_OK;
    if (features)
        status = read_parts(spec, features, err);
    else
        for (size_t k = 0; k < n_defaults; k++)
            spec->parts[spec->n_parts++] = defaults[k];
    if (!status)
        status = check(spec, root, err);
    if (!status && (item = rg_yaml_find(root, "network")))
        status = read_network(spec, item, err);
    if (!status && (item = rg_yaml_find(root, "labels")))
        status = read_labels(spec, item, err);
    if (!status && (item = rg_yaml_find(root, "structure")))
        status = read_structure(spec, item, err);
    return status;
}

rg_status rg_features_spec_read(rg_features_spec *out, const rg_yaml *root,
                                const rg_feature *defaults, size_t n_defaults, rg_error *err)
{
    rg_features_spec spec = {.cycles = CYCLES, .cliques = CLIQUES, .most = MOST};
    rg_status status = read_all(&spec, root, defaults, n_defaults, err);
    if (status) {
        rg_features_spec_clear(&spec);
        return status;
    }
    *out = spec;
    return RG_OK;
}

void rg_features_spec_print(rg_text *out, const rg_features_spec *spec)
{
    rg_text_add(out, "features: [");
    for (size_t k = 0; k < spec->n_parts; k++)
        rg_text_add(out, "%s%s", k ? ", " : "", words[spec->parts[k]]);
    rg_text_add(out, "]\n");
    if (spec->n_labels)
        rg_text_add(out, "labels:\n");
    for (size_t k = 0; k < spec->n_labels; k++) {
        rg_text_add(out, "  %s: ", spec->label_names[k]);
        rg_yaml_print_text(out, spec->label_specs[k], false);
        rg_text_add(out, "\n");
    }
    if (has(spec, RG_FEATURE_STRUCTURE))
        rg_text_add(out, "structure: {cycles: %u, cliques: %u, kind: %s, most: %u}\n", spec->cycles,
                    spec->cliques, spec->induced ? "induced" : "simple", spec->most);
}
