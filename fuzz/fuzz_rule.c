/* fuzz_rule.c - any text as a rule: what parses prints in a normal form that parses to itself, and
 * compiles over a small set to the same connections whether pairs are planned or all scanned. */
#include "base/alloc.h"
#include "check.h"
#include "graph/raw.h"
#include "rule/compile.h"

#include <math.h>

/* A triangle with a tail and a node alone, with labels of nodes and edges. */
static rg_dataset *small_set(void)
{
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
    rg_raw raw = {.n_graphs = 2, .sequence = RG_SEQUENCE_WORDS};
    rg_dataset *set = NULL;
    for (uint32_t i = 0; i < 5; i++) {
        int64_t *label = rg_int_rows_add(&raw.node_labels, 1);
        CHECK(rg_raw_add_node(&raw, i / 4) && label);
        *label = i % 2;
    }
    for (size_t k = 0; k < 4; k++) {
        int64_t *label = rg_int_rows_add(&raw.edge_labels, 1);
        CHECK(rg_raw_add_pair(&raw, pairs[k][0], pairs[k][1]) && label);
        *label = (int64_t)k % 3;
    }
    CHECK(rg_dataset_build(&set, &raw, NULL) == RG_OK);
    return set;
}

static void compile(const rg_rule *rule, const rg_rule_input *input)
{
    rg_rule_keys *keys[3] = {NULL, NULL, NULL};
    rg_connections *c[3] = {NULL, NULL, NULL};
    rg_rule_options one = {
        .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = UINT64_MAX};
    rg_rule_report report = RG_RULE_REPORT_INIT;
    rg_error err = {""};
    for (int k = 0; k < 3; k++) {
        rg_compile_ways ways = {.all_pairs = k == 1, .tables = k == 2};
        rg_status status =
            rg_rule_run(&keys[k], &c[k], &report, NULL, rule, input, &one, &ways, &err);
        if (status) { /* columns that the set does not have, a shape that is not one */
            CHECK((status == RG_EDATA || status == RG_EUSAGE) && err.message[0] && k == 0);
            return;
        }
        size_t n = rg_rule_keys_size(keys[0]) * rg_rule_keys_width(keys[0]);
        CHECK(rg_rule_keys_size(keys[k]) == rg_rule_keys_size(keys[0]));
        CHECK(memcmp(rg_rule_keys_data(keys[k]), rg_rule_keys_data(keys[0]), n * 8) == 0);
        CHECK(rg_connections_size(c[k]) == rg_connections_size(c[0]));
        CHECK(memcmp(c[k]->weight, c[0]->weight, (size_t)c[0]->size * 4) == 0);
        CHECK(c[0]->bias || memcmp(c[k]->col, c[0]->col, (size_t)c[0]->size * 2) == 0);
        CHECK(report.possible >= rg_rule_keys_size(keys[0]));
    }
    for (int k = 0; k < 3; k++) {
        rg_rule_keys_free(keys[k]);
        rg_connections_free(c[k]);
    }
}

/* Numbers of nodes and places: a few equal ones, and none here and there. */
static void read_values(void *context, size_t sample, double *out)
{
    size_t n = context ? rg_dataset_graph(context, sample).n_nodes * 2 : 12;
    for (size_t k = 0; k < n; k++)
        out[k] = context && k % 5 == 4 ? NAN : (double)((k * 7 + sample) % 6) / 4 - 0.5;
}

/* What rules speak of. Made once: building it takes longer than a rule does. */
static const rg_rule_labeling *known_labels(rg_dataset **set)
{
    static rg_dataset *graphs;
    static rg_rule_labeling known;
    if (!graphs) {
        rg_labels *labels = NULL;
        rg_labeling *labeling = NULL;
        rg_label_options options = {.size = sizeof options, .n_threads = 1, .budget = 1000};
        graphs = small_set();
        CHECK(!rg_labeling_fit(&labeling, &labels, "wl", graphs, NULL, 0, &options, NULL));
        known = (rg_rule_labeling){.name = "wl", .labels = labels, .labeling = labeling};
    }
    *set = graphs;
    return &known;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rg_rule *rule = NULL, *again = NULL;
    rg_error err = {""};
    rg_rule_place place = {0};
    rg_dataset *set;
    const rg_rule_labeling *known = known_labels(&set);
    char *text = rg_copy_text((const char *)bytes, size);
    if (!text)
        return 0;
    rg_rule_kind kind = (rg_rule_kind)(size % RG_N_RULE_KINDS);
    rg_status status = rg_rule_parse(&rule, text, kind, known, 1, &place, &err);
    if (status) {
        char lines[300];
        CHECK(status == RG_EUSAGE && !rule);
        CHECK(strncmp(err.message, "rule: ", 6) == 0);
        rg_rule_point(lines, sizeof lines, text, &place);
        CHECK(place.n == 0 || lines[strlen(lines) - 1] == '\n');
    } else {
        CHECK(rg_rule_parse(&again, rg_rule_text(rule), kind, known, 1, NULL, &err) == RG_OK);
        CHECK(strcmp(rg_rule_text(again), rg_rule_text(rule)) == 0);
        CHECK(again->n_terms == rule->n_terms && again->n_slots == rule->n_slots);
        rg_rule_input input = {
            .size = sizeof input, .labels = known, .n_labels = 1, .n_outputs = 2};
        input.in = (rg_rule_shape){2, 3, 4, 2};
        input.out = (rg_rule_shape){3, 2, 1};
        input.data = rg_rule_describe(rule)->on_shapes ? NULL : set;
        rg_rule_values values = {.read = read_values,
                                 .context = (void *)(uintptr_t)input.data,
                                 .n_samples = 3,
                                 .n_channels = 2,
                                 .shape = input.in};
        input.values = &values;
        compile(rule, &input);
    }
    rg_rule_free(rule);
    rg_rule_free(again);
    rg_free(text);
    return 0;
}
