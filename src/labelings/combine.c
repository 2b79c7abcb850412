/* combine.c - combine(A, B, ...): nodes are alike if all of the labelings say so. */
#include "label/kind.h"

static size_t dims(const rg_label_spec *spec)
{
    return spec->n_parts;
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    (void)err;
    for (uint32_t i = 0; i < task->graph.n_nodes; i++)
        for (size_t p = 0; p < spec->n_parts; p++)
            out[i * spec->n_parts + p] = task->part_labels[p][task->graph.first_node + i];
    return RG_OK;
}

const rg_label_kind rg_label_combine = {
    .name = "combine",
    .size = sizeof(rg_label_spec),
    .arguments = {{.type = RG_ARGUMENT_LABELING,
                   .low = 2,
                   .missing = "combine with at least two labelings, such as combine(node, degree)"},
                  RG_BOUND("max_labels")},
    .dims = dims,
    .numbers = numbers,
    .joins = true,
};
