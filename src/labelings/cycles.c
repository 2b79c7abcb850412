/* cycles.c - cycles(kind, min, max): how many cycles of each length hold the node. */
#include "label/kind.h"

typedef struct cycles_spec {
    rg_label_spec base;
    uint32_t min, max;
    bool induced;
} cycles_spec;

static const cycles_spec *own(const rg_label_spec *spec)
{
    return (const cycles_spec *)spec;
}

static rg_status check(const rg_label_spec *spec, size_t column, rg_error *err)
{
    return rg_label_check_range(own(spec)->min, own(spec)->max, column, err);
}

static size_t dims(const rg_label_spec *spec)
{
    return own(spec)->max - own(spec)->min + 1;
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    return rg_count_cycles(out, &task->graph, own(spec)->min, own(spec)->max, own(spec)->induced,
                           task->budget, &task->capped, task->space, err);
}

static uint32_t size(const rg_label_spec *spec, size_t d)
{
    return own(spec)->min + (uint32_t)d;
}

static bool qualified(const rg_label_spec *spec)
{
    return own(spec)->induced;
}

static const rg_label_counted counted = {
    .size = size,
    .qualified = qualified,
    .place = "on",
    .noun = "cycle",
    .plain = "ring",
    .qualifier = "induced ",
    .plain_qualifier = "chordless ",
    .before_size = "length ",
    .after_size = "",
    .says_most = true,
};

const rg_label_kind rg_label_cycles = {
    .name = "cycles",
    .size = sizeof(cycles_spec),
    .arguments = {RG_CHOICE("kind", cycles_spec, induced, "simple", "induced"),
                  RG_NUMBER("min", cycles_spec, min, 3, 64, 3),
                  RG_NUMBER("max", cycles_spec, max, 3, 64, 10), RG_BOUND("max_labels")},
    .check = check,
    .dims = dims,
    .numbers = numbers,
    .counted = &counted,
    .describe = rg_counted_describe,
    .phrase = rg_counted_phrase,
};
