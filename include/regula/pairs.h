/* pairs.h - numbers p(i,j) that you give: from a file, from memory, or from a function of your own.
 * Data flow: PAIR TABLE -> rule.
 *
 * A rule may use them by name, as it uses properties: share near(i,j) when near(i,j) != 0. They need
 * not be symmetric, m outputs and n inputs may differ, and pairs that are not listed have 0. A table is
 * for all samples of one shape, or has numbers of its own for every sample. docs/tables.md. */
#ifndef REGULA_PAIRS_H
#define REGULA_PAIRS_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_pair_table rg_pair_table; /* never changes; any thread may use it */

/* Numbers of one pair; places count from 0. Final: the fields will not change. */
typedef struct rg_pair_entry {
    uint32_t sample, i, j; /* sample: 0 if there is one table for all; j: 0 of places alone */
    int64_t value;         /* not INT64_MIN */
} rg_pair_entry;

/* What a table is like. Final: the fields will not change. */
typedef struct rg_pair_info {
    int per_sample;     /* every sample has numbers of its own */
    int n_places;       /* 2: of pairs (i,j); 1: of i alone */
    int exact;          /* rows and columns are known, and must be those of a layer; else any */
    size_t n_samples;   /* 1 if there is one table for all */
    uint64_t n_entries; /* that are not 0 */
    int64_t lowest, highest; /* of all numbers, 0 among them */
} rg_pair_info;

/* From entries in any order. rows, cols: of every table; 0: any that hold the entries.
 * n_samples: 0: one table for all samples. out: owned (rg_pair_table_free), untouched on failure.
 * O(entries log entries). RG_EUSAGE (a pair twice, a number beyond the table), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_pair_table_new(rg_pair_table **out, const rg_pair_entry *entries,
                                                 size_t n_entries, int n_places, size_t n_samples,
                                                 uint32_t rows, uint32_t cols, rg_error *err);

/* From a file: a matrix as text or .npy, or a list of pairs (docs/tables.md). As rg_pair_table_new;
 * RG_EDATA with line and column or byte, RG_EIO. */
RG_API RG_MUST_CHECK rg_status rg_pair_table_read(rg_pair_table **out, const char *path,
                                                  rg_error *err);

/* Asks a function for the numbers of all pairs of nodes of every graph (n_places 1: of all nodes, with
 * j 0), one after another, in this thread. What is kept is the table: the function is not needed
 * afterwards. A status of the function that is not RG_OK ends it, and is returned with sample and place
 * before the message that it wrote into err. RG_EUSAGE, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status
rg_pair_table_of_graphs(rg_pair_table **out, const rg_dataset *data, int n_places,
                        rg_status (*number)(void *context, size_t sample, uint32_t i, uint32_t j,
                                            int64_t *out, rg_error *err),
                        void *context, rg_error *err);
/* The same for rows x cols pairs of n_samples samples; 0: one table for all of them. */
RG_API RG_MUST_CHECK rg_status rg_pair_table_of_shape(
    rg_pair_table **out, size_t n_samples, uint32_t rows, uint32_t cols, int n_places,
    rg_status (*number)(void *context, size_t sample, uint32_t i, uint32_t j, int64_t *out,
                        rg_error *err),
    void *context, rg_error *err);
RG_API void rg_pair_table_free(rg_pair_table *table); /* NULL is fine */

RG_API rg_pair_info rg_pair_table_describe(const rg_pair_table *table);
/* The number of a pair, 0 if it is not listed. sample: not looked at if there is one table for all.
 * O(log entries). */
RG_API int64_t rg_pair_table_value(const rg_pair_table *table, size_t sample, uint32_t i,
                                   uint32_t j);

#ifdef __cplusplus
}
#endif

#endif
