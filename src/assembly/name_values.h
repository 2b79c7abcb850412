/* name_values.h - which value a name stands for, while sets are made from names or joined. */
#ifndef REGULA_ASSEMBLY_NAME_VALUES_H
#define REGULA_ASSEMBLY_NAME_VALUES_H

#include "base/table.h"
#include "graph/dataset.h"

/* Begins with rg_name_values_open; of one column. */
typedef struct rg_name_values {
    rg_table *names; /* number of a name: its place in `values` */
    rg_table *used;  /* values that occur, as bytes; their place in `named`, too */
    int64_t *values; /* of each name */
    bool *named;     /* has the used value a name? */
    size_t values_capacity, named_capacity;
    int64_t next; /* larger than every value that is used */
} rg_name_values;

/* False if memory is short; to be closed then, too. */
bool rg_name_values_open(rg_name_values *known);
void rg_name_values_close(rg_name_values *known);
/* The value that a name stands for; false: it is new. */
bool rg_name_values_find(int64_t *value, const rg_name_values *known, const char *name);
/* A value that occurs, with its name or NULL; *value becomes the one that the name has already, or
 * a new one if another name has that value. RG_ENOMEM; RG_EDATA if there is no new one. */
RG_MUST_CHECK rg_status rg_name_values_add(int64_t *value, rg_name_values *known, const char *name,
                                           rg_error *err);
/* All values of a column of a set; values: changed as above, NULL: not wanted. */
RG_MUST_CHECK rg_status rg_name_values_add_column(int64_t *values, rg_name_values *known,
                                                  const rg_dataset *data, rg_column kind,
                                                  size_t column, rg_error *err);

#endif
