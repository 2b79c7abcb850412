/* candidate.h - rules to try: one choice per axis, and the network file that they give.
 *
 * A candidate is a function of the space, the seed and its number: the first ones are models of the
 * paper and what is known to be better, the others are drawn with weights that favour what did well
 * before. Some axes mean nothing to some candidates (depth, without Weisfeiler-Leman); they pick
 * RG_PICK_NONE there, so that equal candidates have equal picks. */
#ifndef REGULA_SEARCH_CANDIDATE_H
#define REGULA_SEARCH_CANDIDATE_H

#include "regula/dataset.h"
#include "regula/metric.h"

#include <stdbool.h>

typedef enum rg_candidate_axis {
    RG_AXIS_LABELS, /* of the rule */
    RG_AXIS_DEPTH,  /* of Weisfeiler-Leman */
    RG_AXIS_BOUND,  /* on the number of labels */
    RG_AXIS_CYCLES, /* longest cycle that labels count */
    RG_AXIS_REACH,  /* largest distance */
    RG_AXIS_LEAST,  /* least distance */
    RG_AXIS_BONDS,  /* a second rule, by labels of edges */
    RG_AXIS_LAYERS, /* of rules */
    RG_AXIS_HEADS,
    RG_AXIS_POOL,   /* labels of the aggregation */
    RG_AXIS_RATE,   /* of learning */
    RG_AXIS_BATCH,  /* samples of a step */
    RG_AXIS_DEPTHS, /* one, or all up to it in one layer */
    RG_AXIS_SCHEDULE,
    RG_AXIS_DROPOUT,
    RG_AXIS_BEST,  /* what the best epoch is chosen by */
    RG_AXIS_INPUT, /* with attributes of nodes? */
    RG_AXES
} rg_candidate_axis;

enum { RG_PICK_NONE = 255, RG_CHOICES_MAX = 10 };

typedef struct rg_candidate {
    uint8_t pick[RG_AXES];
} rg_candidate;

/* What a data set lets one choose. */
typedef struct rg_candidate_space {
    bool node_labels, edge_labels, attributes;
    bool classes;     /* to be learned, else real values */
    rg_metric metric; /* of all candidates; DEFAULT: accuracy or mean absolute error */
    double weight[RG_AXES][RG_CHOICES_MAX]; /* how often a choice is drawn; 0: never */
    uint32_t reach;                         /* largest distance that rules may ask for */
} rg_candidate_space;

/* Looks at the data. Rules with more than max_pairs connections are left out, as a sample of the
 * graphs tells. Cost: walks to distance 15 from every node of at most 200 graphs. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_candidate_space_make(rg_candidate_space *out, const rg_dataset *data,
                                                double max_pairs, rg_error *err);

/* Candidate `number` after those that are there, n of them. False: nothing new was found. */
bool rg_candidate_draw(rg_candidate *out, const rg_candidate_space *space, uint64_t seed,
                       const rg_candidate *there, size_t n);

/* Words for tables, static: "labels", "wl of node labels". NULL: no such choice. */
const char *rg_candidate_axis_name(rg_candidate_axis axis);
const char *rg_candidate_choice(rg_candidate_axis axis, size_t pick);

/* The network file of a candidate that trains for so many epochs; if they are fewer than `all`, the
 * schedule is that much faster. Owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_candidate_text(char **out, const rg_candidate_space *space,
                                          const rg_candidate *candidate, uint32_t epochs,
                                          uint32_t all, rg_error *err);
/* The candidate in one line, for people. Owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_candidate_line(char **out, const rg_candidate_space *space,
                                          const rg_candidate *candidate, rg_error *err);

/* For the texts: what was picked. */
typedef enum rg_label_pick {
    RG_LABELS_WL_NODE,
    RG_LABELS_WL_BONDS,
    RG_LABELS_WL_CYCLES,
    RG_LABELS_WL_DEGREE,
    RG_LABELS_NODE_CYCLES,
    RG_LABELS_NODE,
    RG_LABELS_CYCLES,
    RG_LABELS_DEGREE,
    RG_LABELS_PATTERNS,
    RG_LABELS_CLIQUES
} rg_label_pick;
typedef enum rg_pool_pick {
    RG_POOL_ALL, /* labels of the rule, without their bound */
    RG_POOL_SAME,
    RG_POOL_CYCLES,
    RG_POOL_NODE
} rg_pool_pick;
/* The number that a choice stands for: depth, bound, distance, ...; 0 for RG_PICK_NONE. */
double rg_candidate_value(rg_candidate_axis axis, size_t pick);

#endif
