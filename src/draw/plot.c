/* plot.c - see plot.h. */
#include "plot.h"

#include "base/error.h"
#include "display.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 300, MOST_TICKS = 12 };

static const double left = 64, right = 20, top = 34, below = 44, wide = 560, high = 260, line = 18;
static const rg_colour grid = 0xe4e4e4;

/* Colours that can be seen as thin lines. */
rg_colour rg_plot_colour(size_t k)
{
    static const unsigned char dark[] = {0, 1, 2, 4, 6, 7, 8, 10, 12, 14, 15, 18};
    return rg_palette_colour(dark[k % sizeof dark]);
}

/* Where numbers of a panel lie. */
typedef struct plot_frame {
    double y0;              /* pixels above the area */
    double low, high, step; /* of the numbers, and between ticks */
    size_t n;               /* x goes from 1 to n */
} plot_frame;

/* 1, 2 or 5 times a power of ten, so that about five ticks fit. */
static double nice_step(double range)
{
    double power = 1e-12;
    while (power * 10 <= range / 4)
        power *= 10;
    for (int k = 0; k < 3; k++) {
        double step = power * (k == 0 ? 1 : k == 1 ? 2 : 5);
        if (range / step <= 6)
            return step;
    }
    return power * 10;
}

static plot_frame frame_of(const rg_plot_panel *panel, double y0)
{
    plot_frame f = {.y0 = y0, .low = (double)INFINITY, .high = -(double)INFINITY, .n = 1};
    for (size_t k = 0; k < panel->n_lines; k++) {
        const rg_plot_line *l = &panel->lines[k];
        f.n = l->n > f.n ? l->n : f.n;
        for (size_t e = 0; e < l->n; e++) {
            double spread = l->spread && isfinite(l->spread[e]) ? l->spread[e] : 0;
            if (isfinite(l->y[e])) {
                f.low = fmin(f.low, l->y[e] - spread);
                f.high = fmax(f.high, l->y[e] + spread);
            }
        }
    }
    if (!(f.low <= f.high)) {
        f.low = 0;
        f.high = 1;
    }
    if (f.high - f.low < 1e-9) {
        f.low -= 0.5;
        f.high += 0.5;
    }
    f.step = nice_step(f.high - f.low);
    f.low = floor(f.low / f.step) * f.step;
    f.high = ceil(f.high / f.step) * f.step;
    if (panel->most > f.low)
        f.high = fmin(f.high, panel->most);
    return f;
}

static rg_point place(const plot_frame *f, double x, double y)
{
    double part = f->n > 1 ? (x - 1) / (double)(f->n - 1) : 0.5;
    return (rg_point){left + part * wide, f->y0 + high * (f->high - y) / (f->high - f->low)};
}

static void draw_axes(rg_display *d, const rg_plot_panel *panel, const plot_frame *f)
{
    char text[32];
    double x_step = fmax(1, nice_step((double)f->n));
    for (int k = 0; k <= MOST_TICKS && f->low + k * f->step <= f->high + f->step / 2; k++) {
        rg_point at = place(f, 1, f->low + k * f->step);
        rg_display_line(d, (rg_point){left, at.y}, (rg_point){left + wide, at.y}, 1, grid, false);
        snprintf(text, sizeof text, "%.6g",
                 fabs(f->low + k * f->step) < f->step / 1e6 ? 0.0 : f->low + k * f->step);
        rg_display_write(d, (rg_point){left - 6, at.y + 4}, text, 11, RG_FAINT, RG_ANCHOR_END,
                         false);
    }
    for (int k = 0; k <= 2 * MOST_TICKS && k * x_step <= (double)f->n; k++) {
        double x = k ? k * x_step : 1;
        rg_point at = place(f, x, f->low);
        snprintf(text, sizeof text, "%.6g", x);
        rg_display_write(d, (rg_point){at.x, at.y + 16}, text, 11, RG_FAINT, RG_ANCHOR_MIDDLE,
                         false);
    }
    rg_display_line(d, (rg_point){left, f->y0 + high}, (rg_point){left + wide, f->y0 + high}, 1,
                    RG_EDGE, false);
    rg_display_fit(d, (rg_point){left, f->y0 - 10}, panel->title, 13, RG_INK, RG_ANCHOR_START, true,
                   wide * 0.7);
    rg_display_write(d, (rg_point){left + wide, f->y0 - 10}, panel->y_title, 11, RG_FAINT,
                     RG_ANCHOR_END, false);
    rg_display_write(d, (rg_point){left + wide / 2, f->y0 + high + 34}, panel->x_title, 11,
                     RG_FAINT, RG_ANCHOR_MIDDLE, false);
}

/* Every how many points one is drawn. */
static size_t stride_of(const rg_plot_line *l)
{
    return 1 + l->n / MOST_POINTS;
}

static void draw_band(rg_display *d, const rg_plot_line *l, const plot_frame *f, size_t a, size_t b)
{
    rg_point corner[4] = {place(f, (double)a + 1, fmin(l->y[a] + l->spread[a], f->high)),
                          place(f, (double)b + 1, fmin(l->y[b] + l->spread[b], f->high)),
                          place(f, (double)b + 1, l->y[b] - l->spread[b]),
                          place(f, (double)a + 1, l->y[a] - l->spread[a])};
    for (int half = 0; half < 2; half++)
        rg_display_add(d, &(rg_shape){.kind = RG_SHAPE_AREA,
                                      .at = {corner[0], corner[1 + half], corner[2 + half]},
                                      .fill = l->colour,
                                      .opacity = 0.13});
}

static void draw_line(rg_display *d, const rg_plot_line *l, const plot_frame *f, bool band)
{
    size_t stride = stride_of(l);
    for (size_t a = 0; a + 1 < l->n; a += stride) {
        size_t b = a + stride < l->n ? a + stride : l->n - 1;
        if (!isfinite(l->y[a]) || !isfinite(l->y[b]))
            continue;
        if (!band)
            rg_display_line(d, place(f, (double)a + 1, l->y[a]), place(f, (double)b + 1, l->y[b]),
                            1.6, l->colour, l->dashed);
        else if (l->spread && isfinite(l->spread[a]) && isfinite(l->spread[b]))
            draw_band(d, l, f, a, b);
    }
    if (l->n == 1 && !band && isfinite(l->y[0])) /* one number: the same everywhere */
        rg_display_line(d, place(f, 1, l->y[0]), place(f, (double)f->n, l->y[0]), 1.6, l->colour,
                        l->dashed);
}

static bool named_before(const rg_plot_panel *panels, size_t panel, size_t k)
{
    for (size_t p = 0; p <= panel; p++)
        for (size_t other = 0; other < (p < panel ? panels[p].n_lines : k); other++)
            if (strcmp(panels[p].lines[other].name, panels[panel].lines[k].name) == 0)
                return true;
    return false;
}

static double draw_legend(rg_display *d, const rg_plot_panel *panels, size_t n, double at)
{
    double x = left;
    for (size_t p = 0; p < n; p++)
        for (size_t k = 0; k < panels[p].n_lines; k++) {
            const rg_plot_line *l = &panels[p].lines[k];
            if (named_before(panels, p, k))
                continue;
            double width = 30 + 12 * rg_text_width(l->name, false) + 18;
            if (x > left && x + width > left + wide) {
                x = left;
                at += line;
            }
            rg_display_line(d, (rg_point){x, at}, (rg_point){x + 22, at}, 2, l->colour, l->dashed);
            rg_display_fit(d, (rg_point){x + 28, at + 4}, l->name, 12, RG_INK, RG_ANCHOR_START,
                           false, wide - 30);
            x += width;
        }
    return at + line;
}

rg_status rg_plot_write(const rg_plot_panel *panels, size_t n, const char *path, rg_error *err)
{
    rg_display d = {0};
    rg_display_add(&d, &(rg_shape){.kind = RG_SHAPE_BOX, .opacity = 1, .fill = 0xffffff});
    for (size_t p = 0; p < n; p++) {
        plot_frame f = frame_of(&panels[p], top + (double)p * (top + high + below));
        draw_axes(&d, &panels[p], &f);
        for (int band = 1; band >= 0; band--)
            for (size_t k = 0; k < panels[p].n_lines; k++)
                draw_line(&d, &panels[p].lines[k], &f, band != 0);
    }
    d.width = left + wide + right;
    d.height = draw_legend(&d, panels, n, (double)n * (top + high + below) + 14) + 4;
    if (!d.failed)
        d.shapes[0].at[1] = (rg_point){d.width, d.height};
    rg_status status = d.failed ? rg_fail_memory(err, "a figure")
                                : rg_display_save(&d, path, n ? panels[0].title : NULL, err);
    rg_display_free(&d);
    return status;
}
