/* kernel_prepared.c - kernels on data: matrices and folds. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel.h"
#include "svm_vote.h"

#include <math.h>
#include <string.h>

/* What all runs share; `paths` looks after its threads itself, the rest never changes. */
typedef struct kernel_prepared {
    rg_baseline_task task;
    rg_gram gram;      /* the kernel; nog: squared distances */
    rg_counts *counts; /* nog; else NULL */
    rg_svm_paths *paths;
    rg_cpu cpu;
} kernel_prepared;

void rg_kernel_prepared_free(void *own)
{
    kernel_prepared *b = own;
    if (!b)
        return;
    rg_gram_free(&b->gram);
    rg_counts_free(b->counts);
    rg_svm_paths_free(b->paths);
    rg_free(b);
}

/* ---- the matrix */

static rg_status make_gram(kernel_prepared *b, const rg_kernel *k,
                           const rg_baseline_options *options, rg_error *err)
{
    rg_gram_options wanted = {.kind = k->kind->gram,
                              .normalise = k->kind->gram != RG_GRAM_DISTANCE && k->normalise,
                              .n_threads = options->n_threads,
                              .memory = options->memory,
                              .name = rg_dataset_name(b->task.graphs)};
    rg_count_options counting = {.fit = options->fit,
                                 .n_fit = options->n_fit,
                                 .labels = k->labels,
                                 .label = rg_label_options_default()};
    counting.label.n_threads = options->n_threads;
    counting.label.cache = options->cache;
    counting.label.budget = k->budget;
    size_t n = k->iterations + (size_t)1;
    rg_counts **layers = rg_alloc_zero(n, sizeof *layers);
    rg_status status = layers ? k->kind->count(layers, k, b->task.graphs, &counting, err)
                              : rg_fail_memory(err, "a kernel");
    if (!status)
        status = rg_gram_new(&b->gram, layers, n, &wanted, err);
    if (!status && k->kind->gram == RG_GRAM_DISTANCE) {
        b->counts = layers[0];
        layers[0] = NULL;
    }
    for (size_t l = 0; layers && l < n; l++)
        rg_counts_free(layers[l]);
    rg_free(layers);
    return status;
}

rg_status rg_kernel_prepared_new(void **out, const void *settings, const rg_source *source,
                                 const rg_baseline_options *options, rg_error *err)
{
    kernel_prepared *b = rg_alloc_zero(1, sizeof *b);
    if (!b)
        return rg_fail_memory(err, "a kernel");
    b->cpu = options->cpu;
    rg_status status = rg_baseline_task_open(&b->task, source, err);
    if (!status)
        status = make_gram(b, settings, options, err);
    if (!status) { /* what is kept of paths changes no result, only time */
        uint64_t bytes = rg_gram_bytes(b->task.n_graphs), left = bytes;
        if (options->memory && options->memory - bytes < left)
            left = options->memory > bytes ? options->memory - bytes : 0;
        status = rg_svm_paths_new(&b->paths, left, err);
    }
    if (status)
        rg_kernel_prepared_free(b);
    else
        *out = b;
    return status;
}

/* ---- the radial kernel: its width goes by the training set */

/* 1 / (features * variance of all their counts in the training set), and 1 without variance. */
static double gamma_of(const rg_counts *c, const rg_part *train)
{
    double sum = 0, squares = 0, n = (double)train->n * (double)c->n_features;
    for (size_t k = 0; k < train->n; k++)
        for (uint64_t e = c->row[train->graphs[k]]; e < c->row[train->graphs[k] + 1]; e++) {
            sum += c->count[e];
            squares += c->count[e] * c->count[e];
        }
    double variance = squares / n - sum / n * (sum / n);
    return variance > 0 ? 1 / ((double)c->n_features * variance) : 1;
}

/* exp(-gamma d^2), in the rows of the training set. out: ends with rg_gram_free. */
static rg_status make_radial(rg_gram *out, const kernel_prepared *b, double gamma,
                             const rg_part *train, rg_error *err)
{
    const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, 1, b->cpu);
    rg_status status = rg_gram_alloc(out, b->gram.n, err);
    for (size_t k = 0; !status && k < train->n; k++) {
        const float *from = b->gram.values + train->graphs[k] * b->gram.stride;
        float *to = out->values + train->graphs[k] * out->stride;
        for (size_t x = 0; x < out->n; x++)
            to[x] = (float)(-gamma * (double)from[x]);
        kernels->exp(to, out->n, to);
        memset(to + out->n, 0, (out->stride - out->n) * sizeof *to);
    }
    return status;
}

/* ---- runs */

rg_status rg_kernel_train(rg_baseline_run *out, const void *settings, const void *own,
                          const rg_baseline_wish *wish, rg_error *err)
{
    const rg_kernel *k = settings;
    const kernel_prepared *b = own;
    const rg_part *part = &wish->fold->train;
    rg_gram radial = {.block = NULL};
    rg_svm_vote vote = {.numbers = NULL};
    rg_status status = RG_OK;
    rg_svm_vote_task task = {.gram = &b->gram,
                             .learned = &b->task,
                             .train = part,
                             .c = k->c,
                             .paths = b->paths,
                             .cpu = b->cpu,
                             .stop = wish->stop,
                             .context = wish->context};
    if (k->kind->gram == RG_GRAM_DISTANCE) {
        task.matrix = k->gamma > 0 ? k->gamma : gamma_of(b->counts, part);
        task.gram = &radial;
        status = make_radial(&radial, b, task.matrix, part, err);
    }
    if (!status)
        status = rg_svm_vote_train(&vote, &task, err);
    if (!status && vote.stopped)
        out->stopped = true;
    else if (!status)
        status = rg_baseline_report(out, &b->task, vote.numbers, vote.losses, wish, err);
    rg_svm_vote_free(&vote);
    rg_gram_free(&radial);
    return status;
}
