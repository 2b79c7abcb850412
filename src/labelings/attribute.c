/* attribute.c - attribute(column, bins): which quantile of the fit a number of the node is in. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "label/kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct attribute_spec {
    rg_label_spec base;
    uint32_t column;
} attribute_spec;

static uint32_t column_of(const rg_label_spec *spec)
{
    return ((const attribute_spec *)spec)->column;
}

static rg_status check_data(const rg_label_spec *spec, const rg_dataset *data, rg_error *err)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
    if (column_of(spec) < n)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "'%s': found %zu node attributes, expected attribute %u",
                   rg_dataset_name(data), n, column_of(spec));
}

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

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    (void)err;
    size_t n_columns = rg_dataset_n_columns(task->data, RG_NODE_ATTRIBUTE);
    const double *values = rg_dataset_reals(task->data, RG_NODE_ATTRIBUTE) +
                           task->graph.first_node * n_columns + column_of(spec);
    for (uint32_t i = 0; i < task->graph.n_nodes; i++)
        out[i] = bin_of(task->labeling, values[i * n_columns]);
    return RG_OK;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantiles over the selected nodes. */
static rg_status fit_bounds(rg_labeling *labeling, const rg_label_frame *frame, rg_error *err)
{
    const rg_label_spec *spec = labeling->spec;
    const rg_dataset *data = frame->data;
    rg_status status = check_data(spec, data, err);
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
        double value = values[k * n_columns + column_of(spec)];
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

/* The bounds of a bin as text, "" where it has none. False: the node has no value. */
static bool bin_texts(char low[RG_NUMBER_MAX], char high[RG_NUMBER_MAX],
                      const rg_labeling *labeling, int64_t bin)
{
    *low = *high = '\0';
    if (bin < 0 || (uint64_t)bin > labeling->n_bounds)
        return false;
    if (bin > 0)
        rg_number_print(low, labeling->bounds[bin - 1]);
    if ((size_t)bin < labeling->n_bounds)
        rg_number_print(high, labeling->bounds[bin]);
    return true;
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    char low[RG_NUMBER_MAX], high[RG_NUMBER_MAX];
    int64_t bin = rg_words_to_int(key);
    uint32_t column = column_of(labeling->spec);
    if (!bin_texts(low, high, labeling, bin))
        rg_label_say(out, "attribute %u has no value", column);
    else
        rg_label_say(out, "bin %" PRId64 " of attribute %u: %s%s%sx%s%s", bin, column,
                     *low || *high ? "" : "any ", low, *low ? " <= " : "", *high ? " < " : "",
                     high);
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)brief;
    char low[RG_NUMBER_MAX], high[RG_NUMBER_MAX];
    uint32_t column = column_of(labeling->spec);
    if (!bin_texts(low, high, labeling, rg_words_to_int(key)))
        rg_label_say(out, "without a value of attribute %u", column);
    else
        rg_label_say(out, "with %s%s%sattribute %u%s%s", *low || *high ? "" : "any ", low,
                     *low ? " <= " : "", column, *high ? " < " : "", high);
}

const rg_label_kind rg_label_attribute = {
    .name = "attribute",
    .size = sizeof(attribute_spec),
    .arguments = {RG_NUMBER(NULL, attribute_spec, column, 0, RG_ARGUMENT_MANY, 0),
                  RG_NUMBER("column", attribute_spec, column, 0, RG_ARGUMENT_MANY, 0),
                  RG_NUMBER("bins", rg_label_spec, bins, 1, 65536, 8)},
    .check_data = check_data,
    .numbers = numbers,
    .fit = fit_bounds,
    .describe = describe,
    .phrase = phrase,
};
