/* search.h - the results of regula search, as text and JSON. */
#ifndef REGULA_CLI_RUN_SEARCH_H
#define REGULA_CLI_RUN_SEARCH_H

#include "experiment.h"
#include "search/search.h"

typedef struct cli_search {
    cli_experiment about; /* data and splits, owned */
    rg_search_options options;
    rg_search_result result; /* owned */
    char *file;              /* of the winner's experiment, owned */
    char *board;             /* of the leaderboard, owned */
} cli_search;

void cli_search_print_text(const cli_search *job);
/* The leaderboard into job->board and, if `print`, on standard output. RG_ENOMEM, RG_EIO. */
RG_MUST_CHECK rg_status cli_search_json(const cli_search *job, bool print, rg_error *err);
/* The command that does the same whatever the time: "--rounds 40,13,4,2". */
void cli_search_rounds_text(const rg_search_result *result, char *out, size_t size);

#endif
