/* test_lasso.c - a penalty that drops whole rules, labels or keys: planted sets, one step by hand, bits. */
#include "support/trainers.h"

#include "base/random.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { GRAPHS = 120, NODES = 8, LABELS = 5 };

/* Rings of 8 nodes. The class says whether more than two nodes have label 2 in the first column; the second
 * column is chance. */
static rg_dataset *planted(void)
{
    static uint32_t sizes[GRAPHS], edges[GRAPHS * NODES][2];
    static int64_t labels[GRAPHS * NODES][2], classes[GRAPHS];
    rg_dataset *data = NULL;
    for (uint32_t g = 0, at = 0; g < GRAPHS; g++) {
        uint32_t wanted = g % 2 ? 3 + g % 3 : g % 3, twos = 0;
        sizes[g] = NODES;
        for (uint32_t k = 0; k < NODES; k++, at++) {
            uint32_t label = rg_random_below(1, 1, at, LABELS - 1);
            labels[at][0] = label < 2 ? label : label + 1;
            labels[at][1] = rg_random_below(1, 2, at, 3);
            edges[at][0] = g * NODES + k;
            edges[at][1] = g * NODES + (k + 1) % NODES;
        }
        for (uint32_t k = 0; twos < wanted; k += 3, twos++)
            labels[g * NODES + k % NODES][0] = 2;
        classes[g] = g % 2;
    }
    const rg_graph_columns columns[] = {
        {RG_NODE_LABEL, {labels, RG_ITEM_I64, GRAPHS * NODES, 2, 0, 0}, NULL},
        {RG_CLASS, {classes, RG_ITEM_I64, GRAPHS, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    arrays.n_graphs = GRAPHS;
    arrays.nodes = (rg_matrix){sizes, RG_ITEM_U32, GRAPHS, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, GRAPHS * NODES, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 2;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

static rg_model *trained(const rg_dataset *data, const char *text, unsigned n_threads,
                         rg_train_report *report)
{
    static uint32_t all[GRAPHS];
    rg_recipe *recipe = test_recipe(text);
    rg_model *model = NULL;
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    rg_source source = {.graphs = data};
    for (uint32_t k = 0; k < GRAPHS; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, 96}, .test = {all + 96, GRAPHS - 96}};
    options.n_threads = n_threads;
    ASSERT_OK(rg_model_train(&model, report, recipe, &source, &fold, &options, err));
    rg_recipe_free(recipe);
    return model;
}

#define TRAINING \
    "training: {epochs: 150, batch: 32, lr: 0.02, patience: none, best: last, schedule: constant"

static const char rules[] = "labels: {a: node, b: node(1), d: degree}\ninput: constant\n"
                            "layers:\n"
                            "  - rule:\n"
                            "      - share b(i), b(j) when dist(i,j) in 1..2\n"
                            "      - share a(i) when i = j\n"
                            "      - share d(i), dist(i,j) when dist(i,j) in 2..3\n"
                            "    bias: share 1\n"
                            "  - aggregate: share out\n";

static rg_rule_left left_of(const rg_model *model, size_t k)
{
    rg_rule_left left;
    ASSERT_OK(rg_model_rule_left(&left, model, k, err));
    return left;
}

static void the_rule_that_matters_is_kept_and_others_go(void **state)
{
    rg_dataset *data = planted();
    char *with = test_format("%s" TRAINING ", lasso: {strength: 0.035, of: rules}}\n", rules);
    char *without = test_format("%s" TRAINING "}\n", rules);
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    rg_model *model = trained(data, with, 1, &report),
             *free_model = trained(data, without, 1, NULL);
    (void)state;
    assert_int_equal(rg_model_n_rules(model), 4);
    assert_true(left_of(model, 1).left == LABELS && left_of(model, 1).keys == LABELS);
    assert_true(left_of(model, 1).norm > 0.1);
    assert_string_equal(left_of(model, 1).rule, "share a(i) when i = j");
    assert_true(left_of(model, 0).left == 0 && left_of(model, 0).norm == 0);
    assert_true(left_of(model, 2).left == 0 && left_of(model, 2).keys > 0);
    assert_true(left_of(model, 3).left == 2 && left_of(model, 3).layer == 1);
    assert_true(report.runs[0].test_score > 0.95);
    for (size_t k = 0; k < 4; k++) /* the penalty did that */
        assert_true(left_of(free_model, k).left == left_of(free_model, k).keys);
    rg_rule_left ignored;
    assert_int_equal(rg_model_rule_left(&ignored, model, 4, &(rg_error){""}), RG_EUSAGE);
    rg_model_free(model);
    rg_model_free(free_model);
    rg_dataset_free(data);
    free(with);
    free(without);
}

static void the_label_that_matters_is_kept_and_others_go(void **state)
{
    static const char *const ways[] = {"labels", "keys"};
    rg_dataset *data = planted();
    (void)state;
    for (size_t way = 0; way < 2; way++) {
        char *text = test_format(
            "labels: {a: node}\ninput: constant\n"
            "layers:\n"
            "  - {rule: \"share a(i), dist(i,j) when dist(i,j) in 0..1\", bias: share 1}\n"
            "  - aggregate: share out\n" TRAINING ", lasso: {strength: 0.05, of: %s}}\n",
            ways[way]);
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        rg_model *model = trained(data, text, 1, &report);
        const rg_net_rule *rule = &model->net->layers[0].rules[0];
        const rg_labeling *labels = model->net->labelings[0];
        size_t n = 0;
        for (size_t k = 0; k < rg_rule_keys_size(rule->keys); k++) {
            char words[64];
            ASSERT_OK(rg_labeling_describe(words, sizeof words, labels,
                                           (uint32_t)rg_rule_keys_data(rule->keys)[2 * k], err));
            bool matters = strcmp(words, "node label 2") == 0;
            n += rg_model_weight(model, rule->at + k) != 0;
            if (!matters)
                assert_true(rg_model_weight(model, rule->at + k) == 0);
        }
        assert_true(way == 0 ? n == 2 : n >= 1 && n <= 2);
        assert_int_equal(left_of(model, 0).left, n);
        assert_true(report.runs[0].test_score > 0.95);
        rg_model_free(model);
        free(text);
    }
    rg_dataset_free(data);
}

/* One step of SGD, then the proximal one, group by group and lane by lane. */
static void a_step_is_that_of_the_formula(void **state)
{
    static const char *const ways[] = {"rules", "labels", "keys"};
    uint32_t numbers[60];
    rg_dataset *data = test_dataset_with_targets(60, 9, 3);
    rg_fold fold = trainer_fold(numbers, 60);
    (void)state;
    for (size_t way = 0; way < 3; way++) {
        const char *net =
            "labels: {a: node, d: degree}\ntask: classification\n"
            "layers:\n  - rule: [\"share a(i), d(j) when edge(i,j)\", share a(i) when i = j]\n"
            "    heads: 2\n"
            "  - aggregate: share out, a(i)\n"
            "training: {epochs: 2, batch: 200, optimiser: sgd, momentum: 0, lr: 0.5, precision: "
            "double";
        char *with = test_format("%s, lasso: {strength: 0.1, of: %s}}\n", net, ways[way]);
        char *without = test_format("%s}\n", net);
        test_network a = test_network_open(with, data), b = test_network_open(without, data);
        rg_trainer *x = trainer_open(&a, &fold, 4, 0, rg_cpu_best());
        rg_trainer *y = trainer_open(&b, &fold, 4, 0, rg_cpu_best());
        trainer_train(x, 1);
        trainer_train(y, 1);
        double *got = x->w, *w = y->w;
        for (size_t l = 0; l < 2; l++)
            for (size_t r = 0; r < a.net->layers[l].n_rules; r++) {
                const rg_net_rule *rule = &a.net->layers[l].rules[r];
                size_t n = rg_rule_keys_size(rule->keys), each = rule->n_params / n;
                size_t width = rg_rule_keys_width(rule->keys);
                const int64_t *keys = rg_rule_keys_data(rule->keys);
                for (size_t k = 0; k < n; k++)
                    for (size_t lane = 0; lane < 4; lane++) {
                        double square = 0, size = 0;
                        for (size_t o = 0; o < n; o++) {
                            bool same = (way == 0) ||
                                        (way == 1 && keys[o * width] == keys[k * width]) || o == k;
                            for (size_t p = 0; same && p < each; p++, size++)
                                square += pow(w[(rule->at + o * each + p) * 4 + lane], 2);
                        }
                        bool alone = way == 0 && a.net->layers[l].n_rules == 1;
                        double factor =
                            alone ? 1 : fmax(0, 1 - 0.5 * 0.1 * sqrt(size) / sqrt(square));
                        for (size_t p = 0; p < each; p++) {
                            size_t at = (rule->at + k * each + p) * 4 + lane;
                            assert_true(test_near(got[at], factor * w[at], 1e-12, 1e-9));
                        }
                    }
            }
        rg_trainer_free(x);
        rg_trainer_free(y);
        test_network_close(&a);
        test_network_close(&b);
        free(with);
        free(without);
    }
    rg_dataset_free(data);
}

static void threads_and_parts_give_the_same_bits(void **state)
{
    rg_dataset *data = planted();
    char *text = test_format(
        "%straining: {epochs: 5, batch: 32, parts: 4, lasso: {strength: 0.01, of: labels}}\n",
        rules);
    rg_model *one = trained(data, text, 1, NULL), *many = trained(data, text, 3, NULL);
    (void)state;
    for (size_t k = 0; k < one->net->n_params; k++)
        assert_true(rg_model_weight(one, k) == rg_model_weight(many, k));
    rg_model_free(one);
    rg_model_free(many);
    rg_dataset_free(data);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_that_matters_is_kept_and_others_go),
        cmocka_unit_test(the_label_that_matters_is_kept_and_others_go),
        cmocka_unit_test(a_step_is_that_of_the_formula),
        cmocka_unit_test(threads_and_parts_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
