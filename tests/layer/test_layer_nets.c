/* test_layer_nets.c - every layer in a network: outputs against loops over all nodes, gradients against
 * central differences, in batches and alone, with rows that nodes share. */
#include "base/alloc.h"
#include "layer_nets.h"
#include "support/passes.h"
#include "support/trainers.h"

enum { MOST = 70 }; /* parameters of a network whose gradients are checked */

static rg_dataset *small_set(void)
{
    return test_dataset_with_targets(16, 7, 11);
}

static void each_net(void (*check)(const char *text, const rg_dataset *data))
{
    rg_dataset *data = small_set();
    for (size_t k = 0; k < layer_nets_n(); k++)
        check(layer_nets_at(k)->text, data);
    rg_dataset_free(data);
}

/* Who adds a layer adds a network with it. */
static void every_layer_of_the_table_is_in_one_of_the_networks(void **state)
{
    rg_dataset *data = small_set();
    bool there[64] = {false};
    (void)state;
    assert_true(rg_layer_n_kinds() <= 64);
    for (size_t n = 0; n < layer_nets_n(); n++) {
        test_pass p = test_pass_open(layer_nets_at(n)->text, data);
        const rg_network *net = p.n.net;
        assert_int_equal(net->batched, layer_nets_at(n)->batched);
        for (size_t k = 0; k < rg_layer_n_kinds(); k++) {
            for (size_t l = 0; l < net->n_layers; l++)
                there[k] |= net->layers[l].kind == rg_layer_kind_at(k);
            for (size_t l = 0; l < net->spec->n_layers; l++)
                there[k] |= net->spec->layers[l].kind == rg_layer_kind_at(k);
        }
        test_pass_close(&p);
    }
    for (size_t k = 0; k < rg_layer_n_kinds(); k++)
        if (!there[k] &&
            rg_layer_kind_at(k) != &rg_layer_window) /* of shapes: test_network_gradients.c */
            fail_msg("no network of layer_nets.c has the layer '%s'", rg_layer_kind_at(k)->name);
    rg_dataset_free(data);
}

static void the_normal_form_reads_back_as_itself(void **state)
{
    (void)state;
    for (size_t k = 0; k < layer_nets_n(); k++) {
        rg_settings settings;
        rg_spec *one = test_spec(&settings, layer_nets_at(k)->text), *other;
        char *first = NULL, *second = NULL;
        ASSERT_OK(rg_spec_print(&first, one, err));
        other = test_spec(&settings, first);
        ASSERT_OK(rg_spec_print(&second, other, err));
        assert_string_equal(first, second);
        assert_int_equal(one->n_layers, other->n_layers);
        for (size_t l = 0; l < one->n_layers; l++) {
            const rg_layer_spec *a = &one->layers[l], *b = &other->layers[l];
            assert_ptr_equal(a->kind, b->kind);
            assert_memory_equal(a->own, b->own, sizeof a->own);
            assert_true(a->n_from == b->n_from && a->every == b->every && a->width == b->width);
            assert_true(a->residual == b->residual && a->activation == b->activation);
        }
        rg_free(first);
        rg_free(second);
        rg_spec_free(one);
        rg_spec_free(other);
    }
}

static void outputs_are_those_of_loops_over_all_nodes(void **state)
{
    (void)state;
    each_net(test_pass_check_outputs);
}

static void check_gradient(const char *text, const rg_dataset *data)
{
    test_pass_check_gradient(text, data, MOST);
}

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    each_net(check_gradient);
}

static void gradients_add_up(void **state)
{
    (void)state;
    each_net(test_pass_check_sums);
}

static void graphs_of_a_batch_do_not_see_each_other(void **state)
{
    (void)state;
    each_net(test_pass_check_groups);
}

static void what_is_drawn_for_a_sample_does_not_depend_on_others(void **state)
{
    (void)state;
    each_net(test_pass_check_draws);
}

/* Layers that need no batches train several runs at once. */
static void lanes_have_the_bits_of_runs_alone(void **state)
{
    enum { GRAPHS = 30 };
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 7, 11);
    uint32_t numbers[GRAPHS];
    rg_fold fold = trainer_fold(numbers, GRAPHS);
    size_t n_seen = 0;
    (void)state;
    for (size_t k = 0; k < layer_nets_n(); k++) {
        if (layer_nets_at(k)->batched)
            continue;
        char *text = test_format("%straining: {epochs: 2, batch: 5}\n", layer_nets_at(k)->text);
        test_network n = test_network_open(text, data);
        rg_trainer *many = trainer_open(&n, &fold, 4, 0, rg_cpu_best());
        trainer_train(many, 2);
        for (uint32_t l = 0; l < 4; l++) {
            rg_trainer *one = trainer_open(&n, &fold, 1, l, rg_cpu_best());
            trainer_train(one, 2);
            trainer_compare(many, l, one, 0);
            rg_trainer_free(one);
        }
        rg_trainer_free(many);
        test_network_close(&n);
        free(text);
        n_seen++;
    }
    assert_true(n_seen >= 2);
    rg_dataset_free(data);
}

static void outputs_do_not_depend_on_the_order_of_nodes(void **state)
{
    (void)state;
    each_net(test_pass_check_order);
}

static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    each_net(test_pass_check_tables);
}

static void networks_are_the_same_with_a_row_for_every_node(void **state)
{
    rg_dataset *data = small_set();
    size_t saved = 0;
    (void)state;
    for (size_t k = 0; k < layer_nets_n(); k++)
        if (layer_nets_at(k)->batched)
            saved += test_pass_check_colours(layer_nets_at(k)->text, data);
    assert_true(saved > 500); /* the set has nodes that are alike */
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_of_the_table_is_in_one_of_the_networks),
        cmocka_unit_test(the_normal_form_reads_back_as_itself),
        cmocka_unit_test(outputs_are_those_of_loops_over_all_nodes),
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(graphs_of_a_batch_do_not_see_each_other),
        cmocka_unit_test(what_is_drawn_for_a_sample_does_not_depend_on_others),
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(outputs_do_not_depend_on_the_order_of_nodes),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(networks_are_the_same_with_a_row_for_every_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
