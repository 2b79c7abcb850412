/* report.h - a run directory as one page that opens from the disk.
 * Data flow: store -> results -> REPORT.
 *
 * All that the page shows is one JSON object (docs/report.md has its keys); the page is that object
 * between a style and a program that were made from web/ and are inside the library. The same
 * store, data and models give the same bytes. What is not there (the data set, models, predictions,
 * jobs that wait) leaves its part of the report empty, with a sentence that says why. */
#ifndef REGULA_REPORT_REPORT_H
#define REGULA_REPORT_REPORT_H

#include "draw/names.h"
#include "results/results.h"
#include "text/json_write.h"

/* What a report is made of. All borrowed. */
typedef struct rg_report_options {
    const char *title;               /* NULL: that of the experiment */
    const rg_results *const *others; /* further runs, rows of the same tables */
    size_t n_others;
    const rg_source *source; /* the data set of the run; NULL: not there, `no_source` says why */
    const char *no_source;
    const char *source_path; /* where it was read from */
    const char *search;      /* JSON of `regula search --json`; NULL: none */
    const rg_names *names;   /* of labels and classes; NULL: none */
    const rg_splits *splits; /* those of the run; NULL: not there */
    uint64_t fold;           /* whose model is explained, by its number; UINT64_MAX: the first */
    const uint32_t *graphs;  /* of the viewer; NULL: n_graphs typical ones of the test set */
    size_t n_graphs;
    size_t top; /* rules */
    unsigned n_threads;
    const char *cache; /* of labels; NULL: none */
    rg_error *unread;  /* may be NULL; filled if the model that the run kept cannot be read */
} rg_report_options;

rg_report_options rg_report_options_default(void);

/* The object. *out: owned (rg_free), untouched on failure. RG_EUSAGE (a graph or fold that there is
 * not), RG_EDATA (of the search, or of names), RG_EIO, RG_ENOMEM, and what the store says. */
RG_MUST_CHECK rg_status rg_report_json(char **out, const rg_results *results,
                                       const rg_report_options *options, rg_error *err);
/* The page around such an object. title: text. *out: owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_report_page(char **out, const char *json, const char *title,
                                       rg_error *err);

#endif
