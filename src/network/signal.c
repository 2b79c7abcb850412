/* signal.c - the input of a network: numbers for every node, or the values of an array. */
#include "base/alloc.h"
#include "base/error.h"
#include "label/labeling.h"
#include "samples.h"

#include <math.h>
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
    case RG_SIGNAL_DEGREE:
        return RG_OK;
    case RG_SIGNAL_COUNT:
        return rg_label_counts_size(&out->n_channels, signal->labeling, err);
    case RG_SIGNAL_ATTRIBUTES:
        out->n_channels = (uint32_t)rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE);
        if (!out->n_channels)
            status = rg_fail(err, RG_EDATA, "'%s' has no node attributes: the input needs them",
                             rg_dataset_name(data));
        return status;
    case RG_SIGNAL_ONE_HOT:
    case RG_SIGNAL_RELATIVE:
        for (size_t k = 0; signal->labeling && k < net->spec->n_labels; k++)
            if (strcmp(net->spec->label_names[k], signal->labeling) == 0)
                out->labeling = k;
        if (out->labeling != SIZE_MAX && out->kind == RG_SIGNAL_ONE_HOT)
            out->n_channels = rg_labeling_size(net->labelings[out->labeling]);
        if (out->labeling != SIZE_MAX)
            return RG_OK;
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

/* Signals that are short for one per column become those. */
static rg_status spell_out(rg_spec *spec, const rg_source *source, rg_error *err)
{
    rg_signal *signals = spec->signals;
    size_t columns = source->graphs ? rg_dataset_n_columns(source->graphs, RG_NODE_LABEL) : 0;
    for (size_t k = 0; k < spec->n_signals; k++) {
        bool labels = signals[k].kind == RG_SIGNAL_LABELS && source->graphs;
        bool all = signals[k].kind == RG_SIGNAL_ONE_HOT && signals[k].column == RG_ALL_COLUMNS;
        if (labels && !columns)
            signals[k] = (rg_signal){.kind = RG_SIGNAL_DEGREE};
        else if (all && !columns)
            return rg_fail(err, RG_EDATA,
                           "'%s' has no node labels: the input one-hot(node,all) "
                           "needs them ('labels' takes degrees then)",
                           rg_source_name(source));
        else if (labels || all) {
            if (spec->n_signals + columns - 1 > RG_SPEC_SIGNALS_MAX)
                return rg_fail(err, RG_EDATA,
                               "'%s' has %zu columns of node labels: with them the network has "
                               "more than %d kinds of input",
                               rg_source_name(source), columns, RG_SPEC_SIGNALS_MAX);
            memmove(signals + k + columns, signals + k + 1,
                    (spec->n_signals - k - 1) * sizeof *signals);
            for (size_t c = 0; c < columns; c++)
                signals[k + c] = (rg_signal){.kind = RG_SIGNAL_ONE_HOT, .column = (uint32_t)c};
            spec->n_signals += columns - 1;
            k += columns - 1;
        }
    }
    return RG_OK;
}

rg_status rg_network_resolve_signals(rg_network *net, const rg_source *source, const uint32_t *fit,
                                     size_t n_fit, rg_error *err)
{
    rg_spec *spec = net->spec;
    uint64_t n_channels = 0;
    if (spec->n_signals == 0)
        spec->signals[spec->n_signals++] = (rg_signal){.kind = RG_SIGNAL_AUTO, .value = 1};
    rg_status status = spell_out(spec, source, err);
    if (status)
        return status;
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
        status = source->arrays ? RG_OK
                                : resolve_graphs(out, net, signal, source->graphs, fit, n_fit, err);
        if (status)
            return status;
        n_channels += out->n_channels;
    }
    if (n_channels > INT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "network: the input has %llu channels: at most %d are allowed",
                       (unsigned long long)n_channels, INT32_MAX);
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
        if (signal->kind == RG_SIGNAL_COUNT) {
            rg_label_options options = rg_label_options_default();
            options.n_threads = s->n_threads;
            rg_status counted = rg_label_counts(&s->counts[k], s->net->spec->signals[k].labeling,
                                                s->source.graphs, &options, err);
            if (counted)
                return counted;
        }
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

static void copy_numbers(double *out, const rg_net_signal *signal, const double *from)
{
    for (uint32_t c = 0; c < signal->n_channels; c++)
        out[c] = signal->shift ? (from[c] - signal->shift[c]) * signal->factor[c] : from[c];
}

/* Channels first .. of one signal for the nodes of a graph, which are `width` numbers apart. */
static void fill_signal(const rg_samples *s, size_t k, const rg_graph *graph, double *out,
                        size_t width)
{
    const rg_net_signal *signal = &s->net->signals[k];
    const rg_dataset *data = s->source.graphs;
    const uint32_t *rank =
        signal->values ? rg_dataset_ranks(data, RG_NODE_LABEL, signal->column) : NULL;
    const uint32_t *label =
        signal->labeling != SIZE_MAX ? rg_labels_data(s->labels[signal->labeling]) : NULL;
    const double *real = signal->kind == RG_SIGNAL_ATTRIBUTES
                             ? rg_dataset_reals(data, RG_NODE_ATTRIBUTE)
                             : s->counts[k];
    uint32_t most = 0; /* RELATIVE: the largest label of the graph */
    for (uint32_t i = 0; signal->kind == RG_SIGNAL_RELATIVE && i < graph->n_nodes; i++)
        most = label[graph->first_node + i] > most ? label[graph->first_node + i] : most;
    for (uint32_t i = 0; i < graph->n_nodes; i++, out += width) {
        uint64_t node = graph->first_node + i;
        double value = rank ? s->of_rank[k][rank[node]] : signal->value;
        if (real)
            copy_numbers(out, signal, real + node * signal->n_channels);
        else if (signal->kind == RG_SIGNAL_DEGREE)
            *out = (double)(graph->row[i + 1] - graph->row[i]);
        else if (signal->kind == RG_SIGNAL_RELATIVE)
            *out = most ? (double)label[node] / most : 0;
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
        fill_signal(s, k, &graph, out + first, s->net->n_channels);
        first += s->net->signals[k].n_channels;
    }
}

/* ---- as rules see it */

static void read_values(void *context, size_t sample, double *out)
{
    rg_samples_input(context, sample, out);
}

void rg_samples_describe_values(rg_rule_values *out, rg_samples *s)
{
    *out = (rg_rule_values){.read = read_values,
                            .context = s,
                            .n_samples = s->n,
                            .n_channels = s->net->n_channels,
                            .shape = s->net->shape};
}

rg_status rg_samples_values(rg_rule_values *out, rg_samples *s, rg_labels **labels, rg_error *err)
{
    for (size_t k = 0; labels && k < s->net->spec->n_labels; k++)
        s->labels[k] = labels[k];
    rg_samples_describe_values(out, s);
    return rg_samples_read_signals(s, err);
}

void rg_samples_drop_values(rg_samples *s)
{
    for (size_t k = 0; k < RG_SPEC_SIGNALS_MAX; k++) {
        rg_free(s->of_rank[k]);
        rg_free(s->counts[k]);
    }
}

static bool is_unknown(const rg_samples *s, uint64_t node)
{
    for (size_t k = 0; k < s->net->spec->n_signals; k++)
        if (s->of_rank[k] &&
            s->of_rank[k][rg_dataset_ranks(s->source.graphs, RG_NODE_LABEL,
                                           s->net->signals[k].column)[node]] == RG_SIGNAL_UNKNOWN)
            return true;
    return false;
}

static bool is_unseen(const rg_samples *s, uint64_t node)
{
    for (size_t k = 0; k < s->net->spec->n_labels; k++)
        if (rg_labels_data(s->labels[k])[node] == rg_labeling_unseen(s->net->labelings[k]))
            return true;
    return false;
}

uint64_t rg_samples_unknown_labels(const rg_samples *s)
{
    uint64_t n = 0;
    for (uint64_t i = 0; s->source.graphs && i < rg_dataset_n_nodes(s->source.graphs); i++)
        n += is_unknown(s, i);
    return n;
}

uint64_t rg_samples_unseen_labels(const rg_samples *s)
{
    uint64_t n = 0;
    for (uint64_t i = 0; s->source.graphs && i < rg_dataset_n_nodes(s->source.graphs); i++)
        n += is_unseen(s, i);
    return n;
}

uint32_t rg_samples_unseen_nodes(const rg_samples *s, size_t sample)
{
    rg_graph g = rg_dataset_graph(s->source.graphs, sample);
    uint32_t n = 0;
    for (uint64_t i = g.first_node; i < g.first_node + g.n_nodes; i++)
        n += is_unknown(s, i) || is_unseen(s, i);
    return n;
}

void rg_samples_unseen_of(uint64_t *unknown, uint64_t *labels, uint64_t *pairs, const rg_samples *s,
                          size_t sample)
{
    *unknown = *labels = 0;
    *pairs = s->unseen_of ? s->unseen_of[sample] : 0;
    if (!s->source.graphs)
        return;
    rg_graph graph = rg_dataset_graph(s->source.graphs, sample);
    for (uint64_t i = graph.first_node; i < graph.first_node + graph.n_nodes; i++) {
        *unknown += is_unknown(s, i);
        *labels += is_unseen(s, i);
    }
}

/* ---- of all nodes, and no matrix of what is one-hot */

/* The channel of a one of signal k at a node, or RG_NO_COLUMN. first: of the signal. */
static uint32_t hot_channel(const rg_samples *s, size_t k, uint64_t node, uint32_t first)
{
    const rg_net_signal *signal = &s->net->signals[k];
    if (signal->labeling != SIZE_MAX) {
        uint32_t label = rg_labels_data(s->labels[signal->labeling])[node];
        bool unseen = s->net->batched && /* else it has a channel of its own */
                      label == rg_labeling_unseen(s->net->labelings[signal->labeling]);
        return unseen ? RG_NO_COLUMN : first + label;
    }
    uint32_t rank = rg_dataset_ranks(s->source.graphs, RG_NODE_LABEL, signal->column)[node];
    double place = s->of_rank[k][rank];
    return place == RG_SIGNAL_UNKNOWN ? RG_NO_COLUMN : first + (uint32_t)place;
}

static rg_status features_new(rg_features **out, const rg_samples *s, rg_error *err)
{
    const rg_network *net = s->net;
    rg_features *f = rg_alloc_zero(1, sizeof *f);
    size_t hot, dense;
    if (!f)
        return rg_fail_memory(err, "the input of a network");
    f->n_nodes = rg_dataset_n_nodes(s->source.graphs);
    f->width = net->n_channels;
    f->bands = rg_alloc(net->spec->n_signals, sizeof *f->bands);
    for (size_t k = 0; f->bands && k < net->spec->n_signals; k++)
        if (net->signals[k].kind == RG_SIGNAL_ONE_HOT)
            f->n_hot++;
        else
            f->n_dense += net->signals[k].n_channels;
    if (f->bands && rg_size_mul(&hot, (size_t)f->n_nodes, f->n_hot) &&
        rg_size_mul(&dense, (size_t)f->n_nodes, f->n_dense)) {
        f->hot = rg_alloc(hot, sizeof *f->hot);
        f->dense = rg_alloc(dense, sizeof *f->dense);
    }
    if (!f->hot || !f->dense) {
        rg_features_free(f);
        return rg_fail_memory(err, "the input of a network");
    }
    *out = f;
    return RG_OK;
}

/* Numbers of one signal, of all nodes; out: of the first, n_dense apart. */
static rg_status fill_numbers(rg_features *f, const rg_samples *s, size_t k, double *out,
                              rg_error *err)
{
    const rg_dataset *data = s->source.graphs;
    uint32_t n = s->net->signals[k].n_channels;
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        double *own = out + graph.first_node * f->n_dense;
        fill_signal(s, k, &graph, own, f->n_dense);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint32_t c = 0; c < n; c++)
                if (!isfinite(own[(size_t)i * f->n_dense + c]))
                    return rg_fail(err, RG_EDATA,
                                   "'%s': graph %zu, node %u, attribute %u is no finite number: "
                                   "the input needs one",
                                   rg_dataset_name(data), g, (unsigned)i, (unsigned)c);
    }
    return RG_OK;
}

rg_status rg_samples_read_features(rg_samples *s, rg_error *err)
{
    const rg_network *net = s->net;
    uint32_t hot = 0, dense = 0, channel = 0;
    rg_features *f = NULL;
    rg_status status = features_new(&f, s, err);
    for (size_t k = 0; !status && k < net->spec->n_signals; k++) {
        uint32_t n = net->signals[k].n_channels;
        if (net->signals[k].kind == RG_SIGNAL_ONE_HOT) {
            for (uint64_t i = 0; i < f->n_nodes; i++)
                f->hot[i * f->n_hot + hot] = hot_channel(s, k, i, channel);
            hot++;
        } else {
            f->bands[f->n_bands++] = (rg_band){.from = dense, .channel = channel, .n = n};
            status = fill_numbers(f, s, k, f->dense + dense, err);
            dense += n;
        }
        channel += n;
    }
    if (status)
        rg_features_free(f);
    else
        s->features = f;
    return status;
}
