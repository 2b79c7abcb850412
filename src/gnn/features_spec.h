/* features_spec.h - initial node features of message passing networks.
 *
 * Parts stand side by side: one-hot parts (a node has a one in at most one column of each) and
 * dense ones. A first linear layer needs no matrix of them: the one in column c picks row c of its
 * weights. The words of the settings and what each means stand in docs/baselines.md. Features are a
 * function of the graph alone: they depend neither on the order of nodes nor on the number of
 * threads. */
#ifndef REGULA_GNN_FEATURES_SPEC_H
#define REGULA_GNN_FEATURES_SPEC_H

#include "network/spec.h"

typedef enum rg_feature {
    RG_FEATURE_AUTO,           /* labels if the set has node labels, else degree */
    RG_FEATURE_LABELS,         /* one-hot, each column of node labels */
    RG_FEATURE_DEGREE,         /* one number */
    RG_FEATURE_DEGREE_ONE_HOT, /* */
    RG_FEATURE_ATTRIBUTES,     /* a number each, as they are */
    RG_FEATURE_CONSTANT,       /* 1 */
    RG_FEATURE_RULE,           /* one-hot, each labeling of `labels` or of `network` */
    RG_FEATURE_RULE_SCALED,    /* a number each: the label over the largest of the graph */
    RG_FEATURE_STRUCTURE,      /* one-hot, counts of cycles and cliques through the node, by size */
    RG_N_FEATURES
} rg_feature;

/* What is asked for. Plain data; ends with rg_features_spec_clear. Zeros: no parts. */
typedef struct rg_features_spec {
    rg_feature parts[RG_N_FEATURES]; /* each at most once */
    size_t n_parts;
    char *label_names[RG_SPEC_LABELS_MAX], *label_specs[RG_SPEC_LABELS_MAX]; /* of rules; owned */
    size_t n_labels;
    uint32_t cycles;  /* structure: longest cycles, from 3 nodes; 0: none */
    uint32_t cliques; /* largest cliques, from (cycles ? 4 : 3) nodes; 0: none */
    bool induced;     /* cycles without chords only */
    uint32_t most;    /* structure: columns a size, the last for all rarer counts */
} rg_features_spec;

/* The keys of a model's map that are read here, for rg_yaml_keys. */
enum { RG_N_FEATURES_KEYS = 4 };
extern const char *const rg_features_keys[RG_N_FEATURES_KEYS];

/* From the map of a model; keys that are not there have the defaults, `features` those given here.
 * A network file is looked for beside the file that names it, then where the program runs; only its
 * labels are kept. out: untouched on failure. RG_EDATA with line and column, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_features_spec_read(rg_features_spec *out, const rg_yaml *root,
                                              const rg_feature *defaults, size_t n_defaults,
                                              rg_error *err);
void rg_features_spec_clear(rg_features_spec *spec);
/* Adds the normal form, "features: [labels, degree]\n" and whatever else matters for these parts;
 * it reads back as an equal spec and names no file. */
void rg_features_spec_print(rg_text *out, const rg_features_spec *spec);

#endif
