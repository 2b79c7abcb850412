/* job_said.c - see job_said.h. */
#include "job_said.h"

#include "base/alloc.h"
#include "base/error.h"

static const char what[] = "the predictions of a job";

rg_status rg_job_said_new(rg_job_said *out, size_t n_runs, size_t n_rows, size_t width,
                          rg_error *err)
{
    size_t cells = 0;
    out->n_rows = n_rows;
    out->width = width;
    out->samples = rg_alloc(n_rows, sizeof *out->samples);
    if (rg_size_mul(&cells, n_rows, n_runs)) {
        out->classes = rg_alloc(cells, sizeof *out->classes);
        out->numbers = rg_alloc(cells, width * sizeof *out->numbers);
    }
    out->runs = rg_alloc_zero(n_runs, sizeof *out->runs);
    bool fine = out->samples && out->classes && out->numbers && out->runs;
    return fine ? RG_OK : rg_fail_memory(err, what);
}

void rg_job_said_free(rg_job_said *said)
{
    rg_free(said->samples);
    rg_free(said->numbers);
    rg_free(said->classes);
    rg_free(said->right_classes);
    rg_free(said->right_numbers);
    rg_free(said->runs);
    *said = (rg_job_said){.n_rows = 0};
}

/* The first of the largest numbers of each row. */
static void find_classes(uint16_t *out, const float *numbers, size_t rows, size_t width)
{
    for (size_t k = 0; k < rows; k++) {
        size_t best = 0;
        for (size_t c = 1; c < width; c++)
            if (numbers[k * width + c] > numbers[k * width + best])
                best = c;
        out[k] = (uint16_t)best;
    }
}

void rg_job_said_finish(rg_job_said *said, size_t n_runs, bool classes, bool copies)
{
    size_t rows = said->n_rows, width = said->width;
    for (size_t r = 0; r < n_runs; r++) {
        size_t own = copies ? 0 : r;
        const float *numbers = said->numbers + own * rows * width;
        if (classes && own == r)
            find_classes(said->classes + r * rows, numbers, rows, width);
        said->runs[r] =
            (rg_store_prediction){.n_rows = rows,
                                  .width = width,
                                  .samples = said->samples,
                                  .classes = classes ? said->classes + own * rows : NULL,
                                  .numbers = numbers};
    }
}

/* ---- what is right */

static rg_status make_classes(rg_job_said *said, rg_error *err)
{
    said->right_classes = rg_alloc(said->n_rows, sizeof *said->right_classes);
    said->right = (rg_store_prediction){
        .n_rows = said->n_rows, .samples = said->samples, .classes = said->right_classes};
    return said->right_classes ? RG_OK : rg_fail_memory(err, what);
}

static uint16_t short_class(uint32_t class)
{
    return class < UINT16_MAX ? (uint16_t) class : UINT16_MAX;
}

rg_status rg_job_said_classes(rg_job_said *said, const rg_part *part, const uint32_t *classes,
                              rg_error *err)
{
    rg_status status = make_classes(said, err);
    for (size_t k = 0; k < part->n && !status; k++)
        said->right_classes[k] = short_class(classes[part->graphs[k]]);
    return status;
}

static rg_status node_classes(rg_job_said *said, const rg_part *part, const rg_samples *samples,
                              rg_error *err)
{
    size_t row = 0;
    rg_status status = make_classes(said, err);
    for (size_t k = 0; k < part->n && !status; k++) {
        rg_graph graph = rg_dataset_graph(samples->source.graphs, part->graphs[k]);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            said->right_classes[row++] = short_class(samples->classes[graph.first_node + i]);
    }
    return status;
}

static rg_status numbers(rg_job_said *said, const rg_part *part, const rg_samples *samples,
                         rg_error *err)
{
    size_t width = said->width;
    said->right_numbers = rg_alloc(said->n_rows, width * sizeof *said->right_numbers);
    if (!said->right_numbers)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < part->n; k++)
        for (size_t c = 0; c < width; c++)
            said->right_numbers[k * width + c] = (float)samples->reals[part->graphs[k] * width + c];
    said->right = (rg_store_prediction){.n_rows = said->n_rows,
                                        .width = width,
                                        .samples = said->samples,
                                        .numbers = said->right_numbers};
    return RG_OK;
}

rg_status rg_job_said_targets(rg_job_said *said, const rg_part *part, const rg_samples *samples,
                              rg_error *err)
{
    if (samples->reals)
        return numbers(said, part, samples, err);
    return rg_task_on_nodes(samples->net->task)
               ? node_classes(said, part, samples, err)
               : rg_job_said_classes(said, part, samples->classes, err);
}
