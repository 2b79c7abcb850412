/* block.c - the tables of some samples, for all rules of a network. */
#include "base/alloc.h"
#include "base/error.h"
#include "samples.h"

#include <math.h>
#include <string.h>

enum { PER_LAYER = RG_SPEC_RULES_MAX + 1, BIAS = RG_SPEC_RULES_MAX };

void rg_block_free(rg_table_block *block)
{
    if (!block)
        return;
    for (size_t k = 0; block->wiring && k < block->n_wiring; k++) {
        rg_wiring *w = &block->wiring[k];
        if (!w->borrowed)
            rg_connections_free(w->connections);
        rg_free(w->start);
        rg_free(w->first);
        rg_free(w->row);
        rg_free(w->id);
        rg_free(w->value);
        rg_free(w->same);
        rg_free(w->bias);
        rg_free(w->first_node);
        rg_free(w->by_row);
        rg_free(w->by_col);
    }
    rg_free(block->wiring);
    rg_free(block->first);
    rg_free(block->input);
    rg_free(block->sparse_row);
    rg_free(block->sparse_col);
    rg_free(block->sparse_value);
    rg_free(block);
}

static uint64_t wiring_bytes(const rg_wiring *w, size_t n, rg_precision precision)
{
    if (w->connections)
        return w->borrowed ? 0 : rg_connections_bytes(w->connections);
    if (!w->id)
        return 0;
    uint64_t bytes = w->start[n] * (precision == RG_FLOAT ? 8 : 12) + w->first[n] * 4 + n * 16;
    return bytes + (w->same ? w->first_node[n] * 4 : 0) + (w->bias ? w->first[n] * 4 : 0);
}

/* Adds the numbers of one sample that are not 0, x[row][channel]. */
static rg_status add_sparse(rg_table_block *b, size_t capacity[2], size_t first, size_t n,
                            size_t width, const double *x, rg_error *err)
{
    size_t real = rg_real_size(b->precision);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = b->sparse_row[first + i];
        for (size_t c = 0; c < width; c++, x++) {
            if (*x == 0)
                continue;
            if (!rg_grow(&b->sparse_col, &capacity[0], (size_t)at + 1, sizeof *b->sparse_col) ||
                !rg_grow(&b->sparse_value, &capacity[1], (size_t)at + 1, real))
                return rg_fail_memory(err, "the input of a network");
            b->sparse_col[at] = (uint32_t)c;
            rg_real_put(b->precision, b->sparse_value, (size_t)at++, *x);
        }
        b->sparse_row[first + i + 1] = at;
    }
    return RG_OK;
}

static rg_status fill_sparse(rg_table_block *b, const rg_samples *s, const uint32_t *list,
                             rg_error *err)
{
    size_t width = s->net->n_channels, capacity[2] = {0};
    double *x = rg_alloc((size_t)s->most_rows * width, sizeof *x);
    b->sparse_row = rg_alloc_zero((size_t)b->first[b->n] + 1, sizeof *b->sparse_row);
    rg_status status = x && b->sparse_row ? RG_OK : rg_fail_memory(err, "the input of a network");
    for (size_t k = 0; !status && k < b->n; k++) {
        rg_samples_input(s, list[k], x);
        status = add_sparse(b, capacity, (size_t)b->first[k],
                            (size_t)(b->first[k + 1] - b->first[k]), width, x, err);
    }
    if (!status)
        b->bytes +=
            (b->first[b->n] + 1) * sizeof *b->sparse_row +
            b->sparse_row[b->first[b->n]] * (sizeof *b->sparse_col + rg_real_size(b->precision));
    rg_free(x);
    return status;
}

/* The input of all samples of a block, where a layer reads it. */
static rg_status fill_input(rg_table_block *b, const rg_samples *s, const uint32_t *list,
                            rg_error *err)
{
    size_t width = s->net->n_channels, real = rg_real_size(b->precision);
    size_t n = (size_t)b->first[b->n] * width, most = (size_t)s->most_rows * width;
    double *x = rg_alloc(most, sizeof *x);
    b->input = rg_alloc(n, real);
    if (!x || !b->input) {
        rg_free(x);
        return rg_fail_memory(err, "the input of a network");
    }
    for (size_t k = 0; k < b->n; k++) {
        size_t from = (size_t)b->first[k] * width, to = (size_t)b->first[k + 1] * width;
        rg_samples_input(s, list[k], x);
        for (size_t v = from; v < to; v++)
            if (b->precision == RG_FLOAT)
                ((float *)b->input)[v] = (float)x[v - from];
            else
                ((double *)b->input)[v] = x[v - from];
    }
    b->bytes += (uint64_t)n * real;
    rg_free(x);
    return RG_OK;
}

/* Pairs of a block without a weight. A block that is too large is built again, in parts, so the
 * samples hear of them at the end. */
typedef struct unseen_count {
    uint64_t all;
    uint64_t *of, *one; /* [sample of the block]: of all rules, of one; NULL: not wanted. Owned */
} unseen_count;

static void count_rule(unseen_count *unseen, uint64_t pairs, uint32_t outputs, size_t n)
{
    unseen->all += pairs * outputs;
    for (size_t k = 0; unseen->of && k < n; k++)
        unseen->of[k] += unseen->one[k] * outputs;
}

/* at: the place of the wiring in the block. Of arrays, a rule that does not look at values has one
 * table, in the block that all share. */
static rg_status wire(rg_wiring *w, size_t at, unseen_count *unseen, rg_samples *s,
                      const rg_net_layer *layer, const rg_net_rule *rule, const uint32_t *list,
                      size_t n, uint64_t max, rg_error *err)
{
    bool own = rg_network_by_sample(s->net, rule->rule);
    const rg_table_block *shared = s->shared;
    rg_rule_values looked_at;
    if (!s->source.graphs && own && !shared) /* these are the tables of all samples */
        return RG_OK;
    if (!s->source.graphs && !own && shared) {
        *w = (rg_wiring){.connections = shared->wiring[at].connections, .borrowed = true};
        return RG_OK;
    }
    rg_rule_input input = {.size = sizeof input,
                           .data = s->source.graphs,
                           .labels = s->known,
                           .n_labels = s->n_known,
                           .graphs = s->source.graphs || own ? list : NULL,
                           .n_graphs = s->source.graphs || own ? n : 0,
                           .values = &looked_at,
                           .in = layer->shape_in,
                           .out = layer->shape_out,
                           .n_outputs = rule->outputs ? 1 : layer->rows_out};
    rg_rule_options options = {.size = sizeof options,
                               .n_threads = s->n_threads,
                               .max_bytes = max,
                               .cancel = s->cancel ? rg_cancel_ask : NULL,
                               .cancel_context = s->cancel,
                               .unseen_of = input.n_graphs ? unseen->one : NULL};
    rg_rule_report report = RG_RULE_REPORT_INIT;
    if (unseen->one)
        memset(unseen->one, 0, n * sizeof *unseen->one);
    rg_samples_describe_values(&looked_at, s);
    rg_status status =
        rg_rule_apply(&w->connections, &report, rule->keys, rule->rule, &input, &options, err);
    if (!status && rule != &layer->bias)
        count_rule(unseen, report.unseen, rule->outputs ? rule->outputs : 1, n);
    w->outputs = rule->outputs;
    w->stride = rule->stride;
    return status;
}

/* ---- factors of layers that normalise */

static void put_factor(rg_table_block *b, void *factors, uint64_t row, uint32_t n, bool root)
{
    double factor = n == 0 ? 1 : root ? 1 / sqrt((double)n) : 1.0 / n;
    if (b->precision == RG_FLOAT)
        ((float *)factors)[row] = (float)factor;
    else
        ((double *)factors)[row] = factor;
}

/* Connections of the rows and columns of one sample, all rules of the layer together. */
static void count_connections(uint32_t *of_row, uint32_t *of_col, const rg_table_block *b, size_t l,
                              size_t n_rules, size_t place)
{
    for (size_t r = 0; r < n_rules; r++) {
        rg_links links;
        rg_block_links(&links, b, l, r, place);
        for (uint32_t i = 0; i < links.n_rows; i++) {
            of_row[i] += links.row[i + 1] - links.row[i];
            for (uint32_t k = links.row[i]; k < links.row[i + 1]; k++)
                of_col[links.col16 ? links.col16[k] : links.col32[k]]++;
        }
    }
}

static rg_status normalise(rg_table_block *b, const rg_net_layer *layer, size_t l, rg_error *err)
{
    bool both = layer->normalise == RG_NORMALISE_SYMMETRIC;
    size_t n = (size_t)b->first[b->n], real = rg_real_size(b->precision);
    rg_wiring *own = &b->wiring[l * PER_LAYER];
    uint32_t *of_row = rg_alloc_zero(n, sizeof *of_row), *of_col = rg_alloc_zero(n, sizeof *of_col);
    own->by_row = rg_alloc(n, real);
    own->by_col = both ? rg_alloc(n, real) : NULL;
    rg_status status = of_row && of_col && own->by_row && (!both || own->by_col)
                           ? RG_OK
                           : rg_fail_memory(err, "the tables of a network");
    for (size_t place = 0; !status && place < b->n; place++)
        count_connections(of_row + b->first[place], of_col + b->first[place], b, l, layer->n_rules,
                          place);
    for (size_t row = 0; !status && row < n; row++) {
        put_factor(b, own->by_row, row, of_row[row], both);
        if (both)
            put_factor(b, own->by_col, row, of_col[row], true);
    }
    b->bytes += (both ? 2 : 1) * (uint64_t)n * real;
    rg_free(of_row);
    rg_free(of_col);
    return status;
}

/* All rules of a layer. The bias comes first: rows are equal only if their biases are. */
static rg_status wire_layer(rg_table_block *b, unseen_count *unseen, rg_samples *s, size_t l,
                            const uint32_t *list, uint64_t max, rg_error *err)
{
    const rg_net_layer *layer = &s->net->layers[l];
    rg_wiring *own = &b->wiring[l * PER_LAYER], *bias = &own[BIAS];
    bool once = layer->fixed && layer->kind->fused && layer->n_rules == 1;
    rg_status status = RG_OK;
    if (layer->bias.rule)
        status = wire(bias, (size_t)(bias - b->wiring), unseen, s, layer, &layer->bias, list, b->n,
                      max, err);
    for (size_t r = 0; !status && r < layer->n_rules; r++) {
        uint64_t left = max > b->bytes ? max - b->bytes : 0;
        status = wire(&own[r], l * PER_LAYER + r, unseen, s, layer, &layer->rules[r], list, b->n,
                      left, err);
        if (!status && layer->fixed)
            status = rg_wiring_merge(&own[r], s, list, b->n, bias->connections, once, err);
        b->bytes += status ? 0 : wiring_bytes(&own[r], b->n, b->precision);
    }
    if (!status && layer->normalise)
        status = normalise(b, layer, l, err);
    if (!status && once) { /* kept with the rows */
        rg_connections_free(bias->connections);
        bias->connections = NULL;
    }
    b->bytes += status ? 0 : wiring_bytes(bias, b->n, b->precision);
    return status;
}

rg_status rg_block_build(rg_table_block **out, rg_samples *s, const uint32_t *list, size_t n,
                         uint64_t max, rg_error *err)
{
    const rg_network *net = s->net;
    unseen_count unseen = {0};
    rg_table_block *b = rg_alloc_zero(1, sizeof *b);
    if (!b)
        return rg_fail_memory(err, "the tables of a network");
    b->n = n;
    b->precision = s->precision;
    b->n_wiring = net->n_layers * PER_LAYER;
    b->wiring = rg_alloc_zero(b->n_wiring, sizeof *b->wiring);
    b->first = rg_alloc(n + 1, sizeof *b->first);
    if (s->unseen_of) {
        unseen.of = rg_alloc_zero(2 * n, sizeof *unseen.of);
        unseen.one = unseen.of ? unseen.of + n : NULL;
    }
    rg_status status = b->wiring && b->first && (unseen.of || !s->unseen_of)
                           ? RG_OK
                           : rg_fail_memory(err, "the tables of a network");
    for (size_t k = 0; !status && k <= n; k++)
        b->first[k] = k ? b->first[k - 1] + rg_samples_rows(s, list[k - 1]) : 0;
    for (size_t l = 0; !status && l < net->n_layers; l++)
        status = wire_layer(b, &unseen, s, l, list, max, err);
    if (!status && s->sparse)
        status = fill_sparse(b, s, list, err);
    else if (!status && s->source.graphs && !s->features && !net->batched && !net->layers[0].fixed)
        status = fill_input(b, s, list, err);
    if (status) {
        rg_free(unseen.of);
        rg_block_free(b);
        return status;
    }
    s->unseen += unseen.all;
    for (size_t k = 0; unseen.of && k < n; k++)
        s->unseen_of[list[k]] = unseen.of[k];
    rg_free(unseen.of);
    *out = b;
    return RG_OK;
}
