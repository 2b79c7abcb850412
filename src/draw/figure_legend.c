/* figure_legend.c - what colours, arrows and sizes stand for, and the caption. */
#include "display.h"

#include <stdio.h>
#include <string.h>

#define SIZE 11.0
#define LINE 18.0
#define SAMPLE 36.0 /* an edge of the samples */

/* Words from left to right, broken at the right edge. */
typedef struct word_flow {
    rg_display *display;
    double x, y, left, right;
} word_flow;

static void flow_room(word_flow *f, double width)
{
    if (f->x > f->left && f->x + width > f->right) {
        f->x = f->left;
        f->y += LINE;
    }
}

static double draw_labels(rg_display *display, const rg_figure *figure, double room, double top)
{
    word_flow f = {display, 16, top + LINE, 16, room - 16};
    for (size_t k = 0; k < figure->n_labels; k++) {
        const char *name = figure->labels[k].name ? figure->labels[k].name : "";
        double width = 18 + rg_text_width(name, false) * SIZE;
        width = width < f.right - f.left ? width : f.right - f.left;
        flow_room(&f, width);
        rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                            .at = {{f.x + 6, f.y - 4}},
                                            .radius = 5.5,
                                            .fill = figure->labels[k].colour,
                                            .stroke = 0x404040,
                                            .width = 0.8,
                                            .opacity = 1});
        rg_display_fit(display, (rg_point){f.x + 16, f.y}, name, SIZE, RG_INK, RG_ANCHOR_START,
                       false, f.right - f.left - 18);
        f.x += width + 12;
    }
    return figure->n_labels ? f.y : top;
}

/* Where something of this width begins whose middle should be at x, inside the figure. */
static double begin(const rg_display *display, double x, double width)
{
    double at = x - width / 2, most = display->width - 12 - width;
    at = at < most ? at : most;
    return at > 12 ? at : 12;
}

/* The samples of a key: the whole scale and a quarter of it, of either sign. */
static const double parts[4] = {1, 0.25, -0.25, -1};

/* A key around x, no wider than `room` if that can be: then without the quarters. sample: draws one
 * at a point, `wide` pixels of it. */
typedef struct legend_key {
    const char *word; /* in front; NULL: none */
    double wide;
    void (*sample)(rg_display *display, rg_point at, double part);
} legend_key;

static void draw_key(rg_display *display, const legend_key *k, double x, double y, double scale,
                     double room)
{
    char number[4][RG_SHORT_MAX];
    double word = k->word ? rg_text_width(k->word, false) * (SIZE - 1) + 6 : 0, width[2] = {0, 0};
    for (int s = 0; s < 4; s++) {
        rg_short_number(number[s], parts[s] * scale, true);
        double one = k->wide + 4 + rg_text_width(number[s], false) * (SIZE - 1) + 8;
        width[0] += one;
        width[1] += s % 3 ? 0 : one;
    }
    bool few = word + width[0] > room;
    double at = begin(display, x, word + width[few]);
    rg_display_write(display, (rg_point){at, y}, k->word, SIZE - 1, RG_FAINT, RG_ANCHOR_START,
                     false);
    at += word;
    for (int s = 0; s < 4; s += few ? 3 : 1) {
        k->sample(display, (rg_point){at, y - 4}, parts[s]);
        rg_display_write(display, (rg_point){at + k->wide + 4, y}, number[s], SIZE - 1, RG_INK,
                         RG_ANCHOR_START, false);
        at += k->wide + 4 + rg_text_width(number[s], false) * (SIZE - 1) + 8;
    }
}

static void weight_sample(rg_display *display, rg_point at, double part)
{
    rg_arrow_sample(display, at, 28, part < 0 ? -part : part, SAMPLE, part > 0 ? RG_RED : RG_BLUE);
}

static void bias_sample(rg_display *display, rg_point at, double part)
{
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                        .at = {{at.x + 9, at.y}},
                                        .radius = rg_bias_radius(part < 0 ? -part : part, SAMPLE),
                                        .fill = part > 0 ? RG_RED : RG_BLUE,
                                        .opacity = 1});
}

static void shade_sample(rg_display *display, rg_point at, double part)
{
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                        .at = {{at.x + 8, at.y}},
                                        .radius = 7,
                                        .fill = rg_shade_colour(part),
                                        .stroke = 0x404040,
                                        .width = 0.8,
                                        .opacity = 1});
}

static const legend_key shades = {"nodes of the first column", 17, shade_sample};
static const legend_key weights = {NULL, 28, weight_sample}, biases = {"bias", 18, bias_sample};

/* One key for each column, or one for all if those that have a scale agree. */
static double draw_scales(rg_display *display, const legend_key *k, const double *scales,
                          const double *columns, size_t n, double room, double top)
{
    bool same = true;
    double scale = 0;
    for (size_t c = 0; c < n; c++) {
        same = same && (scales[c] == 0 || scale == 0 || scales[c] == scale);
        scale = scales[c] > 0 ? scales[c] : scale;
    }
    if (!(scale > 0))
        return top;
    double y = top + LINE + 4;
    if (same)
        draw_key(display, k, room / 2, y, scale, room);
    for (size_t c = 0; !same && c < n; c++) {
        if (scales[c] > 0)
            draw_key(display, k, columns[c], y, scales[c], columns[1] - columns[0]);
    }
    return y;
}

/* The bytes of the text that fit into the room, broken behind a blank if there is one. */
static size_t line_end(const char *text, double room)
{
    size_t end = 0, n = strlen(text);
    char part[1024];
    for (size_t k = 1; k <= n; k++) {
        if (k < n && text[k] != ' ')
            continue;
        size_t length = k < sizeof part ? k : sizeof part - 1;
        memcpy(part, text, length);
        part[length] = '\0';
        if (end && (length < k || rg_text_width(part, false) * SIZE > room))
            return end;
        end = length;
    }
    return end;
}

static double draw_caption(rg_display *display, const char *caption, double room, double top)
{
    char line[1024];
    double y = top;
    while (*caption) {
        size_t n = line_end(caption, room - 32);
        n = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, caption, n);
        line[n] = '\0';
        y += LINE - 2;
        rg_display_fit(display, (rg_point){16, y}, line, SIZE, RG_FAINT, RG_ANCHOR_START, false,
                       room - 32);
        caption += n;
        caption += strspn(caption, " ");
    }
    return y;
}

double rg_legend_draw(rg_display *display, const rg_figure *figure, const double *scales,
                      const double *bias_scales, const double *columns, double room, double top)
{
    size_t n = figure->n_columns;
    if (!figure->plain && figure->shade_scale > 0) {
        top += LINE + 4;
        draw_key(display, &shades, room / 2, top, figure->shade_scale, room);
    }
    if (!figure->plain) {
        top = draw_scales(display, &weights, scales, columns, n, room, top);
        top = draw_scales(display, &biases, bias_scales, columns, n, room, top);
        top = draw_labels(display, figure, room, top);
    }
    if (figure->caption && *figure->caption)
        top = draw_caption(display, figure->caption, room, top + 4);
    return top;
}
