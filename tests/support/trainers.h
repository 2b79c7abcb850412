/* trainers.h - trainers on small networks, and comparing them bit for bit. */
#ifndef REGULA_TESTS_SUPPORT_TRAINERS_H
#define REGULA_TESTS_SUPPORT_TRAINERS_H

#include "networks.h"

#include "train/trainer.h"

#include <string.h>

enum { TRAINER_SEED = 77 };

/* Graphs 0 .. n-1 in turns: of every five, three for training, one for validation, one for the
 * test. Parts point into `numbers`, which has room for n. */
static inline rg_fold trainer_fold(uint32_t *numbers, size_t n)
{
    rg_fold fold = {.train = {numbers, 0}};
    size_t at = 0;
    rg_part *parts[] = {&fold.train, &fold.validation, &fold.test};
    for (size_t p = 0; p < 3; p++) {
        parts[p]->graphs = numbers + at;
        for (uint32_t g = 0; g < n; g++)
            if ((g % 5 < 3 ? 0 : g % 5 - 2) == p)
                numbers[at++] = g;
        parts[p]->n = (size_t)(numbers + at - parts[p]->graphs);
    }
    return fold;
}

/* Owned (rg_trainer_free). */
static inline rg_trainer *trainer_open(test_network *n, const rg_fold *fold, uint32_t lanes,
                                       uint32_t first_run, rg_cpu cpu)
{
    rg_trainer *trainer = NULL;
    rg_trainer_options options = {
        .lanes = lanes, .seed = TRAINER_SEED, .first_run = first_run, .cpu = cpu};
    ASSERT_OK(rg_trainer_new(&trainer, n->samples, fold, &n->settings, &options, err));
    return trainer;
}

/* So many epochs more, or until it is done. */
static inline void trainer_train(rg_trainer *trainer, uint32_t n_epochs)
{
    for (uint32_t k = 0; k < n_epochs && !rg_trainer_done(trainer); k++)
        ASSERT_OK(rg_trainer_epoch(trainer, err));
}

static inline double trainer_real(const rg_trainer *t, const void *a, size_t k)
{
    return t->settings.precision == RG_FLOAT ? (double)((const float *)a)[k]
                                             : ((const double *)a)[k];
}

/* Equal, or both no number. */
static inline void trainer_same(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0 && (a == a || b == b))
        fail_msg("%.17g and %.17g differ", a, b);
}

/* Weights, best weights and reports of lane `lane` of a are those of lane `other` of b. */
static inline void trainer_compare(const rg_trainer *a, size_t lane, const rg_trainer *b,
                                   size_t other)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->epoch, b->epoch);
    for (size_t k = 0; k < a->n; k++) {
        size_t x = k * a->options.lanes + lane, y = k * b->options.lanes + other;
        trainer_same(trainer_real(a, a->w, x), trainer_real(b, b->w, y));
        trainer_same(trainer_real(a, a->best, x), trainer_real(b, b->best, y));
    }
    for (uint32_t e = 1; e <= a->epoch; e++) {
        const rg_epoch *x = rg_trainer_report(a, e, lane), *y = rg_trainer_report(b, e, other);
        assert_int_equal(x->number, y->number);
        trainer_same(x->lr, y->lr);
        trainer_same(x->train_loss, y->train_loss);
        trainer_same(x->train_score, y->train_score);
        trainer_same(x->validation_loss, y->validation_loss);
        trainer_same(x->validation_score, y->validation_score);
    }
    assert_int_equal(a->lanes[lane].best_epoch, b->lanes[other].best_epoch);
    assert_int_equal(a->lanes[lane].stopped, b->lanes[other].stopped);
}

#define TRAINER_NETWORK                                              \
    "labels: {a: node}\n"                                            \
    "layers:\n"                                                      \
    "  - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..3\n" \
    "    bias: share a(i)\n"                                         \
    "  - aggregate: share out, a(i)\n"                               \
    "training:\n"

enum { TRAINER_GRAPHS = 60 };

/* A network on graphs, their parts, and a trainer. Stays where it is: the fold points into it. */
typedef struct trainer_setup {
    rg_dataset *data;
    uint32_t numbers[TRAINER_GRAPHS];
    rg_fold fold;
    test_network n;
    rg_trainer *trainer;
} trainer_setup;

static inline void trainer_setup_open(trainer_setup *s, const char *task, const char *training,
                                      uint32_t lanes)
{
    char *text = test_format("task: %s\n" TRAINER_NETWORK "%s", task, training);
    *s = (trainer_setup){.data = test_dataset_with_targets(TRAINER_GRAPHS, 9, 41)};
    s->fold = trainer_fold(s->numbers, TRAINER_GRAPHS);
    s->n = test_network_open(text, s->data);
    s->trainer = trainer_open(&s->n, &s->fold, lanes, 0, rg_cpu_best());
    free(text);
}

static inline void trainer_setup_close(trainer_setup *s)
{
    rg_trainer_free(s->trainer);
    test_network_close(&s->n);
    rg_dataset_free(s->data);
}

#endif
