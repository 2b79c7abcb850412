/* walks.c - walks(min, max): how many closed walks of each length begin and end at the node. */
#include "base/error.h"
#include "count/space.h"
#include "label/kind.h"

#include <string.h>

typedef struct walks_spec {
    rg_label_spec base;
    uint32_t min, max;
} walks_spec;

static const walks_spec *own(const rg_label_spec *spec)
{
    return (const walks_spec *)spec;
}

static rg_status check(const rg_label_spec *spec, size_t column, rg_error *err)
{
    return rg_label_check_range(own(spec)->min, own(spec)->max, column, err);
}

static size_t dims(const rg_label_spec *spec)
{
    return own(spec)->max - own(spec)->min + 1;
}

enum { ROOF_BITS = 62 }; /* counts stop here; a sum of stopped ones is stopped too */
static const int64_t roof = (int64_t)1 << ROOF_BITS;

/* next[j] = sum of walks[i] over the neighbours i of j */
static void step(int64_t *next, const int64_t *walks, const rg_graph *graph)
{
    for (uint32_t j = 0; j < graph->n_nodes; j++) {
        int64_t sum = 0;
        for (uint64_t arc = graph->row[j]; arc < graph->row[j + 1]; arc++) {
            int64_t more = walks[graph->col[arc]];
            sum = more > roof - sum ? roof : sum + more;
        }
        next[j] = sum;
    }
}

/* Lengths that the budget allows, from the least on: length l takes l * n * arcs steps. */
static uint32_t longest(const walks_spec *spec, const rg_graph *graph, uint64_t budget)
{
    uint64_t once = graph->n_arcs > UINT64_MAX / (graph->n_nodes + UINT64_C(1))
                        ? UINT64_MAX
                        : graph->n_arcs * graph->n_nodes;
    uint64_t most = once ? budget / once : spec->max;
    return most < spec->max ? (uint32_t)most : spec->max;
}

static rg_status numbers(int64_t *out, const rg_label_spec *base, rg_label_task *task,
                         rg_error *err)
{
    const walks_spec *spec = own(base);
    const rg_graph *graph = &task->graph;
    size_t n = graph->n_nodes, n_dims = dims(base);
    uint32_t last = longest(spec, graph, task->budget);
    int64_t *walks = rg_count_space_get(task->space, 0, 2 * n, sizeof *walks);
    if (!walks)
        return rg_fail_memory(err, "closed walks");
    bool over[64] = {false}; /* by dimension: too long or too many */
    for (uint32_t i = 0; i < n; i++) {
        if (rg_count_stops(task->space))
            return rg_fail_cancelled(err);
        int64_t *now = walks, *next = walks + n, *other;
        memset(now, 0, n * sizeof *now);
        now[i] = 1;
        for (uint32_t length = 1; length <= last; length++) {
            step(next, now, graph);
            other = now;
            now = next;
            next = other;
            if (length < spec->min)
                continue;
            out[i * n_dims + length - spec->min] = now[i];
            over[length - spec->min] |= now[i] == roof;
        }
    }
    for (size_t d = 0; d < n_dims; d++) {
        if (!over[d] && spec->min + d <= last)
            continue;
        task->capped = task->capped || n > 0;
        for (size_t i = 0; i < n; i++)
            out[i * n_dims + d] = RG_CAPPED;
    }
    return RG_OK;
}

static uint32_t size(const rg_label_spec *spec, size_t d)
{
    return own(spec)->min + (uint32_t)d;
}

static bool qualified(const rg_label_spec *spec)
{
    (void)spec;
    return false;
}

static const rg_label_counted counted = {
    .size = size,
    .qualified = qualified,
    .place = "on",
    .noun = "closed walk",
    .plain = "closed walk",
    .qualifier = "",
    .plain_qualifier = "",
    .before_size = "length ",
    .after_size = "",
    .says_most = true,
};

const rg_label_kind rg_label_walks = {
    .name = "walks",
    .size = sizeof(walks_spec),
    .arguments = {RG_NUMBER("min", walks_spec, min, 2, 64, 3),
                  RG_NUMBER("max", walks_spec, max, 2, 64, 8), RG_BOUND("max_labels")},
    .check = check,
    .dims = dims,
    .numbers = numbers,
    .counted = &counted,
    .describe = rg_counted_describe,
    .phrase = rg_counted_phrase,
};
