/* network_figure.c - see network_figure.h.
 *
 * A column is the input or a layer with rules; layers between two of them are not drawn. The weights
 * of a column are numbered by how often they are used in the graphs at hand, so that the first
 * colours go to those that are seen most. */
#include "network_figure.h"

#include "base/alloc.h"
#include "base/error.h"
#include "draw/neurons.h"
#include "draw/pictures.h"
#include "network/samples.h"
#include "text/keeper.h"
#include "train/settings.h"

#include <inttypes.h>
#include <stdlib.h>

/* A weight that is used: of which rule (n_rules: the bias), and its key there. */
typedef struct used_weight {
    size_t rule;
    uint32_t id;
    uint64_t uses;
    uint32_t order; /* in which it was met */
} used_weight;

typedef struct net_drawing {
    rg_network *net;
    rg_labels *labels[RG_SPEC_LABELS_MAX];
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_rule_input input;
    rg_samples looked_at; /* by rules over values */
    rg_rule_values values;
    unsigned n_threads;
    rg_pictures pictures;
    size_t layers[RG_NET_LAYERS_MAX + 1]; /* those drawn */
    rg_neuron_figure figure;
    rg_keeper keep; /* everything that the figure points to */
} net_drawing;

static void drop(net_drawing *d)
{
    rg_keeper_free(&d->keep);
    rg_pictures_free(&d->pictures);
    rg_samples_drop_values(&d->looked_at);
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        rg_labels_free(d->labels[k]);
    rg_network_free(d->net);
}

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "the picture of a network");
}

void rg_rule_key_say(rg_text *out, const rg_rule *rule, const rg_rule_keys *keys, size_t w)
{
    size_t width = rg_rule_keys_width(keys);
    for (size_t p = 0; p < width; p++) {
        int64_t value = rg_rule_keys_data(keys)[w * width + p];
        rg_text_add(out, "%s%s: ", p ? ", " : "", rg_rule_key_text(rule, p));
        if (value == RG_NO_VALUE)
            rg_text_add(out, "-");
        else
            rg_text_add(out, "%" PRId64, value);
    }
}

/* ---- weights of a column */

/* [rule or bias][id]: number of the weight in the column, from 1; first how often it is used. */
typedef struct numbering {
    uint32_t *number[RG_SPEC_RULES_MAX + 1];
    used_weight *list;
    size_t n;
} numbering;

static const rg_net_rule *rule_at(const rg_net_layer *layer, size_t r)
{
    return r < layer->n_rules ? &layer->rules[r] : &layer->bias;
}

static int by_use(const void *a, const void *b)
{
    const used_weight *x = a, *y = b;
    if (x->uses != y->uses)
        return x->uses < y->uses ? 1 : -1;
    return x->order < y->order ? -1 : 1;
}

static rg_status count_uses(net_drawing *d, numbering *w, const rg_net_layer *layer,
                            rg_connections *const *tables, rg_error *err)
{
    size_t total = 0;
    for (size_t r = 0; r <= layer->n_rules; r++)
        if (tables[r]) {
            size_t n = rg_rule_keys_size(rule_at(layer, r)->keys);
            w->number[r] = rg_keeper_room(&d->keep, n, sizeof(uint32_t));
            total += n;
            if (!w->number[r])
                return no_memory(err);
        }
    w->list = rg_keeper_room(&d->keep, total, sizeof *w->list);
    if (!w->list)
        return no_memory(err);
    for (size_t r = 0; r <= layer->n_rules; r++)
        for (size_t g = 0; tables[r] && g < d->input.n_graphs; g++) {
            rg_connection_table t = rg_connections_graph(tables[r], g);
            uint64_t end = t.row ? t.row[t.n_outputs] : t.n_outputs;
            for (uint64_t k = t.row ? t.row[0] : 0; k < end; k++) {
                uint32_t id = t.weight[k];
                if (id == RG_NO_WEIGHT)
                    continue;
                if (!w->number[r][id]) {
                    w->list[w->n] = (used_weight){r, id, 0, (uint32_t)w->n};
                    w->number[r][id] = (uint32_t)++w->n;
                }
                w->list[w->number[r][id] - 1].uses++;
            }
        }
    qsort(w->list, w->n, sizeof *w->list, by_use);
    for (size_t k = 0; k < w->n; k++)
        w->number[w->list[k].rule][w->list[k].id] = (uint32_t)k + 1;
    return RG_OK;
}

static rg_status say_keys(net_drawing *d, const numbering *w, const rg_net_layer *layer,
                          size_t column, rg_error *err)
{
    const char **keys = rg_keeper_room(&d->keep, w->n, sizeof *keys);
    if (!keys)
        return no_memory(err);
    for (size_t k = 0; k < w->n; k++) {
        const rg_net_rule *rule = rule_at(layer, w->list[k].rule);
        rg_text text = {0};
        if (w->list[k].rule == layer->n_rules)
            rg_text_add(&text, "bias, ");
        rg_rule_key_say(&text, rule->rule, rule->keys, w->list[k].id);
        keys[k] = rg_keeper_text(&d->keep, &text);
        if (!keys[k])
            return no_memory(err);
    }
    ((const char *const **)d->figure.keys)[column] = keys;
    ((size_t *)d->figure.n_keys)[column] = w->n;
    return RG_OK;
}

/* ---- neurons */

static rg_neuron_column *column_of(net_drawing *d, size_t graph, size_t column)
{
    return (rg_neuron_column *)d->figure.rows[graph] + column;
}

static rg_status draw_lines(net_drawing *d, rg_neuron_column *out, const numbering *w,
                            const rg_net_layer *layer, rg_connections *const *tables, size_t graph,
                            rg_error *err)
{
    size_t n = 0;
    for (size_t r = 0; r < layer->n_rules; r++) {
        rg_connection_table t = rg_connections_graph(tables[r], graph);
        out->n = t.n_outputs;
        n += t.row[t.n_outputs] - t.row[0];
    }
    rg_neuron_line *lines = rg_keeper_room(&d->keep, n, sizeof *lines);
    if (!lines)
        return no_memory(err);
    for (size_t r = 0; r < layer->n_rules; r++) {
        rg_connection_table t = rg_connections_graph(tables[r], graph);
        for (uint32_t i = 0; i < t.n_outputs; i++)
            for (uint32_t k = t.row[i]; k < t.row[i + 1]; k++)
                lines[out->n_lines++] = (rg_neuron_line){t.col16 ? t.col16[k] : t.col32[k], i,
                                                         w->number[r][t.weight[k]]};
    }
    out->lines = lines;
    if (!tables[layer->n_rules])
        return RG_OK;
    rg_connection_table t = rg_connections_graph(tables[layer->n_rules], graph);
    uint32_t *bias = rg_keeper_room(&d->keep, t.n_outputs, sizeof *bias);
    if (!bias)
        return no_memory(err);
    for (uint32_t i = 0; i < t.n_outputs; i++)
        if (t.weight[i] != RG_NO_WEIGHT)
            bias[i] = w->number[layer->n_rules][t.weight[i]];
    out->bias = bias;
    return RG_OK;
}

static rg_status draw_column(net_drawing *d, size_t column, rg_error *err)
{
    const rg_net_layer *layer = &d->net->layers[d->layers[column]];
    rg_connections *tables[RG_SPEC_RULES_MAX + 1] = {0};
    numbering w = {0};
    rg_rule_options how = rg_rule_options_default();
    rg_status status = RG_OK;
    how.n_threads = d->n_threads;
    d->input.n_outputs = layer->rows_out;
    for (size_t r = 0; !status && r <= layer->n_rules; r++)
        if (rule_at(layer, r)->rule)
            status = rg_rule_apply(&tables[r], NULL, rule_at(layer, r)->keys,
                                   rule_at(layer, r)->rule, &d->input, &how, err);
    if (!status)
        status = count_uses(d, &w, layer, tables, err);
    if (!status)
        status = say_keys(d, &w, layer, column, err);
    for (size_t g = 0; !status && g < d->input.n_graphs; g++)
        status = draw_lines(d, column_of(d, g, column), &w, layer, tables, g, err);
    for (size_t r = 0; r <= layer->n_rules; r++)
        rg_connections_free(tables[r]);
    return status;
}

/* Layers from `from` on and before `to` that do more than go through neurons one by one. */
static bool mixes(const rg_network *net, size_t from, size_t to)
{
    for (size_t l = from; l < to; l++)
        if (!net->layers[l].kind->plain)
            return true;
    return false;
}

/* Layers that are not drawn lie between a column and the one before, or give the outputs. */
static void draw_blocks(net_drawing *d, bool outputs)
{
    size_t last = d->figure.n_columns - 1;
    for (size_t g = 0; g < d->input.n_graphs; g++)
        for (size_t c = 1; c <= last; c++) {
            rg_neuron_column *column = column_of(d, g, c);
            if (outputs && c == last) {
                column->n = d->net->n_outputs;
                column->block = true;
            } else {
                size_t before = c == 1 ? 0 : d->layers[c - 1] + 1;
                column->block = mixes(d->net, before, d->layers[c]);
            }
        }
}

static const char *number_text(net_drawing *d, const char *before, int64_t number)
{
    rg_text text = {0};
    rg_text_add(&text, "%s%" PRId64, before, number);
    return rg_keeper_text(&d->keep, &text);
}

/* Beside the first column what the nodes are, beside the last the outputs. */
static rg_status name_neurons(net_drawing *d, const rg_names *names, rg_error *err)
{
    const rg_network *net = d->net;
    const char **classes = rg_keeper_room(&d->keep, net->n_outputs, sizeof *classes);
    if (!classes)
        return no_memory(err);
    for (uint32_t c = 0; c < net->n_outputs; c++) {
        bool is_class = net->task == RG_TASK_CLASSES;
        int64_t value = is_class ? net->targets[0].values[c] : c;
        const char *name = is_class && names ? rg_names_find(names, RG_NAME_CLASS, value) : NULL;
        classes[c] = name ? name : number_text(d, is_class ? "class " : "output ", value);
        if (!classes[c])
            return no_memory(err);
    }
    for (size_t g = 0; g < d->input.n_graphs; g++) {
        rg_neuron_column *first = column_of(d, g, 0);
        rg_neuron_column *last = column_of(d, g, d->figure.n_columns - 1);
        const rg_figure_row *row = &d->pictures.rows[g];
        const char **nodes;
        first->n = row->graph->n_nodes;
        nodes = rg_keeper_room(&d->keep, first->n, sizeof *nodes);
        if (!nodes)
            return no_memory(err);
        for (uint32_t i = 0; i < first->n; i++) {
            rg_text text = {0};
            rg_text_add(&text, "%" PRIu32, i);
            nodes[i] = rg_keeper_text(&d->keep, &text);
            if (!nodes[i])
                return no_memory(err);
        }
        first->names = nodes;
        if (last->n == net->n_outputs && !rg_task_on_nodes(net->task))
            last->names = classes;
    }
    return RG_OK;
}

/* ---- the whole */

static rg_status name_columns(net_drawing *d, bool outputs, rg_error *err)
{
    const char **titles = rg_keeper_room(&d->keep, d->figure.n_columns, sizeof *titles);
    if (!titles)
        return no_memory(err);
    for (size_t c = 0; c < d->figure.n_columns; c++) {
        rg_text text = {0};
        if (c == 0)
            rg_text_add(&text, "input");
        else if (outputs && c + 1 == d->figure.n_columns)
            rg_text_add(&text, "outputs");
        else
            rg_text_add(&text, "layer %zu, %s", d->net->layers[d->layers[c]].of + 1,
                        d->net->layers[d->layers[c]].kind->name);
        titles[c] = rg_keeper_text(&d->keep, &text);
        if (!titles[c])
            return no_memory(err);
    }
    d->figure.titles = titles;
    return RG_OK;
}

static rg_status plan(net_drawing *d, bool *outputs, rg_error *err)
{
    const rg_network *net = d->net;
    size_t n = 1;
    for (size_t l = 0; l < net->n_layers; l++)
        if (net->layers[l].kind->rules)
            d->layers[n++] = l;
    if (n == 1)
        return rg_fail(err, RG_EUSAGE, "the network has no rules: there are no weights to draw");
    *outputs = !net->layers[d->layers[n - 1]].kind->outputs && !rg_task_on_nodes(net->task);
    n += *outputs;
    d->figure.n_columns = n;
    d->figure.keys = rg_keeper_room(&d->keep, n, sizeof *d->figure.keys);
    d->figure.n_keys = rg_keeper_room(&d->keep, n, sizeof *d->figure.n_keys);
    d->figure.n_rows = d->input.n_graphs;
    const rg_neuron_column **rows = rg_keeper_room(&d->keep, d->figure.n_rows, sizeof *rows);
    if (!d->figure.keys || !d->figure.n_keys || !rows)
        return no_memory(err);
    for (size_t g = 0; g < d->figure.n_rows; g++) {
        rows[g] = rg_keeper_room(&d->keep, n, sizeof **rows);
        if (!rows[g])
            return no_memory(err);
    }
    d->figure.rows = rows;
    return RG_OK;
}

static rg_status build(net_drawing *d, const char *network, const rg_dataset *data, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    rg_source source = {data, NULL};
    rg_build_options options = {.n_threads = d->n_threads};
    rg_status status = rg_network_file_read(&spec, &settings, network, err);
    if (!status)
        status = rg_network_build(&d->net, d->labels, spec, &source, &options, err);
    if (status)
        return status;
    d->looked_at = (rg_samples){.net = d->net, .source = source, .n = rg_source_size(&source)};
    d->input.values = &d->values;
    d->input.labels = d->known;
    d->input.n_labels = rg_network_names(d->net, d->labels, d->known);
    return rg_samples_values(&d->values, &d->looked_at, d->labels, err);
}

rg_status rg_network_figure_write(const char *path, const char *network, const rg_dataset *data,
                                  const uint64_t *graphs, size_t n_graphs, const rg_names *names,
                                  unsigned n_threads, rg_error *err)
{
    net_drawing d = {.n_threads = n_threads,
                     .input = {.size = sizeof d.input, .data = data, .n_graphs = n_graphs}};
    bool outputs = false;
    rg_status status = rg_pictures_make(&d.pictures, data, graphs, n_graphs, names, err);
    uint32_t *list = status ? NULL : rg_keeper_room(&d.keep, n_graphs, sizeof *list);
    if (!status && !list)
        status = no_memory(err);
    for (size_t k = 0; !status && k < n_graphs; k++)
        list[k] = (uint32_t)graphs[k];
    d.input.graphs = list;
    if (!status)
        status = build(&d, network, data, err);
    if (!status)
        status = plan(&d, &outputs, err);
    for (size_t c = 1; !status && c + outputs < d.figure.n_columns; c++)
        status = draw_column(&d, c, err);
    if (!status)
        draw_blocks(&d, outputs);
    if (!status)
        status = name_neurons(&d, names, err);
    if (!status)
        status = name_columns(&d, outputs, err);
    d.figure.title = rg_dataset_name(data);
    d.figure.graphs = d.pictures.rows;
    d.figure.labels = d.pictures.labels;
    d.figure.n_labels = d.pictures.n_labels;
    if (!status)
        status = rg_neuron_figure_write(&d.figure, path, err);
    drop(&d);
    return status;
}
