/* places.c - every graph with its places as nodes behind its own: edges, rings, stretches of a text. */
#include "base/alloc.h"
#include "base/error.h"
#include "graph/unpack.h"
#include "regula/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_NODE, OF_EDGE, OF_RING, OF_STRETCH, N_KINDS, PARTS_MAX = 8, RING_MAX = 12 };
#define STEPS_MAX (UINT64_C(1) << 28) /* looking for the rings of one graph */

static const char *const words[N_KINDS] = {"node", "edge", "ring", "stretch"};

typedef struct part {
    int kind;
    uint32_t most; /* nodes of a ring; nodes of a stretch */
} part;

enum { PLACE_LABEL = 1000000 }; /* above all atoms, words and bonds that are likely */

typedef struct places_build {
    const rg_dataset *data;
    rg_unpack unpack;
    rg_raw raw;
    part parts[PARTS_MAX];
    size_t n_parts;
    int64_t *fresh[2];     /* a value that no node, no edge has, of every column of labels */
    uint32_t (*places)[2]; /* [node]: kind and size */
    size_t n_places, capacity;
    /* the graph at hand */
    size_t index;
    rg_graph graph;
    uint32_t first; /* its first node in raw */
    uint32_t path[RING_MAX];
    uint64_t steps;
    rg_error *err;
} places_build;

/* ---- what is asked for */

static rg_status read_part(places_build *p, const char *text, size_t n)
{
    unsigned most = 0;
    int used = 0;
    char word[24] = "";
    part *out = &p->parts[p->n_parts];
    memcpy(word, text, n < sizeof word ? n : sizeof word - 1);
    bool edges = strcmp(word, "edges") == 0;
    bool rings = sscanf(word, "rings(%4u)%n", &most, &used) == 1 && (size_t)used == n;
    bool every = !rings && sscanf(word, "every(%4u)%n", &most, &used) == 1 && (size_t)used == n;
    if (p->n_parts == PARTS_MAX ||
        !(edges || (rings && most >= 3 && most <= RING_MAX) || (every && most >= 1)))
        return rg_fail(p->err, RG_EUSAGE,
                       "places: found '%.*s', expected edges, rings(K) with K from 3 to %d, or "
                       "every(K)",
                       (int)n, text, RING_MAX);
    if (every && !rg_dataset_sequence(p->data))
        return rg_fail(
            p->err, RG_EDATA,
            "places: '%s' is not of texts, and the nodes of graphs have no order for '%s'",
            rg_dataset_name(p->data), word);
    *out = (part){edges ? OF_EDGE : rings ? OF_RING : OF_STRETCH, most};
    p->n_parts++;
    return RG_OK;
}

static rg_status read_parts(places_build *p, const char *text)
{
    rg_status status = RG_OK;
    const char *at = text;
    do {
        at += strspn(at, " ");
        size_t n = strcspn(at, ",");
        const char *next = at + n;
        while (n && at[n - 1] == ' ')
            n--;
        status = read_part(p, at, n);
        at = *next ? next + 1 : NULL;
    } while (!status && at);
    return status;
}

/* ---- rows of new nodes and edges */

static bool add_ints(places_build *p, size_t slot, size_t item, const int64_t *labels)
{
    bool of_labels = slot == rg_column_slot(item ? RG_EDGE_LABEL : RG_NODE_LABEL);
    size_t n = p->data->labels[slot].n_columns;
    int64_t *row = n ? rg_int_rows_add(rg_raw_ints(&p->raw, slot), n) : NULL;
    for (size_t c = 0; row && c < n; c++)
        row[c] = of_labels ? labels[c] : RG_MISSING;
    return !n || row;
}

/* attributes NULL: zeros. */
static bool add_reals(places_build *p, size_t slot, size_t item, const double *attributes)
{
    bool of_attributes = slot == rg_column_slot(item ? RG_EDGE_ATTRIBUTE : RG_NODE_ATTRIBUTE);
    size_t n = p->data->reals[slot].n_columns;
    double *row = n ? rg_real_rows_add(rg_raw_reals(&p->raw, slot), n) : NULL;
    for (size_t c = 0; row && c < n; c++)
        row[c] = !of_attributes ? (double)NAN : attributes ? attributes[c] : 0;
    return !n || row;
}

static bool add_row(places_build *p, size_t item, const int64_t *labels, const double *attributes)
{
    size_t n_masks = p->data->masks[item].n_columns;
    int64_t *mask = n_masks ? rg_int_rows_add(&p->raw.masks[item], n_masks) : NULL;
    bool fine = !n_masks || mask;
    for (size_t c = 0; mask && c < n_masks; c++)
        mask[c] = 0;
    for (size_t slot = 0; fine && slot < RG_N_SLOTS; slot++)
        if (rg_slot_item(slot) == item)
            fine = add_ints(p, slot, item, labels) && add_reals(p, slot, item, attributes);
    return fine;
}

static bool note(places_build *p, uint32_t kind, uint32_t size)
{
    if (!rg_grow(&p->places, &p->capacity, p->n_places + 1, sizeof *p->places))
        return false;
    p->places[p->n_places][0] = kind;
    p->places[p->n_places++][1] = size;
    return true;
}

/* A place with these nodes. arc: of an edge, whose label its edges have; SIZE_MAX: none. */
static bool add_place(places_build *p, uint32_t kind, const uint32_t *nodes, uint32_t n, size_t arc)
{
    uint32_t at = (uint32_t)p->raw.n_nodes;
    size_t columns = rg_dataset_n_columns(p->data, RG_EDGE_LABEL), n_values;
    size_t reals = rg_dataset_n_columns(p->data, RG_EDGE_ATTRIBUTE);
    const double *attributes = reals && arc != SIZE_MAX
                                   ? rg_dataset_reals(p->data, RG_EDGE_ATTRIBUTE) + arc * reals
                                   : NULL;
    bool fine = rg_raw_add_node(&p->raw, (uint32_t)p->index) && add_row(p, 0, p->fresh[0], NULL) &&
                note(p, kind, n);
    int64_t *labels = rg_alloc(columns + 1, sizeof *labels);
    for (size_t c = 0; labels && c < columns; c++)
        labels[c] =
            arc == SIZE_MAX
                ? p->fresh[1][c]
                : rg_dataset_values(p->data, RG_EDGE_LABEL, c,
                                    &n_values)[rg_dataset_ranks(p->data, RG_EDGE_LABEL, c)[arc]];
    for (uint32_t k = 0; fine && labels && k < n; k++)
        fine =
            rg_raw_add_pair(&p->raw, at, p->first + nodes[k]) && add_row(p, 1, labels, attributes);
    fine = fine && labels;
    rg_free(labels);
    return fine;
}

/* ---- the places of a graph */

static bool add_edges(places_build *p)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < p->graph.n_nodes; i++)
        for (uint64_t arc = p->graph.row[i]; fine && arc < p->graph.row[i + 1]; arc++) {
            const uint32_t ends[2] = {i, p->graph.col[arc]};
            fine = ends[0] > ends[1] || add_place(p, OF_EDGE, ends, 2, (size_t)arc);
        }
    return fine;
}

static bool joined(const places_build *p, uint32_t i, uint32_t j)
{
    for (uint64_t arc = p->graph.row[i]; arc < p->graph.row[i + 1]; arc++)
        if (p->graph.col[arc] == j)
            return true;
    return false;
}

/* Rings without chords through path[0 .. n-1], whose first node is the smallest, each in one direction. */
static bool extend(places_build *p, uint32_t n, uint32_t most)
{
    uint32_t last = p->path[n - 1];
    bool fine = true;
    for (uint64_t arc = p->graph.row[last]; fine && arc < p->graph.row[last + 1]; arc++) {
        uint32_t next = p->graph.col[arc];
        bool free_way = next > p->path[0] && p->steps++ < STEPS_MAX;
        for (uint32_t k = 1; free_way && k + 1 < n; k++)
            free_way = next != p->path[k] && !joined(p, next, p->path[k]);
        if (!free_way || next == last)
            continue;
        bool closes = n >= 2 && joined(p, next, p->path[0]);
        p->path[n] = next;
        if (closes && next > p->path[1])
            fine = add_place(p, OF_RING, p->path, n + 1, SIZE_MAX);
        else if (!closes && n + 1 < most)
            fine = extend(p, n + 1, most);
    }
    return fine;
}

static bool add_rings(places_build *p, uint32_t most)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < p->graph.n_nodes; i++) {
        p->path[0] = i;
        fine = extend(p, 1, most);
    }
    return fine;
}

static bool add_stretches(places_build *p, uint32_t size)
{
    uint32_t n = p->graph.n_nodes, *nodes = rg_alloc(size, sizeof *nodes);
    bool fine = nodes != NULL;
    for (uint32_t from = 0; fine && from < n; from += size) {
        uint32_t own = n - from < size ? n - from : size;
        for (uint32_t k = 0; k < own; k++)
            nodes[k] = from + k;
        fine = add_place(p, OF_STRETCH, nodes, own, SIZE_MAX);
    }
    rg_free(nodes);
    return fine;
}

static rg_status add_graph(places_build *p, size_t index)
{
    p->index = index;
    p->graph = rg_dataset_graph(p->data, index);
    p->first = (uint32_t)p->raw.n_nodes;
    p->steps = 0;
    bool fine = rg_unpack_graph(&p->unpack, index, (uint32_t)index, NULL);
    for (uint32_t i = 0; fine && i < p->graph.n_nodes; i++)
        fine = note(p, OF_NODE, 1);
    for (size_t k = 0; fine && k < p->n_parts; k++)
        fine = p->parts[k].kind == OF_EDGE   ? add_edges(p)
               : p->parts[k].kind == OF_RING ? add_rings(p, p->parts[k].most)
                                             : add_stretches(p, p->parts[k].most);
    if (p->steps > STEPS_MAX)
        return rg_fail(p->err, RG_EDATA,
                       "places: graph %zu of '%s' has too many paths to look for rings, expected a "
                       "smaller K",
                       index, rg_dataset_name(p->data));
    if (p->raw.n_nodes >= UINT32_MAX)
        return rg_fail(p->err, RG_EDATA, "places: found 2^32 or more nodes and places");
    return fine ? RG_OK : rg_fail_memory(p->err, "places of graphs");
}

/* ---- the whole */

/* A value that no item of a column has: a fixed one if it can be, so that it is the same in other data
 * that a model is asked about; else one more than the largest. Owned (rg_free). */
static int64_t *fresh_values(const rg_dataset *data, rg_column kind)
{
    size_t columns = rg_dataset_n_columns(data, kind);
    int64_t *out = rg_alloc(columns + 1, sizeof *out);
    for (size_t c = 0; out && c < columns; c++) {
        size_t n;
        const int64_t *values = rg_dataset_values(data, kind, c, &n);
        out[c] = n && values[n - 1] >= 0 && values[n - 1] < INT64_MAX ? values[n - 1] + 1 : 0;
        for (size_t k = 0; k < n && values[n - 1] == INT64_MAX; k++) /* a gap below the end */
            out[c] = values[k] == out[c] ? out[c] + 1 : out[c];
        out[c] = n && values[n - 1] >= PLACE_LABEL ? out[c] : PLACE_LABEL;
    }
    return out;
}

/* Node labels with two columns more: what a node is, and how many nodes it is of. */
static bool widen(places_build *p)
{
    size_t columns = rg_dataset_n_columns(p->data, RG_NODE_LABEL);
    rg_int_rows wide = {0};
    bool fine = rg_raw_name_column(&p->raw, RG_NODE_LABEL, columns, "place") &&
                rg_raw_name_column(&p->raw, RG_NODE_LABEL, columns + 1, "size");
    for (int k = 0; fine && k < N_KINDS; k++)
        fine = rg_raw_name_value(&p->raw, RG_NODE_LABEL, columns, k, words[k]);
    for (size_t c = 0; fine && c < columns; c++)
        fine = rg_raw_name_value(&p->raw, RG_NODE_LABEL, c, p->fresh[0][c], "place");
    for (size_t i = 0; fine && i < p->raw.n_nodes; i++) {
        int64_t *row = rg_int_rows_add(&wide, columns + 2);
        fine = row != NULL;
        for (size_t c = 0; fine && c < columns; c++)
            row[c] = rg_int_rows_at(&p->raw.node_labels, i, c);
        if (fine) {
            row[columns] = p->places[i][0];
            row[columns + 1] = p->places[i][1];
        }
    }
    rg_free(p->raw.node_labels.data);
    rg_free(p->raw.node_labels.shorts);
    p->raw.node_labels = wide;
    return fine;
}

rg_status rg_dataset_with_places(rg_dataset **out, const rg_dataset *data, const char *places,
                                 rg_error *err)
{
    places_build p = {.data = data, .raw = {.n_graphs = data->n_graphs}, .err = err};
    rg_status status = read_parts(&p, places);
    if (!status)
        status = rg_unpack_open(&p.unpack, &p.raw, data, err);
    if (status)
        return status;
    p.raw.sequence = RG_SEQUENCE_NONE;
    p.raw.name = rg_copy_text(data->name, strlen(data->name));
    p.fresh[0] = fresh_values(data, RG_NODE_LABEL);
    p.fresh[1] = fresh_values(data, RG_EDGE_LABEL);
    if (!p.raw.name || !p.fresh[0] || !p.fresh[1] || !rg_unpack_names(&p.unpack))
        status = rg_fail_memory(err, "places of graphs");
    for (size_t k = 0; !status && k < data->n_graphs; k++)
        status = add_graph(&p, k);
    if (!status && !widen(&p))
        status = rg_fail_memory(err, "places of graphs");
    rg_unpack_close(&p.unpack);
    rg_free(p.fresh[0]);
    rg_free(p.fresh[1]);
    rg_free(p.places);
    if (!status)
        return rg_dataset_build(out, &p.raw, err);
    rg_raw_free(&p.raw);
    return status;
}
