/* test_transfer.c - start values from a model of other data: what means the same is taken, nothing else. */
#include "support/networks.h"

#include "base/random.h"
#include "model/model.h"
#include "transfer/transfer.h"

#include <math.h>
#include <string.h>

enum { GRAPHS = 24, NODES = 6, ATOMS = 4 };

/* How the same molecules are written down. */
typedef struct notation {
    const char *atoms[ATOMS + 1], *bonds[2], *classes[2]; /* names by value; NULL: none */
    int64_t atom[ATOMS], bond[2], class[2];               /* values of C, N, O, S; ... */
} notation;

static const notation first = {
    {"C", "N", "O", "S"}, {"single", "double"}, {"no", "yes"}, {0, 1, 2, 3}, {0, 1}, {0, 1}};
static const notation second = {
    {"S", "O", "C", "N"}, {"double", "single"}, {"yes", "no"}, {2, 3, 1, 0}, {1, 0}, {1, 0}};

/* Chains with a ring bond here and there; nodes, bonds and classes by chance. */
static rg_dataset *molecules(const notation *w, uint64_t seed)
{
    static uint32_t sizes[GRAPHS], edges[GRAPHS * NODES][2];
    static int64_t atoms[GRAPHS * NODES], bonds[GRAPHS * NODES], classes[GRAPHS];
    rg_value_name names[ATOMS + 5];
    rg_dataset *data = NULL;
    size_t n_nodes = 0, n_edges = 0, n_names = 0;
    for (uint32_t g = 0; g < GRAPHS; g++) {
        sizes[g] = 3 + rg_random_below(seed, 1, g, NODES - 2);
        for (uint32_t k = 0; k < sizes[g]; k++) {
            atoms[n_nodes + k] = w->atom[rg_random_below(seed, 2, n_nodes + k, ATOMS)];
            if (k == 0 && sizes[g] < 4)
                continue;
            edges[n_edges][0] = (uint32_t)(n_nodes + (k ? k - 1 : sizes[g] - 1));
            edges[n_edges][1] = (uint32_t)(n_nodes + k);
            bonds[n_edges] = w->bond[rg_random_below(seed, 3, n_edges, 2)];
            n_edges++;
        }
        n_nodes += sizes[g];
        classes[g] = w->class[g % 2];
    }
    for (int64_t v = 0; v <= ATOMS; v++)
        if (w->atoms[v])
            names[n_names++] = (rg_value_name){RG_NODE_LABEL, 0, v, w->atoms[v]};
    for (int64_t v = 0; v < 2; v++) {
        if (w->bonds[v])
            names[n_names++] = (rg_value_name){RG_EDGE_LABEL, 0, v, w->bonds[v]};
        if (w->classes[v])
            names[n_names++] = (rg_value_name){RG_CLASS, 0, v, w->classes[v]};
    }
    const rg_graph_columns columns[] = {
        {RG_NODE_LABEL, {atoms, RG_ITEM_I64, n_nodes, 1, 0, 0}, NULL},
        {RG_EDGE_LABEL, {bonds, RG_ITEM_I64, n_edges, 1, 0, 0}, NULL},
        {RG_CLASS, {classes, RG_ITEM_I64, GRAPHS, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    arrays.n_graphs = GRAPHS;
    arrays.nodes = (rg_matrix){sizes, RG_ITEM_U32, GRAPHS, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, n_edges, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 3;
    arrays.value_names = names;
    arrays.n_value_names = n_names;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

/* A model with weights by chance on one set, a network on another, and what is taken. */
typedef struct transferred {
    rg_dataset *from_data, *data;
    test_network from, to;
    rg_model *model;
    double *w, *start;
    uint64_t n, taken;
    char why[400]; /* one reason after another */
    rg_train_options options;
} transferred;

static void add_up(void *context, const rg_start_part *parts, size_t n)
{
    transferred *t = context;
    t->n = t->taken = 0;
    t->why[0] = '\0';
    for (size_t k = 0; k < n; k++) {
        t->n += parts[k].n;
        t->taken += parts[k].taken;
        assert_true(parts[k].taken <= parts[k].n &&
                    (parts[k].taken == 0) == (parts[k].why != NULL));
        if (parts[k].why) {
            strncat(t->why, parts[k].why, sizeof t->why - strlen(t->why) - 2);
            strncat(t->why, "\n", sizeof t->why - strlen(t->why) - 1);
        }
    }
}

static transferred *transferred_open(const char *from_text, const notation *from,
                                     const char *to_text, const notation *to, uint64_t seed,
                                     bool by_value)
{
    transferred *t = calloc(1, sizeof *t);
    char *one = test_format("%straining: {precision: double}\n", from_text);
    char *other = test_format("%straining: {precision: double}\n", to_text);
    assert_non_null(t);
    t->from_data = molecules(from, 1);
    t->data = molecules(to, seed);
    t->from = test_network_open(one, t->from_data);
    t->to = test_network_open(other, t->data);
    t->w = test_network_weights(&t->from, 5);
    test_network twin = test_network_open(one, t->from_data);
    rg_samples_free(twin.samples);
    ASSERT_OK(rg_model_new(&t->model, twin.net, t->w, RG_DOUBLE, "", "{}", err));
    t->start = calloc(t->to.net->n_params + t->to.net->n_state + 1, sizeof *t->start);
    assert_non_null(t->start);
    t->options = rg_train_options_default();
    t->options.start = t->model;
    t->options.start_same_values = by_value;
    t->options.started = add_up;
    t->options.started_context = t;
    ASSERT_OK(rg_transfer(t->start, t->to.net, &t->options, err));
    free(one);
    free(other);
    return t;
}

static void transferred_close(transferred *t)
{
    rg_model_free(t->model);
    test_network_close(&t->from);
    test_network_close(&t->to);
    rg_dataset_free(t->from_data);
    rg_dataset_free(t->data);
    free(t->w);
    free(t->start);
    free(t);
}

#define HEAD                                                                              \
    "task: classification\nlabels: {a: node, wl: \"wl(depth=2, from=node, edges=true)\"," \
    " both: \"combine(node, degree)\", ring: \"cycles(kind=induced, max=6)\", d: degree}\n"

static const char *const nets[] = {
    HEAD "input: constant\n"
         "layers:\n"
         "  - rule: share wl(i), a(j), bond(i,j), dist(i,j) when dist(i,j) in 0..2\n"
         "    bias: share both(i), ring(i)\n"
         "    heads: 3\n"
         "  - rule: [\"share a(i), node(j) when edge(i,j)\", \"share a(i) = a(j) when dist(i,j) <= "
         "3\"]\n"
         "    mix: full\n"
         "    name: p\n"
         "  - rule: [\"share a(i), node(j) when edge(i,j)\", \"share a(i) = a(j) when dist(i,j) <= "
         "3\"]\n"
         "    mix: full\n"
         "    weights: p\n"
         "    residual: true\n"
         "  - aggregate: share out, wl(i)\n",
    HEAD "input: [one-hot(a), degree]\n"
         "layers:\n"
         "  - {rule: \"share d(j) when edge(i,j)\", residual: true}\n"
         "  - {rule: \"share wl(i) when i = j\", mix: full, heads: 3, activation: relu}\n"
         "  - {aggregate: \"share out, both(i)\", outputs: 4, by: sum, activation: swish}\n"
         "  - {dense: 4, residual: true}\n"
         "  - dense: auto\n",
    HEAD "input: labels\n"
         "layers:\n"
         "  - gin: 3\n"
         "  - {gcn: 3, activation: elu}\n"
         "  - pool: [sum, max]\n"
         "  - norm: layer\n"
         "  - dense: auto\n",
};

static void the_same_molecules_written_otherwise_have_the_same_outputs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof nets / sizeof *nets; k++) {
        transferred *t = transferred_open(nets[k], &first, nets[k], &second, 1, false);
        if (t->taken != t->n)
            fail_msg("%s\n%llu of %llu taken: %s", nets[k], (unsigned long long)t->taken,
                     (unsigned long long)t->n, t->why);
        for (size_t p = 0; p < t->to.net->n_params; p++) /* of the channel of unseen labels */
            t->start[p] = isnan(t->start[p]) ? 0 : t->start[p];
        for (size_t s = 0; s < GRAPHS; s++) {
            size_t n, m;
            double *a = test_network_outputs(&n, &t->from, t->w, s);
            double *b = test_network_outputs(&m, &t->to, t->start, s);
            assert_int_equal(n, 2);
            assert_int_equal(m, 2);
            for (size_t c = 0; c < 2; c++) /* classes have changed places */
                assert_true(test_near(a[c], b[1 - c], 1e-9, 1));
            free(a);
            free(b);
        }
        transferred_close(t);
    }
}

/* Other molecules: every weight that is taken is that of the key with the same words. */
static void other_molecules_share_what_they_have(void **state)
{
    static const char text[] = HEAD "input: constant\n"
                                    "layers:\n"
                                    "  - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 0..3\n"
                                    "  - aggregate: share out\n";
    notation other = second;
    (void)state;
    other.atoms[2] = "P"; /* that are C in the model */
    transferred *t = transferred_open(text, &first, text, &other, 9, false);
    const rg_net_rule *to = &t->to.net->layers[0].rules[0],
                      *from = &t->from.net->layers[0].rules[0];
    const int64_t *keys = rg_rule_keys_data(to->keys), *others = rg_rule_keys_data(from->keys);
    size_t n_taken = 0;
    for (size_t k = 0; k < rg_rule_keys_size(to->keys); k++) {
        double want = (double)NAN;
        char words[2][2][100];
        for (size_t p = 0; p < 2; p++) {
            ASSERT_OK(rg_labeling_describe(words[0][p], 100, t->to.net->labelings[0],
                                           (uint32_t)keys[3 * k + p], err));
            const char *name = other.atoms[strtol(words[0][p] + strlen("node label "), NULL, 10)];
            strcpy(words[0][p], name);
        }
        for (size_t m = 0; m < rg_rule_keys_size(from->keys); m++) {
            bool same = others[3 * m + 2] == keys[3 * k + 2];
            for (size_t p = 0; p < 2; p++) {
                ASSERT_OK(rg_labeling_describe(words[1][p], 100, t->from.net->labelings[0],
                                               (uint32_t)others[3 * m + p], err));
                const char *name =
                    first.atoms[strtol(words[1][p] + strlen("node label "), NULL, 10)];
                same = same && strcmp(words[0][p], name) == 0;
            }
            if (same)
                want = t->w[from->at + m];
        }
        double got = t->start[to->at + k];
        assert_true(isnan(want) ? isnan(got) : got == want);
        n_taken += isnan(got) ? 0 : 1;
    }
    assert_true(n_taken > 5 && n_taken < rg_rule_keys_size(to->keys));
    transferred_close(t);
}

static void nothing_is_taken_where_meanings_differ(void **state)
{
    static const struct {
        const char *from, *to;
        bool names, by_value;
        const char *why;
    } cases[] = {
        /* nobody says what the values are */
        {"layers:\n  - aggregate: share out, a(i)\n", NULL, false, false,
         "the outputs mean something else\nthe outputs mean something else\n"},
        {"layers:\n  - {rule: \"share a(i) when i = j\", name: p}\n  - aggregate: share out\n",
         NULL, false, false,
         "none of its keys means the same in the model\nits input means something else\nits input "
         "means something else\n"},
        {"layers:\n  - rule: share dist(i,j) when edge(i,j) and a(i) = 2\n  - aggregate: share "
         "out\n",
         NULL, true, false,
         "its condition looks at numbers of one data set\nits input means something else\nits "
         "input means something else\n"},
        {"layers:\n  - rule: share min(a(i), 2) when i = j\n  - aggregate: share out\n", NULL, true,
         false,
         "its keys have numbers of one data set\nits input means something else\nits input means "
         "something else\n"},
        {"layers:\n  - rule: share d(i) when i = j\n  - aggregate: share out\n",
         "layers:\n  - rule: share d(j) when i = j\n  - aggregate: share out\n", true, false,
         "the model has no such rule in the layer\nits input means something else\nits input means "
         "something else\n"},
        {"layers:\n  - rule: share d(i) when i = j\n  - aggregate: share out\n",
         "layers:\n  - {rule: share d(i) when i = j, activation: relu}\n  - aggregate: share out\n",
         true, false,
         "its activation or 'mix' is another\nits input means something else\nits input means "
         "something else\n"},
        {"layers:\n  - rule: share d(i) when i = j\n  - aggregate: share out\n",
         "layers:\n  - {dense: 3}\n  - aggregate: share out\n", true, false,
         "the model has no such layer\nthe model has no such layer\nits input means something "
         "else\nits input means something else\n"},
        {"input: signed\nlayers:\n  - aggregate: share out, d(i)\n", NULL, true, false,
         "its input means something else\nits input means something else\n"},
        {"input: relative(a)\nlayers:\n  - aggregate: share out, d(i)\n", NULL, true, true,
         "its input means something else\nits input means something else\n"},
    };
    notation bare[2] = {first, second};
    (void)state;
    for (int k = 0; k < 2; k++) {
        memset(bare[k].atoms, 0, sizeof bare[k].atoms);
        memset(bare[k].bonds, 0, sizeof bare[k].bonds);
        memset(bare[k].classes, 0, sizeof bare[k].classes);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool input = strncmp(cases[k].from, "input", 5) == 0;
        const char *head = input ? HEAD : HEAD "input: constant\n";
        char *from = test_format("%s%s", head, cases[k].from);
        char *to = test_format("%s%s", head, cases[k].to ? cases[k].to : cases[k].from);
        transferred *t =
            transferred_open(from, cases[k].names ? &first : &bare[0], to,
                             cases[k].names ? &second : &bare[1], 1, cases[k].by_value);
        assert_string_equal(t->why, cases[k].why);
        assert_int_equal(t->taken, 0);
        for (size_t p = 0; p < t->to.net->n_params; p++)
            assert_true(isnan(t->start[p]));
        transferred_close(t);
        free(from);
        free(to);
    }
}

/* Who knows that numbers mean the same may say so. */
static void values_can_be_said_to_mean_the_same(void **state)
{
    notation bare = first;
    (void)state;
    memset(bare.atoms, 0, sizeof bare.atoms);
    memset(bare.bonds, 0, sizeof bare.bonds);
    memset(bare.classes, 0, sizeof bare.classes);
    transferred *t = transferred_open(nets[0], &bare, nets[0], &bare, 1, true);
    assert_int_equal(t->taken, t->n);
    for (size_t p = 0; p < t->to.net->n_params; p++)
        assert_true(t->start[p] == t->w[p]);
    transferred_close(t);
}

static rg_status transfer_once(void *context, rg_error *error)
{
    transferred *t = context;
    return rg_transfer(t->start, t->to.net, &t->options, error);
}

static void allocations_may_fail(void **state)
{
    (void)state;
    transferred *t = transferred_open(nets[0], &first, nets[0], &second, 1, false);
    assert_true(test_allocation_sweep(transfer_once, t) > 20);
    assert_int_equal(t->taken, t->n);
    transferred_close(t);
}

/* A training of no more than one small step begins where the model is. */
static void training_begins_with_what_was_taken(void **state)
{
    static uint32_t all[GRAPHS];
    char *text = test_format("%straining: {epochs: 1, batch: 24, lr: 1e-9, optimiser: sgd, "
                             "momentum: 0, precision: double}\n",
                             nets[1]);
    transferred *t = transferred_open(nets[1], &first, nets[1], &second, 1, false);
    rg_source source = {.graphs = t->data};
    rg_recipe *recipe = test_recipe(text);
    rg_model *model = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    (void)state;
    for (uint32_t k = 0; k < GRAPHS; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, GRAPHS}};
    t->taken = 0;
    for (uint32_t lanes = 1; lanes <= 4; lanes += 3) {
        t->options.lanes = lanes;
        ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, &t->options, err));
        assert_true(t->taken > 0 && t->taken == t->n);
        for (size_t p = 0; p < model->net->n_params; p++)
            assert_true(isnan(t->start[p]) || fabs(rg_model_weight(model, p) - t->start[p]) < 1e-6);
        ASSERT_OK(rg_model_describe(&info, model, err));
        assert_non_null(strstr(info.record, "\"start\":"));
        rg_model_free(model);
    }
    t->options.start = NULL;
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, &t->options, err));
    ASSERT_OK(rg_model_describe(&info, model, err));
    assert_null(strstr(info.record, "\"start\":"));
    rg_model_free(model);
    rg_recipe_free(recipe);
    free(text);
    transferred_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_molecules_written_otherwise_have_the_same_outputs),
        cmocka_unit_test(other_molecules_share_what_they_have),
        cmocka_unit_test(nothing_is_taken_where_meanings_differ),
        cmocka_unit_test(values_can_be_said_to_mean_the_same),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(training_begins_with_what_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
