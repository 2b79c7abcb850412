/* contender.h - the model of a configuration: a network or a kernel. */
#ifndef REGULA_BASELINE_CONTENDER_H
#define REGULA_BASELINE_CONTENDER_H

#include "baseline.h"

/* Both owned (rg_contender_free). Never changes; any thread may use it. */
typedef struct rg_contender {
    rg_recipe *recipe;     /* a network; NULL: a kernel */
    rg_baseline *baseline; /* it was asked for by the key `model`: a kernel, or a network by name */
} rg_contender;

/* A map with the key `model` is a baseline, any other a network. out: untouched on failure.
 * RG_EDATA with line and column, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_contender_from_yaml(rg_contender *out, const rg_yaml *root,
                                               rg_error *err);
RG_MUST_CHECK rg_status rg_contender_parse(rg_contender *out, const char *name, const char *text,
                                           size_t n, rg_error *err);
void rg_contender_free(rg_contender *contender); /* what it owns; also if that is nothing */

/* The normal form, which rg_contender_parse reads back. Borrowed. */
const char *rg_contender_text(const rg_contender *contender);
uint32_t rg_contender_epochs(const rg_contender *contender); /* at most */
/* All runs on a fold have the same result. */
bool rg_contender_is_fixed(const rg_contender *contender);
/* Contenders with equal texts share what is built on data. *out: owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_contender_prepared_text(char **out, const rg_contender *contender,
                                                   rg_error *err);

#endif
