/* generate.h - the synthetic sets of the paper, from a seed. */
#ifndef REGULA_GENERATE_H
#define REGULA_GENERATE_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rg_generator {
    RG_LONG_RINGS,     /* cycles with four marked nodes; the class is which one faces node 1 */
    RG_EVEN_ODD_RINGS, /* labelled cycles; parity of the labels 8 and 4 steps from label 0 */
    RG_EVEN_ODD_RINGS_COUNT, /* the same; are more sums of opposite labels even or odd? */
    RG_CSL,                  /* circular skip links; the class is the skip */
    RG_SNOWFLAKES, /* circles with M_0 .. M_3 attached; the class is the one at the mark */
    RG_N_GENERATORS
} rg_generator;

/* "LongRings", "EvenOddRings", ..., and back (RG_N_GENERATORS: none; case does not matter). */
RG_API const char *rg_generator_name(rg_generator generator);
RG_API rg_generator rg_generator_find(const char *name);

/* 0 means: as in the paper. */
typedef struct rg_generate_options {
    uint64_t seed;
    size_t n_graphs;   /* 1200, 1200, 1200, 150, 1000 */
    uint32_t size;     /* nodes of a ring: 100, 16, 16; of a CSL graph: 41; else unused */
    uint32_t smallest; /* Snowflakes: shortest circle, 3 */
    uint32_t largest;  /* Snowflakes: longest circle, 12 */
    unsigned n_threads;
} rg_generate_options;

RG_API rg_generate_options rg_generate_options_default(void);
RG_API RG_MUST_CHECK rg_status rg_generate_options_check(const rg_generate_options *options,
                                                         rg_generator generator, rg_error *err);

/* out: owned by the caller (rg_dataset_free), untouched on failure. Same generator and options,
 * same bytes, on any number of threads. RG_EUSAGE (options that cannot be met, e.g. more distinct
 * graphs than exist), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_generate(rg_dataset **out, rg_generator generator,
                                                   const rg_generate_options *options,
                                                   rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
