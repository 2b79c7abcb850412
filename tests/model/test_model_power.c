/* test_model_power.c - networks learn to tell graphs apart that Weisfeiler-Leman, and folklore
 * 2-WL, take for the same: pairs of Cai, Fuerer and Immerman, and strongly regular graphs. */
#include "support/graphs.h"

enum { N_KINDS = 4, COPIES = 9, TRAIN = 5, N = N_KINDS * COPIES };

/* Rook's graph (same row or column of a 4 x 4 board), or Shrikhande's: 6 neighbours each, of which
 * two nodes share 2. */
static test_graph board(bool rook)
{
    test_graph g = test_graph_new(16);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t row = (i / 4 - j / 4) % 4, col = (i % 4 - j % 4) % 4;
            bool line = row == 0 || col == 0;
            bool step =
                row != 2 && col != 2 && (line || row == col); /* (0,1), (1,0), (1,1), back */
            if (rook ? line : step)
                test_edge(&g, i, j, 0);
        }
    return g;
}

/* Over the complete graph on four corners. A corner has two nodes for each of its three edges, one
 * for 0 and one for 1, and a node for each choice of an even number of ones. Where two corners
 * meet, 0 is joined to 0 and 1 to 1; twisted: once the other way round. */
static test_graph cfi(bool twisted)
{
    enum { CORNERS = 4, OF_CORNER = 10 };
    test_graph g = test_graph_new(CORNERS * OF_CORNER);
    for (uint32_t v = 0; v < CORNERS; v++) {
        uint32_t base = v * OF_CORNER, middle = base + 6;
        for (uint32_t set = 0; set < 8; set++) {
            if ((set & 1) ^ (set >> 1 & 1) ^ (set >> 2 & 1))
                continue;
            for (uint32_t e = 0; e < 3; e++)
                test_edge(&g, middle, base + 2 * e + (set >> e & 1), 0);
            middle++;
        }
        for (uint32_t w = 0; w < v; w++)
            for (uint32_t bit = 0; bit < 2; bit++) {
                uint32_t other = bit ^ (uint32_t)(twisted && v == 1 && w == 0);
                /* corner v is edge v of a smaller one less 1, and w is edge w of a larger one */
                test_edge(&g, base + 2 * w + bit, w * OF_CORNER + 2 * (v - 1) + other, 0);
            }
    }
    return g;
}

/* COPIES of each kind, renumbered by chance; the first TRAIN of them are for training. */
static rg_dataset *copies_of_all(uint32_t train[N_KINDS * TRAIN], uint32_t rest[N])
{
    test_graph kinds[N_KINDS] = {board(true), board(false), cfi(false), cfi(true)}, graphs[N];
    int64_t classes[N];
    size_t n_train = 0, n_rest = 0;
    for (uint32_t k = 0; k < N; k++) {
        graphs[k] = test_shuffled(&kinds[k % N_KINDS], 100 + k);
        classes[k] = k % N_KINDS;
        if (k / N_KINDS < TRAIN)
            train[n_train++] = k;
        else
            rest[n_rest++] = k;
    }
    rg_dataset *data = test_dataset(graphs, N, &(test_columns){.classes = classes});
    for (size_t k = 0; k < N; k++)
        test_graph_free(&graphs[k]);
    for (size_t k = 0; k < N_KINDS; k++)
        test_graph_free(&kinds[k]);
    return data;
}

/* The accuracy on copies that training has not seen; labels are fitted on those that it has. */
static double accuracy_of(const char *labels, const char *rule)
{
    uint32_t train[N_KINDS * TRAIN], rest[N];
    rg_dataset *data = copies_of_all(train, rest), *unseen = NULL;
    char *text = test_format("task: classification\n"
                             "input: constant\n"
                             "labels: {m: '%s'}\n"
                             "layers:\n"
                             "  - {rule: '%s', bias: 'share m(i)'}\n"
                             "  - aggregate: share out, m(i)\n"
                             "training: {epochs: 60, lr: 0.05, batch: 5}\n",
                             labels, rule);
    rg_recipe *recipe = NULL;
    rg_model *model = NULL;
    rg_source source = {.graphs = data};
    rg_fold fold = {.train = {train, N_KINDS * TRAIN}};
    rg_train_options options = rg_train_options_default();
    rg_evaluation evaluation = RG_EVALUATION_INIT;
    options.fit_on_train = 1;
    ASSERT_OK(rg_recipe_parse(&recipe, "power.yml", text, strlen(text), err));
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, &options, err));
    ASSERT_OK(rg_dataset_select(&unseen, data, rest, N - N_KINDS * TRAIN, err));
    source.graphs = unseen;
    ASSERT_OK(rg_model_evaluate(&evaluation, model, &source, NULL, err));
    assert_int_equal(evaluation.n, N - N_KINDS * TRAIN);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(unseen);
    rg_dataset_free(data);
    free(text);
    return evaluation.accuracy;
}

static void marked_labels_learn_what_others_cannot(void **state)
{
    (void)state;
    static const struct {
        const char *labels, *rule;
        bool learns;
    } cases[] = {
        /* These know the two sizes apart, and nothing more. */
        {"wl(depth=3)", "share m(i), m(j), dist(i,j) when dist(i,j) in 1..3", false},
        {"wl2", "share m(i), m(j) when edge(i,j)", false},
        {"marked(k=1)", "share m(i), marked(i,j)", false},
        {"marked(k=2)", "share m(i), m(j) when edge(i,j)", true},
        {"marked(k=5, further=smallest)", "share m(i), marked(i,j) when dist(i,j) <= 2", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double accuracy = accuracy_of(cases[k].labels, cases[k].rule);
        if (cases[k].learns ? accuracy < 1 : accuracy > 0.5)
            fail_msg("%s: %g", cases[k].labels, accuracy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marked_labels_learn_what_others_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
