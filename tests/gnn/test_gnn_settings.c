/* test_gnn_settings.c - settings of message passing networks, odd data, memory that runs out.
 */
#include "gnns.h"
#include "support/models.h"
#include "train/recipe.h"

#include <math.h>

/* ---- settings */

static void the_normal_form_reads_back_as_itself(void **state)
{
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        rg_baseline *one = gnn_baseline(gnn_models[m]);
        const char *text = rg_baseline_text(one);
        rg_baseline *other = gnn_baseline(text);
        assert_string_equal(rg_baseline_text(other), text);
        assert_string_equal(rg_baseline_prepared_text(other), rg_baseline_prepared_text(one));
        assert_null(strstr(rg_baseline_prepared_text(one), "training"));
        rg_baseline_free(one);
        rg_baseline_free(other);
    }
}

/* The network file that a model stands for reads back as itself, too. */
static void models_stand_for_network_files(void **state)
{
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        rg_recipe *recipe = gnn_recipe(gnn_models[m], "batch: 7"), *again;
        again = test_recipe(rg_recipe_text(recipe));
        assert_string_equal(rg_recipe_text(recipe), rg_recipe_text(again));
        assert_int_equal(rg_recipe_epochs(recipe), 1000);
        assert_int_equal(recipe->settings.batch, 7);
        assert_int_equal(recipe->settings.start, RG_START_FAN_IN); /* as PyTorch begins */
        assert_true(recipe->batched);
        rg_recipe_free(recipe);
        rg_recipe_free(again);
    }
}

/* The layers and the input, word by word. */
static void network_files_of_models_are_known(void **state)
{
    static const struct {
        const char *model, *network;
    } cases[] = {
        {"{model: gin, layers: 1, width: 8}",
         "input:\n  - labels\nlayers:\n  - mlp: 8\n  - gin: 8\n    eps: learned\n"
         "  - readout: sum\n    dropout: 0.5\n"},
        {"{model: gsn, layers: 1, width: 8, eps: 0, structure: {cycles: 3, cliques: 4, most: 9}}",
         "labels:\n  cycles3: cycles(kind=simple, min=3, max=3, max_labels=9)\n"
         "  cliques4: pattern(clique(4), max_labels=9)\n"
         "input:\n  - labels\n  - one-hot(cycles3)\n  - one-hot(cliques4)\n"
         "layers:\n  - mlp: 8\n  - gin: 8\n    eps: 0\n"
         "  - readout: sum\n    dropout: 0.5\n"},
        {"{model: graphsage, layers: 2, width: 8, aggregation: max}",
         "input:\n  - labels\nlayers:\n"
         "  - sage: 8\n    aggregation: max\n    self: shared\n    activation: identity\n"
         "  - dense: 8\n    activation: relu\n    name: h1\n"
         "  - sage: 8\n    aggregation: max\n    self: shared\n    activation: identity\n"
         "  - dense: 8\n    activation: relu\n    weights: h1\n    name: h2\n"
         "  - pool: max\n    of: [h1, h2]\n"
         "  - dense: 8\n    activation: relu\n  - dense: auto\n"},
        {"{model: gcn, layers: 1, width: 8, features: [degree-one-hot, attributes, constant]}",
         "labels:\n  degrees1: degree\n"
         "input:\n  - one-hot(degrees1)\n  - attributes\n  - constant\nlayers:\n"
         "  - gcn: 8\n  - pool: sum\n  - dropout: 0\n  - dense: auto\n"},
        {"{model: dgcnn, layers: 1, width: 8, k: 17, features: rule-scaled, labels: {x: degree}}",
         "labels:\n  x: degree\ninput:\n  - relative(x)\nlayers:\n"
         "  - sage: 8\n    aggregation: mean\n    self: shared\n    activation: tanh\n"
         "    name: h1\n"
         "  - sage: 1\n    aggregation: mean\n    self: shared\n    activation: tanh\n"
         "    name: h2\n"
         "  - concat: [h1, h2]\n  - sort-pool: 17\n    least: 10\n    sort: nodes\n"
         "  - conv1d: 16\n  - max-pool: 2\n  - conv1d: 32\n    size: 5\n"
         "  - dense: 128\n    activation: relu\n  - dropout: 0.5\n  - dense: auto\n"},
        /* a labeling of its own gets a name that none of the file has */
        {"{model: gin, layers: 1, width: 8, dropout: 0, features: [degree-one-hot, rule], "
         "labels: {degrees1: \"wl(depth=1, from=node)\"}}",
         "labels:\n"
         "  degrees1: wl(depth=1, from=node, edges=false, unseen=label)\n"
         "  degrees1_: degree\n"
         "input:\n  - one-hot(degrees1_)\n  - one-hot(degrees1)\nlayers:\n"
         "  - mlp: 8\n  - gin: 8\n    eps: learned\n  - readout: sum\n    dropout: 0\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = gnn_baseline(cases[k].model);
        rg_recipe *recipe = NULL, *want = test_recipe(cases[k].network);
        ASSERT_OK(rg_baseline_recipe(&recipe, baseline, err));
        const char *text = rg_recipe_text(recipe), *end = strstr(text, "training:");
        const char *other = rg_recipe_text(want), *stop = strstr(other, "training:");
        if (end - text != stop - other || memcmp(text, other, (size_t)(end - text)) != 0)
            fail_msg("%s\n%s\nis not\n%s", cases[k].model, text, other);
        rg_recipe_free(recipe);
        rg_recipe_free(want);
        rg_baseline_free(baseline);
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
        {"{model: gin, training: {batch: 0}}",
         "m:1:32: found '0', expected a whole number from 1 on"},
        {"{model: message-passing}", "m:1:1: found no key 'layers', expected a list of layers"},
        {"{model: message-passing, layers: 3}",
         "m:1:34: found '3', expected a list of 1..64 layers"},
        {LIST "  - gin: 4\n",
         "m:3:3: found no layer 'pool', expected one: the task is graph classification"},
        {LIST "  - pool: sum\n  - gin: 4\n",
         "m:4:5: found 'gin' after a pooling, expected it before: there are no nodes any more"},
        {LIST "  - pool: sum\nfeatures: [constant, degree]\n",
         "m:3:3: found no layer with weights, expected one: end with 'dense: auto'"},
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
        {LIST "  - gin: 4\n  - pool: sum\n",
         "network: layer 2: the network has 4 outputs, and the task (classification) needs 2"},
        {LIST "  - gin: 4\n  - gcn: 5\n    residual: true\n  - pool: sum\n  - dense: auto\n",
         "network: layer 2: 'residual' needs outputs of the same shape as the inputs"},
        {"{model: dgcnn, layers: 2, width: 2147, k: 1000000}",
         "network: layer 5: sort-pool keeps 1000000 rows of 4295 channels, expected a whole number "
         "of rows from 2 on and fewer than 2^31 values"},
    };
    rg_dataset *data = gnn_random_dataset(4, 5, false);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_baseline *baseline = gnn_baseline(cases[k].model);
        rg_recipe *recipe = NULL;
        rg_spec *spec = NULL;
        rg_network *net = NULL;
        rg_error told = {""};
        rg_status status = rg_baseline_recipe(&recipe, baseline, &told);
        if (!status)
            status = rg_recipe_spec(&spec, recipe, &told);
        if (!status)
            status = rg_network_build(&net, NULL, spec, &(rg_source){.graphs = data},
                                      &(rg_build_options){.n_threads = 1}, &told);
        assert_int_equal(status, RG_EDATA);
        assert_string_equal(told.message, cases[k].message);
        rg_recipe_free(recipe);
        rg_baseline_free(baseline);
    }
    rg_dataset_free(data);
}

/* ---- odd data */

/* Empty graphs, single nodes and graphs without edges, alone in their batches. */
static void graphs_without_nodes_or_edges_are_fine(void **state)
{
    test_graph graphs[6];
    const int64_t classes[] = {0, 1, 0, 1, 0, 1};
    uint32_t list[] = {0, 1, 2, 3, 4, 5}, samples[6];
    rg_fold fold = {.train = {list, 4}, .validation = {list + 4, 1}, .test = {list, 6}};
    (void)state;
    for (uint32_t g = 0; g < 6; g++)
        graphs[g] = test_graph_new(g / 2);
    rg_dataset *data = gnn_dataset(graphs, 6, classes);
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        float numbers[12];
        if (strstr(gnn_models[m], "rule: ")) /* of which no pair is there */
            continue;
        gnn_run r =
            gnn_run_open(gnn_models[m], "epochs: 3, batch: 1", data, &fold, 0, rg_cpu_best());
        gnn_run_finish(&r);
        ASSERT_OK(rg_trainer_predict(r.trainer, &fold.test, samples, numbers, 1, 6, err));
        assert_int_equal(r.run.epochs, 3);
        assert_true(isfinite(r.run.train_loss) && isfinite(r.run.test_loss));
        for (size_t k = 0; k < 12; k++)
            assert_true(numbers[k] >= 0 && numbers[k] <= 1);
        gnn_run_close(&r);
    }
    rg_dataset_free(data);
    for (uint32_t g = 0; g < 6; g++)
        test_graph_free(&graphs[g]);
}

/* No node at all, so nothing to norm. */
static void a_set_of_empty_graphs_is_fine(void **state)
{
    static const char *const texts[] = {
        "{model: gin, layers: 2, width: 3, features: constant}",
        "{model: graphsage, layers: 2, width: 3, aggregation: max, features: degree}",
        "{model: dgcnn, layers: 1, width: 3, k: 10, dense: 4, features: constant}",
    };
    test_graph graphs[4];
    const int64_t classes[] = {0, 1, 0, 1};
    uint32_t list[] = {0, 1, 2, 3};
    rg_fold fold = {.train = {list, 4}, .test = {list, 4}};
    (void)state;
    for (uint32_t g = 0; g < 4; g++)
        graphs[g] = test_graph_new(0);
    rg_dataset *data = test_dataset(graphs, 4, &(test_columns){.classes = classes});
    for (size_t m = 0; m < sizeof texts / sizeof *texts; m++) {
        rg_run run = gnn_train(texts[m], "epochs: 2", data, &fold);
        assert_true(run.epochs == 2 && run.test_score == 0.5);
    }
    rg_dataset_free(data);
    for (uint32_t g = 0; g < 4; g++)
        test_graph_free(&graphs[g]);
}

static void one_class_in_the_training_part_is_what_is_said(void **state)
{
    rg_dataset *data = gnn_random_dataset(20, 8, false);
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
    rg_run run = gnn_train("{model: gin, layers: 1, width: 8, dropout: 0}",
                           "epochs: 40, best: last", data, &fold);
    assert_true(run.train_score == 1);
    assert_true(fabs(run.test_score - (double)right / 20) < 1e-9);
    assert_true(isnan(run.validation_score));
    rg_dataset_free(data);
}

static void networks_learn_what_they_can_see(void **state)
{
    static const char *const texts[] = {
        "{model: gin, layers: 1, width: 16, dropout: 0}",
        "{model: graphsage, layers: 2, width: 16, aggregation: add}",
        "{model: gcn, layers: 2, width: 16}",
        "{model: gsn, layers: 1, width: 16, dropout: 0}",
        "{model: dgcnn, layers: 2, width: 16, dropout: 0}",
    };
    rg_dataset *data = gnn_random_dataset(60, 9, false);
    uint32_t list[60];
    rg_fold fold = {.train = {list, 60}};
    (void)state;
    for (uint32_t g = 0; g < 60; g++)
        list[g] = g;
    for (size_t m = 0; m < sizeof texts / sizeof *texts; m++) {
        rg_run run = gnn_train(texts[m], "epochs: 150, lr: 0.01, batch: 10", data, &fold);
        if (run.train_score < 0.9)
            fail_msg("%s: accuracy %g on what it has seen", texts[m], run.train_score);
        assert_true(run.best_epoch >= 1 && run.best_epoch <= 150);
    }
    rg_dataset_free(data);
}

/* What stands on features has no gradient to hand on to. */
static void layers_that_stand_on_features_are_fine(void **state)
{
    static const char *const texts[] = {
        "{model: message-passing, features: [constant, degree], layers: [{dense: 2, residual: "
        "true}, {pool: sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{gcn: 2, residual: true}, "
        "{pool: sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{norm: batch}, {pool: "
        "sum}, {dense: auto}]}",
        "{model: message-passing, features: [constant, degree], layers: [{pool: sum}, {norm: "
        "batch}, {dense: auto}]}",
    };
    rg_dataset *data = gnn_random_dataset(12, 6, false);
    uint32_t list[12];
    rg_fold fold = {.train = {list, 8}, .test = {list + 8, 4}};
    (void)state;
    for (uint32_t g = 0; g < 12; g++)
        list[g] = g;
    for (size_t m = 0; m < sizeof texts / sizeof *texts; m++) {
        rg_run run = gnn_train(texts[m], "epochs: 3, batch: 4", data, &fold);
        assert_int_equal(run.epochs, 3);
        assert_true(isfinite(run.train_loss) && isfinite(run.test_loss));
    }
    rg_dataset_free(data);
}

static void patience_ends_a_run(void **state)
{
    rg_dataset *data = gnn_random_dataset(20, 8, false);
    uint32_t list[20];
    rg_fold fold = {.train = {list, 14}, .validation = {list + 14, 6}, .test = {list + 14, 6}};
    (void)state;
    for (uint32_t g = 0; g < 20; g++)
        list[g] = g;
    gnn_run r = gnn_run_open("{model: gin, layers: 1, width: 4}",
                             "epochs: 500, patience: 3, best: loss", data, &fold, 0, rg_cpu_best());
    gnn_run_finish(&r);
    assert_true(r.run.stopped && !r.run.failed);
    assert_int_equal(r.run.epochs, r.run.best_epoch + 4);
    /* the weights of the best epoch are those that are measured */
    assert_true(r.run.validation_loss ==
                rg_trainer_report(r.trainer, r.run.best_epoch, 0)->validation_loss);
    assert_true(r.run.test_loss == r.run.validation_loss);
    gnn_run_close(&r);
    rg_dataset_free(data);
}

static void a_loss_that_is_no_number_is_told(void **state)
{
    rg_dataset *data = gnn_random_dataset(8, 6, false);
    uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
    rg_fold fold = {.train = {list, 8}};
    rg_error err = {""};
    gnn_run r = gnn_run_open("{model: graphsage, aggregation: add}",
                             "lr: 1e30, epochs: 5, batch: 2", data, &fold, 0, rg_cpu_best());
    (void)state;
    assert_int_equal(rg_trainer_epoch(r.trainer, &err), RG_EFAIL);
    assert_string_equal(
        err.message,
        "training: the loss is not a number in epoch 1; a smaller 'lr' or 'clip' may help");
    gnn_run_close(&r);
    rg_dataset_free(data);
}

/* ---- memory */

typedef struct gnn_sweep {
    const char *model;
    const rg_dataset *data;
} gnn_sweep;

/* From the text to predictions. */
static rg_status all_of_it(void *context, rg_error *err)
{
    const gnn_sweep *s = context;
    rg_baseline *baseline = NULL;
    rg_recipe *recipe = NULL;
    rg_status status = rg_baseline_parse(&baseline, "model", s->model, strlen(s->model), err);
    if (!status)
        status = rg_baseline_recipe(&recipe, baseline, err);
    if (!status)
        status = models_all_the_way(recipe, s->data, err);
    rg_recipe_free(recipe);
    rg_baseline_free(baseline);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    rg_dataset *data = gnn_random_dataset(4, 5, false);
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m += 6) {
        char *model = gnn_with_training(gnn_models[m], "epochs: 1, class_weights: balanced");
        gnn_sweep s = {.model = model, .data = data};
        assert_true(test_allocation_sweep(all_of_it, &s) > 10);
        free(model);
    }
    rg_dataset_free(data);
}

static void nothing_is_allocated_in_an_epoch(void **state)
{
    rg_dataset *data = gnn_random_dataset(6, 5, false);
    uint32_t list[] = {0, 1, 2, 3, 4, 5};
    rg_fold fold = {.train = {list, 4}, .validation = {list + 4, 2}};
    (void)state;
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        gnn_run r =
            gnn_run_open(gnn_models[m], "epochs: 2, batch: 3", data, &fold, 0, rg_cpu_best());
        rg_fault_set(RG_FAULT_ALLOC, 0);
        trainer_train(r.trainer, 2);
        assert_int_equal(rg_trainer_epochs(r.trainer), 2);
        assert_int_equal(rg_fault_calls(RG_FAULT_ALLOC), 0);
        gnn_run_close(&r);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_form_reads_back_as_itself),
        cmocka_unit_test(models_stand_for_network_files),
        cmocka_unit_test(network_files_of_models_are_known),
        cmocka_unit_test(defaults_are_those_of_the_fair_comparison),
        cmocka_unit_test(wrong_settings_are_told_with_their_place),
        cmocka_unit_test(networks_that_do_not_fit_are_told),
        cmocka_unit_test(graphs_without_nodes_or_edges_are_fine),
        cmocka_unit_test(a_set_of_empty_graphs_is_fine),
        cmocka_unit_test(one_class_in_the_training_part_is_what_is_said),
        cmocka_unit_test(networks_learn_what_they_can_see),
        cmocka_unit_test(layers_that_stand_on_features_are_fine),
        cmocka_unit_test(patience_ends_a_run),
        cmocka_unit_test(a_loss_that_is_no_number_is_told),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(nothing_is_allocated_in_an_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
