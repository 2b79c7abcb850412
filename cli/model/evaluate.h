/* evaluate.h - scores of a model, as text and JSON. */
#ifndef REGULA_CLI_MODEL_EVALUATE_H
#define REGULA_CLI_MODEL_EVALUATE_H

#include "calibrate.h"
#include "cli/output/output.h"
#include "use.h"

typedef struct cli_evaluate {
    const cli_use *use;
    const char *path; /* of the model */
    const char *part; /* NULL: all samples */
    const rg_evaluation *scores;
    double seconds;
    double confidence;     /* NaN: no sets of classes were asked for */
    double temperature;    /* of the validation set; 1: there is none */
    cli_coverage coverage; /* over CLI_CUTS random cuts of the samples */
} cli_evaluate;

#define CLI_CUTS 100

void cli_evaluate_print_text(const cli_evaluate *job);
RG_MUST_CHECK rg_status cli_evaluate_print_json(const cli_evaluate *job, rg_error *err);

#endif
