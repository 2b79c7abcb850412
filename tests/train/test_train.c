/* test_train.c - the epoch: lanes, processors, memory and batches change nothing that they should
 * not. */
#include "support/trainers.h"

#include <math.h>

/* With everything that a lane has for itself: dropout, a plateau, patience, pruning, clipping. */
#define NETWORK                                                      \
    "task: classification\n"                                         \
    "labels: {a: node, d: degree}\n"                                 \
    "layers:\n"                                                      \
    "  - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..3\n" \
    "    bias: share d(i)\n"                                         \
    "    heads: 3\n"                                                 \
    "  - dropout: 0.2\n"                                             \
    "  - rule: share d(i) when i = j\n"                              \
    "    residual: true\n"                                           \
    "  - norm: layer\n"                                              \
    "  - aggregate: share out, a(i)\n"                               \
    "    outputs: 4\n"                                               \
    "  - dense: auto\n"                                              \
    "training:\n"                                                    \
    "  epochs: 12\n"                                                 \
    "  batch: 9\n"                                                   \
    "  clip: 0.5\n"                                                  \
    "  class_weights: balanced\n"                                    \
    "  schedule: {kind: plateau, patience: 1}\n"

static const char *const endings[] = {
    "  precision: float\n",
    "  precision: double\n",
    "  precision: float\n  optimiser: sgd\n  patience: 2\n",
    ("  precision: double\n  optimiser: adamw\n  decay: 0.01\n"
     "  prune: {part: 0.6, from: 3, to: 8}\n"),
    "  precision: float\n  start: glorot\n  prune: {part: 0.5, from: 1, to: 12}\n",
};
enum { N_ENDINGS = sizeof endings / sizeof *endings, N_GRAPHS = 60 };

static test_network open_network(const char *ending, const rg_dataset *data)
{
    char *text = test_format("%s%s", NETWORK, ending);
    test_network n = test_network_open(text, data);
    free(text);
    return n;
}

static void lanes_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 9, 31);
    uint32_t numbers[N_GRAPHS];
    rg_fold fold = trainer_fold(numbers, N_GRAPHS);
    for (size_t k = 0; k < N_ENDINGS; k++) {
        test_network n = open_network(endings[k], data);
        rg_trainer *eight = trainer_open(&n, &fold, 8, 2, rg_cpu_best());
        rg_trainer *four = trainer_open(&n, &fold, 4, 4, rg_cpu_best());
        trainer_train(eight, 5);
        trainer_train(four, 5);
        for (uint32_t l = 0; l < 8; l++) {
            rg_trainer *one = trainer_open(&n, &fold, 1, 2 + l, rg_cpu_best());
            trainer_train(one, 5);
            if (one->epoch == 5) {
                trainer_compare(eight, l, one, 0);
                if (l >= 2 && l < 6)
                    trainer_compare(four, l - 2, one, 0);
            }
            rg_trainer_free(one);
        }
        assert_memory_not_equal(eight->w, (char *)eight->w + eight->kernels->real_size,
                                eight->kernels->real_size);
        rg_trainer_free(eight);
        rg_trainer_free(four);
        test_network_close(&n);
    }
    rg_dataset_free(data);
}

static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 9, 32);
    uint32_t numbers[N_GRAPHS];
    rg_fold fold = trainer_fold(numbers, N_GRAPHS);
    for (size_t k = 0; k < N_ENDINGS; k++)
        for (uint32_t lanes = 1; lanes <= 8; lanes += lanes == 1 ? 3 : 4) {
            test_network n = open_network(endings[k], data);
            rg_trainer *plain = trainer_open(&n, &fold, lanes, 0, RG_CPU_PORTABLE);
            trainer_train(plain, 4);
            for (int cpu = RG_CPU_AVX2; cpu <= RG_CPU_AVX512; cpu++) {
                rg_trainer *wide = trainer_open(&n, &fold, lanes, 0, (rg_cpu)cpu);
                trainer_train(wide, 4);
                for (uint32_t l = 0; l < lanes; l++)
                    trainer_compare(plain, l, wide, l);
                rg_trainer_free(wide);
            }
            rg_trainer_free(plain);
            test_network_close(&n);
        }
    rg_dataset_free(data);
}

/* ---- memory */

static size_t count_kept(const rg_samples *s)
{
    size_t n = 0;
    for (size_t k = 0; k < s->n; k++)
        n += s->block_of[k] != RG_NO_BLOCK;
    return n;
}

static void any_memory_gives_the_same_bits_or_is_too_small(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 14, 33);
    uint32_t numbers[N_GRAPHS], fit[20];
    rg_fold fold = trainer_fold(numbers, N_GRAPHS);
    size_t n_parts = 0;
    for (uint32_t k = 0; k < 20; k++)
        fit[k] = k;
    test_network n = open_network(endings[0], data);
    rg_network_free(n.net); /* one that leaves some pairs out, which are counted */
    rg_samples_free(n.samples);
    rg_build_options building = {.fit = fit, .n_fit = 20, .n_threads = 1};
    rg_samples_options tables = {.n_threads = 1, .keep = true};
    rg_spec *spec = test_spec(&n.settings, NETWORK);
    ASSERT_OK(rg_network_build(&n.net, NULL, spec, &n.source, &building, err));
    ASSERT_OK(rg_samples_open(&n.samples, n.net, &n.source, NULL, &tables, err));
    rg_samples *whole = n.samples;
    assert_true(whole->unseen > 0);
    rg_trainer *expected = trainer_open(&n, &fold, 1, 0, rg_cpu_best());
    trainer_train(expected, 4);
    for (uint64_t memory = 4 * whole->bytes;; memory = memory * 3 / 4) {
        rg_error own = {""};
        tables.memory = memory;
        rg_status status = rg_samples_open(&n.samples, n.net, &n.source, NULL, &tables, &own);
        rg_trainer *trainer = NULL;
        if (!status) {
            assert_true(n.samples->bytes <= memory);
            trainer = trainer_open(&n, &fold, 1, 0, rg_cpu_best());
            n_parts += count_kept(n.samples) > 0 && count_kept(n.samples) < N_GRAPHS;
        }
        for (int e = 0; e < 4 && !status; e++)
            status = rg_trainer_epoch(trainer, &own);
        if (!status)
            trainer_compare(expected, 0, trainer, 0);
        rg_trainer_free(trainer);
        if (trainer)
            rg_samples_free(n.samples);
        if (status) {
            assert_int_equal(status, RG_EFAIL);
            if (!strstr(own.message, " of 'toy' alone exceeds the memory limit: "))
                fail_msg("%s", own.message);
            break;
        }
    }
    assert_true(n_parts > 1);
    rg_trainer_free(expected);
    n.samples = whole;
    test_network_close(&n);
    rg_dataset_free(data);
}

/* Pairs that are left out are counted once a walk, however often a block had to be cut. */
static void unseen_pairs_do_not_depend_on_memory(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 14, 34);
    uint32_t fit[20], all[N_GRAPHS];
    for (uint32_t k = 0; k < N_GRAPHS; k++)
        all[k] = k;
    memcpy(fit, all, sizeof fit);
    rg_settings settings;
    rg_network *net = NULL;
    rg_source source = {.graphs = data};
    rg_build_options building = {.fit = fit, .n_fit = 20, .n_threads = 1};
    rg_spec *spec = test_spec(&settings, NETWORK);
    ASSERT_OK(rg_network_build(&net, NULL, spec, &source, &building, err));
    uint64_t expected = 0;
    size_t n_tried = 0;
    for (uint64_t memory = 0;; memory = memory ? memory * 2 / 3 : 400000) {
        rg_samples *samples = NULL;
        rg_samples_options tables = {.n_threads = 1, .memory = memory};
        rg_walk walk = {0};
        rg_sample sample;
        rg_error own;
        ASSERT_OK(rg_samples_open(&samples, net, &source, NULL, &tables, err));
        ASSERT_OK(rg_walk_open(&walk, samples, err));
        rg_walk_begin(&walk, all, N_GRAPHS);
        rg_status status = RG_OK;
        for (size_t k = 0; !status && k < N_GRAPHS; k++)
            status = rg_walk_next(&sample, &walk, &own);
        if (!memory)
            expected = samples->unseen;
        else if (!status)
            assert_int_equal(samples->unseen, expected);
        n_tried += !status;
        rg_walk_close(&walk);
        rg_samples_free(samples);
        if (status)
            break;
    }
    assert_true(expected > 0 && n_tried > 4);
    rg_network_free(net);
    rg_dataset_free(data);
}

static void an_epoch_allocates_nothing(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 9, 35);
    uint32_t numbers[N_GRAPHS];
    rg_fold fold = trainer_fold(numbers, N_GRAPHS);
    for (size_t k = 0; k < N_ENDINGS; k++) {
        test_network n = open_network(endings[k], data);
        rg_trainer *trainer = trainer_open(&n, &fold, 4, 0, rg_cpu_best());
        rg_fault_set(RG_FAULT_ALLOC, 0);
        trainer_train(trainer, 12);
        assert_int_equal(rg_fault_calls(RG_FAULT_ALLOC), 0);
        rg_trainer_free(trainer);
        test_network_close(&n);
    }
    rg_dataset_free(data);
}

/* ---- batches */

/* All targets but one are 0, nothing comes in and the rate is tiny: after an epoch the bias is
 * 2 lr / (size of the batch with the one). */
static const char decays[] =
    "task: classification\n"
    "labels: {a: node}\n"
    "input: [signed, constant]\n"
    "layers:\n"
    "  - {dense: 4, decay: %s}\n"
    "  - {dense: 4, name: p%s}\n"
    "  - {dense: 4, weights: p}\n"
    "  - rule: [\"share a(i), a(j) when edge(i,j)\", share 1]\n"
    "    bias: share a(i)\n"
    "    mix: full%s\n"
    "  - {aggregate: \"share out, a(i)\", by: [sum, mean]%s}\n"
    "training: {optimiser: %s, epochs: 2, batch: 8, lr: 0.02, decay: %s}\n";

/* One decay for all, the same said by each layer, and one layer with another. */
static void layers_have_a_weight_decay_of_their_own(void **state)
{
    static const char *const methods[] = {"adam", "adamw", "sgd", "lazy-adam"};
    (void)state;
    for (size_t m = 0; m < 4; m++) {
        trainer_setup s[3];
        char *texts[] = {test_format(decays, "0.5", "", "", "", methods[m], "0.5"),
                         test_format(decays, "0.5", ", decay: 0.5", "\n    decay: 0.5",
                                     ", decay: 0.5", methods[m], "0.25"),
                         test_format(decays, "0.5", "", "\n    decay: 0", "", methods[m], "0.5")};
        for (size_t k = 0; k < 3; k++) {
            s[k].data = test_dataset_with_targets(TRAINER_GRAPHS, 9, 41);
            s[k].fold = trainer_fold(s[k].numbers, TRAINER_GRAPHS);
            s[k].n = test_network_open(texts[k], s[k].data);
            s[k].trainer = trainer_open(&s[k].n, &s[k].fold, 4, 0, rg_cpu_best());
            trainer_train(s[k].trainer, 2);
            free(texts[k]);
        }
        trainer_compare(s[0].trainer, 1, s[1].trainer, 1);
        assert_memory_not_equal(s[0].trainer->w, s[2].trainer->w, s[0].trainer->n * 16);
        for (size_t k = 0; k < 3; k++)
            trainer_setup_close(&s[k]);
    }
}

static void batches_are_of_nearly_equal_size(void **state)
{
    (void)state;
    static const struct {
        size_t n, batch, n_batches;
    } cases[] = {{10, 128, 1}, {10, 10, 1}, {10, 3, 3},  {10, 4, 2}, {11, 4, 2},
                 {23, 5, 4},   {20, 20, 1}, {20, 11, 1}, {20, 1, 20}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        enum { MOST = 23 };
        double x[MOST] = {0}, y[MOST] = {[4] = 1};
        uint32_t train[MOST];
        for (uint32_t g = 0; g < MOST; g++)
            train[g] = g;
        rg_arrays *arrays = NULL;
        rg_arrays_content content = {.size = sizeof content,
                                     .n_samples = cases[k].n,
                                     .shape = {1, 1, 1},
                                     .doubles = x,
                                     .reals = y,
                                     .n_columns = 1};
        ASSERT_OK(rg_arrays_build(&arrays, &content, err));
        char *text = test_format("layers: [{dense: auto}]\n"
                                 "training: {optimiser: sgd, momentum: 0, lr: 1e-6, start: zero, "
                                 "schedule: constant, precision: double, batch: %zu}\n",
                                 cases[k].batch);
        test_network n = test_network_open_arrays(text, arrays);
        rg_fold fold = {.train = {train, cases[k].n}};
        rg_trainer *trainer = trainer_open(&n, &fold, 1, 0, rg_cpu_best());
        trainer_train(trainer, 1);
        assert_int_equal(trainer->optimiser.n_steps, cases[k].n_batches);
        double size = 2e-6 / ((const double *)trainer->w)[1];
        size_t low = cases[k].n / cases[k].n_batches,
               high = low + (cases[k].n % cases[k].n_batches > 0);
        assert_true(fabs(size - (double)low) < 0.01 || fabs(size - (double)high) < 0.01);
        rg_trainer_free(trainer);
        test_network_close(&n);
        rg_arrays_free(arrays);
        free(text);
    }
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(N_GRAPHS, 6, 36);
    uint32_t numbers[N_GRAPHS];
    rg_fold fold = trainer_fold(numbers, N_GRAPHS), empty = {.train = {numbers, 0}};
    test_network n = open_network(endings[0], data);
    rg_trainer *trainer = NULL;
    rg_error err;
    rg_settings other = n.settings;
    rg_trainer_options one = {.lanes = 1}, two = {.lanes = 2};
    other.precision = RG_DOUBLE;
    assert_int_equal(rg_trainer_new(&trainer, n.samples, &fold, &n.settings, &two, &err),
                     RG_EUSAGE);
    assert_string_equal(err.message, "lanes: found 2, expected 1, 4 or 8");
    assert_int_equal(rg_trainer_new(&trainer, n.samples, &empty, &n.settings, &one, &err),
                     RG_EDATA);
    assert_string_equal(err.message, "the training set is empty");
    assert_int_equal(rg_trainer_new(&trainer, n.samples, &fold, &other, &one, &err), RG_EUSAGE);
    assert_string_equal(err.message, "the tables were built for a different precision");
    test_network_close(&n);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(any_memory_gives_the_same_bits_or_is_too_small),
        cmocka_unit_test(unseen_pairs_do_not_depend_on_memory),
        cmocka_unit_test(an_epoch_allocates_nothing),
        cmocka_unit_test(layers_have_a_weight_decay_of_their_own),
        cmocka_unit_test(batches_are_of_nearly_equal_size),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
