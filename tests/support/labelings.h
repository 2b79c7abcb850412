/* labelings.h - a labeling fitted in one call, and its labels as text. */
#ifndef REGULA_TESTS_SUPPORT_LABELINGS_H
#define REGULA_TESTS_SUPPORT_LABELINGS_H

#include "support.h"

#include <stdio.h>

/* One fit on everything, with its labels; both are the caller's. */
static inline rg_labeling *test_fit(rg_labels **labels, const char *spec, const rg_dataset *data)
{
    rg_labeling *labeling = NULL;
    rg_label_options options = rg_label_options_default();
    options.n_threads = 1;
    ASSERT_OK(rg_labeling_fit(&labeling, labels, spec, data, NULL, 0, &options, err));
    return labeling;
}

/* The labels of all nodes as text, "0 1 0 | 2": graphs are separated by bars. Owned (free). */
static inline char *test_labels_text(const rg_dataset *data, const rg_labels *labels)
{
    char *text =
             calloc((size_t)rg_dataset_n_nodes(data) * 12 + rg_dataset_n_graphs(data) * 3 + 1, 1),
         *at = text;
    assert_non_null(text);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        if (g)
            at += sprintf(at, at == text || at[-1] == ' ' ? "| " : " | ");
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            at += sprintf(at, "%s%u", i ? " " : "", rg_labels_data(labels)[graph.first_node + i]);
    }
    return text;
}

#endif
