/* attribution.c - one sample taken apart: by nodes, by statements; and its weights pair by pair. */
#include "explainer.h"

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
    uint64_t *pairs; /* [statement] */
    uint32_t *row;   /* [statement]: the output row it was first seen in */
    double *g;       /* [param] */
    double *seed;
    size_t n_shares[RG_SPEC_LAYERS_MAX];
} parts;

static void count(void *context, const rg_statement *statement, uint32_t number, uint32_t key,
                  uint32_t from, uint32_t to)
{
    parts *p = context;
    bool aggregate = p->e->net.layers[statement->layer].kind == RG_LAYER_AGGREGATE;
    (void)key;
    (void)from;
    if (!p->pairs[number])
        p->row[number] = to;
    /* an aggregation may have the node in every output */
    p->pairs[number] += !aggregate || p->row[number] == to;
}

enum { PER_LAYER = 7, WHOLE = 4 };

/* Cuts one block into all arrays; every number is 0. */
static rg_status make_room(rg_attribution *out, const parts *p, rg_error *err)
{
    rg_carve layout = {0};
    size_t c = out->n_outputs, at[RG_SPEC_LAYERS_MAX][PER_LAYER], whole[WHOLE + 1];
    const size_t sizes[WHOLE] = {c, c, (size_t)out->n_nodes * c, c};
    for (size_t k = 0; k < WHOLE; k++)
        whole[k] = rg_carve_add(&layout, sizes[k], sizeof(double));
    whole[WHOLE] = rg_carve_add(&layout, out->n_layers, sizeof *out->layers);
    for (size_t l = 0; l < out->n_layers; l++) {
        at[l][0] = rg_carve_add(&layout, p->n_shares[l], sizeof(rg_share));
        at[l][1] = rg_carve_add(&layout, p->n_shares[l] * c, sizeof(double));
        for (size_t k = 2; k < PER_LAYER; k++)
            at[l][k] = rg_carve_add(&layout, c, sizeof(double));
    }
    char *block = rg_carve_alloc(&layout);
    if (!block)
        return rg_fail_memory(err, "the parts of an answer");
    memset(block, 0, layout.bytes);
    double **const arrays[WHOLE] = {&out->z, &out->outputs, &out->nodes, &out->rest};
    for (size_t k = 0; k < WHOLE; k++)
        *arrays[k] = (double *)(void *)(block + whole[k]);
    out->layers = (rg_share_list *)(void *)(block + whole[WHOLE]);
    out->block = block;
    for (size_t l = 0; l < out->n_layers; l++) {
        rg_share_list *list = &out->layers[l];
        double **const own[PER_LAYER - 1] = {&list->values, &list->dense,  &list->bias,
                                             &list->later,  &list->passed, &list->sum};
        list->n = p->n_shares[l];
        list->shares = (rg_share *)(void *)(block + at[l][0]);
        for (size_t k = 1; k < PER_LAYER; k++)
            *own[k - 1] = (double *)(void *)(block + at[l][k]);
    }
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

/* Biases of a layer that no statement has: those of dense layers, shifts of norms. */
static double plain_bias(const parts *p, size_t l)
{
    const rg_net_layer *layer = &p->e->net.layers[l];
    size_t shift = layer->weights + layer->n_in;
    if (layer->kind == RG_LAYER_DENSE && layer->bias.n_params)
        return dot(p->e->w + layer->bias.at, p->g + layer->bias.at, layer->bias.n_params);
    return layer->kind == RG_LAYER_NORM ? dot(p->e->w + shift, p->g + shift, layer->n_in) : 0;
}

/* What goes through a layer that has no rule, without its bias. */
static double plain_weights(const parts *p, size_t l)
{
    const rg_net_layer *layer = &p->e->net.layers[l];
    const rg_explain_pass *t = p->e->pass;
    size_t n = (size_t)rg_explain_pass_rows_in(t, l) * layer->n_in;
    if (layer->kind == RG_LAYER_DENSE)
        return dot(p->e->w + layer->weights, p->g + layer->weights,
                   (size_t)layer->n_in * layer->n_out);
    if (layer->kind == RG_LAYER_RULE || layer->kind == RG_LAYER_AGGREGATE)
        return 0;
    return dot(t->by_signal[l], t->signal[l], n);
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

/* Layers from the last to the first: biases of later ones are known then. */
static void fill_layers(rg_attribution *out, const parts *p, size_t c)
{
    const rg_explain_pass *t = p->e->pass;
    size_t n_outputs = out->n_outputs;
    double later = 0;
    for (size_t l = t->last + 1; l-- > 0;) {
        rg_share_list *list = &out->layers[l];
        double sum = 0, bias = 0;
        for (size_t k = 0; k < list->n; k++) {
            double share = share_of(p, list->shares[k].statement);
            list->values[k * n_outputs + c] = share;
            sum += share;
            if (p->e->statements[list->shares[k].statement].rule == RG_STATEMENT_BIAS)
                bias += share;
        }
        list->bias[c] = plain_bias(p, l);
        list->dense[c] = plain_weights(p, l);
        list->later[c] = later;
        if (p->e->net.layers[l].residual && l < t->last)
            list->passed[c] = dot(t->by_signal[l + 1], t->signal[l],
                                  (size_t)rg_explain_pass_rows_in(t, l) * p->e->net.layers[l].n_in);
        list->sum[c] = sum + list->bias[c] + list->dense[c] + later + list->passed[c];
        later += bias + list->bias[c];
    }
}

/* The last layer that sees nodes: on arrays the first one, which sees values. */
static size_t node_layer(const rg_explainer *e)
{
    size_t l = e->net.arrays ? 0 : e->pass->last;
    while (!e->net.arrays && l > 0 && e->net.layers[l].rows_in != 0)
        l--;
    return l;
}

static void fill_nodes(rg_attribution *out, const parts *p, size_t c)
{
    const rg_explain_pass *t = p->e->pass;
    size_t l = node_layer(p->e), n_outputs = out->n_outputs;
    size_t width = p->e->net.layers[l].n_in * (size_t)rg_explain_pass_rows_in(t, l);
    if (out->n_nodes)
        width /= out->n_nodes;
    const rg_share_list *list = &out->layers[l];
    for (size_t i = 0; i < out->n_nodes; i++)
        out->nodes[i * n_outputs + c] =
            dot(t->by_signal[l] + i * width, t->signal[l] + i * width, width);
    out->rest[c] = list->later[c] + list->bias[c];
    for (size_t k = 0; k < list->n; k++)
        if (p->e->statements[list->shares[k].statement].rule == RG_STATEMENT_BIAS)
            out->rest[c] += list->values[k * n_outputs + c];
}

static void fill(rg_attribution *out, parts *p)
{
    const rg_explain_pass *t = p->e->pass;
    const rg_network *net = &p->e->net;
    size_t n_z = rg_explain_pass_n_z(t), n = out->n_outputs;
    for (size_t k = 0; k < n_z; k++) { /* of classes of nodes: the mean */
        size_t rows = out->of_nodes ? n_z / n : 1;
        out->z[k % n] += t->sum[t->last][k] / (double)rows;
        out->outputs[k % n] += t->signal[net->n_layers][k] / (double)rows;
    }
    for (uint32_t c = 0; n_z && c < n; c++) {
        memset(p->g, 0, net->n_params * sizeof *p->g);
        memset(p->seed, 0, n_z * sizeof *p->seed);
        rg_explain_pass_seed(t, p->seed, c, 1);
        rg_explain_pass_back(p->e->pass, p->seed, p->g);
        fill_layers(out, p, c);
        fill_nodes(out, p, c);
    }
    out->said = out->truth = RG_NO_OUTPUT;
    if (net->task != RG_TASK_CLASSES)
        return;
    out->said = 0;
    for (uint32_t c = 1; c < n; c++)
        if (out->outputs[c] > out->outputs[out->said])
            out->said = c;
    if (p->e->samples->has_targets)
        out->truth = p->e->samples->classes[out->sample];
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
                                  .of_nodes = e->net.task == RG_TASK_NODES,
                                  .n_layers = e->net.n_layers};
    rg_explain_pass_forward(e->pass, &at);
    p.pairs = rg_alloc_zero(e->n, sizeof *p.pairs);
    p.row = rg_alloc_zero(e->n, sizeof *p.row);
    p.g = rg_alloc(e->net.n_params, sizeof *p.g);
    p.seed = rg_alloc(rg_explain_pass_n_z(e->pass), sizeof *p.seed);
    if (!p.pairs || !p.row || !p.g || !p.seed)
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
        *out = attribution;
    }
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
            out->pairs[out->n] = (rg_pair_weight){from, to, number, weight_of(c, s, key)};
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
        return rg_fail(err, RG_EUSAGE, "layer %zu (%s) has no rule", layer + 1,
                       rg_explainer_layer(e, layer).kind);
    if (channel != SIZE_MAX && channel >= own->n_out)
        return rg_fail(err, RG_EUSAGE, "layer %zu has %u channels: there is no channel %zu",
                       layer + 1, (unsigned)own->n_out, channel);
    status = go_to(&at, e, &number, err);
    if (status)
        return status;
    c.aggregate = own->kind == RG_LAYER_AGGREGATE;
    pairs.n_nodes = own->rows_out && !c.aggregate ? own->rows_out : at.n_rows;
    rg_explainer_visit(e, &at, layer, collect, &c);
    pairs.pairs = rg_alloc(pairs.n, sizeof *pairs.pairs);
    pairs.bias = rg_alloc_zero(pairs.n_nodes, sizeof *pairs.bias);
    pairs.bias_statement = rg_alloc(pairs.n_nodes, sizeof *pairs.bias_statement);
    if (!pairs.pairs || !pairs.bias || !pairs.bias_statement) {
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
    *pairs = (rg_pair_weights){0};
}
