/* info.c - what text and JSON of regula data info share. */
#include "info.h"

#include <math.h>
#include <string.h>

void cli_info_classes(const cli_info *info, uint64_t *counts, uint64_t *missing)
{
    size_t n_values = 0;
    rg_dataset_values(info->data, RG_CLASS, 0, &n_values);
    const uint32_t *ranks = rg_dataset_ranks(info->data, RG_CLASS, 0);
    memset(counts, 0, n_values * sizeof *counts);
    *missing = 0;
    for (size_t g = 0; g < rg_dataset_n_graphs(info->data); g++) {
        if (ranks[g] == RG_NO_CLASS)
            ++*missing;
        else
            counts[ranks[g]]++;
    }
}

/* How many rows a real column has. */
static uint64_t n_rows(const rg_dataset *data, rg_column kind)
{
    if (kind == RG_NODE_ATTRIBUTE)
        return rg_dataset_n_nodes(data);
    return kind == RG_EDGE_ATTRIBUTE ? rg_dataset_n_arcs(data) : rg_dataset_n_graphs(data);
}

cli_span cli_info_span(const cli_info *info, rg_column kind, size_t column)
{
    const double *values = rg_dataset_reals(info->data, kind);
    size_t n_columns = rg_dataset_n_columns(info->data, kind);
    uint64_t rows = n_rows(info->data, kind);
    cli_span span = {INFINITY, -INFINITY, 0};
    for (uint64_t k = 0; values && k < rows; k++) {
        double value = values[k * n_columns + column];
        if (isnan(value))
            continue;
        span.min = fmin(span.min, value);
        span.max = fmax(span.max, value);
        span.n++;
    }
    return span;
}
