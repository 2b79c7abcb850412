/* svm_vote.h - support vector machines for any number of classes, one per pair of classes, and
 * their vote. */
#ifndef REGULA_KERNEL_SVM_VOTE_H
#define REGULA_KERNEL_SVM_VOTE_H

#include "baseline/baseline.h"
#include "gram.h"
#include "svm_path.h"

typedef struct rg_svm_vote_task {
    const rg_gram *gram; /* rows of the training set are enough */
    const rg_baseline_task *learned;
    const rg_part *train;
    double c;
    rg_svm_paths *paths;
    double matrix; /* tells matrices on the same paths apart */
    rg_cpu cpu;
    int (*stop)(void *context); /* as in svm.h */
    void *context;
} rg_svm_vote_task;

/* What is said of all graphs. Ends with rg_svm_vote_free. */
typedef struct rg_svm_vote {
    float *numbers; /* [graph][class], from 0 to 1, together 1; the largest, the first of them if
                       several are, is what is said */
    double *losses; /* [graph]: mean of max(0, 1 - y d) over the SVMs that know its class; NaN:
                       there is none */
    bool stopped;   /* by `stop`: the rest means nothing */
} rg_svm_vote;

/* Two classes in the training set: 1 / (1 + exp(-d)) of the decision value d. More: every SVM
 * votes, most votes win and ties go to the lower class, as in LIBSVM; numbers are the softmax of
 * votes, with the sum of decision values squeezed to less than a third of a vote added (those that
 * tie for most votes are equal). One class: it alone. Classes that are not in the training set
 * have 0. out: untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_svm_vote_train(rg_svm_vote *out, const rg_svm_vote_task *task,
                                          rg_error *err);
void rg_svm_vote_free(rg_svm_vote *vote); /* what it owns; also if that is nothing */

#endif
