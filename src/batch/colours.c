/* colours.c - see colours.h. A node's key is its own colour, then those of its neighbours, sorted;
 * keys of one round become the colours of the next. */
#include "colours.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

void rg_colouring_free(rg_colouring *colouring)
{
    if (!colouring)
        return;
    for (size_t t = 0; t < RG_ROUNDS_MAX; t++) {
        rg_wl_colours *k = &colouring->rounds[t];
        rg_free(k->of);
        rg_free(k->colours);
        rg_free(k->entries);
    }
    rg_free(colouring);
}

/* Colours of a round on their way, with room that grows. */
typedef struct growing {
    rg_wl_colours *colours;
    rg_table *table; /* of keys */
    size_t room_colours, room_entries;
    uint64_t n_entries;
} growing;

/* The colour of a key; *fresh: it is a new one. False: no memory. */
static bool colour_of(growing *g, uint32_t *colour, bool *fresh, const void *key, size_t bytes,
                      uint32_t degree)
{
    rg_wl_colours *k = g->colours;
    *colour = rg_table_add(g->table, key, bytes);
    *fresh = *colour == k->n;
    if (*colour == RG_TABLE_NONE)
        return false;
    if (!*fresh)
        return true;
    if (!rg_grow(&k->colours, &g->room_colours, (size_t)k->n + 2, sizeof *k->colours))
        return false;
    k->colours[k->n++] = (rg_wl_colour){.degree = degree, .first = g->n_entries};
    k->colours[k->n] = (rg_wl_colour){.first = g->n_entries};
    return true;
}

/* ---- round 0 */

static bool first_round(growing *g, const rg_features *f, const rg_dataset *data)
{
    size_t hot = f->n_hot * sizeof *f->hot, dense = f->n_dense * sizeof *f->dense;
    size_t bytes = sizeof(uint32_t) + hot + dense;
    char *key = rg_alloc(bytes, 1);
    bool good = key;
    for (size_t n = 0; good && n < rg_dataset_n_graphs(data); n++) {
        rg_graph graph = rg_dataset_graph(data, n);
        for (uint32_t i = 0; good && i < graph.n_nodes; i++) {
            size_t node = (size_t)graph.first_node + i;
            uint32_t degree = (uint32_t)(graph.row[i + 1] - graph.row[i]);
            bool fresh;
            memcpy(key, &degree, sizeof degree);
            if (hot)
                memcpy(key + sizeof degree, f->hot + node * f->n_hot, hot);
            if (dense)
                memcpy(key + sizeof degree + hot, f->dense + node * f->n_dense, dense);
            good = colour_of(g, &g->colours->of[node], &fresh, key, bytes, degree);
        }
    }
    rg_free(key);
    return good;
}

/* ---- later rounds */

/* The colour that is the last one keeps its key; equal neighbours become one entry. */
static bool keep_key(growing *g, const uint32_t *key, uint32_t degree)
{
    rg_wl_colours *k = g->colours;
    if (!rg_grow(&k->entries, &g->room_entries, (size_t)g->n_entries + degree, sizeof *k->entries))
        return false;
    k->colours[k->n - 1].before = key[0];
    for (uint32_t n = 1; n <= degree; n++)
        if (n > 1 && key[n] == key[n - 1])
            k->entries[g->n_entries - 1].times++;
        else
            k->entries[g->n_entries++] = (rg_wl_colour_entry){.colour = key[n], .times = 1};
    k->colours[k->n].first = g->n_entries;
    return true;
}

static uint32_t most_neighbours(const rg_wl_colours *colours)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < colours->n; k++)
        most = colours->colours[k].degree > most ? colours->colours[k].degree : most;
    return most;
}

static bool next_round(growing *g, const rg_wl_colours *before, const rg_dataset *data)
{
    uint32_t *key = rg_alloc((size_t)most_neighbours(before) + 1, sizeof *key);
    bool good = key;
    for (size_t n = 0; good && n < rg_dataset_n_graphs(data); n++) {
        rg_graph graph = rg_dataset_graph(data, n);
        const uint32_t *of = before->of + graph.first_node;
        for (uint32_t i = 0; good && i < graph.n_nodes; i++) {
            uint32_t degree = 0;
            bool fresh;
            key[0] = of[i];
            for (uint64_t a = graph.row[i]; a < graph.row[i + 1]; a++)
                key[++degree] = of[graph.col[a]];
            rg_sort_numbers(key + 1, degree);
            good = colour_of(g, &g->colours->of[graph.first_node + i], &fresh, key,
                             ((size_t)degree + 1) * sizeof *key, degree) &&
                   (!fresh || keep_key(g, key, degree));
        }
    }
    rg_free(key);
    return good;
}

/* ---- numbers that do not depend on the order of nodes */

typedef struct named {
    const char *key;
    size_t bytes;
    uint32_t colour;
} named;

static int by_key(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int sign = memcmp(x->key, y->key, x->bytes < y->bytes ? x->bytes : y->bytes);
    return sign ? sign : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Colours in the order of their keys; number: where each has gone. */
static void arrange(rg_wl_colours *out, uint32_t *number, const rg_wl_colours *in,
                    const named *names)
{
    uint64_t entry = 0;
    for (uint32_t k = 0; k < in->n; k++) {
        const rg_wl_colour *colour = &in->colours[names[k].colour];
        size_t n = (size_t)(colour[1].first - colour->first);
        number[names[k].colour] = k;
        out->colours[k] = *colour;
        out->colours[k].first = entry;
        if (n)
            memcpy(out->entries + entry, in->entries + colour->first, n * sizeof *out->entries);
        entry += n;
    }
    out->colours[in->n] = (rg_wl_colour){.first = entry};
}

static bool settle(growing *g, size_t n_nodes)
{
    rg_wl_colours *in = g->colours, out = *in;
    named *names = rg_alloc(in->n, sizeof *names);
    uint32_t *number = rg_alloc(in->n, sizeof *number);
    out.colours = rg_alloc((size_t)in->n + 1, sizeof *out.colours);
    out.entries = rg_alloc((size_t)g->n_entries, sizeof *out.entries);
    bool good = names && number && out.colours && out.entries;
    for (uint32_t k = 0; good && k < in->n; k++) {
        names[k].key = rg_table_key(g->table, k, &names[k].bytes);
        names[k].colour = k;
    }
    if (good) {
        qsort(names, in->n, sizeof *names, by_key);
        arrange(&out, number, in, names);
        for (size_t node = 0; node < n_nodes; node++)
            out.of[node] = number[out.of[node]];
        rg_free(in->colours);
        rg_free(in->entries);
        *in = out;
    } else {
        rg_free(out.colours);
        rg_free(out.entries);
    }
    rg_free(names);
    rg_free(number);
    return good;
}

rg_status rg_colouring_build(rg_colouring **out, const rg_features *features,
                             const rg_dataset *data, uint32_t n_rounds, bool each, rg_error *err)
{
    rg_colouring *colouring = rg_alloc_zero(1, sizeof *colouring);
    bool good = colouring;
    for (uint32_t t = 0; good && t < n_rounds; t++) {
        growing g = {.colours = &colouring->rounds[t], .table = rg_table_new()};
        g.colours->of = rg_alloc((size_t)rg_dataset_n_nodes(data), sizeof *g.colours->of);
        good = g.table && g.colours->of &&
               (t ? next_round(&g, g.colours - 1, data) : first_round(&g, features, data)) &&
               settle(&g, (size_t)rg_dataset_n_nodes(data));
        rg_table_free(g.table);
    }
    if (!good) {
        rg_colouring_free(colouring);
        return rg_fail_memory(err, "colours of nodes");
    }
    colouring->n_rounds = n_rounds;
    colouring->each = each;
    *out = colouring;
    return RG_OK;
}

uint64_t rg_colouring_bytes(const rg_colouring *colouring, uint64_t n_nodes)
{
    uint64_t bytes = 0;
    for (uint32_t t = 0; t < colouring->n_rounds; t++) {
        const rg_wl_colours *k = &colouring->rounds[t];
        bytes += n_nodes * sizeof *k->of;
        if (k->n)
            bytes += (k->n + UINT64_C(1)) * sizeof *k->colours +
                     k->colours[k->n].first * sizeof *k->entries;
    }
    return bytes;
}
