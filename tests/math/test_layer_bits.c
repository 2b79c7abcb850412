/* test_layer_bits.c - a short training through all layers ends in bits that are written down here:
 * the same for every compiler, processor, build and number of lanes. */
#include "support/support.h"

#include "base/random.h"
#include "layer_arrays.h"
#include "math/start.h"
#include "train/optimiser.h"
#include "train/schedule.h"

#include <stdio.h>
#include <string.h>

enum {
    NODES = 11,
    KEYS = 9,
    BIASES = 3,
    HEADS = 5,
    WIDE = 4,
    CLASSES = 3,
    AT_W = 0,
    AT_B = AT_W + KEYS * HEADS,
    AT_GAIN = AT_B + BIASES * HEADS,
    AT_SHIFT = AT_GAIN + HEADS,
    AT_DENSE = AT_SHIFT + HEADS,
    AT_ADD = AT_DENSE + HEADS * WIDE,
    AT_SUM = AT_ADD + WIDE,
    AT_LAST = AT_SUM + CLASSES * BIASES * WIDE,
    PARAMETERS = AT_LAST + CLASSES,
    STEPS = 25
};

typedef struct tables {
    uint32_t row[NODES + 1], id[NODES * NODES], label[NODES];
    uint16_t col[NODES * NODES], sum_col[CLASSES * NODES];
    uint32_t sum_row[CLASSES + 1], sum_id[CLASSES * NODES], sum_bias[CLASSES];
    rg_links rule, sum;
} tables;

static void tables_make(tables *t)
{
    uint32_t k = 0;
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < NODES; i++)
        t->label[i] = i * i % BIASES;
    for (uint32_t i = 0; i < NODES; i++) {
        for (uint32_t j = 0; j < NODES; j++)
            if ((i * 7 + j * 3) % 5 < 3) {
                t->id[k] = t->label[i] * BIASES + t->label[j];
                t->col[k++] = (uint16_t)j;
            }
        t->row[i + 1] = k;
    }
    for (uint32_t c = 0; c < CLASSES; c++) {
        for (uint32_t i = 0; i < NODES; i++) {
            t->sum_id[c * NODES + i] = c * BIASES + t->label[i];
            t->sum_col[c * NODES + i] = (uint16_t)i;
        }
        t->sum_row[c + 1] = (c + 1) * NODES;
        t->sum_bias[c] = c;
    }
    t->rule = (rg_links){
        .n_rows = NODES, .row = t->row, .id = t->id, .col16 = t->col, .bias_id = t->label};
    t->sum = (rg_links){.n_rows = CLASSES,
                        .row = t->sum_row,
                        .id = t->sum_id,
                        .col16 = t->sum_col,
                        .bias_id = t->sum_bias};
}

/* Signals and their gradients; as many reals as the largest needs. */
enum { X, H, U, STAT, Y, GELU, DROPPED, MASK, Z, DZ, DY, DU, DH, SIGNALS };
typedef struct net {
    const rg_kernels *kernels;
    tables tables;
    double signal[SIGNALS][NODES * HEADS * RG_MAX_LANES];
    double w[PARAMETERS * RG_MAX_LANES], g[PARAMETERS * RG_MAX_LANES];
    double m[PARAMETERS * RG_MAX_LANES], v[PARAMETERS * RG_MAX_LANES], loss[RG_MAX_LANES];
} net;

static void *at(const net *n, const double *array, size_t item)
{
    return (char *)(uintptr_t)array + item * n->kernels->lanes * n->kernels->real_size;
}

static void step(net *n, const uint64_t *seed, uint32_t number)
{
    const rg_kernels *k = n->kernels;
    const rg_channels heads = {.n_in = 1, .n_out = HEADS, .full = true, .scale = 1};
    const rg_channels mean = {.n_in = WIDE, .n_out = 1, .full = true, .scale = 1.0 / NODES};
    const uint32_t target = number % CLASSES;
    double(*s)[NODES * HEADS * RG_MAX_LANES] = n->signal;
    for (int t = DZ; t < SIGNALS; t++)
        memset(s[t], 0, sizeof s[t]);
    k->rule_forward(s[H], &n->tables.rule, &heads, at(n, n->w, AT_W), at(n, n->w, AT_B), s[X]);
    k->tanh(s[H], NODES * HEADS, s[H]);
    k->norm_forward(s[U], s[STAT], NODES, HEADS, at(n, n->w, AT_GAIN), at(n, n->w, AT_SHIFT), s[H]);
    k->add(s[U], NODES * HEADS, s[H]);
    k->dense_forward(s[Y], NODES, HEADS, WIDE, at(n, n->w, AT_DENSE), at(n, n->w, AT_ADD), s[U]);
    k->activation_forward(s[GELU], RG_GELU, NODES * WIDE, s[Y]);
    k->dropout_forward(s[DROPPED], s[MASK], NODES * WIDE, 0.2, seed, 9, number * 1000, s[GELU]);
    k->rule_forward(s[Z], &n->tables.sum, &mean, at(n, n->w, AT_SUM), at(n, n->w, AT_LAST),
                    s[DROPPED]);
    k->cross_entropy(n->loss, s[DZ], 1, CLASSES, s[Z], &target, NULL, 1);
    k->rule_backward(at(n, n->g, AT_SUM), at(n, n->g, AT_LAST), s[DY], &n->tables.sum, &mean,
                     at(n, n->w, AT_SUM), s[DROPPED], s[DZ]);
    k->multiply(s[DY], NODES * WIDE, s[DY], s[MASK]);
    k->activation_backward(s[DY], RG_GELU, NODES * WIDE, s[Y], s[GELU], s[DY]);
    k->dense_backward(at(n, n->g, AT_DENSE), at(n, n->g, AT_ADD), s[DU], NODES, HEADS, WIDE,
                      at(n, n->w, AT_DENSE), s[U], s[DY]);
    k->add(s[DH], NODES * HEADS, s[DU]);
    k->norm_backward(at(n, n->g, AT_GAIN), at(n, n->g, AT_SHIFT), s[DH], NODES, HEADS,
                     at(n, n->w, AT_GAIN), s[H], s[STAT], s[DU]);
    k->activation_backward(s[DH], RG_TANH, NODES * HEADS, NULL, s[H], s[DH]);
    k->rule_backward(at(n, n->g, AT_W), at(n, n->g, AT_B), NULL, &n->tables.rule, &heads,
                     at(n, n->w, AT_W), s[X], s[DH]);
}

/* Digest of parameters and loss of one lane (FNV-1a), after training all lanes together. */
static uint64_t train(rg_precision kind, uint32_t lanes, rg_cpu cpu, size_t lane, size_t first)
{
    static const uint64_t seeds[RG_MAX_LANES] = {1, 20, 300, 4000, 5, 60, 700, 8000};
    net *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->kernels = rg_kernels_get(kind, lanes, cpu);
    tables_make(&n->tables);
    rg_start_fill(n->w, PARAMETERS,
                  &(rg_start){.kind = RG_START_PAPER, .n_possible = 10, .fan_in = 0, .fan_out = 0},
                  n->kernels, seeds + first, 1, 0);
    rg_start_fill(n->signal[X], NODES,
                  &(rg_start){.kind = RG_START_UNIFORM, .n_possible = 1, .fan_in = 0, .fan_out = 0},
                  n->kernels, (const uint64_t[RG_MAX_LANES]){3, 3, 3, 3, 3, 3, 3, 3}, 2, 0);
    rg_optimiser_options options = rg_optimiser_default();
    rg_schedule_options rate = rg_schedule_default();
    rg_optimiser optimiser;
    rg_schedule schedule;
    options.clip = 1;
    options.method = RG_ADAMW;
    options.decay = 0.01;
    rate.kind = RG_COSINE;
    rate.epochs = STEPS;
    rg_schedule_begin(&schedule, &rate);
    rg_optimiser_begin(&optimiser, &options, n->kernels, PARAMETERS, n->w, n->g, n->m, n->v);
    for (uint32_t t = 0; t < STEPS; t++) {
        double lr[RG_MAX_LANES];
        for (size_t l = 0; l < RG_MAX_LANES; l++)
            lr[l] = schedule.lr;
        step(n, seeds + first, t);
        rg_optimiser_step(&optimiser, lr);
        rg_schedule_next(&schedule, &rate, 0);
    }
    uint64_t digest = 0xcbf29ce484222325u;
    size_t size = n->kernels->real_size;
    for (size_t k = 0; k < PARAMETERS * size; k++) {
        const unsigned char *bytes = (const unsigned char *)n->w;
        digest = (digest ^ bytes[(k / size * lanes + lane) * size + k % size]) * 0x100000001b3u;
    }
    for (size_t k = 0; k < sizeof(double); k++)
        digest = (digest ^ ((const unsigned char *)&n->loss[lane])[k]) * 0x100000001b3u;
    free(n);
    return digest;
}

/* These change only if the arithmetic does, and then every stored model trains to other bits:
 * something to be said in CHANGELOG.md. Little endian. */
static const uint64_t digests[2][RG_MAX_LANES] = {
    {0x6639332d0594b2b7u, 0x41ea28912e832ebau, 0x1178b59719902265u, 0x0e07d35758071fabu,
     0xd05dc31c1c5e495du, 0x842707b89ee80b63u, 0x0a7907ea16213b74u, 0x9e37548dca237e14u},
    {0xe3aa07e91d407b3eu, 0x8f9e5a345da40a8du, 0xd936eba1cafb37adu, 0x465f3d8fb2730016u,
     0x3f52329aa0b9235eu, 0x4a92a7715d740420u, 0x21c1416f505a18d6u, 0xa4e11ecdcdf9db31u},
};

static void training_ends_in_the_bits_written_down(void **state)
{
    (void)state;
    const uint16_t order = 1;
    if (*(const unsigned char *)&order != 1)
        skip();
    for (int kind = RG_FLOAT; kind <= RG_DOUBLE; kind++)
        for (size_t lane = 0; lane < RG_MAX_LANES; lane++) {
            uint64_t got = train((rg_precision)kind, 1, RG_CPU_PORTABLE, 0, lane);
            if (got != digests[kind][lane])
                fail_msg("precision %d, lane %zu: 0x%016llxu", kind, lane, (unsigned long long)got);
        }
}

static void lanes_and_processors_do_not_change_them(void **state)
{
    (void)state;
    for (int kind = RG_FLOAT; kind <= RG_DOUBLE; kind++)
        for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++)
            for (size_t lane = 0; lane < RG_MAX_LANES; lane++) {
                uint64_t alone = train((rg_precision)kind, 1, RG_CPU_PORTABLE, 0, lane);
                assert_true(train((rg_precision)kind, 1, (rg_cpu)cpu, 0, lane) == alone);
                assert_true(train((rg_precision)kind, 8, (rg_cpu)cpu, lane, 0) == alone);
                if (lane < 4)
                    assert_true(train((rg_precision)kind, 4, (rg_cpu)cpu, lane, 0) == alone);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_ends_in_the_bits_written_down),
        cmocka_unit_test(lanes_and_processors_do_not_change_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
