/* folds.c - see folds.h. */
#include "folds.h"

#include "audit/copies.h"
#include "base/alloc.h"
#include "base/error.h"
#include "regula/audit.h"
#include "regula/split.h"
#include "split/frequent.h"

#include <math.h>

/* What is needed to look at one fold after another. */
typedef struct fold_survey {
    rg_items items;
    rg_copies copies; /* owned; first is NULL: vectors, which are not compared */
    uint32_t *counts; /* [class], owned */
    bool *marks;      /* [sample], owned */
} fold_survey;

static void survey_close(fold_survey *s)
{
    rg_copies_free(&s->copies);
    rg_free(s->counts);
    rg_free(s->marks);
}

static rg_status find_copies(fold_survey *s, const rg_dataset *data, unsigned n_threads,
                             rg_error *err)
{
    rg_audit_options options = rg_audit_options_default();
    rg_progress progress = {&options, 0, 1};
    rg_pool *pool = NULL;
    rg_status status = rg_pool_new(&pool, n_threads, err);
    if (!status)
        status = rg_copies_find(&s->copies, data, pool, options.copies_budget, &progress, err);
    rg_pool_free(pool);
    return status;
}

/* ---- parts that have something in common */

static void mark(fold_survey *s, rg_part part, bool on)
{
    for (size_t k = 0; k < part.n; k++)
        s->marks[s->copies.first ? s->copies.first[part.graphs[k]] : part.graphs[k]] = on;
}

/* Samples of `part`, or first copies of them, that are marked. */
static size_t count_marked(const fold_survey *s, rg_part part)
{
    size_t n = 0;
    for (size_t k = 0; k < part.n; k++)
        n += s->marks[s->copies.first ? s->copies.first[part.graphs[k]] : part.graphs[k]];
    return n;
}

/* Both as sets; numbers are in no part twice. */
static bool is_same(fold_survey *s, rg_part a, rg_part b)
{
    size_t n = 0;
    if (a.n != b.n || a.n == 0)
        return false;
    for (size_t k = 0; k < a.n; k++)
        s->marks[a.graphs[k]] = true;
    for (size_t k = 0; k < b.n; k++)
        n += s->marks[b.graphs[k]];
    for (size_t k = 0; k < a.n; k++)
        s->marks[a.graphs[k]] = false;
    return n == b.n;
}

static rg_store_fold describe(fold_survey *s, rg_fold fold, uint32_t number, bool classes)
{
    rg_store_fold out = {.number = number,
                         .n_train = fold.train.n,
                         .n_validation = fold.validation.n,
                         .n_test = fold.test.n,
                         .n_copies = UINT64_MAX,
                         .majority = (double)NAN,
                         .majority_validation = (double)NAN,
                         .validation_is_test = is_same(s, fold.validation, fold.test)};
    if (classes && s->items.classes) {
        const uint32_t *known = s->items.classes;
        uint32_t class = rg_class_frequent(fold.train, known, s->items.n_classes, s->counts);
        out.majority = rg_class_share(fold.test, known, class);
        out.majority_validation = rg_class_share(fold.validation, known, class);
    }
    if (s->copies.first) {
        rg_part none = {NULL, 0}, other = out.validation_is_test ? none : fold.validation;
        mark(s, fold.train, true);
        mark(s, other, true);
        out.n_copies = count_marked(s, fold.test);
        mark(s, fold.train, false);
        mark(s, other, false);
    }
    return out;
}

rg_status rg_folds_describe(rg_store_fold **out, const rg_source *source, const rg_splits *splits,
                            const rg_folds_options *options, rg_error *err)
{
    fold_survey s = {.items = source->graphs ? rg_dataset_items(source->graphs)
                                             : rg_arrays_items(source->arrays)};
    rg_store_fold *folds = rg_alloc(options->n_folds, sizeof *folds);
    s.counts = rg_alloc(s.items.n_classes, sizeof *s.counts);
    s.marks = rg_alloc_zero(s.items.n, sizeof *s.marks);
    rg_status status = folds && s.counts && s.marks ? RG_OK : rg_fail_memory(err, "folds");
    if (!status && source->graphs)
        status = find_copies(&s, source->graphs, options->n_threads, err);
    for (size_t k = 0; k < options->n_folds && !status; k++)
        folds[k] = describe(&s, rg_splits_fold(splits, options->folds[k]), options->folds[k],
                            options->classes);
    survey_close(&s);
    if (status) {
        rg_free(folds);
        return status;
    }
    *out = folds;
    return RG_OK;
}
