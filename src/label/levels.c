/* levels.c - see rg_levels_run: keys that every graph has for itself become labels of all.
 *
 * Graphs are refined in parallel, each with numbers of its own for its keys. Then, level by level
 * from below, the numbers inside keys are replaced by those of the vocabulary, put in order again,
 * and looked up. A key that was never seen has the number RG_UNSEEN, which no key of a fit
 * contains: so whatever is made from it is unseen too. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "kind.h"

#include <string.h>

/* One set on its way. */
typedef struct levels_walk {
    const rg_label_frame *frame;
    const rg_labeling *labeling;
    rg_levels_graph keys_of;
    size_t n_graphs, node_words;
    rg_power *graphs;        /* per graph; without tables where none are needed */
    rg_power_space **spaces; /* per worker */
    uint32_t *start;         /* per node: what refinement starts from */
    const uint32_t *kinds;   /* of arcs, or NULL */
    const int64_t *values;
    size_t n_kinds;
    /* By level, [0] the lowest and [1] the last one done: numbers of the keys of all graphs, and
     * where those of each graph begin. */
    uint32_t *numbers[2];
    size_t *begin[2];
} levels_walk;

static rg_status refine_graph(void *context, size_t index, unsigned worker, rg_error *err)
{
    const levels_walk *w = context;
    const rg_label_frame *frame = w->frame;
    rg_frame_tell(frame, worker, index);
    if (frame->needed_only && !frame->selected_graph[index])
        return RG_OK;
    rg_graph graph = rg_dataset_graph(frame->data, index);
    rg_power_task task = {.graph = graph,
                          .labels = w->start + graph.first_node,
                          .kinds = w->kinds,
                          .values = w->values,
                          .n_kinds = (uint32_t)w->n_kinds,
                          .budget = frame->options->budget,
                          .cancel = frame->cancel};
    rg_status status =
        w->keys_of(&w->graphs[index], &task, w->labeling->spec, w->spaces[worker], err);
    if (!status && w->graphs[index].capped)
        frame->capped[index] = true;
    return status;
}

static rg_status walk_open(levels_walk *w, const uint32_t *from, rg_error *err)
{
    const rg_dataset *data = w->frame->data;
    size_t n = (size_t)rg_dataset_n_nodes(data);
    uint32_t unseen = w->labeling->parts[0]->size - 1;
    unsigned n_workers = rg_pool_size(w->frame->pool);
    w->n_graphs = rg_dataset_n_graphs(data);
    if (w->labeling->spec->edges && rg_dataset_n_columns(data, RG_EDGE_LABEL) == 0)
        return rg_fail(err, RG_EDATA, "'%s': found no edge labels, expected some for %s",
                       rg_dataset_name(data), w->labeling->text);
    if (w->labeling->spec->edges) {
        w->kinds = rg_dataset_ranks(data, RG_EDGE_LABEL, 0);
        w->values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &w->n_kinds);
    }
    w->graphs = rg_alloc_zero(w->n_graphs, sizeof *w->graphs);
    w->spaces = rg_alloc_zero(n_workers, sizeof *w->spaces);
    w->start = rg_alloc(n, sizeof *w->start);
    bool fine = w->graphs && w->spaces && w->start;
    for (int which = 0; fine && which < 2; which++)
        fine = (w->begin[which] = rg_alloc_zero(w->n_graphs + 1, sizeof *w->begin[which])) != NULL;
    for (unsigned k = 0; fine && k < n_workers; k++)
        fine = (w->spaces[k] = rg_power_space_new()) != NULL;
    for (size_t k = 0; fine && k < n; k++)
        w->start[k] = from[k] == unseen ? RG_UNSEEN : from[k];
    return fine ? RG_OK : rg_fail_memory(err, "computing labels");
}

static void walk_close(levels_walk *w)
{
    for (size_t g = 0; w->graphs && g < w->n_graphs; g++)
        rg_power_drop(&w->graphs[g]);
    for (unsigned k = 0; w->spaces && k < rg_pool_size(w->frame->pool); k++)
        rg_power_space_free(w->spaces[k]);
    for (int which = 0; which < 2; which++) {
        rg_free(w->numbers[which]);
        rg_free(w->begin[which]);
    }
    rg_free(w->graphs);
    rg_free(w->spaces);
    rg_free(w->start);
}

/* The keys of one level of all graphs. Arrays are owned. */
typedef struct level_keys {
    uint32_t *words;
    uint64_t *start;
    bool *selected;
    size_t n, n_words;
} level_keys;

static void keys_free(level_keys *keys)
{
    rg_free(keys->words);
    rg_free(keys->start);
    rg_free(keys->selected);
}

static rg_status keys_room(level_keys *keys, rg_error *err)
{
    keys->words = rg_alloc(keys->n_words, sizeof *keys->words);
    keys->start = rg_alloc(keys->n + 1, sizeof *keys->start);
    keys->selected = rg_alloc(keys->n, sizeof *keys->selected);
    return keys->words && keys->start && keys->selected ? RG_OK
                                                        : rg_fail_memory(err, "computing labels");
}

static bool is_selected(const levels_walk *w, size_t g)
{
    return !w->frame->selected_graph || w->frame->selected_graph[g];
}

/* The keys of a level below that of the nodes, with the numbers that the levels below gave. */
static rg_status collect(level_keys *keys, const levels_walk *w, size_t level, size_t *begin,
                         rg_error *err)
{
    size_t bytes;
    for (size_t g = 0; g < w->n_graphs; g++) {
        const rg_table *table = w->graphs[g].levels[level];
        begin[g] = keys->n;
        for (size_t k = 0; table && k < rg_table_size(table); k++) {
            rg_table_key(table, (uint32_t)k, &bytes);
            keys->n_words += bytes / sizeof *keys->words;
            keys->n++;
        }
    }
    begin[w->n_graphs] = keys->n;
    rg_status status = keys_room(keys, err);
    size_t used = 0;
    for (size_t g = 0; !status && g < w->n_graphs; g++)
        for (size_t k = begin[g]; k < begin[g + 1]; k++) {
            const void *key =
                rg_table_key(w->graphs[g].levels[level], (uint32_t)(k - begin[g]), &bytes);
            size_t n = bytes / sizeof *keys->words;
            uint32_t *words = keys->words + used;
            memcpy(words, key, bytes);
            if (level > 0) {
                words[0] = w->numbers[0][w->begin[0][g] + words[0]];
                for (size_t i = 1; i < n; i++)
                    words[i] = w->numbers[1][w->begin[1][g] + words[i]];
                rg_sort_numbers(words + 1, n - 1);
            }
            keys->start[k] = used;
            keys->selected[k] = is_selected(w, g);
            used += n;
        }
    if (!status)
        keys->start[keys->n] = used;
    return status;
}

/* Numbers of one level below that of the nodes. */
static rg_status number_level(levels_walk *w, rg_labeling *fit, size_t level, rg_error *err)
{
    level_keys keys = {0};
    size_t *begin = w->begin[1];
    uint32_t *numbers = NULL;
    if (level > 0 && !(begin = rg_alloc(w->n_graphs + 1, sizeof *begin)))
        return rg_fail_memory(err, "computing labels");
    rg_status status = collect(&keys, w, level, begin, err);
    if (!status && !(numbers = rg_alloc(keys.n, sizeof *numbers)))
        status = rg_fail_memory(err, "computing labels");
    if (!status)
        status = rg_level_number(numbers, w->labeling, fit, level,
                                 &(rg_keys){keys.words, keys.start, keys.n,
                                            w->frame->selected_graph ? keys.selected : NULL},
                                 err);
    if (level > 0) {
        rg_free(w->begin[1]);
        w->begin[1] = begin;
    }
    rg_free(w->numbers[1]);
    w->numbers[1] = numbers;
    if (!status && level == 0) {
        memcpy(w->begin[0], begin, (w->n_graphs + 1) * sizeof *begin);
        w->numbers[0] = rg_alloc(keys.n, sizeof *numbers);
        if (w->numbers[0])
            memcpy(w->numbers[0], numbers, keys.n * sizeof *numbers);
        else
            status = rg_fail_memory(err, "computing labels");
    }
    keys_free(&keys);
    return status;
}

/* Labels from the keys of the nodes. */
static rg_status number_nodes(uint32_t *labels, const levels_walk *w, rg_labeling *fit,
                              rg_error *err)
{
    const rg_dataset *data = w->frame->data;
    level_keys keys = {.n = (size_t)rg_dataset_n_nodes(data)};
    keys.n_words = keys.n * w->node_words;
    rg_status status = keys_room(&keys, err);
    size_t used = 0;
    for (size_t g = 0; !status && g < w->n_graphs; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            keys.start[graph.first_node + i] = used;
            keys.selected[graph.first_node + i] = is_selected(w, g);
            for (size_t k = 0; w->graphs[g].top && k < w->node_words; k++) {
                uint32_t word = w->graphs[g].top[i * w->node_words + k];
                keys.words[used++] = k ? word : w->numbers[1][w->begin[1][g] + word];
            }
        }
    }
    if (!status) {
        keys.start[keys.n] = used;
        status = rg_level_number(labels, w->labeling, fit, w->labeling->n_levels - 1,
                                 &(rg_keys){keys.words, keys.start, keys.n,
                                            w->frame->selected_graph ? keys.selected : NULL},
                                 err);
    }
    if (!status && fit)
        status = rg_labeling_number(fit, err);
    for (size_t k = 0; !status && k < keys.n; k++)
        labels[k] = rg_labeling_top(w->labeling, labels[k]);
    keys_free(&keys);
    return status;
}

rg_status rg_levels_run(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                        const rg_label_frame *frame, const uint32_t *from, rg_levels_graph keys_of,
                        size_t node_words, rg_error *err)
{
    levels_walk w = {
        .frame = frame, .labeling = labeling, .keys_of = keys_of, .node_words = node_words};
    rg_status status = walk_open(&w, from, err);
    if (!status)
        status = rg_pool_run(frame->pool, w.n_graphs, refine_graph, &w, err);
    for (size_t level = 0; !status && level + 1 < labeling->n_levels; level++)
        status = number_level(&w, fit, level, err);
    if (!status)
        status = number_nodes(labels, &w, fit, err);
    walk_close(&w);
    return status;
}
