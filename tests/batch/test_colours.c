/* test_colours.c - colours of nodes against their definition. */
#include "batch/colours.h"
#include "gnn/gnns.h"

/* Are nodes i of graph a and j of graph b alike after so many rounds? By the definition: neighbours
 * must match one to one, and because being alike is an equivalence, the first match will do. */
static bool match(const rg_dataset *data, const uint32_t *ranks, const rg_graph *a, uint32_t i,
                  const rg_graph *b, uint32_t j, uint32_t rounds)
{
    uint64_t degree = a->row[i + 1] - a->row[i];
    bool used[64] = {false};
    if (ranks[a->first_node + i] != ranks[b->first_node + j] || degree != b->row[j + 1] - b->row[j])
        return false;
    assert_true(degree <= 64);
    for (uint64_t k = 0; rounds && k < degree; k++) {
        uint64_t other = 0;
        while (other < degree && (used[other] || !match(data, ranks, a, a->col[a->row[i] + k], b,
                                                        b->col[b->row[j] + other], rounds - 1)))
            other++;
        if (other == degree)
            return false;
        used[other] = true;
    }
    return true;
}

static void kinds_are_those_of_the_definition(void **state)
{
    enum { ROUNDS = 4 };
    rg_dataset *data = gnn_random_dataset(9, 14, true);
    uint32_t n = (uint32_t)rg_dataset_n_nodes(data);
    const uint32_t *ranks = rg_dataset_ranks(data, RG_NODE_LABEL, 0);
    uint32_t *hot = malloc(n * sizeof *hot), shared = 0;
    rg_features features = {.n_nodes = n, .n_hot = 1, .width = n, .hot = hot};
    rg_colouring *colouring = NULL;
    (void)state;
    assert_non_null(hot);
    memcpy(hot, ranks, n * sizeof *hot);
    ASSERT_OK(rg_colouring_build(&colouring, &features, data, ROUNDS, false, err));
    assert_int_equal(colouring->n_rounds, ROUNDS);
    for (size_t g = 0; g < 9; g++)
        for (size_t h = 0; h < 9; h++) {
            rg_graph a = rg_dataset_graph(data, g), b = rg_dataset_graph(data, h);
            for (uint32_t i = 0; i < a.n_nodes; i++)
                for (uint32_t j = 0; j < b.n_nodes; j++)
                    for (uint32_t t = 0; t < ROUNDS; t++) {
                        const uint32_t *of = colouring->rounds[t].of;
                        bool same = of[a.first_node + i] == of[b.first_node + j];
                        assert_int_equal(same, match(data, ranks, &a, i, &b, j, t));
                        shared += same && (g != h || i != j) && t;
                    }
        }
    assert_true(shared > 20); /* the set has something to find */
    for (uint32_t t = 1; t < ROUNDS; t++) {
        const rg_wl_colours *colours = &colouring->rounds[t];
        assert_true(colours->n >= colouring->rounds[t - 1].n && colours->n <= n);
        for (uint32_t k = 0; k < colours->n; k++) {
            uint32_t degree = 0;
            const rg_wl_colour *colour = &colours->colours[k];
            for (uint64_t e = colour->first; e < colour[1].first; e++) {
                degree += colours->entries[e].times;
                assert_true(e == colour->first ||
                            colours->entries[e].colour > colours->entries[e - 1].colour);
            }
            assert_int_equal(degree, colour->degree);
        }
    }
    rg_colouring_free(colouring);
    free(hot);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
