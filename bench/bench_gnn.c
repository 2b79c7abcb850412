/* bench_gnn.c - one epoch of a message passing network, one thread.
 *
 *   bench_gnn DATA SPLIT MODEL [EPOCHS]      default: 5 epochs, of which the fastest counts
 *
 * MODEL: a map as behind `model`, such as "{model: gin, layers: 4, training: {batch: 32}}". Trains
 * on the training part of the first fold, nothing else is measured. Prints one
 * object: seconds of the fastest epoch by the wall and by the processor, and how many weights. */
#include "base/clock.h"
#include "baseline/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1000 };

typedef struct epoch_watch {
    double last, begun; /* of the wall, and of the processor */
    double epochs[MOST], processor[MOST];
    int n, most;
} epoch_watch;

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Asked between epochs: the time since it was last asked is that of an epoch. */
static int stop(void *context)
{
    epoch_watch *w = context;
    double now = rg_seconds(), busy = processor();
    if (w->last > 0 && w->n < MOST) {
        w->processor[w->n] = busy - w->begun;
        w->epochs[w->n++] = now - w->last;
    }
    w->begun = processor();
    w->last = rg_seconds();
    return w->n >= w->most;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static rg_status measure(epoch_watch *w, uint64_t *weights, char **argv, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_baseline *baseline = NULL;
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run = {.numbers = NULL};
    rg_baseline_options options = {.n_threads = 1};
    rg_status status = rg_dataset_read(&data, argv[1], NULL, err);
    if (!status)
        status = rg_splits_read(&splits, argv[2], err);
    if (!status)
        status = rg_baseline_parse(&baseline, "MODEL", argv[3], strlen(argv[3]), err);
    rg_source source = {.graphs = data};
    if (!status)
        status = rg_baseline_prepared_new(&prepared, baseline, &source, &options, err);
    if (!status) {
        rg_fold whole = rg_splits_fold(splits, 0), fold = {.train = whole.train};
        rg_baseline_wish wish = {.fold = &fold, .seed = 1, .stop = stop, .context = w};
        *weights = rg_baseline_prepared_parameters(prepared);
        status = rg_baseline_train(&run, baseline, prepared, &wish, err);
    }
    rg_baseline_run_free(&run);
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return status;
}

int main(int argc, char **argv)
{
    epoch_watch w = {.most = argc > 4 ? atoi(argv[4]) : 5};
    uint64_t weights = 0;
    rg_error err;
    if (argc < 4 || w.most < 1 || w.most > MOST) {
        fprintf(stderr, "usage: bench_gnn DATA SPLIT MODEL [EPOCHS]\n");
        return 2;
    }
    if (measure(&w, &weights, argv, &err)) {
        fprintf(stderr, "bench_gnn: %s\n", err.message);
        return 1;
    }
    qsort(w.epochs, (size_t)w.n, sizeof *w.epochs, ascending);
    qsort(w.processor, (size_t)w.n, sizeof *w.processor, ascending);
    printf("{\"seconds_per_epoch\": %.6f, \"processor_seconds\": %.6f, \"weights\": %llu}\n",
           w.epochs[0], w.processor[0], (unsigned long long)weights);
    return 0;
}
