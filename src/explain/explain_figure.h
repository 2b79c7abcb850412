/* explain_figure.h - graphs with what the weights of a model do to the answer as arrows: the paper's
 * figure.
 *
 * A row is a graph. The first column has the graph, its nodes coloured by what they add, and an outline
 * around those that count most; then come, for each rule layer,
 * columns with the effects of all of its weights and of the strongest few of each sign, on the axis
 * of rg_explainer_axis (of more than two classes that of the answer). The size of a node is the
 * effect of its bias there. All rows and all columns of a layer have one scale. */
#ifndef REGULA_EXPLAIN_EXPLAIN_FIGURE_H
#define REGULA_EXPLAIN_EXPLAIN_FIGURE_H

#include "draw/figure.h"
#include "explain.h"

#define RG_EXPLAIN_COLUMNS_MAX 8 /* of one layer */
#define RG_COLUMN_ALL SIZE_MAX

typedef struct rg_explain_figure_options {
    const uint32_t *graphs; /* n_graphs of them, in this order */
    size_t n_graphs;
    const size_t *columns; /* rules of each sign that a column shows, RG_COLUMN_ALL: all */
    size_t n_columns;
    size_t layer;             /* SIZE_MAX: all rule layers */
    size_t channel;           /* of what comes out: only checked, as effects are those of all */
    bool numbers;             /* of nodes, in the first column */
    const char *const *notes; /* [graph]: put behind its title; NULL: none */
} rg_explain_figure_options;

typedef struct rg_explain_figure rg_explain_figure; /* owns all that its rg_figure points to */

/* out: owned (rg_explain_figure_free), untouched on failure. RG_EUSAGE (arrays; no such graph or
 * layer; a graph without nodes; a network without rule layers), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_explain_figure_new(rg_explain_figure **out, rg_explainer *explainer,
                                              const rg_explain_figure_options *options,
                                              rg_error *err);
void rg_explain_figure_free(rg_explain_figure *figure); /* NULL is fine */
/* Borrowed. */
const rg_figure *rg_explain_figure_get(const rg_explain_figure *figure);

#endif
