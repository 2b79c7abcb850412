/* graphs.h - a few graphs for fuzz inputs that need some. */
#ifndef REGULA_FUZZ_GRAPHS_H
#define REGULA_FUZZ_GRAPHS_H

#include "check.h"
#include "graph/raw.h"

/* No node, one node, a triangle with a tail, a path; two columns of labels, two attributes;
 * classes 0 and 1. Owned. */
static inline rg_dataset *fuzz_graphs(void)
{
    static const uint32_t sizes[] = {0, 1, 5, 3};
    static const uint32_t pairs[][2] = {{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}, {6, 7}, {7, 8}};
    rg_raw raw = {.n_graphs = 4};
    rg_dataset *data = NULL;
    for (uint32_t g = 0; g < 4; g++)
        for (uint32_t i = 0; i < sizes[g]; i++) {
            CHECK(rg_raw_add_node(&raw, g));
            int64_t *labels = rg_int_rows_add(&raw.node_labels, 2);
            double *attributes = rg_real_rows_add(&raw.node_attributes, 2);
            CHECK(labels && attributes);
            labels[0] = 3 + 2 * (int64_t)(i % 2);
            labels[1] = i == 2 ? 7 : 0;
            attributes[0] = attributes[1] = (double)i / 4;
        }
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        CHECK(rg_raw_add_pair(&raw, pairs[k][0], pairs[k][1]));
        int64_t *label = rg_int_rows_add(&raw.edge_labels, 1);
        CHECK(label);
        *label = (int64_t)k % 2;
    }
    for (int64_t g = 0; g < 4; g++) {
        int64_t *class = rg_int_rows_add(&raw.classes, 1);
        CHECK(class);
        *class = g % 2;
    }
    CHECK(rg_dataset_build(&data, &raw, NULL) == RG_OK);
    return data;
}

#endif
