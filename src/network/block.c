/* block.c - the tables of some samples, for all rules of a network. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "samples.h"

#include <assert.h>
#include <string.h>

enum { PER_LAYER = RG_SPEC_RULES_MAX + 1, BIAS = RG_SPEC_RULES_MAX };

/* ---- merging: equal weights of a row become one entry */

typedef struct entry {
    uint32_t id;
    double x;
} entry;

static bool before(const entry *a, const entry *b)
{
    return a->id != b->id ? a->id < b->id : a->x < b->x;
}

/* Ascending by weight, then input: runs of 8 by insertion, then merged pairwise. `spare` has room
 * for n. Returns where the result is: items or spare. */
static entry *sort_entries(entry *items, entry *spare, size_t n)
{
    enum { RUN = 8 };
    for (size_t from = 0; from < n; from += RUN)
        for (size_t k = from + 1; k < n && k < from + RUN; k++) {
            entry own = items[k];
            size_t at = k;
            for (; at > from && before(&own, &items[at - 1]); at--)
                items[at] = items[at - 1];
            items[at] = own;
        }
    for (size_t run = RUN; run < n; run *= 2) {
        for (size_t from = 0; from < n; from += 2 * run) {
            size_t middle = from + run < n ? from + run : n;
            size_t end = from + 2 * run < n ? from + 2 * run : n;
            for (size_t a = from, b = middle, k = from; k < end; k++)
                spare[k] = b == end || (a < middle && !before(&items[b], &items[a])) ? items[a++]
                                                                                     : items[b++];
        }
        entry *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

/* Scratch of one thread. */
typedef struct scratch {
    entry *items, *spare;
    size_t items_capacity, spare_capacity;
    double *x;
    size_t x_capacity;
} scratch;

typedef struct merge_job {
    rg_samples *s;
    const uint32_t *list;
    const rg_connections *from;
    rg_wiring *to;
    scratch *scratch;
    uint32_t *counts; /* entries of every sample that are left */
} merge_job;

/* The rows of one sample, into the places of its entries before merging; then moved together. */
static rg_status merge_sample(void *context, size_t place, unsigned worker, rg_error *err)
{
    merge_job *j = context;
    scratch *own = &j->scratch[worker];
    rg_connection_table t = rg_connections_graph(j->from, place);
    uint32_t *row = j->to->row + j->to->first[place], *id = j->to->id + j->to->start[place];
    size_t offset = j->to->start[place], at = 0;
    if (!rg_grow(&own->x, &own->x_capacity, t.n_inputs, sizeof *own->x))
        return rg_fail_memory(err, "the tables of a network");
    rg_samples_input(j->s, j->list[place], own->x);
    row[0] = 0;
    for (uint32_t i = 0; i < t.n_outputs; i++) {
        size_t n = t.row[i + 1] - t.row[i];
        if (!rg_grow(&own->items, &own->items_capacity, n, sizeof *own->items) ||
            !rg_grow(&own->spare, &own->spare_capacity, n, sizeof *own->spare))
            return rg_fail_memory(err, "the tables of a network");
        for (size_t k = 0; k < n; k++) {
            size_t e = t.row[i] + k;
            own->items[k] = (entry){t.weight[e], own->x[t.col16 ? t.col16[e] : t.col32[e]]};
        }
        const entry *sorted = sort_entries(own->items, own->spare, n);
        for (size_t k = 0; k < n;) {
            double sum = 0;
            uint32_t weight = sorted[k].id;
            for (; k < n && sorted[k].id == weight; k++)
                sum += sorted[k].x;
            id[at] = weight;
            if (j->s->precision == RG_FLOAT)
                ((float *)j->to->value)[offset + at] = (float)sum;
            else
                ((double *)j->to->value)[offset + at] = sum;
            at++;
        }
        row[i + 1] = (uint32_t)at;
    }
    j->counts[place] = (uint32_t)at;
    return RG_OK;
}

/* Entries of all samples side by side again, and the room behind them given back. */
static void move_together(rg_wiring *w, const uint32_t *counts, size_t n, size_t real)
{
    uint64_t at = 0;
    for (size_t k = 0; k < n; k++) {
        assert(at <= w->start[k]);
        memmove(w->id + at, w->id + w->start[k], counts[k] * sizeof *w->id);
        memmove((char *)w->value + at * real, (char *)w->value + w->start[k] * real,
                counts[k] * real);
        w->start[k] = at;
        at += counts[k];
    }
    w->start[n] = at;
    void *id = rg_realloc(w->id, (size_t)at, sizeof *w->id);
    w->id = id ? id : w->id;
    void *value = rg_realloc(w->value, (size_t)at, real);
    w->value = value ? value : w->value;
}

static rg_status merge_room(merge_job *j, size_t n, unsigned n_workers, rg_error *err)
{
    rg_wiring *w = j->to;
    size_t n_entries = (size_t)rg_connections_size(j->from);
    size_t real = j->s->precision == RG_FLOAT ? sizeof(float) : sizeof(double);
    uint64_t rows = 0, entries = 0;
    w->start = rg_alloc(n + 1, sizeof *w->start);
    w->first = rg_alloc(n + 1, sizeof *w->first);
    w->id = rg_alloc(n_entries, sizeof *w->id);
    w->value = rg_alloc(n_entries, real);
    j->counts = rg_alloc(n, sizeof *j->counts);
    j->scratch = rg_alloc_zero(n_workers, sizeof *j->scratch);
    for (size_t k = 0; w->start && w->first && k < n; k++) {
        rg_connection_table t = rg_connections_graph(j->from, k);
        w->start[k] = entries;
        w->first[k] = rows;
        rows += (uint64_t)t.n_outputs + 1;
        entries += t.row[t.n_outputs];
    }
    if (w->start && w->first) {
        w->start[n] = entries;
        w->first[n] = rows;
    }
    w->row = rg_alloc((size_t)rows, sizeof *w->row);
    return w->start && w->first && w->row && w->id && w->value && j->counts && j->scratch
               ? RG_OK
               : rg_fail_memory(err, "the tables of a network");
}

static rg_status merge(rg_wiring *w, rg_samples *s, const uint32_t *list, size_t n, rg_error *err)
{
    merge_job j = {.s = s, .list = list, .from = w->connections, .to = w};
    rg_pool *pool = NULL;
    rg_status status = rg_pool_new(&pool, s->n_threads, err);
    if (status)
        return status;
    unsigned n_workers = rg_pool_size(pool);
    status = merge_room(&j, n, n_workers, err);
    if (!status)
        status = rg_pool_run(pool, n, merge_sample, &j, err);
    if (!status) {
        rg_connections_free(w->connections);
        w->connections = NULL;
        move_together(w, j.counts, n, s->precision == RG_FLOAT ? sizeof(float) : sizeof(double));
    }
    for (unsigned k = 0; j.scratch && k < n_workers; k++) {
        rg_free(j.scratch[k].items);
        rg_free(j.scratch[k].spare);
        rg_free(j.scratch[k].x);
    }
    rg_free(j.scratch);
    rg_free(j.counts);
    rg_pool_free(pool);
    return status;
}

/* ---- a block */

void rg_block_free(rg_block *block)
{
    if (!block)
        return;
    for (size_t k = 0; k < block->n_wiring; k++) {
        rg_wiring *w = &block->wiring[k];
        rg_connections_free(w->connections);
        rg_free(w->start);
        rg_free(w->first);
        rg_free(w->row);
        rg_free(w->id);
        rg_free(w->value);
    }
    rg_free(block->wiring);
    rg_free(block->first);
    rg_free(block->input);
    rg_free(block);
}

static uint64_t wiring_bytes(const rg_wiring *w, size_t n, rg_precision precision)
{
    if (w->connections)
        return rg_connections_bytes(w->connections);
    if (!w->id)
        return 0;
    return w->start[n] * (precision == RG_FLOAT ? 8 : 12) + w->first[n] * 4 + n * 16;
}

/* The input of all samples of a block, where a layer reads it. */
static rg_status fill_input(rg_block *b, const rg_samples *s, const uint32_t *list, rg_error *err)
{
    size_t width = s->net->n_channels, real = b->precision == RG_FLOAT ? 4 : 8;
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

static rg_status wire(rg_wiring *w, rg_samples *s, const rg_net_layer *layer,
                      const rg_net_rule *rule, const uint32_t *list, size_t n, uint64_t max,
                      rg_error *err)
{
    rg_rule_input input = {.data = s->source.graphs,
                           .labels = s->known,
                           .n_labels = s->net->spec->n_labels,
                           .graphs = s->source.graphs ? list : NULL,
                           .n_graphs = s->source.graphs ? n : 0,
                           .in = layer->shape_in,
                           .out = layer->shape_out,
                           .n_outputs = layer->rows_out};
    rg_rule_options options = {.n_threads = s->n_threads, .max_bytes = max};
    rg_rule_report report;
    rg_status status =
        rg_rule_apply(&w->connections, &report, rule->keys, rule->rule, &input, &options, err);
    if (!status)
        s->unseen += report.unseen;
    if (!status && layer->fixed && rule != &layer->bias)
        status = merge(w, s, list, n, err);
    return status;
}

rg_status rg_block_build(rg_block **out, rg_samples *s, const uint32_t *list, size_t n,
                         uint64_t max, rg_error *err)
{
    const rg_network *net = s->net;
    rg_block *b = rg_alloc_zero(1, sizeof *b);
    if (!b)
        return rg_fail_memory(err, "the tables of a network");
    b->n = n;
    b->precision = s->precision;
    b->n_wiring = net->n_layers * PER_LAYER;
    b->wiring = rg_alloc_zero(b->n_wiring, sizeof *b->wiring);
    b->first = rg_alloc(n + 1, sizeof *b->first);
    rg_status status =
        b->wiring && b->first ? RG_OK : rg_fail_memory(err, "the tables of a network");
    for (size_t k = 0; !status && k <= n; k++)
        b->first[k] = k ? b->first[k - 1] + rg_samples_rows(s, list[k - 1]) : 0;
    for (size_t l = 0; !status && l < net->n_layers; l++) {
        const rg_net_layer *layer = &net->layers[l];
        for (size_t r = 0; !status && r <= layer->n_rules; r++) {
            bool bias = r == layer->n_rules;
            const rg_net_rule *rule = bias ? &layer->bias : &layer->rules[r];
            rg_wiring *w = &b->wiring[l * PER_LAYER + (bias ? BIAS : r)];
            if (rule->rule)
                status = wire(w, s, layer, rule, list, n, max > b->bytes ? max - b->bytes : 0, err);
            b->bytes += status ? 0 : wiring_bytes(w, n, b->precision);
        }
    }
    if (!status && s->source.graphs && !net->layers[0].fixed)
        status = fill_input(b, s, list, err);
    if (status)
        rg_block_free(b);
    else
        *out = b;
    return status;
}

void rg_block_links(rg_links *out, const rg_block *block, size_t layer, size_t rule, size_t place)
{
    const rg_wiring *w = &block->wiring[layer * PER_LAYER + rule];
    if (w->connections) {
        rg_connection_table t = rg_connections_graph(w->connections, place);
        *out = (rg_links){.n_rows = t.n_outputs,
                          .row = t.row,
                          .id = t.weight,
                          .col16 = t.col16,
                          .col32 = t.col32};
        return;
    }
    size_t real = block->precision == RG_FLOAT ? sizeof(float) : sizeof(double);
    *out = (rg_links){.n_rows = (uint32_t)(w->first[place + 1] - w->first[place] - 1),
                      .row = w->row + w->first[place],
                      .id = w->id + w->start[place],
                      .value = (const char *)w->value + w->start[place] * real};
}

const uint32_t *rg_block_bias(const rg_block *block, size_t layer, size_t place)
{
    const rg_wiring *w = &block->wiring[layer * PER_LAYER + BIAS];
    return w->connections ? rg_connections_graph(w->connections, place).weight : NULL;
}
