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

/* As many repeated lines as kept ones, or a multiple: the whole list is there several times, as in
 * IMDB-BINARY. */
static bool say_duplicates(const cli_info *info, char *out, size_t size)
{
    const rg_quirks *q = rg_dataset_quirks(info->data);
    uint64_t kept = rg_dataset_n_arcs(info->data) - q->one_way_edges;
    if (!kept || q->duplicate_edges % kept || q->edge_conflicts)
        return false;
    uint64_t times = q->duplicate_edges / kept + 1;
    char often[32];
    snprintf(often, sizeof often, "%llu times", (unsigned long long)times);
    snprintf(out, size, "every edge is listed %s%s: %llu lines dropped",
             times == 2 ? "twice" : often, q->one_way_edges ? "" : " in each direction",
             (unsigned long long)q->duplicate_edges);
    return true;
}

bool cli_quirk_sentence(const cli_info *info, size_t k, char *out, size_t size)
{
    const rg_quirks *q = rg_dataset_quirks(info->data);
    const struct {
        uint64_t count;
        const char *one, *many; /* what follows the count */
    } list[] = {
        {q->duplicate_edges, "line repeats an earlier edge: dropped",
         "lines repeat earlier edges: dropped"},
        {q->self_loops, "line joins a node to itself: dropped",
         "lines join a node to itself: dropped"},
        {q->one_way_edges, "edge is listed in one direction only: completed",
         "edges are listed in one direction only: completed"},
        {q->edge_conflicts, "line contradicts an edge's label or attributes: the first one counts",
         "lines contradict an edge's label or attributes: the first one counts"},
        {q->unsorted_edges, "line of the edge list is out of order: sorted",
         "lines of the edge list are out of order: sorted"},
        {q->unsorted_nodes, "node comes after nodes of a later graph: reordered",
         "nodes come after nodes of a later graph: reordered"},
        {q->isolated_nodes, "node has no edge: kept", "nodes have no edge: kept"},
        {q->empty_graphs, "graph has no node: kept", "graphs have no node: kept"},
        {q->label_gaps, "label column is not 0, 1, 2, ...: numbered by rank, values kept",
         "label columns are not 0, 1, 2, ...: numbered by rank, values kept"},
        {q->class_gaps, "class column is not 0, 1, 2, ...: numbered by rank, values kept",
         "class columns are not 0, 1, 2, ...: numbered by rank, values kept"},
        {q->missing_targets, "target has no value", "targets have no value"},
        {q->missing_newlines, "file does not end with a newline: fine",
         "files do not end with a newline: fine"},
        {q->ignored_files, "file belongs to no format: not read",
         "files belong to no format: not read"},
    };
    if (k >= sizeof list / sizeof *list)
        return false;
    out[0] = '\0';
    if (list[k].count == 0 || (k == 0 && say_duplicates(info, out, size)))
        return true;
    snprintf(out, size, "%llu %s", (unsigned long long)list[k].count,
             list[k].count == 1 ? list[k].one : list[k].many);
    return true;
}
