/* split.c - splits: looking into them, checking them, their digest. */
#include "regula/split.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/sized.h"
#include "parts.h"

#include <stdbool.h>
#include <string.h>

static const char *const part_names[RG_PARTS] = {"test", "train", "validation"};

rg_splits *rg_splits_new(size_t n_folds, size_t n_numbers)
{
    size_t n_parts;
    if (!rg_size_mul(&n_parts, n_folds, RG_PARTS) || !rg_size_add(&n_parts, n_parts, 1))
        return NULL;
    rg_carve carve = {0};
    rg_carve_add(&carve, 1, sizeof(rg_splits));
    size_t start = rg_carve_add(&carve, n_parts, sizeof(size_t));
    size_t graphs = rg_carve_add(&carve, n_numbers, sizeof(uint32_t));
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return NULL;
    rg_splits *splits = (void *)block;
    splits->n_folds = n_folds;
    splits->start = (void *)(block + start);
    splits->graphs = (void *)(block + graphs);
    splits->start[0] = 0;
    return splits;
}

void rg_splits_free(rg_splits *splits)
{
    rg_free(splits); /* everything lies in one block */
}

size_t rg_splits_n_folds(const rg_splits *splits)
{
    return splits->n_folds;
}

static rg_part part_of(const rg_splits *splits, size_t fold, size_t part)
{
    const size_t *start = splits->start + RG_PARTS * fold + part;
    return (rg_part){splits->graphs + start[0], start[1] - start[0]};
}

rg_fold rg_splits_fold(const rg_splits *splits, size_t fold)
{
    return (rg_fold){.train = part_of(splits, fold, RG_PART_TRAIN),
                     .validation = part_of(splits, fold, RG_PART_VALIDATION),
                     .test = part_of(splits, fold, RG_PART_TEST)};
}

void rg_splits_digest(const rg_splits *splits, char out[RG_DIGEST_SIZE])
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_text(&digest, "regula splits 1");
    rg_digest_u64(&digest, splits->n_folds);
    for (size_t k = 0; k < RG_PARTS * splits->n_folds; k++) {
        size_t n = splits->start[k + 1] - splits->start[k];
        rg_digest_u64(&digest, n);
        rg_digest_u32_array(&digest, splits->graphs + splits->start[k], n);
    }
    rg_digest_finish(&digest, out);
}

rg_items rg_dataset_items(const rg_dataset *data)
{
    rg_items items = {rg_dataset_name(data), "graph", rg_dataset_n_graphs(data), NULL, 0};
    if (rg_dataset_n_columns(data, RG_CLASS) > 0) {
        items.classes = rg_dataset_ranks(data, RG_CLASS, 0);
        rg_dataset_values(data, RG_CLASS, 0, &items.n_classes);
    }
    return items;
}

rg_items rg_arrays_items(const rg_arrays *arrays)
{
    rg_items items = {rg_arrays_name(arrays), "sample", rg_arrays_n_samples(arrays), NULL, 0};
    if (rg_arrays_n_columns(arrays, RG_CLASS) > 0) {
        items.classes = rg_arrays_classes(arrays, 0);
        rg_arrays_class_values(arrays, 0, &items.n_classes);
    }
    return items;
}

/* ---- checking */

typedef struct split_check {
    const rg_splits *splits;
    const char *path;
    const char *word; /* for one item */
    size_t n_graphs, n_classes;
    const uint32_t *classes; /* NULL: the set has none */
    uint8_t *in;             /* a bit for each part of the fold that the graph is in */
    uint8_t *tested;         /* is the graph in some fold's test set? */
    uint8_t *trained;        /* n_classes: is the class in the fold's training set? */
    rg_split_report report;
} split_check;

enum { IN_TEST = 1 << RG_PART_TEST };

/* Marks a part's graphs. Refuses numbers out of range and repeated ones. */
static rg_status mark_part(split_check *c, size_t fold, size_t part, rg_error *err)
{
    rg_part p = part_of(c->splits, fold, part);
    uint8_t bit = (uint8_t)(1u << part);
    for (size_t k = 0; k < p.n; k++) {
        uint32_t graph = p.graphs[k];
        if (graph >= c->n_graphs)
            return rg_fail(err, RG_EDATA, "%s: fold %zu, %s[%zu]: found %s %u, expected 0 to %zu",
                           c->path, fold, part_names[part], k, c->word, graph, c->n_graphs - 1);
        if (c->in[graph] & bit)
            return rg_fail(err, RG_EDATA,
                           "%s: fold %zu, %s[%zu]: found %s %u, which is in this set already",
                           c->path, fold, part_names[part], k, c->word, graph);
        c->in[graph] |= bit;
    }
    return RG_OK;
}

/* The first graph of `part` that is in `other` too is refused. */
static rg_status refuse_overlap(const split_check *c, size_t fold, size_t part, size_t other,
                                rg_error *err)
{
    rg_part p = part_of(c->splits, fold, part);
    for (size_t k = 0; k < p.n; k++)
        if (c->in[p.graphs[k]] & 1u << other)
            return rg_fail(
                err, RG_EDATA, "%s: fold %zu, %s[%zu]: found %s %u, which is in the %s set too",
                c->path, fold, part_names[part], k, c->word, p.graphs[k], part_names[other]);
    return RG_OK;
}

static rg_status check_overlaps(split_check *c, size_t fold, rg_error *err)
{
    rg_fold f = rg_splits_fold(c->splits, fold);
    size_t shared = 0;
    for (size_t k = 0; k < f.validation.n; k++)
        shared += (c->in[f.validation.graphs[k]] & IN_TEST) != 0;
    rg_status status = refuse_overlap(c, fold, RG_PART_TRAIN, RG_PART_TEST, err);
    if (!status)
        status = refuse_overlap(c, fold, RG_PART_VALIDATION, RG_PART_TRAIN, err);
    if (status)
        return status;
    if (shared && shared == f.test.n && shared == f.validation.n)
        c->report.validation_is_test++;
    else if (shared)
        return refuse_overlap(c, fold, RG_PART_VALIDATION, RG_PART_TEST, err);
    return RG_OK;
}

/* No graph is tested twice. */
static rg_status check_tested(split_check *c, size_t fold, rg_error *err)
{
    rg_part test = rg_splits_fold(c->splits, fold).test;
    for (size_t k = 0; k < test.n; k++) {
        if (c->tested[test.graphs[k]])
            return rg_fail(
                err, RG_EDATA,
                "%s: fold %zu, test[%zu]: found %s %u, which is in the test set of an earlier fold",
                c->path, fold, k, c->word, test.graphs[k]);
        c->tested[test.graphs[k]] = 1;
    }
    return RG_OK;
}

/* Counts what is odd, and takes the fold's marks away again. */
static void count_fold(split_check *c, size_t fold)
{
    rg_fold f = rg_splits_fold(c->splits, fold);
    c->report.empty_validation += f.validation.n == 0;
    size_t used = f.train.n + f.test.n;
    for (size_t k = 0; k < f.validation.n; k++)
        used += (c->in[f.validation.graphs[k]] & IN_TEST) == 0;
    c->report.unused += c->n_graphs - used;
    if (c->classes) {
        memset(c->trained, 0, c->n_classes);
        for (size_t k = 0; k < f.train.n; k++)
            if (c->classes[f.train.graphs[k]] != RG_NO_CLASS)
                c->trained[c->classes[f.train.graphs[k]]] = 1;
        for (size_t k = 0; k < c->n_classes; k++)
            c->report.missing_classes += !c->trained[k];
    }
    for (size_t part = 0; part < RG_PARTS; part++) {
        rg_part p = part_of(c->splits, fold, part);
        for (size_t k = 0; k < p.n; k++)
            c->in[p.graphs[k]] = 0;
    }
}

static rg_status check_fold(split_check *c, size_t fold, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t part = 0; part < RG_PARTS && !status; part++) {
        if (part != RG_PART_VALIDATION && part_of(c->splits, fold, part).n == 0)
            return rg_fail(err, RG_EDATA, "%s: fold %zu, %s: found an empty list, expected %ss",
                           c->path, fold, part_names[part], c->word);
        status = mark_part(c, fold, part, err);
    }
    if (!status)
        status = check_overlaps(c, fold, err);
    if (!status)
        status = check_tested(c, fold, err);
    if (!status)
        count_fold(c, fold);
    return status;
}

/* With several folds every graph is tested; a single fold may leave some out. */
static rg_status check_untested(split_check *c, rg_error *err)
{
    size_t first = c->n_graphs;
    for (size_t graph = c->n_graphs; graph-- > 0;)
        if (!c->tested[graph]) {
            c->report.untested++;
            first = graph;
        }
    if (c->report.untested && c->splits->n_folds > 1)
        return rg_fail(err, RG_EDATA, "%s: found %zu %ss in no fold's test set, the first is %zu",
                       c->path, c->report.untested, c->word, first);
    return RG_OK;
}

rg_status rg_splits_check_for(rg_split_report *out, const rg_splits *splits, const rg_items *items,
                              const char *path, rg_error *err)
{
    rg_status status = rg_sized_check(out, "rg_split_report", err);
    split_check c = {.splits = splits,
                     .path = path ? path : "splits",
                     .word = items->word,
                     .n_graphs = items->n,
                     .n_classes = items->n_classes,
                     .classes = items->classes,
                     .report = {.n_folds = splits->n_folds}};
    c.in = rg_alloc_zero(c.n_graphs, 1);
    c.tested = rg_alloc_zero(c.n_graphs, 1);
    c.trained = rg_alloc_zero(c.n_classes, 1);
    if (!status && (!c.in || !c.tested || !c.trained))
        status = rg_fail_memory(err, "checking splits");
    if (!status && c.n_graphs == 0)
        status = rg_fail(err, RG_EDATA, "%s: the data set has no %ss to split", c.path, c.word);
    for (size_t fold = 0; fold < splits->n_folds && !status; fold++)
        status = check_fold(&c, fold, err);
    if (!status)
        status = check_untested(&c, err);
    if (!status)
        rg_sized_put(out, &c.report, sizeof c.report);
    rg_free(c.in);
    rg_free(c.tested);
    rg_free(c.trained);
    return status;
}

rg_status rg_splits_check(rg_split_report *out, const rg_splits *splits, const rg_dataset *data,
                          const char *path, rg_error *err)
{
    rg_items items = rg_dataset_items(data);
    return rg_splits_check_for(out, splits, &items, path, err);
}
