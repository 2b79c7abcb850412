/* test_model_kept.c - a model file of an earlier version still loads, and says what it said.
 *
 *   test_model_kept [FILE]
 *
 * With FILE: trains such a model, writes it there and prints what it says. That is how
 * tests/data/model-1.safetensors was made; a new format gets a new file, and no file ever leaves.
 */
#include "support/models.h"

#include "support/graphs.h"

#include <stdio.h>
#include <string.h>

enum { N_GRAPHS = 8, N_OUTPUTS = 2 };

/* Rings of 3 .. 10 nodes, each with a tail of two; class 7 if the ring is even, else 4. */
static rg_dataset *rings(void)
{
    rg_raw raw = {.n_graphs = 0};
    rg_dataset *data = NULL;
    for (uint32_t g = 0; g < N_GRAPHS; g++) {
        uint32_t n = g + 3;
        test_graph graph = test_graph_new(n + 2);
        test_cycle(&graph, 0, n);
        test_edge(&graph, n, n + 1, 0);
        test_edge(&graph, n + 1, 1, 0);
        for (uint32_t i = 0; i < n + 2; i++) {
            graph.node[i] = i % 3;
            *rg_real_rows_add(&raw.node_attributes, 1) = (double)i / 4 - 1;
        }
        test_raw_add(&raw, &graph, &(test_columns){.nodes = {.step = 5, .first = -1}});
        *rg_int_rows_add(&raw.classes, 1) = n % 2 ? 4 : 7;
        test_graph_free(&graph);
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

static const char network[] =
    "task: classification\n"
    "labels: {w: \"wl(depth=1, from=node)\", c: \"cycles(max=6)\"}\n"
    "input: [signed, \"one-hot(node)\", \"one-hot(c)\", attributes]\n"
    "layers:\n"
    "  - rule: [\"share w(i), w(j) when edge(i,j)\", share c(i) when i = j]\n"
    "    bias: share c(i)\n"
    "    heads: 2\n"
    "    mix: full\n"
    "  - norm: layer\n"
    "  - rule: share dist(i,j) when dist(i,j) <= 2\n"
    "    residual: true\n"
    "  - aggregate: share out, c(i)\n"
    "    outputs: 3\n"
    "  - dense: auto\n"
    "training: {epochs: 6, precision: double}\n";

/* What the file of each format says: z of each graph. */
static const struct {
    const char *file;
    double outputs[N_GRAPHS][N_OUTPUTS];
} kept[] = {
    {"model-1.safetensors",
     {
         {1.6034658142798992, -2.5406349548385743},
         {-1.6986593637121439, -0.50164862236648999},
         {-1.1289303385543268, -0.86814442070861042},
         {-1.0830516554491858, -0.73156395625957216},
         {-0.90079046917049255, -0.93361066633867718},
         {-1.4141536875129144, -0.62110811042376746},
         {-0.42981372579026611, -1.2412483772440606},
         {-0.96733295686369647, -0.9023891850608764},
     }},
};

typedef struct kept_outputs {
    double outputs[N_GRAPHS][N_OUTPUTS];
} kept_outputs;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    kept_outputs *s = context;
    (void)err;
    assert_true(p->sample < N_GRAPHS && p->n_outputs == N_OUTPUTS);
    memcpy(s->outputs[p->sample], p->outputs, sizeof s->outputs[0]);
    return RG_OK;
}

static void files_of_all_formats_load_and_say_what_they_said(void **state)
{
    (void)state;
    rg_dataset *data = rings();
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        char *path = test_format("%s/tests/data/%s", REGULA_SOURCE, kept[k].file);
        rg_model *model = NULL;
        rg_model_info info = RG_MODEL_INFO_INIT;
        kept_outputs s;
        ASSERT_OK(rg_model_load(&model, path, err));
        ASSERT_OK(rg_model_predict(model, &(rg_source){.graphs = data}, NULL, note, &s, NULL, err));
        for (size_t g = 0; g < N_GRAPHS; g++)
            for (size_t c = 0; c < N_OUTPUTS; c++)
                if (!test_near(s.outputs[g][c], kept[k].outputs[g][c], 1e-12, 1))
                    fail_msg("%s, graph %zu: %.17g, expected %.17g", kept[k].file, g,
                             s.outputs[g][c], kept[k].outputs[g][c]);
        ASSERT_OK(rg_model_describe(&info, model, err));
        assert_int_equal(info.task, RG_MODEL_CLASSES);
        assert_int_equal(rg_model_class(model, 0), 4);
        assert_int_equal(rg_model_class(model, 1), 7);
        rg_model_free(model);
        free(path);
    }
    rg_dataset_free(data);
}

static int make(const char *path)
{
    rg_dataset *data = rings();
    rg_source source = {.graphs = data};
    rg_recipe *recipe = test_recipe(network);
    rg_model *model = NULL;
    static const uint32_t all[N_GRAPHS] = {0, 1, 2, 3, 4, 5, 6, 7};
    rg_fold fold = {.train = {all, N_GRAPHS}};
    kept_outputs s;
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, err));
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_predict(model, &source, NULL, note, &s, NULL, err));
    for (size_t g = 0; g < N_GRAPHS; g++)
        printf("{%.17g, %.17g},\n", s.outputs[g][0], s.outputs[g][1]);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(data);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_all_formats_load_and_say_what_they_said),
    };
    if (argc > 1)
        return make(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
