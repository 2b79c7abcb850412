/* display.h - a list of shapes: a figure ready to be written as SVG, PNG or PDF.
 *
 * Lengths are pixels of SVG, y goes down. The first failure to allocate sticks (`failed`), so that
 * shapes can be added without checking every one. */
#ifndef REGULA_DRAW_DISPLAY_H
#define REGULA_DRAW_DISPLAY_H

#include "base/file.h"
#include "figure.h"
#include "text/text.h"

typedef enum rg_shape_kind {
    RG_SHAPE_LINE,    /* points 0, 1 */
    RG_SHAPE_CURVE,   /* from 0 to 3, drawn towards 1 and 2 */
    RG_SHAPE_AREA,    /* points 0, 1, 2, filled */
    RG_SHAPE_CIRCLE,  /* centre 0 */
    RG_SHAPE_BOX,     /* corners 0 and 1, filled */
    RG_SHAPE_TEXT,    /* at 0, on its base line */
    RG_SHAPE_TOGETHER /* the next `count` shapes are one thing with one text */
} rg_shape_kind;

typedef enum rg_anchor { RG_ANCHOR_START, RG_ANCHOR_MIDDLE, RG_ANCHOR_END } rg_anchor;

typedef struct rg_shape {
    rg_shape_kind kind;
    rg_point at[4];
    double radius;  /* of circles */
    double width;   /* of strokes; 0: none */
    double size;    /* of text */
    double opacity; /* 0 .. 1 */
    rg_colour stroke, fill;
    bool dashed, bold;
    rg_anchor anchor;
    size_t text;  /* where its text begins in `texts`; 0: none */
    size_t hover; /* the same for what is shown where the pointer rests */
    size_t count; /* RG_SHAPE_TOGETHER */
} rg_shape;

typedef struct rg_display {
    double width, height;
    rg_shape *shapes;
    size_t n, capacity;
    char *texts; /* one after another, each with its end; the first is empty */
    size_t n_texts, text_capacity;
    bool failed;
} rg_display;

void rg_display_free(rg_display *display); /* the arrays, not the struct */

/* A copy of the text with all that is not printable as '?'; its number, 0 for NULL. */
size_t rg_display_text(rg_display *display, const char *text);
static inline const char *rg_display_string(const rg_display *display, size_t text)
{
    return display->texts + text;
}

void rg_display_add(rg_display *display, const rg_shape *shape);
/* The next shapes, up to rg_display_close, have one text. Returns what rg_display_close wants. */
size_t rg_display_open(rg_display *display, const char *hover);
void rg_display_close(rg_display *display, size_t opened);

void rg_display_line(rg_display *display, rg_point a, rg_point b, double width, rg_colour colour,
                     bool dashed);
void rg_display_write(rg_display *display, rg_point at, const char *text, double size,
                      rg_colour colour, rg_anchor anchor, bool bold);
/* The same, cut so that it is no wider than `room`; what was cut is its hover text. */
void rg_display_fit(rg_display *display, rg_point at, const char *text, double size,
                    rg_colour colour, rg_anchor anchor, bool bold, double room);

/* How wide a text is about, in units of its size; never less than in usual fonts. */
double rg_text_width(const char *text, bool bold);

/* ---- building: figure_panel.c, figure_legend.c, figure.c */

#define RG_RED 0xc4281bu  /* weights above 0 */
#define RG_BLUE 0x1b55b8u /* and below */
#define RG_INK 0x202020u
#define RG_FAINT 0x6a6a6au
#define RG_EDGE 0x707070u

/* A panel at its place: points of the graph become corner + unit * point. */
typedef struct rg_panel_place {
    rg_point corner;
    double unit;              /* pixels of an edge */
    double scale, bias_scale; /* 0: there are none */
} rg_panel_place;

void rg_panel_draw(rg_display *display, const rg_figure *figure, const rg_figure_row *row,
                   const rg_panel *panel, const rg_panel_place *place);
/* The look of an arrow of this part of the scale, 0 .. 1, where edges are `unit` long. */
double rg_arrow_width(double part, double unit);
double rg_arrow_opacity(double part);
/* A straight arrow for the legend. */
void rg_arrow_sample(rg_display *display, rg_point from, double length, double part, double unit,
                     rg_colour colour);
double rg_bias_radius(double part, double unit);

/* 3 significant digits, with the sign if asked. */
#define RG_SHORT_MAX 40
void rg_short_number(char out[RG_SHORT_MAX], double value, bool sign);

/* figure_atoms.c. degree: bonds of the atom. Is it written? How far from its middle a bond ends? */
bool rg_atom_is_shown(const rg_figure_atom *atom, uint64_t degree);
double rg_atom_room(const rg_figure_atom *atom, uint64_t degree, double unit);
/* bonds: directions to its n neighbours, each 1 long. */
void rg_atom_draw(rg_display *display, const rg_figure_atom *atom, rg_point at, double unit,
                  const rg_point *bonds, size_t n);

/* Legend and caption from `top` on, over the width of the figure; returns where they end. scales,
 * bias_scales: by column. columns: the x of each column's middle. */
double rg_legend_draw(rg_display *display, const rg_figure *figure, const double *scales,
                      const double *bias_scales, const double *columns, double room, double top);

/* RG_ENOMEM, RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_figure_display(rg_display *out, const rg_figure *figure, rg_error *err);

/* ---- writing */

void rg_display_svg(rg_text *out, const rg_display *display, const char *title, const char *id);
/* figure_cairo.c, or figure_none.c that says it is left out. RG_EUSAGE, RG_ENOMEM. Failures to
 * write stick in the file. */
RG_MUST_CHECK rg_status rg_display_cairo(rg_file *file, const rg_display *display,
                                         rg_figure_format format, rg_error *err);
bool rg_cairo_is_there(void);
/* By the end of the name; the file appears whole or not at all. RG_EUSAGE, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_display_save(const rg_display *display, const char *path,
                                        const char *title, rg_error *err);

#endif
