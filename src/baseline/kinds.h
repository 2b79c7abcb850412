/* kinds.h - the kinds of baselines there are. */
#ifndef REGULA_BASELINE_KINDS_H
#define REGULA_BASELINE_KINDS_H

#include "baseline.h"

/* THE table: every kind, in the order of tables and messages. */
#define RG_BASELINES(X) \
    X(majority)         \
    X(nog)              \
    X(wl)               \
    X(wl_oa)            \
    X(paths)            \
    X(graphlet)         \
    X(cycles)           \
    X(linear)           \
    X(gin)              \
    X(graphsage)        \
    X(gcn)              \
    X(dgcnn)            \
    X(gsn)              \
    X(message_passing)

#define RG_BASELINE_KIND(name) extern const rg_baseline_kind rg_baseline_##name;
RG_BASELINES(RG_BASELINE_KIND)
#undef RG_BASELINE_KIND

#endif
