/* rule.c - layers whose connections are those of rules: `rule`, from nodes to nodes or from shape to
 * shape, and `aggregate`, from nodes to outputs. The formulas stand in math/kernels.h. */
#include "read.h"

#include "base/alloc.h"
#include "base/error.h"
#include "pass.h"
#include "text/yaml_edit.h"

#include <string.h>

/* Settings of its own: rule: mix, normalise, support; aggregate: by, bias. */
enum { MIX = 0, NORMALISE = 1, SUPPORT = 2, BY = 0, BIAS = 1 };
enum { SUM = 1, MEAN = 2 }; /* bits of `by` */

/* ---- reading */

static rg_status note_world(rg_layer_reading *past, const rg_rule_info *info, const rg_yaml *node,
                            rg_error *err)
{
    if (info->on_graphs && past->on_shapes)
        return rg_yaml_complain(node, err,
                                "found a rule on graphs, expected one on shapes, as "
                                "before");
    if (info->on_shapes && past->on_graphs)
        return rg_yaml_complain(node, err,
                                "found a rule on shapes, expected one on graphs, as "
                                "before");
    past->on_graphs = past->on_graphs || info->on_graphs;
    past->on_shapes = past->on_shapes || info->on_shapes;
    past->bins = past->bins || info->n_bins;
    return RG_OK;
}

/* Parses the rule in this node; out: its normal form, owned. needs_shape is set if the rule cannot
 * be without one. */
static rg_status read_rule(char **out, bool *needs_shape, rg_layer_reading *past,
                           const rg_yaml *node, rg_rule_kind kind, rg_error *err)
{
    static const char first_line[] = "rule: line 1, ";
    rg_rule *rule = NULL;
    rg_error inner = {""};
    const char *text = rg_yaml_text(node);
    if (!text || !*text)
        return rg_yaml_expected(node, "a rule, such as share node(i), node(j) when edge(i,j)", err);
    rg_status status = rg_rule_parse(&rule, text, kind, past->known, past->n_known, NULL, &inner);
    if (status && !strchr(text, '\n') &&
        strncmp(inner.message, first_line, sizeof first_line - 1) == 0)
        return rg_yaml_complain(node, err, "rule: %s", inner.message + sizeof first_line - 1);
    if (status)
        return rg_spec_blame(node, status, inner.message, err);
    status = note_world(past, rg_rule_describe(rule), node, err);
    if (!status) {
        *needs_shape = *needs_shape || rg_rule_describe(rule)->on_shapes;
        *out = rg_copy_text(rg_rule_text(rule), strlen(rg_rule_text(rule)));
        if (!*out)
            status = rg_fail_memory(err, "reading a network");
    }
    rg_rule_free(rule);
    return status;
}

static rg_status read_rules(rg_layer_spec *layer, bool *needs_shape, rg_layer_reading *past,
                            const rg_yaml *node, rg_rule_kind kind, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    if (n == 0 || n > RG_SPEC_RULES_MAX)
        return rg_yaml_complain(node, err, "found %zu rules, expected 1..%d", n, RG_SPEC_RULES_MAX);
    for (size_t k = 0; k < n; k++) {
        rg_status status =
            read_rule(&layer->rules[k], needs_shape, past, rg_spec_thing(node, k), kind, err);
        if (status)
            return status;
        layer->n_rules++;
    }
    return RG_OK;
}

/* [rows, cols], [rows, cols, channels] or [rows, cols, depth, channels] */
static rg_status read_shape(rg_layer_spec *layer, rg_layer_reading *past, const rg_yaml *map,
                            rg_error *err)
{
    const rg_yaml *node = rg_yaml_find(map, "shape");
    int64_t size[4] = {0, 0, 1, 1};
    if (!node)
        return RG_OK;
    if (past->on_graphs)
        return rg_yaml_complain(node, err,
                                "found a shape, expected none: the rules before are on "
                                "graphs");
    if (rg_yaml_kind_of(node) != RG_YAML_LIST || rg_yaml_size(node) < 2 || rg_yaml_size(node) > 4)
        return rg_yaml_expected(
            node, "[ROWS, COLS], [ROWS, COLS, CHANNELS] or [ROWS, COLS, DEPTH, CHANNELS]", err);
    for (size_t k = 0; k < rg_yaml_size(node); k++) {
        rg_status status = rg_yaml_int(rg_yaml_item(node, k), &size[k], 1, 1 << 20, NULL, err);
        if (status)
            return status;
    }
    /* Four factors of 20 bits: each product is checked before the next factor joins in. */
    if (size[0] * size[1] > INT32_MAX || size[0] * size[1] * size[2] > INT32_MAX ||
        size[0] * size[1] * size[2] * size[3] > INT32_MAX)
        return rg_yaml_complain(node, err, "found a shape of more than %d values, expected fewer",
                                INT32_MAX);
    past->on_shapes = true;
    bool deep = rg_yaml_size(node) == 4;
    layer->shape = (rg_rule_shape){.rows = (uint32_t)size[0],
                                   .cols = (uint32_t)size[1],
                                   .channels = (uint32_t)(size[2] * size[3]),
                                   .depth = deep && size[2] > 1 ? (uint32_t)size[2] : 0};
    return RG_OK;
}

static rg_status read_rule_layer(rg_layer_spec *layer, rg_layer_reading *past, const rg_yaml *map,
                                 rg_error *err)
{
    const rg_yaml *rule = rg_yaml_find(map, "rule"), *bias = rg_yaml_find(map, "bias");
    bool needs_shape = false;
    past->bins = past->bins || rg_yaml_find(map, "support"); /* so is what occurs often enough */
    rg_status status = read_shape(layer, past, map, err);
    if (!status)
        status = read_rules(layer, &needs_shape, past, rule, RG_RULE_PAIR, err);
    bool no_bias = !bias || (rg_yaml_text(bias) && strcmp(rg_yaml_text(bias), "none") == 0);
    if (!status && !no_bias)
        status = read_rule(&layer->bias, &needs_shape, past, bias, RG_RULE_BIAS, err);
    if (!status && needs_shape && layer->shape.rows == 0)
        status = rg_yaml_complain(
            map, err, "found a rule on shapes, expected the key shape too: the output shape");
    return status ? status : rg_layer_read_width(layer, rg_yaml_find(map, "heads"), NULL, err);
}

static rg_status read_aggregate(rg_layer_spec *layer, rg_layer_reading *past, const rg_yaml *map,
                                rg_error *err)
{
    bool needs_shape = false; /* it takes the one of its input */
    rg_status status = read_rules(layer, &needs_shape, past, rg_yaml_find(map, "aggregate"),
                                  RG_RULE_AGGREGATE, err);
    return status ? status : rg_layer_read_width(layer, rg_yaml_find(map, "outputs"), NULL, err);
}

static void print_rule_layer(rg_text *out, const rg_layer_spec *layer)
{
    rg_text_add(out, "    bias: ");
    rg_yaml_print_text(out, layer->bias ? layer->bias : "none", false);
    rg_text_add(out, "\n");
    if (layer->width)
        rg_text_add(out, "    heads: %u\n", layer->width);
}

static void print_aggregate(rg_text *out, const rg_layer_spec *layer)
{
    if (layer->width)
        rg_text_add(out, "    outputs: %u\n", layer->width);
}

/* ---- shapes */

static uint64_t size_of(rg_rule_shape s)
{
    return (uint64_t)s.rows * s.cols * s.channels;
}

static void shape_on_arrays(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    if (size_of(layer->shape_out) == 0 || size_of(layer->shape_out) > UINT32_MAX / 2)
        rg_plan_complain(
            plan, "a rule on arrays needs its output shape: 'shape: [rows, cols, channels]'");
    out->shape = layer->shape_out;
    out->rows = (uint32_t)size_of(layer->shape_out);
}

static void shape_rule(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    uint32_t task_width = plan->nodes || !plan->arrays ? plan->n_outputs : 1;
    bool mix = layer->own[MIX] != 0;
    if (plan->arrays && !out->shape.rows)
        rg_plan_complain(
            plan, "a rule layer needs rows and columns, and the output of a dense layer has none");
    layer->n_out = layer->n_out ? layer->n_out : plan->last ? task_width : layer->n_in;
    if (!mix && layer->n_in > 1 && layer->n_out != layer->n_in)
        rg_plan_complain(plan,
                         "found %u input channels and %u output channels, expected the same "
                         "number, or 'mix: full'",
                         (unsigned)layer->n_in, (unsigned)layer->n_out);
    layer->full = mix || layer->n_in == 1;
    if (plan->arrays)
        shape_on_arrays(plan, layer, out);
    else if (layer->shape_out.rows)
        rg_plan_complain(plan, "a rule on graphs gives one row per node: 'shape' is for arrays");
    layer->normalise = (rg_normalise)layer->own[NORMALISE];
    layer->support = (uint32_t)layer->own[SUPPORT];
    if (plan->arrays && (layer->normalise || layer->support > 1))
        rg_plan_complain(plan, "'%s' is for graphs", layer->normalise ? "normalise" : "support");
    layer->rows_out = out->rows;
    out->channels = layer->n_out;
    layer->fixed = !layer->normalise && layer->ins[0] == 0 && plan->n_layers == 1 &&
                   !plan->arrays && !plan->batched && layer->n_in == 1 &&
                   !plan->specs[plan->at].residual;
}

/* Outputs are rows of one channel, so that rules can tell them apart. */
static void shape_aggregate(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    uint32_t outputs = layer->n_out;
    if (plan->arrays)
        rg_plan_complain(plan, "arrays have no nodes to aggregate: expected a rule or dense layer");
    if (!outputs && !plan->last)
        rg_plan_complain(plan, "'outputs' is missing: only the last layer takes it from the task");
    layer->full = true;
    layer->mean = layer->own[BY] == MEAN;
    layer->rows_out = outputs ? outputs : plan->n_outputs;
    layer->n_out = 1;
    layer->n_bias = layer->own[BIAS] != 0 ? layer->rows_out : 0;
    out->rows = 1;
    out->channels = layer->rows_out;
    layer->fixed = layer->ins[0] == 0 && plan->n_layers == 1 && !plan->batched && layer->n_in == 1;
}

/* One way of an aggregation. What gives the outputs is a sum, and has its activation and its bias once. */
static uint32_t put_way(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x, unsigned way)
{
    bool both = (unsigned)spec->own[BY] == (SUM | MEAN);
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_aggregate, x, spec);
    if (layer) {
        layer->own[BY] = way;
        if (both && plan->last)
            layer->activation = RG_IDENTITY;
        if (both && plan->last && way == MEAN)
            layer->own[BIAS] = 0;
    }
    return rg_plan_shape(plan, layer);
}

/* Sum and mean, each with weights of its own: side by side, or added up where they give the outputs. */
static uint32_t expand_aggregate(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    unsigned ways = (unsigned)spec->own[BY];
    if (ways != (SUM | MEAN))
        return put_way(plan, spec, x, ways);
    uint32_t both[] = {put_way(plan, spec, x, SUM), put_way(plan, spec, x, MEAN)};
    if (plan->status)
        return 0;
    uint32_t out = rg_plan_many(plan, plan->last ? &rg_layer_add : &rg_layer_concat, both, 2);
    if (!plan->status && plan->last)
        plan->layers[out - 1].activation = plan->activation;
    return out;
}

/* ---- start values: how many weights the rules allow, and how many inputs a row has */

static rg_start start_rules(const rg_net_layer *layer)
{
    rg_start start = {.n_possible = 0};
    double fan = 0;
    for (size_t r = 0; r < layer->n_rules; r++) {
        start.n_possible += layer->rules[r].facts.possible * (double)rg_net_per_key(layer);
        fan += layer->rules[r].facts.fan;
    }
    if (layer->kind->outputs) {
        start.fan_in = layer->mean ? layer->n_in : fan * layer->n_in;
        start.fan_out = layer->rows_out;
    } else {
        start.fan_in = fan * layer->n_in;
        start.fan_out = fan * layer->n_out;
    }
    if (layer->normalise) { /* as if a row had one connection */
        start.fan_in = layer->n_in;
        start.fan_out = layer->n_out;
        fan = 1;
    }
    start.seen = layer->full ? start.fan_in : fan;
    return start;
}

/* ---- forward and back, graph by graph */

/* Rule r of layer k on sample s: its links, with the bias in those of the first rule. */
static void open_rule(const rg_pass *p, uint32_t s, size_t k, size_t r, rg_links *links,
                      rg_channels *channels)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_sample *sample = &p->samples[s];
    bool mean = layer->mean && sample->n_nodes;
    rg_block_links(links, sample->block, k, r, sample->place);
    *channels = (rg_channels){.n_in = layer->n_in,
                              .n_out = layer->n_out,
                              .full = layer->full,
                              .add = r > 0,
                              .scale = mean ? 1.0 / sample->n_nodes : 1.0};
    if (r == 0 && layer->bias.n_params)
        links->bias_id =
            layer->kind->outputs ? p->identity : rg_block_bias(sample->block, k, sample->place);
}

/* First numbers of sample s in the input and in the output of a layer. */
static size_t first_in(const rg_pass *p, uint32_t s, const rg_net_layer *layer)
{
    return p->batched && s ? (size_t)p->batch.first[s] * layer->n_in : 0;
}

static size_t first_out(const rg_pass *p, uint32_t s, const rg_net_layer *layer)
{
    if (layer->rows_out)
        return (size_t)s * layer->rows_out * layer->n_out;
    return p->batched && s ? (size_t)p->batch.first[s] * layer->n_out : 0;
}

static void forward_plain(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const char *x = rg_pass_value(p, layer->ins[0]);
    rg_links links;
    rg_channels channels;
    for (uint32_t s = 0; s < p->n_samples; s++)
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(p, s, k, r, &links, &channels);
            p->kernels->rule_forward(rg_pass_item(p, y, first_out(p, s, layer)), &links, &channels,
                                     rg_pass_param(p, layer->rules[r].at),
                                     rg_pass_param(p, layer->bias.at),
                                     x ? rg_pass_item(p, x, first_in(p, s, layer)) : NULL);
        }
}

static void backward_plain(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const char *x = rg_pass_value(p, layer->ins[0]);
    char *dx = rg_pass_dx_cleared(p, k, 0);
    rg_links links;
    rg_channels channels;
    for (uint32_t s = 0; s < p->n_samples; s++)
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(p, s, k, r, &links, &channels);
            p->kernels->rule_backward(rg_pass_dparam(p, layer->rules[r].at), rg_pass_dbias(p, k),
                                      dx ? rg_pass_item(p, dx, first_in(p, s, layer)) : NULL,
                                      &links, &channels, rg_pass_param(p, layer->rules[r].at),
                                      x ? rg_pass_item(p, x, first_in(p, s, layer)) : NULL,
                                      rg_pass_item(p, dy, first_out(p, s, layer)));
        }
}

/* ---- a layer that normalises: y = row factors * sums over (column factors * x), then the bias */

static inline void scale_row(const rg_pass *p, void *to, const void *from, const void *factors,
                             size_t row, size_t width, bool add)
{
    size_t n = width * p->kernels->lanes;
    if (p->precision == RG_FLOAT) {
        const float *x = (const float *)from + row * n;
        float *y = (float *)to + row * n, by = factors ? ((const float *)factors)[row] : 1;
        for (size_t k = 0; k < n; k++)
            y[k] = add ? y[k] + x[k] * by : x[k] * by;
    } else {
        const double *x = (const double *)from + row * n;
        double *y = (double *)to + row * n, by = factors ? ((const double *)factors)[row] : 1;
        for (size_t k = 0; k < n; k++)
            y[k] = add ? y[k] + x[k] * by : x[k] * by;
    }
}

static void scale_rows(const rg_pass *p, void *to, const void *from, const void *factors, size_t n,
                       size_t width, bool add)
{
    for (size_t row = 0; row < n; row++)
        scale_row(p, to, from, factors, row, width, add);
}

/* to[row] += from[id of the row], or the other way round. */
static void add_biases(const rg_pass *p, void *rows, void *biases, const uint32_t *id, size_t n,
                       size_t width, bool back)
{
    size_t bytes = width * p->item;
    for (size_t row = 0; id && row < n; row++) {
        if (id[row] == RG_NO_ID)
            continue;
        char *own = (char *)rows + row * bytes, *bias = (char *)biases + id[row] * bytes;
        scale_row(p, back ? bias : own, back ? own : bias, NULL, 0, width, true);
    }
}

/* Its input times the column factors, and on the way back the gradients inside of the factors. */
static size_t kept_rule(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    const rg_net_layer *layer = &p->layers[k];
    return layer->normalise ? (2 * in * layer->n_in + rows * layer->n_out) * p->item : 0;
}

/* Of sample s: rows of its nodes, their factors, and places among the rows of the pass. */
typedef struct scaled {
    const void *by_row, *by_col;
    const uint32_t *bias;
    size_t n, in, out;
    char *x, *dx, *dy;
} scaled;

static scaled open_scaled(const rg_pass *p, size_t k, uint32_t s)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_sample *sample = &p->samples[s];
    size_t rows = rg_pass_rows(p, layer->ins[0]);
    char *kept = rg_pass_kept(p, k);
    scaled own = {.by_row = rg_block_factors(sample->block, k, sample->place, false),
                  .by_col = rg_block_factors(sample->block, k, sample->place, true),
                  .n = sample->n_rows,
                  .in = first_in(p, s, layer),
                  .out = first_out(p, s, layer)};
    if (layer->bias.n_params)
        own.bias = rg_block_bias(sample->block, k, sample->place);
    own.x = rg_pass_item(p, kept, own.in);
    own.dx = rg_pass_item(p, kept, rows * layer->n_in + own.in);
    own.dy = rg_pass_item(p, kept, 2 * rows * layer->n_in + own.out);
    return own;
}

static void forward_scaled(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const char *x = rg_pass_value(p, layer->ins[0]);
    for (uint32_t s = 0; s < p->n_samples; s++) {
        scaled own = open_scaled(p, k, s);
        char *to = rg_pass_item(p, y, own.out);
        scale_rows(p, own.x, rg_pass_item(p, x, own.in), own.by_col, own.n, layer->n_in, false);
        for (size_t r = 0; r < layer->n_rules; r++) {
            rg_links links;
            rg_channels channels;
            open_rule(p, s, k, r, &links, &channels);
            links.bias_id = NULL;
            p->kernels->rule_forward(to, &links, &channels, rg_pass_param(p, layer->rules[r].at),
                                     NULL, own.x);
        }
        scale_rows(p, to, to, own.by_row, own.n, layer->n_out, false);
        add_biases(p, to, (void *)rg_pass_param(p, layer->bias.at), own.bias, own.n, layer->n_out,
                   false);
    }
}

static void backward_scaled(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    char *dx = rg_pass_dx_cleared(p, k, 0);
    for (uint32_t s = 0; s < p->n_samples; s++) {
        scaled own = open_scaled(p, k, s);
        char *from = rg_pass_item(p, dy, own.out);
        scale_rows(p, own.dy, from, own.by_row, own.n, layer->n_out, false);
        if (own.bias)
            add_biases(p, from, rg_pass_dbias(p, k), own.bias, own.n, layer->n_out, true);
        memset(own.dx, 0, own.n * layer->n_in * p->item);
        for (size_t r = 0; r < layer->n_rules; r++) {
            rg_links links;
            rg_channels channels;
            open_rule(p, s, k, r, &links, &channels);
            links.bias_id = NULL;
            p->kernels->rule_backward(rg_pass_dparam(p, layer->rules[r].at), NULL,
                                      dx ? own.dx : NULL, &links, &channels,
                                      rg_pass_param(p, layer->rules[r].at), own.x, own.dy);
        }
        if (dx)
            scale_rows(p, rg_pass_item(p, dx, own.in), own.dx, own.by_col, own.n, layer->n_in,
                       true);
    }
}

/* ---- a first layer whose equal rows are kept once: it works on those rows and then hands each node
 * its own; on the way back the gradients of the nodes of a row are summed first */

static const uint32_t *same_rows(const rg_pass *p, size_t k)
{
    const rg_sample *sample = &p->samples[0];
    return p->layers[k].fixed && !p->batched ? rg_block_same(sample->block, k, sample->place)
                                             : NULL;
}

static bool is_fused(const rg_pass *p, size_t k)
{
    return same_rows(p, k) != NULL;
}

/* to[i] = from[same[i]], `width` bytes each: with a width that is known a copy is one instruction. */
static inline void copy_rows(char *to, const char *from, const uint32_t *same, size_t n,
                             size_t width)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * width, from + same[i] * width, width);
}

static void hand_out(char *to, const char *from, const uint32_t *same, size_t n, size_t width)
{
    if (width == 4)
        copy_rows(to, from, same, n, 4);
    else if (width == 8)
        copy_rows(to, from, same, n, 8);
    else if (width == 16)
        copy_rows(to, from, same, n, 16);
    else if (width == 32)
        copy_rows(to, from, same, n, 32);
    else
        copy_rows(to, from, same, n, width);
}

/* to[same[i]] += from[i], `width` numbers each, in the order of i. */
static inline void add_floats(float *to, const float *from, const uint32_t *same, size_t n,
                              size_t width)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            to[same[i] * width + k] += from[i * width + k];
}

static void add_doubles(double *to, const double *from, const uint32_t *same, size_t n,
                        size_t width)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            to[same[i] * width + k] += from[i * width + k];
}

static void sum_up(const rg_pass *p, void *to, const void *from, const uint32_t *same, size_t n,
                   size_t n_items)
{
    size_t width = p->kernels->lanes * n_items;
    if (p->precision == RG_DOUBLE)
        add_doubles(to, from, same, n, width);
    else if (width == 1)
        add_floats(to, from, same, n, 1);
    else if (width == 4)
        add_floats(to, from, same, n, 4);
    else if (width == 8)
        add_floats(to, from, same, n, 8);
    else
        add_floats(to, from, same, n, width);
}

static void forward_rows(rg_pass *p, size_t k, const uint32_t *same)
{
    const rg_net_layer *layer = &p->layers[k];
    void *act = rg_pass_at(p, p->rows_act);
    void *pre = p->pre[k] == RG_NOWHERE ? act : rg_pass_at(p, p->pre[k]);
    rg_links links;
    rg_channels channels;
    open_rule(p, 0, k, 0, &links, &channels);
    p->kernels->rule_forward(pre, &links, &channels, rg_pass_param(p, layer->rules[0].at),
                             rg_pass_param(p, layer->bias.at), NULL);
    if (layer->activation != RG_IDENTITY)
        p->kernels->activation_forward(act, layer->activation, (size_t)links.n_rows * layer->n_out,
                                       pre);
    hand_out(rg_pass_value(p, (uint32_t)k + 1), act, same, p->n_rows, layer->n_out * p->item);
}

static void backward_rows(rg_pass *p, size_t k, const uint32_t *same)
{
    const rg_net_layer *layer = &p->layers[k];
    void *gradient = rg_pass_at(p, p->rows_gradient);
    rg_links links;
    rg_channels channels;
    open_rule(p, 0, k, 0, &links, &channels);
    size_t n = (size_t)links.n_rows * layer->n_out;
    memset(gradient, 0, n * p->item);
    sum_up(p, gradient, rg_pass_gradient_of(p, (uint32_t)k + 1), same, p->n_rows, layer->n_out);
    if (layer->activation != RG_IDENTITY)
        p->kernels->activation_backward(gradient, layer->activation, n, rg_pass_at(p, p->pre[k]),
                                        rg_pass_at(p, p->rows_act), gradient);
    p->kernels->rule_backward(rg_pass_dparam(p, layer->rules[0].at), rg_pass_dbias(p, k), NULL,
                              &links, &channels, rg_pass_param(p, layer->rules[0].at), NULL,
                              gradient);
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const uint32_t *same = same_rows(p, k);
    if (same)
        forward_rows(p, k, same);
    else if (p->layers[k].normalise)
        forward_scaled(p, k, y);
    else
        forward_plain(p, k, y);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    const uint32_t *same = same_rows(p, k);
    if (same)
        backward_rows(p, k, same);
    else if (p->layers[k].normalise)
        backward_scaled(p, k, dy);
    else
        backward_plain(p, k, dy);
}

/* Biases are statements of their own. */
static double no_constant(const rg_pass *p, size_t k, const void *dy)
{
    (void)p;
    (void)k;
    (void)dy;
    return 0;
}

static const char *const mixes[] = {"each", "full"};
static const char *const ways[] = {"sum", "mean"};
static const char *const normalises[] = {"none", "row", "symmetric"};

const rg_layer_kind rg_layer_rule = {
    .name = "rule",
    .head = RG_HEAD_RULES,
    .settings = {{.type = RG_SETTING_WORD, .key = "mix", .words = mixes, .n_words = 2},
                 {.type = RG_SETTING_WORD,
                  .key = "normalise",
                  .words = normalises,
                  .n_words = 3,
                  .young = true},
                 {.type = RG_SETTING_COUNT,
                  .key = "support",
                  .low = 1,
                  .high = 1e9,
                  .usual = 1,
                  .what = "a number of training graphs, 1 or more",
                  .young = true}},
    .keys = {"bias", "heads", "shape", "activation", "residual", "weights"},
    .usual = RG_TANH,
    .weighs = true,
    .nodes = true,
    .rules = true,
    .each = true,
    .read = read_rule_layer,
    .print = print_rule_layer,
    .shape = shape_rule,
    .start = start_rules,
    .kept = kept_rule,
    .forward = forward,
    .backward = backward,
    .fused = is_fused,
    .constant = no_constant,
};

const rg_layer_kind rg_layer_aggregate = {
    .name = "aggregate",
    .head = RG_HEAD_RULES,
    .settings = {{.type = RG_SETTING_WORDS,
                  .key = "by",
                  .words = ways,
                  .n_words = 2,
                  .usual = MEAN,
                  .bare = true},
                 {.type = RG_SETTING_FLAG, .key = "bias", .usual = 1}},
    .keys = {"outputs", "activation", "weights"},
    .usual = RG_TANH,
    .weighs = true,
    .nodes = true,
    .aggregates = true,
    .outputs = true,
    .rules = true,
    .each = true,
    .read = read_aggregate,
    .expand = expand_aggregate,
    .print = print_aggregate,
    .shape = shape_aggregate,
    .start = start_rules,
    .forward = forward_plain,
    .backward = backward_plain,
    .constant = no_constant,
};
