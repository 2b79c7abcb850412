/* gnn_nets.c - from the settings of a named network to its network file: GIN, GraphSAGE, GCN, DGCNN, GSN,
 * and lists of layers. */
#include "gnn.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "text/yaml_edit.h"

#include <stdio.h>
#include <string.h>

static void add_real(rg_text *out, const char *before, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s%s\n", before, number);
}

/* ---- the input: features are signals; some need labelings of their own */

/* A name that no labeling of the file has. */
static void own_name(char out[64], const rg_features_spec *f, const char *word, uint32_t n)
{
    char tail[8] = "";
    bool taken = true;
    while (taken) {
        snprintf(out, 64, "%s%u%s", word, n, tail);
        taken = false;
        for (size_t k = 0; k < f->n_labels; k++)
            taken |= strcmp(f->label_names[k], out) == 0;
        strncat(tail, "_", sizeof tail - strlen(tail) - 1);
    }
}

/* Labels of the features, and the lines of the input. One labeling per size of structures: nodes that
 * differ in triangles alone share all channels but one. */
static void add_structure(rg_text *labels, rg_text *input, const rg_features_spec *f)
{
    char name[64];
    for (uint32_t n = 3; n <= f->cycles; n++) {
        own_name(name, f, "cycles", n);
        rg_text_add(labels, "  %s: cycles(kind=%s, min=%u, max=%u, max_labels=%u)\n", name,
                    f->induced ? "induced" : "simple", n, n, f->most);
        rg_text_add(input, "  - one-hot(%s)\n", name);
    }
    for (uint32_t n = f->cycles ? 4 : 3; n <= f->cliques; n++) {
        own_name(name, f, "cliques", n);
        rg_text_add(labels, "  %s: pattern(clique(%u), max_labels=%u)\n", name, n, f->most);
        rg_text_add(input, "  - one-hot(%s)\n", name);
    }
}

static void add_part(rg_text *labels, rg_text *input, const rg_features_spec *f, rg_feature part)
{
    static const char *const plain[RG_N_FEATURES] = {
        [RG_FEATURE_AUTO] = "labels",       [RG_FEATURE_LABELS] = "one-hot(node,all)",
        [RG_FEATURE_DEGREE] = "degree",     [RG_FEATURE_ATTRIBUTES] = "attributes",
        [RG_FEATURE_CONSTANT] = "constant",
    };
    char name[64];
    if (plain[part])
        rg_text_add(input, "  - %s\n", plain[part]);
    else if (part == RG_FEATURE_STRUCTURE)
        add_structure(labels, input, f);
    else if (part == RG_FEATURE_DEGREE_ONE_HOT) {
        own_name(name, f, "degrees", 1);
        rg_text_add(labels, "  %s: degree\n", name);
        rg_text_add(input, "  - one-hot(%s)\n", name);
    }
    for (size_t k = 0; k < f->n_labels; k++)
        if (part == RG_FEATURE_RULE || part == RG_FEATURE_RULE_SCALED)
            rg_text_add(input, "  - %s(%s)\n", part == RG_FEATURE_RULE ? "one-hot" : "relative",
                        f->label_names[k]);
}

static void add_features(rg_text *out, const rg_features_spec *f)
{
    rg_text labels = {0}, input = {0};
    for (size_t k = 0; k < f->n_labels; k++) {
        rg_text_add(&labels, "  %s: ", f->label_names[k]);
        rg_yaml_print_text(&labels, f->label_specs[k], false);
        rg_text_add(&labels, "\n");
    }
    for (size_t k = 0; k < f->n_parts; k++)
        add_part(&labels, &input, f, f->parts[k]);
    char *first = rg_text_take(&labels), *second = rg_text_take(&input);
    if (!first || !second)
        out->failed = true;
    else
        rg_text_add(out, "%s%sinput:\n%slayers:\n", *first ? "labels:\n" : "", first, second);
    rg_free(first);
    rg_free(second);
}

/* ---- pieces */

static const char *const pooling_words[] = {"sum", "mean", "max"};
static const char *const sage_words[] = {"add", "mean", "?", "max"};

static void add_eps(rg_text *out, bool learned, double eps)
{
    if (learned)
        rg_text_add(out, "    eps: learned\n");
    else
        add_real(out, "    eps: ", eps);
}

static void add_sage(rg_text *out, uint32_t width, rg_gathering gathering, bool own,
                     const char *activation)
{
    rg_text_add(out, "  - sage: %u\n    aggregation: %s\n    self: %s\n    activation: %s\n", width,
                sage_words[gathering], own ? "own" : "shared", activation);
}

/* "[h1, h2, h3]" */
static void add_names(rg_text *out, const char *before, uint32_t n)
{
    rg_text_add(out, "%s[", before);
    for (uint32_t k = 1; k <= n; k++)
        rg_text_add(out, "%sh%u", k > 1 ? ", " : "", k);
    rg_text_add(out, "]\n");
}

/* ---- networks by name */

static void gin(rg_text *out, const rg_gnn_settings *s)
{
    rg_text_add(out, "  - mlp: %u\n", s->width);
    for (uint32_t k = 0; k < s->layers; k++) {
        rg_text_add(out, "  - gin: %u\n", s->width);
        add_eps(out, s->learned, s->eps);
    }
    rg_text_add(out, "  - readout: %s\n", pooling_words[s->pooling]);
    add_real(out, "    dropout: ", s->dropout);
}

static void graphsage(rg_text *out, const rg_gnn_settings *s)
{
    for (uint32_t k = 1; k <= s->layers; k++) {
        add_sage(out, s->width, s->gathering, s->own, "identity");
        if (s->gathering == RG_GATHER_MAX) /* one dense layer, the same behind all */
            rg_text_add(out, "  - dense: %u\n    activation: relu\n", s->width);
        if (s->gathering == RG_GATHER_MAX && k > 1)
            rg_text_add(out, "    weights: h1\n");
        rg_text_add(out, "    name: h%u\n", k);
    }
    add_names(out, "  - pool: max\n    of: ", s->layers);
    rg_text_add(out, "  - dense: %u\n    activation: relu\n  - dense: auto\n", s->width);
}

static void gcn(rg_text *out, const rg_gnn_settings *s)
{
    for (uint32_t k = 0; k < s->layers; k++)
        rg_text_add(out, "  - gcn: %u\n", s->width);
    rg_text_add(out, "  - pool: %s\n", pooling_words[s->pooling]);
    add_real(out, "  - dropout: ", s->dropout);
    rg_text_add(out, "  - dense: auto\n");
}

enum { FIRST_FILTERS = 16, SECOND_FILTERS = 32, WINDOW = 5 }; /* of DGCNN, as published */

static void dgcnn(rg_text *out, const rg_gnn_settings *s)
{
    for (uint32_t k = 1; k <= s->layers + 1; k++) { /* the last layer has the channel to sort by */
        add_sage(out, k <= s->layers ? s->width : 1, RG_GATHER_MEAN, false, "tanh");
        rg_text_add(out, "    name: h%u\n", k);
    }
    add_names(out, "  - concat: ", s->layers + 1);
    add_real(out, "  - sort-pool: ", s->part > 0 ? s->part : s->rows);
    rg_text_add(out,
                "    least: %d\n    sort: %s\n  - conv1d: %d\n  - max-pool: 2\n  - conv1d: %d\n"
                "    size: %d\n  - dense: %u\n    activation: relu\n",
                2 * WINDOW, s->ordered ? "channels" : "nodes", FIRST_FILTERS, SECOND_FILTERS,
                WINDOW, s->dense);
    add_real(out, "  - dropout: ", s->dropout);
    rg_text_add(out, "  - dense: auto\n");
}

/* ---- all */

/* `uniform` of these networks goes by the inputs of a number, as PyTorch's start does. */
static void add_training(rg_text *out, const rg_settings *training)
{
    rg_settings s = *training;
    rg_error ignored;
    char *text = NULL;
    if (s.start == RG_START_UNIFORM)
        s.start = RG_START_FAN_IN;
    if (rg_settings_print(&text, &s, &ignored))
        out->failed = true;
    else
        rg_text_add(out, "%s", text);
    rg_free(text);
}

void rg_gnn_network(rg_text *out, const void *settings)
{
    const rg_gnn_settings *s = settings;
    add_features(out, &s->features);
    switch (s->kind) {
    case RG_GNN_GIN:
    case RG_GNN_GSN:
        gin(out, s);
        break;
    case RG_GNN_GRAPHSAGE:
        graphsage(out, s);
        break;
    case RG_GNN_GCN:
        gcn(out, s);
        break;
    case RG_GNN_DGCNN:
        dgcnn(out, s);
        break;
    case RG_GNN_LAYERS:
    case RG_N_GNNS:
        rg_gnn_list_network(out, s);
        break;
    }
    add_training(out, &s->training);
}
