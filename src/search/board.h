/* board.h - the leaderboard of a search as JSON: what `regula search --json` prints, and what a report
 * takes from it. */
#ifndef REGULA_SEARCH_BOARD_H
#define REGULA_SEARCH_BOARD_H

#include "search.h"
#include "text/json_write.h"

/* What was searched and which files are written. All borrowed. */
typedef struct rg_board_about {
    const char *data, *splits;      /* the name of the set, and where its splits come from */
    const char *experiment, *board; /* files of the winner and of the leaderboard */
    const rg_search_options *options;
} rg_board_about;

void rg_board_write(rg_json *json, const rg_search_result *result, const rg_board_about *about);

/* From what rg_board_write wrote, under `key`: candidates, the best first and at most `most`, and
 * effects. What is not there becomes null. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_board_copy(rg_json *json, const char *key, const char *text, size_t most,
                                      rg_error *err);

#endif
