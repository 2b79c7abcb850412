/* samples.c - see samples.h: opening, keeping as much as fits, and walking along lists. */
#include "samples.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

enum { BLOCK_ENTRIES = 1 << 20, BYTES_AN_ENTRY = 8 };

size_t rg_source_size(const rg_source *source)
{
    return source->graphs ? rg_dataset_n_graphs(source->graphs)
                          : rg_arrays_n_samples(source->arrays);
}

const char *rg_source_name(const rg_source *source)
{
    return source->graphs ? rg_dataset_name(source->graphs) : rg_arrays_name(source->arrays);
}

void rg_source_digest(const rg_source *source, char out[RG_DIGEST_SIZE])
{
    if (source->graphs)
        rg_dataset_digest(source->graphs, out);
    else
        rg_arrays_digest(source->arrays, out);
}

uint32_t rg_samples_nodes(const rg_samples *s, size_t sample)
{
    return s->source.graphs ? rg_dataset_graph(s->source.graphs, sample).n_nodes : 1;
}

uint32_t rg_samples_rows(const rg_samples *s, size_t sample)
{
    const rg_rule_shape *shape = &s->net->shape;
    return s->source.graphs ? rg_dataset_graph(s->source.graphs, sample).n_nodes
                            : shape->rows * shape->cols * shape->channels;
}

void rg_samples_free(rg_samples *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < RG_SPEC_LABELS_MAX; k++)
        rg_labels_free(s->labels[k]);
    for (size_t k = 0; k < RG_SPEC_SIGNALS_MAX; k++) {
        rg_free(s->of_rank[k]);
        rg_free(s->counts[k]);
    }
    for (size_t k = 0; k < s->n_blocks; k++)
        rg_block_free(s->blocks[k]);
    rg_block_free(s->shared);
    rg_features_free(s->features);
    rg_free(s->edges);
    rg_colouring_free(s->colouring);
    rg_free(s->blocks);
    rg_free(s->classes);
    rg_free(s->reals);
    rg_free(s->block_of);
    rg_free(s->place_of);
    rg_free(s->unseen_of);
    rg_free(s);
}

/* ---- opening */

static rg_status apply_labelings(rg_samples *s, const rg_samples_options *o, rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    rg_status status = RG_OK;
    options.n_threads = o->n_threads;
    options.cache = o->label_cache;
    options.cancel = o->cancel ? rg_cancel_ask : NULL;
    options.cancel_context = o->cancel;
    for (size_t k = 0; !status && k < s->net->spec->n_labels; k++) {
        if (!s->labels[k])
            status = rg_labeling_apply(&s->labels[k], s->net->labelings[k], s->source.graphs,
                                       &options, err);
    }
    return status;
}

static rg_status check_kind(const rg_samples *s, rg_error *err)
{
    const rg_network *net = s->net;
    if (net->arrays && s->source.graphs)
        return rg_fail(err, RG_EDATA, "'%s' has graphs, and the network is for arrays",
                       rg_source_name(&s->source));
    if (!net->arrays && s->source.arrays)
        return rg_fail(err, RG_EDATA, "'%s' has arrays, and the network is for graphs",
                       rg_source_name(&s->source));
    if (!net->arrays)
        return RG_OK;
    rg_array_shape shape = rg_arrays_shape(s->source.arrays);
    if (shape.rows != net->shape.rows || shape.cols != net->shape.cols ||
        shape.channels != net->shape.channels || shape.depth != net->shape.depth)
        return rg_fail(err, RG_EDATA,
                       "'%s' has arrays of shape %ux%ux%u, and the network is for %ux%ux%u",
                       rg_source_name(&s->source), shape.rows, shape.cols, shape.channels,
                       net->shape.rows, net->shape.cols, net->shape.channels);
    return RG_OK;
}

/* How many entries of all tables a node is expected to bring, from the data of the fit. */
static double expected_per_node(const rg_network *net)
{
    double sum = 0;
    for (size_t l = 0; l < net->n_layers; l++)
        for (size_t r = 0; r < net->layers[l].n_rules; r++) {
            const rg_net_rule *rule = &net->layers[l].rules[r];
            sum += rule->facts.nodes > 0 ? rule->facts.connections / rule->facts.nodes
                   : rule->outputs       ? 1
                                         : net->layers[l].rows_out;
        }
    return sum;
}

/* How many samples of the list from `at` on a block should have, at least one. */
static size_t choose(const rg_samples *s, const uint32_t *list, size_t n, size_t at)
{
    double entries = 0;
    size_t k = at;
    while (k < n) {
        entries += s->per_node * rg_samples_nodes(s, list[k]);
        if (entries > (double)s->max_block && k > at)
            break;
        k++;
    }
    return k - at;
}

/* A block of at most *n samples, fewer if so many do not fit. RG_EFAIL: the first does not. */
static rg_status build_some(rg_table_block **out, rg_samples *s, const uint32_t *list, size_t *n,
                            uint64_t max, rg_error *err)
{
    for (;; *n /= 2) {
        rg_error inner;
        rg_status status = rg_block_build(out, s, list, *n, max, &inner);
        if (status == RG_EFAIL && *n > 1)
            continue;
        if (status == RG_EFAIL)
            return rg_fail(err, status, "%s %u of '%s' alone exceeds the memory limit: %s",
                           s->source.graphs ? "graph" : "sample", (unsigned)list[0],
                           rg_source_name(&s->source), inner.message);
        return status ? rg_fail(err, status, "%s", inner.message) : RG_OK;
    }
}

static rg_status keep_block(rg_samples *s, rg_table_block *block, const uint32_t *list, size_t n,
                            rg_error *err)
{
    rg_table_block **blocks = rg_realloc(s->blocks, s->n_blocks + 1, sizeof *blocks);
    if (!blocks) {
        rg_block_free(block);
        return rg_fail_memory(err, "the tables of a network");
    }
    s->blocks = blocks;
    for (size_t k = 0; k < n; k++) {
        s->block_of[list[k]] = (uint32_t)s->n_blocks;
        s->place_of[list[k]] = (uint32_t)k;
    }
    s->blocks[s->n_blocks++] = block;
    s->bytes += block->bytes;
    return RG_OK;
}

/* Tables of graph after graph, until the memory for them is used up. */
static rg_status keep_tables(rg_samples *s, const rg_samples_options *o, rg_error *err)
{
    uint64_t room = o->memory ? o->memory / 2 : UINT64_MAX;
    uint32_t *all = rg_alloc(s->n, sizeof *all);
    if (!all)
        return rg_fail_memory(err, "the tables of a network");
    for (size_t k = 0; k < s->n; k++)
        all[k] = (uint32_t)k;
    rg_status status = RG_OK;
    for (size_t at = 0; !status && at < s->n && s->bytes < room;) {
        rg_table_block *block = NULL;
        size_t n = choose(s, all, s->n, at);
        uint64_t left = room - s->bytes;
        status = build_some(&block, s, all + at, &n, left < s->spare ? left : s->spare, err);
        if (status == RG_EFAIL && left < s->spare) { /* full: the rest is built on the way */
            status = RG_OK;
            break;
        }
        if (!status)
            status = keep_block(s, block, all + at, n, err);
        at += n;
        if (o->progress)
            o->progress(o->progress_context, (double)at / (double)s->n);
    }
    rg_free(all);
    return status;
}

/* A batch needs the tables of all its graphs at once, so all of them must be kept. */
static rg_status open_batches(rg_samples *s, const rg_samples_options *o, rg_error *err)
{
    bool each;
    uint32_t rounds = rg_network_rounds(s->net, &each);
    rg_status status = rg_samples_read_features(s, err);
    if (!status)
        status = rg_samples_read_edges(s, err);
    if (!status)
        status =
            rg_colouring_build(&s->colouring, s->features, s->source.graphs, rounds, each, err);
    if (!status)
        status = keep_tables(s, o, err);
    if (status)
        return status;
    uint64_t bytes = s->bytes + rg_features_bytes(s->features) +
                     rg_colouring_bytes(s->colouring, rg_dataset_n_nodes(s->source.graphs));
    for (size_t k = 0; k < s->n; k++)
        if (s->block_of[k] == RG_NO_BLOCK)
            bytes = UINT64_MAX;
    if (o->memory && bytes > o->memory)
        return rg_fail(err, RG_EFAIL,
                       "features, node colours and connections of '%s' take more than the memory "
                       "limit of %llu bytes",
                       rg_source_name(&s->source), (unsigned long long)o->memory);
    s->bytes = bytes;
    return RG_OK;
}

/* How large blocks are. */
static void bound_blocks(rg_samples *s, const rg_samples_options *o)
{
    s->per_node = expected_per_node(s->net);
    s->max_block = BLOCK_ENTRIES;
    s->spare = o->memory ? o->memory / 8 : UINT64_MAX;
    if (o->memory && s->spare / BYTES_AN_ENTRY < s->max_block)
        s->max_block = s->spare / BYTES_AN_ENTRY;
    for (size_t k = 0; k < s->n; k++)
        s->block_of[k] = RG_NO_BLOCK;
}

/* Samples of a network without batches have their input in the blocks, unless much of it is one-hot. */
static rg_status open_features(rg_samples *s, rg_error *err)
{
    bool hot = false;
    for (size_t k = 0; k < s->net->spec->n_signals; k++)
        hot = hot || s->net->signals[k].kind == RG_SIGNAL_ONE_HOT;
    if (!hot || s->net->batched || s->net->layers[0].fixed)
        return RG_OK;
    rg_status status = rg_samples_read_features(s, err);
    s->bytes += status ? 0 : rg_features_bytes(s->features);
    return status;
}

enum { SPARSE = 8 }; /* the input is sparse if so many times fewer numbers are not 0 */

static rg_status look_for_zeros(rg_samples *s, rg_error *err)
{
    size_t width = s->net->n_channels, total = 0;
    uint64_t numbers = 0;
    double *x = rg_alloc((size_t)s->most_rows * width, sizeof *x);
    if (!x)
        return rg_fail_memory(err, "the input of a network");
    for (size_t k = 0; k < s->n; k++) {
        size_t n = rg_samples_rows(s, k) * width, own = 0;
        rg_samples_input(s, k, x);
        for (size_t v = 0; v < n; v++)
            own += x[v] != 0; /* so is what is no number */
        s->most_sparse = own > s->most_sparse ? own : s->most_sparse;
        total += own;
        numbers += n;
    }
    s->sparse = numbers / SPARSE > total;
    rg_free(x);
    return RG_OK;
}

static rg_status open_graphs(rg_samples *s, const rg_samples_options *o, rg_error *err)
{
    rg_status status = apply_labelings(s, o, err);
    if (status)
        return status;
    s->n_known = rg_network_names(s->net, s->labels, s->known);
    for (size_t k = 0; k < s->n; k++) {
        uint32_t n = rg_samples_rows(s, k);
        s->most_rows = n > s->most_rows ? n : s->most_rows;
    }
    status = rg_samples_read_signals(s, err);
    if (!status)
        status = rg_samples_read_targets(s, err);
    bound_blocks(s, o);
    if (!status && !o->matrix && rg_network_takes_sparse(s->net))
        status = look_for_zeros(s, err);
    if (!status && !s->sparse)
        status = open_features(s, err);
    if (!status && s->net->batched)
        status = open_batches(s, o, err);
    else if (!status && o->keep)
        status = keep_tables(s, o, err);
    return status;
}

static rg_status open_arrays(rg_samples *s, const rg_samples_options *o, rg_error *err)
{
    uint32_t first = 0;
    s->most_rows = rg_samples_rows(s, 0);
    s->n_known = rg_network_names(s->net, NULL, s->known);
    rg_status status = rg_samples_read_targets(s, err);
    if (!status)
        status = rg_block_build(&s->shared, s, &first, 1, UINT64_MAX, err);
    s->bytes = status ? 0 : s->shared->bytes;
    bound_blocks(s, o);
    if (!status && o->keep && rg_network_dynamic(s->net))
        status = keep_tables(s, o, err);
    return status;
}

rg_status rg_samples_open(rg_samples **out, const rg_network *net, const rg_source *source,
                          rg_labels **labels, const rg_samples_options *options, rg_error *err)
{
    rg_samples *s = rg_alloc_zero(1, sizeof *s);
    for (size_t k = 0; labels && k < net->spec->n_labels; k++) {
        if (s)
            s->labels[k] = labels[k];
        else
            rg_labels_free(labels[k]);
        labels[k] = NULL;
    }
    if (!s)
        return rg_fail_memory(err, "samples");
    s->net = net;
    s->source = *source;
    s->n = rg_source_size(source);
    s->precision = options->precision;
    s->n_threads = options->n_threads;
    s->cancel = options->cancel;
    s->block_of = rg_alloc(s->n, sizeof *s->block_of);
    s->place_of = rg_alloc(s->n, sizeof *s->place_of);
    if (options->count_unseen)
        s->unseen_of = rg_alloc_zero(s->n, sizeof *s->unseen_of);
    bool there = s->block_of && s->place_of && (s->unseen_of || !options->count_unseen);
    rg_status status = there ? check_kind(s, err) : rg_fail_memory(err, "samples");
    if (!status)
        status = rg_network_check_tables(net, source, err);
    if (!status)
        status = net->arrays ? open_arrays(s, options, err) : open_graphs(s, options, err);
    if (status)
        rg_samples_free(s);
    else
        *out = s;
    return status;
}

/* ---- walking */

rg_status rg_walk_open(rg_walk *walk, rg_samples *samples, rg_error *err)
{
    *walk = (rg_walk){.samples = samples};
    size_t n = (size_t)samples->most_rows * samples->net->n_channels;
    if (samples->source.arrays) {
        walk->values = rg_alloc(n, sizeof(double));
        walk->doubles = rg_alloc(n, sizeof(double));
    }
    bool dynamic = rg_network_dynamic(samples->net);
    if (dynamic)
        walk->coming = rg_alloc(samples->n, sizeof *walk->coming);
    if ((!samples->source.arrays || (walk->values && walk->doubles)) && (!dynamic || walk->coming))
        return RG_OK;
    rg_walk_close(walk);
    return rg_fail_memory(err, "a walk over samples");
}

void rg_walk_close(rg_walk *walk)
{
    rg_block_free(walk->block);
    rg_free(walk->coming);
    rg_free(walk->values);
    rg_free(walk->doubles);
    *walk = (rg_walk){0};
}

void rg_walk_begin(rg_walk *walk, const uint32_t *list, size_t n)
{
    walk->list = list;
    walk->n = n;
    walk->at = 0;
    walk->place = 0;
    rg_block_free(walk->block);
    walk->block = NULL;
}

/* The next block of samples that have no tables, from the one at hand on. */
static rg_status build_ahead(rg_walk *walk, rg_error *err)
{
    rg_samples *s = walk->samples;
    size_t n = 0;
    rg_block_free(walk->block);
    walk->block = NULL;
    walk->place = 0;
    for (size_t k = walk->at; k < walk->n; k++)
        if (s->block_of[walk->list[k]] == RG_NO_BLOCK)
            walk->coming[n++] = walk->list[k];
    n = choose(s, walk->coming, n, 0);
    return build_some(&walk->block, s, walk->coming, &n, s->spare, err);
}

static void next_array(rg_sample *out, rg_walk *walk)
{
    rg_samples *s = walk->samples;
    size_t n = (size_t)s->most_rows * s->net->n_channels;
    rg_samples_input(s, out->number, walk->doubles);
    for (size_t k = 0; k < n; k++)
        if (s->precision == RG_FLOAT)
            ((float *)walk->values)[k] = (float)walk->doubles[k];
        else
            ((double *)walk->values)[k] = walk->doubles[k];
    out->input = walk->values;
}

rg_status rg_walk_next(rg_sample *out, rg_walk *walk, rg_error *err)
{
    rg_samples *s = walk->samples;
    *out = (rg_sample){.number = SIZE_MAX};
    if (walk->at == walk->n)
        return RG_OK;
    out->number = walk->list[walk->at];
    out->n_nodes = rg_samples_nodes(s, out->number);
    out->n_rows = rg_samples_rows(s, out->number);
    out->first_row = s->source.graphs ? rg_dataset_graph(s->source.graphs, out->number).first_node
                                      : (uint64_t)out->number * out->n_rows;
    if (s->source.arrays)
        next_array(out, walk);
    if (!walk->coming) {
        out->block = s->shared;
        out->place = 0;
    } else if (s->block_of[out->number] != RG_NO_BLOCK) {
        out->block = s->blocks[s->block_of[out->number]];
        out->place = s->place_of[out->number];
    } else {
        if (!walk->block || walk->place == walk->block->n) {
            rg_status status = build_ahead(walk, err);
            if (status)
                return status;
        }
        out->block = walk->block;
        out->place = walk->place++;
    }
    if (out->block->input) {
        size_t real = rg_real_size(s->precision);
        out->input = (const char *)out->block->input +
                     out->block->first[out->place] * s->net->n_channels * real;
    }
    walk->at++;
    return RG_OK;
}
