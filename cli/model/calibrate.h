/* calibrate.h - calibrated probabilities and sets of classes, from data with known classes. */
#ifndef REGULA_CLI_MODEL_CALIBRATE_H
#define REGULA_CLI_MODEL_CALIBRATE_H

#include "use.h"

/* Outputs of a classifier on some samples. */
typedef struct cli_outputs {
    double *values;    /* [row][class]; owned */
    uint32_t *classes; /* [row]: by number, of the data; owned */
    size_t n, n_classes;
} cli_outputs;

/* samples: n of the source, NULL: all; those whose class is not known are left out. out: ends with
 * cli_outputs_free, untouched on failure. RG_EUSAGE (the model is not a classifier of graphs), RG_EDATA,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_outputs_take(cli_outputs *out, const cli_use *use,
                                         const cli_source *source, const uint32_t *samples,
                                         size_t n, rg_error *err);
void cli_outputs_free(cli_outputs *outputs);

/* What predictions are corrected by. */
typedef struct cli_calibration {
    double temperature; /* 1: none was fitted */
    size_t n_validation;
    double *scores; /* ascending; owned */
    size_t n;
    double confidence;
    uint64_t seed;
} cli_calibration;

/* Scores of the outputs under a temperature, in order. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_calibration_scores(cli_calibration *out, const cli_outputs *outputs,
                                               rg_error *err);
/* From the data that --calibrate names: the temperature from the validation set of --split, scores from
 * its test set; without --split scores from all samples. out: ends with cli_calibration_free. */
RG_MUST_CHECK rg_status cli_calibration_make(cli_calibration *out, const cli_use *use,
                                             const cli_arguments *args, rg_error *err);
void cli_calibration_free(cli_calibration *calibration);

/* Is class c in the set of a sample with these probabilities? */
bool cli_calibration_holds(const cli_calibration *calibration, const double *probabilities,
                           uint32_t c, size_t sample);

/* Over random cuts of outputs into two halves, one for scores and one that is counted. */
typedef struct cli_coverage {
    double covered; /* mean part of samples whose set holds their class */
    double size;    /* mean number of classes in a set */
    double empty;   /* part of sets without a class */
} cli_coverage;
RG_MUST_CHECK rg_status cli_coverage_measure(cli_coverage *out, const cli_outputs *outputs,
                                             double temperature, double confidence, size_t cuts,
                                             uint64_t seed, rg_error *err);

#endif
