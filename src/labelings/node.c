/* node.c - node(column): the node labels of the file. */
#include "base/error.h"
#include "label/kind.h"

#include <inttypes.h>

typedef struct node_spec {
    rg_label_spec base;
    uint32_t column;
} node_spec;

static uint32_t column_of(const rg_label_spec *spec)
{
    return ((const node_spec *)spec)->column;
}

static rg_status check_data(const rg_label_spec *spec, const rg_dataset *data, rg_error *err)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_LABEL);
    if (column_of(spec) < n)
        return RG_OK;
    return rg_fail(err, RG_EDATA,
                   "'%s': found %zu column%s of node labels, expected column %u (from 0)",
                   rg_dataset_name(data), n, n == 1 ? "" : "s", column_of(spec));
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    (void)err;
    size_t n;
    const uint32_t *ranks = rg_dataset_ranks(task->data, RG_NODE_LABEL, column_of(spec));
    const int64_t *values = rg_dataset_values(task->data, RG_NODE_LABEL, column_of(spec), &n);
    for (uint32_t i = 0; i < task->graph.n_nodes; i++)
        out[i] = values[ranks[task->graph.first_node + i]];
    return RG_OK;
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    uint32_t column = column_of(labeling->spec);
    rg_label_say(out, "node label %" PRId64, rg_words_to_int(key));
    if (column)
        rg_label_say(out, " in column %u", column);
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)brief;
    rg_label_say(out, "labelled %" PRId64 " in column %u", rg_words_to_int(key),
                 column_of(labeling->spec));
}

/* Names are those of the first column. */
static bool named(const rg_label_spec *spec)
{
    return column_of(spec) == 0;
}

const rg_label_kind rg_label_node = {
    .name = "node",
    .size = sizeof(node_spec),
    .arguments = {RG_NUMBER(NULL, node_spec, column, 0, RG_ARGUMENT_MANY, 0),
                  RG_NUMBER("column", node_spec, column, 0, RG_ARGUMENT_MANY, 0), RG_BOUND("max")},
    .check_data = check_data,
    .numbers = numbers,
    .describe = describe,
    .phrase = phrase,
    .bare = "labelled ",
    .named = named,
    .column = column_of,
};
