/* model_names.c - names of values and columns in a model file: a list of columns, each an object.
 *
 *     [{"kind":"node_label","column":0,"name":"element","values":{"6":"C","8":"O"}}]
 *
 * Columns ascend by kind and number, values by value, so there is one form only. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "graph/dataset.h"
#include "model.h"
#include "text/json.h"
#include "text/json_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_words[RG_N_COLUMN_KINDS] = {[RG_NODE_LABEL] = "node_label",
                                                          [RG_EDGE_LABEL] = "edge_label",
                                                          [RG_NODE_ATTRIBUTE] = "node_attribute",
                                                          [RG_EDGE_ATTRIBUTE] = "edge_attribute",
                                                          [RG_CLASS] = "class",
                                                          [RG_TARGET] = "target",
                                                          [RG_NODE_CLASS] = "node_class",
                                                          [RG_EDGE_CLASS] = "edge_class",
                                                          [RG_NODE_TARGET] = "node_target",
                                                          [RG_EDGE_TARGET] = "edge_target",
                                                          [RG_NODE_MASK] = "node_mask",
                                                          [RG_EDGE_MASK] = "edge_mask",
                                                          [RG_MASK] = "mask"};

/* Which column comes first; 0: they are the same. */
static int compare(const rg_value_name *a, const rg_value_name *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->column == b->column ? 0 : a->column < b->column ? -1 : 1;
}

/* ---- writing */

static void add_column(rg_json *json, const rg_net_names *names, size_t *value, size_t *column)
{
    const rg_value_name *v = *value < names->n_values ? &names->list[*value] : NULL;
    const rg_value_name *c = *column < names->n ? &names->list[*column] : NULL;
    const rg_value_name first = !v || (c && compare(c, v) < 0) ? *c : *v;
    char key[32];
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "kind", kind_words[first.kind]);
    rg_json_count(json, "column", first.column);
    if (c && compare(c, &first) == 0) {
        rg_json_string(json, "name", c->name);
        ++*column;
    }
    if (v && compare(v, &first) == 0) {
        rg_json_open(json, "values", '{');
        for (; *value < names->n_values; ++*value) {
            v = &names->list[*value];
            if (compare(v, &first) != 0)
                break;
            snprintf(key, sizeof key, "%" PRId64, v->value);
            rg_json_string(json, key, v->name);
        }
        rg_json_close(json, '{');
    }
    rg_json_close(json, '{');
}

rg_status rg_model_names_print(char **text, const rg_net_names *names, rg_error *err)
{
    rg_json json = {.layout = RG_JSON_UTF8};
    *text = NULL;
    if (names->n == 0)
        return RG_OK;
    rg_json_open(&json, NULL, '[');
    for (size_t v = 0, c = names->n_values; v < names->n_values || c < names->n;)
        add_column(&json, names, &v, &c);
    rg_json_close(&json, '[');
    *text = rg_json_take(&json);
    return *text ? RG_OK : rg_fail_memory(err, "a model");
}

/* ---- reading */

typedef struct names_reader {
    const char *file;
    size_t entry; /* of the list, from 0 */
    rg_value_name *values, *columns;
    size_t n_values, n_columns, values_capacity, columns_capacity;
    rg_error *err;
} names_reader;

static rg_status complain(const names_reader *in, const json_t *found, const char *expected)
{
    char text[RG_JSON_WORDS];
    return rg_fail(in->err, RG_EDATA,
                   "%s: metadata '" RG_MODEL_NAMES "': entry %zu: found %s, expected %s", in->file,
                   in->entry, rg_json_describe(text, found), expected);
}

static rg_status add(rg_value_name **list, size_t *n, size_t *capacity, const rg_value_name *own,
                     rg_error *err)
{
    if (!rg_grow(list, capacity, *n + 1, sizeof **list))
        return rg_fail_memory(err, "a model");
    (*list)[(*n)++] = *own;
    return RG_OK;
}

/* Which column an entry is about; it comes behind the one before. */
static rg_status read_place(names_reader *in, rg_value_name *own, const rg_value_name *before,
                            const json_t *entry)
{
    const json_t *kind = json_object_get(entry, "kind"), *column = json_object_get(entry, "column");
    const char *word = json_string_value(kind);
    int k = 0;
    while (word && k < RG_N_COLUMN_KINDS && strcmp(kind_words[k], word) != 0)
        k++;
    if (!word || k == RG_N_COLUMN_KINDS)
        return complain(in, kind, "a kind of columns, such as \"node_label\"");
    if (!json_is_integer(column) || json_integer_value(column) < 0 ||
        json_integer_value(column) > UINT32_MAX)
        return complain(in, column, "the number of a column");
    own->kind = (rg_column)k;
    own->column = (size_t)json_integer_value(column);
    if (in->entry && compare(before, own) >= 0)
        return complain(in, column, "columns that ascend");
    return RG_OK;
}

static rg_status read_values(names_reader *in, rg_value_name *own, json_t *values)
{
    const char *key;
    json_t *name;
    rg_status status = RG_OK;
    int64_t before = INT64_MIN;
    if (!json_is_object(values) || !rg_column_is_label(own->kind))
        return complain(in, values, "an object of values and their names");
    json_object_foreach(values, key, name)
    {
        if (rg_number_int(key, key + strlen(key), &own->value) != key + strlen(key) ||
            own->value <= before)
            return rg_fail(
                in->err, RG_EDATA,
                "%s: metadata '" RG_MODEL_NAMES
                "': entry %zu: found the value \"%.40s\", expected whole numbers that ascend",
                in->file, in->entry, key);
        own->name = json_string_value(name);
        if (!own->name || !*own->name)
            return complain(in, name, "a name");
        before = own->value;
        status = add(&in->values, &in->n_values, &in->values_capacity, own, in->err);
        if (status)
            return status;
    }
    return status;
}

static rg_status read_entry(names_reader *in, rg_value_name *before, const json_t *entry)
{
    rg_value_name own = {.value = 0};
    const json_t *name = json_object_get(entry, "name");
    json_t *values = json_object_get(entry, "values");
    rg_status status = read_place(in, &own, before, entry);
    *before = own;
    if (!status && name) {
        own.name = json_string_value(name);
        status = own.name && *own.name
                     ? add(&in->columns, &in->n_columns, &in->columns_capacity, &own, in->err)
                     : complain(in, name, "a name");
    }
    if (!status && values)
        status = read_values(in, &own, values);
    return status;
}

/* Values first, then columns; the names are still the tree's. */
static rg_status join(rg_net_names *out, names_reader *in)
{
    rg_status status = RG_OK;
    size_t n_values = in->n_values;
    for (size_t k = 0; !status && k < in->n_columns; k++)
        status = add(&in->values, &in->n_values, &in->values_capacity, &in->columns[k], in->err);
    return status ? status : rg_net_names_copy(out, in->values, n_values, in->n_values, in->err);
}

rg_status rg_model_names_parse(rg_net_names *out, const char *name, const char *text, rg_error *err)
{
    names_reader in = {.file = name, .err = err};
    rg_value_name before = {.value = 0};
    json_error_t error = {.text = ""};
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    rg_status status = RG_OK;
    if (!list && rg_json_starved(&error))
        return rg_fail_memory(err, "a model");
    if (!list)
        return rg_fail(err, RG_EDATA, "%s: metadata '" RG_MODEL_NAMES "': %s", name, error.text);
    if (!json_is_array(list))
        status = complain(&in, list, "a list");
    for (; !status && in.entry < json_array_size(list); in.entry++)
        status = read_entry(&in, &before, json_array_get(list, in.entry));
    if (!status)
        status = join(out, &in);
    rg_free(in.values);
    rg_free(in.columns);
    json_decref(list);
    return status;
}

/* ---- asking */

static const char *find(const rg_net_names *names, size_t from, size_t to, rg_column kind,
                        size_t column, int64_t value)
{
    for (size_t k = from; k < to; k++) {
        const rg_value_name *own = &names->list[k];
        if (own->kind == kind && own->column == column && own->value == value)
            return own->name;
    }
    return NULL;
}

const char *rg_model_output_name(const rg_model *model, uint32_t c)
{
    const rg_network *net = model->net;
    const rg_net_names *names = &net->names;
    rg_column kind = rg_network_target_kind(net);
    if (c >= net->n_outputs)
        return NULL;
    if (rg_task_of_classes(net->task))
        return find(names, 0, names->n_values, kind, net->targets[0].column,
                    net->targets[0].values[c]);
    return find(names, names->n_values, names->n, kind, net->targets[c].column, 0);
}

const rg_value_name *rg_model_value_names(const rg_model *model, size_t *n)
{
    *n = model->net->names.n_values;
    return *n ? model->net->names.list : NULL;
}
