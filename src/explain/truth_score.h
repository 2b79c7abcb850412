/* truth_score.h - how good explanations are: against known causes, by taking nodes away, under another
 * order of nodes and against other models. */
#ifndef REGULA_EXPLAIN_TRUTH_SCORE_H
#define REGULA_EXPLAIN_TRUTH_SCORE_H

#include "explain.h"
#include "truth.h"

/* What each node of some graphs does for the class that its graph has (of the data), on the axis of
 * rg_explainer_axis. */
typedef struct rg_node_effects {
    size_t n_graphs;
    size_t *first;  /* [graph + 1] of the list: its nodes; owned */
    double *values; /* owned */
} rg_node_effects;

/* out: ends with rg_node_effects_free, untouched on failure. RG_EUSAGE (not a classifier of graphs; no
 * such graph), RG_EDATA (no targets), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explainer_node_effects(rg_node_effects *out, rg_explainer *explainer,
                                                  const uint32_t *graphs, size_t n, rg_error *err);
void rg_node_effects_free(rg_node_effects *effects);

/* Means over the graphs; of several causes of a graph the best one counts. */
typedef struct rg_truth_score {
    double auroc;   /* of nodes of the cause against the others, ties half; NaN: nowhere defined */
    size_t n_auroc; /* graphs in which the cause is not all nodes */
    double
        jaccard; /* with as many top nodes as the cause has; of nodes that tie the expected part */
    size_t n;
} rg_truth_score;

/* graphs: those of the effects; of each a cause is known, others are passed over. */
rg_truth_score rg_truth_judge(const rg_node_effects *effects, const rg_truth *truth,
                              const uint32_t *graphs);

/* Sparsity k is (k + 1) / 10: the part of the nodes that is not in the explanation. */
#define RG_SPARSITIES 9
typedef struct rg_fidelity {
    double plus[RG_SPARSITIES];  /* probability of the class less that without the top nodes */
    double minus[RG_SPARSITIES]; /* less that of the top nodes alone: 0 if they are enough */
} rg_fidelity;

/* Means over the graphs, by predicting the graphs that nodes and the edges between them make. RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_explainer_fidelity(rg_fidelity *out, const rg_explainer *explainer,
                                              const rg_node_effects *effects,
                                              const uint32_t *graphs, rg_error *err);

/* The largest difference of an effect when the nodes of every graph come in another order, as a part of
 * the largest effect of its graph. */
RG_MUST_CHECK rg_status rg_explainer_order_error(double *out, const rg_explainer *explainer,
                                                 const rg_node_effects *effects,
                                                 const uint32_t *graphs, uint64_t seed,
                                                 rg_error *err);

/* The mean correlation of the effects of two models on the nodes of a graph; graphs in which one of them
 * does not vary are passed over. NaN: all are. */
double rg_node_effects_agree(const rg_node_effects *a, const rg_node_effects *b);

#endif
