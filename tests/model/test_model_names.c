/* test_model_names.c - names of labels, classes and columns, from the data into a model and its file. */
#include "support/support.h"

#include "base/alloc.h"
#include "model/model.h"
#include "model/safetensors.h"

#include <string.h>

enum { GRAPHS = 12 };

static const char text[] = "labels: {atom: node}\n"
                           "layers:\n"
                           "  - rule: share atom(i), atom(j) when dist(i,j) in 0..1\n"
                           "  - aggregate: share out, atom(i)\n"
                           "training: {epochs: 3, batch: 4}\n";

/* Chains of three atoms and two bonds; every second one has an O. swap: the labels have other values
 * and the graphs another order. */
static rg_dataset *chains(bool swap, const rg_value_name *known, size_t n_known)
{
    static const uint32_t three[GRAPHS] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const char *const columns_of_nodes[] = {"element"}, *const of_graphs[] = {"taste"};
    const char *atoms[GRAPHS][3], *bonds[GRAPHS][2], *tastes[GRAPHS];
    uint32_t edges[GRAPHS][2][2];
    for (uint32_t g = 0; g < GRAPHS; g++) {
        bool other = g % 2 != swap;
        for (uint32_t k = 0; k < 3; k++)
            atoms[g][k] = swap && k == 1 && !other ? "Br" : k == 2 && other ? "O" : "C";
        bonds[g][0] = "single";
        bonds[g][1] = other ? "double" : "single";
        tastes[g] = other ? "sweet" : "bitter";
        for (uint32_t k = 0; k < 2; k++) {
            edges[g][k][0] = 3 * g + k;
            edges[g][k][1] = 3 * g + k + 1;
        }
    }
    const rg_graph_columns columns[] = {
        {RG_NODE_LABEL, {atoms, RG_ITEM_TEXT, 3 * GRAPHS, 1, 0, 0}, columns_of_nodes},
        {RG_EDGE_LABEL, {bonds, RG_ITEM_TEXT, 2 * GRAPHS, 1, 0, 0}, NULL},
        {RG_CLASS, {tastes, RG_ITEM_TEXT, GRAPHS, 1, 0, 0}, of_graphs}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    arrays.n_graphs = GRAPHS;
    arrays.nodes = (rg_matrix){three, RG_ITEM_U32, GRAPHS, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, 2 * GRAPHS, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 3;
    arrays.known = known;
    arrays.n_known = n_known;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

static rg_model *train(const rg_dataset *data)
{
    static const uint32_t all[GRAPHS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    rg_recipe *recipe = NULL;
    rg_model *model = NULL;
    rg_source source = {.graphs = data};
    rg_fold fold = {.train = {all, GRAPHS}};
    ASSERT_OK(rg_recipe_parse(&recipe, "network", text, strlen(text), err));
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, err));
    rg_recipe_free(recipe);
    return model;
}

static void assert_names(const rg_model *model)
{
    static const rg_value_name expected[] = {
        {RG_NODE_LABEL, 0, 0, "C"},      {RG_NODE_LABEL, 0, 1, "O"},
        {RG_EDGE_LABEL, 0, 0, "double"}, {RG_EDGE_LABEL, 0, 1, "single"},
        {RG_CLASS, 0, 0, "bitter"},      {RG_CLASS, 0, 1, "sweet"}};
    size_t n;
    const rg_value_name *names = rg_model_value_names(model, &n);
    assert_int_equal(n, 6);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(names[k].kind, expected[k].kind);
        assert_int_equal(names[k].column, 0);
        assert_int_equal(names[k].value, expected[k].value);
        assert_string_equal(names[k].name, expected[k].name);
    }
    assert_string_equal(rg_model_output_name(model, 0), "bitter");
    assert_string_equal(rg_model_output_name(model, 1), "sweet");
    assert_null(rg_model_output_name(model, 2));
    assert_string_equal(model->net->names.list[6].name, "element");
    assert_string_equal(model->net->names.list[7].name, "taste");
}

static void a_model_and_its_file_have_the_names_of_the_data(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    char *again = test_format("%s/again", directory);
    rg_dataset *data = chains(false, NULL, 0);
    rg_model *model = train(data), *loaded = NULL;
    rg_tensors *set = NULL;
    assert_names(model);
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_load(&loaded, path, err));
    assert_names(loaded);
    ASSERT_OK(rg_model_save(loaded, again, err));
    size_t n, n_again;
    char *bytes = test_read(path, &n), *bytes_again = test_read(again, &n_again);
    assert_int_equal(n, n_again);
    assert_memory_equal(bytes, bytes_again, n);
    ASSERT_OK(rg_tensors_read(&set, path, RG_MODEL_BYTES_MAX, true, err));
    assert_string_equal(
        rg_tensors_metadata(set, RG_MODEL_NAMES),
        "[{\"kind\":\"node_label\",\"column\":0,\"name\":\"element\",\"values\":{\"0\":\"C\",\"1\":"
        "\"O\"}},"
        "{\"kind\":\"edge_label\",\"column\":0,\"values\":{\"0\":\"double\",\"1\":\"single\"}},"
        "{\"kind\":\"class\",\"column\":0,\"name\":\"taste\",\"values\":{\"0\":\"bitter\",\"1\":"
        "\"sweet\"}}]");
    free(bytes);
    free(bytes_again);
    rg_tensors_free(set);
    rg_model_free(model);
    rg_model_free(loaded);
    rg_dataset_free(data);
    free(path);
    free(again);
    test_directory_remove(directory);
}

static rg_status note_class(void *context, const rg_prediction *p, rg_error *err)
{
    (void)err;
    ((uint32_t *)context)[p->sample] = p->classes[0];
    return RG_OK;
}

static void texts_in_other_data_get_the_values_of_the_model(void **state)
{
    (void)state;
    rg_dataset *data = chains(false, NULL, 0);
    rg_model *model = train(data);
    size_t n, n_values;
    const rg_value_name *known = rg_model_value_names(model, &n);
    /* alone, Br would be 0 and C 1 */
    rg_dataset *alone = chains(true, NULL, 0), *aligned = chains(true, known, n);
    assert_int_equal(rg_dataset_values(alone, RG_NODE_LABEL, 0, &n_values)[2], 2);
    assert_string_equal(rg_dataset_value_name(alone, RG_NODE_LABEL, 0, 0), "Br");
    assert_string_equal(rg_dataset_value_name(aligned, RG_NODE_LABEL, 0, 0), "C");
    assert_string_equal(rg_dataset_value_name(aligned, RG_NODE_LABEL, 0, 2), "Br");
    uint32_t here[GRAPHS], there[GRAPHS];
    ASSERT_OK(
        rg_model_predict(model, &(rg_source){.graphs = data}, NULL, note_class, here, NULL, err));
    ASSERT_OK(rg_model_predict(model, &(rg_source){.graphs = aligned}, NULL, note_class, there,
                               NULL, err));
    for (size_t g = 0; g < GRAPHS; g += 2) /* those with an O, which are the same in both */
        assert_int_equal(there[g], here[g + 1]);
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *none = NULL;
    arrays.n_known = 1;
    ASSERT_REFUSED(rg_dataset_from_arrays(&none, &arrays, err), RG_EUSAGE, "no columns or names");
    arrays.known = &(rg_value_name){RG_TARGET, 0, 0, "x"};
    ASSERT_REFUSED(rg_dataset_from_arrays(&none, &arrays, err), RG_EUSAGE,
                   "name 0 of known values");
    rg_dataset_free(aligned);
    rg_dataset_free(alone);
    rg_model_free(model);
    rg_dataset_free(data);
}

/* A small set whose labels and columns have these names. */
static rg_dataset *named(const char *const *names, size_t n, const char *column)
{
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    uint32_t nodes = (uint32_t)n;
    const rg_graph_columns columns = {
        RG_NODE_LABEL, {names, RG_ITEM_TEXT, n, 1, 0, 0}, column ? &column : NULL};
    arrays.n_graphs = 1;
    arrays.nodes = (rg_matrix){&nodes, RG_ITEM_U32, 1, 1, 0, 0};
    arrays.columns = &columns;
    arrays.n_columns = 1;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    return data;
}

static void names_that_a_file_cannot_have_are_left_out(void **state)
{
    (void)state;
    static const char *const words[] = {"a\nb", "\xff", "\xc3\xa9", "quote\"\\", "\xc2\x85"};
    rg_dataset *data = named(words, 5, "caf\xe9");
    rg_net_names names = {0}, back = {0};
    char *json = NULL;
    ASSERT_OK(rg_net_names_read(&names, data, err));
    assert_int_equal(names.n, 2);
    assert_int_equal(names.n_values, 2);
    ASSERT_OK(rg_model_names_print(&json, &names, err));
    ASSERT_OK(rg_model_names_parse(&back, "m", json, err));
    assert_int_equal(back.n, 2);
    for (size_t k = 0; k < 2; k++) {
        assert_string_equal(back.list[k].name, names.list[k].name);
        assert_int_equal(back.list[k].value, names.list[k].value);
    }
    rg_free(json);
    rg_free(names.list);
    rg_free(back.list);
    rg_dataset_free(data);
    char *long_name = malloc(RG_NAMES_BYTES_MAX + 1);
    assert_non_null(long_name);
    memset(long_name, 'x', RG_NAMES_BYTES_MAX);
    long_name[RG_NAMES_BYTES_MAX] = '\0';
    data = named((const char *const[]){long_name, "C"}, 2, NULL);
    ASSERT_OK(rg_net_names_read(&names, data, err));
    assert_int_equal(names.n, 0);
    ASSERT_OK(rg_model_names_print(&json, &names, err));
    assert_null(json);
    rg_dataset_free(data);
    free(long_name);
}

static void damaged_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"", "m: metadata 'regula.names': "},
        {"{}", "entry 0: found an object, expected a list"},
        {"[3]", "entry 0: found nothing, expected a kind of columns"},
        {"[{\"kind\":\"node\",\"column\":0}]", "found \"node\", expected a kind of columns"},
        {"[{\"kind\":\"class\"}]", "found nothing, expected the number of a column"},
        {"[{\"kind\":\"class\",\"column\":-1}]", "found -1, expected the number of a column"},
        {"[{\"kind\":\"class\",\"column\":4294967296}]", "expected the number of a column"},
        {"[{\"kind\":\"class\",\"column\":0},{\"kind\":\"class\",\"column\":0}]",
         "entry 1: found 0, expected columns that ascend"},
        {"[{\"kind\":\"class\",\"column\":0},{\"kind\":\"node_label\",\"column\":1}]",
         "entry 1: found 1, expected columns that ascend"},
        {"[{\"kind\":\"class\",\"column\":0,\"name\":\"\"}]", "found \"\", expected a name"},
        {"[{\"kind\":\"class\",\"column\":0,\"name\":3}]", "found 3, expected a name"},
        {"[{\"kind\":\"class\",\"column\":0,\"values\":[]}]",
         "found an empty list, expected an object"},
        {"[{\"kind\":\"target\",\"column\":0,\"values\":{}}]",
         "found an object, expected an object"},
        {"[{\"kind\":\"class\",\"column\":0,\"values\":{\"x\":\"C\"}}]", "found the value \"x\""},
        {"[{\"kind\":\"class\",\"column\":0,\"values\":{\"2\":\"C\",\"1\":\"O\"}}]",
         "found the value \"1\", expected whole numbers that ascend"},
        {"[{\"kind\":\"class\",\"column\":0,\"values\":{\"2\":null}}]", "expected a name"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_net_names names = {0};
        ASSERT_REFUSED(rg_model_names_parse(&names, "m", cases[k].json, err), RG_EDATA,
                       cases[k].message);
        assert_null(names.list);
    }
}

static rg_status there_and_back(void *context, rg_error *err)
{
    rg_net_names names = {0}, back = {0};
    char *json = NULL;
    rg_status status = rg_net_names_read(&names, context, err);
    if (!status)
        status = rg_model_names_print(&json, &names, err);
    if (!status)
        status = rg_model_names_parse(&back, "m", json, err);
    rg_free(json);
    rg_free(names.list);
    rg_free(back.list);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    rg_dataset *data = chains(false, NULL, 0);
    assert_true(test_json_sweep(there_and_back, data) > 5);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_and_its_file_have_the_names_of_the_data),
        cmocka_unit_test(texts_in_other_data_get_the_values_of_the_model),
        cmocka_unit_test(names_that_a_file_cannot_have_are_left_out),
        cmocka_unit_test(damaged_names_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
