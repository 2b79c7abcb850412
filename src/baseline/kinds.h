/* kinds.h - the kinds of baselines there are; baseline.c has the list. */
#ifndef REGULA_BASELINE_KINDS_H
#define REGULA_BASELINE_KINDS_H

#include "baseline.h"

extern const rg_baseline_kind rg_baseline_majority;
extern const rg_baseline_kind rg_baseline_gin;
extern const rg_baseline_kind rg_baseline_graphsage;
extern const rg_baseline_kind rg_baseline_gcn;
extern const rg_baseline_kind rg_baseline_dgcnn;
extern const rg_baseline_kind rg_baseline_gsn;
extern const rg_baseline_kind rg_baseline_message_passing;

/* Kernels with support vector machines, kernel_prepared.c. */
extern const rg_baseline_kind rg_baseline_nog;
extern const rg_baseline_kind rg_baseline_wl;
extern const rg_baseline_kind rg_baseline_wl_oa;
extern const rg_baseline_kind rg_baseline_paths;
extern const rg_baseline_kind rg_baseline_graphlet;
extern const rg_baseline_kind rg_baseline_cycles;

#endif
