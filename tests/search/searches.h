/* searches.h - small sets and short searches on them. */
#ifndef REGULA_TESTS_SEARCH_SEARCHES_H
#define REGULA_TESTS_SEARCH_SEARCHES_H

#include "search/search.h"
#include "support/support.h"

/* Rings of 8 nodes with labels 0 .. 7: two classes. */
static inline rg_dataset *searches_rings(size_t n)
{
    rg_generate_options options = rg_generate_options_default();
    rg_dataset *data = NULL;
    options.n_graphs = n;
    options.n_nodes = 8;
    ASSERT_OK(rg_dataset_generate(&data, RG_EVEN_ODD_RINGS_COUNT, &options, err));
    return data;
}

static inline rg_splits *searches_folds(const rg_dataset *data, size_t n)
{
    rg_split_options options = rg_split_options_default();
    rg_splits *splits = NULL;
    options.n_folds = n;
    options.test = 0.3;
    options.validation = 0.3;
    ASSERT_OK(rg_splits_make(&splits, data, &options, err));
    return splits;
}

/* A short search with so many candidates in the rounds. */
static inline rg_search_options searches_plan(size_t a, size_t b, size_t c, size_t d)
{
    rg_search_options options = rg_search_options_default();
    options.seconds = 60;
    options.epochs = 4;
    options.n_candidates[0] = a;
    options.n_candidates[1] = b;
    options.n_candidates[2] = c;
    options.n_candidates[3] = d;
    return options;
}

#endif
