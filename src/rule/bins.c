/* bins.c - value(j), value(i,j) and bin(value(j), 8): parsed, and edges found on the training part.
 *
 * Edges are order statistics. They are found digit by digit: the numbers become whole ones of the
 * same order, and each of eight passes over the samples counts the next byte of those that begin as
 * an edge does. */
#include "bins.h"

#include "base/alloc.h"
#include "base/error.h"
#include "parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS_MAX = 1 << 20, BYTE = 256, COUNTERS_MAX = 1 << 22 };

/* ---- parsing */

static bool is_other_node(const rg_rule *rule, int a, int b)
{
    const rg_term *x = &rule->terms[a], *y = &rule->terms[b];
    return y->type == RG_TYPE_NODE && x->variable != y->variable;
}

/* Behind "value(i,": the other node of an edge, perhaps, and the channel. */
static rg_status parse_pair(rg_parser *p, rg_term *term, bool *more)
{
    rg_status status = rg_parse_sum(p, &term->b);
    if (!status && !is_other_node(p->rule, term->a, term->b))
        return rg_parser_complain_type(p, term->b, "the other node of an edge, as in value(i,j)");
    if (!status && p->rule->terms[term->a].variable == RG_VAR_J) { /* edges have no direction */
        int first = term->b;
        term->b = term->a;
        term->a = first;
    }
    *more = !status && rg_parser_take(p, ",");
    return status ? status : rg_parser_note_world(p, term, false);
}

/* value(i), value(j,2), value(i,j), value(i,j,2); on shapes also value(i + 1), a place from 1. */
rg_status rg_parse_value(rg_parser *p, rg_term *term)
{
    static const char as[] = ", as in value(j)";
    term->op = RG_OP_VALUE;
    term->type = RG_TYPE_REAL;
    p->rule->info.on_values = 1;
    rg_status status = rg_parser_expect(p, "(", as);
    if (!status)
        status = rg_parse_sum(p, &term->a);
    if (status)
        return status;
    bool node = p->rule->terms[term->a].type == RG_TYPE_NODE;
    if (!node)
        status = rg_parser_need(p, term->a, RG_TYPE_NUMBER);
    if (!status && !node)
        status = rg_parser_note_world(p, term, true);
    bool more = !status && node && rg_parser_take(p, ",");
    if (more) {
        more = !rg_parser_stands(p, "i") && !rg_parser_stands(p, "j");
        status = more ? RG_OK : parse_pair(p, term, &more);
    }
    if (!status && more) {
        if (p->token.kind != RG_TOKEN_NUMBER || p->token.value >= CHANNELS_MAX)
            return rg_parser_complain(p, "a channel, a number from 0 on");
        term->index = (uint32_t)p->token.value;
        term->value = 1;
        rg_parser_step(p);
    }
    return status ? status : rg_parser_expect(p, ")", as);
}

static rg_status add_bin(rg_parser *p, const rg_rule_bin *bin, uint32_t *out)
{
    rg_rule *rule = p->rule;
    for (size_t k = 0; k < rule->info.n_bins; k++) {
        const rg_rule_bin *b = &rule->bins[k];
        if (b->channel == bin->channel && b->given == bin->given && b->pair == bin->pair &&
            b->n == bin->n) {
            *out = (uint32_t)k;
            return RG_OK;
        }
    }
    if (rule->info.n_bins == RG_RULE_BINS)
        return rg_parser_complain(p, "at most 32 different bins");
    rule->bins[rule->info.n_bins] = *bin;
    *out = (uint32_t)rule->info.n_bins++;
    return RG_OK;
}

rg_status rg_parse_bin(rg_parser *p, rg_term *term)
{
    static const char as[] = ", as in bin(value(j), 8)";
    rg_rule_bin bin = {0};
    term->op = RG_OP_BIN;
    rg_status status = rg_parser_expect(p, "(", as);
    if (!status)
        status = rg_parse_sum(p, &term->a);
    if (status)
        return status;
    const rg_term *value = &p->rule->terms[term->a];
    if (value->op != RG_OP_VALUE)
        return rg_parser_complain_type(p, term->a, "a value, as in bin(value(j), 8)");
    bin.channel = value->index;
    bin.given = value->value;
    bin.pair = value->b != RG_NO_TERM;
    status = rg_parser_expect(p, ",", as);
    if (!status && (p->token.kind != RG_TOKEN_NUMBER || p->token.value < 2 ||
                    p->token.value > RG_RULE_BINS_MAX))
        return rg_parser_complain(p, "how many bins, a number 2..256");
    if (!status) {
        bin.n = (uint32_t)p->token.value;
        rg_parser_step(p);
        status = rg_parser_expect(p, ")", as);
    }
    return status ? status : add_bin(p, &bin, &term->index);
}

/* ---- edges */

int64_t rg_bins_find(const double *edges, uint32_t n, double value)
{
    uint32_t low = 0, high = n - 1;
    if (isnan(value))
        return RG_NO_VALUE;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (edges[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whole numbers that ascend as real ones do. */
static uint64_t from_real(double value)
{
    uint64_t bits, sign = UINT64_C(1) << 63;
    value += 0.0; /* one zero */
    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static double to_real(uint64_t whole)
{
    double value;
    uint64_t sign = UINT64_C(1) << 63, bits = whole & sign ? whole & ~sign : ~whole;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Some groups of one bin. Of every edge: the bytes found so far, and its place among the numbers
 * that begin with them, from 1. */
typedef struct edge_search {
    const rg_world *world;
    const rg_rule_bin *bin;
    size_t first, n_groups; /* those searched now */
    uint32_t n_edges;       /* of a group */
    uint64_t *prefix, *place,
        *count; /* count: [group][edge][byte], of the first edge of a prefix */
    double *values;
} edge_search;

/* The first of ascending prefixes that is not below; n: none. */
static uint32_t find_prefix(const uint64_t *prefix, uint32_t n, uint64_t wanted)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (prefix[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void count_value(edge_search *s, size_t group, double value, unsigned pass)
{
    if (isnan(value) || group < s->first || group >= s->first + s->n_groups)
        return;
    uint64_t whole = from_real(value), head = pass ? whole >> (64 - 8 * pass) : 0;
    const uint64_t *prefix = s->prefix + (group - s->first) * s->n_edges;
    uint32_t k = find_prefix(prefix, s->n_edges, head);
    if (k < s->n_edges && prefix[k] == head)
        s->count[((group - s->first) * s->n_edges + k) * BYTE + (whole >> (56 - 8 * pass) & 255)]++;
}

/* Attributes of all arcs of a graph: every edge is there twice, which moves no edge of a bin. */
static void count_arcs(edge_search *s, size_t graph, unsigned pass)
{
    const rg_dataset *data = s->world->input->data;
    const double *reals = rg_dataset_reals(data, RG_EDGE_ATTRIBUTE);
    size_t width = rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE);
    rg_graph g = rg_dataset_graph(data, graph);
    for (uint64_t arc = g.row[0]; arc < g.row[g.n_nodes]; arc++)
        count_value(s, 0, reals[arc * width + s->bin->channel], pass);
}

/* All numbers of one sample. */
static void count_sample(edge_search *s, size_t sample, unsigned pass)
{
    const rg_rule_input *input = s->world->input;
    const rg_rule_values *values = input->values;
    size_t all = (size_t)values->shape.rows * values->shape.cols * values->shape.channels;
    size_t plane = (size_t)values->shape.rows * values->shape.cols * rg_shape_depth(values->shape);
    if (s->bin->pair) {
        count_arcs(s, sample, pass);
        return;
    }
    values->read(values->context, sample, s->values);
    if (input->data) {
        size_t n = rg_dataset_graph(input->data, sample).n_nodes;
        for (size_t k = 0; k < n; k++)
            count_value(s, 0, s->values[k * values->n_channels + s->bin->channel], pass);
        return;
    }
    size_t from = s->bin->given ? s->bin->channel * plane : 0;
    size_t to = s->bin->given ? from + plane : all;
    for (size_t k = from; k < to; k++)
        count_value(s, rg_world_bin_group(s->world, s->bin, k), s->values[k], pass);
}

/* The next byte of every edge. */
static void take_byte(edge_search *s, unsigned pass)
{
    for (size_t g = 0; g < s->n_groups; g++) {
        uint64_t *prefix = s->prefix + g * s->n_edges, *place = s->place + g * s->n_edges, n = 0;
        const uint64_t *count = s->count + g * s->n_edges * BYTE;
        for (size_t c = 0; pass == 0 && c < BYTE; c++)
            n += count[c];
        /* From the last on: those before keep the prefix by which they are found. */
        for (uint32_t k = s->n_edges; k-- > 0;) {
            if (pass == 0) { /* the smallest place that is at least n (k + 1) / bins */
                uint64_t bins = s->n_edges + 1;
                place[k] = n / bins * (k + 1) + (n % bins * (k + 1) + bins - 1) / bins;
                place[k] = place[k] ? place[k] : 1;
            }
            const uint64_t *own = count + find_prefix(prefix, k + 1, prefix[k]) * (size_t)BYTE;
            uint64_t byte = 0;
            while (byte < BYTE - 1 && place[k] > own[byte])
                place[k] -= own[byte++];
            prefix[k] = prefix[k] << 8 | byte;
        }
        if (pass == 0 && n == 0)
            for (uint32_t k = 0; k < s->n_edges; k++)
                place[k] = 0; /* no numbers at all */
    }
}

static rg_status search_groups(double *out, edge_search *s, rg_error *err)
{
    const rg_rule_values *values = s->world->input->values;
    const rg_dataset *data = s->world->input->data;
    size_t n = s->n_groups * s->n_edges;
    size_t n_samples = values->fit ? values->n_fit
                       : data      ? rg_dataset_n_graphs(data)
                                   : values->n_samples;
    s->prefix = rg_alloc_zero(n, sizeof *s->prefix);
    s->place = rg_alloc_zero(n, sizeof *s->place);
    s->count = rg_alloc(n, BYTE * sizeof *s->count);
    if (!s->prefix || !s->place || !s->count)
        return rg_fail_memory(err, "the bins of a rule");
    for (unsigned pass = 0; pass < 8; pass++) {
        memset(s->count, 0, n * BYTE * sizeof *s->count);
        for (size_t k = 0; k < n_samples; k++)
            count_sample(s, values->fit ? values->fit[k] : k, pass);
        take_byte(s, pass);
    }
    for (size_t k = 0; k < n; k++)
        out[k] = s->place[k] ? to_real(s->prefix[k]) : 0;
    return RG_OK;
}

rg_status rg_bins_fit(double **out, const rg_world *world, rg_error *err)
{
    const rg_rule *rule = world->rule;
    edge_search s = {.world = world};
    double *edges = rg_alloc(world->n_edges, sizeof *edges);
    s.values = rg_alloc(world->n_values, sizeof *s.values);
    rg_status status = edges && s.values ? RG_OK : rg_fail_memory(err, "the bins of a rule");
    for (size_t b = 0; !status && b < rule->info.n_bins; b++) {
        s.bin = &rule->bins[b];
        s.n_edges = s.bin->n - 1;
        size_t all = rg_world_bin_groups(world, s.bin);
        size_t each = COUNTERS_MAX / ((size_t)s.n_edges * BYTE);
        each = each ? each : 1;
        for (s.first = 0; !status && s.first < all; s.first += each) {
            s.n_groups = all - s.first < each ? all - s.first : each;
            status = search_groups(edges + world->first_edge[b] + s.first * s.n_edges, &s, err);
            rg_free(s.prefix);
            rg_free(s.place);
            rg_free(s.count);
        }
    }
    rg_free(s.values);
    if (status)
        rg_free(edges);
    else
        *out = edges;
    return status;
}
