/* standardise.c - shifts and factors of inputs and targets, from the training part: mean 0 and deviation 1 there. */
#include "base/alloc.h"
#include "base/error.h"
#include "label/labeling.h"
#include "samples.h"

#include <math.h>
#include <string.h>

/* One column of numbers: `row` apart, of the nodes or samples that count. */
typedef struct moments {
    double n, mean, squares, low, high;
    bool whole; /* 0 and 1 alone */
} moments;

/* Welford: what is added first does not swamp the rest. */
static void add(moments *m, double x)
{
    double off = x - m->mean;
    m->n++;
    m->mean += off / m->n;
    m->squares += off * (x - m->mean);
    m->whole = m->whole && (x == 0 || x == 1);
    m->low = m->n == 1 || x < m->low ? x : m->low;
    m->high = m->n == 1 || x > m->high ? x : m->high;
}

/* A column that is the same everywhere becomes 0; one of zeros and ones stays as it is. */
static void settle(double *shift, double *factor, const moments *m)
{
    double deviation = m->n > 0 && m->high > m->low ? sqrt(m->squares / m->n) : 0;
    *shift = m->n > 0 && !m->whole ? m->mean : 0;
    *factor = deviation > 0 && !m->whole ? 1 / deviation : 1;
}

static rg_status add_node(moments *m, const double *row, uint32_t n, const rg_dataset *data,
                          uint32_t g, uint32_t i, rg_error *err)
{
    for (uint32_t c = 0; c < n; c++) {
        if (!isfinite(row[c]))
            return rg_fail(err, RG_EDATA,
                           "'%s': graph %u, node %u: attribute %u is %g, expected a number",
                           rg_dataset_name(data), (unsigned)g, (unsigned)i, (unsigned)c, row[c]);
        add(&m[c], row[c]);
    }
    return RG_OK;
}

static rg_status fit_signal(rg_net_signal *signal, const char *spec, const rg_source *source,
                            const uint32_t *train, size_t n_train, rg_error *err)
{
    const rg_dataset *data = source->graphs;
    uint32_t n = signal->n_channels;
    double *numbers = NULL;
    moments *m = rg_alloc_zero(n, sizeof *m);
    signal->shift = rg_alloc(n, sizeof *signal->shift);
    signal->factor = rg_alloc(n, sizeof *signal->factor);
    rg_status status = m && signal->shift && signal->factor
                           ? RG_OK
                           : rg_fail_memory(err, "the input of a network");
    if (!status && signal->kind == RG_SIGNAL_COUNT)
        status = rg_label_counts(&numbers, spec, data, NULL, err);
    const double *all = numbers ? numbers : rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    for (uint32_t c = 0; !status && c < n; c++)
        m[c].whole = true;
    for (size_t k = 0; !status && k < (train ? n_train : rg_dataset_n_graphs(data)); k++) {
        uint32_t g = train ? train[k] : (uint32_t)k;
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; !status && i < graph.n_nodes; i++)
            status = add_node(m, all + (graph.first_node + i) * n, n, data, g, i, err);
    }
    for (uint32_t c = 0; !status && c < n; c++)
        settle(&signal->shift[c], &signal->factor[c], &m[c]);
    rg_free(numbers);
    rg_free(m);
    return status;
}

static void fit_target(rg_net_classes *target, const rg_source *source, rg_column kind,
                       const uint32_t *train, size_t n_train)
{
    size_t n = rg_source_columns(source, kind);
    const double *all =
        source->graphs ? rg_dataset_reals(source->graphs, kind) : rg_arrays_reals(source->arrays);
    const uint8_t *mask =
        kind == RG_NODE_TARGET ? rg_source_node_mask(source, RG_PART_OF_TRAIN) : NULL;
    moments m = {.n = 0};
    for (size_t k = 0; k < (train ? n_train : rg_source_size(source)); k++) {
        uint64_t row = train ? train[k] : k, end = row + 1;
        if (kind == RG_NODE_TARGET) {
            rg_graph graph = rg_dataset_graph(source->graphs, row);
            row = graph.first_node;
            end = row + graph.n_nodes;
        }
        for (; row < end; row++) {
            double x = all[row * n + target->column];
            if (!isnan(x) && (!mask || mask[row]))
                add(&m, x);
        }
    }
    settle(&target->shift, &target->factor, &m);
    target->factor = 1 / target->factor; /* from outputs back to values */
}

rg_status rg_network_standardise(rg_network *net, const rg_source *source, const uint32_t *train,
                                 size_t n_train, rg_error *err)
{
    rg_status status = RG_OK;
    if (!net->spec->standardise)
        return RG_OK;
    for (size_t k = 0; !status && k < net->spec->n_signals; k++)
        if (net->signals[k].kind == RG_SIGNAL_ATTRIBUTES || net->signals[k].kind == RG_SIGNAL_COUNT)
            status = fit_signal(&net->signals[k], net->spec->signals[k].labeling, source, train,
                                n_train, err);
    for (size_t k = 0; !status && rg_task_of_values(net->task) && k < net->n_targets; k++)
        fit_target(&net->targets[k], source, rg_network_target_kind(net), train, n_train);
    return status;
}

double rg_network_value(const rg_network *net, size_t output, double z)
{
    const rg_net_classes *target = rg_task_of_values(net->task) ? &net->targets[output] : NULL;
    return target && target->factor != 0 ? z * target->factor + target->shift : z;
}
