/* figure_panel.c - one graph with its weights: bonds, arrows, nodes. */
#include "display.h"

#include "base/alloc.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.235 /* of a node, in edges */
#define LETTERS 4.2  /* pixels of radius from which letters can be read */
#define BEND 0.16    /* how far an arrow bends, in its length */
#define PAIR 0.075   /* distance of the two lines of a double bond from the middle, in edges */

typedef struct canvas {
    rg_display *display;
    const rg_figure *figure;
    const rg_figure_row *row;
    const rg_panel *panel; /* NULL: the graph alone */
    const rg_panel_place *place;
    double line; /* width of a bond */
} canvas;

void rg_short_number(char out[RG_SHORT_MAX], double value, bool sign)
{
    double scale = 1, size = fabs(value);
    if (size > 0 && size < 1e300) {
        while (size * scale < 99.95 && scale < 1e12)
            scale *= 10;
        value = round(value * scale) / scale;
    }
    out[0] = '+';
    rg_number_print(out + (sign && value > 0), value);
}

static rg_point point_of(const canvas *c, uint32_t i)
{
    rg_point p = c->row->points[i];
    return (rg_point){c->place->corner.x + c->place->unit * p.x,
                      c->place->corner.y + c->place->unit * p.y};
}

double rg_bias_radius(double part, double unit)
{
    return unit * (0.08 + 0.165 * sqrt(part > 1 ? 1 : part));
}

static double radius_of(const canvas *c, uint32_t i)
{
    const double *bias = c->panel ? c->panel->bias : NULL;
    if (!bias)
        return RADIUS * c->place->unit;
    double size = fabs(bias[i]);
    return rg_bias_radius(c->place->bias_scale > 0 && size >= 0 ? size / c->place->bias_scale : 0,
                          c->place->unit);
}

static rg_colour label_colour(const canvas *c, uint32_t i)
{
    const rg_figure *f = c->figure;
    if (!c->row->labels || c->row->labels[i] >= f->n_labels)
        return 0xcfcfcf;
    return f->labels[c->row->labels[i]].colour;
}

static bool is_chemical(const canvas *c)
{
    return c->row->atoms && !(c->panel && c->panel->bias);
}

/* ---- bonds */

static rg_point shifted(rg_point p, rg_point by, double length)
{
    return (rg_point){p.x + by.x * length, p.y + by.y * length};
}

/* A line beside the bond, `away` from it; `cut`: how much shorter it is at either end. */
static void beside(const canvas *c, rg_point a, rg_point b, double away, double cut, bool dashed)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    rg_point along = {dx / length, dy / length}, across = {-dy / length, dx / length};
    a = shifted(shifted(a, across, away), along, cut * length);
    b = shifted(shifted(b, across, away), along, -cut * length);
    rg_display_line(c->display, a, b, c->line, is_chemical(c) ? RG_INK : RG_EDGE, dashed);
}

/* On which side of the bond the other neighbours of its ends lie: above 0, below, or 0: on both. */
static int fuller_side(const canvas *c, uint32_t i, uint32_t j)
{
    const rg_graph *g = c->row->graph;
    rg_point a = c->row->points[i], b = c->row->points[j];
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        uint32_t at = end ? j : i;
        for (uint64_t k = g->row[at]; k < g->row[at + 1]; k++) {
            rg_point p = c->row->points[g->col[k]];
            if (g->col[k] != i && g->col[k] != j)
                sum += (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0 ? 1 : -1;
        }
    }
    return sum > 0.5 ? 1 : sum < -0.5 ? -1 : 0;
}

/* Where a bond from i to j begins. */
static rg_point end_of(const canvas *c, uint32_t i, uint32_t j)
{
    const rg_graph *g = c->row->graph;
    rg_point a = point_of(c, i), b = point_of(c, j);
    double length = rg_point_distance(a, b), room = 0;
    if (is_chemical(c))
        room = rg_atom_room(&c->row->atoms[i], g->row[i + 1] - g->row[i], c->place->unit);
    room = room < 0.4 * length ? room : 0.4 * length;
    return length > 0 ? shifted(a, (rg_point){(b.x - a.x) / length, (b.y - a.y) / length}, room)
                      : a;
}

static void draw_bond(const canvas *c, uint32_t i, uint32_t j, rg_bond bond)
{
    rg_point a = end_of(c, i, j), b = end_of(c, j, i);
    double pair = PAIR * c->place->unit;
    int side = bond == RG_BOND_DOUBLE || bond == RG_BOND_AROMATIC ? fuller_side(c, i, j) : 0;
    switch (bond) {
    case RG_BOND_DOUBLE:
        beside(c, a, b, side ? 0 : pair, 0, false);
        beside(c, a, b, side ? 2 * pair * side : -pair, side ? 0.12 : 0, false);
        break;
    case RG_BOND_TRIPLE:
        beside(c, a, b, 0, 0, false);
        beside(c, a, b, 1.7 * pair, 0, false);
        beside(c, a, b, -1.7 * pair, 0, false);
        break;
    case RG_BOND_AROMATIC:
        beside(c, a, b, 0, 0, false);
        beside(c, a, b, 2 * pair * (side ? side : 1), 0.12, true);
        break;
    case RG_BOND_NONE:
    case RG_BOND_SINGLE:
        beside(c, a, b, 0, 0, false);
        break;
    }
}

static void draw_bonds(const canvas *c)
{
    const rg_graph *g = c->row->graph;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            if (g->col[k] > i)
                draw_bond(c, i, g->col[k],
                          c->row->bonds ? c->row->bonds[k - g->row[0]] : RG_BOND_NONE);
        }
    }
}

/* ---- arrows */

double rg_arrow_width(double part, double unit)
{
    return (0.7 + 3.3 * (part > 1 ? 1 : part)) * (unit < 36 ? unit / 36 : 1);
}

double rg_arrow_opacity(double part)
{
    return 0.3 + 0.6 * (part > 1 ? 1 : part);
}

/* A curve that ends in a head whose tip is at its point 3. */
static void draw_shaft(rg_display *display, const rg_point at[4], double width, double opacity,
                       rg_colour colour)
{
    double dx = at[3].x - at[2].x, dy = at[3].y - at[2].y, length = sqrt(dx * dx + dy * dy);
    rg_point along = length > 0 ? (rg_point){dx / length, dy / length} : (rg_point){1, 0};
    rg_point across = {-along.y, along.x};
    double head = 3 + 2.1 * width;
    rg_point base = shifted(at[3], along, -head);
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_CURVE,
                                        .at = {at[0], at[1], at[2], shifted(base, along, 0.5)},
                                        .width = width,
                                        .stroke = colour,
                                        .opacity = opacity});
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_AREA,
                                        .at = {at[3], shifted(base, across, head * 0.42),
                                               shifted(base, across, -head * 0.42)},
                                        .fill = colour,
                                        .opacity = opacity});
}

void rg_arrow_sample(rg_display *display, rg_point from, double length, double part, double unit,
                     rg_colour colour)
{
    rg_point to = {from.x + length, from.y};
    rg_point at[4] = {from, {from.x + length / 3, from.y}, {from.x + length * 2 / 3, from.y}, to};
    draw_shaft(display, at, rg_arrow_width(part, unit), rg_arrow_opacity(part), colour);
}

/* From the rim of one node to that of the other, always bent to the same side of its way, so that
 * there and back are two arrows. */
static void draw_between(const canvas *c, const rg_arrow *arrow, double part, rg_colour colour)
{
    rg_point a = point_of(c, arrow->from), b = point_of(c, arrow->to);
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    rg_point along = {dx / length, dy / length}, across = {-along.y, along.x};
    double bend = BEND * length + 0.05 * c->place->unit;
    rg_point p = shifted(shifted(a, along, length / 3), across, bend);
    rg_point q = shifted(shifted(a, along, length * 2 / 3), across, bend);
    /* the rims lie in the directions in which the curve leaves and arrives */
    double from = radius_of(c, arrow->from), to = radius_of(c, arrow->to) + 0.8;
    double out = rg_point_distance(a, p), in = rg_point_distance(b, q);
    rg_point at[4] = {shifted(a, (rg_point){(p.x - a.x) / out, (p.y - a.y) / out}, from), p, q,
                      shifted(b, (rg_point){(q.x - b.x) / in, (q.y - b.y) / in}, to)};
    draw_shaft(c->display, at, rg_arrow_width(part, c->place->unit), rg_arrow_opacity(part),
               colour);
}

/* A loop on the side of the node where it has no neighbours. */
static void draw_loop(const canvas *c, const rg_arrow *arrow, double part, rg_colour colour)
{
    const rg_graph *g = c->row->graph;
    uint32_t i = arrow->to;
    rg_point here = point_of(c, i), away = {0, 0};
    for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
        rg_point p = point_of(c, g->col[k]);
        double d = rg_point_distance(p, here);
        if (d > 0)
            away = (rg_point){away.x - (p.x - here.x) / d, away.y - (p.y - here.y) / d};
    }
    double length = sqrt(away.x * away.x + away.y * away.y), r = radius_of(c, i);
    away = length > 0.05 ? (rg_point){away.x / length, away.y / length} : (rg_point){0, -1};
    rg_point across = {-away.y, away.x};
    double reach = r + 0.42 * c->place->unit, spread = 0.3 * c->place->unit;
    rg_point at[4] = {
        shifted(shifted(here, away, 0.8 * r), across, -0.6 * r),
        shifted(shifted(here, away, reach), across, -spread),
        shifted(shifted(here, away, reach), across, spread),
        shifted(shifted(here, away, 0.8 * r + 0.6), across, 0.6 * r + 0.5),
    };
    draw_shaft(c->display, at, rg_arrow_width(part, c->place->unit), rg_arrow_opacity(part),
               colour);
}

static void draw_arrow(const canvas *c, const rg_arrow *arrow)
{
    char made[96], number[RG_SHORT_MAX];
    const char *hover = arrow->text;
    double scale = c->place->scale, part = scale > 0 ? fabs(arrow->weight) / scale : 0;
    rg_colour colour = arrow->weight > 0 ? RG_RED : RG_BLUE;
    if (!hover) {
        rg_short_number(number, arrow->weight, true);
        snprintf(made, sizeof made, "%u \xe2\x86\x92 %u: %s", arrow->from, arrow->to, number);
        hover = made;
    }
    size_t opened = rg_display_open(c->display, hover);
    if (arrow->from == arrow->to)
        draw_loop(c, arrow, part, colour);
    else
        draw_between(c, arrow, part, colour);
    rg_display_close(c->display, opened);
}

typedef struct ranked_arc {
    double size;
    size_t k;
} ranked_arc;

static int by_size(const void *a, const void *b)
{
    const ranked_arc *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->k < y->k ? -1 : x->k > y->k;
}

/* Weak ones first, so that strong ones lie on top. */
static void draw_arrows(const canvas *c)
{
    size_t n = 0;
    if (!c->panel || !c->panel->n_arrows)
        return;
    ranked_arc *order = rg_alloc(c->panel->n_arrows, sizeof *order);
    if (!order) {
        c->display->failed = true;
        return;
    }
    for (size_t k = 0; k < c->panel->n_arrows; k++) {
        double size = fabs(c->panel->arrows[k].weight);
        if (size > 0 && isfinite(size))
            order[n++] = (ranked_arc){size, k};
    }
    if (n)
        qsort(order, n, sizeof *order, by_size);
    for (size_t k = 0; k < n; k++)
        draw_arrow(c, &c->panel->arrows[order[k].k]);
    rg_free(order);
}

/* ---- nodes */

/* "node 3: nitrogen", then what the panel says. Owned; NULL: no memory. */
static char *node_text(const canvas *c, uint32_t i)
{
    rg_text text = {0};
    const rg_figure *f = c->figure;
    if (c->row->texts && c->row->texts[i]) {
        rg_text_add(&text, "%s", c->row->texts[i]);
    } else {
        rg_text_add(&text, "node %u", i);
        if (c->row->labels && c->row->labels[i] < f->n_labels && f->labels[c->row->labels[i]].name)
            rg_text_add(&text, ": %s", f->labels[c->row->labels[i]].name);
    }
    if (c->panel && c->panel->texts && c->panel->texts[i]) {
        rg_text_add(&text, "\n%s", c->panel->texts[i]);
    } else if (c->panel && c->panel->bias) {
        char number[RG_SHORT_MAX];
        rg_short_number(number, c->panel->bias[i], true);
        rg_text_add(&text, "\nbias %s", number);
    } else if (c->panel && c->panel->shade) {
        char number[RG_SHORT_MAX];
        rg_short_number(number, c->panel->shade[i], true);
        rg_text_add(&text, "\neffect %s", number);
    }
    return rg_text_take(&text);
}

static rg_colour shade_of(const canvas *c, uint32_t i)
{
    double scale = c->figure->shade_scale;
    return rg_shade_colour(scale > 0 ? c->panel->shade[i] / scale : 0);
}

/* Behind atoms, which have no circles of their own. */
static void draw_shades(const canvas *c)
{
    for (uint32_t i = 0; c->panel && c->panel->shade && i < c->row->graph->n_nodes; i++)
        rg_display_add(c->display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                               .at = {point_of(c, i)},
                                               .radius = 0.33 * c->place->unit,
                                               .fill = shade_of(c, i),
                                               .opacity = 0.8});
}

/* All nodes that are outlined, and the edges between them, drawn as wide as this. */
static void draw_thick(const canvas *c, double radius, rg_colour colour)
{
    const rg_graph *g = c->row->graph;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (!c->panel->outlined[i])
            continue;
        rg_display_add(c->display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                               .at = {point_of(c, i)},
                                               .radius = radius,
                                               .fill = colour,
                                               .opacity = 1});
        for (uint64_t a = g->row[i]; a < g->row[i + 1]; a++)
            if (g->col[a] > i && c->panel->outlined[g->col[a]])
                rg_display_line(c->display, point_of(c, i), point_of(c, g->col[a]), 2 * radius,
                                colour, false);
    }
}

/* A line around them: dark, and white inside it. */
static void draw_outline(const canvas *c)
{
    double radius = 0.42 * c->place->unit;
    if (!c->panel || !c->panel->outlined)
        return;
    draw_thick(c, radius, RG_FAINT);
    draw_thick(c, radius - (c->place->unit < 24 ? 0.8 : 1.4), 0xffffff);
}

/* Beside the node, up and to the right. */
static void write_number(const canvas *c, uint32_t i)
{
    char number[16];
    double unit = c->place->unit, size = 0.24 * unit > 6 ? 0.24 * unit : 6;
    rg_point at = point_of(c, i);
    if (!c->figure->numbers || !c->panel || !c->panel->shade)
        return;
    snprintf(number, sizeof number, "%u", (unsigned)i);
    rg_display_write(c->display, (rg_point){at.x + 0.24 * unit, at.y - 0.22 * unit}, number, size,
                     RG_FAINT, RG_ANCHOR_START, false);
}

static void draw_node(const canvas *c, uint32_t i)
{
    char *hover = node_text(c, i);
    rg_point at = point_of(c, i);
    double r = radius_of(c, i), unit = c->place->unit;
    rg_colour label = label_colour(c, i), fill = label, rim = 0x404040;
    if (!hover)
        c->display->failed = true;
    bool shaded = c->panel && !c->panel->bias && c->panel->shade;
    if (shaded) {
        fill = shade_of(c, i);
        rim = c->row->labels ? label : rim;
    }
    if (c->panel && c->panel->bias) {
        fill = c->panel->bias[i] > 0 ? RG_RED : c->panel->bias[i] < 0 ? RG_BLUE : 0xffffff;
        rim = c->row->labels ? label : rim;
    }
    size_t opened = rg_display_open(c->display, hover);
    rg_display_add(c->display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                           .at = {at},
                                           .radius = r,
                                           .fill = fill,
                                           .stroke = rim,
                                           .width = (shaded                       ? 2.2
                                                     : c->panel && c->panel->bias ? 1.6
                                                                                  : 0.8) *
                                                    (unit < 36 ? unit / 36 : 1),
                                           .opacity = 1});
    const char *letters = c->row->letters ? c->row->letters[i] : NULL;
    if (letters && *letters && r >= LETTERS) {
        double wide = rg_text_width(letters, false), size = r * 1.25;
        if (wide * size > 1.8 * r)
            size = 1.8 * r / wide;
        rg_display_write(c->display, (rg_point){at.x, at.y + 0.36 * size}, letters, size,
                         rg_colour_ink(fill), RG_ANCHOR_MIDDLE, false);
    }
    write_number(c, i);
    rg_display_close(c->display, opened);
    rg_free(hover);
}

/* The atom alone, with room to point at. */
static void draw_atom(const canvas *c, uint32_t i)
{
    const rg_graph *g = c->row->graph;
    uint64_t degree = g->row[i + 1] - g->row[i];
    rg_point at = point_of(c, i), bonds[8];
    size_t n = 0;
    char *hover = node_text(c, i);
    if (!hover)
        c->display->failed = true;
    for (uint64_t k = g->row[i]; k < g->row[i + 1] && n < 8; k++) {
        rg_point p = point_of(c, g->col[k]);
        double length = rg_point_distance(at, p);
        if (length > 0)
            bonds[n++] = (rg_point){(p.x - at.x) / length, (p.y - at.y) / length};
    }
    size_t opened = rg_display_open(c->display, hover);
    rg_display_add(c->display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                           .at = {at},
                                           .radius = RADIUS * c->place->unit,
                                           .fill = 0xffffff,
                                           .opacity = 0});
    if (rg_atom_is_shown(&c->row->atoms[i], degree))
        rg_atom_draw(c->display, &c->row->atoms[i], at, c->place->unit, bonds, n);
    write_number(c, i);
    rg_display_close(c->display, opened);
    rg_free(hover);
}

void rg_panel_draw(rg_display *display, const rg_figure *figure, const rg_figure_row *row,
                   const rg_panel *panel, const rg_panel_place *place)
{
    canvas c = {display, figure, row,
                panel,   place,  1.5 * (place->unit < 36 ? place->unit / 36 : 1)};
    /* many edges in little room: thin lines, or nothing could be seen but lines */
    double edges = (double)row->graph->n_arcs / 2, nodes = row->graph->n_nodes;
    if (edges > 3 * nodes)
        c.line *= sqrt(3 * nodes / edges);
    c.line = c.line > 0.25 ? c.line : 0.25;
    draw_outline(&c);
    if (is_chemical(&c))
        draw_shades(&c);
    draw_bonds(&c);
    draw_arrows(&c);
    for (uint32_t i = 0; i < row->graph->n_nodes; i++)
        if (is_chemical(&c))
            draw_atom(&c, i);
        else
            draw_node(&c, i);
}
