/* quirks.c - see quirks.h. */
#include "quirks.h"

#include <stdio.h>

/* As many repeated lines as kept ones, or a multiple: the whole list is there several times, as in
 * IMDB-BINARY. */
static bool say_duplicates(const rg_dataset *data, char *out, size_t size)
{
    const rg_quirks *q = rg_dataset_quirks(data);
    uint64_t kept = rg_dataset_n_arcs(data) - q->one_way_edges;
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

bool rg_quirk_sentence(const rg_dataset *data, size_t k, char *out, size_t size)
{
    const rg_quirks *q = rg_dataset_quirks(data);
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
        {q->left_out, "molecule could not be read: left out",
         "molecules could not be read: left out"},
    };
    if (k >= sizeof list / sizeof *list)
        return false;
    out[0] = '\0';
    if (list[k].count == 0 || (k == 0 && say_duplicates(data, out, size)))
        return true;
    snprintf(out, size, "%llu %s", (unsigned long long)list[k].count,
             list[k].count == 1 ? list[k].one : list[k].many);
    return true;
}
