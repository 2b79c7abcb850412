/* spec.h - the spec of a labeling: text to tree and back. */
#ifndef REGULA_LABEL_SPEC_H
#define REGULA_LABEL_SPEC_H

#include "count.h"

typedef enum rg_spec_kind {
    RG_SPEC_NODE,
    RG_SPEC_DEGREE,
    RG_SPEC_TRIVIAL,
    RG_SPEC_ATTRIBUTE,
    RG_SPEC_WL,
    RG_SPEC_CYCLES,
    RG_SPEC_CLIQUES,
    RG_SPEC_PATTERN,
    RG_SPEC_COMBINE,
    RG_SPEC_FILE
} rg_spec_kind;

typedef struct rg_spec {
    rg_spec_kind kind;
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
    struct rg_spec **parts; /* wl: one, what it starts from; combine: two or more */
    size_t n_parts;
} rg_spec;

/* out: owned (rg_spec_free), untouched on failure. Messages: "labels: column 4: found 'dept',
 * expected depth, from, edges, max or unseen". Pattern files are read here. RG_EUSAGE, RG_EDATA (a
 * pattern file), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_parse(rg_spec **out, const char *text, rg_error *err);
/* The same for a normal form that was stored: it may come from anyone, so no file is opened, and
 * pattern(file(P)) is an error. RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_restore(rg_spec **out, const char *text, rg_error *err);
void rg_spec_free(rg_spec *spec);

/* Normal form: every option that matters, defaults included, fixed order, so that equal labelings
 * have equal texts. Owned; NULL if memory is short. */
char *rg_spec_print(const rg_spec *spec);

/* "wl" and so on. */
const char *rg_spec_name(rg_spec_kind kind);

/* Numbers a node gets from this kind of labeling, before they become one label. */
size_t rg_spec_dims(const rg_spec *spec);

#endif
