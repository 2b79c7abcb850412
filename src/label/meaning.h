/* meaning.h - labels by what they mean, so that labels of different fits can be compared. */
#ifndef REGULA_LABEL_MEANING_H
#define REGULA_LABEL_MEANING_H

#include "base/table.h"
#include "labeling.h"

/* What is known of the data of one fit. Whatever means the same has one number in `words`, which all fits that
 * are compared share. */
typedef struct rg_meanings {
    rg_table *words;               /* kept */
    const rg_value_name *names[2]; /* of values, by kind, column and value; kept */
    size_t n_names[2];
    bool by_value; /* values without a name mean the same in all sets */
} rg_meanings;

/* The number of what n words mean together; RG_TABLE_NONE: no memory. */
uint32_t rg_meaning_of_words(const rg_meanings *m, const uint32_t *words, size_t n);
/* The number of a value in a column of the data files; RG_UNSEEN: nobody says what it means. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_meaning_of_value(uint32_t *out, const rg_meanings *m, rg_column kind,
                                            size_t column, int64_t value, rg_error *err);
/* out[label]: its number, RG_UNSEEN where that is nothing other fits could have: "other", "unseen", labels of smaller
 * depths, values that have no name, and all labels of wl2 and marked. [rg_labeling_size] of them. O(keys). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_labeling_meanings(uint32_t *out, const rg_labeling *labeling,
                                             const rg_meanings *m, rg_error *err);

#endif
