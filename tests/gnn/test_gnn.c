/* test_gnn.c - message passing networks by name: what is true of all networks. */
#include "gnns.h"
#include "support/passes.h"

enum { MOST = 60 }; /* parameters of a network whose gradients are checked */

static void each_network(void (*check)(const char *text, const rg_dataset *data))
{
    rg_dataset *data = gnn_random_dataset(9, 14, true);
    for (size_t m = 0; m < N_GNN_MODELS; m++) {
        rg_recipe *recipe = gnn_recipe(gnn_models[m], "precision: double");
        check(rg_recipe_text(recipe), data);
        rg_recipe_free(recipe);
    }
    rg_dataset_free(data);
}

static void check_gradient(const char *text, const rg_dataset *data)
{
    test_pass_check_gradient(text, data, MOST);
}

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    each_network(check_gradient);
}

static void gradients_add_up(void **state)
{
    (void)state;
    each_network(test_pass_check_sums);
}

static void outputs_are_those_of_loops_over_all_nodes(void **state)
{
    (void)state;
    each_network(test_pass_check_outputs);
}

static void check_colours(const char *text, const rg_dataset *data)
{
    size_t saved = test_pass_check_colours(text, data);
    assert_true(saved > 0 || strstr(text, "attributes"));
}

static void networks_are_the_same_with_a_row_for_every_node(void **state)
{
    (void)state;
    each_network(check_colours);
}

static void outputs_do_not_depend_on_node_order(void **state)
{
    (void)state;
    each_network(test_pass_check_order);
}

static void graphs_of_a_batch_do_not_see_each_other(void **state)
{
    (void)state;
    each_network(test_pass_check_groups);
}

static void gradients_have_the_same_bits_in_every_table(void **state)
{
    (void)state;
    each_network(test_pass_check_tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(outputs_are_those_of_loops_over_all_nodes),
        cmocka_unit_test(networks_are_the_same_with_a_row_for_every_node),
        cmocka_unit_test(outputs_do_not_depend_on_node_order),
        cmocka_unit_test(graphs_of_a_batch_do_not_see_each_other),
        cmocka_unit_test(gradients_have_the_same_bits_in_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
