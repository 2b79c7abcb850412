/* spec.h - the spec of a labeling: text to tree and back. */
#ifndef REGULA_LABEL_SPEC_H
#define REGULA_LABEL_SPEC_H

#include "count/count.h"
#include "text/text.h"

typedef struct rg_label_kind rg_label_kind; /* kind.h */

/* What all labelings share; a kind may have settings of its own behind it. */
typedef struct rg_label_spec {
    const rg_label_kind *kind;
    uint32_t max_labels; /* 0: no bound */
    uint32_t bins;       /* one more than the most bounds there can be; 0: there are none */
    uint32_t depth;      /* rounds of refinement */
    bool edges;          /* of refinement: with edge labels */
    bool backoff;        /* of them: unseen=backoff */
    char *path;
    rg_pattern *patterns;
    size_t n_patterns;
    struct rg_label_spec **parts; /* what it refines or joins */
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

/* The same without the bound on labels, which the numbers of nodes do not depend on. */
char *rg_label_spec_print_unbounded(const rg_label_spec *spec);

/* How labeling number k is written, with the defaults of its arguments:
 * "cycles(kind=simple|induced, min=3, max=10, max_labels=N)". False if there are not so many. */
bool rg_label_spec_usage(rg_text *out, size_t k);

/* "walks, cycles, cliques or pattern": the labelings that count, each with `behind` after its name. */
void rg_label_spec_counted(char *out, size_t size, const char *behind);

/* Numbers a node gets from this kind of labeling, before they become one label. */
size_t rg_label_spec_dims(const rg_label_spec *spec);

#endif
