/* parts.h - making splits: parts are filled one after another, then packed. */
#ifndef REGULA_SPLIT_PARTS_H
#define REGULA_SPLIT_PARTS_H

#include "regula/split.h"
#include "text/reader.h"

/* Three parts a fold, in the order in which they are listed in a file. */
enum { RG_PART_TEST, RG_PART_TRAIN, RG_PART_VALIDATION, RG_PARTS };

/* Part p of fold f is graphs[start[RG_PARTS * f + p]] up to the next start. */
struct rg_splits {
    size_t n_folds;
    size_t *start; /* RG_PARTS * n_folds + 1 */
    uint32_t *graphs;
};

/* Room for n_folds folds of n_numbers graph numbers together; start[0] is 0, the rest is the
 * caller's to fill in. Owned (rg_splits_free); NULL if memory is short. */
rg_splits *rg_splits_new(size_t n_folds, size_t n_numbers);

/* rg_splits_read from text that is open already; its name is for messages. out: owned. RG_EDATA,
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_splits_take(rg_splits **out, rg_reader *in, rg_error *err);

/* Bounds of a file: bytes, and numbers, which the tree in memory goes by (some 50 bytes each). */
#define RG_SPLIT_FILE_MAX ((size_t)64 << 20)
#define RG_SPLIT_NUMBERS_MAX ((size_t)8 << 20)

/* As in a file of splits. Owned (rg_free); NULL: no memory. */
char *rg_splits_json(const rg_splits *splits);

#endif
