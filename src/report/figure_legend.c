/* figure_legend.c - what colours, arrows and sizes stand for, and the caption. */
#include "display.h"

#include <stdio.h>
#include <string.h>

#define SIZE 11.0
#define LINE 18.0
#define SAMPLE 36.0 /* an edge of the samples */

/* Words from left to right, broken at the right edge. */
typedef struct flow {
    rg_display *display;
    double x, y, left, right;
} flow;

static void flow_room(flow *f, double width)
{
    if (f->x > f->left && f->x + width > f->right) {
        f->x = f->left;
        f->y += LINE;
    }
}

static double draw_labels(rg_display *display, const rg_figure *figure, double room, double top)
{
    flow f = {display, 16, top + LINE, 16, room - 16};
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

/* Arrows of the whole scale and of a quarter of it, of either sign, centred at x. */
static void draw_weights(rg_display *display, double x, double y, double scale)
{
    static const struct {
        double part;
        int sign;
    } samples[] = {{1, 1}, {0.25, 1}, {0.25, -1}, {1, -1}};
    char number[4][RG_SHORT_MAX];
    double width = 0;
    for (int k = 0; k < 4; k++) {
        rg_short_number(number[k], samples[k].sign * samples[k].part * scale, true);
        width += 32 + rg_text_width(number[k], false) * (SIZE - 1) + 8;
    }
    double at = begin(display, x, width);
    for (int k = 0; k < 4; k++) {
        rg_arrow_sample(display, (rg_point){at, y - 4}, 28, samples[k].part, SAMPLE,
                        samples[k].sign > 0 ? RG_RED : RG_BLUE);
        rg_display_write(display, (rg_point){at + 32, y}, number[k], SIZE - 1, RG_INK,
                         RG_ANCHOR_START, false);
        at += 32 + rg_text_width(number[k], false) * (SIZE - 1) + 8;
    }
}

static void draw_biases(rg_display *display, double x, double y, double scale)
{
    static const double parts[] = {1, 0.25, -0.25, -1};
    char number[4][RG_SHORT_MAX];
    double width = rg_text_width("bias", false) * (SIZE - 1) + 6;
    for (int k = 0; k < 4; k++) {
        rg_short_number(number[k], parts[k] * scale, true);
        width += 22 + rg_text_width(number[k], false) * (SIZE - 1) + 6;
    }
    double at = begin(display, x, width);
    rg_display_write(display, (rg_point){at, y}, "bias", SIZE - 1, RG_FAINT, RG_ANCHOR_START,
                     false);
    at += rg_text_width("bias", false) * (SIZE - 1) + 6;
    for (int k = 0; k < 4; k++) {
        double part = parts[k] < 0 ? -parts[k] : parts[k];
        rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_CIRCLE,
                                            .at = {{at + 9, y - 4}},
                                            .radius = rg_bias_radius(part, SAMPLE),
                                            .fill = parts[k] > 0 ? RG_RED : RG_BLUE,
                                            .opacity = 1});
        rg_display_write(display, (rg_point){at + 20, y}, number[k], SIZE - 1, RG_INK,
                         RG_ANCHOR_START, false);
        at += 22 + rg_text_width(number[k], false) * (SIZE - 1) + 6;
    }
}

/* One key for each column, or one for all if they agree. */
static double draw_scales(rg_display *display, const double *scales, const double *columns,
                          size_t n, double room, double top,
                          void (*draw)(rg_display *, double, double, double))
{
    bool same = true, any = false;
    for (size_t k = 0; k < n; k++) {
        same = same && scales[k] == scales[0];
        any = any || scales[k] > 0;
    }
    if (!any)
        return top;
    for (size_t k = 0; k < (same ? 1 : n); k++) {
        if (scales[k] > 0)
            draw(display, same ? room / 2 : columns[k], top + LINE + 4, scales[k]);
    }
    return top + LINE + 4;
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
    if (!figure->plain) {
        top = draw_scales(display, scales, columns, n, room, top, draw_weights);
        top = draw_scales(display, bias_scales, columns, n, room, top, draw_biases);
        top = draw_labels(display, figure, room, top);
    }
    if (figure->caption && *figure->caption)
        top = draw_caption(display, figure->caption, room, top + 4);
    return top;
}
