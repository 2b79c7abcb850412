/* pair_table.h - the inside of a table of pairs: entries of each sample, ascending by i and j. */
#ifndef REGULA_PROPERTY_PAIR_TABLE_H
#define REGULA_PROPERTY_PAIR_TABLE_H

#include "regula/pairs.h"
#include "text/reader.h"

struct rg_pair_table {
    rg_pair_info info;
    int64_t head[3];       /* for model files */
    uint32_t *rows, *cols; /* [sample]: exact ones, or what the entries need; owned as all arrays */
    uint64_t *start;       /* [sample + 1]: first entry */
    uint64_t *key;         /* i in the high half, j in the low one */
    int64_t *value;        /* never 0 */
};

/* An empty table for n_samples samples (0: all share one) and entries that are to be filled in, with
 * start, rows and cols; rg_pair_table_check ends it. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pair_table_room(rg_pair_table **out, size_t n_samples, size_t n_entries,
                                           rg_error *err);
/* Are the arrays those of a table? Fills in lowest and highest. RG_EDATA. */
RG_MUST_CHECK rg_status rg_pair_table_check(rg_pair_table *table, rg_error *err);
/* A table of its own. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pair_table_copy(rg_pair_table **out, const rg_pair_table *table,
                                           rg_error *err);
/* pair_read.c: from what a reader gives: text, or .npy. As rg_pair_table_read. */
RG_MUST_CHECK rg_status rg_pair_table_from(rg_pair_table **out, rg_reader *in, bool npy,
                                           rg_error *err);
/* Entries of row i: *first and how many. */
size_t rg_pair_table_row(const rg_pair_table *table, size_t sample, uint32_t i, uint64_t *first);

#endif
