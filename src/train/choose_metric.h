/* choose_metric.h - which metric `auto` stands for. */
#ifndef REGULA_TRAIN_CHOOSE_METRIC_H
#define REGULA_TRAIN_CHOOSE_METRIC_H

#include "network/network.h"

/* The part of the targets of the training sets that are of the most frequent class of their column; NaN: real values, or
 * no target is known. columns: n of them; none: all there are, or for one class per sample or node the first.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_targets_majority(double *out, const rg_source *source, rg_task task,
                                            const uint32_t *columns, size_t n_columns,
                                            const rg_part *train, size_t n_parts, rg_error *err);
/* What scores are where `asked` is said. task: never AUTO. */
rg_metric rg_metric_choose(rg_metric asked, rg_task task, double majority);

#endif
