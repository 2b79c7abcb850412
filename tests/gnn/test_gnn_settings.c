/* test_gnn_settings.c - settings of message passing networks, odd data, memory that runs out.
 */
#include "gnns.h"

#include <math.h>

/* ---- settings */

static void the_normal_form_reads_back_as_itself(void **state)
{
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        rg_baseline *one = NULL, *other = NULL;
        const char *model = gnn_models[m];
        ASSERT_OK(rg_baseline_parse(&one, "model", model, strlen(model), err));
        const char *text = rg_baseline_text(one);
        ASSERT_OK(rg_baseline_parse(&other, "again", text, strlen(text), err));
        assert_string_equal(rg_baseline_text(other), text);
        assert_string_equal(rg_baseline_prepared_text(other), rg_baseline_prepared_text(one));
        assert_null(strstr(rg_baseline_prepared_text(one), "training"));
        assert_int_equal(rg_baseline_epochs(one), 1000);
        rg_baseline_free(one);
        rg_baseline_free(other);
    }
}

static void defaults_are_those_of_the_fair_comparison(void **state)
{
    static const struct {
        const char *model, *want;
    } cases[] = {
        {"model: gin", "model: gin\nlayers: 4\nwidth: 64\neps: learned\npooling: sum\n"
                       "dropout: 0.5\nfeatures: [auto]\n"},
        {"model: gsn", "model: gsn\nlayers: 4\nwidth: 64\neps: learned\npooling: sum\n"
                       "dropout: 0.5\nfeatures: [auto, structure]\n"
                       "structure: {cycles: 6, cliques: 5, kind: simple, most: 100}\n"},
        {"model: graphsage", "model: graphsage\nlayers: 3\nwidth: 64\naggregation: mean\nself: "
                             "shared\nfeatures: [auto]\n"},
        {"model: gcn",
         "model: gcn\nlayers: 3\nwidth: 64\npooling: sum\ndropout: 0\nfeatures: [auto]\n"},
        {"model: dgcnn",
         "model: dgcnn\nlayers: 3\nwidth: 64\ndropout: 0.5\nk: 0.9\nsort: nodes\ndense: 128\n"
         "features: [auto]\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = NULL;
        const char *model = cases[k].model;
        ASSERT_OK(rg_baseline_parse(&baseline, "model", model, strlen(model), err));
        assert_string_equal(rg_baseline_prepared_text(baseline), cases[k].want);
        assert_non_null(strstr(rg_baseline_text(baseline),
                               strstr(model, "dgcnn") ? "batch: 50\n" : "batch: 32\n"));
        rg_baseline_free(baseline);
    }
}

#define LIST "model: message-passing\nlayers:\n"

static void wrong_settings_are_told_with_their_place(void **state)
{
    static const struct {
        const char *model, *message;
    } cases[] = {
        {"{model: gin, layers: 0}", "m:1:22: found '0', expected a whole number 1..62"},
        {"{model: gin, width: 5000}", "m:1:21: found '5000', expected a whole number 1..4096"},
        {"{model: gin, eps: much}", "m:1:19: found 'much', expected learned or a number"},
        {"{model: gin, aggregation: max}",
         "m:1:14: found the key 'aggregation', expected model, training, layers, width, eps, "
         "pooling, dropout, features, network, labels or structure"},
        {"{model: gin, poolin: max}",
         "m:1:14: found the key 'poolin', expected model, training, layers, width, eps, pooling, "
         "dropout, features, network, labels or structure (did you mean 'pooling'?)"},
        {"{model: gin, dropout: 1}", "m:1:23: found '1', expected a number from 0 to below 1"},
        {"{model: gcn, pooling: most}", "m:1:23: found 'most', expected sum, mean or max"},
        {"{model: graphsage, aggregation: sum}", "m:1:33: found 'sum', expected add, mean or max"},
        {"{model: dgcnn, k: 5}",
         "m:1:19: found '5', expected a part of the graphs, above 0 and up to 1, or a whole number "
         "of nodes from 10 on"},
        {"{model: gin, training: {loss: mse}}",
         "m:1:31: found 'mse', expected auto or cross-entropy"},
        {"{model: gin, training: {prune: {part: 0.5}}}",
         "m:1:32: found a map, expected none: message passing networks are not pruned"},
        {"{model: gin, training: {batch: 0}}",
         "m:1:32: found '0', expected a whole number from 1 on"},
        {"{model: message-passing}", "m:1:1: found no key 'layers', expected a list of layers"},
        {"{model: message-passing, layers: 3}",
         "m:1:34: found '3', expected a list of 1..64 layers"},
        {LIST "  - gin: 4\n",
         "m:3:3: found no layer 'pool', expected one: the task is graph classification"},
        {LIST "  - pool: sum\n  - gin: 4\n",
         "m:4:5: found 'gin' after a pooling, expected it before: there are no nodes any more"},
        {LIST "  - gim: 4\n",
         "m:3:5: found 'gim', expected gin, graphsage, gcn, rule, dense, pool, norm, dropout or "
         "activation (did you mean 'gin'?)"},
        {LIST "  - gin: 4\n    bias: none\n", "m:4:5: found the key 'bias', expected gin or eps"},
        {LIST "  - rule: share j\n    mix: full\n",
         "m:3:5: found 'mix: full' without 'heads', expected how many channels come out"},
        {LIST "  - rule: share j\n    heads: 2\n",
         "m:4:12: found heads without 'mix: full', expected none: as many channels come out as go "
         "in"},
        {LIST "  - rule: share row(i)\n", "m:3:11: found a rule on shapes, expected one on graphs"},
        {LIST "  - norm: layer\n", "m:3:11: found 'layer', expected batch"},
        {LIST "  - 7\n", "m:3:5: found '7', expected a layer such as 'gin: 64'"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = NULL;
        rg_error err = {""};
        const char *model = cases[k].model;
        assert_int_equal(rg_baseline_parse(&baseline, "m", model, strlen(model), &err), RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        assert_null(baseline);
    }
}

static void networks_that_do_not_fit_are_told(void **state)
{
    static const struct {
        const char *model, *message;
    } cases[] = {
        {LIST "  - gin: 4\n  - pool: sum\n", "the last layer gives 4 values per graph, expected "
                                             "one per class, 2: end with 'dense: auto'"},
        {LIST "  - gin: 4\n  - gcn: 5\n    residual: true\n  - pool: sum\n  - dense: auto\n",
         "layer 2: found 4 channels going in and 5 coming out, expected the same number, because "
         "of 'residual'"},
        {LIST "  - pool: sum\nfeatures: [constant, degree]\n",
         "no layer of the list has parameters, expected one: end with 'dense: auto'"},
        {"{model: dgcnn, layers: 2, width: 2147, k: 1000000}",
         "k keeps 1000000 nodes of 4295 channels per graph, expected fewer than 2^31 values"},
    };
    rg_dataset *data = gnn_random_dataset(4, 5, false, false);
    rg_source source = {.graphs = data};
    rg_baseline_options options = {.n_threads = 1};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = NULL;
        rg_baseline_prepared *prepared = NULL;
        rg_error told = {""};
        const char *model = cases[k].model;
        ASSERT_OK(rg_baseline_parse(&baseline, "m", model, strlen(model), err));
        assert_int_equal(rg_baseline_prepared_new(&prepared, baseline, &source, &options, &told),
                         RG_EDATA);
        assert_string_equal(told.message, cases[k].message);
        assert_null(prepared);
        rg_baseline_free(baseline);
    }
    rg_dataset_free(data);
}

/* ---- odd data */

static rg_baseline_run train(const char *model, const char *training, const rg_dataset *data,
                             const rg_fold *fold)
{
    char *whole = gnn_with_training(model, training);
    test_gnn m = test_gnn_open(whole, data);
    rg_baseline_wish wish = {.fold = fold, .seed = 3, .numbers = true};
    rg_baseline_run run = {.numbers = NULL};
    ASSERT_OK(rg_baseline_train(&run, m.baseline, m.prepared, &wish, err));
    test_gnn_close(&m);
    free(whole);
    return run;
}

/* Empty graphs, single nodes and graphs without edges, alone in their batches. */
static void graphs_without_nodes_or_edges_are_fine(void **state)
{
    test_graph graphs[6];
    const int64_t classes[] = {0, 1, 0, 1, 0, 1};
    uint32_t list[] = {0, 1, 2, 3, 4, 5};
    rg_fold fold = {.train = {list, 4}, .validation = {list + 4, 1}, .test = {list, 6}};
    (void)state;
    for (uint32_t g = 0; g < 6; g++)
        graphs[g] = test_graph_new(g / 2);
    rg_dataset *data = gnn_dataset(graphs, 6, classes, false);
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        rg_baseline_run run = train(gnn_models[m], "epochs: 3, batch: 1", data, &fold);
        assert_int_equal(run.run.epochs, 3);
        assert_true(isfinite(run.run.train_loss) && isfinite(run.run.test_loss));
        for (size_t k = 0; k < 12; k++)
            assert_true(run.numbers[k] >= 0 && run.numbers[k] <= 1);
        rg_baseline_run_free(&run);
    }
    rg_dataset_free(data);
    for (uint32_t g = 0; g < 6; g++)
        test_graph_free(&graphs[g]);
}

static void one_class_in_the_training_part_is_what_is_said(void **state)
{
    rg_dataset *data = gnn_random_dataset(20, 8, false, false);
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    uint32_t ones[20], all[20];
    size_t n = 0, right = 0;
    (void)state;
    for (uint32_t g = 0; g < 20; g++) {
        all[g] = g;
        right += classes[g] == 0;
        if (classes[g] == 0)
            ones[n++] = g;
    }
    assert_true(n > 2 && right < 20);
    rg_fold fold = {.train = {ones, n}, .test = {all, 20}};
    rg_baseline_run run = train("{model: gin, layers: 1, width: 8, dropout: 0}",
                                "epochs: 40, best: last", data, &fold);
    assert_true(run.run.train_score == 1);
    assert_true(fabs(run.run.test_score - (double)right / 20) < 1e-9);
    assert_true(isnan(run.run.validation_score));
    rg_baseline_run_free(&run);
    rg_dataset_free(data);
}

static void networks_learn_what_they_can_see(void **state)
{
    static const char *const models[] = {
        "{model: gin, layers: 1, width: 16, dropout: 0}",
        "{model: graphsage, layers: 2, width: 16, aggregation: add}",
        "{model: gcn, layers: 2, width: 16}",
        "{model: gsn, layers: 1, width: 16, dropout: 0}",
        "{model: dgcnn, layers: 2, width: 16, dropout: 0}",
    };
    rg_dataset *data = gnn_random_dataset(60, 9, false, false);
    uint32_t list[60];
    rg_fold fold = {.train = {list, 60}};
    (void)state;
    for (uint32_t g = 0; g < 60; g++)
        list[g] = g;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        rg_baseline_run run = train(models[m], "epochs: 150, lr: 0.01, batch: 10", data, &fold);
        if (run.run.train_score < 0.9)
            fail_msg("%s: accuracy %g on what it has seen", models[m], run.run.train_score);
        assert_true(run.run.best_epoch >= 1 && run.run.best_epoch <= 150);
        rg_baseline_run_free(&run);
    }
    rg_dataset_free(data);
}

/* What stands on features has no gradient to hand on to. */
static void layers_that_stand_on_features_are_fine(void **state)
{
    static const char *const models[] = {
        "{model: message-passing, features: [constant, degree], layers: [{dense: 2, residual: "
        "true}, {pool: sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{gcn: 2, residual: true}, "
        "{pool: sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{norm: batch}, {pool: "
        "sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{pool: sum}, {norm: "
        "batch}, {dense: auto}]}",
    };
    rg_dataset *data = gnn_random_dataset(12, 6, false, false);
    uint32_t list[12];
    rg_fold fold = {.train = {list, 8}, .test = {list + 8, 4}};
    (void)state;
    for (uint32_t g = 0; g < 12; g++)
        list[g] = g;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        rg_baseline_run run = train(models[m], "epochs: 3, batch: 4", data, &fold);
        assert_int_equal(run.run.epochs, 3);
        assert_true(isfinite(run.run.train_loss) && isfinite(run.run.test_loss));
        rg_baseline_run_free(&run);
    }
    rg_dataset_free(data);
}

static void patience_ends_a_run(void **state)
{
    rg_dataset *data = gnn_random_dataset(20, 8, false, false);
    uint32_t list[20];
    rg_fold fold = {.train = {list, 14}, .validation = {list + 14, 6}, .test = {list + 14, 6}};
    (void)state;
    for (uint32_t g = 0; g < 20; g++)
        list[g] = g;
    rg_baseline_run run = train("{model: gin, layers: 1, width: 4}",
                                "epochs: 500, patience: 3, best: loss", data, &fold);
    assert_true(run.run.stopped && !run.run.failed);
    assert_int_equal(run.run.epochs, run.run.best_epoch + 4);
    assert_int_equal(run.epochs[run.run.best_epoch - 1].number, run.run.best_epoch);
    /* the weights of the best epoch are those that are measured */
    assert_true(run.run.validation_loss == run.epochs[run.run.best_epoch - 1].validation_loss);
    assert_true(run.run.test_loss == run.run.validation_loss);
    rg_baseline_run_free(&run);
    rg_dataset_free(data);
}

static int at_once(void *context)
{
    return ++*(int *)context > 2;
}

static void a_run_can_be_stopped_between_epochs(void **state)
{
    rg_dataset *data = gnn_random_dataset(8, 6, false, false);
    uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int asked = 0;
    rg_fold fold = {.train = {list, 8}};
    rg_baseline_wish wish = {.fold = &fold, .seed = 1, .stop = at_once, .context = &asked};
    rg_baseline_run run = {.numbers = NULL};
    test_gnn m = test_gnn_open("{model: gin, layers: 1, width: 4}", data);
    (void)state;
    ASSERT_OK(rg_baseline_train(&run, m.baseline, m.prepared, &wish, err));
    assert_true(run.stopped);
    assert_int_equal(asked, 3);
    assert_null(run.epochs);
    test_gnn_close(&m);
    rg_dataset_free(data);
}

static void a_loss_that_is_no_number_is_told(void **state)
{
    rg_dataset *data = gnn_random_dataset(8, 6, false, false);
    uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
    rg_fold fold = {.train = {list, 8}};
    rg_baseline_wish wish = {.fold = &fold, .seed = 1};
    rg_baseline_run run = {.numbers = NULL};
    rg_error err = {""};
    test_gnn m =
        test_gnn_open("{model: graphsage, aggregation: add, training: {lr: 1e30, epochs: 5, "
                      "batch: 2}}",
                      data);
    (void)state;
    assert_int_equal(rg_baseline_train(&run, m.baseline, m.prepared, &wish, &err), RG_EFAIL);
    assert_string_equal(
        err.message,
        "training: the loss is not a number in epoch 1; a smaller 'lr' or 'clip' may help");
    test_gnn_close(&m);
    rg_dataset_free(data);
}

/* ---- memory */

typedef struct gnn_sweep {
    const char *model;
    const rg_dataset *data;
} gnn_sweep;

static rg_status all_of_it(void *context, rg_error *err)
{
    const gnn_sweep *s = context;
    uint32_t list[] = {0, 1, 2, 3};
    rg_fold fold = {.train = {list, 3}, .test = {list + 3, 1}};
    rg_source source = {.graphs = s->data};
    rg_baseline_options options = {.n_threads = 1};
    rg_baseline_wish wish = {.fold = &fold, .seed = 1, .numbers = true};
    rg_baseline *baseline = NULL;
    rg_baseline_prepared *prepared = NULL;
    rg_baseline_run run = {.numbers = NULL};
    rg_status status = rg_baseline_parse(&baseline, "model", s->model, strlen(s->model), err);
    if (!status)
        status = rg_baseline_prepared_new(&prepared, baseline, &source, &options, err);
    if (!status)
        status = rg_baseline_train(&run, baseline, prepared, &wish, err);
    rg_baseline_run_free(&run);
    rg_baseline_prepared_free(prepared);
    rg_baseline_free(baseline);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    rg_dataset *data = gnn_random_dataset(4, 5, false, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        char *model = gnn_with_training(gnn_models[m], "epochs: 1, class_weights: balanced");
        gnn_sweep s = {.model = model, .data = data};
        assert_true(test_allocation_sweep(all_of_it, &s) > 10);
        free(model);
    }
    rg_dataset_free(data);
}

/* An epoch allocates nothing: one and three take as many blocks. */
static void nothing_is_allocated_in_an_epoch(void **state)
{
    rg_dataset *data = gnn_random_dataset(4, 5, false, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        char *one = gnn_with_training(gnn_models[m], "epochs: 1"),
             *three = gnn_with_training(gnn_models[m], "epochs: 3");
        gnn_sweep first = {.model = one, .data = data}, second = {.model = three, .data = data};
        assert_int_equal(test_allocation_sweep(all_of_it, &first),
                         test_allocation_sweep(all_of_it, &second));
        free(one);
        free(three);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_form_reads_back_as_itself),
        cmocka_unit_test(defaults_are_those_of_the_fair_comparison),
        cmocka_unit_test(wrong_settings_are_told_with_their_place),
        cmocka_unit_test(networks_that_do_not_fit_are_told),
        cmocka_unit_test(graphs_without_nodes_or_edges_are_fine),
        cmocka_unit_test(one_class_in_the_training_part_is_what_is_said),
        cmocka_unit_test(networks_learn_what_they_can_see),
        cmocka_unit_test(layers_that_stand_on_features_are_fine),
        cmocka_unit_test(patience_ends_a_run),
        cmocka_unit_test(a_run_can_be_stopped_between_epochs),
        cmocka_unit_test(a_loss_that_is_no_number_is_told),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(nothing_is_allocated_in_an_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
