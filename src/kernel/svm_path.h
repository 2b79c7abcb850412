/* svm_path.h - support vector machines for one C after another.
 *
 * An SVM for C is found from that for the next smaller stop of a fixed path, 2^-11, 2^-9, 2^-7
 * and so on: its result depends on the task and C, not on what else was asked for. But who
 * asks for many C on the same training set, as a grid does, goes along the path once: the stops
 * are kept. */
#ifndef REGULA_KERNEL_SVM_PATH_H
#define REGULA_KERNEL_SVM_PATH_H

#include "svm.h"

typedef struct rg_svm_paths rg_svm_paths; /* any number of threads may use it at once */

/* memory: bytes that stops may take; past that no more are kept. out: owned (rg_svm_paths_free).
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_svm_paths_new(rg_svm_paths **out, uint64_t memory, rg_error *err);
void rg_svm_paths_free(rg_svm_paths *paths); /* NULL is fine */

/* The SVM of a task, and the sums of all samples, also of those that are not in it. matrix:
 * tells matrices apart; all tasks of one `paths` with the same have the same matrix and eps. If
 * answer->stopped, the rest means nothing. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_svm_paths_solve(rg_svm_point *point, rg_svm_answer *answer,
                                           rg_svm_paths *paths, double matrix,
                                           const rg_svm_task *task, rg_error *err);

#endif
