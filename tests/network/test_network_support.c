/* test_network_support.c - "support: N": keys that occur in fewer training graphs have no weight. */
#include "support/networks.h"
#include "support/rule_twin.h"

#include <string.h>

enum { GRAPHS = 24, TRAIN = 16 };

#define TEXT                                                               \
    "task: classification\ninput: constant\nlayers:\n"                     \
    "  - rule: share node(i), node(j), dist(i,j) when dist(i,j) in 0..3\n" \
    "    support: %u\n"                                                    \
    "    bias: share node(i)\n"                                            \
    "  - aggregate: share out, node(i)\n"

static rg_status build(rg_network **out, const rg_dataset *data, unsigned support, rg_error *err)
{
    rg_settings settings;
    rg_source source = {.graphs = data};
    uint32_t train[TRAIN];
    char *text = test_format(TEXT, support);
    rg_build_options o = {.n_threads = 1, .train = train, .n_train = TRAIN};
    for (uint32_t k = 0; k < TRAIN; k++)
        train[k] = GRAPHS - 1 - k;
    rg_spec *spec = NULL;
    rg_status status = rg_network_file_parse(&spec, &settings, "net.yml", text, strlen(text), err);
    free(text);
    return status ? status : rg_network_build(out, NULL, spec, &source, &o, err);
}

/* In how many training graphs a key occurs, and in how many pairs of all graphs: pair by pair. */
static size_t occurs(size_t *pairs, const rg_dataset *data, const rg_rule *rule, const int64_t *key,
                     size_t width)
{
    size_t graphs = 0;
    *pairs = 0;
    for (uint32_t g = 0; g < GRAPHS; g++) {
        rg_rule_input input = {.size = sizeof input, .data = data, .graphs = &g, .n_graphs = 1};
        number_list all = rule_twin(rule, &input);
        size_t before = *pairs;
        for (size_t at = 0; at < all.n; at++) {
            if (all.values[at] == ROW_END)
                continue;
            *pairs += memcmp(all.values + at + 1, key, width * sizeof *key) == 0;
            at += width;
        }
        graphs += g >= GRAPHS - TRAIN && *pairs > before;
        free(all.values);
    }
    return graphs;
}

static void keys_that_occur_often_enough_have_weights(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(GRAPHS, 9, 5);
    rg_network *all = NULL;
    ASSERT_OK(build(&all, data, 1, err));
    const rg_net_rule *from = &all->layers[0].rules[0];
    size_t n = rg_rule_keys_size(from->keys), width = rg_rule_keys_width(from->keys), pairs;
    for (unsigned support = 2; support <= 8; support += 3) {
        rg_network *some = NULL;
        ASSERT_OK(build(&some, data, support, err));
        const rg_net_rule *to = &some->layers[0].rules[0];
        size_t kept = 0, connections = 0;
        for (size_t k = 0; k < n; k++) {
            const int64_t *key = rg_rule_keys_data(from->keys) + k * width;
            if (occurs(&pairs, data, from->rule, key, width) < support)
                continue;
            assert_true(kept < rg_rule_keys_size(to->keys));
            assert_memory_equal(rg_rule_keys_data(to->keys) + kept++ * width, key,
                                width * sizeof *key);
            connections += pairs;
        }
        assert_int_equal(kept, rg_rule_keys_size(to->keys));
        assert_true(kept > 0 && (kept < n || support < 8));
        assert_true(to->facts.connections == (double)connections);
        assert_int_equal(rg_rule_keys_size(all->layers[0].bias.keys),
                         rg_rule_keys_size(some->layers[0].bias.keys));
        rg_network_free(some);
    }
    rg_network_free(all);
    rg_dataset_free(data);
}

static void too_much_support_is_refused(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(GRAPHS, 9, 5);
    rg_network *net = NULL;
    rg_error err = {""};
    assert_int_equal(build(&net, data, 17, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "network: line 4, layer 1: no key of the rule"));
    assert_non_null(strstr(err.message, "occurs in 17 training graphs"));
    rg_dataset_free(data);
}

static rg_status build_once(void *context, rg_error *err)
{
    rg_network *net = NULL;
    rg_status status = build(&net, context, 2, err);
    rg_network_free(net);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_classes(GRAPHS, 6, 5);
    assert_true(test_allocation_sweep(build_once, data) > 50);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_occur_often_enough_have_weights),
        cmocka_unit_test(too_much_support_is_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
