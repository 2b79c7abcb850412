/* test_calibrate.c - temperatures against a search over many, sets of classes against counting. */
#include "support/support.h"

#include "base/random.h"
#include "metric/calibrate.h"
#include "regula/metric.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 2000, CLASSES = 3 };

/* Rows of outputs that are `factor` times what the classes were drawn by. */
static void draw_rows(double *outputs, uint32_t *classes, double factor)
{
    for (size_t i = 0; i < ROWS; i++) {
        double p[CLASSES], u = rg_random_unit(3, i, 99);
        for (size_t c = 0; c < CLASSES; c++)
            outputs[i * CLASSES + c] = rg_random_normal(3, i, c);
        rg_temperature_apply(p, outputs + i * CLASSES, CLASSES, 1);
        classes[i] = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
        for (size_t c = 0; c < CLASSES; c++)
            outputs[i * CLASSES + c] *= factor;
    }
}

static double mean_loss(const double *outputs, const uint32_t *classes, double temperature)
{
    double sum = 0, p[CLASSES];
    for (size_t i = 0; i < ROWS; i++) {
        rg_temperature_apply(p, outputs + i * CLASSES, CLASSES, temperature);
        sum -= log(p[classes[i]]) / ROWS;
    }
    return sum;
}

static void the_temperature_undoes_what_outputs_were_multiplied_by(void **state)
{
    (void)state;
    static double outputs[ROWS * CLASSES];
    static uint32_t classes[ROWS];
    static const double factors[] = {0.2, 1, 5};
    for (size_t f = 0; f < 3; f++) {
        draw_rows(outputs, classes, factors[f]);
        double t = rg_temperature_fit(outputs, classes, ROWS, CLASSES);
        assert_true(fabs(t / factors[f] - 1) < 0.15);
        for (double other = 0.06; other < 19; other *= 1.03)
            assert_true(mean_loss(outputs, classes, t) <=
                        mean_loss(outputs, classes, other) + 1e-9);
    }
    assert_true(rg_temperature_fit(outputs, classes, 0, CLASSES) == 1);
    classes[0] = RG_METRIC_NO_CLASS; /* counts for nothing */
    assert_true(rg_temperature_fit(outputs, classes, 1, CLASSES) > 0);
}

/* By counting, as the definition has it. */
static bool holds(const double *scores, size_t n, double score, double confidence, double u)
{
    double larger = 0, equal = 1;
    for (size_t k = 0; k < n; k++) {
        larger += scores[k] > score;
        equal += scores[k] == score;
    }
    return (larger + u * equal) / (double)(n + 1) > 1 - confidence;
}

static void sets_are_those_of_the_definition(void **state)
{
    (void)state;
    double scores[40];
    for (size_t k = 0; k < 40; k++)
        scores[k] = rg_random_below(5, 0, k, 9) / 10.0;
    rg_conformal_sort(scores, 40);
    for (size_t n = 0; n <= 40; n += 8)
        for (double score = -0.05; score < 1; score += 0.05)
            for (uint64_t k = 0; k < 20; k++) {
                double u = rg_random_unit(6, n, k), confidence = rg_random_unit(7, n, k);
                assert_int_equal(rg_conformal_holds(scores, n, score, confidence, u),
                                 holds(scores, n, score, confidence, u));
            }
}

/* Scores with many ties, cut at random: the mean coverage is what was asked for. */
static void sets_hold_the_right_class_as_often_as_asked(void **state)
{
    (void)state;
    enum { N = 200, CUTS = 100 };
    static const double asked[] = {0.5, 0.8, 0.9, 0.95};
    double all[N], scores[N / 2];
    for (size_t k = 0; k < N; k++)
        all[k] = rg_random_below(8, 0, k, 3) ? rg_random_unit(8, 1, k) : 0.25;
    for (size_t a = 0; a < 4; a++) {
        size_t covered = 0;
        for (size_t cut = 0; cut < CUTS; cut++) {
            uint32_t order[N];
            for (uint32_t k = 0; k < N; k++)
                order[k] = k;
            rg_random_shuffle(9, cut, order, N);
            for (size_t k = 0; k < N / 2; k++)
                scores[k] = all[order[k]];
            rg_conformal_sort(scores, N / 2);
            for (size_t k = N / 2; k < N; k++)
                covered += rg_conformal_holds(scores, N / 2, all[order[k]], asked[a],
                                              rg_random_unit(10, cut, k));
        }
        assert_true(fabs((double)covered / (CUTS * N / 2) - asked[a]) < 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_temperature_undoes_what_outputs_were_multiplied_by),
        cmocka_unit_test(sets_are_those_of_the_definition),
        cmocka_unit_test(sets_hold_the_right_class_as_often_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
