/* figure.h - graphs with weights as arrows: rows of graphs, columns of panels.
 *
 * A figure is plain structs that the caller fills; all of it is borrowed while a function runs. It
 * becomes one list of shapes (display.h), which SVG, PNG and PDF are written from, so all three are
 * the same picture. Text may be anything: what is no printable UTF-8 becomes '?', and markup is
 * escaped. The same figure gives the same bytes. */
#ifndef REGULA_DRAW_FIGURE_H
#define REGULA_DRAW_FIGURE_H

#include "layout/layout.h"

#include <stdbool.h>

/* 0xRRGGBB */
typedef uint32_t rg_colour;

typedef enum rg_bond {
    RG_BOND_NONE,   /* not known, or no bond at all: a line like a single one */
    RG_BOND_SINGLE, /* one line */
    RG_BOND_DOUBLE,
    RG_BOND_TRIPLE,
    RG_BOND_AROMATIC, /* a line and a broken one beside it */
} rg_bond;

/* An atom of a molecule: drawn as chemists write it, without a circle around it. */
typedef struct rg_figure_atom {
    char symbol[4]; /* carbon, without charge and isotope, is not written */
    uint8_t hydrogens;
    int8_t charge;
    uint16_t isotope;
} rg_figure_atom;

/* A connection j -> i. */
typedef struct rg_arrow {
    uint32_t from, to; /* equal: a loop */
    double weight;     /* red above 0, blue below; 0 and what is not finite is not drawn */
    const char *text;  /* shown where the pointer rests on it; NULL: "FROM -> TO: WEIGHT" */
} rg_arrow;

/* One picture of a graph. */
typedef struct rg_panel {
    const rg_arrow *arrows;
    size_t n_arrows;
    const double *bias; /* n_nodes: the size of a node by |bias|, red above 0, blue below; NULL:
                           all equal, coloured by label */
    const char *const *texts; /* n_nodes: beside the row's own, for this panel; NULL: none */
    const double
        *shade; /* n_nodes, no bias: nodes are coloured by it, red above 0, blue below, white
                                 at 0; the rim has the colour of the label; NULL: by label */
    const uint8_t *outlined; /* n_nodes: 1: the node is inside the outline; NULL: there is none */
    const char *note;        /* one line below the panel; NULL: none */
    double scale;            /* the |weight| that is drawn thickest; 0: the largest of the panels
                                 of this column whose scale is 0 too */
    double bias_scale;       /* the same for bias */
} rg_panel;

/* One graph. */
typedef struct rg_figure_row {
    const rg_graph *graph;
    const rg_point *points;      /* n_nodes (rg_graph_layout) */
    const uint32_t *labels;      /* n_nodes: numbers of figure.labels, past the end: grey; NULL */
    const char *const *letters;  /* n_nodes: written into the node, "" or NULL: none; or NULL */
    const char *const *texts;    /* n_nodes: shown where the pointer rests on the node; NULL: its
                                   number and the name of its label */
    const rg_figure_atom *atoms; /* n_nodes; NULL: circles. Panels with a bias have circles, too */
    const rg_bond *bonds;        /* n_arcs: that of arc k is bonds[k - graph->row[0]]; NULL */
    const char *title;           /* above the row; NULL: none */
    const rg_panel *panels;      /* figure.n_columns of them; NULL: the graph alone in each */
} rg_figure_row;

/* A kind of node, for colours and the legend. */
typedef struct rg_figure_label {
    const char *name;
    rg_colour colour;
} rg_figure_label;

typedef struct rg_figure {
    const char *title, *caption; /* NULL: none */
    const rg_figure_row *rows;
    size_t n_rows;
    size_t n_columns;              /* panels of each row, at least 1 */
    const char *const *columns;    /* titles of the columns; NULL: none */
    const rg_figure_label *labels; /* NULL: all nodes are grey */
    size_t n_labels;
    double shade_scale; /* the |shade| with the deepest colour, of all panels; 0: there are none */
    bool numbers;       /* numbers stand beside the nodes of panels with shades */
    size_t across;      /* graphs beside each other if there is one column; 0: one below another */
    bool plain;         /* no legend */
    double width;       /* of one panel in pixels of SVG; 0: by the largest graph */
} rg_figure;

typedef enum rg_figure_format {
    RG_FIGURE_SVG,
    RG_FIGURE_PNG,
    RG_FIGURE_PDF,
    RG_N_FIGURE_FORMATS
} rg_figure_format;

/* By the end of a file's name, in any case. RG_EUSAGE: none of .svg, .png, .pdf, or one that this
 * build cannot write; so it can be asked before the work begins. */
RG_MUST_CHECK rg_status rg_figure_format_find(rg_figure_format *out, const char *path,
                                              rg_error *err);

/* The file appears whole or not at all. RG_EUSAGE (as above; a size that no format can hold),
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_figure_write(const rg_figure *figure, const char *path, rg_error *err);

/* The SVG as text. id: of its root, for pages that hold several; NULL: none. *out: owned (rg_free),
 * terminated, *n bytes; untouched on failure. RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_figure_svg(char **out, size_t *n, const rg_figure *figure,
                                      const char *id, rg_error *err);

/* ---- colours */

/* Colours that people who see red and green alike can tell apart, k from 0; after the first 20
 * greys of different lightness repeat. */
rg_colour rg_palette_colour(size_t k);
/* The conventional colour of an element by its symbol ("N", "Cl"; also "N H1 +" as some sets name
 * their atoms); grey for what is none. */
rg_colour rg_atom_colour(const char *symbol);
/* From blue (-1) over white (0) to red (1): scales that people who see red and green alike can read. */
rg_colour rg_shade_colour(double part);
/* Black or white, whichever can be read better on it. */
rg_colour rg_colour_ink(rg_colour ground);

#endif
