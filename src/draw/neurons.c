/* neurons.c - see neurons.h. */
#include "neurons.h"

#include "base/error.h"
#include "display.h"

#include <inttypes.h>
#include <stdio.h>

enum { NEURONS = 400, LINES = 20000, LEGEND = 16, COLOURS = 20 };

static const double margin = 16, text_line = 18, head = 26, graph_width = 240, column_width = 310;

/* Where the columns of one graph are. */
typedef struct neuron_place {
    double top, height; /* of the graph and its neurons */
    double step;        /* from neuron to neuron, at most */
} neuron_place;

static double column_x(size_t column)
{
    return margin + graph_width + 60 + (double)column * column_width;
}

static double neuron_y(const neuron_place *p, uint32_t k, uint32_t n)
{
    return p->top + p->height / 2 + ((double)k - ((double)n - 1) / 2) * p->step;
}

static double radius_of(const neuron_place *p)
{
    return p->step * 0.36 > 9 ? 9 : p->step * 0.36;
}

static rg_point extent(const rg_figure_row *row)
{
    rg_point most = {0, 0};
    for (uint32_t i = 0; i < row->graph->n_nodes; i++) {
        most.x = row->points[i].x > most.x ? row->points[i].x : most.x;
        most.y = row->points[i].y > most.y ? row->points[i].y : most.y;
    }
    return most;
}

/* Small graphs have room around their neurons; those of large ones are close to each other. */
static neuron_place place_row(const rg_neuron_figure *f, size_t r, double top, double *unit)
{
    uint32_t most = 1;
    rg_point size = extent(&f->graphs[r]);
    neuron_place p = {.top = top};
    for (size_t c = 0; c < f->n_columns; c++)
        most = f->rows[r][c].n > most ? f->rows[r][c].n : most;
    p.step = most <= 24 ? 26 : most <= 60 ? 15 : 9;
    *unit = size.x * 36 > graph_width ? graph_width / size.x : 36;
    p.height = most * p.step > size.y * *unit + 24 ? most * p.step : size.y * *unit + 24;
    return p;
}

static const char *key_of(const rg_neuron_figure *f, size_t column, uint32_t weight)
{
    return weight && weight <= f->n_keys[column] ? f->keys[column][weight - 1] : NULL;
}

/* Those in grey, whose weights have no colour of their own, or the others. */
static void draw_lines(rg_display *d, const rg_neuron_figure *f, size_t r, size_t c,
                       const neuron_place *p, bool grey)
{
    const rg_neuron_column *now = &f->rows[r][c], *before = now - 1;
    double radius = radius_of(p), width = p->step > 20 ? 1.8 : p->step > 10 ? 1.2 : 0.8;
    for (size_t k = 0; k < now->n_lines; k++) {
        const rg_neuron_line *l = &now->lines[k];
        if ((l->weight > COLOURS) != grey)
            continue;
        const char *key = key_of(f, c, l->weight);
        char hover[240];
        rg_shape s = {.kind = RG_SHAPE_LINE,
                      .at = {{column_x(c - 1) + radius, neuron_y(p, l->from, before->n)},
                             {column_x(c) - radius, neuron_y(p, l->to, now->n)}},
                      .width = width,
                      .opacity = 0.85,
                      .stroke = rg_palette_colour(l->weight - 1)};
        snprintf(hover, sizeof hover, "%" PRIu32 " -> %" PRIu32 ": weight %" PRIu32 "%s%s", l->from,
                 l->to, l->weight, key ? ", " : "", key ? key : "");
        size_t opened = rg_display_open(d, hover);
        rg_display_add(d, &s);
        rg_display_close(d, opened);
    }
}

/* Layers that are not drawn stand between two columns. */
static void draw_block(rg_display *d, const rg_neuron_figure *f, size_t r, size_t c,
                       const neuron_place *p)
{
    const rg_neuron_column *now = &f->rows[r][c], *before = now - 1;
    double radius = radius_of(p), left = column_x(c - 1) + radius, right = column_x(c) - radius;
    rg_point corner[] = {{left, neuron_y(p, 0, before->n) - radius},
                         {left, neuron_y(p, before->n - 1, before->n) + radius},
                         {right, neuron_y(p, 0, now->n) - radius},
                         {right, neuron_y(p, now->n - 1, now->n) + radius}};
    for (int half = 0; half < 2; half++)
        rg_display_add(d, &(rg_shape){.kind = RG_SHAPE_AREA,
                                      .at = {corner[half], corner[1 + half], corner[2 + half]},
                                      .fill = 0xe4e4e4,
                                      .opacity = 1});
}

static void draw_neurons(rg_display *d, const rg_neuron_figure *f, size_t r, size_t c,
                         const neuron_place *p)
{
    const rg_neuron_column *column = &f->rows[r][c];
    const rg_figure_row *graph = &f->graphs[r];
    double radius = radius_of(p), size = p->step > 20 ? 12 : p->step > 10 ? 10 : 7;
    bool nodes = column->n == graph->graph->n_nodes;
    for (uint32_t k = 0; k < column->n; k++) {
        uint32_t bias = column->bias ? column->bias[k] : 0;
        const char *key = key_of(f, c, bias);
        rg_colour fill = 0xffffff;
        char hover[240];
        if (nodes && graph->labels && graph->labels[k] < f->n_labels)
            fill = f->labels[graph->labels[k]].colour;
        rg_shape s = {.kind = RG_SHAPE_CIRCLE,
                      .at = {{column_x(c), neuron_y(p, k, column->n)}},
                      .radius = radius,
                      .width = bias ? 3 : 1,
                      .opacity = 1,
                      .fill = fill,
                      .stroke = bias ? rg_palette_colour(bias - 1) : RG_INK};
        if (bias)
            snprintf(hover, sizeof hover, "neuron %" PRIu32 ": bias %" PRIu32 "%s%s", k, bias,
                     key ? ", " : "", key ? key : "");
        else
            snprintf(hover, sizeof hover, "neuron %" PRIu32, k);
        size_t opened = rg_display_open(d, hover);
        rg_display_add(d, &s);
        if (nodes && p->step > 20 && graph->letters && graph->letters[k])
            rg_display_write(d, (rg_point){column_x(c), s.at[0].y + 3.5}, graph->letters[k], 10,
                             rg_colour_ink(fill), RG_ANCHOR_MIDDLE, false);
        rg_display_close(d, opened);
        if (column->names && c + 1 == f->n_columns)
            rg_display_write(d, (rg_point){column_x(c) + radius + 6, s.at[0].y + size * 0.35},
                             column->names[k], size, RG_INK, RG_ANCHOR_START, false);
        else if (column->names && c == 0)
            rg_display_write(d, (rg_point){column_x(c) - radius - 5, s.at[0].y + size * 0.35},
                             column->names[k], size, RG_INK, RG_ANCHOR_END, false);
    }
}

static void draw_graph(rg_display *d, const rg_neuron_figure *f, size_t r, const neuron_place *p,
                       double unit)
{
    const rg_figure_row *row = &f->graphs[r];
    rg_figure alone = {.rows = row,
                       .n_rows = 1,
                       .n_columns = 1,
                       .labels = f->labels,
                       .n_labels = f->n_labels,
                       .plain = true};
    rg_point size = extent(row);
    rg_panel_place where = {.corner = {margin + (graph_width - size.x * unit) / 2,
                                       p->top + (p->height - size.y * unit) / 2},
                            .unit = unit};
    rg_panel_draw(d, &alone, row, NULL, &where);
}

static double draw_row(rg_display *d, const rg_neuron_figure *f, size_t r, double top)
{
    const char *title = f->graphs[r].title;
    double unit;
    if (title && *title) {
        rg_display_write(d, (rg_point){margin, top + 12}, title, 12, RG_INK, RG_ANCHOR_START, true);
        top += text_line;
    }
    neuron_place p = place_row(f, r, top, &unit);
    draw_graph(d, f, r, &p, unit);
    for (size_t c = 1; c < f->n_columns; c++) {
        if (f->rows[r][c].block)
            draw_block(d, f, r, c, &p);
        draw_lines(d, f, r, c, &p, true); /* below the others */
        draw_lines(d, f, r, c, &p, false);
    }
    for (size_t c = 0; c < f->n_columns; c++)
        draw_neurons(d, f, r, c, &p);
    return top + p.height + text_line;
}

/* The weights of each layer below its column; returns where the longest list ends. */
static double draw_legend(rg_display *d, const rg_neuron_figure *f, double top)
{
    double end = top;
    for (size_t c = 1; c < f->n_columns; c++) {
        double x = column_x(c) - column_width + 24, y = top;
        for (size_t k = 0; k < f->n_keys[c] && k < LEGEND; k++, y += text_line) {
            rg_display_add(d, &(rg_shape){.kind = RG_SHAPE_BOX,
                                          .at = {{x, y}, {x + 14, y + 14}},
                                          .opacity = 1,
                                          .fill = rg_palette_colour(k)});
            rg_display_fit(d, (rg_point){x + 20, y + 11}, f->keys[c][k], 11, RG_INK,
                           RG_ANCHOR_START, false, column_width - 40);
        }
        if (f->n_keys[c] > LEGEND) {
            char more[60];
            snprintf(more, sizeof more, "and %zu more weights", f->n_keys[c] - LEGEND);
            rg_display_write(d, (rg_point){x + 20, y + 11}, more, 11, RG_FAINT, RG_ANCHOR_START,
                             false);
            y += text_line;
        }
        end = y > end ? y : end;
    }
    return end;
}

static rg_status check(const rg_neuron_figure *f, rg_error *err)
{
    size_t n = 0;
    for (size_t r = 0; r < f->n_rows; r++)
        for (size_t c = 0; c < f->n_columns; c++) {
            n += f->rows[r][c].n_lines;
            if (f->rows[r][c].n > NEURONS)
                return rg_fail(err, RG_EUSAGE,
                               "found %" PRIu32 " neurons in a layer of a picture, expected at "
                               "most %d: choose a smaller graph",
                               f->rows[r][c].n, NEURONS);
        }
    if (n > LINES)
        return rg_fail(err, RG_EUSAGE,
                       "found %zu connections in a picture, expected at most %d: choose a smaller "
                       "graph, or fewer",
                       n, LINES);
    return RG_OK;
}

rg_status rg_neuron_figure_write(const rg_neuron_figure *figure, const char *path, rg_error *err)
{
    rg_display d = {0};
    double y = margin;
    rg_status status = check(figure, err);
    if (status)
        return status;
    d.width = column_x(figure->n_columns) - column_width / 2 + margin;
    rg_display_add(&d, &(rg_shape){.kind = RG_SHAPE_BOX, .opacity = 1, .fill = 0xffffff});
    if (figure->title) {
        rg_display_fit(&d, (rg_point){margin, y + 13}, figure->title, 14, RG_INK, RG_ANCHOR_START,
                       true, d.width - 2 * margin);
        y += head;
    }
    for (size_t c = 0; c < figure->n_columns; c++)
        rg_display_fit(&d, (rg_point){column_x(c), y + 11}, figure->titles[c], 12, RG_INK,
                       RG_ANCHOR_MIDDLE, true, column_width - 20);
    y += head;
    for (size_t r = 0; r < figure->n_rows; r++)
        y = draw_row(&d, figure, r, y);
    d.height = draw_legend(&d, figure, y) + margin;
    if (!d.failed)
        d.shapes[0].at[1] = (rg_point){d.width, d.height};
    status =
        d.failed ? rg_fail_memory(err, "a figure") : rg_display_save(&d, path, figure->title, err);
    rg_display_free(&d);
    return status;
}
