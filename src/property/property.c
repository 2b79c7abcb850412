/* property.c - the table of properties, and what may be asked of them. */
#include "regula/property.h"

#include "base/error.h"

#include <assert.h>
#include <string.h>

enum { LONGEST_CYCLE = 32 };

/* In the order of rg_property_kind. */
static const rg_property_info kinds[RG_N_PROPERTIES] = {
    {"dist", 2, "cut-off", 0, RG_DIST_ANY, RG_DIST_ANY, 0, RG_NO_VALUE},
    {"edge", 2, NULL, 0, 0, 0, 0, 0},
    {"bond", 2, "column", 0, UINT32_MAX, 0, 0, RG_NO_VALUE},
    {"same_cycle", 2, "length", 3, LONGEST_CYCLE, 6, 1, 0},
    {"common", 2, NULL, 0, 0, 0, 0, 0},
    {"degree", 1, NULL, 0, 0, 0, 0, RG_NO_VALUE},
};

const rg_property_info *rg_property_describe(rg_property_kind kind)
{
    assert((unsigned)kind < RG_N_PROPERTIES);
    return &kinds[kind];
}

rg_property_kind rg_property_find(const char *name)
{
    unsigned kind = 0;
    while (kind < RG_N_PROPERTIES && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return (rg_property_kind)kind;
}

rg_property rg_property_default(rg_property_kind kind)
{
    return (rg_property){kind, rg_property_describe(kind)->usual};
}

static rg_status check_bond(uint32_t column, const rg_dataset *data, rg_error *err)
{
    size_t n_columns = rg_dataset_n_columns(data, RG_EDGE_LABEL);
    if (n_columns == 0)
        return rg_fail(err, RG_EDATA, "bond: '%s' has no edge labels", rg_dataset_name(data));
    if (column >= n_columns)
        return rg_fail(err, RG_EDATA,
                       "bond: found column %u, expected 0..%zu: '%s' has %zu column%s of edge "
                       "labels",
                       column, n_columns - 1, rg_dataset_name(data), n_columns,
                       n_columns == 1 ? "" : "s");
    return RG_OK;
}

rg_status rg_property_check(const rg_property *property, const rg_dataset *data, rg_error *err)
{
    if ((unsigned)property->kind >= RG_N_PROPERTIES)
        return rg_fail(err, RG_EUSAGE, "found property number %u, expected one below %u",
                       (unsigned)property->kind, (unsigned)RG_N_PROPERTIES);
    const rg_property_info *info = rg_property_describe(property->kind);
    if (info->parameter && (property->parameter < info->low || property->parameter > info->high))
        return rg_fail(err, RG_EUSAGE, "%s: found %s %u, expected %u..%u", info->name,
                       info->parameter, property->parameter, info->low, info->high);
    if (data && property->kind == RG_PROPERTY_BOND)
        return check_bond(property->parameter, data, err);
    return RG_OK;
}
