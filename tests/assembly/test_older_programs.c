/* test_older_programs.c - programs that were compiled when structs of options and results were shorter, or are
 * longer than the library's. Structs lie at the very end of their memory, so that ASan and valgrind see
 * every byte that is touched beyond them. */
#include "support/support.h"

#include "regula/regula.h"

#include <stdlib.h>
#include <string.h>

/* Every kind of options, with what RG_X_INIT makes of it. */
typedef struct sized_kind {
    const char *name;
    size_t size;
    void (*init)(void *out, size_t size);
    const void *usual;
} sized_kind;

#define KIND(type, INIT)                           \
    static const type type##_usual = INIT;         \
    static void type##_any(void *out, size_t size) \
    {                                              \
        type##_init(out, size);                    \
    }
KIND(rg_arrays_options, RG_ARRAYS_OPTIONS_INIT)
KIND(rg_audit_options, RG_AUDIT_OPTIONS_INIT)
KIND(rg_fetch_options, RG_FETCH_OPTIONS_INIT)
KIND(rg_generate_options, RG_GENERATE_OPTIONS_INIT)
KIND(rg_graph_arrays, RG_GRAPH_ARRAYS_INIT)
KIND(rg_label_options, RG_LABEL_OPTIONS_INIT)
KIND(rg_predict_options, RG_PREDICT_OPTIONS_INIT)
KIND(rg_read_options, RG_READ_OPTIONS_INIT)
KIND(rg_rule_features_options, RG_RULE_FEATURES_OPTIONS_INIT)
KIND(rg_rule_options, RG_RULE_OPTIONS_INIT)
KIND(rg_shapes_options, RG_SHAPES_OPTIONS_INIT)
KIND(rg_split_options, RG_SPLIT_OPTIONS_INIT)
KIND(rg_switches_options, RG_SWITCHES_OPTIONS_INIT)
KIND(rg_train_options, RG_TRAIN_OPTIONS_INIT)
#undef KIND

#define KIND(type)                                     \
    {                                                  \
#type, sizeof(type), type##_any, &type##_usual \
    }
static const sized_kind all[] = {
    KIND(rg_arrays_options),        KIND(rg_audit_options),  KIND(rg_fetch_options),
    KIND(rg_generate_options),      KIND(rg_graph_arrays),   KIND(rg_label_options),
    KIND(rg_predict_options),       KIND(rg_read_options),   KIND(rg_rule_options),
    KIND(rg_rule_features_options), KIND(rg_shapes_options), KIND(rg_split_options),
    KIND(rg_switches_options),      KIND(rg_train_options),
};

static void init_fills_no_more_than_it_is_told(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (size_t size = 0; size <= all[k].size + 16; size++) {
            unsigned char *out = malloc(size + 8);
            assert_non_null(out);
            memset(out, 0xab, size + 8);
            all[k].init(out, size);
            for (size_t b = sizeof size; b < size; b++)
                assert_int_equal(out[b],
                                 b < all[k].size ? ((const unsigned char *)all[k].usual)[b] : 0);
            if (size >= sizeof size)
                assert_memory_equal(out, &size, sizeof size);
            for (size_t b = 0; b < 8; b++)
                assert_int_equal(out[size + b], 0xab);
            free(out);
        }
}

/* The options as a program has them that knows only the first `size` bytes; owned. */
static void *shorter(const void *options, size_t size)
{
    unsigned char *out = malloc(size);
    assert_non_null(out);
    memcpy(out, options, size);
    memcpy(out, &size, sizeof size);
    return out;
}

#define SHORTER(options, field) shorter(&(options), offsetof(__typeof__(options), field))

static rg_dataset *rings(void)
{
    rg_generate_options options = RG_GENERATE_OPTIONS_INIT;
    rg_dataset *data = NULL;
    options.n_graphs = 6;
    options.n_nodes = 8;
    void *old = SHORTER(options, smallest);
    ASSERT_OK(rg_dataset_generate(&data, RG_LONG_RINGS, old, err));
    assert_int_equal(rg_dataset_n_nodes(data), 48);
    free(old);
    return data;
}

/* What is asked for beyond the end of a shorter struct has its default. */
static void shorter_options_have_defaults_at_their_end(void **state)
{
    (void)state;
    rg_dataset *data = rings();
    rg_split_options split = RG_SPLIT_OPTIONS_INIT;
    rg_splits *splits = NULL;
    split.n_folds = 3;
    split.validation = 7; /* makes no sense, and is not seen */
    void *old = SHORTER(split, validation);
    ASSERT_OK(rg_split_options_check(old, err));
    ASSERT_OK(rg_splits_make(&splits, data, old, err));
    assert_int_equal(rg_splits_n_folds(splits), 3);
    rg_splits_free(splits);
    free(old);

    rg_shapes_options shapes = RG_SHAPES_OPTIONS_INIT;
    rg_arrays *arrays = NULL;
    shapes.n_images = 8;
    shapes.noise = -1;
    old = SHORTER(shapes, noise);
    ASSERT_OK(rg_arrays_generate(&arrays, old, err));
    assert_int_equal(rg_arrays_n_samples(arrays), 8);
    rg_arrays_free(arrays);
    free(old);

    rg_label_options label = RG_LABEL_OPTIONS_INIT;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    label.n_threads = 1;
    old = SHORTER(label, budget);
    ASSERT_OK(rg_labeling_fit(&labeling, &labels, "cycles(max=4)", data, NULL, 0, old, err));
    assert_int_equal(rg_labeling_budget(labeling), (uint64_t)1 << 30);
    rg_labels_free(labels);
    ASSERT_OK(rg_labeling_apply(&labels, labeling, data, old, err));
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    free(old);

    rg_audit_options audit = RG_AUDIT_OPTIONS_INIT;
    rg_audit found = RG_AUDIT_INIT, *cut = SHORTER(found, connected_graphs);
    audit.copies = 1;
    old = SHORTER(audit, diameter_budget);
    ASSERT_OK(rg_audit_run(cut, data, old, err));
    assert_int_equal(cut->size, offsetof(rg_audit, connected_graphs));
    assert_int_equal(cut->nodes.total, 48);
    free(cut);
    free(old);
    rg_dataset_free(data);
}

static const char network[] =
    "labels: {label: node}\n"
    "layers:\n"
    "  - rule: share label(i), label(j), dist(i,j) when dist(i,j) in 0..2\n"
    "  - aggregate: share out, label(i)\n"
    "training: {epochs: 3}\n";

static void models_work_for_older_programs(void **state)
{
    (void)state;
    static const uint32_t graphs[] = {0, 1, 2, 3, 4, 5};
    rg_dataset *data = rings();
    rg_source source = {data, NULL};
    rg_fold fold = {{graphs, 6}, {NULL, 0}, {NULL, 0}};
    rg_recipe *recipe = NULL;
    rg_model *model = NULL, *same = NULL;
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    rg_train_report whole = RG_TRAIN_REPORT_INIT, *report = SHORTER(whole, epochs);
    options.seed = 5;
    ASSERT_OK(rg_recipe_parse(&recipe, "network", network, strlen(network), err));
    ASSERT_OK(rg_model_train(&same, &whole, recipe, &source, &fold, &options, err));
    void *old = SHORTER(options, n_threads);
    ASSERT_OK(rg_model_train(&model, report, recipe, &source, &fold, old, err));
    assert_memory_equal(&report->runs[0], &whole.runs[0], sizeof report->runs[0]);
    assert_int_equal(report->best, whole.best);
    free(old);
    free(report);

    rg_model_info info = RG_MODEL_INFO_INIT, *told = SHORTER(info, network);
    ASSERT_OK(rg_model_describe(told, model, err));
    assert_int_equal(told->n_outputs, 3);
    free(told);

    rg_predict_options predict = RG_PREDICT_OPTIONS_INIT;
    uint32_t classes[6], others[6];
    rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
    arrays.n_rows = 6;
    arrays.classes = classes;
    rg_prediction_arrays *fewer = SHORTER(arrays, embedding);
    old = SHORTER(predict, memory);
    ASSERT_OK(rg_model_predict_arrays(fewer, model, &source, old, NULL, err));
    assert_int_equal(fewer->n_rows, 6);
    arrays.classes = others;
    ASSERT_OK(rg_model_predict_arrays(&arrays, same, &source, NULL, NULL, err));
    assert_memory_equal(classes, others, sizeof classes);
    free(fewer);

    rg_evaluation every = RG_EVALUATION_INIT, *scores = SHORTER(every, auc);
    ASSERT_OK(rg_model_evaluate(scores, model, &source, old, err));
    ASSERT_OK(rg_model_evaluate(&every, model, &source, NULL, err));
    assert_true(scores->accuracy == every.accuracy && scores->n == 6);
    free(scores);
    free(old);
    rg_recipe_free(recipe);
    rg_model_free(model);
    rg_model_free(same);
    rg_dataset_free(data);
}

static void rules_and_arrays_work_for_older_programs(void **state)
{
    (void)state;
    static const float values[] = {1, 2, 3, 4};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *connections = NULL;
    rg_rule_input input = RG_RULE_INPUT_INIT;
    rg_rule_options options = RG_RULE_OPTIONS_INIT;
    rg_rule_report whole = RG_RULE_REPORT_INIT, *report = SHORTER(whole, weights);
    rg_dataset *data = rings();
    input.data = data;
    rg_rule_input *less = SHORTER(input, in);
    void *old = SHORTER(options, max_bytes);
    ASSERT_OK(rg_rule_parse(&rule, "share dist(i,j) when dist(i,j) in 0..1", RG_RULE_PAIR, NULL, 0,
                            NULL, err));
    ASSERT_OK(rg_rule_compile(&keys, &connections, report, rule, less, old, err));
    assert_int_equal(report->connections, 48 * 3);
    rg_connections_free(connections);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    rg_dataset_free(data);
    free(old);
    free(less);
    free(report);

    rg_arrays_content content = {
        .size = sizeof content, .n_samples = 2, .shape = {1, 2, 1}, .floats = values};
    rg_arrays *arrays = NULL;
    old = SHORTER(content, doubles);
    ASSERT_OK(rg_arrays_build(&arrays, old, err));
    free(old);
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT, *range = SHORTER(audit, mean);
    ASSERT_OK(rg_arrays_audit_run(range, arrays, err));
    assert_true(range->min == 1 && range->max == 4);
    free(range);
    rg_arrays_free(arrays);
}

/* A program of a later version: what this one does not know is left alone. */
static void longer_structs_are_read_as_far_as_they_are_known(void **state)
{
    (void)state;
    struct {
        rg_split_options known;
        char more[40];
    } later;
    struct {
        rg_split_report known;
        char more[40];
    } told;
    rg_dataset *data = rings();
    rg_splits *splits = NULL;
    rg_split_options_init(&later.known, sizeof later);
    assert_int_equal(later.known.size, sizeof later);
    later.known.n_folds = 2;
    memset(&told, 0xab, sizeof told);
    told.known.size = sizeof told;
    ASSERT_OK(rg_splits_make(&splits, data, &later.known, err));
    ASSERT_OK(rg_splits_check(&told.known, splits, data, NULL, err));
    assert_int_equal(told.known.n_folds, 2);
    assert_int_equal(told.known.size, sizeof told);
    for (size_t b = 0; b < sizeof told.more; b++)
        assert_int_equal((unsigned char)told.more[b], 0xab);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void a_size_that_was_not_set_is_refused(void **state)
{
    (void)state;
    rg_dataset *data = rings();
    rg_splits *splits = NULL;
    const size_t wrong[] = {0, 7, 8, (size_t)1 << 40, SIZE_MAX};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        rg_error why = {""};
        rg_split_options options = RG_SPLIT_OPTIONS_INIT;
        rg_audit audit = RG_AUDIT_INIT;
        options.size = audit.size = wrong[k];
        assert_int_equal(rg_splits_make(&splits, data, &options, &why), RG_EUSAGE);
        assert_non_null(strstr(why.message, "rg_split_options: found a size of"));
        assert_int_equal(rg_audit_run(&audit, data, NULL, &why), RG_EUSAGE);
        assert_non_null(strstr(why.message, "expected sizeof(rg_audit)"));
    }
    assert_null(splits);
    rg_dataset_free(data);
}

static void numbers_of_values_are_never_returned(void **state)
{
    (void)state;
    assert_int_equal(rg_format_find("nothing"), RG_NO_FORMAT);
    assert_int_equal(rg_generator_find("nothing"), RG_NO_GENERATOR);
    assert_int_equal(rg_property_find("nothing"), RG_NO_PROPERTY);
    for (int k = 0; k < RG_N_FORMATS; k++)
        assert_int_equal(rg_format_find(rg_format_name((rg_format)k)), k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_fills_no_more_than_it_is_told),
        cmocka_unit_test(shorter_options_have_defaults_at_their_end),
        cmocka_unit_test(models_work_for_older_programs),
        cmocka_unit_test(rules_and_arrays_work_for_older_programs),
        cmocka_unit_test(longer_structs_are_read_as_far_as_they_are_known),
        cmocka_unit_test(a_size_that_was_not_set_is_refused),
        cmocka_unit_test(numbers_of_values_are_never_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
