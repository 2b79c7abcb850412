/* signal.c - the input of a network: numbers for every node, or the values of an array. */
#include "base/alloc.h"
#include "base/error.h"
#include "samples.h"

#include <string.h>

/* ---- resolving, on the data of the fit */

static rg_status need_labels(const rg_dataset *data, uint32_t column, rg_error *err)
{
    size_t n = rg_dataset_n_columns(data, RG_NODE_LABEL);
    if (column < n)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "'%s' has %zu columns of node labels: the input needs column %u",
                   rg_dataset_name(data), n, (unsigned)column);
}

/* The values of a column that occur in the graphs of the fit. */
static rg_status collect_values(rg_net_signal *out, const rg_dataset *data, const uint32_t *fit,
                                size_t n_fit, rg_error *err)
{
    size_t n;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, out->column, &n);
    const uint32_t *rank = rg_dataset_ranks(data, RG_NODE_LABEL, out->column);
    bool *seen = rg_alloc_zero(n, sizeof *seen);
    out->values = rg_alloc(n, sizeof *out->values);
    if (!seen || !out->values) {
        rg_free(seen);
        return rg_fail_memory(err, "the input of a network");
    }
    for (size_t k = 0; k < (fit ? n_fit : rg_dataset_n_graphs(data)); k++) {
        rg_graph graph = rg_dataset_graph(data, fit ? fit[k] : k);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            seen[rank[graph.first_node + i]] = true;
    }
    for (size_t r = 0; r < n; r++)
        if (seen[r])
            out->values[out->n_values++] = values[r];
    rg_free(seen);
    return RG_OK;
}

static rg_status resolve_graphs(rg_net_signal *out, rg_network *net, const rg_signal *signal,
                                const rg_dataset *data, const uint32_t *fit, size_t n_fit,
                                rg_error *err)
{
    rg_status status = RG_OK;
    out->labeling = SIZE_MAX;
    out->n_channels = 1;
    switch (out->kind) {
    case RG_SIGNAL_CONSTANT:
        return RG_OK;
    case RG_SIGNAL_ATTRIBUTES:
        out->n_channels = (uint32_t)rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
        if (!out->n_channels)
            status = rg_fail(err, RG_EDATA, "'%s' has no node attributes: the input needs them",
                             rg_dataset_name(data));
        return status;
    case RG_SIGNAL_ONE_HOT:
        for (size_t k = 0; signal->labeling && k < net->spec->n_labels; k++)
            if (strcmp(net->spec->label_names[k], signal->labeling) == 0)
                out->labeling = k;
        if (out->labeling != SIZE_MAX) {
            out->n_channels = rg_labeling_size(net->labelings[out->labeling]);
            return RG_OK;
        }
        break;
    case RG_SIGNAL_SIGNED:
    case RG_SIGNAL_SCALED:
        break;
    default:
        return rg_fail(err, RG_EDATA, "network: input 'values' is for arrays, and '%s' has graphs",
                       rg_dataset_name(data));
    }
    status = need_labels(data, out->column, err);
    if (!status)
        status = collect_values(out, data, fit, n_fit, err);
    if (!status && out->kind == RG_SIGNAL_ONE_HOT)
        out->n_channels = (uint32_t)out->n_values;
    return status;
}

static rg_signal_kind automatic(const rg_source *source)
{
    if (source->arrays)
        return RG_SIGNAL_VALUES;
    return rg_dataset_n_columns(source->graphs, RG_NODE_LABEL) ? RG_SIGNAL_SIGNED
                                                               : RG_SIGNAL_CONSTANT;
}

rg_status rg_network_resolve_signals(rg_network *net, const rg_source *source, const uint32_t *fit,
                                     size_t n_fit, rg_error *err)
{
    rg_spec *spec = net->spec;
    uint64_t n_channels = 0;
    if (spec->n_signals == 0)
        spec->signals[spec->n_signals++] = (rg_signal){.kind = RG_SIGNAL_AUTO, .value = 1};
    for (size_t k = 0; k < spec->n_signals; k++) {
        rg_signal *signal = &spec->signals[k];
        rg_net_signal *out = &net->signals[k];
        if (signal->kind == RG_SIGNAL_AUTO) {
            signal->kind = automatic(source);
            signal->value = 1;
        }
        *out = (rg_net_signal){.kind = signal->kind,
                               .column = signal->column,
                               .value = signal->value,
                               .labeling = SIZE_MAX,
                               .n_channels = 1};
        if (source->arrays && signal->kind != RG_SIGNAL_VALUES)
            return rg_fail(err, RG_EDATA, "network: '%s' has arrays, whose only input is 'values'",
                           rg_source_name(source));
        rg_status status = source->arrays
                               ? RG_OK
                               : resolve_graphs(out, net, signal, source->graphs, fit, n_fit, err);
        if (status)
            return status;
        n_channels += out->n_channels;
    }
    if (n_channels > RG_SPEC_CHANNELS_MAX)
        return rg_fail(err, RG_EDATA,
                       "network: the input has %llu channels: at most %d are allowed",
                       (unsigned long long)n_channels, RG_SPEC_CHANNELS_MAX);
    net->n_channels = (uint32_t)n_channels;
    return RG_OK;
}

/* ---- for any data: what each rank of its node labels means */

static double signal_of(const rg_net_signal *signal, size_t place)
{
    double n = (double)signal->n_values;
    if (signal->kind == RG_SIGNAL_SIGNED)
        return (double)(place + 1) / n * (place % 2 ? -1 : 1);
    if (signal->kind == RG_SIGNAL_SCALED)
        return (double)signal->values[place] / n;
    return (double)place; /* one-hot: the channel */
}

rg_status rg_samples_read_signals(rg_samples *s, rg_error *err)
{
    for (size_t k = 0; s->source.graphs && k < s->net->spec->n_signals; k++) {
        const rg_net_signal *signal = &s->net->signals[k];
        if (signal->kind == RG_SIGNAL_ATTRIBUTES &&
            rg_dataset_n_columns(s->source.graphs, RG_NODE_ATTRIBUTE) != signal->n_channels)
            return rg_fail(err, RG_EDATA,
                           "'%s' has %zu node attributes, and the network was built for %u",
                           rg_dataset_name(s->source.graphs),
                           rg_dataset_n_columns(s->source.graphs, RG_NODE_ATTRIBUTE),
                           (unsigned)signal->n_channels);
        if (!signal->values)
            continue;
        rg_status status = need_labels(s->source.graphs, signal->column, err);
        if (status)
            return status;
        size_t n, place = 0;
        const int64_t *values =
            rg_dataset_values(s->source.graphs, RG_NODE_LABEL, signal->column, &n);
        s->of_rank[k] = rg_alloc(n, sizeof *s->of_rank[k]);
        if (!s->of_rank[k])
            return rg_fail_memory(err, "the input of a network");
        for (size_t r = 0; r < n; r++) {
            while (place < signal->n_values && signal->values[place] < values[r])
                place++;
            bool known = place < signal->n_values && signal->values[place] == values[r];
            s->of_rank[k][r] = known ? signal_of(signal, place) : RG_SIGNAL_UNKNOWN;
        }
    }
    return RG_OK;
}

/* Channels first .. of one signal for the nodes of a graph. */
static void fill_signal(const rg_samples *s, size_t k, const rg_graph *graph, double *out)
{
    const rg_net_signal *signal = &s->net->signals[k];
    size_t width = s->net->n_channels;
    const rg_dataset *data = s->source.graphs;
    const uint32_t *rank =
        signal->values ? rg_dataset_ranks(data, RG_NODE_LABEL, signal->column) : NULL;
    const uint32_t *label =
        signal->labeling != SIZE_MAX ? rg_labels_data(s->labels[signal->labeling]) : NULL;
    const double *real =
        signal->kind == RG_SIGNAL_ATTRIBUTES ? rg_dataset_reals(data, RG_NODE_ATTRIBUTE) : NULL;
    for (uint32_t i = 0; i < graph->n_nodes; i++, out += width) {
        uint64_t node = graph->first_node + i;
        double value = rank ? s->of_rank[k][rank[node]] : signal->value;
        if (real)
            memcpy(out, real + node * signal->n_channels, signal->n_channels * sizeof *out);
        else if (label)
            out[label[node]] = 1;
        else if (signal->kind == RG_SIGNAL_ONE_HOT && value != RG_SIGNAL_UNKNOWN)
            out[(size_t)value] = 1;
        else if (signal->kind != RG_SIGNAL_ONE_HOT)
            *out = value == RG_SIGNAL_UNKNOWN ? 0 : value;
    }
}

void rg_samples_input(const rg_samples *s, size_t sample, double *out)
{
    if (s->source.arrays) {
        rg_arrays_copy(out, s->source.arrays, sample);
        return;
    }
    rg_graph graph = rg_dataset_graph(s->source.graphs, sample);
    if (graph.n_nodes == 0) /* `out` may be NULL then */
        return;
    memset(out, 0, (size_t)graph.n_nodes * s->net->n_channels * sizeof *out);
    size_t first = 0;
    for (size_t k = 0; k < s->net->spec->n_signals; k++) {
        fill_signal(s, k, &graph, out + first);
        first += s->net->signals[k].n_channels;
    }
}

uint64_t rg_samples_unknown_labels(const rg_samples *s)
{
    const rg_dataset *data = s->source.graphs;
    uint64_t n = 0;
    for (uint64_t i = 0; data && i < rg_dataset_n_nodes(data); i++) {
        bool unknown = false;
        for (size_t k = 0; !unknown && k < s->net->spec->n_signals; k++)
            unknown = s->of_rank[k] &&
                      s->of_rank[k][rg_dataset_ranks(
                          data, RG_NODE_LABEL, s->net->signals[k].column)[i]] == RG_SIGNAL_UNKNOWN;
        n += unknown;
    }
    return n;
}

uint64_t rg_samples_unseen_labels(const rg_samples *s)
{
    uint64_t n = 0;
    for (uint64_t i = 0; s->source.graphs && i < rg_dataset_n_nodes(s->source.graphs); i++) {
        bool unseen = false;
        for (size_t k = 0; !unseen && k < s->net->spec->n_labels; k++)
            unseen = rg_labels_data(s->labels[k])[i] == rg_labeling_unseen(s->net->labelings[k]);
        n += unseen;
    }
    return n;
}
