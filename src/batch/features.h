/* features.h - initial node features of message passing networks.
 *
 * Parts stand side by side: one-hot parts (a node has a one in at most one column of each) and
 * dense ones. A first linear layer needs no matrix of them: the one in column c picks row c of its
 * weights. The words of the settings and what each means stand in docs/baselines.md. Features are a
 * function of the graph alone: they depend neither on the order of nodes nor on the number of
 * threads. */
#ifndef REGULA_BATCH_FEATURES_H
#define REGULA_BATCH_FEATURES_H

#include "baseline/baseline.h"
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

#define RG_NO_COLUMN UINT32_MAX

/* Features of all nodes of a set; a node is a number inside the set. Never changes; any thread may
 * read it. Arrays are its own. */
typedef struct rg_features {
    uint64_t n_nodes;
    uint32_t n_hot;    /* one-hot parts: ones that a node may have */
    uint32_t n_sparse; /* columns of them: 0 .. n_sparse-1 */
    uint32_t n_dense;  /* columns n_sparse .. width-1 */
    uint32_t width;
    uint32_t *hot; /* [node][n_hot]: the column of the one, or RG_NO_COLUMN where the fit has seen
                      nothing like it */
    double *dense; /* [node][n_dense] */
} rg_features;

/* Vocabularies come from the samples of options->fit. out: owned (rg_features_free), untouched on
 * failure. Cost: that of the labelings. RG_EDATA (the set lacks what a part needs, or an attribute
 * is not finite), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_features_build(rg_features **out, const rg_features_spec *spec,
                                          const rg_dataset *data,
                                          const rg_baseline_options *options, rg_error *err);
void rg_features_free(rg_features *features);            /* NULL is fine */
uint64_t rg_features_bytes(const rg_features *features); /* of the arrays */

#endif
