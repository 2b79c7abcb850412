/* test_truth.c - explanations against known causes, worked out by hand. */
#include "support/models.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explain/truth_score.h"
#include "graph/reorder.h"
#include "regula/build.h"

#include <math.h>
#include <string.h>

/* ---- reading */

static rg_dataset *bare_graphs(const uint32_t *nodes, size_t n)
{
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    arrays.n_graphs = n;
    arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, n, 1, 0, 0};
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

static void causes_are_read_line_by_line(void **state)
{
    (void)state;
    static const char text[] = "0 1; 2\n\n3\t1 ;\n;;\n\n";
    static const uint32_t nodes[] = {3, 1, 5, 2};
    rg_dataset *data = bare_graphs(nodes, 4);
    rg_truth *truth = NULL;
    size_t n;
    ASSERT_OK(rg_truth_parse(&truth, "x", text, sizeof text - 1, data, err));
    assert_int_equal(rg_truth_n(truth, 0), 2);
    assert_int_equal(rg_truth_nodes(truth, 0, 1, &n)[0], 2);
    assert_int_equal(n, 1);
    assert_int_equal(rg_truth_n(truth, 1), 0);
    assert_int_equal(rg_truth_n(truth, 2), 1);
    assert_int_equal(rg_truth_nodes(truth, 2, 0, &n)[0], 1);
    assert_int_equal(rg_truth_nodes(truth, 2, 0, &n)[1], 3);
    assert_int_equal(n, 2);
    assert_int_equal(rg_truth_n(truth, 3), 0);
    rg_truth_free(truth);
    rg_dataset_free(data);
}

static void mangled_causes_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"0\n0 x\n",
         "t:2:3: found 'x', expected a node from 0 to 2 that was not named before, or ';'"},
        {"0 0\n1\n",
         "t:1:3: found '0', expected a node from 0 to 2 that was not named before, or ';'"},
        {"0\n3\n",
         "t:2:1: found '3', expected a node from 0 to 2 that was not named before, or ';'"},
        {"99999999999999999999\n",
         "t:1:1: found '99999999999999999999', expected a node from 0 to 2 that was not named "
         "before, or ';'"},
        {"0\n", "t:1: found 1 lines, expected 2: one per graph"},
        {"0\n1\n2\n", "t:3: found a line more, expected 2: one per graph"},
    };
    static const uint32_t nodes[] = {3, 3};
    rg_dataset *data = bare_graphs(nodes, 2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_truth *truth = NULL;
        rg_error why;
        assert_int_equal(
            rg_truth_parse(&truth, "t", cases[k].text, strlen(cases[k].text), data, &why),
            RG_EDATA);
        assert_string_equal(why.message, cases[k].message);
        assert_null(truth);
    }
    rg_dataset_free(data);
}

/* ---- judging */

static void scores_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {4, 4};
    static const uint32_t graphs[] = {0, 1};
    static double values[] = {3, 1, 1, -2, 5, 5, 5, 5};
    static size_t first[] = {0, 4, 8};
    static const char text[] = "0 1\n0; 1 2\n";
    rg_dataset *data = bare_graphs(nodes, 2);
    rg_truth *truth = NULL;
    ASSERT_OK(rg_truth_parse(&truth, "t", text, sizeof text - 1, data, err));
    rg_node_effects effects = {.n_graphs = 2, .first = first, .values = values};
    rg_truth_score score = rg_truth_judge(&effects, truth, graphs);
    /* graph 0: pairs 0-2, 0-3, 1-3 are right, 1-2 tie; the second place is 1 or 2: half a hit, 1.5 of 2.5.
     * graph 1: all tie. {0}: a quarter of a hit, 0.25 / 1.75; {1, 2}: one hit, 1 of 3. */
    assert_int_equal(score.n, 2);
    assert_int_equal(score.n_auroc, 2);
    assert_true(fabs(score.auroc - (0.875 + 0.5) / 2) < 1e-12);
    assert_true(fabs(score.jaccard - (0.6 + 1.0 / 3) / 2) < 1e-12);
    assert_true(fabs(rg_node_effects_agree(&effects, &effects) - 1) < 1e-12);
    rg_truth_free(truth);
    rg_dataset_free(data);
}

static void parts_of_graphs_keep_what_belongs_to_them(void **state)
{
    (void)state;
    models m = models_open(MODELS_CLASSES);
    rg_dataset *part = NULL;
    for (size_t g = 0; g < m.n; g++) {
        rg_graph whole = rg_dataset_graph(m.data, g);
        uint32_t some[3] = {2, 0, 1};
        rg_node_part asked = {(uint32_t)g, some, 3};
        if (whole.n_nodes < 3)
            continue;
        ASSERT_OK(rg_dataset_induce(&part, m.data, &asked, 1, err));
        rg_graph got = rg_dataset_graph(part, 0);
        assert_int_equal(got.n_nodes, 3);
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 0; j < 3; j++) {
                bool there = false, here = false;
                for (uint64_t a = whole.row[some[i]]; a < whole.row[some[i] + 1]; a++)
                    there |= whole.col[a] == some[j];
                for (uint64_t a = got.row[i]; a < got.row[i + 1]; a++)
                    here |= got.col[a] == j;
                assert_int_equal(there, here);
            }
        rg_dataset_free(part);
    }
    models_close(&m);
}

/* ---- measured */

static rg_status measure(void *context, rg_error *err)
{
    const models *m = context;
    rg_explainer *e = NULL;
    rg_node_effects effects = {0};
    rg_fidelity fidelity;
    uint32_t graphs[] = {3, 5, 8, 9};
    double order = 1;
    rg_predict_options options = rg_predict_options_default();
    options.n_threads = 1;
    rg_status status = rg_explainer_new(&e, m->model, NULL, err);
    if (!status)
        status = rg_explainer_read(e, &m->source, &options, err);
    if (!status)
        status = rg_explainer_node_effects(&effects, e, graphs, 4, err);
    if (!status)
        status = rg_explainer_fidelity(&fidelity, e, &effects, graphs, err);
    if (!status)
        status = rg_explainer_order_error(&order, e, &effects, graphs, 7, err);
    if (!status) {
        assert_true(order < 1e-9);
        for (size_t k = 0; k < RG_SPARSITIES; k++)
            assert_true(fabs(fidelity.plus[k]) <= 1 && fabs(fidelity.minus[k]) <= 1);
    }
    rg_node_effects_free(&effects);
    rg_explainer_free(e);
    return status;
}

static void effects_do_not_depend_on_node_order_and_memory_may_fail(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    assert_true(test_allocation_sweep(measure, &m) > 40);
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_are_read_line_by_line),
        cmocka_unit_test(mangled_causes_are_refused_with_their_place),
        cmocka_unit_test(scores_are_those_worked_out_by_hand),
        cmocka_unit_test(parts_of_graphs_keep_what_belongs_to_them),
        cmocka_unit_test(effects_do_not_depend_on_node_order_and_memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
