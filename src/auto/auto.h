/* auto.h - choosing a network from the inside.
 *
 *     data ──look.c──> facts ──choose.c──> plan ──write.c──> network file and reasons */
#ifndef REGULA_AUTO_AUTO_H
#define REGULA_AUTO_AUTO_H

#include "network/spec.h"
#include "regula/auto.h"
#include "text/text.h"

enum {
    RG_AUTO_REACH_MAX = 10,
    RG_AUTO_SPEC_MAX = 512,
    RG_AUTO_LABELS_MAX = 8,
    RG_AUTO_RULES_MAX = 8
};

/* What is known of a set of graphs or arrays. */
typedef struct rg_auto_facts {
    const rg_source *source;
    const rg_auto_options *options;
    size_t n_samples, n_train; /* n_train: of one fold */
    rg_task task;              /* CLASSES, VALUES or MULTILABEL */
    size_t n_outputs;          /* classes, answers or values */
    double majority;           /* of the training targets; NaN: real values */
    /* of graphs */
    double nodes, neighbours; /* means */
    uint32_t most_neighbours;
    size_t n_label_columns, n_labels; /* of nodes; different values in column 0 */
    size_t n_bonds;                   /* different labels of edges, in column 0 */
    bool atoms;          /* nodes are atoms: node labels are called element, charge, ... */
    size_t n_attributes; /* of nodes */
    size_t n_categories; /* attributes that are whole numbers, of few values */
    bool texts;          /* nodes are words or letters */
    double pairs[RG_AUTO_REACH_MAX +
                 1];  /* pairs at distance 0 .. d in the whole set, as a sample tells */
    uint32_t *sample; /* graphs that labels are tried on, owned */
    size_t n_sample;
} rg_auto_facts;

/* out: ends with rg_auto_facts_clear, also on failure. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_auto_look(rg_auto_facts *out, const rg_source *source,
                                     const rg_fold *folds, size_t n_folds,
                                     const rg_auto_options *options, rg_error *err);
void rg_auto_facts_clear(rg_auto_facts *facts);
/* The part of the nodes of the sample whose label occurs often enough to be learned from, 0 .. 1, and
 * how many labels there are. RG_EFAIL (stopped), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_auto_repeat(double *repeat, uint32_t *n_labels,
                                       const rg_auto_facts *facts, const char *spec, rg_error *err);

/* A labeling of the plan, and how well it carries over. */
typedef struct rg_auto_label {
    const char *name; /* kind, near, far, ... */
    char spec[RG_AUTO_SPEC_MAX];
    const char *why; /* for the comment */
    double repeat;
    uint32_t n;
} rg_auto_label;

/* What is written down. All texts but specs are static or of the options. */
typedef struct rg_auto_plan {
    rg_auto_label labels[RG_AUTO_LABELS_MAX];
    size_t n_labels;
    const char *input[2];
    size_t n_input;
    bool standardise;
    struct {
        const char *left, *right; /* labels of i and j */
    } rules[RG_AUTO_RULES_MAX];
    size_t n_rules;
    unsigned reach;
    bool bonds;       /* and a rule for what joins neighbours */
    const char *bias; /* label; NULL: none */
    bool messages;    /* message passing layers in place of rules: for real values of molecules */
    unsigned heads;
    bool mix; /* every head reads all inputs */
    const char *activation;
    double dropout;
    const char *pools[RG_AUTO_LABELS_MAX]; /* labels of the aggregation */
    size_t n_pools;
    bool sum;         /* the aggregation adds up */
    bool bounded;     /* outputs are between -1 and 1 */
    unsigned hidden;  /* width behind it; 0: it gives the outputs */
    double lr, decay; /* decay: of AdamW; 0: Adam */
    unsigned epochs, batch;
    const char *best, *metric; /* metric: NULL: the default */
    bool balanced;
} rg_auto_plan;

/* RG_EFAIL (stopped), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_auto_choose(rg_auto_plan *out, const rg_auto_facts *facts,
                                       rg_error *err);
void rg_auto_write(rg_text *network, rg_text *reasons, const rg_auto_plan *plan,
                   const rg_auto_facts *facts);

#endif
