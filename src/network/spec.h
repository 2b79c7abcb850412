/* spec.h - a network as its file says it, before any data.
 *
 * Plain data: which labelings there are, what comes in, the layers in order, what is learned. The
 * words of the file and what each means stand in docs/networks.md. A spec is checked in itself
 * (names, ranges, rules that parse); whether it fits a data set is a matter of rg_network_build. */
#ifndef REGULA_NETWORK_SPEC_H
#define REGULA_NETWORK_SPEC_H

#include "math/kernels.h"
#include "regula/rule.h"
#include "text/yaml.h"

enum {
    RG_SPEC_TARGETS_MAX = 64, /* columns of targets */
    RG_SPEC_LABELS_MAX = 16,  /* labelings of one network */
    RG_SPEC_LAYERS_MAX = 64,  /* layers */
    RG_SPEC_RULES_MAX = 8,    /* rules that add up in one layer */
    RG_SPEC_SIGNALS_MAX = 8,  /* kinds of input that stand side by side */
    RG_SPEC_CHANNELS_MAX = 4096
};

typedef enum rg_task {
    RG_TASK_AUTO,       /* by the data: classes, several columns of two classes, or real values */
    RG_TASK_CLASSES,    /* "classification": one class per sample */
    RG_TASK_VALUES,     /* "regression": one or more real values a sample */
    RG_TASK_MULTILABEL, /* "multi-label": several yes-or-no answers a sample */
    RG_TASK_NODES       /* "node-classification": one class per node, by a column of node labels */
} rg_task;

typedef enum rg_signal_kind {
    RG_SIGNAL_AUTO,     /* graphs: signed if nodes have labels, else constant; arrays: values */
    RG_SIGNAL_SIGNED,   /* (r+1)/R (-1)^r, r the rank of the node label among R */
    RG_SIGNAL_SCALED,   /* value of the node label / R */
    RG_SIGNAL_CONSTANT, /* `value` everywhere */
    RG_SIGNAL_ONE_HOT,  /* a channel for each label of a labeling, or of a column of node labels */
    RG_SIGNAL_ATTRIBUTES, /* a channel for each node attribute */
    RG_SIGNAL_VALUES      /* arrays only: the values of the sample */
} rg_signal_kind;

typedef struct rg_signal {
    rg_signal_kind kind;
    char *labeling; /* ONE_HOT: its name; NULL: column of the node labels. Owned */
    uint32_t column;
    double value;
} rg_signal;

typedef enum rg_layer_kind {
    RG_LAYER_RULE,      /* nodes to nodes, or shape to shape */
    RG_LAYER_AGGREGATE, /* nodes to a vector */
    RG_LAYER_DENSE,     /* on the channels of every node, or on the vector */
    RG_LAYER_DROPOUT,
    RG_LAYER_NORM, /* over the channels of every node, or over the vector */
    RG_LAYER_ACTIVATION
} rg_layer_kind;

typedef struct rg_layer_spec {
    rg_layer_kind kind;
    size_t line;                    /* of the file, for messages; 0: none */
    char *rules[RG_SPEC_RULES_MAX]; /* RULE, AGGREGATE: texts, owned; their outputs add up */
    size_t n_rules;
    char *bias;          /* RULE: the text of its rule, owned; NULL: no bias */
    bool has_bias;       /* AGGREGATE, DENSE: one value per output */
    uint32_t width;      /* RULE: heads; AGGREGATE, DENSE: outputs; 0: not said */
    bool full;           /* RULE: "mix: full" */
    bool mean;           /* AGGREGATE: divide by the number of nodes */
    rg_rule_shape shape; /* RULE on shapes: the shape that comes out; rows 0: none */
    bool has_activation; /* said in the file; else the default of its place */
    rg_activation activation;
    bool residual;  /* RULE, DENSE: the input is added after the activation */
    double dropout; /* DROPOUT: probability */
} rg_layer_spec;

typedef struct rg_spec {
    bool paper; /* "preset: paper" */
    rg_task task;
    uint32_t targets[RG_SPEC_TARGETS_MAX]; /* columns, each once */
    size_t n_targets;                      /* 0: all there are (NODES, CLASSES: column 0) */
    rg_signal signals[RG_SPEC_SIGNALS_MAX];
    size_t n_signals;                                                        /* at least one */
    char *label_names[RG_SPEC_LABELS_MAX], *label_specs[RG_SPEC_LABELS_MAX]; /* owned */
    size_t n_labels;
    rg_layer_spec layers[RG_SPEC_LAYERS_MAX];
    size_t n_layers;
} rg_spec;

/* The keys of a network file that are read here (the rest is training): from the tree of the whole
 * file. Rules and specs of labelings are kept in their normal forms. out: owned (rg_spec_free),
 * untouched on failure. Every complaint is RG_EDATA with file, line and column; one about a rule or
 * the spec of a labeling also says what rg_rule_parse or rg_labeling_check says. RG_EIO (a pattern
 * of a labeling lies in a file that cannot be read), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_from_yaml(rg_spec **out, const rg_yaml *root, rg_error *err);
void rg_spec_free(rg_spec *spec); /* NULL is fine */

/* As a file again, in one normal form that reads back as an equal spec but for the lines: what a
 * model keeps. Owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_print(char **out, const rg_spec *spec, rg_error *err);

/* The last rule, aggregate or dense layer: the one that gives the outputs. There always is one. */
size_t rg_spec_last(const rg_spec *spec);
/* What the layer ends with: what the file says, else tanh, but identity in the layer that gives the
 * outputs unless `paper`; identity where there is nothing to activate (dropout, norm). */
rg_activation rg_spec_activation(const rg_spec *spec, size_t layer);

/* Words of the file, for messages and tables: "tanh", "classification", ... Static. */
const char *rg_activation_name(rg_activation activation);
const char *rg_task_name(rg_task task);

#endif
