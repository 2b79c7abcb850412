/* cliques.c - cliques(max, maximal): how many complete subgraphs of each size hold the node. */
#include "label/kind.h"

enum { SMALLEST = 3 };

typedef struct cliques_spec {
    rg_label_spec base;
    uint32_t max;
    bool maximal;
} cliques_spec;

static const cliques_spec *own(const rg_label_spec *spec)
{
    return (const cliques_spec *)spec;
}

static size_t dims(const rg_label_spec *spec)
{
    return own(spec)->max - SMALLEST + 1;
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    return rg_count_cliques(out, &task->graph, own(spec)->max, own(spec)->maximal, task->budget,
                            &task->capped, task->space, err);
}

static uint32_t size(const rg_label_spec *spec, size_t d)
{
    (void)spec;
    return SMALLEST + (uint32_t)d;
}

static bool qualified(const rg_label_spec *spec)
{
    return own(spec)->maximal;
}

static const rg_label_counted counted = {
    .size = size,
    .qualified = qualified,
    .place = "in",
    .noun = "clique",
    .plain = "clique",
    .qualifier = "maximal ",
    .plain_qualifier = "maximal ",
    .before_size = "",
    .after_size = " nodes",
};

const rg_label_kind rg_label_cliques = {
    .name = "cliques",
    .size = sizeof(cliques_spec),
    .arguments = {RG_NUMBER("max", cliques_spec, max, SMALLEST, 64, 4),
                  RG_FLAG("maximal", cliques_spec, maximal, false), RG_BOUND("max_labels")},
    .dims = dims,
    .numbers = numbers,
    .counted = &counted,
    .describe = rg_counted_describe,
    .phrase = rg_counted_phrase,
};
