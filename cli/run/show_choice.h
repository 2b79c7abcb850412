/* show_choice.h - among how many configurations a protocol chose, and what the choice is worth. */
#ifndef REGULA_CLI_RUN_SHOW_CHOICE_H
#define REGULA_CLI_RUN_SHOW_CHOICE_H

#include "results/results.h"
#include "text/text.h"

#include <jansson.h>

/* A line below tables, where there was more than one to choose from. */
void cli_choice_note(rg_text *out, const rg_results *results, const rg_verdict *verdict);
/* Keys of the object of a protocol. */
void cli_choice_json(json_t **object, const rg_verdict *verdict);

#endif
