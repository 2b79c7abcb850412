/* pattern.c - pattern(P, Q, ..., induced): how many occurrences of each small graph hold the
 * node. */
#include "count/pattern.h"
#include "base/alloc.h"
#include "base/error.h"
#include "label/kind.h"
#include "smarts/smarts.h"

typedef struct pattern_spec {
    rg_label_spec base;
    bool induced;
} pattern_spec;

static rg_status check_data(const rg_label_spec *spec, const rg_dataset *data, rg_error *err)
{
    bool node_labels = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    bool edge_labels = rg_dataset_n_columns(data, RG_EDGE_LABEL) > 0;
    for (size_t k = 0; k < spec->n_patterns; k++) {
        const rg_pattern *pattern = &spec->patterns[k];
        if (pattern->smarts) {
            rg_status status = rg_pattern_check_molecules(data, err);
            if (status)
                return status;
        }
        bool nodes = pattern->has_node_labels && !node_labels;
        if (nodes || (pattern->has_edge_labels && !edge_labels))
            return rg_fail(err, RG_EDATA, "'%s': found no %s labels, expected some for %s",
                           rg_dataset_name(data), nodes ? "node" : "edge", pattern->text);
    }
    return RG_OK;
}

static size_t dims(const rg_label_spec *spec)
{
    return spec->n_patterns;
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    return rg_count_patterns(out, task->data, task->index, spec->patterns, spec->n_patterns,
                             ((const pattern_spec *)spec)->induced, task->budget, &task->capped,
                             task->space, err);
}

static uint32_t size(const rg_label_spec *spec, size_t d)
{
    return spec->patterns[d].n_nodes;
}

static const char *text(const rg_label_spec *spec, size_t d)
{
    return spec->patterns[d].text;
}

static void words(rg_label_words *out, const rg_label_spec *spec, size_t d)
{
    rg_text text = {0};
    if (!spec->patterns[d].smarts)
        return;
    rg_smarts_words(&text, spec->patterns[d].smarts);
    char *copy = rg_text_take(&text);
    if (copy)
        rg_label_say(out, " (%s)", copy);
    rg_free(copy);
}

static const rg_label_counted counted = {.size = size,
                                         .text = text,
                                         .words = words,
                                         .place = "in",
                                         .noun = "pattern",
                                         .plain = "pattern"};

const rg_label_kind rg_label_pattern = {
    .name = "pattern",
    .size = sizeof(pattern_spec),
    .arguments = {{.type = RG_ARGUMENT_PATTERN,
                   .low = 1,
                   .missing = "pattern with at least one pattern, such as pattern(cycle(4))"},
                  RG_FLAG("induced", pattern_spec, induced, true),
                  RG_BOUND("max_labels")},
    .check_data = check_data,
    .dims = dims,
    .numbers = numbers,
    .counted = &counted,
    .describe = rg_counted_describe,
    .phrase = rg_counted_phrase,
};
