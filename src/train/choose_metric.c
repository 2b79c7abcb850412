/* choose_metric.c - see choose_metric.h. */
#include "choose_metric.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* Adds to `counts` the classes of the rows of samples. */
static void count_rows(double *counts, const rg_source *source, bool nodes, const uint32_t *ranks,
                       const rg_part *part)
{
    const uint8_t *mask = nodes ? rg_source_node_mask(source, RG_PART_OF_TRAIN) : NULL;
    for (size_t k = 0; k < part->n; k++) {
        uint64_t row = part->graphs[k], end = row + 1;
        if (nodes) {
            rg_graph graph = rg_dataset_graph(source->graphs, part->graphs[k]);
            row = graph.first_node;
            end = row + graph.n_nodes;
        }
        for (; row < end; row++)
            if (ranks[row] != RG_NO_CLASS && (!mask || mask[row]))
                counts[ranks[row]]++;
    }
}

rg_status rg_targets_majority(double *out, const rg_source *source, rg_task task,
                              const uint32_t *columns, size_t n_columns, const rg_part *train,
                              size_t n_parts, rg_error *err)
{
    bool nodes = task == RG_TASK_NODES;
    rg_column kind = rg_source_target_kind(source, nodes ? task : RG_TASK_CLASSES);
    size_t there = source->arrays && nodes ? 0 : rg_source_columns(source, kind);
    size_t n = n_columns ? n_columns : task == RG_TASK_MULTILABEL ? there : (there ? 1 : 0);
    double most = 0, known = 0;
    for (size_t c = 0; !rg_task_of_values(task) && c < n; c++) {
        size_t column = n_columns ? columns[c] : c, n_values;
        if (column >= there)
            continue; /* building the network complains */
        const uint32_t *ranks = rg_source_classes(source, kind, column, &n_values);
        double *counts = rg_alloc_zero(n_values, sizeof *counts), own = 0;
        if (!counts)
            return rg_fail_memory(err, "the most frequent class");
        for (size_t k = 0; k < n_parts; k++)
            count_rows(counts, source, nodes, ranks, &train[k]);
        for (size_t k = 0; k < n_values; k++) {
            own = counts[k] > own ? counts[k] : own;
            known += counts[k];
        }
        most += own;
        rg_free(counts);
    }
    *out = known > 0 ? most / known : (double)NAN;
    return RG_OK;
}

rg_metric rg_metric_choose(rg_metric asked, rg_task task, double majority)
{
    if (asked > RG_METRIC_AUTO)
        return asked;
    if (rg_task_of_values(task))
        return RG_METRIC_MAE;
    return asked == RG_METRIC_AUTO && majority > RG_METRIC_MAJORITY ? RG_METRIC_ROC_AUC
                                                                    : RG_METRIC_ACCURACY;
}
