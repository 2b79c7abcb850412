/* bench_growth.c - how building and training grow with the data, where every graph brings new labels.
 *
 *   bench_growth [MOST]      default: 16000 graphs at most; 64000 takes a minute and 3 GB
 *
 * Rings of 16 nodes, from 1,000 on four times as many each time, labels without a bound: nearly every
 * node has its own. Processor time on one thread of building (keys and tables) and of the faster
 * of the second and the third epoch, one lane, with lazy-adam, with Adam as it is, and with a pass over all weights for every batch,
 * which has the same bits. The last line has the exponents of the growth, n^x, from the first row to the
 * last.
 * Exit: 1 if building or lazy-adam grow faster than n^1.2. */
#include "scene.h"

#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 1000, LAZY = 0, EXACT, EVERY, N_WAYS };

static const double limit = 1.2;

static const char network[] = "labels: {wl: \"wl(depth=3, from=node)\"}\n"
                              "layers:\n"
                              "  - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..4\n"
                              "    bias: share wl(i)\n"
                              "  - aggregate: share out, wl(i)\n";

typedef struct growth_row {
    double build, epoch[N_WAYS];
    size_t parameters;
} growth_row;

/* Epochs in which the weights have all been used before. */
static double epoch_of(const bench_scene *s, const rg_fold *fold, int way)
{
    rg_trainer *t = NULL;
    rg_error err;
    rg_trainer_options options = {.lanes = 1, .seed = 1, .n_threads = 1, .cpu = rg_cpu_best()};
    rg_settings settings = s->settings;
    settings.epochs = settings.schedule.epochs = 3;
    settings.optimiser.method = way == LAZY ? RG_LAZY_ADAM : RG_ADAM;
    scene_must(rg_trainer_new(&t, s->samples, fold, &settings, &options, &err), &err);
    if (way == EVERY)
        t->parts.lazy = t->lazy = NULL; /* what it holds ends with the process */
    double best = 1e9;
    for (int epoch = 0; epoch < 3; epoch++) {
        double start = scene_now();
        scene_must(rg_trainer_epoch(t, &err), &err);
        double spent = scene_now() - start;
        best = epoch && spent < best ? spent : best;
    }
    rg_trainer_free(t);
    return best;
}

static growth_row measure(size_t n)
{
    rg_generate_options options = rg_generate_options_default();
    rg_split_options parts = rg_split_options_default();
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_error err;
    growth_row row;
    options.n_graphs = n;
    options.n_nodes = 16;
    parts.n_folds = 1;
    scene_must(rg_dataset_generate(&data, RG_EVEN_ODD_RINGS, &options, &err), &err);
    scene_must(rg_splits_make(&splits, data, &parts, &err), &err);
    rg_recipe *recipe = scene_recipe(network);
    rg_fold fold = rg_splits_fold(splits, 0);
    bench_scene s = scene_open(data, recipe);
    row.build = s.seconds;
    row.parameters = s.net->n_params;
    for (int way = 0; way < N_WAYS; way++)
        row.epoch[way] = epoch_of(&s, &fold, way);
    scene_close(&s);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return row;
}

int main(int argc, char **argv)
{
    size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : 16000, last = FIRST;
    growth_row first = measure(FIRST), row = first;
    printf("%8s %12s %10s %12s %12s %14s %8s\n", "graphs", "parameters", "build ms", "lazy-adam",
           "adam", "every weight", "ratio");
    for (size_t n = FIRST; n <= most; n *= 4) {
        row = n == FIRST ? first : measure(n);
        last = n;
        printf("%8zu %12zu %10.1f %12.1f %12.1f %14.1f %8.1f\n", n, row.parameters, 1e3 * row.build,
               1e3 * row.epoch[LAZY], 1e3 * row.epoch[EXACT], 1e3 * row.epoch[EVERY],
               row.epoch[EVERY] / row.epoch[EXACT]);
        fflush(stdout);
    }
    double times = log((double)last / FIRST);
    double build = log(row.build / first.build) / times;
    double lazy = log(row.epoch[LAZY] / first.epoch[LAZY]) / times;
    printf("%8s %12s %10.2f %12.2f %12.2f %14.2f\n", "n^x", "", build, lazy,
           log(row.epoch[EXACT] / first.epoch[EXACT]) / times,
           log(row.epoch[EVERY] / first.epoch[EVERY]) / times);
    return last > FIRST && (build > limit || lazy > limit);
}
