/* plot.h - lines over a number, such as scores over epochs: panels below each other, one legend. */
#ifndef REGULA_DRAW_PLOT_H
#define REGULA_DRAW_PLOT_H

#include "figure.h"

/* Borrowed while a function runs. Text as in figure.h. */
typedef struct rg_plot_line {
    const char *name;     /* in the legend; lines of one name have one entry there */
    const double *y;      /* [n] at x = 1 .. n; NaN: none. With n = 1 the line goes over all x */
    const double *spread; /* [n]: a band of that much above and below; NULL: none */
    size_t n;
    rg_colour colour;
    bool dashed;
} rg_plot_line;

typedef struct rg_plot_panel {
    const char *title;             /* NULL: none */
    const char *x_title, *y_title; /* NULL: none */
    const rg_plot_line *lines;
    size_t n_lines;
    double most; /* no axis and no band goes beyond, such as 100 for %; 0: any */
} rg_plot_panel;

/* Of line k, from 0; repeats after twelve. */
rg_colour rg_plot_colour(size_t k);

/* SVG, PNG or PDF by the end of the name; the same panels give the same bytes. RG_EUSAGE, RG_EIO,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_plot_write(const rg_plot_panel *panels, size_t n, const char *path,
                                      rg_error *err);

#endif
