/* ensemble.h - `ensemble` of experiment files and of the command line, as words. */
#ifndef REGULA_CONFIG_ENSEMBLE_H
#define REGULA_CONFIG_ENSEMBLE_H

#include "regula/experiment.h"
#include "text/yaml.h"

#define RG_ENSEMBLE_TEXT 32

/* One, or a list of them: all, stack or {top: K}. out: room for RG_ENSEMBLES_MAX. RG_EDATA with line and
 * column. */
RG_MUST_CHECK rg_status rg_ensembles_read(rg_ensemble *out, size_t *n, const rg_yaml *node,
                                          rg_error *err);
/* Those of an experiment file in normal form; none, if it is no such file. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_ensembles_of(rg_ensemble *out, size_t *n, const char *resolved,
                                        rg_error *err);
/* "all", "stack", "top:5", as options have it. RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_ensemble_parse(rg_ensemble *out, const char *word, rg_error *err);

/* "all", "top 5", "stack": for people. */
void rg_ensemble_name(char out[RG_ENSEMBLE_TEXT], const rg_ensemble *ensemble);
/* "all", "{top: 5}", "stack": as files have it. */
void rg_ensemble_print(char out[RG_ENSEMBLE_TEXT], const rg_ensemble *ensemble);

#endif
