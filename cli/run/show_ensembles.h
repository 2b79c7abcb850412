/* show_ensembles.h - ensembles of a run: rows of tables, JSON, notes. */
#ifndef REGULA_CLI_RUN_SHOW_ENSEMBLES_H
#define REGULA_CLI_RUN_SHOW_ENSEMBLES_H

#include "cli/output/table.h"
#include "results/results.h"

/* Rows of the table of results, behind that of their protocol. */
void cli_ensemble_rows(cli_table *table, const rg_results *results, rg_protocol protocol);
/* A list of objects; NULL if memory was short. */
json_t *cli_ensembles_json(const rg_results *results);
/* How each came about, a line each; nothing if there are none. */
void cli_ensemble_notes(rg_text *out, const rg_results *results);

#endif
