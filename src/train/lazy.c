/* lazy.c - see lazy.h.
 *
 * A piece is what the keys of one rule, or of one bias rule, have: `each` numbers per key. During an
 * epoch the moments of a key stand in a record of its own, with the number of steps that are in its
 * numbers: what a batch touches is scattered over more memory than caches hold, and each place that
 * it must look at takes its time. */
#include "lazy.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define TOUCHED UINT32_MAX /* as steps: up to date, and in the list of the batch */

enum {
    TOGETHER = 64,    /* numbers that are updated side by side */
    NEAR = 4096,      /* numbers that are sorted at the end of an epoch */
    AHEAD = 12,       /* entries that are asked for before they are looked at */
    HEAD = 8,         /* bytes of a record before the moments */
    APART = 32,       /* steps between the keys of a group that catch up together, at most */
    BEYOND = 1 << 27, /* bytes of parameters, gradients and moments, more than caches hold */
    WORTH = 16        /* keys for each connection of a batch from which on the exact way pays */
};

typedef struct lazy_piece {
    size_t layer, rule; /* rule RG_SPEC_RULES_MAX: the bias */
    size_t at, n, each; /* first number; keys; numbers of each */
    char *records;  /* [n]: steps, 4 bytes left free, [each] first moments, [each] second ones */
    size_t stride;  /* bytes of a record */
    uint32_t *list; /* [n_list], room for n */
    size_t n_list;
} lazy_piece;

/* Numbers that no rule has. */
typedef struct lazy_range {
    size_t first, n;
} lazy_range;

struct rg_lazy {
    const rg_network *net;
    rg_optimiser *optimiser;
    bool forgets; /* what is missed is not made up for */
    bool stale;   /* the optimiser has the moments, not the records */
    lazy_piece *pieces;
    lazy_range *ranges;
    size_t n_pieces, n_ranges, item;
    rg_update *updates; /* [n_steps], of the epoch */
    uint32_t n_steps;
    uint32_t *places; /* [n_steps + 1]: scratch of a sort */
    /* scratch: numbers of several keys side by side */
    char *w, *g, *m, *v;
    uint32_t *begins;
    uint32_t waiting[TOGETHER], since[TOGETHER]; /* keys that are in the list, but not up to date */
    size_t n_waiting;
};

/* ---- which numbers wait */

static void add_piece(rg_lazy *z, size_t layer, size_t r, const rg_net_rule *rule)
{
    size_t n = rule->rule && rule->keys ? rg_rule_keys_size(rule->keys) : 0;
    if (n && z->pieces)
        z->pieces[z->n_pieces] = (lazy_piece){
            .layer = layer, .rule = r, .at = rule->at, .n = n, .each = rule->n_params / n};
    z->n_pieces += n > 0;
}

/* Counts them if there is no room yet. What a layer shares with another belongs to that. */
static void find_pieces(rg_lazy *z)
{
    const rg_network *net = z->net;
    z->n_pieces = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        if (layer->like != RG_NO_INDEX)
            continue;
        for (size_t r = 0; r < layer->n_rules; r++)
            add_piece(z, k, r, &layer->rules[r]);
        if (layer->bias.rule)
            add_piece(z, k, RG_SPEC_RULES_MAX, &layer->bias);
    }
}

/* What is between the pieces, which stand in the order of their numbers. */
static void find_ranges(rg_lazy *z)
{
    size_t at = 0;
    for (size_t k = 0; k <= z->n_pieces; k++) {
        const lazy_piece *piece = &z->pieces[k];
        size_t end = k < z->n_pieces ? piece->at : z->net->n_params;
        if (end > at)
            z->ranges[z->n_ranges++] = (lazy_range){at, end - at};
        at = k < z->n_pieces ? piece->at + piece->n * piece->each : end;
    }
}

/* ---- making and freeing */

bool rg_lazy_pays(const rg_samples *samples, const rg_optimiser_options *o, uint32_t lanes,
                  size_t n_train, size_t n_batches, bool prunes)
{
    double keys = 0, nodes = 0, most = 1 << 20, least_eps = 1e-12;
    if (o->method != RG_ADAM || o->clip > 0 || o->decay > 0 || prunes || samples->net->batched ||
        !samples->source.graphs || o->beta1 * o->beta1 >= o->beta2 || o->eps < least_eps ||
        1 / (1 - o->beta1) > most || 1 / (1 - o->beta2) > most)
        return false;
    for (size_t k = 0; k < samples->net->n_layers; k++) {
        const rg_net_layer *layer = &samples->net->layers[k];
        for (size_t r = 0; layer->like == RG_NO_INDEX && r < layer->n_rules; r++)
            keys += (double)rg_rule_keys_size(layer->rules[r].keys);
    }
    for (size_t k = 0; k < samples->n; k++)
        nodes += rg_samples_nodes(samples, k);
    double of_batch = (double)n_train / (double)n_batches * nodes / (double)samples->n;
    /* as long as all is in the caches, a pass over all is faster than looking up each */
    double bytes =
        4.0 * (double)samples->net->n_params * lanes * (double)rg_real_size(samples->precision);
    return bytes > BEYOND && keys > WORTH * of_batch * samples->per_node;
}

static bool make_room(rg_lazy *z, size_t n_batches)
{
    size_t most = TOGETHER, item = z->item;
    find_pieces(z);
    z->pieces = rg_alloc_zero(z->n_pieces + 1, sizeof *z->pieces);
    z->ranges = rg_alloc(z->n_pieces + 1, sizeof *z->ranges);
    if (!z->pieces || !z->ranges)
        return false;
    find_pieces(z);
    find_ranges(z);
    bool fits = true;
    for (size_t k = 0; k < z->n_pieces; k++) {
        lazy_piece *piece = &z->pieces[k];
        piece->stride = (HEAD + 2 * piece->each * item + 15) / 16 * 16;
        piece->records = rg_alloc(piece->n, piece->stride);
        piece->list = rg_alloc(piece->n, sizeof *piece->list);
        fits = fits && piece->records && piece->list;
        most = piece->each > most ? piece->each : most;
    }
    z->updates = rg_alloc(n_batches, sizeof *z->updates);
    z->places = rg_alloc(n_batches + 2, sizeof *z->places);
    z->w = rg_alloc(most, item);
    z->g = rg_alloc(most, item);
    z->m = rg_alloc(most, item);
    z->v = rg_alloc(most, item);
    z->begins = rg_alloc(most, sizeof *z->begins);
    return fits && z->updates && z->places && z->w && z->g && z->m && z->v && z->begins;
}

rg_status rg_lazy_open(rg_lazy **out, const rg_network *net, rg_optimiser *optimiser,
                       size_t n_batches, rg_error *err)
{
    rg_lazy *z = rg_alloc_zero(1, sizeof *z);
    if (!z)
        return rg_fail_memory(err, "an optimiser");
    z->net = net;
    z->optimiser = optimiser;
    z->forgets = optimiser->options.method == RG_LAZY_ADAM;
    z->stale = true;
    z->item = optimiser->kernels->real_size * optimiser->kernels->lanes;
    if (!make_room(z, n_batches)) {
        rg_lazy_close(z);
        return rg_fail_memory(err, "an optimiser");
    }
    *out = z;
    return RG_OK;
}

void rg_lazy_close(rg_lazy *z)
{
    if (!z)
        return;
    for (size_t k = 0; z->pieces && k < z->n_pieces; k++) {
        rg_free(z->pieces[k].records);
        rg_free(z->pieces[k].list);
    }
    rg_free(z->pieces);
    rg_free(z->ranges);
    rg_free(z->updates);
    rg_free(z->places);
    rg_free(z->w);
    rg_free(z->g);
    rg_free(z->m);
    rg_free(z->v);
    rg_free(z->begins);
    rg_free(z);
}

/* ---- records, and numbers of some keys side by side in the scratch */

static char *record_of(const lazy_piece *piece, uint32_t key)
{
    return piece->records + key * piece->stride;
}

static uint32_t steps_of(const lazy_piece *piece, uint32_t key)
{
    uint32_t steps;
    memcpy(&steps, record_of(piece, key), sizeof steps);
    return steps;
}

static void set_steps(lazy_piece *piece, uint32_t key, uint32_t steps)
{
    memcpy(record_of(piece, key), &steps, sizeof steps);
}

/* Number of bytes of the parameters before those of a key. */
static size_t place_of(const rg_lazy *z, const lazy_piece *piece, uint32_t key)
{
    return (piece->at + (size_t)key * piece->each) * z->item;
}

/* As many keys as are updated at once. */
static size_t group_of(const lazy_piece *piece)
{
    return piece->each < TOGETHER ? TOGETHER / piece->each : 1;
}

/* With a width that is known a copy is one instruction. */
static inline void copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else if (bytes == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, bytes);
}

static void fetch(char *to, const void *from, const rg_lazy *z, const lazy_piece *piece,
                  const uint32_t *keys, size_t n)
{
    size_t bytes = piece->each * z->item;
    for (size_t k = 0; k < n; k++)
        copy(to + k * bytes, (const char *)from + place_of(z, piece, keys[k]), bytes);
}

static void put_back(void *to, const char *from, const rg_lazy *z, const lazy_piece *piece,
                     const uint32_t *keys, size_t n)
{
    size_t bytes = piece->each * z->item;
    for (size_t k = 0; k < n; k++)
        copy((char *)to + place_of(z, piece, keys[k]), from + k * bytes, bytes);
}

static void fetch_moments(const rg_lazy *z, const lazy_piece *piece, const uint32_t *keys, size_t n)
{
    size_t bytes = piece->each * z->item;
    for (size_t k = 0; k < n; k++) {
        const char *record = record_of(piece, keys[k]) + HEAD;
        copy(z->m + k * bytes, record, bytes);
        copy(z->v + k * bytes, record + bytes, bytes);
    }
}

static void put_moments(const rg_lazy *z, const lazy_piece *piece, const uint32_t *keys, size_t n)
{
    size_t bytes = piece->each * z->item;
    for (size_t k = 0; k < n; k++) {
        char *record = record_of(piece, keys[k]) + HEAD;
        copy(record, z->m + k * bytes, bytes);
        copy(record + bytes, z->v + k * bytes, bytes);
    }
}

void rg_lazy_begin(rg_lazy *z)
{
    const char *m = z->optimiser->m, *v = z->optimiser->v;
    z->n_steps = 0;
    for (size_t p = 0; z->stale && p < z->n_pieces; p++) {
        lazy_piece *piece = &z->pieces[p];
        size_t bytes = piece->each * z->item;
        for (uint32_t key = 0; key < piece->n; key++) {
            char *record = record_of(piece, key);
            set_steps(piece, key, 0);
            copy(record + HEAD, m + place_of(z, piece, key), bytes);
            copy(record + HEAD + bytes, v + place_of(z, piece, key), bytes);
        }
        piece->n_list = 0;
    }
    z->stale = false;
}

/* ---- making up */

/* Keys of one group, and how many steps they have. */
static void catch_up(rg_lazy *z, const lazy_piece *piece, const uint32_t *keys,
                     const uint32_t *since, size_t n)
{
    rg_optimiser *o = z->optimiser;
    size_t numbers = n * piece->each;
    fetch_moments(z, piece, keys, n);
    fetch(z->w, o->w, z, piece, keys, n);
    for (size_t k = 0; k < numbers; k++)
        z->begins[k] = since[k / piece->each];
    o->kernels->adam_idle(z->w, z->m, z->v, numbers, z->begins, z->updates, z->n_steps);
    put_back(o->w, z->w, z, piece, keys, n);
    put_moments(z, piece, keys, n);
}

static void flush(rg_lazy *z, const lazy_piece *piece)
{
    if (z->n_waiting)
        catch_up(z, piece, z->waiting, z->since, z->n_waiting);
    z->n_waiting = 0;
}

static void touch(rg_lazy *z, lazy_piece *piece, uint32_t key)
{
    uint32_t begin = steps_of(piece, key);
    if (begin == TOUCHED)
        return;
    set_steps(piece, key, TOUCHED);
    piece->list[piece->n_list++] = key;
    if (z->forgets || begin == z->n_steps)
        return;
    uint32_t first = z->n_waiting ? z->since[0] : begin;
    uint32_t apart = begin > first ? begin - first : first - begin;
    if (apart > APART || z->n_waiting == group_of(piece))
        flush(z, piece);
    z->since[z->n_waiting] = begin;
    z->waiting[z->n_waiting++] = key;
}

/* What a key has will be looked at soon. */
static inline void ask(const rg_lazy *z, const lazy_piece *piece, uint32_t key)
{
    __builtin_prefetch(record_of(piece, key), 1);
    __builtin_prefetch((const char *)z->optimiser->w + place_of(z, piece, key), 1);
    __builtin_prefetch((const char *)z->optimiser->g + place_of(z, piece, key), 1);
}

/* What a layer uses of a piece: its own, or one that it shares. */
static void touch_sample(rg_lazy *z, lazy_piece *piece, size_t layer, const rg_sample *sample)
{
    bool is_bias = piece->rule == RG_SPEC_RULES_MAX;
    rg_links links; /* rows of the first rule have the biases */
    rg_block_links(&links, sample->block, layer, is_bias ? 0 : piece->rule, sample->place);
    if (is_bias) {
        const uint32_t *bias = rg_block_bias(sample->block, layer, sample->place);
        for (uint32_t i = 0; i < links.n_rows; i++)
            if (bias[i] != RG_NO_WEIGHT)
                touch(z, piece, bias[i]);
    } else {
        uint32_t end = links.row[links.n_rows];
        for (uint32_t o = 0; o < rg_links_outputs(&links); o++)
            for (uint32_t k = links.row[0]; k < end; k++) {
                if (k + AHEAD < end)
                    ask(z, piece, rg_links_weight(&links, k + AHEAD, o));
                touch(z, piece, rg_links_weight(&links, k, o));
            }
    }
    flush(z, piece);
}

void rg_lazy_touch(rg_lazy *z, const rg_sample *samples, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t p = 0; p < z->n_pieces; p++)
            for (size_t l = z->pieces[p].layer; l < z->net->n_layers; l++)
                if (l == z->pieces[p].layer || z->net->layers[l].like == z->pieces[p].layer)
                    touch_sample(z, &z->pieces[p], l, &samples[k]);
}

/* ---- steps */

static void step_keys(rg_lazy *z, const lazy_piece *piece, const uint32_t *keys, size_t n,
                      const rg_update *update)
{
    rg_optimiser *o = z->optimiser;
    fetch(z->w, o->w, z, piece, keys, n);
    fetch(z->g, o->g, z, piece, keys, n);
    fetch_moments(z, piece, keys, n);
    o->kernels->adam(z->w, z->g, z->m, z->v, n * piece->each, update);
    put_back(o->w, z->w, z, piece, keys, n);
    put_back(o->g, z->g, z, piece, keys, n);
    put_moments(z, piece, keys, n);
}

void rg_lazy_step(rg_lazy *z, const double *lr)
{
    rg_update update = rg_optimiser_next(z->optimiser, lr);
    for (size_t k = 0; k < z->n_ranges; k++)
        rg_optimiser_apply(z->optimiser, &update, z->ranges[k].first, z->ranges[k].n);
    if (!z->forgets)
        z->updates[z->n_steps] = update;
    z->n_steps++;
    for (size_t k = 0; k < z->n_pieces; k++) {
        lazy_piece *piece = &z->pieces[k];
        size_t group = group_of(piece);
        rg_update own = rg_optimiser_update(z->optimiser, &update, piece->at);
        for (size_t from = 0; from < piece->n_list; from += group) {
            size_t n = piece->n_list - from < group ? piece->n_list - from : group;
            step_keys(z, piece, piece->list + from, n, &own);
        }
        for (size_t i = 0; i < piece->n_list; i++)
            set_steps(piece, piece->list[i], z->n_steps);
        piece->n_list = 0;
    }
}

/* Keys first .. end - 1 in the list, by the step at which they begin: groups of equal ones are done
 * soonest. */
static void sort_keys(rg_lazy *z, lazy_piece *piece, size_t first, size_t end)
{
    memset(z->places, 0, ((size_t)z->n_steps + 2) * sizeof *z->places);
    for (size_t key = first; key < end; key++)
        z->places[steps_of(piece, (uint32_t)key) + 1]++;
    for (size_t s = 0; s <= z->n_steps; s++)
        z->places[s + 1] += z->places[s];
    for (size_t key = first; key < end; key++)
        piece->list[z->places[steps_of(piece, (uint32_t)key)]++] = (uint32_t)key;
}

/* A part of the keys of a piece that the nearest cache holds. */
static void finish_keys(rg_lazy *z, lazy_piece *piece, size_t first, size_t end)
{
    size_t group = group_of(piece);
    sort_keys(z, piece, first, end);
    for (size_t from = 0; from < end - first; from += group) {
        size_t n = end - first - from < group ? end - first - from : group;
        for (size_t k = 0; k < n; k++)
            z->since[k] = steps_of(piece, piece->list[from + k]);
        catch_up(z, piece, piece->list + from, z->since, n);
    }
}

void rg_lazy_finish(rg_lazy *z)
{
    for (size_t p = 0; p < z->n_pieces && !z->forgets && z->n_steps; p++) {
        lazy_piece *piece = &z->pieces[p];
        size_t near = NEAR / piece->each ? NEAR / piece->each : 1;
        for (size_t from = 0; from < piece->n; from += near)
            finish_keys(z, piece, from, piece->n - from < near ? piece->n : from + near);
    }
    if (!z->forgets) /* the steps in the records begin again */
        rg_lazy_give(z);
}

void rg_lazy_give(rg_lazy *z)
{
    char *m = z->optimiser->m, *v = z->optimiser->v;
    for (size_t p = 0; !z->stale && p < z->n_pieces; p++) {
        lazy_piece *piece = &z->pieces[p];
        size_t bytes = piece->each * z->item;
        for (uint32_t key = 0; key < piece->n; key++) {
            const char *record = record_of(piece, key) + HEAD;
            copy(m + place_of(z, piece, key), record, bytes);
            copy(v + place_of(z, piece, key), record + bytes, bytes);
        }
    }
    z->stale = true;
}
