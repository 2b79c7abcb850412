/* chemistry.c - element, charge, hydrogens, aromatic, ring_size, hybridisation, chirality: labels of atoms.
 *
 * Each is a column of node labels that a set of molecules has, found by its name. */
#include "base/error.h"
#include "label/kind.h"
#include "molecule/element.h"

#include <inttypes.h>
#include <string.h>

static size_t find_column(const rg_dataset *data, const char *name)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_LABEL);
    for (size_t c = 0; c < n; c++) {
        const char *found = rg_dataset_column_name(data, RG_NODE_LABEL, c);
        if (found && strcmp(found, name) == 0)
            return c;
    }
    return SIZE_MAX;
}

static rg_status check_column(const rg_dataset *data, const char *name, rg_error *err)
{
    if (find_column(data, name) != SIZE_MAX)
        return RG_OK;
    return rg_fail(err, RG_EDATA,
                   "'%s': found no node labels called '%s', expected molecules (SMILES or SDF)",
                   rg_dataset_name(data), name);
}

static rg_status column_numbers(int64_t *out, const rg_label_task *task, const char *name)
{
    size_t column = find_column(task->data, name), n;
    const uint32_t *ranks = rg_dataset_ranks(task->data, RG_NODE_LABEL, column);
    const int64_t *values = rg_dataset_values(task->data, RG_NODE_LABEL, column, &n);
    for (uint32_t i = 0; i < task->graph.n_nodes; i++)
        out[i] = values[ranks[task->graph.first_node + i]];
    return RG_OK;
}

static const char *hybrid_name(int64_t value)
{
    static const char *const names[] = {"no hybridisation", "sp", "sp2", "sp3", "sp3d", "sp3d2"};
    return value >= 0 && value < 6 ? names[value] : "another hybridisation";
}

static void say_element(rg_label_words *out, int64_t value)
{
    rg_label_say(out, "%s", value >= 0 ? rg_element_symbol((unsigned)value) : "?");
}

static void say_charge(rg_label_words *out, int64_t value)
{
    rg_label_say(out, value ? "charge %+" PRId64 : "charge %" PRId64, value);
}

static void say_hydrogens(rg_label_words *out, int64_t value)
{
    rg_label_say(out, "%" PRId64 " hydrogen%s", value, value == 1 ? "" : "s");
}

static void say_aromatic(rg_label_words *out, int64_t value)
{
    rg_label_say(out, "%s", value ? "aromatic" : "not aromatic");
}

static void say_ring_size(rg_label_words *out, int64_t value)
{
    if (value)
        rg_label_say(out, "smallest ring of %" PRId64, value);
    else
        rg_label_say(out, "no ring");
}

static void say_hybridisation(rg_label_words *out, int64_t value)
{
    rg_label_say(out, "%s", hybrid_name(value));
}

static void say_chirality(rg_label_words *out, int64_t value)
{
    if (value > 2)
        rg_label_say(out, "chirality %" PRId64, value);
    else
        rg_label_say(out, "%s",
                     value == 1   ? "chirality @"
                     : value == 2 ? "chirality @@"
                                  : "no chirality");
}

/* word: as it is written; column: as the set calls it. */
#define CHEMISTRY(word, column)                                                                   \
    static rg_status word##_check(const rg_label_spec *spec, const rg_dataset *data,              \
                                  rg_error *err)                                                  \
    {                                                                                             \
        (void)spec;                                                                               \
        return check_column(data, column, err);                                                   \
    }                                                                                             \
    static rg_status word##_numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task, \
                                    rg_error *err)                                                \
    {                                                                                             \
        (void)spec;                                                                               \
        (void)err;                                                                                \
        return column_numbers(out, task, column);                                                 \
    }                                                                                             \
    static void word##_describe(rg_label_words *out, const rg_labeling *labeling,                 \
                                const uint32_t *key)                                              \
    {                                                                                             \
        (void)labeling;                                                                           \
        say_##word(out, rg_words_to_int(key));                                                    \
    }                                                                                             \
    static void word##_phrase(rg_label_words *out, const rg_labeling *labeling,                   \
                              const uint32_t *key, bool brief)                                    \
    {                                                                                             \
        (void)labeling;                                                                           \
        rg_label_say(out, brief ? "" : "with ");                                                  \
        say_##word(out, rg_words_to_int(key));                                                    \
    }                                                                                             \
    const rg_label_kind rg_label_##word = {                                                       \
        .name = #word,                                                                            \
        .size = sizeof(rg_label_spec),                                                            \
        .arguments = {RG_BOUND("max")},                                                           \
        .check_data = word##_check,                                                               \
        .numbers = word##_numbers,                                                                \
        .describe = word##_describe,                                                              \
        .phrase = word##_phrase,                                                                  \
    };

CHEMISTRY(element, "element")
CHEMISTRY(charge, "charge")
CHEMISTRY(hydrogens, "hydrogens")
CHEMISTRY(aromatic, "aromatic")
CHEMISTRY(ring_size, "ring size")
CHEMISTRY(hybridisation, "hybridisation")
CHEMISTRY(chirality, "chirality")
