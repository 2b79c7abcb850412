/* fit.c - fitting and applying: parts first, then keys level by level, then numbers, then labels.
 *
 * Both go the same way. While fitting, `fit` is the labeling itself and its vocabularies are made
 * on the way; while applying, `fit` is NULL and they are only looked into. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "cache.h"
#include "kind.h"

#include <stdio.h>
#include <string.h>

rg_status rg_level_number(uint32_t *numbers, const rg_labeling *labeling, rg_labeling *fit,
                          size_t level, const rg_keys *keys, rg_error *err)
{
    if (fit)
        return rg_vocabulary_build(&fit->levels[level], numbers, keys, err);
    rg_vocabulary_apply(labeling->levels[level], numbers, keys);
    return RG_OK;
}

uint32_t rg_labeling_top(const rg_labeling *labeling, uint32_t number)
{
    return number == RG_UNSEEN || number < labeling->n_kept ? number : labeling->n_kept;
}

void rg_frame_tell(const rg_label_frame *frame, unsigned worker, size_t index)
{
    const rg_label_options *options = frame->options;
    double part = (double)index / (double)rg_dataset_n_graphs(frame->data);
    if (worker == 0 && options->progress)
        options->progress(options->progress_context,
                          ((double)frame->step + part) / (double)frame->n_steps);
}

/* Words in the place of the numbers they are made from: two per number. */
static uint32_t *words_in_place(int64_t *numbers, size_t n)
{
    char *bytes = (char *)numbers;
    for (size_t k = 0; k < n; k++) {
        uint32_t pair[2];
        int64_t value;
        memcpy(&value, bytes + k * sizeof value, sizeof value);
        rg_words_from_int(pair, value);
        memcpy(bytes + k * sizeof value, pair, sizeof pair);
    }
    return (uint32_t *)(void *)bytes;
}

static rg_status run_vectors(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                             const rg_label_frame *frame, uint32_t *const *part_labels,
                             rg_error *err)
{
    size_t n = (size_t)rg_dataset_n_nodes(frame->data), dims = rg_label_spec_dims(labeling->spec);
    size_t n_numbers = 0;
    uint64_t *start = rg_alloc(n + 1, sizeof *start);
    int64_t *vectors =
        rg_size_mul(&n_numbers, n, dims) ? rg_alloc_zero(n_numbers, sizeof *vectors) : NULL;
    rg_status status = start && vectors ? RG_OK : rg_fail_memory(err, "computing labels");
    if (!status && fit && labeling->spec->kind->fit)
        status = labeling->spec->kind->fit(fit, frame, err);
    if (!status)
        status = rg_vectors_compute(vectors, labeling, frame, part_labels, err);
    if (!status) {
        for (size_t k = 0; k <= n; k++)
            start[k] = k * dims * 2;
        rg_keys keys = {words_in_place(vectors, n_numbers), start, n, frame->selected_node};
        status = rg_level_number(labels, labeling, fit, 0, &keys, err);
    }
    if (!status && fit)
        status = rg_labeling_number(fit, err);
    for (size_t k = 0; !status && k < n; k++)
        labels[k] = rg_labeling_top(labeling, labels[k]);
    rg_free(vectors);
    rg_free(start);
    return status;
}

static rg_status run(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                     rg_label_frame *frame, rg_error *err)
{
    size_t n = (size_t)rg_dataset_n_nodes(frame->data), n_parts = labeling->spec->n_parts;
    uint32_t **part_labels = rg_alloc_zero(n_parts, sizeof *part_labels);
    rg_status status = part_labels ? RG_OK : rg_fail_memory(err, "computing labels");
    for (size_t k = 0; !status && k < n_parts; k++) {
        part_labels[k] = rg_alloc(n, sizeof **part_labels);
        status = part_labels[k] ? run(part_labels[k], labeling->parts[k],
                                      fit ? fit->parts[k] : NULL, frame, err)
                                : rg_fail_memory(err, "computing labels");
    }
    if (!status)
        status =
            labeling->spec->kind->refine
                ? labeling->spec->kind->refine(labels, labeling, fit, frame, part_labels[0], err)
                : run_vectors(labels, labeling, fit, frame, part_labels, err);
    for (size_t k = 0; !status && k < n; k++)
        if (labels[k] == RG_UNSEEN)
            labels[k] = labeling->size - 1;
    frame->step++;
    for (size_t k = 0; part_labels && k < n_parts; k++)
        rg_free(part_labels[k]);
    rg_free(part_labels);
    return status;
}

/* Labelings in the tree of a spec; *cached: one of them is worth keeping on disk. */
static size_t count_steps(const rg_label_spec *spec, bool *cached)
{
    size_t n = 1;
    *cached = *cached || rg_cache_wants(spec);
    for (size_t k = 0; k < spec->n_parts; k++)
        n += count_steps(spec->parts[k], cached);
    return n;
}

/* What all labelings of the tree share. Ends with frame_close, also on failure. */
static rg_status frame_open(rg_label_frame *frame, const rg_labeling *labeling, rg_error *err)
{
    bool cached = false;
    frame->n_steps = count_steps(labeling->spec, &cached);
    if (cached && frame->options->cache)
        rg_dataset_digest(frame->data, frame->digest);
    rg_status status = rg_pool_new(&frame->pool, frame->options->n_threads, err);
    if (status)
        return status;
    unsigned n_workers = rg_pool_size(frame->pool);
    frame->cancel = &frame->asked;
    rg_cancel_open(frame->cancel, frame->options->cancel, frame->options->cancel_context);
    rg_pool_cancel(frame->pool, frame->cancel);
    frame->spaces = rg_alloc_zero(n_workers, sizeof *frame->spaces);
    frame->capped = rg_alloc_zero(rg_dataset_n_graphs(frame->data), sizeof *frame->capped);
    bool fine = frame->spaces && frame->capped;
    for (unsigned w = 0; fine && w < n_workers; w++)
        fine = (frame->spaces[w] = rg_count_space_new()) != NULL;
    for (unsigned w = 0; fine && w < n_workers; w++)
        rg_count_space_cancel(frame->spaces[w], frame->cancel);
    return fine ? RG_OK : rg_fail_memory(err, "computing labels");
}

static void frame_close(rg_label_frame *frame)
{
    for (unsigned w = 0; frame->spaces && w < rg_pool_size(frame->pool); w++)
        rg_count_space_free(frame->spaces[w]);
    rg_free(frame->spaces);
    rg_free(frame->capped);
    rg_pool_free(frame->pool);
}

static void count_labels(rg_labels *labels, const rg_labeling *labeling,
                         const rg_label_frame *frame)
{
    for (size_t k = 0; k < labels->n_nodes; k++)
        labels->n_unseen += labels->data[k] == labeling->size - 1;
    for (size_t g = 0; g < rg_dataset_n_graphs(frame->data); g++)
        labels->n_capped += frame->capped[g];
}

/* The outermost call: threads, scratch and the finished labels. */
static rg_status run_whole(rg_labels **out, const rg_labeling *labeling, rg_labeling *fit,
                           rg_label_frame *frame, rg_error *err)
{
    size_t n = (size_t)rg_dataset_n_nodes(frame->data), bytes;
    rg_labels *labels = NULL;
    rg_status status = frame_open(frame, labeling, err);
    if (!status &&
        (!rg_size_mul(&bytes, n, sizeof *labels->data) ||
         !rg_size_add(&bytes, bytes, sizeof *labels) || !(labels = rg_alloc_zero(bytes, 1))))
        status = rg_fail_memory(err, "computing labels");
    if (!status)
        status = run(labels->data, labeling, fit, frame, err);
    if (!status) {
        labels->n_nodes = n;
        count_labels(labels, labeling, frame);
        if (frame->options->progress)
            frame->options->progress(frame->options->progress_context, 1.0);
        *out = labels;
        labels = NULL;
    }
    frame_close(frame);
    rg_labels_free(labels);
    return status;
}

/* Which graphs and nodes the fit is about. */
static rg_status select_graphs(bool **graph, bool **node, const rg_dataset *data,
                               const uint32_t *graphs, size_t n_graphs, rg_error *err)
{
    *graph = rg_alloc_zero(rg_dataset_n_graphs(data), sizeof **graph);
    *node = rg_alloc_zero((size_t)rg_dataset_n_nodes(data), sizeof **node);
    if (!*graph || !*node)
        return rg_fail_memory(err, "selecting graphs");
    for (size_t k = 0; k < n_graphs; k++) {
        if (graphs[k] >= rg_dataset_n_graphs(data))
            return rg_fail(err, RG_EUSAGE, "'%s': found graph %u to fit on, expected one below %zu",
                           rg_dataset_name(data), graphs[k], rg_dataset_n_graphs(data));
        rg_graph g = rg_dataset_graph(data, graphs[k]);
        (*graph)[graphs[k]] = true;
        for (uint32_t i = 0; i < g.n_nodes; i++)
            (*node)[g.first_node + i] = true;
    }
    return RG_OK;
}

rg_status rg_labeling_fit(rg_labeling **out, rg_labels **labels, const char *spec,
                          const rg_dataset *data, const uint32_t *graphs, size_t n_graphs,
                          const rg_label_options *options, rg_error *err)
{
    rg_label_options own = RG_LABEL_OPTIONS_INIT;
    rg_label_frame frame = {.data = data, .options = &own};
    rg_label_spec *parsed = NULL;
    rg_labeling *labeling = NULL;
    rg_labels *result = NULL;
    bool *selected_graph = NULL, *selected_node = NULL;
    rg_status status = RG_TAKE(rg_label_options, &own, options, err);
    if (!status)
        status = rg_label_spec_parse(&parsed, spec, err);
    if (!status)
        status = rg_labeling_new(&labeling, parsed, true, err);
    if (!status && graphs)
        status = select_graphs(&selected_graph, &selected_node, data, graphs, n_graphs, err);
    if (!status) {
        labeling->budget = frame.options->budget;
        frame.selected_graph = selected_graph;
        frame.selected_node = selected_node;
        frame.needed_only = selected_graph && !labels;
        status = run_whole(&result, labeling, labeling, &frame, err);
    }
    if (!status) {
        *out = labeling;
        labeling = NULL;
    }
    if (!status && labels) {
        *labels = result;
        result = NULL;
    }
    rg_labels_free(result);
    rg_labeling_free(labeling);
    rg_free(selected_graph);
    rg_free(selected_node);
    return status;
}

rg_status rg_labeling_apply(rg_labels **out, const rg_labeling *labeling, const rg_dataset *data,
                            const rg_label_options *options, rg_error *err)
{
    rg_label_options kept = RG_LABEL_OPTIONS_INIT;
    rg_label_frame frame = {.data = data, .options = &kept};
    rg_status status = RG_TAKE(rg_label_options, &kept, options, err);
    kept.budget = labeling->budget; /* what was capped in the fit is a key, and must be again */
    return status ? status : run_whole(out, labeling, NULL, &frame, err);
}

/* Does it have numbers that are counts, and no parts that would have to be fitted? */
static rg_status parse_counts(rg_label_spec **out, const char *text, rg_error *err)
{
    char known[200];
    rg_label_spec *spec = NULL;
    rg_status status = rg_label_spec_parse(&spec, text, err);
    if (!status && !spec->kind->counted && spec->kind != &rg_label_degree) {
        rg_label_spec_counted(known, sizeof known, "");
        status = rg_fail(err, RG_EUSAGE,
                         "found '%.80s', expected a labeling that counts: degree, %s", text, known);
    }
    if (status)
        rg_label_spec_free(spec);
    else
        *out = spec;
    return status;
}

rg_status rg_label_counts_size(uint32_t *out, const char *spec, rg_error *err)
{
    rg_label_spec *parsed = NULL;
    rg_status status = parse_counts(&parsed, spec, err);
    if (!status)
        *out = (uint32_t)rg_label_spec_dims(parsed);
    rg_label_spec_free(parsed);
    return status;
}

rg_status rg_label_counts(double **out, const char *spec, const rg_dataset *data,
                          const rg_label_options *options, rg_error *err)
{
    rg_label_options defaults = rg_label_options_default();
    rg_label_frame frame = {.data = data, .options = options ? options : &defaults};
    rg_label_spec *parsed = NULL;
    rg_labeling *labeling = NULL;
    int64_t *numbers = NULL;
    double *counts = NULL;
    size_t n = 0;
    rg_status status = parse_counts(&parsed, spec, err);
    if (!status)
        status = rg_labeling_new(&labeling, parsed, true, err);
    if (status)
        return status;
    if (rg_size_mul(&n, (size_t)rg_dataset_n_nodes(data), rg_label_spec_dims(labeling->spec))) {
        numbers = rg_alloc_zero(n, sizeof *numbers);
        counts = rg_alloc(n, sizeof *counts);
    }
    status = numbers && counts ? RG_OK : rg_fail_memory(err, "counts");
    if (!status)
        status = frame_open(&frame, labeling, err);
    if (!status)
        status = rg_vectors_compute(numbers, labeling, &frame, NULL, err);
    for (size_t k = 0; !status && k < n; k++)
        counts[k] = (double)numbers[k];
    frame_close(&frame);
    rg_labeling_free(labeling);
    rg_free(numbers);
    if (status)
        rg_free(counts);
    else
        *out = counts;
    return status;
}

rg_status rg_wl_rounds(uint32_t *rounds, uint32_t *sizes, const uint32_t *from, uint32_t depth,
                       bool edges, const rg_dataset *data, const rg_label_options *options,
                       rg_error *err)
{
    char spec[80];
    rg_label_frame frame = {.data = data, .options = options, .rounds = rounds};
    rg_label_spec *parsed = NULL;
    rg_labeling *labeling = NULL;
    uint32_t *labels = rg_alloc((size_t)rg_dataset_n_nodes(data), sizeof *labels);
    if (!labels)
        return rg_fail_memory(err, "computing labels");
    snprintf(spec, sizeof spec, "wl(depth=%u, from=trivial, edges=%s)", depth,
             edges ? "true" : "false");
    rg_status status = rg_label_spec_parse(&parsed, spec, err);
    if (!status)
        status = rg_labeling_new(&labeling, parsed, true, err);
    if (!status)
        status = frame_open(&frame, labeling, err);
    if (!status)
        status = rg_wl_run(labels, labeling, labeling, &frame, from, err);
    for (size_t d = 0; !status && d <= depth; d++)
        sizes[d] = (uint32_t)rg_vocabulary_size(labeling->levels[d]);
    frame_close(&frame);
    rg_labeling_free(labeling);
    rg_free(labels);
    return status;
}
