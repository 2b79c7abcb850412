/* edge_input.c - attributes of edges as numbers for layers of message passing. */
#include "base/alloc.h"
#include "base/error.h"
#include "samples.h"

#include <math.h>

bool rg_network_takes_edges(const rg_network *net)
{
    bool takes = false;
    for (size_t k = 0; k < net->spec->n_layers; k++)
        takes = takes || net->spec->layers[k].kind->edges;
    return takes;
}

static rg_status complain(const rg_dataset *data, size_t graph, size_t column, double value,
                          rg_error *err)
{
    return rg_fail(err, RG_EDATA,
                   "'%s': graph %zu: attribute %zu of an edge is %g, expected a number",
                   rg_dataset_name(data), graph, column, value);
}

/* Mean 0 and deviation 1 over the edges of the training part; a column that is the same everywhere
 * becomes 0, one of zeros and ones stays. Both arcs of an edge count, which changes neither. */
static rg_status fit_column(rg_network *net, size_t c, const rg_dataset *data,
                            const uint32_t *train, size_t n_train, rg_error *err)
{
    const double *all = rg_dataset_reals(data, RG_EDGE_ATTRIBUTE);
    double n = 0, mean = 0, squares = 0, low = INFINITY, high = -INFINITY;
    bool whole = true;
    for (size_t k = 0; k < (train ? n_train : rg_dataset_n_graphs(data)); k++) {
        rg_graph graph = rg_dataset_graph(data, train ? train[k] : k);
        for (uint64_t arc = graph.row[0]; arc < graph.row[graph.n_nodes]; arc++) {
            double x = all[arc * net->n_edge_channels + c], off = x - mean;
            if (!isfinite(x))
                return complain(data, train ? train[k] : k, c, x, err);
            mean += off / ++n;
            squares += off * (x - mean);
            whole = whole && (x == 0 || x == 1);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
    }
    bool moves = n > 0 && !whole;
    net->edge_shift[c] = moves ? mean : 0;
    net->edge_factor[c] = moves && high > low && squares > 0 ? 1 / sqrt(squares / n) : 1;
    return RG_OK;
}

rg_status rg_network_resolve_edges(rg_network *net, const rg_source *source, const uint32_t *train,
                                   size_t n_train, rg_error *err)
{
    if (!rg_network_takes_edges(net) || !source->graphs)
        return RG_OK;
    size_t n = rg_dataset_n_columns(source->graphs, RG_EDGE_ATTRIBUTE);
    if (n == 0 || n > RG_SPEC_CHANNELS_MAX)
        return rg_fail(err, RG_EDATA,
                       "network: '%s' has %zu edge attributes, and a layer 'gine' needs 1..%d",
                       rg_source_name(source), n, RG_SPEC_CHANNELS_MAX);
    net->n_edge_channels = (uint32_t)n;
    net->edge_shift = rg_alloc_zero(n, sizeof *net->edge_shift);
    net->edge_factor = rg_alloc(n, sizeof *net->edge_factor);
    if (!net->edge_shift || !net->edge_factor)
        return rg_fail_memory(err, "the edges of a network");
    rg_status status = RG_OK;
    for (size_t c = 0; !status && c < n; c++) {
        net->edge_factor[c] = 1;
        if (net->spec->standardise)
            status = fit_column(net, c, source->graphs, train, n_train, err);
    }
    return status;
}

rg_status rg_samples_read_edges(rg_samples *s, rg_error *err)
{
    const rg_network *net = s->net;
    const rg_dataset *data = s->source.graphs;
    size_t n = net->n_edge_channels, found = rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE);
    if (!rg_network_takes_edges(net))
        return RG_OK;
    if (found != n && rg_dataset_n_arcs(data))
        return rg_fail(err, RG_EDATA,
                       "'%s' has %zu edge attributes, and the network was built for %zu",
                       rg_dataset_name(data), found, n);
    const double *from = rg_dataset_reals(data, RG_EDGE_ATTRIBUTE);
    s->edges = rg_alloc((size_t)rg_dataset_n_arcs(data) * n, sizeof *s->edges);
    if (!s->edges)
        return rg_fail_memory(err, "the edges of a network");
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint64_t k = graph.row[0] * n; k < graph.row[graph.n_nodes] * n; k++) {
            if (!isfinite(from[k]))
                return complain(data, g, k % n, from[k], err);
            s->edges[k] = (from[k] - net->edge_shift[k % n]) * net->edge_factor[k % n];
        }
    }
    s->bytes += rg_dataset_n_arcs(data) * n * sizeof *s->edges;
    return RG_OK;
}
