/* test_train_metric.c - scores of training by every metric against those of arrays, what `auto` takes, which epoch a
 * smoothed curve chooses, and what is refused. */
#include "support/graphs.h"
#include "support/models.h"
#include "support/trainers.h"

#include "regula/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the same numbers as those of arrays */

/* Score of what the trainer says of a part with its best weights, from arrays. */
static double score_of(rg_trainer *t, const rg_samples *s, rg_metric metric, const rg_part *part,
                       size_t lane)
{
    size_t width = s->net->n_outputs, lanes = t->options.lanes, rows = 0;
    bool nodes = s->net->task == RG_TASK_NODES;
    for (size_t k = 0; k < part->n; k++)
        rows += nodes ? rg_samples_nodes(s, part->graphs[k]) : 1;
    uint32_t *samples = calloc(rows, sizeof *samples), *classes = calloc(rows, sizeof *classes);
    float *numbers = calloc(rows * width * lanes, sizeof *numbers);
    double *said = calloc(rows * width, sizeof *said), *right = calloc(rows * width, sizeof *right);
    double out = -1;
    assert_true(samples && classes && numbers && said && right);
    ASSERT_OK(rg_trainer_predict(t, part, samples, numbers, lanes, rows, err));
    for (size_t k = 0, row = 0; k < part->n; k++) {
        size_t first = nodes
                           ? (size_t)rg_dataset_graph(s->source.graphs, part->graphs[k]).first_node
                           : part->graphs[k];
        size_t n = nodes ? rg_samples_nodes(s, part->graphs[k]) : 1;
        for (size_t i = 0; i < n; i++, row++) {
            if (s->classes)
                classes[row] = s->classes[first + i];
            for (size_t c = 0; c < width; c++) {
                said[row * width + c] = (double)numbers[(lane * rows + row) * width + c];
                if (s->reals)
                    right[row * width + c] = s->reals[(first + i) * width + c];
            }
        }
    }
    if (s->classes)
        ASSERT_OK(rg_metric_classes(&out, metric, said, classes, rows, width, err));
    else if (s->net->task == RG_TASK_VALUES)
        ASSERT_OK(rg_metric_values(&out, NULL, metric, said, right, rows, width, err));
    else
        ASSERT_OK(rg_metric_answers(&out, NULL, metric, said, right, rows, width, err));
    free(samples);
    free(classes);
    free(numbers);
    free(said);
    free(right);
    return out;
}

static void scores_of_training_are_those_of_what_is_predicted(void **state)
{
    static const struct {
        const char *task;
        uint32_t lanes;
    } cases[] = {{"classification", 4},
                 {"multi-label\ntarget: [1, 2]", 1},
                 {"regression", 4},
                 {"node-classification", 1}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int m = RG_METRIC_ACCURACY; m < RG_METRICS; m++) {
            rg_metric metric = (rg_metric)m;
            trainer_setup s;
            char training[160];
            bool values = k == 2;
            if (!rg_metric_is_of_values(metric) == values)
                continue;
            snprintf(training, sizeof training,
                     "  {epochs: 3, lr: 0.05, batch: 8, metric: %s, parts: %d}",
                     rg_metric_name(metric), m % 2 ? 1 : 3);
            char *text = test_format("task: %s\n" TRAINER_NETWORK "%s", cases[k].task, training);
            if (k == 3) { /* nodes have no aggregation */
                char *rest = strstr(text, "  - aggregate"), *settings = strstr(text, "training:");
                memmove(rest, settings, strlen(settings) + 1);
            }
            s.data = test_dataset_with_targets(TRAINER_GRAPHS, 9, 41);
            s.fold = trainer_fold(s.numbers, TRAINER_GRAPHS);
            s.n = test_network_open(text, s.data);
            s.trainer = trainer_open(&s.n, &s.fold, cases[k].lanes, 0, rg_cpu_best());
            trainer_train(s.trainer, 3);
            rg_run runs[8];
            ASSERT_OK(rg_trainer_finish(s.trainer, runs, err));
            for (size_t l = 0; l < cases[k].lanes; l++) {
                const double own[] = {runs[l].train_score, runs[l].validation_score,
                                      runs[l].test_score};
                const rg_part *parts[] = {&s.fold.train, &s.fold.validation, &s.fold.test};
                for (size_t p = 0; p < 3; p++) {
                    double other = score_of(s.trainer, s.n.samples, metric, parts[p], l);
                    if (!test_near(own[p], other, 1e-5, 1) && !(isnan(own[p]) && isnan(other)))
                        fail_msg("%s, %s, part %zu: %.9g and %.9g", cases[k].task,
                                 rg_metric_name(metric), p, own[p], other);
                }
                /* the epoch that was kept is the one with that validation score */
                uint32_t best = runs[l].best_epoch;
                trainer_same(rg_trainer_report(s.trainer, best, l)->validation_score,
                             runs[l].validation_score);
                for (uint32_t e = 1; e <= 3; e++) {
                    double score = rg_trainer_report(s.trainer, e, l)->validation_score;
                    assert_true(rg_metric_is_low(metric) ? score >= runs[l].validation_score
                                                         : score <= runs[l].validation_score);
                }
            }
            assert_int_equal(rg_trainer_metric(s.trainer), metric);
            trainer_setup_close(&s);
            free(text);
        }
}

static void scores_do_not_depend_on_lanes_threads_or_parts_of_memory(void **state)
{
    trainer_setup a, b;
    (void)state;
    trainer_setup_open(&a, "classification", "  {epochs: 4, metric: roc-auc, smooth: 2}", 4);
    trainer_setup_open(&b, "classification", "  {epochs: 4, metric: roc-auc, smooth: 2}", 1);
    trainer_train(a.trainer, 4);
    trainer_train(b.trainer, 4);
    trainer_compare(a.trainer, 0, b.trainer, 0);
    trainer_setup_close(&a);
    trainer_setup_close(&b);
}

/* ---- which epoch */

static void a_smoothed_curve_chooses_the_epoch_with_the_best_mean(void **state)
{
    static const char *const bests[] = {"score", "loss"};
    (void)state;
    for (uint32_t smooth = 1; smooth <= 4; smooth++)
        for (size_t by = 0; by < 2; by++) {
            trainer_setup s;
            char *training = test_format(
                "  {epochs: 20, lr: 0.3, batch: 4, patience: none, best: %s, smooth: %u}",
                bests[by], (unsigned)smooth);
            trainer_setup_open(&s, "classification", training, 4);
            trainer_train(s.trainer, 20);
            for (size_t l = 0; l < 4; l++) {
                uint32_t best = 0;
                double best_score = 0, best_loss = 0;
                for (uint32_t e = smooth; e <= 20; e++) {
                    double score = 0, loss = 0;
                    for (uint32_t k = 0; k < smooth; k++) {
                        const rg_epoch *epoch = rg_trainer_report(s.trainer, e - k, l);
                        score += epoch->validation_score / smooth;
                        loss += epoch->validation_loss / smooth;
                    }
                    bool wins =
                        by ? loss < best_loss
                           : score > best_score || (score == best_score && loss < best_loss);
                    if (best == 0 || wins) {
                        best = e;
                        best_score = score;
                        best_loss = loss;
                    }
                }
                assert_int_equal(rg_trainer_best_epoch(s.trainer, l), best);
            }
            trainer_setup_close(&s);
            free(training);
        }
}

static void few_epochs_are_smoothed_over_all_there_are(void **state)
{
    trainer_setup s;
    (void)state;
    trainer_setup_open(&s, "regression", "  {epochs: 2, smooth: 9, patience: 1}", 1);
    trainer_train(s.trainer, 9);
    assert_int_equal(rg_trainer_epochs(s.trainer), 2);
    assert_int_equal(rg_trainer_best_epoch(s.trainer, 0), 2);
    trainer_setup_close(&s);
}

/* ---- auto */

/* Rings of 3 to 7 nodes; the first n_yes have class 1, the others 0. */
static rg_dataset *rings(size_t n, size_t n_yes)
{
    test_graph graphs[40] = {{0}};
    int64_t classes[40] = {0};
    for (size_t k = 0; k < n; k++) {
        graphs[k] = test_ring(3 + (uint32_t)(k % 5));
        classes[k] = k < n_yes;
    }
    rg_dataset *data = test_dataset(graphs, n, &(test_columns){.classes = classes});
    for (size_t k = 0; k < n; k++)
        test_graph_free(&graphs[k]);
    return data;
}

#define RINGS                                                                                     \
    "labels: {d: degree}\nlayers: [aggregate: 'share out, d(i)']\ntraining: {epochs: 2, metric: " \
    "%s}\n"

static rg_status train_rings(rg_train_report *out, size_t n_yes, const char *metric,
                             const rg_fold *fold, rg_error *err)
{
    rg_dataset *data = rings(40, n_yes);
    char *text = test_format(RINGS, metric);
    rg_recipe *recipe = test_recipe(text);
    rg_model *model = NULL;
    rg_status status =
        rg_model_train(&model, out, recipe, &(rg_source){.graphs = data}, fold, NULL, err);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(data);
    free(text);
    return status;
}

static void auto_takes_the_area_where_nearly_all_are_of_one_class(void **state)
{
    uint32_t all[40];
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    (void)state;
    for (uint32_t k = 0; k < 40; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, 40}, .validation = {all, 10}};
    ASSERT_OK(train_rings(&report, 3, "auto", &fold, err));
    assert_int_equal(report.metric, RG_METRIC_ROC_AUC);
    assert_true(fabs(report.majority - 37. / 40) < 1e-15);
    ASSERT_OK(train_rings(&report, 4, "auto", &fold, err)); /* 90 % is not above */
    assert_int_equal(report.metric, RG_METRIC_ACCURACY);
    rg_fold one = {.train = {all, 40}, .validation = {all + 10, 10}}; /* all of one class */
    ASSERT_OK(train_rings(&report, 3, "auto", &one, err));
    assert_int_equal(report.metric, RG_METRIC_ACCURACY);
    ASSERT_REFUSED(
        train_rings(&report, 3, "auc", &one, err), RG_EDATA,
        "training: metric 'roc-auc' is not defined on the validation set: all targets are of "
        "one class there");
    ASSERT_REFUSED(train_rings(&report, 3, "rmse", &fold, err), RG_EDATA,
                   "training: metric 'rmse' does not fit the task 'classification'");
}

/* ---- what is missing */

static void targets_that_are_not_known_change_no_score_or_loss(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5, 6};
    static const double targets[] = {1, 2, (double)NAN, 3, (double)NAN, 4};
    uint32_t all[] = {0, 1, 3, 5, 2, 4};
    rg_fold known = {.train = {all, 2}, .validation = {all + 2, 2}};
    rg_fold some = {.train = {all, 2}, .validation = {all + 2, 4}};
    rg_recipe *recipe = test_recipe(
        "task: regression\nlayers: [dense: auto]\ntraining: {epochs: 3, metric: mae}\n");
    rg_train_report a = RG_TRAIN_REPORT_INIT, b = RG_TRAIN_REPORT_INIT;
    rg_model *first = NULL, *second = NULL;
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 6,
                                 .shape = {1, 1, 1},
                                 .doubles = values,
                                 .reals = targets,
                                 .n_columns = 1};
    (void)state;
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_source source = {.arrays = arrays};
    ASSERT_OK(rg_model_train(&first, &a, recipe, &source, &known, NULL, err));
    ASSERT_OK(rg_model_train(&second, &b, recipe, &source, &some, NULL, err));
    trainer_same(a.runs[0].validation_score, b.runs[0].validation_score);
    trainer_same(a.runs[0].validation_loss, b.runs[0].validation_loss);
    rg_model_free(first);
    rg_model_free(second);
    rg_arrays_free(arrays);
    rg_recipe_free(recipe);
}

typedef struct metric_sweep {
    rg_recipe *recipe;
    rg_dataset *data;
} metric_sweep;

static rg_status train_by_metric(void *context, rg_error *err)
{
    const metric_sweep *s = context;
    return models_all_the_way(s->recipe, s->data, err);
}

static void every_allocation_may_fail(void **state)
{
    metric_sweep s = {
        .recipe = test_recipe("labels: {d: degree}\nlayers: [aggregate: 'share out, d(i)']\n"
                              "training: {epochs: 2, metric: balanced-accuracy, smooth: 2}\n"),
        .data = rings(8, 4)};
    (void)state;
    test_allocation_sweep(train_by_metric, &s);
    rg_recipe_free(s.recipe);
    rg_dataset_free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_of_training_are_those_of_what_is_predicted),
        cmocka_unit_test(scores_do_not_depend_on_lanes_threads_or_parts_of_memory),
        cmocka_unit_test(a_smoothed_curve_chooses_the_epoch_with_the_best_mean),
        cmocka_unit_test(few_epochs_are_smoothed_over_all_there_are),
        cmocka_unit_test(auto_takes_the_area_where_nearly_all_are_of_one_class),
        cmocka_unit_test(targets_that_are_not_known_change_no_score_or_loss),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
