/* kernel_prepared.c - kernels on data: matrices, folds, and the tables of the kinds. */
#include "base/alloc.h"
#include "base/error.h"
#include "baseline/kinds.h"
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

static void prepared_free(void *own)
{
    kernel_prepared *b = own;
    if (!b)
        return;
    rg_gram_free(&b->gram);
    rg_counts_free(b->counts);
    rg_svm_paths_free(b->paths);
    rg_free(b);
}

static uint64_t parameters(const void *own)
{
    (void)own;
    return 0;
}

static uint32_t epochs(const void *settings)
{
    (void)settings;
    return 1;
}

/* ---- the matrix */

/* Layers of counts; room for one a round, at least one. */
static rg_status count(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_baseline_options *options, rg_error *err)
{
    rg_count_options counting = {.fit = options->fit,
                                 .n_fit = options->n_fit,
                                 .labels = k->labels,
                                 .label = rg_label_options_default()};
    counting.label.n_threads = options->n_threads;
    counting.label.cache = options->cache;
    switch (k->kind) {
    case RG_KERNEL_NOG:
        return rg_counts_labels(layers, data, &counting, err);
    case RG_KERNEL_WL:
    case RG_KERNEL_WL_OA:
        return rg_counts_wl(layers, k->iterations, k->edges, data, &counting, err);
    case RG_KERNEL_PATHS:
        return rg_counts_paths(layers, k->distance, data, &counting, err);
    default:
        counting.label.budget = k->budget;
        return rg_counts_structures(layers, k->counts, k->logarithm, data, &counting, err);
    }
}

static rg_status make_gram(kernel_prepared *b, const rg_kernel *k,
                           const rg_baseline_options *options, rg_error *err)
{
    rg_gram_options wanted = {.kind = k->kind == RG_KERNEL_NOG     ? RG_GRAM_DISTANCE
                                      : k->kind == RG_KERNEL_WL_OA ? RG_GRAM_MINIMUM
                                                                   : RG_GRAM_PRODUCT,
                              .normalise = k->kind != RG_KERNEL_NOG && k->normalise,
                              .n_threads = options->n_threads,
                              .memory = options->memory,
                              .name = rg_dataset_name(b->task.graphs)};
    bool rounds = k->kind == RG_KERNEL_WL || k->kind == RG_KERNEL_WL_OA;
    size_t n = rounds ? k->iterations + (size_t)1 : 1;
    rg_counts **layers = rg_alloc_zero(n, sizeof *layers);
    rg_status status =
        layers ? count(layers, k, b->task.graphs, options, err) : rg_fail_memory(err, "a kernel");
    if (!status)
        status = rg_gram_new(&b->gram, layers, n, &wanted, err);
    if (!status && k->kind == RG_KERNEL_NOG) {
        b->counts = layers[0];
        layers[0] = NULL;
    }
    for (size_t l = 0; layers && l < n; l++)
        rg_counts_free(layers[l]);
    rg_free(layers);
    return status;
}

static rg_status prepared_new(void **out, const void *settings, const rg_source *source,
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
        prepared_free(b);
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

static double mean_loss(const rg_svm_vote *vote, const rg_part *part)
{
    double sum = 0, n = 0;
    for (size_t k = 0; k < part->n; k++)
        if (!isnan(vote->losses[part->graphs[k]])) {
            sum += vote->losses[part->graphs[k]];
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

static double score(const kernel_prepared *b, const rg_svm_vote *vote, const rg_part *part)
{
    size_t n = 0, hits = 0;
    for (size_t k = 0; k < part->n; k++) {
        uint32_t graph = part->graphs[k], own = b->task.classes[graph], said = 0;
        const float *numbers = vote->numbers + (size_t)graph * b->task.n_classes;
        for (uint32_t c = 1; c < b->task.n_classes; c++)
            if (numbers[c] > numbers[said])
                said = c;
        n += own != RG_NO_CLASS;
        hits += own == said;
    }
    return n ? (double)hits / (double)n : (double)NAN;
}

static rg_status report(rg_baseline_run *out, const kernel_prepared *b, const rg_svm_vote *vote,
                        const rg_baseline_wish *wish, rg_error *err)
{
    const rg_fold *fold = wish->fold;
    size_t width = b->task.n_classes;
    out->run = (rg_run){.epochs = 1,
                        .best_epoch = 1,
                        .train_loss = mean_loss(vote, &fold->train),
                        .validation_loss = mean_loss(vote, &fold->validation),
                        .test_loss = mean_loss(vote, &fold->test),
                        .train_score = score(b, vote, &fold->train),
                        .validation_score = score(b, vote, &fold->validation),
                        .test_score = score(b, vote, &fold->test)};
    out->epochs = rg_alloc(1, sizeof *out->epochs);
    if (wish->numbers)
        out->numbers = rg_alloc(fold->test.n, width * sizeof *out->numbers);
    if (!out->epochs || (wish->numbers && !out->numbers))
        return rg_fail_memory(err, "the result of a kernel");
    out->epochs[0] = (rg_epoch){.number = 1,
                                .train_loss = out->run.train_loss,
                                .train_score = out->run.train_score,
                                .validation_loss = out->run.validation_loss,
                                .validation_score = out->run.validation_score};
    for (size_t k = 0; wish->numbers && k < fold->test.n; k++)
        memcpy(out->numbers + k * width, vote->numbers + fold->test.graphs[k] * width,
               width * sizeof *out->numbers);
    return RG_OK;
}

static rg_status train(rg_baseline_run *out, const void *settings, const void *own,
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
    if (k->kind == RG_KERNEL_NOG) {
        task.matrix = k->gamma > 0 ? k->gamma : gamma_of(b->counts, part);
        task.gram = &radial;
        status = make_radial(&radial, b, task.matrix, part, err);
    }
    if (!status)
        status = rg_svm_vote_train(&vote, &task, err);
    if (!status && vote.stopped)
        out->stopped = true;
    else if (!status)
        status = report(out, b, &vote, wish, err);
    rg_svm_vote_free(&vote);
    rg_gram_free(&radial);
    return status;
}

/* ---- the tables of the kinds */

#define C_SETTING                                                      \
    {                                                                  \
        "c", "a number above 0, or a power such as 2^-3",              \
            "cost of a training graph on the wrong side of the margin" \
    }
#define NORMALISE_SETTING                                                                      \
    {                                                                                          \
        "normalise", "true or false", "use K(x, y) / sqrt(K(x, x) K(y, y)) instead of K(x, y)" \
    }
#define LABELS_SETTING                                                             \
    {                                                                              \
        "labels", "auto or a labeling",                                            \
            "node labels; auto: those of the data, or one label for all nodes if " \
            "there are none"                                                       \
    }

static const rg_baseline_setting nog_help[] = {
    {"gamma", "scale or a number above 0",
     "gamma of exp(-gamma d^2); scale: 1 / (features * variance) of the training set"},
    C_SETTING,
    {NULL, NULL, NULL}};
static const rg_baseline_setting rounds_help[] = {
    {"iterations", "0 .. 64", "rounds of refinement; the kernel sums over all rounds from 0 on"},
    LABELS_SETTING,
    {"edges", "true or false", "also refine by edge labels"},
    NORMALISE_SETTING,
    C_SETTING,
    {NULL, NULL, NULL}};
static const rg_baseline_setting paths_help[] = {
    {"distance", "any or a number from 1 on", "longest path to count"},
    LABELS_SETTING,
    NORMALISE_SETTING,
    C_SETTING,
    {NULL, NULL, NULL}};
static const rg_baseline_setting structures_help[] = {
    {"counts", "cycles(...), cliques(...) or pattern(...)",
     "structures to count, written as a labeling"},
    {"log", "true or false", "use log(1 + count) instead of the count"},
    {"budget", "1 .. 2^40", "maximum number of steps for counting in one graph"},
    NORMALISE_SETTING,
    C_SETTING,
    {NULL, NULL, NULL}};

#define KERNEL(word, line, settings)                                                             \
    {                                                                                            \
        .name = word, .about = line, .parse = rg_kernel_parse, .settings_free = rg_kernel_free,  \
        .print = rg_kernel_print, .epochs = epochs, .prepared_new = prepared_new,                \
        .prepared_free = prepared_free, .parameters = parameters, .train = train, .fixed = true, \
        .help = settings,                                                                        \
    }

const rg_baseline_kind rg_baseline_nog =
    KERNEL("nog", "counts of node and edge labels (no graph structure), RBF kernel, SVM", nog_help);
const rg_baseline_kind rg_baseline_wl =
    KERNEL("wl", "Weisfeiler-Leman subtree kernel, SVM", rounds_help);
const rg_baseline_kind rg_baseline_wl_oa =
    KERNEL("wl-oa", "Weisfeiler-Leman optimal assignment kernel, SVM", rounds_help);
const rg_baseline_kind rg_baseline_paths =
    KERNEL("shortest-path", "shortest-path kernel, SVM", paths_help);
const rg_baseline_kind rg_baseline_graphlet =
    KERNEL("graphlet", "counts of small subgraphs, SVM", structures_help);
const rg_baseline_kind rg_baseline_cycles =
    KERNEL("cycles", "counts of cycles by length, SVM", structures_help);
