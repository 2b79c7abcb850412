/* test_metric.c - metrics against what scikit-learn finds (tests/sklearn), against slow twins, and on what makes no
 * sense. */
#include "support/support.h"

#include "base/random.h"
#include "regula/metric.h"

#include <jansson.h>
#include <math.h>

/* ---- scikit-learn's numbers */

static double number_of(const json_t *value)
{
    return json_is_null(value) ? (double)NAN : json_number_value(value);
}

/* [row][column] of a list of lists, or of a list; owned (free). */
static double *numbers_of(const json_t *rows, size_t *n, size_t *width)
{
    *n = json_array_size(rows);
    const json_t *first = json_array_get(rows, 0);
    *width = json_is_array(first) ? json_array_size(first) : 1;
    double *out = calloc(*n * *width + 1, sizeof *out);
    assert_non_null(out);
    for (size_t k = 0; k < *n * *width; k++) {
        const json_t *row = json_array_get(rows, k / *width);
        out[k] = number_of(json_is_array(row) ? json_array_get(row, k % *width) : row);
    }
    return out;
}

static double score(const char *kind, rg_metric metric, const double *said, const double *right,
                    size_t n, size_t width)
{
    double out = -1;
    if (strcmp(kind, "answers") == 0)
        ASSERT_OK(rg_metric_answers(&out, NULL, metric, said, right, n, width, err));
    else if (strcmp(kind, "values") == 0)
        ASSERT_OK(rg_metric_values(&out, NULL, metric, said, right, n, width, err));
    else {
        uint32_t *classes = calloc(n + 1, sizeof *classes);
        assert_non_null(classes);
        for (size_t k = 0; k < n; k++)
            classes[k] = isnan(right[k]) ? RG_METRIC_NO_CLASS : (uint32_t)right[k];
        ASSERT_OK(rg_metric_classes(&out, metric, said, classes, n, width, err));
        free(classes);
    }
    return out;
}

static void every_score_is_that_of_scikit_learn(void **state)
{
    char *path = test_format("%s/tests/sklearn/metrics.json", REGULA_SOURCE);
    json_t *root = json_load_file(path, 0, NULL);
    size_t n_scores = 0;
    (void)state;
    assert_true(json_array_size(root) > 30);
    for (size_t k = 0; k < json_array_size(root); k++) {
        const json_t *test = json_array_get(root, k);
        const char *kind = json_string_value(json_object_get(test, "kind")), *name;
        size_t n, width, rows, columns;
        double *said = numbers_of(json_object_get(test, "said"), &n, &width);
        double *right = numbers_of(json_object_get(test, "right"), &rows, &columns);
        json_t *expected;
        assert_int_equal(n, rows);
        json_object_foreach(json_object_get(test, "scores"), name, expected)
        {
            rg_metric metric;
            ASSERT_OK(rg_metric_find(&metric, name, err));
            double own = score(kind, metric, said, right, n, width), wanted = number_of(expected);
            if (!(fabs(own - wanted) <= 1e-12 * fmax(1, fabs(wanted))) &&
                !(isnan(own) && isnan(wanted)))
                fail_msg("%s: %s is %.17g, expected %.17g",
                         json_string_value(json_object_get(test, "name")), name, own, wanted);
            n_scores++;
        }
        free(said);
        free(right);
    }
    assert_true(n_scores > 180);
    json_decref(root);
    free(path);
}

/* ---- slow twins, on more rows */

enum { ROWS = 300 };

static double slow_area(const double *said, const double *right)
{
    double pairs = 0, sum = 0;
    for (size_t a = 0; a < ROWS; a++)
        for (size_t b = 0; b < ROWS; b++)
            if (right[a] > right[b]) {
                pairs++;
                sum += said[a] > said[b] ? 1 : said[a] < said[b] ? 0 : 0.5;
            }
    return sum / pairs;
}

static double slow_precision(const double *said, const double *right)
{
    double sum = 0, yes = 0;
    for (size_t a = 0; a < ROWS; a++) {
        double above = 0, hits = 0;
        for (size_t b = 0; b < ROWS; b++) {
            above += said[b] >= said[a];
            hits += said[b] >= said[a] && right[b] > 0.5;
        }
        sum += right[a] > 0.5 ? hits / above : 0;
        yes += right[a];
    }
    return sum / yes;
}

static void areas_and_precisions_are_those_of_slow_twins_with_and_without_ties(void **state)
{
    double said[ROWS], right[ROWS], out;
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        for (size_t k = 0; k < ROWS; k++) {
            double x = rg_random_normal(seed, 1, k);
            said[k] = seed % 2 ? round(3 * x) / 3 : x;
            right[k] = rg_random_normal(seed, 2, k) + x > 1;
        }
        ASSERT_OK(rg_metric_answers(&out, NULL, RG_METRIC_ROC_AUC, said, right, ROWS, 1, err));
        assert_true(fabs(out - slow_area(said, right)) < 1e-12);
        ASSERT_OK(
            rg_metric_answers(&out, NULL, RG_METRIC_AVERAGE_PRECISION, said, right, ROWS, 1, err));
        assert_true(fabs(out - slow_precision(said, right)) < 1e-12);
    }
}

static void a_score_of_several_targets_is_the_mean_of_those_that_have_one(void **state)
{
    const double said[] = {0.9, 0.2, 0.1, 0.8, 0.6, 0.3, 0.4, 0.1, 0.2};
    const double right[] = {1, 0, (double)NAN, 0, 0, (double)NAN, 1, 0, (double)NAN};
    double out, each[3];
    (void)state;
    ASSERT_OK(rg_metric_answers(&out, each, RG_METRIC_ROC_AUC, said, right, 3, 3, err));
    assert_true(each[0] == 0.5 && isnan(each[1]) && isnan(each[2]) && out == 0.5);
    ASSERT_OK(rg_metric_answers(&out, each, RG_METRIC_ACCURACY, said, right, 3, 3, err));
    assert_true(fabs(out - (1. / 3 + 2. / 3) / 2) < 1e-15 && isnan(each[2]));
    ASSERT_OK(rg_metric_answers(&out, NULL, RG_METRIC_DEFAULT, said, right, 3, 3, err));
    assert_true(fabs(out - 3. / 6) < 1e-15);
}

/* ---- what makes no sense */

static void numbers_that_are_not_finite_are_told_with_row_and_column(void **state)
{
    const double fine[] = {0, 1, 0, 1}, bad[] = {0, 1, INFINITY, 1},
                 none[] = {0, (double)NAN, 0, 1};
    const uint32_t classes[] = {0, 2};
    double out = 5;
    (void)state;
    ASSERT_REFUSED(rg_metric_values(&out, NULL, RG_METRIC_MAE, bad, fine, 2, 2, err), RG_EDATA,
                   "predictions: row 1, column 0: found inf, expected a number");
    ASSERT_REFUSED(rg_metric_values(&out, NULL, RG_METRIC_R2, fine, bad, 2, 2, err), RG_EDATA,
                   "targets: row 1, column 0: found inf");
    ASSERT_REFUSED(rg_metric_answers(&out, NULL, RG_METRIC_ROC_AUC, none, fine, 2, 2, err),
                   RG_EDATA, "predictions: row 0, column 1: found nan");
    ASSERT_REFUSED(rg_metric_classes(&out, RG_METRIC_ROC_AUC, fine, classes, 2, 2, err), RG_EDATA,
                   "targets: row 1: found class 2, expected 0..1");
    ASSERT_REFUSED(rg_metric_values(&out, NULL, RG_METRIC_ROC_AUC, fine, fine, 2, 2, err),
                   RG_EUSAGE,
                   "found the metric 'roc-auc', expected one of real values: mae, rmse or r2");
    ASSERT_REFUSED(rg_metric_classes(&out, RG_METRIC_MAE, fine, classes, 2, 2, err), RG_EUSAGE,
                   "found the metric 'mae', expected one of classes");
    assert_true(out == 5);
}

static void names_are_found_and_slips_are_told(void **state)
{
    rg_metric metric;
    (void)state;
    for (int m = RG_METRIC_AUTO; m < RG_METRICS; m++) {
        ASSERT_OK(rg_metric_find(&metric, rg_metric_name((rg_metric)m), err));
        assert_int_equal(metric, m);
    }
    ASSERT_OK(rg_metric_find(&metric, "auc", err));
    assert_int_equal(metric, RG_METRIC_ROC_AUC);
    ASSERT_OK(rg_metric_find(&metric, "balanced_accuracy", err));
    assert_int_equal(metric, RG_METRIC_BALANCED_ACCURACY);
    assert_true(rg_metric_is_low(RG_METRIC_LOG_LOSS) && rg_metric_is_low(RG_METRIC_RMSE) &&
                !rg_metric_is_low(RG_METRIC_R2) && !rg_metric_is_low(RG_METRIC_ROC_AUC));
    ASSERT_REFUSED(
        rg_metric_find(&metric, "acuracy", err), RG_EUSAGE,
        "found the metric 'acuracy', expected auto, accuracy, balanced-accuracy, roc-auc, "
        "average-precision, f1-macro, f1-micro, log-loss, mae, rmse or r2 (did you mean "
        "'accuracy'?)");
    ASSERT_REFUSED(rg_metric_find(&metric, "default", err), RG_EUSAGE,
                   "found the metric 'default'");
}

static rg_status all_of_them(void *context, rg_error *err)
{
    const double said[] = {0.3, 0.7, 0.6, 0.4}, right[] = {1, 0, 0, 1};
    const uint32_t classes[] = {1, 0};
    double out;
    (void)context;
    rg_status status = rg_metric_classes(&out, RG_METRIC_F1_MACRO, said, classes, 2, 2, err);
    if (!status)
        status = rg_metric_answers(&out, NULL, RG_METRIC_ROC_AUC, said, right, 2, 2, err);
    return status ? status : rg_metric_values(&out, NULL, RG_METRIC_RMSE, said, right, 2, 2, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocation_sweep(all_of_them, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_score_is_that_of_scikit_learn),
        cmocka_unit_test(areas_and_precisions_are_those_of_slow_twins_with_and_without_ties),
        cmocka_unit_test(a_score_of_several_targets_is_the_mean_of_those_that_have_one),
        cmocka_unit_test(numbers_that_are_not_finite_are_told_with_row_and_column),
        cmocka_unit_test(names_are_found_and_slips_are_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
