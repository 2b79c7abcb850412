/* attribution.c - one sample taken apart: by nodes, by statements; and its weights pair by pair. */
#include "explainer.h"
#include "spread.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* Goes to a sample; it is valid until the walk goes on. */
static rg_status go_to(rg_sample *out, rg_explainer *e, const uint32_t *sample, rg_error *err)
{
    rg_walk_begin(&e->walk, sample, 1);
    return rg_walk_next(out, &e->walk, err);
}

/* ---- room for the parts */

typedef struct parts {
    rg_explainer *e;
    uint64_t *pairs;  /* [statement] */
    uint32_t *row;    /* [statement]: the output row it was first seen in */
    size_t *n_shares; /* [layer] */
    double *g;        /* [param] */
    double *seed;
    rg_attribution *out;
    uint32_t c;    /* the output at hand */
    double biases; /* handed_biases before the layer at hand */
} parts;

static void count(void *context, const rg_statement *statement, uint32_t number, uint32_t key,
                  uint32_t from, uint32_t to)
{
    parts *p = context;
    bool aggregate = p->e->net.layers[statement->layer].kind->outputs;
    (void)key;
    (void)from;
    if (!p->pairs[number])
        p->row[number] = to;
    /* an aggregation may have the node in every output */
    p->pairs[number] += !aggregate || p->row[number] == to;
}

/* n numbers of the block; without one only measured. */
static double *take(rg_carve *carve, char *block, size_t n)
{
    size_t at = rg_carve_add(carve, n, sizeof(double));
    return block ? (double *)(void *)(block + at) : NULL;
}

static void lay(rg_attribution *out, const parts *p, rg_carve *carve, char *block)
{
    size_t c = out->n_outputs;
    size_t layers = rg_carve_add(carve, out->n_layers, sizeof *out->layers);
    out->layers = block ? (rg_share_list *)(void *)(block + layers) : NULL;
    out->z = take(carve, block, c);
    out->outputs = take(carve, block, c);
    out->nodes = take(carve, block, (size_t)out->n_nodes * c);
    out->rest = take(carve, block, c);
    for (size_t l = 0; l < out->n_layers; l++) {
        rg_share_list list = {.n = p->n_shares[l]};
        size_t shares = rg_carve_add(carve, list.n, sizeof *list.shares);
        list.shares = block ? (rg_share *)(void *)(block + shares) : NULL;
        list.values = take(carve, block, list.n * c);
        list.dense = take(carve, block, c);
        list.bias = take(carve, block, c);
        list.later = take(carve, block, c);
        list.passed = take(carve, block, c);
        list.sum = take(carve, block, c);
        if (block)
            out->layers[l] = list;
    }
}

/* Cuts one block into all arrays; every number is 0. */
static rg_status make_room(rg_attribution *out, const parts *p, rg_error *err)
{
    rg_carve measured = {0}, carve = {0};
    lay(out, p, &measured, NULL);
    char *block = rg_carve_alloc(&measured);
    if (!block)
        return rg_fail_memory(err, "the parts of an answer");
    memset(block, 0, measured.bytes);
    lay(out, p, &carve, block);
    out->block = block;
    return RG_OK;
}

static void list_shares(rg_attribution *out, const parts *p)
{
    for (size_t l = 0; l < out->n_layers; l++) {
        size_t n = 0;
        for (size_t k = p->e->first[l]; k < p->e->first[l + 1]; k++)
            if (p->pairs[k])
                out->layers[l].shares[n++] = (rg_share){(uint32_t)k, p->pairs[k]};
    }
}

/* ---- one output */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* What later layers handed to the values that are there before layer l works: m(x) x. */
static double handed(const rg_pass *t, size_t l)
{
    double sum = 0;
    for (uint32_t v = 0; v <= l; v++)
        sum += dot(rg_pass_gradient_of(t, v), rg_pass_value(t, v), rg_pass_reals(t, v));
    return sum;
}

/* Biases of a layer that no statement has, by what has been handed to them so far: several layers may share
 * them. */
static double handed_biases(const parts *p, size_t l)
{
    const rg_net_layer *layer = &p->e->net.layers[l];
    return dot(p->e->w + layer->bias.at, p->g + layer->bias.at, layer->n_bias);
}

/* What this layer handed to them: to those of dense layers, shifts of norms; and what its activation
 * makes of 0. */
static double plain_bias(const parts *p, size_t l)
{
    const rg_net_layer *layer = &p->e->net.layers[l];
    const rg_pass *t = p->e->pass;
    double offset = rg_pass_offset_share(t, l);
    if (layer->kind->constant)
        return offset + layer->kind->constant(t, l, rg_pass_sum_share(t, l));
    return offset + (handed_biases(p, l) - p->biases);
}

static double share_of(const parts *p, uint32_t statement)
{
    const rg_statement *s = &p->e->statements[statement];
    const rg_statement_weight *weights = p->e->weights + s->first;
    double sum = 0;
    for (uint32_t k = 0; k < s->n; k++)
        sum += weights[k].value * p->g[weights[k].param];
    return sum;
}

/* Does layer l hand what comes from nodes on to what is not one of nodes? */
static bool is_crossing(const parts *p, size_t l, uint32_t n)
{
    const rg_network *net = &p->e->net;
    uint32_t in = net->layers[l].ins[n];
    if (rg_task_on_nodes(net->task))
        return l == net->last;
    return net->values[in].rows == 0 && net->values[l + 1].rows != 0;
}

/* Is what layer l adds of its own behind that crossing? */
static bool is_behind(const parts *p, size_t l)
{
    const rg_network *net = &p->e->net;
    return net->arrays ||
           (rg_task_on_nodes(net->task) ? l == net->last : net->values[l + 1].rows != 0);
}

/* Adds `sign` times what the nodes (of arrays: the values) have been handed through value v. */
static void add_value(const parts *p, uint32_t v, double sign)
{
    const rg_pass *t = p->e->pass;
    rg_attribution *out = p->out;
    const double *by = rg_pass_gradient_of(t, v), *x = rg_pass_value(t, v);
    size_t width = out->n_nodes ? rg_pass_reals(t, v) / out->n_nodes : 0;
    for (size_t i = 0; i < out->n_nodes; i++)
        out->nodes[i * out->n_outputs + p->c] += sign * dot(by + i * width, x + i * width, width);
}

static void add_nodes(const parts *p, size_t l, double sign)
{
    const rg_net_layer *layer = &p->e->net.layers[l];
    for (uint32_t n = 0; !p->e->net.arrays && n < layer->n_ins; n++)
        if (is_crossing(p, l, n))
            add_value(p, layer->ins[n], sign);
}

/* Layers come from the last to the first: biases of later ones are known then. */
static void visit(void *context, size_t l, bool after)
{
    parts *p = context;
    rg_attribution *out = p->out;
    rg_share_list *list = &out->layers[l];
    size_t c = p->c, n_outputs = out->n_outputs;
    double sum = 0, bias = 0;
    add_nodes(p, l, after ? 1 : -1);
    if (!after) {
        list->passed[c] = handed(p->e->pass, l);
        p->biases = handed_biases(p, l);
        return;
    }
    for (size_t k = 0; k < list->n; k++) {
        double share = share_of(p, list->shares[k].statement);
        list->values[k * n_outputs + c] = share;
        sum += share;
        if (p->e->statements[list->shares[k].statement].rule == RG_STATEMENT_BIAS)
            bias += share;
    }
    list->bias[c] = plain_bias(p, l);
    if (!p->e->net.layers[l].kind->rules)
        list->dense[c] = handed(p->e->pass, l) - list->passed[c];
    list->later[c] = l < p->e->net.last ? list[1].later[c] + list[1].bias[c] : 0;
    for (size_t k = 0; l < p->e->net.last && k < list[1].n; k++)
        if (p->e->statements[list[1].shares[k].statement].rule == RG_STATEMENT_BIAS)
            list->later[c] += list[1].values[k * n_outputs + c];
    list->sum[c] = sum + list->bias[c] + list->dense[c] + list->later[c] + list->passed[c];
    if (is_behind(p, l))
        out->rest[c] += list->bias[c] + bias;
}

static void fill(rg_attribution *out, parts *p)
{
    rg_explainer *e = p->e;
    const rg_network *net = &e->net;
    size_t n_z = rg_explainer_n_z(e), n = out->n_outputs;
    const double *z = rg_pass_sum(e->pass, net->last), *answer = rg_pass_outputs(e->pass);
    for (size_t k = 0; k < n_z; k++) { /* of classes of nodes: the mean */
        size_t rows = out->of_nodes ? n_z / n : 1;
        out->z[k % n] += z[k] / (double)rows;
        out->outputs[k % n] += answer[k] / (double)rows;
    }
    for (uint32_t c = 0; n_z && c < n; c++) {
        memset(p->g, 0, net->n_params * sizeof *p->g);
        memset(p->seed, 0, n_z * sizeof *p->seed);
        p->c = c;
        rg_explainer_seed(e, p->seed, c, 1);
        rg_pass_share(e->pass, p->seed, p->g, visit, p);
        if (net->arrays)
            add_value(p, 0, 1);
    }
    out->said = out->truth = RG_NO_OUTPUT;
    if (net->task != RG_TASK_CLASSES)
        return;
    out->said = 0;
    for (uint32_t c = 1; c < n; c++)
        if (out->outputs[c] > out->outputs[out->said])
            out->said = c;
    if (e->samples->has_targets)
        out->truth = e->samples->classes[out->sample];
}

void rg_explainer_set_spread(rg_explainer *e, bool spread)
{
    e->whole_nodes = !spread;
}

/* What nodes add, to the nodes that their labels speak for. Answers about nodes stay with them. */
static rg_status spread_nodes(rg_attribution *out, const rg_explainer *e, rg_error *err)
{
    rg_spread spread;
    if (e->whole_nodes || e->net.arrays || out->of_nodes)
        return RG_OK;
    rg_graph graph = rg_dataset_graph(e->source.graphs, out->sample);
    rg_status status = rg_spread_make(&spread, e, &graph, err);
    if (status)
        return status;
    status = rg_spread_apply(&spread, out->nodes, out->n_outputs, err);
    rg_spread_free(&spread);
    return status;
}

rg_status rg_explainer_attribute(rg_attribution *out, rg_explainer *e, size_t sample, rg_error *err)
{
    parts p = {.e = e};
    rg_sample at;
    uint32_t number = (uint32_t)sample;
    rg_status status = rg_explainer_check_sample(e, sample, err);
    if (status)
        return status;
    status = go_to(&at, e, &number, err);
    if (status)
        return status;
    rg_attribution attribution = {.sample = sample,
                                  .n_nodes = at.n_rows,
                                  .n_outputs = e->net.n_outputs,
                                  .of_nodes = rg_task_on_nodes(e->net.task),
                                  .n_layers = e->net.n_layers};
    rg_samples_unseen_of(&attribution.unknown_labels, &attribution.unseen_labels,
                         &attribution.unseen_pairs, e->samples, sample);
    rg_pass_forward(e->pass, &at, 1, e->w, NULL);
    p.out = &attribution;
    p.n_shares = rg_alloc_zero(e->net.n_layers, sizeof *p.n_shares);
    p.pairs = rg_alloc_zero(e->n, sizeof *p.pairs);
    p.row = rg_alloc_zero(e->n, sizeof *p.row);
    p.g = rg_alloc(e->net.n_params, sizeof *p.g);
    p.seed = rg_alloc(rg_explainer_n_z(e), sizeof *p.seed);
    if (!p.n_shares || !p.pairs || !p.row || !p.g || !p.seed)
        status = rg_fail_memory(err, "the parts of an answer");
    for (size_t l = 0; !status && l < e->net.n_layers; l++) {
        rg_explainer_visit(e, &at, l, count, &p);
        for (size_t k = e->first[l]; k < e->first[l + 1]; k++)
            p.n_shares[l] += p.pairs[k] != 0;
    }
    if (!status)
        status = make_room(&attribution, &p, err);
    if (!status) {
        list_shares(&attribution, &p);
        fill(&attribution, &p);
        status = spread_nodes(&attribution, e, err);
        if (status)
            rg_attribution_free(&attribution);
        else
            *out = attribution;
    }
    rg_free(p.n_shares);
    rg_free(p.pairs);
    rg_free(p.row);
    rg_free(p.g);
    rg_free(p.seed);
    return status;
}

void rg_attribution_free(rg_attribution *attribution)
{
    rg_free(attribution->block);
    *attribution = (rg_attribution){0};
}

/* ---- pairs */

typedef struct collecting {
    const rg_explainer *e;
    rg_pair_weights *out;
    size_t channel;
    bool aggregate, counting;
} collecting;

/* The weight of a key of a statement: in one channel, or the one that is largest in size. */
static double weight_of(const collecting *c, const rg_statement *s, uint32_t key)
{
    const rg_net_layer *layer = &c->e->net.layers[s->layer];
    bool bias = s->rule == RG_STATEMENT_BIAS;
    const rg_net_rule *rule = bias ? &layer->bias : &layer->rules[s->rule];
    size_t per_key = bias ? layer->n_out : rg_net_per_key(layer);
    const double *w = c->e->w + rule->at + key * per_key;
    double best = 0;
    for (size_t p = 0; p < per_key; p++)
        if ((c->channel == SIZE_MAX || p % layer->n_out == c->channel) && fabs(w[p]) > fabs(best))
            best = w[p];
    return best;
}

static void collect(void *context, const rg_statement *s, uint32_t number, uint32_t key,
                    uint32_t from, uint32_t to)
{
    collecting *c = context;
    rg_pair_weights *out = c->out;
    bool bias = s->rule == RG_STATEMENT_BIAS;
    if (bias && c->aggregate)
        return;
    if (bias && !c->counting) {
        out->bias[to] = weight_of(c, s, key);
        out->bias_statement[to] = number;
    } else if (!bias) {
        if (!c->counting)
            out->pairs[out->n] = (rg_pair_weight){from, to, number, weight_of(c, s, key), 0};
        out->n++;
    }
}

rg_status rg_explainer_pairs(rg_pair_weights *out, rg_explainer *e, size_t sample, size_t layer,
                             size_t channel, rg_error *err)
{
    rg_pair_weights pairs = {0};
    collecting c = {.e = e, .out = &pairs, .channel = channel, .counting = true};
    rg_sample at;
    uint32_t number = (uint32_t)sample;
    rg_status status = rg_explainer_check_sample(e, sample, err);
    if (status)
        return status;
    if (layer >= e->net.n_layers)
        return rg_fail(err, RG_EUSAGE, "the network has %zu layers: there is no layer %zu",
                       e->net.n_layers, layer + 1);
    const rg_net_layer *own = &e->net.layers[layer];
    if (own->n_rules == 0)
        return rg_fail(err, RG_EUSAGE, "layer %zu (%s) has no rule", own->of + 1,
                       rg_explainer_layer(e, layer).of_kind);
    if (channel != SIZE_MAX && channel >= own->n_out)
        return rg_fail(err, RG_EUSAGE, "layer %zu has %u channels: there is no channel %zu",
                       own->of + 1, (unsigned)own->n_out, channel);
    status = go_to(&at, e, &number, err);
    if (status)
        return status;
    c.aggregate = own->kind->outputs;
    pairs.n_nodes = own->rows_out && !c.aggregate ? own->rows_out : at.n_rows;
    rg_explainer_visit(e, &at, layer, collect, &c);
    pairs.pairs = rg_alloc(pairs.n, sizeof *pairs.pairs);
    pairs.bias = rg_alloc_zero(pairs.n_nodes, sizeof *pairs.bias);
    pairs.bias_effect = rg_alloc_zero(pairs.n_nodes, sizeof *pairs.bias_effect);
    pairs.bias_statement = rg_alloc(pairs.n_nodes, sizeof *pairs.bias_statement);
    if (!pairs.pairs || !pairs.bias || !pairs.bias_statement || !pairs.bias_effect) {
        rg_pair_weights_free(&pairs);
        return rg_fail_memory(err, "the weights of a graph");
    }
    for (uint32_t i = 0; i < pairs.n_nodes; i++)
        pairs.bias_statement[i] = RG_NO_STATEMENT;
    pairs.n = 0;
    c.counting = false;
    rg_explainer_visit(e, &at, layer, collect, &c);
    *out = pairs;
    return RG_OK;
}

void rg_pair_weights_free(rg_pair_weights *pairs)
{
    rg_free(pairs->pairs);
    rg_free(pairs->bias);
    rg_free(pairs->bias_statement);
    rg_free(pairs->bias_effect);
    *pairs = (rg_pair_weights){0};
}
