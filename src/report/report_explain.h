/* report_explain.h - inside: the model whose rules a report is about. */
#ifndef REGULA_REPORT_REPORT_EXPLAIN_H
#define REGULA_REPORT_REPORT_EXPLAIN_H

#include "explain/explain.h"
#include "report_parts.h"

typedef struct rg_speaker {
    rg_store_model *models;   /* of the run, owned */
    const rg_store_model *of; /* the one that is explained */
    rg_model *model;          /* owned */
    rg_explainer *explainer;  /* owned */
    bool measured;            /* on the data */
    unsigned char *picked;    /* [statement] 1: among the rules in words; owned */
    bool removed;             /* what removing does was measured, on a part with this score: */
    rg_explain_score score;
} rg_speaker;

/* The sentence of a statement. */
void rg_speaker_words(rg_json *json, const char *key, const rg_speaker *speaker, size_t statement);
/* report_graphs.c: graphs of the test set with their strongest rules, for the viewer. */
RG_MUST_CHECK rg_status rg_report_add_graphs(rg_report *report, rg_speaker *speaker, rg_error *err);

#endif
