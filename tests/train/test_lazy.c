/* test_lazy.c - Adam that comes to a weight when a batch uses it: the same bits as a pass over all, or,
 * as lazy-adam, weights that stay as they are. */
#include "support/trainers.h"

#include "base/random.h"

#include <math.h>

enum { NUMBERS = 150, STEPS = 700 };

/* ---- steps without a gradient */

/* Weights and moments of every size, some of them zero, after a step with a gradient or none. */
static void draw(void *a, rg_precision precision, size_t n, uint64_t stream, double low, bool sign)
{
    for (size_t k = 0; k < n; k++) {
        double size = pow(10, low * rg_random_unit(5, stream, 2 * k));
        double value = rg_random_below(5, stream + 9, k, 12) == 0 ? 0 : size;
        bool minus = sign && rg_random_unit(5, stream, 2 * k + 1) < 0.5;
        rg_real_put(precision, a, k, minus && value > 0 ? -value : value);
    }
}

static void compare_idle(rg_precision precision, uint32_t lanes, double beta1, double beta2,
                         double eps)
{
    static double a[2][3][NUMBERS * RG_MAX_LANES], g[NUMBERS * RG_MAX_LANES];
    static rg_update updates[STEPS];
    static uint32_t begin[NUMBERS];
    const rg_kernels *kernels = rg_kernels_get(precision, lanes, rg_cpu_best());
    size_t real = kernels->real_size, n = NUMBERS * lanes;
    rg_optimiser_options options = rg_optimiser_default();
    rg_optimiser optimiser;
    double lr[RG_MAX_LANES];
    options.beta1 = beta1;
    options.beta2 = beta2;
    options.eps = eps;
    rg_optimiser_begin(&optimiser, &options, kernels, 0, NULL, NULL, NULL, NULL);
    for (size_t l = 0; l < RG_MAX_LANES; l++)
        lr[l] = 0.05 / (double)(l + 1);
    for (size_t s = 0; s < STEPS; s++)
        updates[s] = rg_optimiser_next(&optimiser, lr);
    draw(a[0][0], precision, n, 1, -14, true);
    draw(a[0][1], precision, n, 2, -20, true);
    draw(a[0][2], precision, n, 3, -30, false);
    memcpy(a[1], a[0], sizeof a[0]);
    for (uint32_t k = 0; k < NUMBERS; k++) /* some near each other, some not; some missed nothing */
        begin[k] = k % 50 == 0 ? STEPS : k < 64 ? k % 5 : rg_random_below(5, 99, k, STEPS);
    kernels->adam_idle(a[1][0], a[1][1], a[1][2], NUMBERS, begin, updates, STEPS);
    for (uint32_t k = 0; k < NUMBERS; k++)
        for (uint32_t s = begin[k]; s < STEPS; s++) {
            size_t at = k * lanes * real;
            kernels->adam((char *)a[0][0] + at, (char *)g + at, (char *)a[0][1] + at,
                          (char *)a[0][2] + at, 1, &updates[s]);
        }
    for (size_t which = 0; which < 3; which++)
        assert_memory_equal(a[0][which], a[1][which], n * real);
}

static void missed_steps_have_the_bits_of_steps_without_a_gradient(void **state)
{
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++)
        for (uint32_t lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : lanes + 4) {
            compare_idle((rg_precision)precision, lanes, 0.9, 0.999, 1e-8);
            compare_idle((rg_precision)precision, lanes, 0.99, 0.99, 1e-12);
            compare_idle((rg_precision)precision, lanes, 0.5, 0.9, 1e-3);
            compare_idle((rg_precision)precision, lanes, 0, 0.999, 1e-8);
        }
}

/* ---- training */

#define NETWORK(training)                                                              \
    "labels: {wl: \"wl(depth=2, from=node)\"}\ntask: classification\ninput: [signed, " \
    "attributes]\n"                                                                    \
    "layers:\n"                                                                        \
    "  - rule: [\"share wl(i), wl(j) when edge(i,j)\", \"share wl(i) when i = j\"]\n"  \
    "    bias: share wl(i)\n"                                                          \
    "    heads: 3\n    mix: full\n"                                                    \
    "  - norm: layer\n"                                                                \
    "  - aggregate: share out, wl(i)\n    outputs: 4\n"                                \
    "  - dense: auto\n"                                                                \
    "training: {epochs: 9, batch: 4, patience: none, lr: 0.02" training "}\n"

/* All numbers of a trainer, after some epochs. */
static void compare_trainers(const rg_trainer *a, const rg_trainer *b)
{
    size_t item = a->kernels->real_size * a->kernels->lanes;
    assert_memory_equal(a->w, b->w, a->n_all * item);
    assert_memory_equal(a->m, b->m, a->n * item);
    assert_memory_equal(a->v, b->v, a->n * item);
    assert_memory_equal(a->best, b->best, a->n_all * item);
}

/* An epoch at a time, so that weights wait for batches of the epoch after, too. */
static void compare_ways(const char *text, uint32_t lanes)
{
    uint32_t numbers[60];
    rg_dataset *data = test_dataset_with_targets(60, 9, 3);
    rg_fold fold = trainer_fold(numbers, 60);
    test_network n = test_network_open(text, data);
    rg_trainer *every = trainer_open(&n, &fold, lanes, 0, rg_cpu_best());
    rg_trainer *lazy = trainer_open(&n, &fold, lanes, 0, rg_cpu_best());
    assert_null(every->lazy); /* too small to gain by it */
    ASSERT_OK(rg_lazy_open(&lazy->lazy, n.net, &lazy->optimiser, 20, err));
    lazy->parts.lazy = lazy->lazy;
    for (int epoch = 0; epoch < 9; epoch++) {
        trainer_train(every, 1);
        trainer_train(lazy, 1);
        compare_trainers(every, lazy);
    }
    rg_trainer_free(every);
    rg_trainer_free(lazy);
    test_network_close(&n);
    rg_dataset_free(data);
}

static void training_ends_in_the_same_bits(void **state)
{
    (void)state;
    for (uint32_t lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : lanes + 4)
        compare_ways(NETWORK(""), lanes);
    compare_ways(NETWORK(", precision: double, schedule: cosine"), 1);
    compare_ways("labels: {wl: \"wl(depth=2, from=node)\"}\ntask: classification\n"
                 "input: signed\n"
                 "layers:\n  - {rule: \"share wl(i), wl(j), dist(i,j) when dist(i,j) in 0..2\","
                 " bias: share wl(i)}\n  - aggregate: share out, wl(i)\n"
                 "training: {epochs: 9, batch: 2, patience: none}\n",
                 4);
    /* two layers use the same weights */
    compare_ways("labels: {wl: \"wl(depth=2, from=node)\"}\ntask: classification\n"
                 "input: signed\n"
                 "layers:\n  - {rule: \"share wl(i), wl(j), dist(i,j) when dist(i,j) in 0..2\","
                 " bias: share wl(i), name: p}\n"
                 "  - {rule: \"share wl(i), wl(j), dist(i,j) when dist(i,j) in 0..2\","
                 " bias: share wl(i), weights: p}\n"
                 "  - aggregate: share out, wl(i)\n"
                 "training: {epochs: 9, batch: 2, patience: none}\n",
                 4);
}

/* An epoch of some graphs: what they have no part in stays. */
enum { SOME = 3 };

static void lazy_adam_leaves_what_a_batch_does_not_use(void **state)
{
    (void)state;
    uint32_t numbers[60];
    rg_dataset *data = test_dataset_with_targets(60, 9, 3);
    rg_fold fold = trainer_fold(numbers, 60);
    test_network n = test_network_open(NETWORK(", optimiser: lazy-adam"), data);
    rg_trainer *t = trainer_open(&n, &fold, 1, 0, rg_cpu_best());
    assert_non_null(t->lazy);
    trainer_train(t, 3);
    t->fold.train.graphs = &numbers[10];
    t->fold.train.n = SOME;
    float *w = calloc(t->n, sizeof *w), *m = calloc(t->n, sizeof *m);
    bool *used = calloc(t->n, sizeof *used);
    assert_true(w && m && used);
    rg_lazy_give(t->lazy);
    memcpy(w, t->w, t->n * sizeof *w);
    memcpy(m, t->m, t->n * sizeof *m);
    trainer_train(t, 1);
    rg_lazy_give(t->lazy);
    for (size_t k = 0; k < t->n; k++)
        used[k] = true;
    for (size_t l = 0; l < n.net->n_layers; l++)
        for (size_t r = 0; r < n.net->layers[l].n_rules; r++) {
            const rg_net_rule *rule = &n.net->layers[l].rules[r];
            size_t each = rule->n_params / rg_rule_keys_size(rule->keys);
            rg_links links;
            for (size_t k = 0; k < rule->n_params; k++)
                used[rule->at + k] = false;
            for (size_t s = 10; s < 10 + SOME; s++) {
                rg_block_links(&links, n.samples->blocks[n.samples->block_of[numbers[s]]], l, r,
                               n.samples->place_of[numbers[s]]);
                for (uint32_t k = links.row[0]; k < links.row[links.n_rows]; k++)
                    for (uint32_t o = 0; o < rg_links_outputs(&links); o++)
                        for (size_t c = 0; c < each; c++)
                            used[rule->at + rg_links_weight(&links, k, o) * each + c] = true;
            }
        }
    size_t stayed = 0, moved = 0;
    for (size_t k = 0; k < t->n; k++) {
        bool same = memcmp(&w[k], (float *)t->w + k, sizeof *w) == 0 &&
                    memcmp(&m[k], (float *)t->m + k, sizeof *m) == 0;
        assert_true(used[k] || same);
        stayed += !used[k];
        moved += !same;
    }
    if (stayed < 100 || moved < 20)
        fail_msg("%zu stayed and %zu moved", stayed, moved);
    free(w);
    free(m);
    free(used);
    rg_trainer_free(t);
    test_network_close(&n);
    rg_dataset_free(data);
}

static rg_status open_all(void *context, rg_error *err)
{
    const test_network *n = context;
    rg_lazy *lazy = NULL;
    rg_optimiser_options options = rg_optimiser_default();
    rg_optimiser optimiser;
    rg_optimiser_begin(&optimiser, &options, rg_kernels_get(RG_FLOAT, 1, RG_CPU_PORTABLE),
                       n->net->n_params, NULL, NULL, NULL, NULL);
    rg_status status = rg_lazy_open(&lazy, n->net, &optimiser, 3, err);
    rg_lazy_close(lazy);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(9, 9, 3);
    test_network n = test_network_open(NETWORK(""), data);
    assert_true(test_allocation_sweep(open_all, &n) > 8);
    test_network_close(&n);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missed_steps_have_the_bits_of_steps_without_a_gradient),
        cmocka_unit_test(training_ends_in_the_same_bits),
        cmocka_unit_test(lazy_adam_leaves_what_a_batch_does_not_use),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
