/* pairs.h - sets of one graph, and a property on it, for tests. */
#ifndef REGULA_TESTS_PROPERTY_PAIRS_H
#define REGULA_TESTS_PROPERTY_PAIRS_H

#include "graph/raw.h"
#include "support/support.h"

#include <string.h>

/* A set of one graph with n nodes; one label a pair, or NULL. */
static inline rg_dataset *test_edges(uint32_t n, const uint32_t (*pairs)[2], const int64_t *labels,
                                     size_t n_pairs)
{
    rg_raw raw = {.n_graphs = 1};
    for (uint32_t i = 0; i < n; i++)
        assert_true(rg_raw_add_node(&raw, 0));
    for (size_t k = 0; k < n_pairs; k++) {
        assert_true(rg_raw_add_pair(&raw, pairs[k][0], pairs[k][1]));
        if (!labels)
            continue;
        int64_t *row = rg_int_rows_add(&raw.edge_labels, 1);
        assert_non_null(row);
        *row = labels[k];
    }
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

/* Standing at graph 0. Owned (rg_property_space_free). */
static inline rg_property_space *test_space(const rg_dataset *data, rg_property property)
{
    rg_property_space *space = NULL;
    ASSERT_OK(rg_property_space_new(&space, &property, data, err));
    ASSERT_OK(rg_property_space_graph(space, 0, err));
    return space;
}

#endif
