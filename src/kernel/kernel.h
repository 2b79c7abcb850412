/* kernel.h - baselines that are a kernel and support vector machines: settings. */
#ifndef REGULA_KERNEL_KERNEL_H
#define REGULA_KERNEL_KERNEL_H

#include "baseline/baseline.h"

typedef enum rg_kernel_kind {
    RG_KERNEL_NOG, /* counts of labels, radial */
    RG_KERNEL_WL,
    RG_KERNEL_WL_OA,
    RG_KERNEL_PATHS,
    RG_KERNEL_GRAPHLET,
    RG_KERNEL_CYCLES,
    RG_N_KERNELS
} rg_kernel_kind;

typedef struct rg_kernel {
    rg_kernel_kind kind;
    double c;            /* > 0 */
    double gamma;        /* nog; 0: "scale" */
    uint32_t iterations; /* wl, wl-oa */
    bool edges;          /* the same: with edge labels */
    uint32_t distance;   /* shortest-path; 0: any */
    bool logarithm;      /* graphlet, cycles */
    uint64_t budget;     /* the same: steps in a graph */
    bool normalise;      /* all but nog */
    char *labels;        /* a labeling in normal form, owned; NULL: auto, or the kernel has none */
    char *counts;        /* graphlet, cycles: likewise, never NULL there */
} rg_kernel;

/* The kind goes by the key `model`. *settings: an rg_kernel, owned. For the tables of the kinds. */
RG_MUST_CHECK rg_status rg_kernel_parse(void **settings, const rg_yaml *root, rg_error *err);
void rg_kernel_free(void *settings); /* NULL is fine */
void rg_kernel_print(rg_text *out, const void *settings, bool prepared_only);

#endif
