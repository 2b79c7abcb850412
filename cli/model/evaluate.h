/* evaluate.h - scores of a model, as text and JSON. */
#ifndef REGULA_CLI_MODEL_EVALUATE_H
#define REGULA_CLI_MODEL_EVALUATE_H

#include "cli/output/output.h"
#include "use.h"

typedef struct cli_evaluate {
    const cli_use *use;
    const char *path; /* of the model */
    const char *part; /* NULL: all samples */
    const rg_evaluation *scores;
    double seconds;
} cli_evaluate;

void cli_evaluate_print_text(const cli_evaluate *job);
RG_MUST_CHECK rg_status cli_evaluate_print_json(const cli_evaluate *job, rg_error *err);

#endif
