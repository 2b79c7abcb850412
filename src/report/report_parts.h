/* report_parts.h - inside: the parts of a report, each in a file of its own.
 *
 * Every part adds its keys to the object that is open. A failed allocation while JSON is written
 * sticks to the text; rg_json_take reports it. */
#ifndef REGULA_REPORT_REPORT_PARTS_H
#define REGULA_REPORT_REPORT_PARTS_H

#include "report.h"

/* What all parts look at. */
typedef struct rg_report {
    rg_json json;
    const rg_results *results;
    const rg_report_options *options;
    const rg_verdict *verdict; /* the first that is known; NULL: none is */
    uint32_t *chosen;          /* [fold] configuration that the parts below are of; owned */
    struct rg_said *said;      /* owned; NULL: nothing is known of single samples */
} rg_report;

/* report_runs.c: a run as a row of tables: what it is of, protocols, folds, jobs. main: the run
 * that the report is of; NULL: it is this one. */
void rg_report_add_run(rg_json *json, const rg_results *run, const rg_results *main);
/* report_ensembles.c: ensembles of a run, as more of its protocols. */
void rg_report_add_ensembles(rg_json *json, const rg_results *run);
/* report_choices.c: configurations by the validation sets, the best first; time they took. */
RG_MUST_CHECK rg_status rg_report_add_configurations(rg_report *report, rg_error *err);
/* report_curves.c: epochs of the runs that were chosen. */
RG_MUST_CHECK rg_status rg_report_add_curves(rg_report *report, rg_error *err);
/* report_said.c: what was said of the samples of the test sets, against what is true. */
RG_MUST_CHECK rg_status rg_report_add_said(rg_report *report, rg_error *err);
/* report_data.c: what is in the data set. */
RG_MUST_CHECK rg_status rg_report_add_data(rg_report *report, rg_error *err);
/* report_rules.c: rules in words, and graphs with their arrows. */
RG_MUST_CHECK rg_status rg_report_add_rules(rg_report *report, rg_error *err);

/* What runs that were chosen said of each sample, while it was in a test set. */
typedef struct rg_said {
    size_t n_samples, n_classes;
    uint32_t *truth;   /* [sample]; RG_NO_CLASS: not known */
    uint32_t *n_right; /* [sample] runs that were right, of n_said */
    uint32_t *n_said;
    double *sure; /* [sample] mean probability of the true class over the runs; NaN: not known */
} rg_said;

void rg_said_free(rg_said *said); /* NULL is fine */

/* "key": null, "no_key": why. */
void rg_report_none(rg_json *json, const char *key, const char *why);

#endif
