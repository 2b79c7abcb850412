/* vector.c - the numbers that a label is made from, for every labeling but wl. */
#include "base/alloc.h"
#include "base/error.h"
#include "cache.h"
#include "labeling.h"
#include "text/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_words_from_int(uint32_t words[2], int64_t value)
{
    uint64_t shifted = (uint64_t)value ^ (uint64_t)1 << 63; /* negative numbers come first */
    words[0] = (uint32_t)(shifted >> 32);
    words[1] = (uint32_t)shifted;
}

int64_t rg_words_to_int(const uint32_t words[2])
{
    return (int64_t)(((uint64_t)words[0] << 32 | words[1]) ^ (uint64_t)1 << 63);
}

typedef struct task {
    int64_t *out;
    const rg_labeling *labeling;
    const rg_label_frame *frame;
    uint32_t *const *part_labels;
} task;

/* How many bounds are at most the value; a value that is no number has a bin of its own. */
static int64_t bin_of(const rg_labeling *labeling, double value)
{
    if (isnan(value))
        return -1;
    size_t low = 0, high = labeling->n_bounds;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (labeling->bounds[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low;
}

static void simple_numbers(const task *t, const rg_graph *graph, int64_t *out)
{
    const rg_label_spec *spec = t->labeling->spec;
    const rg_dataset *data = t->frame->data;
    size_t n_columns, n_values;
    switch (spec->kind) {
    case RG_LABEL_NODE: {
        const uint32_t *ranks = rg_dataset_ranks(data, RG_NODE_LABEL, spec->column);
        const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, spec->column, &n_values);
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            out[i] = values[ranks[graph->first_node + i]];
        return;
    }
    case RG_LABEL_DEGREE:
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            out[i] = (int64_t)(graph->row[i + 1] - graph->row[i]);
        return;
    case RG_LABEL_ATTRIBUTE: {
        const double *values = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
        n_columns = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            out[i] =
                bin_of(t->labeling, values[(graph->first_node + i) * n_columns + spec->column]);
        return;
    }
    case RG_LABEL_COMBINE:
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            for (size_t p = 0; p < spec->n_parts; p++)
                out[i * spec->n_parts + p] = t->part_labels[p][graph->first_node + i];
        return;
    default:
        memset(out, 0, graph->n_nodes * sizeof *out); /* trivial: all nodes are alike */
    }
}

static rg_status numbers_of_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    const task *t = context;
    const rg_label_frame *frame = t->frame;
    const rg_label_spec *spec = t->labeling->spec;
    rg_graph graph = rg_dataset_graph(frame->data, index);
    int64_t *out = t->out + graph.first_node * rg_label_spec_dims(spec);
    bool capped = false;
    rg_status status = RG_OK;
    rg_frame_tell(frame, worker, index);
    if (frame->needed_only && !frame->selected_graph[index])
        return RG_OK;
    uint64_t budget = frame->options->budget;
    rg_count_space *space = frame->spaces[worker];
    if (spec->kind == RG_LABEL_CYCLES)
        status = rg_count_cycles(out, &graph, spec->min, spec->max, spec->induced, budget, &capped,
                                 space, err);
    else if (spec->kind == RG_LABEL_CLIQUES)
        status =
            rg_count_cliques(out, &graph, spec->max, spec->maximal, budget, &capped, space, err);
    else if (spec->kind == RG_LABEL_PATTERN)
        status = rg_count_patterns(out, frame->data, index, spec->patterns, spec->n_patterns,
                                   spec->induced, budget, &capped, space, err);
    else
        simple_numbers(t, &graph, out);
    if (capped)
        frame->capped[index] = true;
    return status;
}

/* Labels computed elsewhere: one line a graph, one whole number a node. */
static rg_status numbers_of_file(const task *t, rg_error *err)
{
    const rg_dataset *data = t->frame->data;
    size_t n_graphs = rg_dataset_n_graphs(data), n_lines = 0;
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_open(&in, t->labeling->spec->path, err);
    while (!status && !(status = rg_reader_next(in, &more, err)) && more && n_lines < n_graphs) {
        rg_graph graph = rg_dataset_graph(data, n_lines++);
        for (uint32_t i = 0; !status && i < graph.n_nodes; i++)
            status = rg_reader_int(in, &t->out[graph.first_node + i], "a label", err);
        if (!status)
            status = rg_reader_expect_end(in, err);
    }
    if (!status && (more || n_lines < n_graphs))
        status = rg_fail(err, RG_EDATA, "%s: found %s%zu lines, expected %zu, one per graph",
                         rg_reader_name(in), more ? "more than " : "", n_lines, n_graphs);
    rg_reader_close(in);
    return status;
}

/* Does the set have what the labeling looks at? */
static rg_status check_columns(const rg_label_spec *spec, const rg_dataset *data, rg_error *err)
{
    const char *name = rg_dataset_name(data);
    size_t labels = rg_dataset_n_columns(data, RG_NODE_LABEL);
    size_t attributes = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    size_t edge_labels = rg_dataset_n_columns(data, RG_EDGE_LABEL);
    if (spec->kind == RG_LABEL_NODE && spec->column >= labels)
        return rg_fail(err, RG_EDATA, "'%s': found %zu column%s of node labels, expected column %u",
                       name, labels, labels == 1 ? "" : "s", spec->column);
    if (spec->kind == RG_LABEL_ATTRIBUTE && spec->column >= attributes)
        return rg_fail(err, RG_EDATA, "'%s': found %zu node attributes, expected attribute %u",
                       name, attributes, spec->column);
    for (size_t k = 0; k < spec->n_patterns; k++) {
        const rg_pattern *pattern = &spec->patterns[k];
        if ((pattern->has_node_labels && !labels) || (pattern->has_edge_labels && !edge_labels))
            return rg_fail(err, RG_EDATA, "'%s': found no %s labels, expected some for %s", name,
                           pattern->has_node_labels && !labels ? "node" : "edge", pattern->text);
    }
    return RG_OK;
}

rg_status rg_vectors_compute(int64_t *out, const rg_labeling *labeling, const rg_label_frame *frame,
                             uint32_t *const *part_labels, rg_error *err)
{
    task t = {out, labeling, frame, part_labels};
    bool found = false;
    rg_status status = check_columns(labeling->spec, frame->data, err);
    if (status)
        return status;
    if (labeling->spec->kind == RG_LABEL_FILE)
        return numbers_of_file(&t, err);
    status = rg_cache_load(&found, out, labeling->spec, frame, err);
    if (status || found)
        return status;
    status = rg_pool_run(frame->pool, rg_dataset_n_graphs(frame->data), numbers_of_graph, &t, err);
    return status ? status : rg_cache_store(out, labeling->spec, frame, err);
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

rg_status rg_bounds_fit(rg_labeling *labeling, const rg_label_frame *frame, rg_error *err)
{
    const rg_label_spec *spec = labeling->spec;
    const rg_dataset *data = frame->data;
    rg_status status = check_columns(spec, data, err);
    if (status)
        return status;
    size_t n_nodes = (size_t)rg_dataset_n_nodes(data), n = 0;
    size_t n_columns = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    const double *values = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    double *sorted = rg_alloc(n_nodes, sizeof *sorted);
    labeling->bounds = rg_alloc(spec->bins, sizeof *labeling->bounds);
    if (!sorted || !labeling->bounds) {
        rg_free(sorted);
        return rg_fail_memory(err, "bins of an attribute");
    }
    for (size_t k = 0; k < n_nodes; k++) {
        double value = values[k * n_columns + spec->column];
        if ((!frame->selected_node || frame->selected_node[k]) && !isnan(value))
            sorted[n++] = value;
    }
    qsort(sorted, n, sizeof *sorted, compare_reals);
    /* Equal quantiles are one bound, and none is the least value: every bin holds something. */
    for (size_t b = 1; n && b < spec->bins; b++) {
        double bound = sorted[n / spec->bins * b + n % spec->bins * b / spec->bins];
        if (bound > (labeling->n_bounds ? labeling->bounds[labeling->n_bounds - 1] : sorted[0]))
            labeling->bounds[labeling->n_bounds++] = bound + 0.0; /* -0 becomes 0 */
    }
    rg_free(sorted);
    return RG_OK;
}
