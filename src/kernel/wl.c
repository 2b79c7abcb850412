/* wl.c - the labels of all rounds of Weisfeiler and Leman: kernels by their product and minimum. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel.h"
#include "label/labeling.h"

rg_status rg_counts_wl(rg_counts **layers, uint32_t depth, bool edges, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err)
{
    size_t n = (size_t)rg_dataset_n_nodes(data), n_all = 0;
    bool labelled = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    const char *spec = options->labels ? options->labels : labelled ? "node" : "trivial";
    rg_labeling *labeling = NULL;
    rg_labels *from = NULL;
    uint32_t *rounds = NULL, *sizes = rg_alloc(depth + (size_t)1, sizeof *sizes);
    for (uint32_t d = 0; d <= depth; d++)
        layers[d] = NULL;
    if (rg_size_mul(&n_all, n, depth + (size_t)1))
        rounds = rg_alloc(n_all, sizeof *rounds);
    rg_status status = rounds && sizes ? RG_OK : rg_fail_memory(err, "the counts of a kernel");
    if (!status)
        status = rg_labeling_fit(&labeling, &from, spec, data, options->fit, options->n_fit,
                                 &options->label, err);
    if (!status)
        status = rg_wl_rounds(rounds, sizes, rg_labels_data(from), depth, edges, data,
                              &options->label, err);
    for (uint32_t d = 0; !status && d <= depth; d++)
        status = rg_counts_of_nodes(&layers[d], data, rounds + d * n, sizes[d], err);
    for (uint32_t d = 0; status && d <= depth; d++) {
        rg_counts_free(layers[d]);
        layers[d] = NULL;
    }
    rg_labels_free(from);
    rg_labeling_free(labeling);
    rg_free(rounds);
    rg_free(sizes);
    return status;
}

/* ---- the kernels */

typedef struct wl_kernel {
    rg_kernel base;
    bool edges; /* with edge labels */
} wl_kernel;

static const rg_kernel_setting iterations = {
    .help = {"iterations", "0 .. 64",
             "rounds of refinement; the kernel sums over all rounds from 0 on"},
    .offset = offsetof(rg_kernel, iterations),
    .low = 0,
    .high = 64,
};

static const rg_kernel_setting with_edges =
    RG_KERNEL_FLAG("edges", "also refine by edge labels", wl_kernel, edges);

static rg_status count(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err)
{
    bool edges = ((const wl_kernel *)k)->edges;
    return rg_counts_wl(layers, (uint32_t)k->iterations, edges, data, options, err);
}

#define ROUNDS                                                  \
    .size = sizeof(wl_kernel), .iterations = 5, .count = count, \
    .settings = {&iterations, &rg_kernel_labels, &with_edges, &rg_kernel_normalise, &rg_kernel_c}

const rg_baseline_kind rg_baseline_wl =
    RG_KERNEL("wl", "Weisfeiler-Leman subtree kernel, SVM", ROUNDS);
const rg_baseline_kind rg_baseline_wl_oa = RG_KERNEL(
    "wl-oa", "Weisfeiler-Leman optimal assignment kernel, SVM", ROUNDS, .gram = RG_GRAM_MINIMUM);
