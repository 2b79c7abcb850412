/* layout.c - see layout.h; layout_component.h has the way through the files. */
#include "layout.h"

#include "base/alloc.h"
#include "base/error.h"
#include "layout_component.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 0.55 /* around a part; two of them lie between two parts */

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "the layout of a graph");
}

rg_status rg_component_new(rg_component *out, uint32_t n, uint32_t n_arcs, rg_error *err)
{
    *out = (rg_component){.n = n};
    out->row = rg_alloc_zero((size_t)n + 1, sizeof *out->row);
    out->col = rg_alloc(n_arcs, sizeof *out->col);
    out->at = rg_alloc_zero(n, sizeof *out->at);
    out->straight = rg_alloc_zero(n, 1);
    if (out->row && out->col && out->at && out->straight)
        return RG_OK;
    rg_component_free(out);
    return no_memory(err);
}

void rg_component_free(rg_component *part)
{
    rg_free(part->row);
    rg_free(part->col);
    rg_free(part->at);
    rg_free(part->straight);
    *part = (rg_component){0};
}

/* A connected part, and where it goes. */
typedef struct placed_part {
    uint32_t first, n; /* its nodes in the list of all */
    uint64_t shape;
    double width, height;
} placed_part;

typedef struct layout_work {
    const rg_graph *graph;
    uint32_t *nodes;         /* part after part; inside a part in the order in which it was drawn */
    const uint8_t *straight; /* by node; NULL: none */
    uint32_t *number;        /* of each node inside its part */
    rg_point *at;            /* by place in nodes; the corner of each part is 0, 0 */
    placed_part *parts;
    size_t n_parts;
    rg_box *boxes;
} layout_work;

static rg_status work_new(layout_work *w, const rg_graph *graph, rg_error *err)
{
    uint32_t n = graph->n_nodes;
    *w = (layout_work){.graph = graph,
                       .nodes = rg_alloc(n, sizeof *w->nodes),
                       .number = rg_alloc(n, sizeof *w->number),
                       .at = rg_alloc(n, sizeof *w->at),
                       .parts = rg_alloc(n, sizeof *w->parts),
                       .boxes = rg_alloc(n, sizeof *w->boxes)};
    return w->nodes && w->number && w->at && w->parts && w->boxes ? RG_OK : no_memory(err);
}

static void work_free(layout_work *w)
{
    rg_free(w->nodes);
    rg_free(w->number);
    rg_free(w->at);
    rg_free(w->parts);
    rg_free(w->boxes);
}

static void find_parts(layout_work *w)
{
    const rg_graph *g = w->graph;
    uint32_t tail = 0, head = 0;
    memset(w->number, 0xff, g->n_nodes * sizeof *w->number);
    for (uint32_t start = 0; start < g->n_nodes; start++) {
        if (w->number[start] != UINT32_MAX)
            continue;
        uint32_t first = tail;
        w->number[start] = 0;
        w->nodes[tail++] = start;
        while (head < tail) {
            uint32_t i = w->nodes[head++];
            for (uint64_t a = g->row[i]; a < g->row[i + 1]; a++) {
                uint32_t j = g->col[a];
                if (w->number[j] == UINT32_MAX) {
                    w->number[j] = tail - first;
                    w->nodes[tail++] = j;
                }
            }
        }
        w->parts[w->n_parts++] = (placed_part){.first = first, .n = tail - first};
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The part with its nodes in the order of the list. */
static rg_status copy_part(rg_component *out, layout_work *w, const placed_part *p, rg_error *err)
{
    const rg_graph *g = w->graph;
    uint64_t arcs = 0;
    for (uint32_t k = 0; k < p->n; k++)
        arcs += g->row[w->nodes[p->first + k] + 1] - g->row[w->nodes[p->first + k]];
    if (arcs > UINT32_MAX)
        return no_memory(err);
    rg_status status = rg_component_new(out, p->n, (uint32_t)arcs, err);
    if (status)
        return status;
    for (uint32_t k = 0; k < p->n; k++)
        w->number[w->nodes[p->first + k]] = k;
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t i = w->nodes[p->first + k];
        out->straight[k] = w->straight && w->straight[i];
        out->row[k] = n;
        for (uint64_t a = g->row[i]; a < g->row[i + 1]; a++)
            out->col[n++] = w->number[g->col[a]];
        if (n > out->row[k])
            qsort(out->col + out->row[k], n - out->row[k], sizeof *out->col, by_number);
    }
    out->row[p->n] = n;
    return RG_OK;
}

/* Sorts the nodes of a part into the order in which they are drawn. */
static rg_status order_part(layout_work *w, placed_part *p, rg_error *err)
{
    rg_component part = {0};
    uint32_t *order = rg_alloc(p->n, 2 * sizeof *order);
    rg_status status = order ? copy_part(&part, w, p, err) : no_memory(err);
    if (!status)
        status = rg_component_order(order, &p->shape, &part, err);
    if (!status) {
        uint32_t *sorted = order + p->n;
        for (uint32_t k = 0; k < p->n; k++)
            sorted[k] = w->nodes[p->first + order[k]];
        memcpy(w->nodes + p->first, sorted, p->n * sizeof *sorted);
    }
    rg_component_free(&part);
    rg_free(order);
    return status;
}

static rg_status lay_points(rg_component *part, rg_error *err)
{
    bool skeleton = false;
    rg_status status = RG_OK;
    if (part->n == 2)
        part->at[1].x = 1;
    if (part->n < 3)
        return RG_OK;
    status = rg_component_skeleton(&skeleton, part, err);
    if (!status && !skeleton)
        status = rg_component_plain(part, err);
    if (!status)
        status = rg_component_separate(part, err);
    if (!status)
        status = rg_component_turn(part, skeleton, err);
    return status;
}

static rg_status lay_part(layout_work *w, placed_part *p, rg_error *err)
{
    rg_component part = {0};
    rg_status status = RG_OK;
    if (p->n == 1) {
        w->at[p->first] = (rg_point){0, 0};
        return RG_OK;
    }
    status = order_part(w, p, err);
    if (!status)
        status = copy_part(&part, w, p, err);
    if (!status)
        status = lay_points(&part, err);
    for (uint32_t k = 0; !status && k < p->n; k++) {
        rg_point at = w->at[p->first + k] = part.at[k];
        p->width = at.x > p->width ? at.x : p->width;
        p->height = at.y > p->height ? at.y : p->height;
    }
    rg_component_free(&part);
    return status;
}

/* Large parts first; of equal ones those that look alike stand together. */
static int by_size(const void *a, const void *b)
{
    const placed_part *x = a, *y = b;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    if (x->height != y->height)
        return x->height > y->height ? -1 : 1;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

rg_status rg_graph_layout(rg_point *out, const rg_graph *graph, rg_error *err)
{
    return rg_graph_layout_with(out, graph, NULL, err);
}

rg_status rg_graph_layout_with(rg_point *out, const rg_graph *graph, const uint8_t *straight,
                               rg_error *err)
{
    layout_work w;
    rg_status status = work_new(&w, graph, err);
    w.straight = straight;
    if (!status)
        find_parts(&w);
    for (size_t k = 0; !status && k < w.n_parts; k++)
        status = lay_part(&w, &w.parts[k], err);
    if (!status) {
        if (w.n_parts)
            qsort(w.parts, w.n_parts, sizeof *w.parts, by_size);
        for (size_t k = 0; k < w.n_parts; k++)
            w.boxes[k] =
                (rg_box){w.parts[k].width + 2 * MARGIN, w.parts[k].height + 2 * MARGIN, 0, 0};
        status = rg_boxes_pack(w.boxes, w.n_parts, err);
    }
    for (size_t k = 0; !status && k < w.n_parts; k++) {
        for (uint32_t i = w.parts[k].first; i < w.parts[k].first + w.parts[k].n; i++)
            out[w.nodes[i]] = (rg_point){w.at[i].x + w.boxes[k].x, w.at[i].y + w.boxes[k].y};
    }
    work_free(&w);
    return status;
}
