/* layout_turn.c - turning and mirroring, so that equal graphs look alike. */
#include "layout_turn.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "layout_component.h"

#define STRAIGHT (1.5 / 360) /* turns that an edge may be off */
#define ROUND 1.03           /* a drawing whose extents differ less has no longer side */

double rg_turns(double x, double y)
{
    double length = sqrt(x * x + y * y), cosine = length > 0 ? x / length : 1;
    double low = 0, high = 0.5; /* the cosine falls from low to high */
    for (int k = 0; k < 48; k++) {
        double middle = (low + high) / 2;
        if (rg_cos_turns(middle) > cosine)
            low = middle;
        else
            high = middle;
    }
    double turns = (low + high) / 2;
    return y < 0 && turns > 0 ? 1 - turns : turns;
}

static void rotate(rg_component *part, double cosine, double sine)
{
    for (uint32_t i = 0; i < part->n; i++) {
        rg_point p = part->at[i];
        part->at[i] = (rg_point){cosine * p.x + sine * p.y, cosine * p.y - sine * p.x};
    }
}

static void centre(rg_component *part)
{
    rg_point mean = {0, 0};
    for (uint32_t i = 0; i < part->n; i++) {
        mean.x += part->at[i].x;
        mean.y += part->at[i].y;
    }
    for (uint32_t i = 0; i < part->n; i++) {
        part->at[i].x -= mean.x / part->n;
        part->at[i].y -= mean.y / part->n;
    }
}

/* The longer axis of the points becomes the x axis; false: they have none. */
static bool principal(rg_component *part)
{
    double xx = 0, xy = 0, yy = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        xx += part->at[i].x * part->at[i].x;
        xy += part->at[i].x * part->at[i].y;
        yy += part->at[i].y * part->at[i].y;
    }
    double half = (xx - yy) / 2, root = sqrt(half * half + xy * xy), mean = (xx + yy) / 2;
    if (!(mean + root > ROUND * (mean - root)))
        return false;
    /* (xy, large - xx) or (large - yy, xy), whichever is longer */
    double large = mean + root, ax = xy, ay = large - xx, bx = large - yy, by = xy;
    if (ax * ax + ay * ay < bx * bx + by * by) {
        ax = bx;
        ay = by;
    }
    double length = sqrt(ax * ax + ay * ay);
    if (length > 0)
        rotate(part, ax / length, ay / length);
    return true;
}

/* How far each edge is from a multiple of 30 degrees, in turns, -1/24 .. 1/24; returns how many. */
static uint32_t edge_turns(double *out, const rg_component *part)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            rg_point p = part->at[i], q = part->at[part->col[a]];
            if (part->col[a] < i)
                continue;
            double turns = rg_turns(q.x - p.x, q.y - p.y);
            out[n++] = turns - floor(turns * 12 + 0.5) / 12;
        }
    }
    return n;
}

/* Turns by at most 15 degrees so that as many edges as possible, within a degree or so, have
 * directions that are multiples of 30. turns: room for one number per edge. */
static void align(rg_component *part, double *turns)
{
    uint32_t n = edge_turns(turns, part);
    double most = 0, best = 0;
    for (uint32_t k = 0; k < n; k++) {
        double score = 0;
        for (uint32_t e = 0; e < n; e++) {
            double off = turns[e] - turns[k];
            off = (off - floor(off * 12 + 0.5) / 12) / STRAIGHT;
            score += off * off < 1 ? 1 - off * off : 0;
        }
        if (score > most + 1e-6) {
            most = score;
            best = turns[k];
        }
    }
    double at = best < 0 ? best + 1 : best;
    rotate(part, rg_cos_turns(at), rg_sin_turns(at));
}

/* More of the points' weight to the left and to the top; ties by the first node off the axis. */
static void mirror(rg_component *part)
{
    double x = 0, y = 0, size = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        rg_point p = part->at[i];
        x += p.x * p.x * p.x;
        y += p.y * p.y * p.y;
        size += fabs(p.x * p.x * p.x) + fabs(p.y * p.y * p.y);
    }
    for (uint32_t i = 0; i < part->n && fabs(x) <= 1e-6 * size; i++)
        x = fabs(part->at[i].x) > 1e-3 ? part->at[i].x * size : x;
    for (uint32_t i = 0; i < part->n && fabs(y) <= 1e-6 * size; i++)
        y = fabs(part->at[i].y) > 1e-3 ? part->at[i].y * size : y;
    for (uint32_t i = 0; i < part->n; i++) {
        part->at[i].x = x < 0 ? -part->at[i].x : part->at[i].x;
        part->at[i].y = y < 0 ? -part->at[i].y : part->at[i].y;
    }
}

rg_status rg_component_turn(rg_component *part, bool bonds, rg_error *err)
{
    double *turns = rg_alloc(part->row[part->n] / 2 + 1, sizeof *turns);
    if (!turns)
        return rg_fail_memory(err, "the layout of a graph");
    centre(part);
    bool longish = principal(part);
    if (bonds)
        align(part, turns);
    else if (!longish && part->n > 1) { /* the first node to the top */
        rg_point p = part->at[0];
        double length = sqrt(p.x * p.x + p.y * p.y);
        if (length > 1e-6)
            rotate(part, -p.y / length, p.x / length);
    }
    mirror(part);
    double box[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < part->n; i++) {
        rg_point p = part->at[i];
        box[0] = i == 0 || p.x < box[0] ? p.x : box[0];
        box[1] = i == 0 || p.x > box[1] ? p.x : box[1];
        box[2] = i == 0 || p.y < box[2] ? p.y : box[2];
        box[3] = i == 0 || p.y > box[3] ? p.y : box[3];
    }
    for (uint32_t i = 0; i < part->n; i++)
        part->at[i] = (rg_point){part->at[i].x - box[0], part->at[i].y - box[2]};
    rg_free(turns);
    return RG_OK;
}
