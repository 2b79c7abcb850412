/* text_values.h - from texts to the values that they stand for. */
#ifndef REGULA_ASSEMBLY_TEXT_VALUES_H
#define REGULA_ASSEMBLY_TEXT_VALUES_H

#include "graph/raw.h"
#include "regula/build.h"

bool rg_column_may_miss(rg_column kind); /* classes and targets may be not known */

/* Fills one column of the rows from the texts of `from`, and names the values; in: `like` and `known`
 * are looked at. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_text_values(rg_raw *raw, rg_int_rows *rows, const rg_graph_columns *from,
                                       size_t column, const rg_graph_arrays *in, rg_error *err);

#endif
