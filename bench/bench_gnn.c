/* bench_gnn.c - one epoch of a message passing network, one thread.
 *
 *   bench_gnn DATA SPLIT MODEL [EPOCHS]      default: 5 epochs, of which the fastest counts
 *
 * MODEL: a map as behind `model`, such as "{model: gin, layers: 4, training: {batch: 32}}". Trains
 * on the training part of the first fold, nothing else is measured. Prints one
 * object: seconds of the fastest epoch by the wall and by the processor, and how many weights. */
#include "base/clock.h"
#include "baseline/contender.h"
#include "train/recipe.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1000 };

/* Epochs by the wall and by the processor. */
typedef struct epoch_times {
    double wall[MOST], processor[MOST];
    int n;
} epoch_times;

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static rg_status train(epoch_times *out, rg_samples *samples, const rg_fold *fold,
                       const rg_settings *settings, int n, rg_error *err)
{
    rg_trainer *trainer = NULL;
    rg_trainer_options options = {.lanes = 1, .seed = 1, .n_threads = 1};
    rg_status status = rg_trainer_new(&trainer, samples, fold, settings, &options, err);
    while (!status && out->n < n && !rg_trainer_done(trainer)) {
        double begun = rg_seconds(), busy = processor();
        status = rg_trainer_epoch(trainer, err);
        out->processor[out->n] = processor() - busy;
        out->wall[out->n++] = rg_seconds() - begun;
    }
    rg_trainer_free(trainer);
    return status;
}

static rg_status measure(epoch_times *out, size_t *weights, char **argv, int n, rg_error *err)
{
    rg_source source = {.graphs = NULL};
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_contender contender = {.recipe = NULL};
    rg_spec *spec = NULL;
    rg_network *net = NULL;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_samples *samples = NULL;
    rg_build_options building = {.n_threads = 1};
    rg_samples_options tables = {.n_threads = 1, .keep = true};
    rg_status status = rg_dataset_read(&data, argv[1], NULL, err);
    source.graphs = data;
    if (!status)
        status = rg_splits_read(&splits, argv[2], err);
    if (!status)
        status = rg_contender_parse(&contender, "model", argv[3], strlen(argv[3]), err);
    if (!status)
        status = rg_recipe_spec(&spec, contender.recipe, err);
    if (!status)
        status = rg_network_build(&net, labels, spec, &source, &building, err);
    if (!status) {
        tables.precision = contender.recipe->settings.precision;
        status = rg_samples_open(&samples, net, &source, labels, &tables, err);
    }
    if (!status) {
        rg_fold fold = rg_splits_fold(splits, 0);
        fold.validation.n = fold.test.n = 0;
        *weights = net->n_params;
        status = train(out, samples, &fold, &contender.recipe->settings, n, err);
    }
    rg_samples_free(samples);
    rg_network_free(net);
    rg_contender_free(&contender);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return status;
}

int main(int argc, char **argv)
{
    static epoch_times times;
    int most = argc > 4 ? atoi(argv[4]) : 5;
    size_t weights = 0;
    rg_error err;
    if (argc < 4 || most < 1 || most > MOST) {
        fprintf(stderr, "usage: bench_gnn DATA SPLIT MODEL [EPOCHS]\n");
        return 2;
    }
    if (measure(&times, &weights, argv, most, &err)) {
        fprintf(stderr, "bench_gnn: %s\n", err.message);
        return 1;
    }
    qsort(times.wall, (size_t)times.n, sizeof *times.wall, ascending);
    qsort(times.processor, (size_t)times.n, sizeof *times.processor, ascending);
    printf("{\"seconds_per_epoch\": %.6f, \"processor_seconds\": %.6f, \"weights\": %zu}\n",
           times.wall[0], times.processor[0], weights);
    return 0;
}
