/* test_train_epochs.c - which epoch is the best, when a run stops, rates, class weights, targets
 * that are missing, a loss that is no number; and that all of it learns. */
#include "support/trainers.h"

#include <math.h>

/* ---- the best epoch */

/* The first epoch of a lane that is best by the words of docs/networks.md. */
static uint32_t find_best(const rg_trainer *t, size_t lane, bool low)
{
    uint32_t best = 1;
    for (uint32_t e = 2; e <= t->epoch; e++) {
        const rg_epoch *a = rg_trainer_report(t, e, lane), *b = rg_trainer_report(t, best, lane);
        double score = low ? -a->validation_score : a->validation_score;
        double before = low ? -b->validation_score : b->validation_score;
        bool lower = a->validation_loss < b->validation_loss;
        if (t->settings.best == RG_BEST_LAST || (t->settings.best == RG_BEST_LOSS && lower) ||
            (t->settings.best == RG_BEST_SCORE && (score > before || (score == before && lower))))
            best = e;
    }
    return best;
}

static void the_weights_of_the_best_epoch_are_kept(void **state)
{
    (void)state;
    static const char *const tasks[] = {"classification", "regression",
                                        "multi-label\ntarget: [1,2]"};
    static const char *const bests[] = {"score", "loss", "last"};
    for (size_t k = 0; k < 9; k++) {
        char *training =
            test_format("  {epochs: 15, batch: 12, best: %s, patience: none}\n", bests[k % 3]);
        trainer_setup s, again;
        trainer_setup_open(&s, tasks[k / 3], training, 4);
        trainer_train(s.trainer, 15);
        rg_run runs[4];
        ASSERT_OK(rg_trainer_finish(s.trainer, runs, err));
        for (size_t l = 0; l < 4; l++) {
            uint32_t best = find_best(s.trainer, l, k / 3 == 1);
            assert_int_equal(rg_trainer_best_epoch(s.trainer, l), best);
            assert_int_equal(runs[l].best_epoch, best);
            assert_int_equal(runs[l].epochs, 15);
            assert_true(!runs[l].stopped && !runs[l].failed);
            const rg_epoch *epoch = rg_trainer_report(s.trainer, best, l);
            trainer_same(runs[l].validation_loss, epoch->validation_loss);
            trainer_same(runs[l].validation_score, epoch->validation_score);
            if (l)
                continue;
            trainer_setup_open(&again, tasks[k / 3], training,
                               4); /* as it was right after that epoch */
            trainer_train(again.trainer, best);
            for (size_t w = 0; w < s.trainer->n; w++)
                trainer_same(trainer_real(s.trainer, s.trainer->best, w * 4),
                             trainer_real(again.trainer, again.trainer->w, w * 4));
            trainer_setup_close(&again);
        }
        trainer_setup_close(&s);
        free(training);
    }
}

static void the_best_lane_is_the_best_on_the_validation_part(void **state)
{
    (void)state;
    static const char *const bests[] = {"score", "loss"};
    for (size_t k = 0; k < 2; k++) {
        char *training = test_format("  {epochs: 6, batch: 12, best: %s}\n", bests[k]);
        trainer_setup s;
        rg_run runs[8];
        trainer_setup_open(&s, "classification", training, 8);
        trainer_train(s.trainer, 6);
        ASSERT_OK(rg_trainer_finish(s.trainer, runs, err));
        size_t best = rg_trainer_best(s.trainer);
        for (size_t l = 0; l < 8; l++)
            if (k)
                assert_true(runs[l].validation_loss >= runs[best].validation_loss);
            else
                assert_true(runs[l].validation_score <= runs[best].validation_score);
        trainer_setup_close(&s);
        free(training);
    }
}

static void a_run_stops_when_its_best_epoch_is_long_ago(void **state)
{
    (void)state;
    trainer_setup s;
    trainer_setup_open(&s, "classification", "  {epochs: 200, patience: 3, lr: 0.5, best: loss}\n",
                       4);
    trainer_train(s.trainer, 200);
    rg_run runs[4];
    ASSERT_OK(rg_trainer_finish(s.trainer, runs, err));
    uint32_t last = 0;
    for (size_t l = 0; l < 4; l++) {
        assert_true(runs[l].stopped);
        assert_int_equal(runs[l].epochs, runs[l].best_epoch + 4);
        last = runs[l].epochs > last ? runs[l].epochs : last;
    }
    assert_int_equal(rg_trainer_epochs(s.trainer), last);
    assert_true(last < 200 && rg_trainer_done(s.trainer));
    trainer_setup_close(&s);
}

static void without_a_validation_part_the_training_part_decides(void **state)
{
    (void)state;
    trainer_setup s;
    trainer_setup_open(&s, "classification", "  {epochs: 8, best: loss}\n", 1);
    rg_fold fold = {.train = s.fold.train};
    rg_trainer_free(s.trainer);
    s.trainer = trainer_open(&s.n, &fold, 1, 0, rg_cpu_best());
    trainer_train(s.trainer, 8);
    uint32_t best = 1;
    for (uint32_t e = 1; e <= 8; e++) {
        const rg_epoch *epoch = rg_trainer_report(s.trainer, e, 0);
        assert_true(isnan(epoch->validation_loss) && isnan(epoch->validation_score));
        if (epoch->train_loss < rg_trainer_report(s.trainer, best, 0)->train_loss)
            best = e;
    }
    assert_int_equal(rg_trainer_best_epoch(s.trainer, 0), best);
    trainer_setup_close(&s);
}

/* ---- rates */

static void rates_follow_the_schedule(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "{kind: constant}", "{kind: step, every: 3, factor: 0.25, floor: 0.01}",
        "{kind: cosine, floor: 0.01}", "{kind: plateau, patience: 1, factor: 0.5, floor: 0.005}"};
    for (size_t k = 0; k < 4; k++) {
        char *training =
            test_format("  {epochs: 20, lr: 0.1, patience: none, schedule: %s}\n", kinds[k]);
        trainer_setup s;
        trainer_setup_open(&s, "classification", training, 4);
        trainer_train(s.trainer, 20);
        for (size_t l = 0; l < 4; l++) {
            double lr = 0.1, best = -1;
            uint32_t since = 0;
            for (uint32_t e = 1; e <= 20; e++) {
                const rg_epoch *epoch = rg_trainer_report(s.trainer, e, l);
                assert_true(test_near(epoch->lr, lr, 1e-12, 0));
                since = epoch->validation_score > best ? 0 : since + 1;
                best = epoch->validation_score > best ? epoch->validation_score : best;
                if (k == 1 && e % 3 == 0 && lr > 0.01)
                    lr *= 0.25;
                if (k == 2)
                    lr = 0.01 + 0.09 * (1 + cos(acos(-1) * e / 20)) / 2;
                if (k == 3 && since > 1) {
                    lr = lr * 0.5 > 0.005 ? lr * 0.5 : 0.005;
                    since = 0;
                }
            }
        }
        trainer_setup_close(&s);
        free(training);
    }
}

/* ---- targets */

static void balanced_weights_are_n_over_classes_times_count(void **state)
{
    (void)state;
    trainer_setup s;
    double count[3] = {0}, n = 0;
    trainer_setup_open(&s, "classification", "  {class_weights: balanced}\n", 1);
    for (size_t k = 0; k < s.fold.train.n; k++) {
        uint32_t class = rg_dataset_ranks(s.data, RG_CLASS, 0)[s.fold.train.graphs[k]];
        if (class != RG_NO_CLASS) {
            count[class]++;
            n++;
        }
    }
    assert_true(n < (double)s.fold.train.n);
    for (size_t c = 0; c < 3; c++)
        assert_true(test_near(s.trainer->measure.class_weights[c], n / (3 * count[c]), 1e-15, 0));
    trainer_setup_close(&s);
    rg_dataset *data = test_dataset_with_targets(12, 6, 42); /* of nodes: by the values 0 and 7 */
    uint32_t train[] = {5, 7, 9};
    rg_fold fold = {.train = {train, 3}};
    test_network own = test_network_open("task: node-classification\n"
                                         "target: 1\n"
                                         "layers: [{rule: \"share 1 when i = j\"}]\n"
                                         "training: {class_weights: balanced}\n",
                                         data);
    rg_trainer *trainer = trainer_open(&own, &fold, 1, 0, rg_cpu_best());
    double of[2] = {0};
    for (size_t k = 0; k < 3; k++) {
        rg_graph graph = rg_dataset_graph(data, train[k]);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            of[rg_dataset_ranks(data, RG_NODE_LABEL, 1)[graph.first_node + i]]++;
    }
    for (size_t c = 0; c < 2; c++)
        assert_true(
            test_near(trainer->measure.class_weights[c], (of[0] + of[1]) / (2 * of[c]), 1e-15, 0));
    rg_trainer_free(trainer);
    test_network_close(&own);
    rg_dataset_free(data);
}

static void settings_that_do_not_fit_the_task_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *task, *training, *message;
    } cases[] = {
        {"classification", "{loss: mse}",
         "training: loss 'mse' does not fit the task 'classification'"},
        {"regression", "{loss: bce}", "training: loss 'bce' does not fit the task 'regression'"},
        {"regression", "{loss: cross-entropy}",
         "training: loss 'cross-entropy' does not fit the task 'regression'"},
        {"multi-label\ntarget: [1, 2]", "{loss: mae}",
         "training: loss 'mae' does not fit the task 'multi-label'"},
        {"classification", "{class_weights: [1, 2]}",
         "training: found 2 class weights, expected 3"},
        {"regression", "{class_weights: balanced}",
         "training: 'class_weights: balanced' is for classification"},
    };
    rg_dataset *data = test_dataset_with_targets(12, 6, 42);
    uint32_t numbers[12];
    rg_fold fold = trainer_fold(numbers, 12);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text =
            test_format("task: %s\n" TRAINER_NETWORK "  %s\n", cases[k].task, cases[k].training);
        test_network n = test_network_open(text, data);
        rg_trainer *trainer = NULL;
        rg_error err = {""};
        rg_trainer_options options = {.lanes = 1};
        assert_int_equal(rg_trainer_new(&trainer, n.samples, &fold, &n.settings, &options, &err),
                         RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        test_network_close(&n);
        free(text);
    }
    rg_dataset_free(data);
}

/* Of batches of one sample, those without a target move nothing. */
static void a_batch_without_targets_is_no_step(void **state)
{
    (void)state;
    trainer_setup s;
    size_t n = 0;
    trainer_setup_open(&s, "classification", "  {batch: 1, epochs: 1}\n", 1);
    for (size_t k = 0; k < s.fold.train.n; k++)
        n += rg_dataset_ranks(s.data, RG_CLASS, 0)[s.fold.train.graphs[k]] != RG_NO_CLASS;
    assert_true(n > 0 && n < s.fold.train.n);
    trainer_train(s.trainer, 1);
    assert_int_equal(s.trainer->optimiser.n_steps, n);
    trainer_setup_close(&s);
}

static void parts_without_any_target_are_refused(void **state)
{
    (void)state;
    trainer_setup s;
    trainer_setup_open(&s, "classification", "  {epochs: 1}\n", 1);
    static const uint32_t none[] = {5, 16, 27}; /* of unknown class */
    rg_fold folds[] = {{.train = {none, 3}}, {.train = s.fold.train, .validation = {none, 3}}};
    static const char *const words[] = {"training", "validation"};
    for (size_t k = 0; k < 2; k++) {
        rg_trainer *trainer = NULL;
        rg_error err;
        rg_trainer_options options = {.lanes = 1};
        assert_int_equal(
            rg_trainer_new(&trainer, s.n.samples, &folds[k], &s.n.settings, &options, &err),
            RG_EDATA);
        char *message = test_format("no sample of the %s set has a target", words[k]);
        assert_string_equal(err.message, message);
        free(message);
    }
    trainer_setup_close(&s);
}

static void a_loss_that_is_no_number_ends_training(void **state)
{
    (void)state;
    trainer_setup s;
    rg_error err = {""};
    rg_status status = RG_OK;
    trainer_setup_open(&s, "regression", "  {lr: 1e30, optimiser: sgd, batch: 1}\n", 4);
    for (uint32_t e = 0; e < 50 && !status && !rg_trainer_done(s.trainer); e++)
        status = rg_trainer_epoch(s.trainer, &err);
    assert_int_equal(status, RG_EFAIL);
    assert_string_equal(
        err.message,
        "training: the loss is not a number in epoch 1; a smaller 'lr' or 'clip' may help");
    trainer_setup_close(&s);
}

/* ---- it learns */

static void rings_are_learned(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_recipe *recipe = NULL;
    rg_model *model = NULL;
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    rg_generate_options generate = rg_generate_options_default();
    rg_split_options split = {.size = sizeof split,
                              .seed = 1,
                              .n_folds = 1,
                              .test = 0.2,
                              .validation = 0.1,
                              .stratified = 1};
    rg_train_options options = rg_train_options_default();
    generate.n_graphs = 600;
    options.lanes = 4;
    char *path = test_format("%s/examples/paper/EvenOddRingsCount16.yml", REGULA_SOURCE);
    ASSERT_OK(rg_dataset_generate(&data, RG_EVEN_ODD_RINGS_COUNT, &generate, err));
    ASSERT_OK(rg_splits_make(&splits, data, &split, err));
    ASSERT_OK(rg_recipe_read(&recipe, path, err));
    rg_fold fold = rg_splits_fold(splits, 0);
    ASSERT_OK(rg_model_train(&model, &report, recipe, &(rg_source){.graphs = data}, &fold, &options,
                             err));
    print_message("test accuracy %g %g %g %g, %g ms an epoch\n", report.runs[0].test_score,
                  report.runs[1].test_score, report.runs[2].test_score, report.runs[3].test_score,
                  1e3 * report.seconds_per_epoch);
    assert_true(report.runs[report.best].validation_score == 1);
    assert_true(report.runs[report.best].test_score > 0.98);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_dataset_free(data);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_weights_of_the_best_epoch_are_kept),
        cmocka_unit_test(the_best_lane_is_the_best_on_the_validation_part),
        cmocka_unit_test(a_run_stops_when_its_best_epoch_is_long_ago),
        cmocka_unit_test(without_a_validation_part_the_training_part_decides),
        cmocka_unit_test(rates_follow_the_schedule),
        cmocka_unit_test(balanced_weights_are_n_over_classes_times_count),
        cmocka_unit_test(settings_that_do_not_fit_the_task_are_refused),
        cmocka_unit_test(a_batch_without_targets_is_no_step),
        cmocka_unit_test(parts_without_any_target_are_refused),
        cmocka_unit_test(a_loss_that_is_no_number_ends_training),
        cmocka_unit_test(rings_are_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
