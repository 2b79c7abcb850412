/* test_network_examples.c - network files that users see: examples/paper and docs/networks.md. */
#include "base/alloc.h"
#include "support/graphs.h"
#include "support/labelings.h"
#include "train/settings.h"

#include <string.h>

/* Possible parameters a layer, biases included, as facts about the sets: those of the paper's
 * table, but for the three labelings by cycles, which there depend on the order of the nodes. */
static const struct {
    const char *name;
    size_t n_layers;
    uint64_t parameters[3];
    double lr;
    uint32_t epochs, batch, patience;
    rg_schedule_kind schedule;
} models[] = {
    {"NCI1", 2, {2500500, 4220}, 0.05, 50, 128, 25, RG_STEP},
    {"NCI109", 2, {2500500, 4336}, 0.05, 50, 128, 25, RG_STEP},
    {"Mutagenicity", 2, {750500, 4972}, 0.05, 50, 128, 25, RG_STEP},
    {"DHFR", 2, {1382880, 76}, 0.05, 50, 128, 25, RG_STEP},        /* 112 in the paper */
    {"IMDB-BINARY", 2, {963966, 976}, 0.05, 50, 128, 25, RG_STEP}, /* 990 */
    {"IMDB-MULTI", 2, {551775, 1578}, 0.05, 50, 128, 25, RG_STEP},
    {"LongRings100", 2, {30, 18}, 0.1, 200, 128, 0, RG_CONSTANT},
    {"EvenOddRings2_16", 3, {272, 272, 68}, 0.1, 200, 128, 0, RG_CONSTANT},
    {"EvenOddRingsCount16", 2, {272, 34}, 0.1, 200, 128, 0, RG_CONSTANT},
    {"CSL", 2, {110, 110}, 0.05, 50, 16, 25, RG_STEP}, /* 8930 and 950 */
    {"Snowflakes", 2, {90, 20}, 0.1, 200, 128, 0, RG_CONSTANT},
};
enum { N_MODELS = sizeof models / sizeof *models };

static rg_spec *model_of(size_t k, rg_settings *settings)
{
    rg_spec *spec = NULL;
    char *path = test_format("%s/examples/paper/%s.yml", REGULA_SOURCE, models[k].name);
    ASSERT_OK(rg_network_file_read(&spec, settings, path, err));
    free(path);
    return spec;
}

static void models_of_the_paper_have_its_settings(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_MODELS; k++) {
        rg_settings s;
        rg_spec *spec = model_of(k, &s);
        assert_true(spec->paper && spec->task == RG_TASK_CLASSES);
        assert_int_equal(spec->n_layers, models[k].n_layers);
        for (size_t layer = 0; layer < spec->n_layers; layer++)
            assert_int_equal(rg_specs_activation(spec->layers, spec->n_layers, layer, spec->paper),
                             RG_TANH);
        assert_true(s.schedule.lr == models[k].lr && s.schedule.kind == models[k].schedule);
        assert_true(s.epochs == models[k].epochs && s.batch == models[k].batch);
        assert_true(s.patience == models[k].patience && s.start == RG_START_PAPER);
        rg_spec_free(spec);
    }
}

/* Weights that the rule allows on these graphs: L * L * |D|, L, or outputs * L. */
static uint64_t possible(const char *text, rg_rule_kind kind, const rg_rule_input *input)
{
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_rule_report report = RG_RULE_REPORT_INIT;
    ASSERT_OK(rg_rule_parse(&rule, text, kind, input->labels, input->n_labels, NULL, err));
    ASSERT_OK(rg_rule_compile(&keys, NULL, &report, rule, input, NULL, err));
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    return report.possible;
}

static void check_parameters(size_t model, const rg_spec *spec, const rg_dataset *data)
{
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {0};
    rg_labeling *labelings[RG_SPEC_LABELS_MAX] = {0};
    rg_rule_labeling known[RG_SPEC_LABELS_MAX];
    size_t n_classes = 0;
    rg_dataset_values(data, RG_CLASS, 0, &n_classes);
    for (size_t k = 0; k < spec->n_labels; k++) {
        labelings[k] = test_fit(&labels[k], spec->label_specs[k], data);
        known[k] = (rg_rule_labeling){spec->label_names[k], labels[k], labelings[k]};
    }
    rg_rule_input input = {.size = sizeof input,
                           .data = data,
                           .labels = known,
                           .n_labels = spec->n_labels,
                           .n_outputs = (uint32_t)n_classes};
    for (size_t k = 0; k < spec->n_layers; k++) {
        const rg_layer_spec *layer = &spec->layers[k];
        bool rule = layer->kind == &rg_layer_rule;
        uint64_t n = possible(layer->rules[0], rule ? RG_RULE_PAIR : RG_RULE_AGGREGATE, &input) +
                     (rule ? possible(layer->bias, RG_RULE_BIAS, &input) : n_classes);
        if (n != models[model].parameters[k])
            fail_msg("%s, layer %zu: %llu parameters", models[model].name, k + 1,
                     (unsigned long long)n);
    }
    for (size_t k = 0; k < spec->n_labels; k++) {
        rg_labels_free(labels[k]);
        rg_labeling_free(labelings[k]);
    }
}

static void models_of_the_paper_have_its_parameters(void **state)
{
    size_t n = 0;
    (void)state;
    for (size_t k = 0; k < N_MODELS; k++) {
        char *file = test_format("%s.zip", models[k].name), *path = test_data(file);
        free(file);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        rg_settings settings;
        rg_spec *spec = model_of(k, &settings);
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        check_parameters(k, spec, data);
        n++;
        rg_dataset_free(data);
        rg_spec_free(spec);
        free(path);
    }
    if (n == 0)
        skip();
}

/* ---- docs/networks.md: every block that is indented, but for commands, is a file or a part */

static void check_block(const char *block, size_t *n_files, size_t *n_parts)
{
    bool is_file = strncmp(block, "layers:", 7) == 0 || strstr(block, "\nlayers:");
    if (strncmp(block, "regula", 6) == 0 || strncmp(block, "file.yml", 8) == 0)
        return;
    char *text = test_format("%s%s", block, is_file ? "" : "layers: [dense: auto]\n");
    rg_spec *spec = NULL, *again = NULL;
    rg_settings settings;
    char *once = NULL, *twice = NULL;
    rg_error error = {""};
    if (rg_network_file_parse(&spec, &settings, "docs", text, strlen(text), &error))
        fail_msg("%s\n%s", text, error.message);
    ASSERT_OK(rg_network_file_print(&once, spec, &settings, err));
    ASSERT_OK(rg_network_file_parse(&again, &settings, "again", once, strlen(once), err));
    ASSERT_OK(rg_network_file_print(&twice, again, &settings, err));
    assert_string_equal(once, twice);
    ++*(is_file ? n_files : n_parts);
    rg_spec_free(spec);
    rg_spec_free(again);
    rg_free(once);
    rg_free(twice);
    free(text);
}

static void examples_of_the_manual_are_network_files(void **state)
{
    char *page = test_read(REGULA_SOURCE "/docs/networks.md", NULL);
    char *block = calloc(strlen(page) + 1, 1);
    size_t n_files = 0, n_parts = 0, used = 0;
    (void)state;
    assert_non_null(block);
    for (char *line = page, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        if (strncmp(line, "    ", 4) == 0) {
            memcpy(block + used, line + 4, (size_t)(next - line) - 4);
            used += (size_t)(next - line) - 4;
            block[used] = '\0';
        } else if (used) {
            check_block(block, &n_files, &n_parts);
            used = 0;
        }
    }
    assert_true(n_files >= 4 && n_parts >= 3);
    free(block);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_the_paper_have_its_settings),
        cmocka_unit_test(models_of_the_paper_have_its_parameters),
        cmocka_unit_test(examples_of_the_manual_are_network_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
