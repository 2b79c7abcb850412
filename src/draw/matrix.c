/* matrix.c - see matrix.h. */
#include "matrix.h"

#include "base/error.h"
#include "display.h"

#include <inttypes.h>
#include <stdio.h>

enum { LARGEST = 4096, LEGEND = 32 };

static const double margin = 12, line = 18;
static const rg_colour nothing = 0xf3f3f3;

/* Pixels of an entry: as many as give a page, room for a number if there is. */
static double unit_of(const rg_weight_matrix *m)
{
    uint32_t most = m->n_rows > m->n_cols ? m->n_rows : m->n_cols;
    double unit = most ? 900.0 / most : 26;
    return unit > 26 ? 26 : unit < 2 ? 2 : unit;
}

static void draw_box(rg_display *d, rg_point at, double unit, uint32_t number, const char *hover)
{
    double gap = unit < 6 ? 0 : 1;
    char text[16] = "";
    rg_shape box = {.kind = RG_SHAPE_BOX,
                    .opacity = 1,
                    .fill = number ? rg_palette_colour(number - 1) : nothing};
    size_t opened = hover ? rg_display_open(d, hover) : 0;
    box.at[0] = at;
    box.at[1] = (rg_point){at.x + unit - gap, at.y + unit - gap};
    rg_display_add(d, &box);
    if (number)
        snprintf(text, sizeof text, "%" PRIu32, number);
    double size = unit * 0.46;
    if (unit >= 12 && rg_text_width(text, false) * size < unit)
        rg_display_write(d, (rg_point){at.x + (unit - gap) / 2, at.y + unit / 2 + size * 0.35},
                         text, size, rg_colour_ink(box.fill), RG_ANCHOR_MIDDLE, false);
    if (hover)
        rg_display_close(d, opened);
}

/* "row 2, column 5: w_3, KEY" */
static void draw_entries(rg_display *d, const rg_weight_matrix *m, double top, double unit)
{
    for (uint32_t i = 0; i < m->n_rows; i++)
        for (uint32_t j = 0; j < m->n_cols; j++) {
            uint32_t number = m->numbers[(size_t)i * m->n_cols + j];
            const char *key = number && number <= m->n_keys ? m->keys[number - 1] : NULL;
            char hover[200] = "";
            if (number)
                snprintf(hover, sizeof hover,
                         "row %" PRIu32 ", column %" PRIu32 ": weight %" PRIu32 "%s%s", i + 1,
                         j + 1, number, key ? ", " : "", key ? key : "");
            draw_box(d, (rg_point){margin + j * unit, top + i * unit}, unit, number,
                     number ? hover : NULL);
        }
}

/* Returns where it ends; *right grows to its width. */
static double draw_legend(rg_display *d, const rg_weight_matrix *m, double top, double *right)
{
    size_t shown = 0, left = 0;
    for (size_t k = 0; k < m->n_keys; k++) {
        if (!m->keys[k])
            continue;
        if (shown == LEGEND) {
            left++;
            continue;
        }
        draw_box(d, (rg_point){margin, top}, 16, (uint32_t)k + 1, NULL);
        rg_display_write(d, (rg_point){margin + 24, top + 12}, m->keys[k], 12, RG_INK,
                         RG_ANCHOR_START, false);
        double end = margin + 24 + 12 * rg_text_width(m->keys[k], false);
        *right = end > *right ? end : *right;
        top += line;
        shown++;
    }
    if (left) {
        char text[60];
        snprintf(text, sizeof text, "and %zu more weights", left);
        rg_display_write(d, (rg_point){margin + 24, top + 12}, text, 12, RG_FAINT, RG_ANCHOR_START,
                         false);
        top += line;
    }
    return top;
}

rg_status rg_weight_matrix_write(const rg_weight_matrix *matrix, const char *path, rg_error *err)
{
    rg_display d = {0};
    double unit = unit_of(matrix), top = margin, right = margin + matrix->n_cols * unit;
    if (matrix->n_rows > LARGEST || matrix->n_cols > LARGEST)
        return rg_fail(err, RG_EUSAGE,
                       "found a matrix of %" PRIu32 " rows and %" PRIu32
                       " columns, expected at most %d of each in a picture",
                       matrix->n_rows, matrix->n_cols, LARGEST);
    rg_display_add(&d, &(rg_shape){.kind = RG_SHAPE_BOX, .opacity = 1, .fill = 0xffffff});
    if (matrix->title) {
        double room = right - margin > 500 ? right - margin : 500;
        rg_display_fit(&d, (rg_point){margin, top + 12}, matrix->title, 14, RG_INK, RG_ANCHOR_START,
                       true, room);
        double end = margin + 14 * rg_text_width(matrix->title, true);
        right = end < margin + room && end > right ? end : right;
        right = end >= margin + room && right < margin + room ? margin + room : right;
        top += line + 6;
    }
    draw_entries(&d, matrix, top, unit);
    top = draw_legend(&d, matrix, top + matrix->n_rows * unit + margin, &right);
    d.width = right + margin;
    d.height = top + margin;
    if (!d.failed)
        d.shapes[0].at[1] = (rg_point){d.width, d.height};
    rg_status status =
        d.failed ? rg_fail_memory(err, "a figure") : rg_display_save(&d, path, matrix->title, err);
    rg_display_free(&d);
    return status;
}
