/* bench_wide.c - networks with many channels: an aggregation with 32 outputs against one, and layers
 * with 16 heads against the plain loops.
 *
 *   bench_wide
 *
 * On ZINC_alt in $REGULA_DATA, else on 2,000 rings. One lane, one thread, processor time, the fastest
 * of several epochs in which the networks take turns. Then the kernels of layers with 16 heads, each
 * for its own channel and all for all, against loops that go channel by channel, on a random table:
 * the fastest of several rounds of forward and backward.
 * Exit: 1 if an epoch with 32 outputs takes more than 2.5 times one with 1. */
#include "base/random.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

enum { EPOCHS = 9, ROUNDS = 9, NODES = 2000, ENTRIES = 40000, KEYS = 300, HEADS = 16 };

static const double limit = 2.5;

#define WIDE(outputs)                                                      \
    "input: constant\n"                                                    \
    "labels: {atom: node}\n"                                               \
    "layers:\n"                                                            \
    "  - rule: share atom(i), atom(j), dist(i,j) when dist(i,j) in 0..6\n" \
    "    bias: share atom(i)\n"                                            \
    "    heads: 16\n"                                                      \
    "  - aggregate: share out, atom(i)\n"                                  \
    "    outputs: " outputs "\n"                                           \
    "  - dense: auto\n"                                                    \
    "training: {lr: 0.01, schedule: constant}\n"

static void make_rings(rg_dataset **data, rg_splits **splits)
{
    rg_generate_options options = rg_generate_options_default();
    rg_split_options parts = rg_split_options_default();
    rg_error err;
    options.n_graphs = 2000;
    parts.n_folds = 1;
    scene_must(rg_dataset_generate(data, RG_EVEN_ODD_RINGS_COUNT, &options, &err), &err);
    scene_must(rg_splits_make(splits, *data, &parts, &err), &err);
}

static double bench_outputs(void)
{
    static const char *const texts[] = {WIDE("1"), WIDE("32")};
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    bench_scene scenes[2];
    double seconds[2];
    if (!scene_data(&data, &splits, "ZINC_alt"))
        make_rings(&data, &splits);
    rg_fold fold = rg_splits_fold(splits, 0);
    for (size_t k = 0; k < 2; k++) {
        rg_recipe *recipe = scene_recipe(texts[k]);
        scenes[k] = scene_open(data, recipe);
        rg_recipe_free(recipe);
    }
    scene_epochs(seconds, scenes, 2, &fold, 1, EPOCHS);
    printf("%s, 16 heads: an epoch with 1 output %.2f ms, with 32 outputs %.2f ms: %.2f times\n",
           rg_dataset_name(data), 1e3 * seconds[0], 1e3 * seconds[1], seconds[1] / seconds[0]);
    for (size_t k = 0; k < 2; k++)
        scene_close(&scenes[k]);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return seconds[1] / seconds[0];
}

/* ---- kernels against plain loops */

typedef struct wide_table {
    uint32_t row[NODES + 1], id[ENTRIES];
    uint16_t col[ENTRIES];
    float x[NODES * HEADS], h[NODES * HEADS], dh[NODES * HEADS], dx[NODES * HEADS];
    float w[KEYS * HEADS * HEADS], dw[KEYS * HEADS * HEADS];
    rg_links links;
} wide_table;

static void table_fill(wide_table *t)
{
    for (uint32_t i = 0; i < NODES; i++)
        t->row[i + 1] = (uint32_t)((uint64_t)ENTRIES * (i + 1) / NODES);
    for (uint32_t k = 0; k < ENTRIES; k++) {
        t->id[k] = rg_random_below(1, 0, k, KEYS);
        t->col[k] = (uint16_t)(k % 40 + k / (ENTRIES / NODES) / 40 * 40 % NODES);
    }
    for (size_t k = 0; k < NODES * HEADS; k++)
        t->x[k] = t->dh[k] = (float)(0.01 * (double)(k % 17) - 0.08);
    for (size_t k = 0; k < KEYS * HEADS * HEADS; k++)
        t->w[k] = (float)(0.01 * (double)(k % 13) - 0.06);
    t->links = (rg_links){.n_rows = NODES, .row = t->row, .id = t->id, .col16 = t->col};
}

/* The formulas of rule_forward and rule_backward, as they stand. */
static void plain(wide_table *t, bool full)
{
    size_t per_key = full ? HEADS * HEADS : HEADS;
    for (size_t i = 0; i < NODES; i++)
        for (size_t o = 0; o < HEADS; o++) {
            float sum = 0;
            for (size_t k = t->row[i]; k < t->row[i + 1]; k++)
                for (size_t c = full ? 0 : o; c < (full ? HEADS : o + 1); c++)
                    sum += t->w[t->id[k] * per_key + (full ? c * HEADS + o : o)] *
                           t->x[t->col[k] * HEADS + c];
            t->h[i * HEADS + o] = sum;
        }
    for (size_t i = 0; i < NODES; i++)
        for (size_t k = t->row[i]; k < t->row[i + 1]; k++)
            for (size_t c = 0; c < HEADS; c++) {
                float sum = 0;
                for (size_t o = full ? 0 : c; o < (full ? HEADS : c + 1); o++) {
                    size_t at = t->id[k] * per_key + (full ? c * HEADS + o : o);
                    t->dw[at] += t->dh[i * HEADS + o] * t->x[t->col[k] * HEADS + c];
                    sum += t->w[at] * t->dh[i * HEADS + o];
                }
                t->dx[t->col[k] * HEADS + c] += sum;
            }
}

static void bench_heads(wide_table *t, bool full)
{
    const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, 1, rg_cpu_best());
    const rg_channels channels = {.n_in = HEADS, .n_out = HEADS, .full = full, .scale = 1};
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < 2; way++) {
            double start = scene_now();
            if (way) {
                kernels->rule_forward(t->h, &t->links, &channels, t->w, NULL, t->x);
                kernels->rule_backward(t->dw, NULL, t->dx, &t->links, &channels, t->w, t->x, t->dh);
            } else
                plain(t, full);
            double spent = scene_now() - start;
            best[way] = spent < best[way] ? spent : best[way];
        }
    printf("16 heads, mix: %s: plain loops %.2f ms, kernels %.2f ms: %.1f times\n",
           full ? "full" : "each", 1e3 * best[0], 1e3 * best[1], best[0] / best[1]);
}

int main(void)
{
    wide_table *t = calloc(1, sizeof *t);
    if (!t)
        return 1;
    double ratio = bench_outputs();
    table_fill(t);
    bench_heads(t, false);
    bench_heads(t, true);
    free(t);
    return ratio > limit;
}
