/* layout_pack.c - boxes beside each other: each as far up as it goes, then as far left. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define SHAPE 1.6 /* width to height of the whole */

/* What is taken so far, seen from below: pieces from left to right, with the y where each is free.
 */
typedef struct skyline_piece {
    double x, width, y;
} skyline_piece;

/* Where a box that begins at piece k would lie; false: too wide. */
static bool fits(double *y, const skyline_piece *pieces, size_t n, size_t k, double width,
                 double limit)
{
    if (pieces[k].x + width > limit * (1 + 1e-9))
        return false;
    double left = width;
    *y = 0;
    for (; k < n && left > 1e-9; k++) {
        *y = pieces[k].y > *y ? pieces[k].y : *y;
        left -= pieces[k].width;
    }
    return true;
}

/* Puts the box on the pieces from k on. There is room for one more piece. */
static size_t cover(skyline_piece *pieces, size_t n, size_t k, const rg_box *box)
{
    size_t last = k;
    double right = box->x + box->width;
    while (last < n && pieces[last].x + pieces[last].width <= right + 1e-9)
        last++;
    if (last < n && pieces[last].x < right) { /* what sticks out on the right stays */
        pieces[last].width -= right - pieces[last].x;
        pieces[last].x = right;
    }
    memmove(pieces + k + 1, pieces + last, (n - last) * sizeof *pieces);
    pieces[k] = (skyline_piece){box->x, box->width, box->y + box->height};
    return k + 1 + (n - last);
}

rg_status rg_boxes_pack(rg_box *boxes, size_t n, rg_error *err)
{
    double area = 0, limit = 0;
    for (size_t k = 0; k < n; k++) {
        area += boxes[k].width * boxes[k].height;
        limit = boxes[k].width > limit ? boxes[k].width : limit;
    }
    double wanted = sqrt(area * SHAPE);
    limit = wanted > limit ? wanted : limit;
    skyline_piece *pieces = rg_alloc(n + 2, sizeof *pieces);
    if (!pieces)
        return rg_fail_memory(err, "the layout of a graph");
    size_t n_pieces = 1;
    pieces[0] = (skyline_piece){0, limit, 0};
    for (size_t b = 0; b < n; b++) {
        size_t best = 0;
        double top = 0, y = 0;
        bool found = false;
        for (size_t k = 0; k < n_pieces; k++) {
            if (fits(&y, pieces, n_pieces, k, boxes[b].width, limit) &&
                (!found || y < top - 1e-9)) {
                found = true;
                top = y;
                best = k;
            }
        }
        boxes[b].x = pieces[best].x;
        boxes[b].y = top;
        n_pieces = cover(pieces, n_pieces, best, &boxes[b]);
    }
    rg_free(pieces);
    return RG_OK;
}
