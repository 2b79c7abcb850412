/* world.c - see world.h. */
#include "world.h"

#include "base/error.h"
#include "property/pair_table.h"

#include <stdio.h>
#include <string.h>

size_t rg_world_graph(const rg_world *world, size_t k)
{
    return world->input->graphs ? world->input->graphs[k] : k;
}

static uint64_t shape_size(rg_rule_shape shape)
{
    return (uint64_t)shape.rows * shape.cols * shape.channels;
}

rg_rule_shape rg_world_shape(const rg_world *world, rg_variable variable)
{
    bool inward = world->rule->info.kind == RG_RULE_AGGREGATE || variable == RG_VAR_J;
    return inward ? world->input->in : world->input->out;
}

void rg_world_size(const rg_world *world, size_t k, uint32_t *n_outputs, uint32_t *n_inputs)
{
    const rg_rule_input *input = world->input;
    rg_rule_kind kind = world->rule->info.kind;
    if (input->data) {
        *n_inputs = rg_dataset_graph(input->data, rg_world_graph(world, k)).n_nodes;
        *n_outputs = *n_inputs;
    } else {
        *n_inputs = kind == RG_RULE_BIAS ? 0 : (uint32_t)shape_size(input->in);
        *n_outputs = kind == RG_RULE_AGGREGATE ? 0 : (uint32_t)shape_size(input->out);
    }
    if (kind == RG_RULE_AGGREGATE)
        *n_outputs = input->n_outputs;
    if (kind == RG_RULE_BIAS)
        *n_inputs = 0;
}

/* The first term of a world that is not this one. */
static int stranger(const rg_rule *rule, bool shapes, bool sequence)
{
    for (size_t k = 0; k < rule->n_terms; k++) {
        rg_op op = rule->terms[k].op;
        bool shape = (op >= RG_OP_ROW && op <= RG_OP_CHANNEL) || (op == RG_OP_PLACE && !sequence);
        bool graph = op == RG_OP_LABEL || op == RG_OP_NODE_LABEL || op == RG_OP_PROPERTY ||
                     (op == RG_OP_NUMBER && rule->terms[k].index);
        if (shapes ? graph : shape)
            return (int)k;
    }
    return RG_NO_TERM;
}

static rg_status check_shape(const char *which, rg_rule_shape shape, rg_error *err)
{
    /* Three factors of 32 bits: the first two are checked before the third joins in. */
    uint64_t area = (uint64_t)shape.rows * shape.cols;
    if (area == 0 || shape.channels == 0 || area >= UINT32_MAX ||
        area * shape.channels >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "rule: found an %s of %u rows, %u columns and %u channels, expected at "
                       "least one value and fewer than 2^32-1",
                       which, shape.rows, shape.cols, shape.channels);
    if (shape.channels % rg_shape_depth(shape))
        return rg_fail(
            err, RG_EUSAGE,
            "rule: found an %s of depth %u and %u planes, expected a multiple of the depth", which,
            shape.depth, shape.channels);
    return RG_OK;
}

/* ---- values of samples */

static bool is_vector(rg_rule_shape shape)
{
    return shape.rows == 1 && shape.channels == 1;
}

size_t rg_world_bin_groups(const rg_world *world, const rg_rule_bin *bin)
{
    rg_rule_shape shape = world->input->values->shape;
    if (world->input->data)
        return 1;
    return is_vector(shape) ? shape.cols : bin->given ? 1 : shape.channels / rg_shape_depth(shape);
}

size_t rg_world_bin_group(const rg_world *world, const rg_rule_bin *bin, size_t place)
{
    rg_rule_shape shape = world->input->values->shape;
    if (world->input->data)
        return 0;
    return is_vector(shape) ? place
           : bin->given     ? 0
                            : place / shape.cols / shape.rows / rg_shape_depth(shape);
}

static bool same_shape(rg_rule_shape a, rg_rule_shape b, bool channels)
{
    return a.rows == b.rows && a.cols == b.cols && rg_shape_depth(a) == rg_shape_depth(b) &&
           (!channels || a.channels == b.channels);
}

/* Does the sample have what value(...) asks for? */
static rg_status check_value(const rg_world *world, int term, rg_error *err)
{
    const rg_rule_values *values = world->input->values;
    const rg_term *t = &world->rule->terms[term], *place = &world->rule->terms[t->a];
    uint32_t n_channels = world->input->data
                              ? values->n_channels
                              : values->shape.channels / rg_shape_depth(values->shape);
    char what[200];
    if (t->b != RG_NO_TERM) {
        size_t n = rg_dataset_n_columns(world->input->data, RG_EDGE_ATTRIBUTE);
        if (t->index < n)
            return RG_OK;
        snprintf(what, sizeof what, "an edge attribute below %zu: the edges of '%s' have as many",
                 n, rg_dataset_name(world->input->data));
        return n ? rg_rule_complain(world->rule, term, what, err)
                 : rg_fail(err, RG_EDATA,
                           "rule: '%s' has no edge attributes: value(i,j) needs them",
                           rg_dataset_name(world->input->data));
    }
    if (t->index >= n_channels) {
        snprintf(what, sizeof what, "a channel below %u: the input has as many",
                 (unsigned)n_channels);
        return rg_rule_complain(world->rule, term, what, err);
    }
    if (world->input->data || place->type != RG_TYPE_NODE)
        return RG_OK;
    rg_rule_shape shape = rg_world_shape(world, place->variable);
    if (same_shape(shape, values->shape, !t->value))
        return RG_OK;
    snprintf(
        what, sizeof what, "%s: the layer has %ux%ux%u places there, and a sample %ux%ux%u values",
        t->value ? "as many rows and columns" : "the shape of the sample", (unsigned)shape.rows,
        (unsigned)shape.cols, (unsigned)shape.channels, (unsigned)values->shape.rows,
        (unsigned)values->shape.cols, (unsigned)values->shape.channels);
    return rg_rule_complain(world->rule, term, what, err);
}

static rg_status open_values(rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    const rg_rule_input *input = world->input;
    const rg_rule_values *values = input->values;
    rg_status status = RG_OK;
    if (!rule->info.on_values)
        return RG_OK;
    if (!values || !values->read)
        return rg_fail(err, RG_EUSAGE,
                       "rule: value(...) looks at the values of samples, and none are given");
    for (size_t k = 0; !status && k < rule->n_terms; k++)
        if (rule->terms[k].op == RG_OP_VALUE)
            status = check_value(world, (int)k, err);
    for (size_t k = 0; !status && k < rule->info.n_bins; k++) {
        world->first_edge[k] = world->n_edges;
        world->n_edges += rg_world_bin_groups(world, &rule->bins[k]) * (rule->bins[k].n - 1);
    }
    uint64_t most = input->data ? 0 : shape_size(values->shape);
    for (size_t k = 0; input->data && k < rg_dataset_n_graphs(input->data); k++) {
        uint64_t n = (uint64_t)rg_dataset_graph(input->data, k).n_nodes * values->n_channels;
        most = n > most ? n : most;
    }
    world->n_values = (size_t)most;
    size_t n_samples = input->data ? rg_dataset_n_graphs(input->data) : values->n_samples;
    for (size_t k = 0; !status && values->fit && k < values->n_fit; k++)
        if (values->fit[k] >= n_samples)
            status = rg_fail(err, RG_EUSAGE, "rule: found sample %u, expected a number below %zu",
                             (unsigned)values->fit[k], n_samples);
    return status;
}

/* ---- tables of pairs */

static const rg_pair_table *find_table(const rg_rule_input *input, const char *name)
{
    for (size_t k = 0; k < input->n_labels; k++)
        if (input->labels[k].is_table && strcmp(input->labels[k].name, name) == 0)
            return input->labels[k].pairs;
    return NULL;
}

static rg_status find_tables(rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    for (size_t k = 0; k < rule->n_tables; k++) {
        world->tables[k] = find_table(world->input, rule->tables[k].name);
        if (!world->tables[k])
            return rg_fail(err, RG_EUSAGE, "rule: no table is given for '%s'",
                           rule->tables[k].name);
    }
    return RG_OK;
}

int rg_rule_by_sample(const rg_rule *rule, const rg_rule_input *input)
{
    bool own = input->data || rule->info.on_values;
    for (size_t k = 0; k < rule->n_tables; k++) {
        const rg_pair_table *table = find_table(input, rule->tables[k].name);
        own = own || (table && table->info.per_sample);
    }
    return own;
}

/* How many places there are where a term stands in a table. */
static uint32_t places_of(const rg_world *world, int place, uint32_t n_outputs, uint32_t n_inputs)
{
    bool aggregate = world->rule->info.kind == RG_RULE_AGGREGATE;
    rg_variable variable = world->rule->terms[place].variable;
    return (aggregate ? variable == RG_VAR_OUT : variable == RG_VAR_I) ? n_outputs : n_inputs;
}

/* Has the table of a sample the rows and columns of the layer? */
static rg_status check_table(const rg_world *world, int term, size_t k, rg_error *err)
{
    const rg_term *t = &world->rule->terms[term];
    const rg_pair_table *table = world->tables[t->index];
    const char *name = world->rule->tables[t->index].name;
    size_t number = world->by_sample ? rg_world_graph(world, k) : 0;
    size_t own = table->info.per_sample ? number : 0;
    uint32_t n_outputs, n_inputs;
    if (own >= table->info.n_samples && !table->info.exact)
        return RG_OK; /* nothing is listed */
    if (own >= table->info.n_samples)
        return rg_fail(err, RG_EDATA,
                       "rule: the table '%s' has numbers for %zu samples, expected some for "
                       "sample %zu too",
                       name, table->info.n_samples, own);
    rg_world_size(world, k, &n_outputs, &n_inputs);
    uint32_t rows = places_of(world, t->a, n_outputs, n_inputs);
    uint32_t cols = t->b == RG_NO_TERM ? 1 : places_of(world, t->b, n_outputs, n_inputs);
    bool fits = table->info.exact ? table->rows[own] == rows && table->cols[own] == cols
                                  : table->rows[own] <= rows && table->cols[own] <= cols;
    if (!fits)
        return rg_fail(err, RG_EDATA,
                       "rule: the table '%s' has %u row%s and %u column%s for sample %zu, expected "
                       "%s%u and %u",
                       name, table->rows[own], table->rows[own] == 1 ? "" : "s", table->cols[own],
                       table->cols[own] == 1 ? "" : "s", number,
                       table->info.exact ? "" : "at most ", rows, cols);
    return RG_OK;
}

static rg_status check_tables(const rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    rg_status status = RG_OK;
    for (size_t term = 0; !status && term < rule->n_terms; term++) {
        const rg_term *t = &rule->terms[term];
        if (t->op != RG_OP_TABLE)
            continue;
        if (t->b != RG_NO_TERM && world->tables[t->index]->info.n_places == 1)
            status = rg_rule_complain(
                rule, (int)term, "one place: the table has a number for each i, none for pairs",
                err);
        for (size_t k = 0; !status && k < world->n_graphs; k++)
            status = check_table(world, (int)term, k, err);
    }
    return status;
}

/* Arrays: a rule that looks at values, or at tables of samples, has connections for each of them. */
static rg_status open_samples(rg_world *world, rg_error *err)
{
    const rg_rule_input *input = world->input;
    size_t n_samples = input->values ? input->values->n_samples : 0;
    if (!world->by_sample)
        return RG_OK;
    for (size_t k = 0; !input->values && k < world->rule->n_tables; k++)
        if (world->tables[k]->info.per_sample)
            n_samples = world->tables[k]->info.n_samples;
    for (size_t k = 0; input->graphs && k < input->n_graphs; k++)
        if (input->graphs[k] >= n_samples && n_samples)
            return rg_fail(err, RG_EUSAGE, "rule: found sample %u, expected a number below %zu",
                           (unsigned)input->graphs[k], n_samples);
    world->n_graphs = input->graphs ? input->n_graphs : n_samples;
    return RG_OK;
}

static rg_status open_shapes(rg_world *world, rg_error *err)
{
    const rg_rule_input *input = world->input;
    rg_rule_kind kind = world->rule->info.kind;
    int term = stranger(world->rule, true, false);
    rg_status status = RG_OK;
    if (term != RG_NO_TERM)
        return rg_rule_complain(world->rule, term,
                                "rows, columns and channels: a fixed shape has no graph", err);
    if (kind != RG_RULE_BIAS)
        status = check_shape("input", input->in, err);
    if (!status && kind != RG_RULE_AGGREGATE)
        status = check_shape("output", input->out, err);
    return status ? status : open_samples(world, err);
}

static rg_status find_labels(rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    const rg_rule_input *input = world->input;
    for (size_t n = 0; n < rule->n_names; n++) {
        size_t k = 0;
        while (k < input->n_labels && strcmp(input->labels[k].name, rule->names[n]) != 0)
            k++;
        if (k == input->n_labels || !input->labels[k].labels)
            return rg_fail(err, RG_EUSAGE, "rule: no labels are given for '%s'", rule->names[n]);
        const rg_labels *labels = input->labels[k].labels;
        uint64_t n_nodes = rg_dataset_n_nodes(input->data);
        if (rg_labels_n_nodes(labels) != n_nodes)
            return rg_fail(err, RG_EUSAGE,
                           "rule: labels '%s' are of %llu nodes, but '%s' has %llu nodes",
                           rule->names[n], (unsigned long long)rg_labels_n_nodes(labels),
                           rg_dataset_name(input->data), (unsigned long long)n_nodes);
        const uint32_t *data = rg_labels_data(labels);
        uint32_t top = 0;
        for (uint64_t i = 0; i < n_nodes; i++)
            top = data[i] > top ? data[i] : top;
        uint32_t seen = input->labels[k].labeling ? rg_labeling_seen(input->labels[k].labeling) : 0;
        world->labels[n] = data;
        world->n_labels[n] = top + 1 > seen ? top + 1 : seen;
    }
    return RG_OK;
}

/* Does the set have what the rule looks at? */
static rg_status check_columns(rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    const rg_dataset *data = world->input->data;
    size_t n_columns = rg_dataset_n_columns(data, RG_NODE_LABEL);
    for (size_t k = 0; k < rule->n_terms; k++)
        if (rule->terms[k].op == RG_OP_NODE_LABEL && rule->terms[k].index >= n_columns)
            return rg_fail(err, RG_EDATA,
                           "rule: '%s' has %zu column%s of node labels, but node(i) asks for "
                           "column %u",
                           rg_dataset_name(data), n_columns, n_columns == 1 ? "" : "s",
                           rule->terms[k].index);
    for (size_t k = 0; k < rule->n_terms && !rg_dataset_sequence(data); k++)
        if (rule->terms[k].op == RG_OP_NUMBER && rule->terms[k].index)
            return rg_fail(err, RG_EDATA,
                           "rule: '%s' has graphs, but words in a rule are for sequences: %.60s",
                           rg_dataset_name(data), rule->source + rule->terms[k].index - 1);
    for (size_t k = 0; k < rule->n_slots; k++) {
        rg_status status = rg_property_check(&rule->slots[k].property, data, err);
        if (status)
            return status;
    }
    return RG_OK;
}

static rg_status open_graphs(rg_world *world, rg_error *err)
{
    const rg_rule_input *input = world->input;
    bool sequence = rg_dataset_sequence(input->data) != RG_SEQUENCE_NONE;
    int term = stranger(world->rule, false, sequence);
    if (term != RG_NO_TERM)
        return rg_rule_complain(world->rule, term,
                                "labels and properties: graphs have no rows, columns or channels",
                                err);
    for (size_t k = 0; input->graphs && k < input->n_graphs; k++)
        if (input->graphs[k] >= rg_dataset_n_graphs(input->data))
            return rg_fail(err, RG_EUSAGE, "rule: found graph %u, expected a number below %zu",
                           input->graphs[k], rg_dataset_n_graphs(input->data));
    world->n_graphs = input->graphs ? input->n_graphs : rg_dataset_n_graphs(input->data);
    rg_status status = find_labels(world, err);
    return status ? status : check_columns(world, err);
}

rg_status rg_world_open(rg_world *out, const rg_rule *rule, const rg_rule_input *input,
                        rg_error *err)
{
    memset(out, 0, sizeof *out);
    out->rule = rule;
    out->input = input;
    out->n_graphs = 1;
    if (rule->info.kind == RG_RULE_AGGREGATE &&
        (input->n_outputs == 0 || input->n_outputs == UINT32_MAX))
        return rg_fail(err, RG_EUSAGE,
                       "rule: found an aggregation to %u outputs, expected at least one and fewer "
                       "than 2^32-1",
                       input->n_outputs);
    out->by_sample = rg_rule_by_sample(rule, input) != 0;
    rg_status status = find_tables(out, err);
    if (!status)
        status = input->data ? open_graphs(out, err) : open_shapes(out, err);
    if (!status)
        status = open_values(out, err);
    if (!status)
        status = check_tables(out, err);
    for (size_t k = 0; !status && k < out->n_graphs; k++) {
        uint32_t n_outputs, n_inputs;
        rg_world_size(out, k, &n_outputs, &n_inputs);
        out->n_out = n_outputs > out->n_out ? n_outputs : out->n_out;
        out->n_in = n_inputs > out->n_in ? n_inputs : out->n_in;
        out->n_outputs += n_outputs;
        out->n_pairs +=
            rule->info.kind == RG_RULE_BIAS ? n_outputs : (uint64_t)n_outputs * n_inputs;
        if (!input->data)
            continue;
        rg_graph graph = rg_dataset_graph(input->data, rg_world_graph(out, k));
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            uint32_t degree = (uint32_t)(graph.row[i + 1] - graph.row[i]);
            out->largest_degree = degree > out->largest_degree ? degree : out->largest_degree;
        }
    }
    return status;
}
