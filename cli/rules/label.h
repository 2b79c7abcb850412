/* label.h - the results of regula label, as text and JSON. */
#ifndef REGULA_CLI_RULES_LABEL_H
#define REGULA_CLI_RULES_LABEL_H

#include "cli/output/output.h"
#include "regula/fetch.h"
#include "regula/label.h"

typedef struct cli_label {
    const rg_dataset *data;
    const char *path;
    rg_labeling *labeling; /* owned */
    rg_labels *labels;     /* owned */
    const char *out;       /* file for the labels; NULL: standard output */
    bool describe;
    double read_seconds, seconds; /* reading the data; labelling it */
} cli_label;

/* One line per graph. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_label_write(const cli_label *job, rg_error *err);

/* The summary: with a file one line, with `describe` the histogram, else nothing. */
RG_MUST_CHECK rg_status cli_label_print_text(const cli_label *job, rg_error *err);
RG_MUST_CHECK rg_status cli_label_print_json(const cli_label *job, rg_error *err);

#endif
