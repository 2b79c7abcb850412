/* value_names.c - see value_names.h. */
#include "value_names.h"

#include "base/alloc.h"

#include <string.h>

void rg_raw_names_free(rg_raw_names *names)
{
    rg_free(names->text);
    rg_free(names->names);
    memset(names, 0, sizeof *names);
}

bool rg_raw_names_add(rg_raw_names *names, rg_raw_name name, const char *text)
{
    size_t n = strlen(text) + 1, first = names->n_text ? names->n_text : 1, need;
    if (n == 1)
        return true;
    if (!rg_size_add(&need, first, n) ||
        !rg_grow(&names->text, &names->text_capacity, need, sizeof *names->text) ||
        !rg_grow(&names->names, &names->capacity, names->n + 1, sizeof *names->names))
        return false;
    names->text[0] = '\0';
    memcpy(names->text + first, text, n);
    names->n_text = need;
    name.at = first;
    names->names[names->n++] = name;
    return true;
}

bool rg_raw_names_any(const rg_raw_names *names, rg_name_of of, rg_column kind)
{
    for (size_t k = 0; k < names->n; k++)
        if (names->names[k].of == of && (of == RG_NAME_OF_GRAPH || names->names[k].kind == kind))
            return true;
    return false;
}

/* The place of a value among the ascending ones of its column; SIZE_MAX: it does not occur. */
static size_t find_value(const rg_label_columns *labels, size_t column, int64_t value)
{
    if (column >= labels->n_columns)
        return SIZE_MAX;
    size_t low = labels->value_start[column], end = labels->value_start[column + 1], high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (labels->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && labels->values[low] == value ? low : SIZE_MAX;
}

/* Where the place of a name is kept; NULL: nowhere. */
static size_t *place_of(rg_dataset *data, const rg_raw_name *name)
{
    size_t slot = rg_column_slot(name->kind), at = SIZE_MAX;
    switch (name->of) {
    case RG_NAME_OF_VALUE:
        if (rg_column_is_label(name->kind))
            at = find_value(&data->labels[slot], name->column, name->value);
        return at == SIZE_MAX ? NULL : &data->names.values[slot][at];
    case RG_NAME_OF_COLUMN:
        return name->column < rg_dataset_n_columns(data, name->kind)
                   ? &data->names.columns[name->kind][name->column]
                   : NULL;
    default:
        return name->column < data->n_graphs ? &data->names.graphs[name->column] : NULL;
    }
}

void rg_dataset_fill_names(rg_dataset *data, const rg_raw_names *names)
{
    if (names->n_text)
        memcpy(data->names.text, names->text, names->n_text);
    for (size_t k = 0; k < names->n; k++) {
        size_t *place = place_of(data, &names->names[k]);
        if (place && !*place)
            *place = names->names[k].at;
    }
}
