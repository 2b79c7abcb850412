/* pattern.h - making patterns: by shape, from a file, or from the text in a spec.
 *
 * Files and texts have the same lines; in a spec ';' ends a line:
 *     a b            an edge            a b label      an edge with a label
 *     node a label   a node's label     node a         a node, with any label
 * Nodes are numbers from 0; what has no label matches every label; '#' starts a comment. A pattern
 * is connected and has 1..RG_PATTERN_MAX nodes; loops and repeated lines are errors. */
#ifndef REGULA_COUNT_PATTERN_H
#define REGULA_COUNT_PATTERN_H

#include "count.h"
#include "text/reader.h"

/* In all of these `out` is zero before and untouched on failure; out->text is owned by it. */

/* cycle(n): n nodes; star(n): a centre and n leaves; path(n): n nodes; clique(n): n nodes; triangle
 * is clique(3), edge is clique(2). The text is the same for the same shape: path(2) is "edge".
 * RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pattern_shape(rg_pattern *out, const char *shape, uint32_t n,
                                         rg_error *err);

/* A small graph from a file: lines as above, or one line of graph6. RG_EDATA with file:line,
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pattern_read(rg_pattern *out, const char *path, rg_error *err);

/* The same from a file that is open. RG_EDATA, RG_ENOMEM, or what the reader says. */
RG_MUST_CHECK rg_status rg_pattern_take(rg_pattern *out, rg_reader *in, rg_error *err);

/* A small graph from n bytes of text that begin at `column` of a spec, for messages: "labels:
 * column 9: found ...". RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pattern_parse(rg_pattern *out, const char *text, size_t n, size_t column,
                                         rg_error *err);

/* A pattern of atoms and bonds (smarts/smarts.h), likewise. pattern_smarts.c. */
RG_MUST_CHECK rg_status rg_pattern_smarts(rg_pattern *out, const char *text, size_t n,
                                          size_t column, rg_error *err);
/* Does a set have what patterns of SMARTS look at? RG_EDATA. */
RG_MUST_CHECK rg_status rg_pattern_check_molecules(const rg_dataset *data, rg_error *err);

void rg_pattern_free(rg_pattern *pattern); /* frees what it owns, not the struct */

/* Fills pattern->plan from the rest, which is connected. pattern_plan.c. */
void rg_pattern_plan_make(rg_pattern *pattern);

/* Shapes that are counted by formulas if they have no labels. */
typedef enum rg_pattern_form {
    RG_FORM_OTHER,
    RG_FORM_NODE,
    RG_FORM_EDGE,
    RG_FORM_CLIQUE, /* 3 or more nodes */
    RG_FORM_CYCLE,  /* 4 or more */
    RG_FORM_PATH,   /* 3 or more */
    RG_FORM_STAR    /* 3 leaves or more */
} rg_pattern_form;
rg_pattern_form rg_pattern_form_of(const rg_pattern *pattern); /* labels are not looked at */

#endif
