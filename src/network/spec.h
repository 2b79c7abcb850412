/* spec.h - a network as its file says it, before any data.
 *
 * Plain data: which labelings there are, what comes in, the layers in order, what is learned. The
 * words of the file and what each means stand in docs/networks.md. A spec is checked in itself
 * (names, ranges, rules that parse); whether it fits a data set is a matter of rg_network_build. */
#ifndef REGULA_NETWORK_SPEC_H
#define REGULA_NETWORK_SPEC_H

#include "layer/layer.h"

enum {
    RG_SPEC_TARGETS_MAX = 64, /* columns of targets */
    RG_SPEC_SIGNALS_MAX = 64, /* kinds of input that stand side by side */
};

typedef enum rg_task {
    RG_TASK_AUTO,       /* by the data: classes, several columns of two classes, or real values */
    RG_TASK_CLASSES,    /* "classification": one class per sample */
    RG_TASK_VALUES,     /* "regression": one or more real values a sample */
    RG_TASK_MULTILABEL, /* "multi-label": several yes-or-no answers a sample */
    RG_TASK_NODES,      /* "node-classification": one class per node, by a column of node labels */
    RG_TASK_NODE_VALUES /* "node-regression": one or more real values per node */
} rg_task;

/* What tasks have in common: outputs of nodes; one class per row of outputs; real values. */
static inline bool rg_task_on_nodes(rg_task task)
{
    return task == RG_TASK_NODES || task == RG_TASK_NODE_VALUES;
}
static inline bool rg_task_of_classes(rg_task task)
{
    return task == RG_TASK_CLASSES || task == RG_TASK_NODES;
}
static inline bool rg_task_of_values(rg_task task)
{
    return task == RG_TASK_VALUES || task == RG_TASK_NODE_VALUES;
}

typedef enum rg_signal_kind {
    RG_SIGNAL_AUTO,     /* graphs: signed if nodes have labels, else constant; arrays: values */
    RG_SIGNAL_SIGNED,   /* (r+1)/R (-1)^r, r the rank of the node label among R */
    RG_SIGNAL_SCALED,   /* value of the node label / R */
    RG_SIGNAL_CONSTANT, /* `value` everywhere */
    RG_SIGNAL_ONE_HOT,  /* a channel for each label of a labeling, or of a column of node labels */
    RG_SIGNAL_ATTRIBUTES, /* a channel for each node attribute */
    RG_SIGNAL_VALUES,     /* arrays only: the values of the sample */
    RG_SIGNAL_LABELS,     /* one-hot, every column of node labels; a set without: the degree */
    RG_SIGNAL_DEGREE,     /* how many neighbours */
    RG_SIGNAL_RELATIVE,   /* a label of a labeling over the largest in the graph */
    RG_SIGNAL_COUNT /* a channel for each number of a labeling that counts: how many, not which class */
} rg_signal_kind;

#define RG_ALL_COLUMNS UINT32_MAX

typedef struct rg_signal {
    rg_signal_kind kind;
    char *
        labeling; /* ONE_HOT, RELATIVE: its name; NULL: column of the node labels. COUNT: its spec. Owned */
    uint32_t column; /* RG_ALL_COLUMNS: each of them, one signal each once data are there */
    double value;
} rg_signal;

typedef struct rg_spec {
    bool paper; /* "preset: paper" */
    bool
        standardise; /* attributes, counts and real targets get mean 0 and deviation 1 on the training part */
    rg_task task;
    uint32_t targets[RG_SPEC_TARGETS_MAX]; /* columns, each once */
    size_t n_targets;                      /* 0: all there are (NODES, CLASSES: column 0) */
    rg_signal signals[RG_SPEC_SIGNALS_MAX];
    size_t n_signals;                                                        /* at least one */
    char *label_names[RG_SPEC_LABELS_MAX], *label_specs[RG_SPEC_LABELS_MAX]; /* owned */
    size_t n_labels;
    char *table_names[RG_SPEC_TABLES_MAX], *table_paths[RG_SPEC_TABLES_MAX]; /* owned */
    size_t n_tables;
    rg_layer_spec layers[RG_SPEC_LAYERS_MAX];
    size_t n_layers;
    bool
        bins; /* a rule has bins: the network needs the training part, whatever else it is fitted on */
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

/* Words of the file, for messages and tables: "tanh", "classification", ... Static. */
const char *rg_task_name(rg_task task);

#endif
