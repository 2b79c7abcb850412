/* bench_train.c - training as users run it: an epoch, what it could cost, and how it grows.
 *
 *   bench_train [DATA NETWORK [SPLIT]]     default: $REGULA_DATA/NCI1.zip, its network of the paper
 *
 * Fold 0, one thread, 1, 4 and 8 lanes; the fastest of several epochs counts, validation included.
 * The lower bound does what no epoch can go without, and nothing else: it loads the index and the
 * input of every connection that is left in the tables once for the way forward and once for the
 * way back, and goes over the parameters, the gradient and both moments once a batch.
 * Growth: EvenOddRingsCount from 300 to 4800 graphs, one lane: time of an epoch, of building, and
 * bytes of the tables, each also a graph. Without the data set only that is measured. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { EPOCHS = 12 };

/* ---- the lower bound */

/* Index and input of every connection of the training part, and a sum so that none is left out. */
static double load_all(bench_scene *s, const rg_fold *fold)
{
    rg_walk walk = {0};
    rg_error err;
    rg_sample sample;
    double sum = 0;
    scene_must(rg_walk_open(&walk, s->samples, &err), &err);
    rg_walk_begin(&walk, fold->train.graphs, fold->train.n);
    for (;;) {
        scene_must(rg_walk_next(&sample, &walk, &err), &err);
        if (sample.number == SIZE_MAX)
            break;
        for (size_t l = 0; l < s->net->n_layers; l++)
            for (size_t r = 0; r < s->net->layers[l].n_rules; r++) {
                rg_links links;
                uint32_t index = 0, value = 0;
                rg_block_links(&links, sample.block, l, r, sample.place);
                const uint32_t *bits = links.value;
                for (uint32_t k = 0; k < links.row[links.n_rows]; k++) {
                    index += links.id[k];
                    value += bits ? bits[k] : links.col16 ? links.col16[k] : links.col32[k];
                }
                sum += index + value;
            }
    }
    rg_walk_close(&walk);
    return sum;
}

static double bound_seconds(bench_scene *s, const rg_fold *fold, uint32_t lanes)
{
    size_t n = s->net->n_params * lanes, batches = fold->train.n / s->settings.batch;
    float *all = calloc(4 * n + 1, sizeof *all), *restrict w = all, *restrict g = all + n,
          *restrict m = g + n, *restrict v = m + n;
    volatile double sink;
    double best = 1e9;
    if (!all)
        exit(1);
    for (int k = 0; k < 5; k++) {
        double start = scene_now();
        sink = load_all(s, fold) + load_all(s, fold);
        for (size_t b = 0; b < (batches ? batches : 1); b++)
            for (size_t i = 0; i < n; i++) {
                m[i] += g[i];
                v[i] += g[i];
                w[i] += m[i];
                g[i] = 0;
            }
        double spent = scene_now() - start;
        best = spent < best ? spent : best;
    }
    (void)sink;
    free(all);
    return best;
}

static void bench_data(const rg_dataset *data, const rg_recipe *recipe, const rg_splits *splits)
{
    rg_fold fold = rg_splits_fold(splits, 0);
    bench_scene s = scene_open(data, recipe);
    struct rusage usage;
    printf("%s: %zu graphs for training, %zu parameters, tables %.1f MB, built in %.2f s\n",
           rg_dataset_name(data), fold.train.n, s.net->n_params, (double)s.samples->bytes / 1e6,
           s.seconds);
    printf("%6s %10s %10s %10s %8s\n", "lanes", "epoch ms", "a model", "bound ms", "ratio");
    for (uint32_t lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : lanes + 4) {
        double epoch = scene_epoch(&s, &fold, lanes, EPOCHS),
               bound = bound_seconds(&s, &fold, lanes);
        printf("%6u %10.2f %10.2f %10.2f %8.2f\n", (unsigned)lanes, 1e3 * epoch,
               1e3 * epoch / lanes, 1e3 * bound, epoch / bound);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("peak memory %.0f MB\n\n", (double)usage.ru_maxrss / 1024);
    scene_close(&s);
}

/* ---- growth */

static const char growing[] = "labels: {wl: node}\n"
                              "layers:\n"
                              "  - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..8\n"
                              "    bias: share wl(i)\n"
                              "  - rule: share dist(i,j) when dist(i,j) in 0..4\n"
                              "  - aggregate: share out, wl(i)\n";

static void bench_growth(void)
{
    rg_recipe *recipe = NULL;
    rg_error err;
    scene_must(rg_recipe_parse(&recipe, "growing", growing, strlen(growing), &err), &err);
    printf("%8s %10s %12s %10s %12s %10s %12s\n", "graphs", "epoch ms", "us a graph", "build ms",
           "us a graph", "tables MB", "kB a graph");
    for (size_t n = 300; n <= 4800; n *= 2) {
        rg_generate_options options = rg_generate_options_default();
        rg_split_options parts = rg_split_options_default();
        rg_dataset *data = NULL;
        rg_splits *splits = NULL;
        options.n_graphs = n;
        parts.n_folds = 1;
        scene_must(rg_dataset_generate(&data, RG_EVEN_ODD_RINGS_COUNT, &options, &err), &err);
        scene_must(rg_splits_make(&splits, data, &parts, &err), &err);
        rg_fold fold = rg_splits_fold(splits, 0);
        bench_scene s = scene_open(data, recipe);
        double epoch = scene_epoch(&s, &fold, 1, EPOCHS), count = (double)n;
        printf("%8zu %10.2f %12.2f %10.1f %12.1f %10.2f %12.2f\n", n, 1e3 * epoch,
               1e6 * epoch / count, 1e3 * s.seconds, 1e6 * s.seconds / count,
               (double)s.samples->bytes / 1e6, (double)s.samples->bytes / 1e3 / count);
        scene_close(&s);
        rg_splits_free(splits);
        rg_dataset_free(data);
    }
    rg_recipe_free(recipe);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("REGULA_DATA");
    char path[3][1024] = {"", "examples/paper/NCI1.yml", ""};
    rg_error err;
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_recipe *recipe = NULL;
    if (argc == 1 && folder) {
        snprintf(path[0], sizeof path[0], "%s/NCI1.zip", folder);
        snprintf(path[2], sizeof path[2], "%s/splits/NCI1.json", folder);
    }
    for (int k = 1; k < argc && k <= 3; k++)
        snprintf(path[k - 1], sizeof path[k - 1], "%s", argv[k]);
    if (path[0][0] && !rg_dataset_read(&data, path[0], NULL, &err)) {
        scene_must(rg_recipe_read(&recipe, path[1], &err), &err);
        scene_must(path[2][0] ? rg_splits_read(&splits, path[2], &err)
                              : rg_splits_make(&splits, data, NULL, &err),
                   &err);
        bench_data(data, recipe, splits);
    } else
        printf("no data set: only growth is measured (REGULA_DATA, or DATA NETWORK)\n\n");
    bench_growth();
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return 0;
}
