/* split_groups.c - splits that keep groups of items together, such as molecules of one scaffold.
 *
 * The largest groups come first, of equal ones the one whose first item comes last (as DeepChem has
 * it): each goes into the training set while that has room, else into the validation set, else into
 * the test set. With a seed the groups come in random order, but those that would fill half of the
 * validation or test set are for training, before all others. Several folds: each group goes into
 * the smallest test set. */
#include "parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sized.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct item_group {
    uint32_t size, first, number;
    bool late; /* behind those that are too large for validation and test */
} item_group;

typedef struct grouper {
    const uint32_t *group; /* of each item */
    size_t n, n_groups, n_folds;
    item_group *order;
    uint32_t *fold_of; /* by group: the fold that tests it */
    uint8_t *part;     /* by group, in the fold at work */
    size_t *sizes;     /* of test sets */
} grouper;

static int by_size(const void *a, const void *b)
{
    const item_group *x = a, *y = b;
    if (x->late != y->late)
        return x->late - y->late;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->first > y->first ? -1 : x->first < y->first;
}

static void count_groups(grouper *s)
{
    for (size_t k = 0; k < s->n_groups; k++)
        s->order[k] = (item_group){.number = (uint32_t)k};
    for (size_t i = s->n; i-- > 0;) {
        s->order[s->group[i]].size++;
        s->order[s->group[i]].first = (uint32_t)i;
    }
}

/* In random order: sizes stand for places of a shuffle from here on. */
static bool shuffle_groups(grouper *s, uint64_t seed, double limit)
{
    uint32_t *places = rg_alloc(s->n_groups, sizeof *places);
    if (!places)
        return false;
    for (uint32_t k = 0; k < s->n_groups; k++)
        places[k] = k;
    rg_random_shuffle(seed, 0, places, s->n_groups);
    for (size_t k = 0; k < s->n_groups; k++) {
        s->order[k].late = s->order[k].size <= limit;
        s->order[k].first = places[k];
        if (s->order[k].late)
            s->order[k].size = 0;
    }
    rg_free(places);
    return true;
}

/* How many items each group has, by its number. */
static void restore_sizes(grouper *s, uint32_t *size)
{
    for (size_t k = 0; k < s->n_groups; k++)
        size[k] = 0;
    for (size_t i = 0; i < s->n; i++)
        size[s->group[i]]++;
}

/* Groups of one fold, in order: training while there is room, then validation, then `last`. */
static void fill_parts(grouper *s, const uint32_t *size, uint32_t fold, size_t train, size_t both)
{
    size_t n_train = 0, n_validation = 0;
    for (size_t k = 0; k < s->n_groups; k++) {
        uint32_t g = s->order[k].number;
        if (s->n_folds > 1 && s->fold_of[g] == fold) {
            s->part[g] = RG_PART_TEST;
        } else if (n_train + size[g] <= train) {
            n_train += size[g];
            s->part[g] = RG_PART_TRAIN;
        } else if (s->n_folds > 1 || n_train + n_validation + size[g] <= both) {
            n_validation += size[g];
            s->part[g] = RG_PART_VALIDATION;
        } else {
            s->part[g] = RG_PART_TEST;
        }
    }
}

static void deal_groups(grouper *s, const uint32_t *size)
{
    for (size_t k = 0; k < s->n_groups; k++) {
        uint32_t g = s->order[k].number, best = 0;
        for (uint32_t f = 1; f < s->n_folds; f++)
            if (s->sizes[f] < s->sizes[best])
                best = f;
        s->fold_of[g] = best;
        s->sizes[best] += size[g];
    }
}

static void write_fold(rg_splits *splits, const grouper *s, size_t fold)
{
    size_t *start = splits->start + RG_PARTS * fold;
    for (int part = 0; part < RG_PARTS; part++) {
        size_t n = start[part];
        for (uint32_t i = 0; i < s->n; i++)
            if (s->part[s->group[i]] == part)
                splits->graphs[n++] = i;
        start[part + 1] = n;
    }
}

static void make_folds(rg_splits *splits, grouper *s, const uint32_t *size,
                       const rg_split_options *o)
{
    if (s->n_folds > 1)
        deal_groups(s, size);
    for (size_t fold = 0; fold < s->n_folds; fold++) {
        double rest =
            s->n_folds > 1 ? (double)(s->n - s->sizes[fold]) : (double)s->n * (1 - o->test);
        fill_parts(s, size, (uint32_t)fold, (size_t)(rest * (1 - o->validation) + 1e-9),
                   (size_t)(rest + 1e-9));
        write_fold(splits, s, fold);
    }
}

static rg_status check_parts(const rg_splits *splits, const rg_items *items, size_t n_groups,
                             rg_error *err)
{
    for (size_t f = 0; f < splits->n_folds; f++) {
        rg_fold fold = rg_splits_fold(splits, f);
        if (!fold.train.n || !fold.test.n)
            return rg_fail(
                err, RG_EUSAGE,
                "%s: found %zu groups of %ss, which leave the training or test set empty",
                items->name, n_groups, items->word);
    }
    return RG_OK;
}

rg_status rg_splits_make_groups(rg_splits **out, const rg_items *items, const uint32_t *group,
                                size_t n_groups, const rg_split_options *given, rg_error *err)
{
    rg_split_options own = RG_SPLIT_OPTIONS_INIT, *options = &own;
    rg_status status = RG_TAKE(rg_split_options, &own, given, err);
    if (!status)
        status = rg_split_options_check(options, err);
    size_t n_numbers, needed = options->n_folds == 1 ? 2 : options->n_folds;
    if (!status && n_groups < needed)
        status = rg_fail(err, RG_EUSAGE, "%s: found %zu groups of %ss, expected at least %zu",
                         items->name, n_groups, items->word, needed);
    if (status)
        return status;
    grouper s = {.group = group, .n = items->n, .n_groups = n_groups, .n_folds = options->n_folds};
    rg_carve l = {0};
    size_t order = rg_carve_add(&l, n_groups, sizeof *s.order);
    size_t fold_of = rg_carve_add(&l, n_groups, sizeof *s.fold_of);
    size_t size = rg_carve_add(&l, n_groups, sizeof(uint32_t));
    size_t part = rg_carve_add(&l, n_groups, 1);
    size_t sizes = rg_carve_add(&l, s.n_folds, sizeof *s.sizes);
    char *block = rg_carve_alloc(&l);
    rg_splits *splits = NULL;
    if (block && rg_size_mul(&n_numbers, s.n_folds, s.n))
        splits = rg_splits_new(s.n_folds, n_numbers);
    bool fine = splits != NULL;
    if (fine) {
        s.order = (void *)(block + order);
        s.fold_of = (void *)(block + fold_of);
        s.part = (void *)(block + part);
        s.sizes = (void *)(block + sizes);
        for (size_t f = 0; f < s.n_folds; f++)
            s.sizes[f] = 0;
        double least = fmin(options->n_folds == 1 ? options->test : 1, options->validation);
        count_groups(&s);
        fine = !options->seed ||
               shuffle_groups(&s, options->seed, (double)s.n * (least > 0 ? least : 1) / 2);
    }
    if (fine) {
        qsort(s.order, n_groups, sizeof *s.order, by_size);
        restore_sizes(&s, (void *)(block + size));
        make_folds(splits, &s, (void *)(block + size), options);
        status = check_parts(splits, items, n_groups, err);
    } else {
        status = rg_fail_memory(err, "making splits");
    }
    rg_free(block);
    if (status)
        rg_splits_free(splits);
    else
        *out = splits;
    return status;
}
