/* test_train_prune.c - weights that are dropped while training. */
#include "support/trainers.h"

#include "base/random.h"

static size_t count_zeros(const rg_trainer *t, const void *a, size_t lane, size_t *n)
{
    const rg_network *net = t->samples->net;
    size_t zeros = 0;
    *n = 0;
    for (size_t k = 0; k < net->n_layers; k++)
        for (size_t r = 0; r < net->layers[k].n_rules; r++) {
            const rg_net_rule *rule = &net->layers[k].rules[r];
            for (size_t i = rule->at; i < rule->at + rule->n_params; i++, ++*n)
                zeros += trainer_real(t, a, i * t->options.lanes + lane) == 0;
        }
    return zeros;
}

static void pruning_goes_on_until_its_part_is_gone(void **state)
{
    (void)state;
    static const char *const ways[] = {"adam", "sgd", "adamw, decay: 0.1",
                                       "adam, precision: double", "adam, clip: 0.001"};
    for (size_t way = 0; way < 5; way++) {
        char *training = test_format("  {epochs: 10, batch: 12, patience: none, optimiser: %s, "
                                     "prune: {part: 0.8, from: 3, to: 7}}\n",
                                     ways[way]);
        trainer_setup s;
        trainer_setup_open(&s, "classification", training, 4);
        for (uint32_t e = 1; e <= 10; e++) {
            trainer_train(s.trainer, 1);
            for (size_t l = 0; l < 4; l++) {
                size_t n, zeros = count_zeros(s.trainer, s.trainer->w, l, &n);
                double left = e < 3 ? 1 : e < 7 ? 1 - (e - 2) / 5.0 : 0;
                double part = 0.8 * (1 - left * left * left);
                assert_int_equal(zeros, (size_t)(part * (double)n));
                for (size_t k = 0; k < s.trainer->n; k++) { /* what is gone has no moments */
                    size_t at = k * 4 + l;
                    if (trainer_real(s.trainer, s.trainer->mask, at) == 0)
                        assert_true(trainer_real(s.trainer, s.trainer->w, at) == 0 &&
                                    trainer_real(s.trainer, s.trainer->m, at) == 0);
                }
            }
        }
        for (size_t l = 0; l < 4; l++) {
            size_t n, zeros = count_zeros(s.trainer, s.trainer->best, l, &n);
            assert_true(rg_trainer_best_epoch(s.trainer, l) >= 7);
            assert_int_equal(zeros, (size_t)(0.8 * (double)n));
        }
        trainer_setup_close(&s);
        free(training);
    }
}

/* Until all is pruned no epoch is the best, and the weights that are kept are the last. */
static void a_run_that_is_asked_while_it_prunes_has_its_last_weights(void **state)
{
    (void)state;
    trainer_setup s;
    rg_run runs[1];
    trainer_setup_open(&s, "classification",
                       "  {epochs: 10, prune: {part: 0.5, from: 3, to: 10}}\n", 1);
    trainer_train(s.trainer, 6);
    assert_int_equal(rg_trainer_best_epoch(s.trainer, 0), 0);
    assert_memory_equal(s.trainer->w, s.trainer->best, s.trainer->n * sizeof(float));
    ASSERT_OK(rg_trainer_finish(s.trainer, runs, err));
    trainer_same(runs[0].validation_loss, rg_trainer_report(s.trainer, 6, 0)->validation_loss);
    trainer_setup_close(&s);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void select_gives_what_a_sort_gives(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        size_t n = 1 + rg_random_below(seed, 1, 0, 60),
               k = rg_random_below(seed, 1, 1, (uint32_t)n);
        double values[60], sorted[60];
        for (size_t v = 0; v < n; v++) /* many ties, or none; ascending, descending, or neither */
            sorted[v] = values[v] = seed % 4 == 0   ? rg_random_below(seed, 2, v, 3)
                                    : seed % 4 == 1 ? rg_random_unit(seed, 2, v)
                                    : seed % 4 == 2 ? (double)v
                                                    : -(double)v;
        qsort(sorted, n, sizeof *sorted, compare_doubles);
        assert_true(rg_select(values, n, k) == sorted[k]);
        qsort(values, n, sizeof *values, compare_doubles);
        assert_memory_equal(values, sorted, n * sizeof *values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruning_goes_on_until_its_part_is_gone),
        cmocka_unit_test(a_run_that_is_asked_while_it_prunes_has_its_last_weights),
        cmocka_unit_test(select_gives_what_a_sort_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
