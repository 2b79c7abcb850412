/* test_places.c - edges, rings and stretches of texts as nodes: known answers, a twin over all subsets, and rules with
 * an output for each of them. */
#include "support/trainers.h"

#include "base/random.h"
#include "graph/dataset.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static rg_dataset *with_places(const rg_dataset *data, const char *places)
{
    rg_dataset *out = NULL;
    ASSERT_OK(rg_dataset_with_places(&out, data, places, err));
    return out;
}

static int64_t label_of(const rg_dataset *data, size_t column, uint64_t node)
{
    size_t n;
    return rg_dataset_values(data, RG_NODE_LABEL, column,
                             &n)[rg_dataset_ranks(data, RG_NODE_LABEL, column)[node]];
}

static void naphthalene_has_eleven_bonds_and_two_rings(void **state)
{
    static const char smiles[] = "C1=CC=C2C=CC=CC2=C1";
    rg_dataset *data = NULL;
    (void)state;
    ASSERT_OK(rg_dataset_from_smiles(&data, "m", smiles, strlen(smiles), NULL, err));
    size_t columns = rg_dataset_n_columns(data, RG_NODE_LABEL), n;
    rg_dataset *places = with_places(data, "edges, rings(6)"),
               *large = with_places(data, "rings(10)");
    rg_graph g = rg_dataset_graph(places, 0), before = rg_dataset_graph(data, 0);
    assert_int_equal(before.n_nodes, 10);
    assert_int_equal(g.n_nodes, 10 + 11 + 2);
    assert_int_equal(rg_dataset_n_arcs(places), 2 * (11 + 22 + 12));
    assert_int_equal(rg_dataset_n_nodes(large), 12); /* the outer ring has a chord */
    assert_int_equal(rg_dataset_n_columns(places, RG_NODE_LABEL), columns + 2);
    assert_string_equal(rg_dataset_column_name(places, RG_NODE_LABEL, columns), "place");
    assert_string_equal(rg_dataset_value_name(places, RG_NODE_LABEL, columns, 1), "edge");
    for (uint32_t i = 0; i < g.n_nodes; i++) {
        int64_t kind = i < 10 ? 0 : i < 21 ? 1 : 2, size = i < 10 ? 1 : i < 21 ? 2 : 6;
        assert_int_equal(label_of(places, columns, i), kind);
        assert_int_equal(label_of(places, columns + 1, i), size);
        assert_true(i < 10 ? label_of(places, 0, i) == label_of(data, 0, i)
                           : label_of(places, 0, i) == 1000000); /* in all data */
        assert_true(i < 10 || g.row[i + 1] - g.row[i] == (uint64_t)size);
    }
    const int64_t *bonds = rg_dataset_values(places, RG_EDGE_LABEL, 0, &n);
    const uint32_t *rank = rg_dataset_ranks(places, RG_EDGE_LABEL, 0);
    for (uint32_t i = 10; i < 21; i++) { /* both joints have the label of the bond */
        assert_int_equal(rank[g.row[i]], rank[g.row[i] + 1]);
        uint32_t u = g.col[g.row[i]], v = g.col[g.row[i] + 1];
        for (uint64_t arc = g.row[u]; arc < g.row[u + 1]; arc++)
            if (g.col[arc] == v)
                assert_int_equal(rank[arc], rank[g.row[i]]);
    }
    for (uint64_t arc = g.row[21]; arc < g.row[23]; arc++)
        assert_int_equal(bonds[rank[arc]], bonds[n - 1]);
    rg_dataset_free(large);
    rg_dataset_free(places);
    rg_dataset_free(data);
}

/* ---- the twin: all subsets of up to 5 nodes whose nodes have two neighbours each, all of them one cycle */

static bool joined(const rg_graph *g, uint32_t i, uint32_t j)
{
    for (uint64_t arc = g->row[i]; arc < g->row[i + 1]; arc++)
        if (g->col[arc] == j)
            return true;
    return false;
}

static bool is_ring(const rg_graph *g, uint32_t set)
{
    uint32_t reached = set & (0 - set), before = 0, n = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t degree = 0;
        n += set >> i & 1;
        for (uint32_t j = 0; j < g->n_nodes; j++)
            degree += (set >> i & 1) && (set >> j & 1) && joined(g, i, j);
        if ((set >> i & 1) && degree != 2)
            return false;
    }
    while (reached != before) {
        before = reached;
        for (uint32_t i = 0; i < g->n_nodes; i++)
            for (uint32_t j = 0; j < g->n_nodes; j++)
                if ((before >> i & 1) && (set >> j & 1) && joined(g, i, j))
                    reached |= 1u << j;
    }
    return reached == set && n >= 3 && n <= 5;
}

static void rings_are_those_of_all_subsets(void **state)
{
    rg_dataset *data = test_dataset_with_targets(60, 9, 4), *places = with_places(data, "rings(5)");
    size_t n_rings = 0;
    (void)state;
    for (size_t k = 0; k < 60; k++) {
        rg_graph g = rg_dataset_graph(data, k), p = rg_dataset_graph(places, k);
        bool found[1 << 9] = {false};
        for (uint32_t i = g.n_nodes; i < p.n_nodes; i++) {
            uint32_t set = 0;
            for (uint64_t arc = p.row[i]; arc < p.row[i + 1]; arc++)
                set |= 1u << p.col[arc];
            assert_false(found[set]); /* each once */
            found[set] = true;
        }
        for (uint32_t set = 0; set < 1u << g.n_nodes; set++) {
            assert_true(found[set] == (set && is_ring(&g, set)));
            n_rings += found[set];
        }
        for (uint32_t i = 0; i < g.n_nodes; i++)
            for (uint32_t j = 0; j < g.n_nodes; j++)
                assert_true(joined(&g, i, j) == joined(&p, i, j));
    }
    assert_true(n_rings > 30);
    for (int kind = RG_CLASS; kind <= RG_TARGET; kind++) /* targets stay */
        assert_int_equal(rg_dataset_n_columns(places, (rg_column)kind),
                         rg_dataset_n_columns(data, (rg_column)kind));
    rg_dataset_free(places);
    rg_dataset_free(data);
}

/* ---- an output for each edge */

enum { GRAPHS = 100, NODES = 8 };

/* Rings with chords whose nodes have a number; the target is the sum over edges of max(0, x_i + x_j - 1). */
static rg_dataset *sums(void)
{
    static uint32_t sizes[GRAPHS], edges[GRAPHS * (NODES + 3)][2];
    static double x[GRAPHS * NODES], y[GRAPHS];
    rg_dataset *data = NULL;
    size_t n = 0;
    for (uint32_t g = 0; g < GRAPHS; g++) {
        sizes[g] = NODES;
        y[g] = 0;
        for (uint32_t k = 0; k < NODES; k++)
            x[g * NODES + k] = rg_random_unit(3, 1, g * NODES + k);
        for (uint32_t k = 0; k < NODES + g % 4; k++, n++) {
            uint32_t i = k % NODES, j = k < NODES ? (k + 1) % NODES : (k + 3) % NODES;
            edges[n][0] = g * NODES + i;
            edges[n][1] = g * NODES + j;
            y[g] += fmax(0, x[g * NODES + i] + x[g * NODES + j] - 1);
        }
    }
    const rg_graph_columns columns[] = {
        {RG_NODE_ATTRIBUTE, {x, RG_ITEM_F64, GRAPHS * NODES, 1, 0, 0}, NULL},
        {RG_TARGET, {y, RG_ITEM_F64, GRAPHS, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    arrays.n_graphs = GRAPHS;
    arrays.nodes = (rg_matrix){sizes, RG_ITEM_U32, GRAPHS, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, n, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 2;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

#define TRAINING                                                                      \
    "training: {epochs: 300, batch: 10, lr: 0.02, schedule: cosine, patience: none, " \
    "precision: double, start: fan-in}\n"

#define BY_EDGES(heads)                                                  \
    "labels: {place: node(0)}\n"                                         \
    "task: regression\n"                                                 \
    "input: attributes\n"                                                \
    "layers:\n"                                                          \
    "  - rule: share 1 when edge(i,j) and node(i) = 1 and node(j) = 0\n" \
    "    bias: share place(i)\n"                                         \
    "    activation: relu\n"                                             \
    "    heads: " heads "\n"                                             \
    "  - aggregate: share out, place(i)\n"                               \
    "    by: sum\n" TRAINING

static const char by_nodes[] =
    "labels: {d: degree}\n"
    "task: regression\n"
    "input: attributes\n"
    "layers:\n"
    "  - rule: [\"share d(i) when i = j\", \"share d(i), d(j) when edge(i,j)\"]\n"
    "    bias: share d(i)\n"
    "    activation: relu\n"
    "    heads: 4\n"
    "  - aggregate: share out, d(i)\n"
    "    by: sum\n" TRAINING;

static void weights_by_hand_give_the_sum_over_edges(void **state)
{
    rg_dataset *data = sums(), *places = with_places(data, "edges");
    test_network n = test_network_open(BY_EDGES("1"), places);
    double *w = calloc(n.net->n_params, sizeof *w);
    const double *y = rg_dataset_reals(data, RG_TARGET);
    (void)state;
    assert_non_null(w);
    for (size_t l = 0; l < 2; l++) {
        const rg_net_layer *layer = &n.net->layers[l];
        const rg_net_rule *by_place = l ? &layer->rules[0] : &layer->bias;
        const int64_t *keys = rg_rule_keys_data(by_place->keys);
        if (!l)
            w[layer->rules[0].at] = 1;
        for (size_t k = 0; k < rg_rule_keys_size(by_place->keys); k++) {
            char words[64];
            ASSERT_OK(rg_labeling_describe(
                words, sizeof words, n.net->labelings[0],
                (uint32_t)keys[(k + 1) * rg_rule_keys_width(by_place->keys) - 1], err));
            bool edge = strcmp(words, "node label 1") == 0;
            w[by_place->at + k] = edge ? (l ? 1 : -1) : 0;
        }
    }
    for (size_t s = 0; s < GRAPHS; s++) {
        size_t size;
        double *z = test_network_outputs(&size, &n, w, s);
        assert_int_equal(size, 1);
        assert_true(test_near(z[0], y[s], 1e-12, 1));
        free(z);
    }
    free(w);
    test_network_close(&n);
    rg_dataset_free(places);
    rg_dataset_free(data);
}

static double error_of(const rg_dataset *data, const char *text)
{
    static uint32_t all[GRAPHS];
    rg_recipe *recipe = test_recipe(text);
    rg_model *model = NULL;
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    rg_source source = {.graphs = data};
    for (uint32_t k = 0; k < GRAPHS; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, 80}, .test = {all + 80, GRAPHS - 80}};
    ASSERT_OK(rg_model_train(&model, &report, recipe, &source, &fold, NULL, err));
    rg_model_free(model);
    rg_recipe_free(recipe);
    return report.runs[0].test_score;
}

static void outputs_of_edges_learn_what_outputs_of_nodes_cannot(void **state)
{
    rg_dataset *data = sums(), *places = with_places(data, "edges");
    double edges = error_of(places, BY_EDGES("4")), nodes = error_of(data, by_nodes);
    (void)state;
    print_message("mean absolute error on test graphs: edges %.4f, nodes %.4f\n", edges, nodes);
    assert_true(edges < 0.02 && nodes > 5 * edges);
    rg_dataset_free(places);
    rg_dataset_free(data);
}

/* "a b c d e" by twos: a b, c d, e. */
static void texts_have_stretches(void **state)
{
    static const char *const texts[] = {"a b c d e", "b a"};
    rg_dataset *data = NULL;
    (void)state;
    ASSERT_OK(rg_dataset_from_texts(&data, "x", 1, RG_SEQUENCE_WORDS, texts, 2, err));
    rg_dataset *places = with_places(data, "every(2)");
    rg_graph g = rg_dataset_graph(places, 0);
    assert_int_equal(rg_dataset_sequence(places), RG_SEQUENCE_NONE);
    assert_int_equal(g.n_nodes, 8);
    assert_int_equal(rg_dataset_graph(places, 1).n_nodes, 3);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t size = k < 2 ? 2 : 1;
        assert_int_equal(g.row[5 + k + 1] - g.row[5 + k], size);
        for (uint32_t m = 0; m < size; m++)
            assert_int_equal(g.col[g.row[5 + k] + m], 2 * k + m);
        assert_int_equal(label_of(places, 1, 5 + k), 3);
        assert_int_equal(label_of(places, 2, 5 + k), size);
    }
    rg_dataset_free(places);
    rg_dataset_free(data);
}

/* ---- what is wrong */

static void bad_places_say_what_is_expected(void **state)
{
    static const struct {
        const char *places, *message;
        rg_status status;
    } cases[] = {
        {"", "places: found '', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"edges,", "places: found '', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"edge", "places: found 'edge', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"edges, rings(2)",
         "places: found 'rings(2)', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"rings(6)x",
         "places: found 'rings(6)x', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"every(0)",
         "places: found 'every(0)', expected edges, rings(K) with K from 3 to 12, or every(K)",
         RG_EUSAGE},
        {"every(2)",
         "places: 'toy' is not of texts, and the nodes of graphs have no order for 'every(2)'",
         RG_EDATA},
    };
    rg_dataset *data = test_dataset_with_targets(6, 5, 1), *out = NULL;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_error error = {""};
        assert_int_equal(rg_dataset_with_places(&out, data, cases[k].places, &error),
                         cases[k].status);
        assert_string_equal(error.message, cases[k].message);
        assert_null(out);
    }
    rg_dataset_free(data);
}

static rg_status make_once(void *context, rg_error *error)
{
    rg_dataset *out = NULL;
    rg_status status = rg_dataset_with_places(&out, context, "edges,rings(4)", error);
    rg_dataset_free(out);
    return status;
}

static void allocations_may_fail(void **state)
{
    rg_dataset *data = test_dataset_with_targets(8, 6, 1);
    (void)state;
    assert_true(test_allocation_sweep(make_once, data) > 20);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naphthalene_has_eleven_bonds_and_two_rings),
        cmocka_unit_test(rings_are_those_of_all_subsets),
        cmocka_unit_test(weights_by_hand_give_the_sum_over_edges),
        cmocka_unit_test(outputs_of_edges_learn_what_outputs_of_nodes_cannot),
        cmocka_unit_test(texts_have_stretches),
        cmocka_unit_test(bad_places_say_what_is_expected),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
