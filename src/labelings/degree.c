/* degree.c - degree: how many neighbours a node has. */
#include "label/kind.h"

#include <inttypes.h>

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    (void)spec;
    (void)err;
    for (uint32_t i = 0; i < task->graph.n_nodes; i++)
        out[i] = (int64_t)(task->graph.row[i + 1] - task->graph.row[i]);
    return RG_OK;
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    (void)labeling;
    rg_label_say(out, "degree %" PRId64, rg_words_to_int(key));
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)labeling;
    (void)brief;
    rg_label_say(out, "of degree %" PRId64, rg_words_to_int(key));
}

const rg_label_kind rg_label_degree = {
    .name = "degree",
    .size = sizeof(rg_label_spec),
    .arguments = {RG_BOUND("max")},
    .numbers = numbers,
    .describe = describe,
    .phrase = phrase,
    .bare = "of degree ",
};
