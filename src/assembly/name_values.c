/* name_values.c - see name_values.h. */
#include "name_values.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

bool rg_name_values_open(rg_name_values *known)
{
    *known = (rg_name_values){.names = rg_table_new(), .used = rg_table_new()};
    return known->names && known->used;
}

void rg_name_values_close(rg_name_values *known)
{
    rg_table_free(known->names);
    rg_table_free(known->used);
    rg_free(known->values);
    rg_free(known->named);
    *known = (rg_name_values){0};
}

bool rg_name_values_find(int64_t *value, const rg_name_values *known, const char *name)
{
    uint32_t at = rg_table_find(known->names, name, strlen(name));
    if (at == RG_TABLE_NONE)
        return false;
    *value = known->values[at];
    return true;
}

/* Notes that a value occurs and whether it has a name. */
static bool use(rg_name_values *known, int64_t value, bool named)
{
    size_t before = rg_table_size(known->used);
    uint32_t at = rg_table_add(known->used, &value, sizeof value);
    if (at == RG_TABLE_NONE || !rg_grow(&known->named, &known->named_capacity,
                                        rg_table_size(known->used), sizeof *known->named))
        return false;
    known->named[at] = named || (at < before && known->named[at]);
    if (value >= known->next)
        known->next = value < INT64_MAX ? value + 1 : INT64_MAX;
    return true;
}

static bool add_name(rg_name_values *known, const char *name, int64_t value)
{
    uint32_t at = rg_table_add(known->names, name, strlen(name));
    if (at == RG_TABLE_NONE || !rg_grow(&known->values, &known->values_capacity,
                                        rg_table_size(known->names), sizeof *known->values))
        return false;
    known->values[at] = value;
    return true;
}

rg_status rg_name_values_add(int64_t *value, rg_name_values *known, const char *name, rg_error *err)
{
    if (name && rg_name_values_find(value, known, name))
        return RG_OK;
    uint32_t at = rg_table_find(known->used, value, sizeof *value);
    if (name && at != RG_TABLE_NONE && known->named[at]) {
        if (known->next == INT64_MAX)
            return rg_fail(err, RG_EDATA, "there is no value left for the name '%s'", name);
        *value = known->next;
    }
    if (!use(known, *value, name != NULL) || (name && !add_name(known, name, *value)))
        return rg_fail_memory(err, "names of values");
    return RG_OK;
}

rg_status rg_name_values_add_column(int64_t *values, rg_name_values *known, const rg_dataset *data,
                                    rg_column kind, size_t column, rg_error *err)
{
    size_t n;
    const int64_t *own = rg_dataset_values(data, kind, column, &n);
    rg_status status = RG_OK;
    for (size_t r = 0; !status && r < n; r++) {
        int64_t value = own[r];
        const char *name = rg_dataset_value_name(data, kind, column, r);
        status = rg_name_values_add(&value, known, name, err);
        if (values)
            values[r] = value;
    }
    return status;
}
