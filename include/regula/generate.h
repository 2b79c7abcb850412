/* generate.h - the synthetic sets of the paper, and arrays for rules on fixed shapes, from a seed.
 */
#ifndef REGULA_GENERATE_H
#define REGULA_GENERATE_H

#include "arrays.h"
#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every graph has its nodes in a random order of its own. Classes are numbered from 0.
 *
 * LongRings: a ring; labels 1, 2, 3, 4 a quarter of it apart, all others 0. Class 0, 1, 2: label 2,
 * 3, 4 faces label 1. Equally many graphs per class.
 *
 * EvenOddRings: a ring with labels 0 .. size-1 in random order; x faces label 0, y and z are half
 * as far from it. Class 2 * (x odd) + (y + z odd). Equally many per class.
 *
 * EvenOddRingsCount: the same rings. Class 1 if more sums of two facing labels are odd than even,
 * else 0 (a tie is 0, as in the published set). Equally many per class.
 *
 * CSL: a ring 0 .. size-1, i joined to i + skip too; label 0 everywhere. Class k: the k-th skip
 * whose graph is not that of a smaller one (2, 3, 4, 5, 6, 9, 11, 12, 13, 16 for 41 nodes). Equally
 * many per class, class by class.
 *
 * Snowflakes: a circle with one of M_0 .. M_3, drawn at random, at each node (15 nodes and 24 edges
 * each); one node of the circle, drawn at random, has label 1, all others 0. The class is its M, so
 * classes are not balanced. Equally many graphs per circle length, short ones first.
 *
 * SnowflakeParts: M_0 .. M_3 alone; the root has label 1. The class is its M. One graph each, or
 * equally many.
 *
 * No two graphs of a set are equal as listed (labels and edges by node numbers). No two graphs of
 * EvenOddRings, or of EvenOddRingsCount, are isomorphic; LongRings and CSL have one per class up
 * to isomorphism, and Snowflakes may repeat, above all short circles: so do the published sets.
 * From one seed, size and number both EvenOdd sets go over the same random rings and take those
 * whose class has room: about three quarters of their graphs are the same. */
typedef enum rg_generator {
    RG_NO_GENERATOR = -1,
    RG_LONG_RINGS,
    RG_EVEN_ODD_RINGS,
    RG_EVEN_ODD_RINGS_COUNT,
    RG_CSL,
    RG_SNOWFLAKES,
    RG_SNOWFLAKE_PARTS,
    RG_N_GENERATORS
} rg_generator;

/* "LongRings", "EvenOddRings", ... (NULL: no such generator), and back (RG_NO_GENERATOR: none; case
 * does not matter). Borrowed, static. */
RG_API const char *rg_generator_name(rg_generator generator);
RG_API rg_generator rg_generator_find(const char *name);

/* 0 means: as in the paper. A size that a generator has no use for must be 0. */
typedef struct rg_generate_options {
    size_t size; /* sizeof(rg_generate_options): RG_GENERATE_OPTIONS_INIT sets it */
    uint64_t seed;
    size_t n_graphs;    /* 1200 rings; CSL: 15 per class; Snowflakes: 100 per circle length
                        (1000); SnowflakeParts: 4 */
    uint32_t n_nodes;   /* of a ring: 100, 16, 16, a multiple of 4 from 8 on; CSL: 41, from 8 */
    uint32_t smallest;  /* Snowflakes: shortest circle, 3 */
    uint32_t largest;   /* Snowflakes: longest circle, 12 */
    unsigned n_threads; /* 0: as many as processors */
} rg_generate_options;

#define RG_GENERATE_OPTIONS_INIT RG_OPTIONS(rg_generate_options, .seed = 0)
RG_OPTIONS_FUNCTIONS(rg_generate_options)
/* RG_EUSAGE with what is wrong, e.g. "1201 graphs cannot be split into 3 equal classes". */
RG_API RG_MUST_CHECK rg_status rg_generate_options_check(const rg_generate_options *options,
                                                         rg_generator generator, rg_error *err);

/* out: owned by the caller (rg_dataset_free), untouched on failure. options: NULL for the defaults.
 * Same generator and options, same bytes, on any number of threads. Cost: O(nodes), as long as
 * graphs that differ are easy to find. RG_EUSAGE (options that cannot be met, or fewer graphs that
 * differ than asked for: 2^20 draws in a row gave no new one), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_generate(rg_dataset **out, rg_generator generator,
                                                   const rg_generate_options *options,
                                                   rg_error *err);

/* Shapes: square images of one figure each, at a random place, of a random size and brightness,
 * filled or hollow, on a dark ground, with noise. Class 0 a rectangle, 1 an ellipse, 2 a triangle
 * that points to one of four sides, 3 a cross. Equally many images per class, in random order;
 * values from 0 to 1. */
typedef struct rg_shapes_options {
    size_t size; /* sizeof(rg_shapes_options): RG_SHAPES_OPTIONS_INIT sets it */
    uint64_t seed;
    size_t n_images; /* a multiple of 4; 2000 */
    uint32_t side;   /* rows and columns, 12 to 1024; 28 */
    double noise;    /* standard deviation of the noise of a value, 0 to 1; 0.1 */
} rg_shapes_options;

#define RG_SHAPES_OPTIONS_INIT \
    RG_OPTIONS(rg_shapes_options, .n_images = 2000, .side = 28, .noise = 0.1)
RG_OPTIONS_FUNCTIONS(rg_shapes_options)
RG_API RG_MUST_CHECK rg_status rg_shapes_options_check(const rg_shapes_options *options,
                                                       rg_error *err);
/* out: owned by the caller (rg_arrays_free), untouched on failure. options: NULL for the defaults.
 * Same options, same bytes. Cost: O(values). RG_EUSAGE, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_generate(rg_arrays **out, const rg_shapes_options *options,
                                                  rg_error *err);

/* Switches: vectors of normal values. The signs of the first n_switches say which signs the others
 * have in a sum, drawn by the seed, and opposite switches give opposite signs; class 1: the sum is
 * above 0. It is never close to 0: at least half a standard deviation away. Equally many vectors per
 * class, in random order. */
typedef struct rg_switches_options {
    size_t size; /* sizeof(rg_switches_options): RG_SWITCHES_OPTIONS_INIT sets it */
    uint64_t seed;
    size_t n_vectors;    /* even; 4000 */
    uint32_t n_switches; /* 1 to 8; 5 */
    uint32_t n_values;   /* behind the switches; 8 */
} rg_switches_options;

#define RG_SWITCHES_OPTIONS_INIT \
    RG_OPTIONS(rg_switches_options, .n_vectors = 4000, .n_switches = 5, .n_values = 8)
RG_OPTIONS_FUNCTIONS(rg_switches_options)
RG_API RG_MUST_CHECK rg_status rg_switches_options_check(const rg_switches_options *options,
                                                         rg_error *err);
/* As rg_arrays_generate. */
RG_API RG_MUST_CHECK rg_status rg_switches_generate(rg_arrays **out,
                                                    const rg_switches_options *options,
                                                    rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
