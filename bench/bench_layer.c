/* bench_layer.c - one epoch of the paper's model on tables of NCI1's size, and what it could cost.
 *
 *   bench_layer [EPOCHS]      default: 5, of which the fastest counts
 *
 * Made up tables: 4110 graphs, 122747 nodes, 3265454 connections, 279508 weights that occur, few of
 * them in most connections; 32 batches. Float, one thread. An epoch is forward,
 * backward and Adam. `value`: the input stands in the table, as in a first layer; `col`: it is
 * looked up, and its gradient is wanted. The lower bound does what no epoch can go without: it
 * reads all indices twice, touches the weight of each connection once and its gradient once, and
 * goes over the four arrays of parameters once a batch. `stream` is the same without the touching.
 */
#include "base/random.h"
#include "math/kernels.h"
#include "train/optimiser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GRAPHS = 4110,
    NODES = 122747,
    LINKS = 3265454,
    WEIGHTS = 279508,
    LABELS = 500,
    CLASSES = 2,
    BATCHES = 32,
    PARAMETERS = WEIGHTS + LABELS + CLASSES * LABELS + CLASSES
};

typedef struct table {
    uint32_t *first; /* [graph + 1]: its nodes */
    uint32_t *row, *id,
        *bias_id;  /* all graphs one after another; rows are offsets from the start */
    uint16_t *col; /* node of the graph */
    float *value;
    uint32_t *sum_row, *sum_id; /* aggregation: CLASSES rows a graph */
    uint16_t *sum_col;
    uint32_t target[GRAPHS];
} table;

typedef struct times {
    double forward, backward, update, index, touch, pass;
} times;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *make(size_t n, size_t size)
{
    void *out = calloc(n ? n : 1, size);
    if (!out) {
        fprintf(stderr, "bench_layer: out of memory\n");
        exit(1);
    }
    return out;
}

static uint32_t share(uint32_t k, uint32_t n, uint32_t parts)
{
    return (uint32_t)((uint64_t)n * k / parts);
}

static void table_make(table *t)
{
    uint32_t *order = make(WEIGHTS, sizeof *order), k = 0;
    for (uint32_t w = 0; w < WEIGHTS; w++)
        order[w] = w;
    rg_random_shuffle(1, 0, order, WEIGHTS);
    t->first = make(GRAPHS + 1, sizeof *t->first);
    t->row = make(NODES + 1, sizeof *t->row);
    t->bias_id = make(NODES, sizeof *t->bias_id);
    t->id = make(LINKS, sizeof *t->id);
    t->col = make(LINKS, sizeof *t->col);
    t->value = make(LINKS, sizeof *t->value);
    t->sum_row = make(GRAPHS * CLASSES + 1, sizeof *t->sum_row);
    t->sum_id = make(NODES * CLASSES, sizeof *t->sum_id);
    t->sum_col = make(NODES * CLASSES, sizeof *t->sum_col);
    for (uint32_t g = 0; g < GRAPHS; g++) {
        uint32_t begin = share(g, NODES, GRAPHS), end = share(g + 1, NODES, GRAPHS);
        t->first[g] = begin;
        t->first[g + 1] = end;
        t->target[g] = g % CLASSES;
        for (uint32_t i = begin; i < end; i++) {
            t->bias_id[i] = rg_random_below(2, 0, i, LABELS);
            t->row[i + 1] = share(i + 1, LINKS, NODES);
            for (; k < t->row[i + 1]; k++) {
                double u = rg_random_unit(3, 0, k);
                t->id[k] = order[(uint32_t)(WEIGHTS * u * u * u * u)];
                t->col[k] = (uint16_t)((k - t->row[i]) % (end - begin));
                t->value[k] = (float)(2 * u - 1);
            }
        }
        for (uint32_t c = 0; c < CLASSES; c++) {
            uint32_t at = begin * CLASSES + c * (end - begin);
            for (uint32_t i = begin; i < end; i++, at++) {
                t->sum_id[at] = c * LABELS + t->bias_id[i];
                t->sum_col[at] = (uint16_t)(i - begin);
            }
            t->sum_row[g * CLASSES + c + 1] = at;
        }
    }
    free(order);
}

/* Scratch of one run, all [item][lane]. */
typedef struct layer_run {
    const rg_kernels *kernels;
    float *w, *g, *m, *v, *x, *h, *dh, *dx, *z, *dz;
} layer_run;

static void one_graph(const layer_run *r, const table *t, uint32_t graph, bool fixed, times *spent)
{
    const rg_kernels *kernels = r->kernels;
    static const uint32_t bias_of_class[CLASSES] = {0, 1};
    size_t lanes = kernels->lanes, n = t->first[graph + 1] - t->first[graph];
    float *b = r->w + WEIGHTS * lanes, *out = b + LABELS * lanes;
    float *db = r->g + WEIGHTS * lanes, *dout = db + LABELS * lanes;
    rg_links rule = {.n_rows = (uint32_t)n, .row = t->row + t->first[graph], .id = t->id};
    rg_links sum = {.n_rows = CLASSES, .row = t->sum_row + graph * CLASSES, .id = t->sum_id};
    rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1}, mean = one;
    double loss[RG_MAX_LANES] = {0}, start = now();
    rule.bias_id = t->bias_id + t->first[graph];
    rule.value = fixed ? t->value : NULL;
    rule.col16 = fixed ? NULL : t->col;
    sum.col16 = t->sum_col;
    sum.bias_id = bias_of_class;
    mean.scale = 1.0 / (double)n;
    kernels->rule_forward(r->h, &rule, &one, r->w, b, r->x);
    kernels->tanh(r->h, n, r->h);
    kernels->rule_forward(r->z, &sum, &mean, out, out + CLASSES * LABELS * lanes, r->h);
    kernels->tanh(r->z, CLASSES, r->z);
    kernels->cross_entropy(loss, r->dz, 1, CLASSES, r->z, &t->target[graph], NULL, 1.0 / 128);
    double middle = now();
    kernels->activation_backward(r->dz, RG_TANH, CLASSES, NULL, r->z, r->dz);
    memset(r->dh, 0, n * lanes * sizeof *r->dh);
    kernels->rule_backward(dout, dout + CLASSES * LABELS * lanes, r->dh, &sum, &mean, out, r->h,
                           r->dz);
    kernels->activation_backward(r->dh, RG_TANH, n, NULL, r->h, r->dh);
    kernels->rule_backward(r->g, db, fixed ? NULL : r->dx, &rule, &one, r->w, r->x, r->dh);
    spent->forward += middle - start;
    spent->backward += now() - middle;
}

static times epoch(const layer_run *r, const table *t, rg_optimiser *optimiser, bool fixed)
{
    times spent = {0, 0, 0, 0, 0, 0};
    const double lr[RG_MAX_LANES] = {.05, .05, .05, .05, .05, .05, .05, .05};
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        uint32_t end = share(batch + 1, GRAPHS, BATCHES);
        for (uint32_t g = share(batch, GRAPHS, BATCHES); g < end; g++)
            one_graph(r, t, g, fixed, &spent);
        double start = now();
        rg_optimiser_step(optimiser, lr);
        spent.update += now() - start;
    }
    return spent;
}

static void bound(const layer_run *r, const table *t, bool fixed, times *spent)
{
    volatile uint32_t sink;
    volatile float other;
    size_t lanes = r->kernels->lanes, n = (size_t)PARAMETERS * lanes;
    float *restrict w = r->w, *restrict grad = r->g, *restrict m = r->m, *restrict v = r->v;
    const uint32_t *value = (const uint32_t *)(const void *)t->value;
    double start = now();
    for (int twice = 0; twice < 2; twice++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < LINKS; k++)
            sum += t->id[k] + (fixed ? value[k] : t->col[k]);
        sink = sum;
    }
    (void)sink;
    spent->index = now() - start;
    start = now();
    float sums[4] = {0};
    for (size_t k = 0; k < LINKS; k++)
        sums[k & 3] += w[t->id[k] * lanes];
    for (size_t k = 0; k < LINKS; k++)
        grad[t->id[k] * lanes] += 1;
    other = sums[0] + sums[1] + sums[2] + sums[3];
    (void)other;
    spent->touch = now() - start;
    start = now();
    for (int batch = 0; batch < BATCHES; batch++)
        for (size_t k = 0; k < n; k++) {
            m[k] += grad[k];
            v[k] += grad[k];
            w[k] += m[k];
            grad[k] = 0;
        }
    spent->pass = now() - start;
}

static times least(times a, times b)
{
    double whole_a = a.forward + a.backward + a.update, whole_b = b.forward + b.backward + b.update;
    return whole_a <= whole_b ? a : b;
}

static void run_lanes(const table *t, uint32_t lanes, rg_cpu cpu, bool fixed, int n_epochs)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    layer_run r = {.kernels = rg_kernels_get(RG_FLOAT, lanes, cpu)};
    size_t n = (size_t)PARAMETERS * lanes, nodes = 1000 * (size_t)lanes;
    rg_optimiser_options options = rg_optimiser_default();
    rg_optimiser optimiser;
    r.w = make(n, sizeof(float));
    r.g = make(n, sizeof(float));
    r.m = make(n, sizeof(float));
    r.v = make(n, sizeof(float));
    r.x = make(5 * nodes, sizeof(float));
    r.h = r.x + nodes;
    r.dh = r.h + nodes;
    r.dx = r.dh + nodes;
    r.z = r.dx + nodes;
    r.dz = r.z + nodes / 2;
    for (size_t k = 0; k < n; k++)
        r.w[k] = (float)(0.01 * (double)(k % 17) - 0.08);
    for (size_t k = 0; k < nodes; k++)
        r.x[k] = (float)(k % 5) - 2;
    rg_optimiser_begin(&optimiser, &options, r.kernels, PARAMETERS, r.w, r.g, r.m, r.v);
    times best = epoch(&r, t, &optimiser, fixed);
    for (int k = 1; k < n_epochs; k++)
        best = least(epoch(&r, t, &optimiser, fixed), best);
    bound(&r, t, fixed, &best);
    double whole = best.forward + best.backward + best.update;
    double stream = best.index + best.pass, low = stream + best.touch;
    printf("%-6s %-9s %5u %8.1f %8.1f %8.1f %8.1f %9.2f %8.2f %9.1f %9.1f %6.2f\n",
           fixed ? "value" : "col", names[r.kernels->cpu], lanes, 1e3 * best.forward,
           1e3 * best.backward, 1e3 * best.update, 1e3 * whole, 1e3 * whole / lanes,
           1e9 * whole / LINKS / lanes, 1e3 * stream, 1e3 * low, whole / low);
    fflush(stdout);
    free(r.w);
    free(r.g);
    free(r.m);
    free(r.v);
    free(r.x);
}

int main(int argc, char **argv)
{
    static table t;
    int n_epochs = argc > 1 ? atoi(argv[1]) : 5;
    table_make(&t);
    printf("%-6s %-9s %5s %8s %8s %8s %8s %9s %8s %9s %9s %6s\n", "input", "vectors", "lanes",
           "forw ms", "back ms", "Adam ms", "epoch", "a model", "ns/conn", "stream ms", "bound ms",
           "ratio");
    for (int fixed = 1; fixed >= 0; fixed--)
        for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++)
            for (uint32_t lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : lanes + 4)
                run_lanes(&t, lanes, (rg_cpu)cpu, fixed, n_epochs);
    void *const all[] = {t.first, t.row,     t.bias_id, t.id,     t.col,
                         t.value, t.sum_row, t.sum_id,  t.sum_col};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    return 0;
}
