/* layout_round.c - rings that lie twisted, opened again.
 *
 * A ring whose edges cross, or that is folded onto itself, is a dead end for majorisation: every
 * way out of it is uphill. Its nodes are put on the regular polygon that is nearest to where they
 * are, and what hangs on each of them goes along. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"

#include <string.h>

#define LONGEST 16 /* nodes of a ring that is looked at */
#define BAD 0.3    /* how far a node may lie from its corner */

/* Corner k of the polygon with sides of 1 around 0. */
static rg_point corner(uint32_t n, uint32_t k, int direction)
{
    double turn = (double)(direction > 0 ? k : (n - k) % n) / n,
           radius = 0.5 / rg_sin_turns(0.5 / n);
    return (rg_point){radius * rg_cos_turns(turn), radius * rg_sin_turns(turn)};
}

/* Where the corners go: turned and moved to fit best. out: n. Returns the largest distance of a
 * node from its corner. */
static double fit(rg_point *out, const rg_component *part, const uint32_t *node, uint32_t n)
{
    rg_point middle = {0, 0};
    double re[2] = {0, 0}, im[2] = {0, 0};
    for (uint32_t k = 0; k < n; k++) {
        middle.x += part->at[node[k]].x / n;
        middle.y += part->at[node[k]].y / n;
    }
    for (int way = 0; way < 2; way++) {
        for (uint32_t k = 0; k < n; k++) {
            rg_point c = corner(n, k, way ? 1 : -1), p = part->at[node[k]];
            double x = p.x - middle.x, y = p.y - middle.y;
            re[way] += c.x * x + c.y * y;
            im[way] += c.x * y - c.y * x;
        }
    }
    int way = re[1] * re[1] + im[1] * im[1] >= re[0] * re[0] + im[0] * im[0];
    double length = sqrt(re[way] * re[way] + im[way] * im[way]), most = 0;
    double cosine = length > 1e-9 ? re[way] / length : 1,
           sine = length > 1e-9 ? im[way] / length : 0;
    for (uint32_t k = 0; k < n; k++) {
        rg_point c = corner(n, k, way ? 1 : -1);
        out[k] =
            (rg_point){middle.x + cosine * c.x - sine * c.y, middle.y + sine * c.x + cosine * c.y};
        double d = rg_point_distance(out[k], part->at[node[k]]);
        most = d > most ? d : most;
    }
    return most;
}

/* Each node goes with the ring's node that it is nearest to. owner, queue: room for all nodes. */
static void carry(rg_component *part, const uint32_t *node, const rg_point *to, uint32_t n,
                  uint32_t *owner, uint32_t *queue)
{
    rg_point shift[LONGEST];
    uint32_t head = 0, tail = 0;
    memset(owner, 0xff, part->n * sizeof *owner);
    for (uint32_t k = 0; k < n; k++) {
        shift[k] = (rg_point){to[k].x - part->at[node[k]].x, to[k].y - part->at[node[k]].y};
        owner[node[k]] = k;
        queue[tail++] = node[k];
    }
    while (head < tail) {
        uint32_t i = queue[head++];
        part->at[i].x += shift[owner[i]].x;
        part->at[i].y += shift[owner[i]].y;
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (owner[part->col[a]] == UINT32_MAX) {
                owner[part->col[a]] = owner[i];
                queue[tail++] = part->col[a];
            }
        }
    }
}

rg_status rg_component_round(bool *changed, rg_component *part, const rg_rings *rings,
                             rg_error *err)
{
    uint32_t *room = rg_alloc(part->n, 2 * sizeof *room);
    if (!room)
        return rg_fail_memory(err, "the layout of a graph");
    *changed = false;
    for (size_t r = 0; r < rings->n; r++) {
        const uint32_t *node = rings->node + rings->start[r];
        uint32_t n = rings->start[r + 1] - rings->start[r];
        rg_point to[LONGEST];
        if (n > LONGEST || fit(to, part, node, n) < BAD)
            continue;
        carry(part, node, to, n, room, room + part->n);
        *changed = true;
    }
    rg_free(room);
    return RG_OK;
}
