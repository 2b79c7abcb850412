/* spec.h - the spec of a labeling: text to tree and back. */
#ifndef REGULA_LABEL_SPEC_H
#define REGULA_LABEL_SPEC_H

#include "count/count.h"

typedef enum rg_label_kind {
    RG_LABEL_NODE,
    RG_LABEL_DEGREE,
    RG_LABEL_TRIVIAL,
    RG_LABEL_ATTRIBUTE,
    RG_LABEL_WL,
    RG_LABEL_CYCLES,
    RG_LABEL_CLIQUES,
    RG_LABEL_PATTERN,
    RG_LABEL_COMBINE,
    RG_LABEL_FILE
} rg_label_kind;

typedef struct rg_label_spec {
    rg_label_kind kind;
    uint32_t column;     /* node, attribute */
    uint32_t bins;       /* attribute */
    uint32_t depth;      /* wl */
    bool edges;          /* wl: with edge labels */
    bool backoff;        /* wl: unseen=backoff */
    uint32_t min, max;   /* cycles; cliques: max */
    bool induced;        /* cycles, pattern */
    bool maximal;        /* cliques */
    uint32_t max_labels; /* 0: no bound */
    char *path;          /* file */
    rg_pattern *patterns;
    size_t n_patterns;
    struct rg_label_spec **parts; /* wl: one, what it starts from; combine: two or more */
    size_t n_parts;
} rg_label_spec;

/* out: owned (rg_label_spec_free), untouched on failure. Messages: "labels: column 4: found 'dept',
 * expected depth, from, edges, max or unseen". Pattern files are read here. RG_EUSAGE, RG_EDATA (a
 * pattern file), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_label_spec_parse(rg_label_spec **out, const char *text, rg_error *err);
/* The same for a normal form that was stored: it may come from anyone, so no file is opened, and
 * pattern(file(P)) is an error. RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_label_spec_restore(rg_label_spec **out, const char *text, rg_error *err);
void rg_label_spec_free(rg_label_spec *spec);

/* Normal form: every option that matters, defaults included, fixed order, so that equal labelings
 * have equal texts. Owned; NULL if memory is short. */
char *rg_label_spec_print(const rg_label_spec *spec);

/* "wl" and so on. */
const char *rg_label_spec_name(rg_label_kind kind);

/* Numbers a node gets from this kind of labeling, before they become one label. */
size_t rg_label_spec_dims(const rg_label_spec *spec);

#endif
