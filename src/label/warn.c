/* warn.c - a word where labels hardly repeat: what is learned about a class that one node has tells
 * nothing about other nodes. */
#include "kind.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_NODES = 100 };                /* of fewer, nothing can be said */
static const double alone_most = 0.5;      /* part of the nodes whose class no other node has */
static const double alone_suggested = 0.2; /* the same of what is suggested */

/* Keys of a level that occurred once: numbers go by frequency, so they are the last ones. */
static uint64_t once(const rg_labeling *labeling, size_t level)
{
    const rg_vocabulary *keys = labeling->levels[level];
    size_t n = rg_vocabulary_size(keys), all = n;
    while (n > 0 && rg_vocabulary_count(keys, (uint32_t)n - 1) == 1)
        n--;
    return all - n;
}

static uint64_t count_nodes(const rg_labeling *labeling)
{
    const rg_vocabulary *keys = labeling->levels[labeling->n_levels - 1];
    uint64_t n = 0;
    for (size_t k = 0; k < rg_vocabulary_size(keys); k++)
        n += rg_vocabulary_count(keys, (uint32_t)k);
    return n;
}

static const rg_label_argument *find_argument(const rg_labeling *labeling, size_t offset)
{
    const rg_label_argument *a = labeling->spec->kind->arguments;
    while (a->type != RG_ARGUMENT_END && (a->type != RG_ARGUMENT_INT || a->offset != offset))
        a++;
    return a->type == RG_ARGUMENT_END ? NULL : a;
}

/* The largest depth below that of the labeling whose classes do repeat; 0: none. */
static size_t find_depth(const rg_labeling *labeling, uint64_t n_nodes)
{
    size_t depth = labeling->n_levels - 1;
    if (!find_argument(labeling, offsetof(rg_label_spec, depth)))
        return 0;
    do
        depth = depth ? depth - 1 : 0;
    while (depth > 0 && (double)once(labeling, depth) > alone_suggested * (double)n_nodes);
    return depth;
}

int rg_labeling_warning(char *text, size_t size, const rg_labeling *labeling)
{
    size_t last = labeling->n_levels - 1;
    uint64_t n_nodes = count_nodes(labeling), alone = once(labeling, last);
    size_t n_keys = rg_vocabulary_size(labeling->levels[last]);
    const rg_label_argument *bound = find_argument(labeling, offsetof(rg_label_spec, max_labels));
    if (labeling
            ->has_other) /* those that occurred once are in one class, as far as the bound reaches */
        alone = alone > n_keys - labeling->n_kept ? alone - (n_keys - labeling->n_kept) : 0;
    if (n_nodes < LEAST_NODES || (double)alone <= alone_most * (double)n_nodes)
        return 0;
    char help[200] = "";
    size_t depth = find_depth(labeling, n_nodes), used = 0;
    uint64_t often = n_keys - once(labeling, last);
    if (depth > 0)
        used += (size_t)snprintf(help + used, sizeof help - used,
                                 "; depth=%zu has %zu classes that repeat", depth,
                                 rg_vocabulary_size(labeling->levels[depth]));
    if (bound && often > 0)
        snprintf(help + used, sizeof help - used,
                 "; %s=%" PRIu64 " keeps those that occur more than once", bound->name, often + 1);
    snprintf(text, size,
             "labels hardly repeat: %" PRIu64 " of %" PRIu64
             " nodes have a class that no other node has%s",
             alone, n_nodes, help);
    return 1;
}
