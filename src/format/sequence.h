/* sequence.h - texts as sequences: what files and lines in memory share. */
#ifndef REGULA_FORMAT_SEQUENCE_H
#define REGULA_FORMAT_SEQUENCE_H

#include "base/table.h"
#include "graph/raw.h"

/* Begins as {0} and rg_texts_open. */
typedef struct rg_texts {
    rg_raw raw;      /* a graph for each text; its sequence is the kind */
    rg_table *words; /* every token once */
    rg_table *values;
    const char *name; /* for messages; borrowed */
} rg_texts;

RG_MUST_CHECK rg_status rg_texts_open(rg_texts *s, rg_sequence kind, rg_error *err);
void rg_texts_close(rg_texts *s);
/* Appends one text, n bytes that begin at column `at` (from 0) of line `number`. RG_EDATA (nothing
 * but blanks, no UTF-8), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_texts_add(rg_texts *s, const char *text, size_t n, size_t number,
                                     size_t at, rg_error *err);

#endif
