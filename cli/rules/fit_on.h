/* fit_on.h - which graphs to fit on, from a file. */
#ifndef REGULA_CLI_RULES_FIT_ON_H
#define REGULA_CLI_RULES_FIT_ON_H

#include "regula/dataset.h"

/* Reads numbers of graphs: one per line, or the training set of a fold of a split file (JSON). out:
 * owned (rg_free), *n of them, both untouched on failure. RG_EDATA, RG_EUSAGE (no such fold),
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_read_fit_on(uint32_t **out, size_t *n, const char *path, size_t fold,
                                        const rg_dataset *data, rg_error *err);

#endif
