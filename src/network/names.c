/* names.c - the names that values and columns had in the data of the fit. */
#include "base/alloc.h"
#include "base/error.h"
#include "network.h"

#include <string.h>

static const rg_column named_values[] = {RG_NODE_LABEL, RG_EDGE_LABEL, RG_CLASS, RG_NODE_CLASS,
                                         RG_EDGE_CLASS};
enum { N_NAMED_VALUES = sizeof named_values / sizeof *named_values };

/* Is it printable UTF-8 from end to end? Only such texts go into a model file. */
static bool is_printable(const char *text)
{
    size_t n = 1;
    while (*text && (n = rg_printable(text)) > 0)
        text += n;
    return n > 0;
}

/* A list that grows. */
typedef struct name_list {
    rg_value_name *list;
    size_t n, capacity;
} name_list;

static bool add(name_list *names, rg_column kind, size_t column, int64_t value, const char *name)
{
    if (!name || !*name || !is_printable(name))
        return true;
    if (!rg_grow(&names->list, &names->capacity, names->n + 1, sizeof *names->list))
        return false;
    names->list[names->n++] = (rg_value_name){kind, column, value, name};
    return true;
}

static bool add_values(name_list *names, const rg_dataset *data, rg_column kind)
{
    bool fine = true;
    for (size_t c = 0; c < rg_dataset_n_columns(data, kind); c++) {
        size_t n;
        const int64_t *values = rg_dataset_values(data, kind, c, &n);
        for (size_t r = 0; fine && r < n; r++)
            fine = add(names, kind, c, values[r], rg_dataset_value_name(data, kind, c, r));
    }
    return fine;
}

static bool add_columns(name_list *names, const rg_dataset *data)
{
    bool fine = true;
    for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++)
        for (size_t c = 0; fine && c < rg_dataset_n_columns(data, (rg_column)kind); c++)
            fine =
                add(names, (rg_column)kind, c, 0, rg_dataset_column_name(data, (rg_column)kind, c));
    return fine;
}

rg_status rg_net_names_copy(rg_net_names *out, const rg_value_name *list, size_t n_values, size_t n,
                            rg_error *err)
{
    size_t bytes = n * sizeof *list;
    *out = (rg_net_names){0};
    for (size_t k = 0; k < n; k++)
        bytes += strlen(list[k].name) + 1;
    if (n == 0 || bytes > RG_NAMES_BYTES_MAX)
        return RG_OK;
    rg_value_name *copy = rg_alloc(bytes, 1);
    if (!copy)
        return rg_fail_memory(err, "names of values");
    char *text = (char *)(copy + n);
    for (size_t k = 0; k < n; k++) {
        size_t length = strlen(list[k].name) + 1;
        copy[k] = list[k];
        copy[k].name = memcpy(text, list[k].name, length);
        text += length;
    }
    *out = (rg_net_names){copy, n_values, n};
    return RG_OK;
}

rg_status rg_net_names_read(rg_net_names *out, const rg_dataset *data, rg_error *err)
{
    name_list names = {0};
    bool fine = true;
    for (size_t k = 0; fine && k < N_NAMED_VALUES; k++)
        fine = add_values(&names, data, named_values[k]);
    size_t n_values = names.n;
    fine = fine && add_columns(&names, data);
    rg_status status = fine ? rg_net_names_copy(out, names.list, n_values, names.n, err)
                            : rg_fail_memory(err, "names of values");
    rg_free(names.list);
    return status;
}
