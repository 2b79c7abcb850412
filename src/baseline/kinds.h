/* kinds.h - the kinds of baselines there are; baseline.c has the list. */
#ifndef REGULA_BASELINE_KINDS_H
#define REGULA_BASELINE_KINDS_H

#include "baseline.h"

extern const rg_baseline_kind rg_baseline_majority;

#endif
