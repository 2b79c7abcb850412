/* split_make.c - stratified folds and hold-out parts from a seed.
 *
 * k folds: the graphs of each class are shuffled, all classes are laid one after another, and the
 * graph at place p goes into the test set of fold p mod k. So the sizes of any two test sets, and
 * of any class in them, differ by one at most.
 * A share (validation, or the test set of a hold-out split): so many graphs of each class as its
 * proportion says, rounded down, and one more for the classes with the largest remainders until the
 * number is full. */
#include "regula/split.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sized.h"
#include "parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FOR_FOLDS = 1, FOR_TEST, FOR_VALIDATION };

static uint64_t stream(unsigned purpose, size_t item)
{
    return (uint64_t)purpose << 60 | item;
}

typedef struct maker {
    size_t n_graphs;
    size_t n_strata;         /* classes, and one more for graphs whose class is not known */
    const uint32_t *classes; /* NULL: one stratum */
    uint64_t seed;
    uint32_t *order;   /* n_graphs; scratch */
    uint32_t *test_of; /* n_graphs: the fold that tests a graph; n_folds if none does */
    uint8_t *chosen;   /* n_graphs: is the graph in the share that was chosen last? */
    size_t *size;      /* n_strata: how many candidates */
    size_t *quota;     /* n_strata: how many of them to choose */
    uint32_t *ranking; /* n_strata; scratch */
    char *block;
} maker;

RG_DEFINE_INIT(rg_split_options, RG_SPLIT_OPTIONS_INIT)

rg_status rg_split_options_check(const rg_split_options *given, rg_error *err)
{
    rg_split_options own = RG_SPLIT_OPTIONS_INIT, *options = &own;
    rg_status status = RG_TAKE(rg_split_options, &own, given, err);
    if (status)
        return status;
    if (options->n_folds < 1 || options->n_folds >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "found %zu folds, expected 1 to 4294967294",
                       options->n_folds);
    if (options->n_folds == 1 && !(options->test > 0 && options->test < 1))
        return rg_fail(err, RG_EUSAGE,
                       "found a test fraction of %g, expected more than 0 and less than 1",
                       options->test);
    if (!(options->validation >= 0 && options->validation < 1))
        return rg_fail(err, RG_EUSAGE,
                       "found a validation fraction of %g, expected at least 0 and less than 1",
                       options->validation);
    return RG_OK;
}

static size_t stratum(const maker *m, uint32_t graph)
{
    if (!m->classes)
        return 0;
    return m->classes[graph] == RG_NO_CLASS ? m->n_strata - 1 : m->classes[graph];
}

static bool maker_alloc(maker *m)
{
    rg_carve carve = {0};
    size_t order = rg_carve_add(&carve, m->n_graphs, sizeof *m->order);
    size_t test_of = rg_carve_add(&carve, m->n_graphs, sizeof *m->test_of);
    size_t chosen = rg_carve_add(&carve, m->n_graphs, sizeof *m->chosen);
    size_t size = rg_carve_add(&carve, m->n_strata + 1, sizeof *m->size);
    size_t quota = rg_carve_add(&carve, m->n_strata, sizeof *m->quota);
    size_t ranking = rg_carve_add(&carve, m->n_strata, sizeof *m->ranking);
    m->block = rg_carve_alloc(&carve);
    if (!m->block)
        return false;
    m->order = (void *)(m->block + order);
    m->test_of = (void *)(m->block + test_of);
    m->chosen = (void *)(m->block + chosen);
    m->size = (void *)(m->block + size);
    m->quota = (void *)(m->block + quota);
    m->ranking = (void *)(m->block + ranking);
    return true;
}

static void shuffled_graphs(maker *m, uint64_t draws)
{
    for (size_t k = 0; k < m->n_graphs; k++)
        m->order[k] = (uint32_t)k;
    rg_random_shuffle(m->seed, draws, m->order, m->n_graphs);
}

/* test_of[graph] for k folds. */
static void deal_folds(maker *m, size_t n_folds)
{
    size_t *place = m->size; /* of the next graph of each stratum, once all are laid out */
    memset(place, 0, (m->n_strata + 1) * sizeof *place);
    for (uint32_t graph = 0; graph < m->n_graphs; graph++)
        place[stratum(m, graph) + 1]++;
    for (size_t c = 0; c < m->n_strata; c++)
        place[c + 1] += place[c];
    shuffled_graphs(m, stream(FOR_FOLDS, 0));
    for (size_t k = 0; k < m->n_graphs; k++)
        m->test_of[m->order[k]] = (uint32_t)(place[stratum(m, m->order[k])]++ % n_folds);
}

/* Does class a come before class b when single graphs are handed out? The larger remainder of
 * n_choose * size / n does; of equal ones the larger class, then the first. */
static bool before(const maker *m, uint32_t a, uint32_t b, size_t n_choose, size_t n)
{
    uint64_t rest_a = (uint64_t)n_choose * m->size[a] % n;
    uint64_t rest_b = (uint64_t)n_choose * m->size[b] % n;
    if (rest_a != rest_b)
        return rest_a > rest_b;
    return m->size[a] != m->size[b] ? m->size[a] > m->size[b] : a < b;
}

/* Heap sort, the last in the order first: classes may be as many as graphs. */
static void rank_strata(maker *m, size_t n_choose, size_t n)
{
    uint32_t *heap = m->ranking;
    for (size_t c = 0; c < m->n_strata; c++)
        heap[c] = (uint32_t)c;
    for (size_t end = m->n_strata, root = end / 2; end > 1;) {
        if (root > 0) {
            root--;
        } else {
            uint32_t top = heap[0];
            heap[0] = heap[--end];
            heap[end] = top;
        }
        for (size_t i = root, child; (child = 2 * i + 1) < end; i = child) {
            if (child + 1 < end && before(m, heap[child], heap[child + 1], n_choose, n))
                child++;
            if (!before(m, heap[i], heap[child], n_choose, n))
                break;
            uint32_t item = heap[i];
            heap[i] = heap[child];
            heap[child] = item;
        }
    }
}

/* chosen[] for a share of the graphs that fold `fold` does not test (NO_FOLD: of all). At least one
 * is chosen and one left, if there are two. */
#define NO_FOLD UINT32_MAX
static void choose_share(maker *m, uint32_t fold, double share, uint64_t draws)
{
    memset(m->chosen, 0, m->n_graphs);
    memset(m->size, 0, m->n_strata * sizeof *m->size);
    size_t n = 0;
    for (uint32_t graph = 0; graph < m->n_graphs; graph++)
        if (fold == NO_FOLD || m->test_of[graph] != fold) {
            m->size[stratum(m, graph)]++;
            n++;
        }
    if (n < 2 || share <= 0)
        return;
    size_t n_choose = (size_t)floor(share * (double)n + 0.5), given = 0;
    n_choose = n_choose < 1 ? 1 : n_choose > n - 1 ? n - 1 : n_choose;
    for (size_t c = 0; c < m->n_strata; c++) {
        m->quota[c] = (size_t)((uint64_t)n_choose * m->size[c] / n);
        given += m->quota[c];
    }
    rank_strata(m, n_choose, n);
    for (size_t k = 0; given < n_choose; k++, given++)
        m->quota[m->ranking[k]]++;
    shuffled_graphs(m, draws);
    for (size_t k = 0; k < m->n_graphs; k++) {
        uint32_t graph = m->order[k];
        size_t *quota = &m->quota[stratum(m, graph)];
        if (*quota && (fold == NO_FOLD || m->test_of[graph] != fold)) {
            m->chosen[graph] = 1;
            --*quota;
        }
    }
}

/* One fold, ascending numbers in each part: test, train, validation. */
static void fill_fold(rg_splits *splits, const maker *m, size_t fold)
{
    size_t *start = splits->start + RG_PARTS * fold;
    for (int part = 0; part < RG_PARTS; part++) {
        size_t n = start[part];
        for (uint32_t graph = 0; graph < m->n_graphs; graph++) {
            int of = m->test_of[graph] == fold ? RG_PART_TEST
                     : m->chosen[graph]        ? RG_PART_VALIDATION
                                               : RG_PART_TRAIN;
            if (of == part)
                splits->graphs[n++] = graph;
        }
        start[part + 1] = n;
    }
}

static rg_status check_items(const rg_items *items, const rg_split_options *options, rg_error *err)
{
    size_t needed = options->n_folds == 1 ? 2 : options->n_folds;
    rg_status status = rg_split_options_check(options, err);
    if (status)
        return status;
    if (items->n < needed)
        return rg_fail(err, RG_EUSAGE, "%s: found %zu %ss, expected at least %zu for %zu fold%s",
                       items->name, items->n, items->word, needed, options->n_folds,
                       options->n_folds == 1 ? "" : "s");
    if (items->n >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "%s: found %zu %ss, expected at most 4294967294",
                       items->name, items->n, items->word);
    if (options->stratified && !items->classes)
        return rg_fail(err, RG_EUSAGE, "%s: found no classes, expected some for stratified splits",
                       items->name);
    return RG_OK;
}

static void make_folds(rg_splits *splits, maker *m, size_t n_folds, const rg_split_options *options)
{
    if (n_folds > 1) {
        deal_folds(m, n_folds);
    } else {
        choose_share(m, NO_FOLD, options->test, stream(FOR_TEST, 0));
        for (size_t k = 0; k < m->n_graphs; k++)
            m->test_of[k] = m->chosen[k] ? 0 : NO_FOLD;
    }
    for (size_t fold = 0; fold < n_folds; fold++) {
        choose_share(m, (uint32_t)fold, options->validation, stream(FOR_VALIDATION, fold));
        fill_fold(splits, m, fold);
    }
}

rg_status rg_splits_make_for(rg_splits **out, const rg_items *items,
                             const rg_split_options *options, rg_error *err)
{
    rg_split_options own = RG_SPLIT_OPTIONS_INIT;
    rg_status status = RG_TAKE(rg_split_options, &own, options, err);
    if (!status)
        status = check_items(items, &own, err);
    if (status)
        return status;
    rg_splits *splits = NULL;
    maker m = {.n_graphs = items->n, .n_strata = 1, .seed = own.seed};
    size_t n_folds = own.n_folds, n_numbers;
    if (own.stratified) {
        m.classes = items->classes;
        m.n_strata = items->n_classes + 1;
    }
    if (maker_alloc(&m) && rg_size_mul(&n_numbers, n_folds, m.n_graphs))
        splits = rg_splits_new(n_folds, n_numbers);
    if (splits) {
        make_folds(splits, &m, n_folds, &own);
        *out = splits;
    }
    rg_free(m.block);
    return splits ? RG_OK : rg_fail_memory(err, "making splits");
}

rg_status rg_splits_make(rg_splits **out, const rg_dataset *data, const rg_split_options *options,
                         rg_error *err)
{
    rg_items items = rg_dataset_items(data);
    return rg_splits_make_for(out, &items, options, err);
}
