/* wl.c - Weisfeiler-Leman: a node's key is its own number, then those of its neighbours, sorted;
 * keys of one round become the numbers of the next.
 *
 * Level 0 has one word, the label that refinement starts from. With edge labels a neighbour is
 * three words: the label's value in two, and its number. A key that was never seen has the number
 * RG_UNSEEN, which no key of a fit contains: so whatever is made from it is unseen too. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "kind.h"

#include <stdlib.h>
#include <string.h>

static int compare_triples(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    for (int k = 0; k < RG_WL_EDGE_WORDS; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The deepest key of a node that was seen; number RG_UNSEEN: none. */
typedef struct lower_key {
    uint32_t number, depth;
} lower_key;

/* One set on its way through the rounds. */
typedef struct refinement {
    const rg_label_frame *frame;
    size_t n; /* nodes */
    bool edges;
    uint64_t *start;
    uint32_t *words;
    uint32_t *numbers;
    lower_key *lower;      /* NULL: not asked for */
    const uint32_t *ranks; /* edge labels: ranks of the arcs and values of the ranks */
    const int64_t *values;
    uint64_t *order; /* one per node, for graphs with many neighbours per node; NULL: few */
    uint32_t *used;  /* the same: words of its key so far */
} refinement;

enum { MANY_NEIGHBOURS = 12 }; /* from here on sorting nodes beats sorting neighbours */

/* Neighbours with the labels of their edges. */
static void add_triples(const refinement *r, const rg_graph *graph, uint32_t i, uint32_t *word)
{
    const uint32_t *numbers = r->numbers + graph->first_node;
    size_t degree = (size_t)(graph->row[i + 1] - graph->row[i]);
    for (size_t k = 0; k < degree; k++) {
        uint64_t arc = graph->row[i] + k;
        rg_words_from_int(word + k * RG_WL_EDGE_WORDS, r->values[r->ranks[arc]]);
        word[k * RG_WL_EDGE_WORDS + 2] = numbers[graph->col[arc]];
    }
    qsort(word, degree, RG_WL_EDGE_WORDS * sizeof *word, compare_triples);
}

/* Sorts the nodes of the graph once by number; each in turn then goes to the keys of all of its
 * neighbours, which are in order without having been sorted. */
static void add_by_nodes(const refinement *r, const rg_graph *graph)
{
    const uint64_t *start = r->start + graph->first_node;
    const uint32_t *numbers = r->numbers + graph->first_node;
    uint64_t *order = r->order + graph->first_node;
    uint32_t *used = r->used + graph->first_node;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        order[i] = (uint64_t)numbers[i] << 32 | i;
        r->words[start[i]] = numbers[i];
        used[i] = 1;
    }
    qsort(order, graph->n_nodes, sizeof *order, compare_places);
    for (uint32_t k = 0; k < graph->n_nodes; k++) {
        uint32_t i = (uint32_t)order[k];
        for (uint64_t arc = graph->row[i]; arc < graph->row[i + 1]; arc++) {
            uint32_t j = graph->col[arc];
            r->words[start[j] + used[j]++] = numbers[i];
        }
    }
}

static rg_status keys_of_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    (void)worker;
    (void)err;
    const refinement *r = context;
    rg_graph graph = rg_dataset_graph(r->frame->data, index);
    const uint32_t *numbers = r->numbers + graph.first_node;
    if (r->order) {
        add_by_nodes(r, &graph);
        return RG_OK;
    }
    for (uint32_t i = 0; i < graph.n_nodes; i++) {
        uint32_t *word = r->words + r->start[graph.first_node + i];
        size_t degree = (size_t)(graph.row[i + 1] - graph.row[i]);
        *word++ = numbers[i];
        if (r->edges) {
            add_triples(r, &graph, i, word);
            continue;
        }
        for (size_t k = 0; k < degree; k++)
            word[k] = numbers[graph.col[graph.row[i] + k]];
        rg_sort_numbers(word, degree);
    }
    return RG_OK;
}

/* Room for the keys of every round but the first: they are all of the same lengths. */
static rg_status make_room(refinement *r, rg_error *err)
{
    uint64_t used = 0, node = 0;
    for (size_t g = 0; g < rg_dataset_n_graphs(r->frame->data); g++) {
        rg_graph graph = rg_dataset_graph(r->frame->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            r->start[node++] = used;
            used += 1 + (graph.row[i + 1] - graph.row[i]) * (r->edges ? RG_WL_EDGE_WORDS : 1);
        }
    }
    r->start[node] = used;
    rg_free(r->words);
    r->words = rg_alloc((size_t)used, sizeof *r->words);
    bool fine = r->words != NULL;
    if (fine && !r->edges && node && (used - node) / node >= MANY_NEIGHBOURS) {
        r->order = rg_alloc(r->n, sizeof *r->order);
        r->used = rg_alloc(r->n, sizeof *r->used);
        fine = r->order && r->used;
    }
    return fine ? RG_OK : rg_fail_memory(err, "Weisfeiler-Leman labels");
}

static rg_status refinement_open(refinement *r, const rg_labeling *labeling,
                                 const rg_label_frame *frame, rg_error *err)
{
    const rg_dataset *data = frame->data;
    *r = (refinement){.frame = frame, .n = (size_t)rg_dataset_n_nodes(data)};
    r->edges = labeling->spec->edges;
    if (r->edges && rg_dataset_n_columns(data, RG_EDGE_LABEL) == 0)
        return rg_fail(err, RG_EDATA, "'%s': found no edge labels, expected some for %s",
                       rg_dataset_name(data), labeling->text);
    if (r->edges) {
        r->ranks = rg_dataset_ranks(data, RG_EDGE_LABEL, 0);
        r->values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &(size_t){0});
    }
    r->start = rg_alloc(r->n + 1, sizeof *r->start);
    r->words = rg_alloc(r->n, sizeof *r->words);
    r->numbers = rg_alloc(r->n, sizeof *r->numbers);
    bool fine = r->start && r->words && r->numbers;
    if (fine && labeling->spec->backoff)
        fine = (r->lower = rg_alloc(r->n, sizeof *r->lower)) != NULL;
    for (size_t k = 0; fine && r->lower && k < r->n; k++)
        r->lower[k] = (lower_key){RG_UNSEEN, 0};
    return fine ? RG_OK : rg_fail_memory(err, "Weisfeiler-Leman labels");
}

static void refinement_close(refinement *r)
{
    rg_free(r->start);
    rg_free(r->words);
    rg_free(r->numbers);
    rg_free(r->lower);
    rg_free(r->order);
    rg_free(r->used);
}

static void remember_round(const refinement *r, size_t depth)
{
    if (r->frame->rounds && r->n)
        memcpy(r->frame->rounds + depth * r->n, r->numbers, r->n * sizeof *r->numbers);
}

static void remember_lower(refinement *r, size_t depth)
{
    for (size_t k = 0; r->lower && k < r->n; k++)
        if (r->numbers[k] != RG_UNSEEN)
            r->lower[k] = (lower_key){r->numbers[k], (uint32_t)depth};
}

/* All rounds: r->numbers are those of the last. */
static rg_status refine(refinement *r, const rg_labeling *labeling, rg_labeling *fit,
                        const uint32_t *from, rg_error *err)
{
    uint32_t unseen = labeling->parts[0]->size - 1;
    for (size_t k = 0; k <= r->n; k++)
        r->start[k] = k;
    for (size_t k = 0; k < r->n; k++)
        r->words[k] = from[k] == unseen ? RG_UNSEEN : from[k];
    rg_keys keys = {r->words, r->start, r->n, r->frame->selected_node};
    rg_status status = rg_level_number(r->numbers, labeling, fit, 0, &keys, err);
    if (!status)
        remember_round(r, 0);
    if (!status && labeling->n_levels > 1)
        status = make_room(r, err);
    keys.words = r->words;
    for (size_t d = 1; !status && d < labeling->n_levels; d++) {
        remember_lower(r, d - 1);
        status =
            rg_pool_run(r->frame->pool, rg_dataset_n_graphs(r->frame->data), keys_of_graph, r, err);
        if (!status)
            status = rg_level_number(r->numbers, labeling, fit, d, &keys, err);
        if (!status)
            remember_round(r, d);
    }
    return status;
}

rg_status rg_wl_run(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                    const rg_label_frame *frame, const uint32_t *from, rg_error *err)
{
    refinement r;
    rg_status status = refinement_open(&r, labeling, frame, err);
    if (!status)
        status = refine(&r, labeling, fit, from, err);
    if (!status && fit)
        status = rg_labeling_number(fit, err);
    for (size_t k = 0; !status && k < r.n; k++) {
        labels[k] = rg_labeling_top(labeling, r.numbers[k]);
        if (labels[k] == RG_UNSEEN && r.lower && r.lower[k].number != RG_UNSEEN)
            labels[k] = labeling->backoff_start[r.lower[k].depth] + r.lower[k].number;
    }
    refinement_close(&r);
    return status;
}

const rg_label_kind rg_label_wl = {
    .name = "wl",
    .size = sizeof(rg_label_spec),
    .arguments = {RG_NUMBER("depth", rg_label_spec, depth, 0, 64, 1),
                  {.type = RG_ARGUMENT_LABELING, .name = "from", .labeling = "degree"},
                  RG_FLAG("edges", rg_label_spec, edges, false),
                  RG_BOUND("max"),
                  RG_CHOICE("unseen", rg_label_spec, backoff, "label", "backoff")},
    .refine = rg_wl_run,
};
