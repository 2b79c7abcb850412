/* vector.c - the numbers that a label is made from, for every labeling but wl. */
#include "cache.h"
#include "kind.h"

void rg_words_from_int(uint32_t words[2], int64_t value)
{
    uint64_t shifted = (uint64_t)value ^ (uint64_t)1 << 63; /* negative numbers come first */
    words[0] = (uint32_t)(shifted >> 32);
    words[1] = (uint32_t)shifted;
}

int64_t rg_words_to_int(const uint32_t words[2])
{
    return (int64_t)(((uint64_t)words[0] << 32 | words[1]) ^ (uint64_t)1 << 63);
}

typedef struct vector_task {
    int64_t *out;
    const rg_labeling *labeling;
    const rg_label_frame *frame;
    uint32_t *const *part_labels;
} vector_task;

static rg_status numbers_of_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    const vector_task *t = context;
    const rg_label_frame *frame = t->frame;
    const rg_label_spec *spec = t->labeling->spec;
    rg_frame_tell(frame, worker, index);
    if (frame->needed_only && !frame->selected_graph[index])
        return RG_OK;
    rg_label_task task = {.data = frame->data,
                          .index = index,
                          .graph = rg_dataset_graph(frame->data, index),
                          .labeling = t->labeling,
                          .part_labels = t->part_labels,
                          .budget = frame->options->budget,
                          .space = frame->spaces[worker]};
    int64_t *out = t->out + task.graph.first_node * rg_label_spec_dims(spec);
    rg_status status = spec->kind->numbers(out, spec, &task, err);
    if (task.capped)
        frame->capped[index] = true;
    return status;
}

rg_status rg_vectors_compute(int64_t *out, const rg_labeling *labeling, const rg_label_frame *frame,
                             uint32_t *const *part_labels, rg_error *err)
{
    vector_task t = {out, labeling, frame, part_labels};
    const rg_label_spec *spec = labeling->spec;
    bool found = false;
    rg_status status =
        spec->kind->check_data ? spec->kind->check_data(spec, frame->data, err) : RG_OK;
    if (status)
        return status;
    if (spec->kind->read)
        return spec->kind->read(out, spec, frame->data, err);
    status = rg_cache_load(&found, out, spec, frame, err);
    if (status || found)
        return status;
    status = rg_pool_run(frame->pool, rg_dataset_n_graphs(frame->data), numbers_of_graph, &t, err);
    return status ? status : rg_cache_store(out, spec, frame, err);
}
