/* value_names.h - names of values, columns and graphs, from a reader to the block of a data set. */
#ifndef REGULA_GRAPH_VALUE_NAMES_H
#define REGULA_GRAPH_VALUE_NAMES_H

#include "dataset.h"

#include <stdbool.h>

typedef enum rg_name_of { RG_NAME_OF_VALUE, RG_NAME_OF_COLUMN, RG_NAME_OF_GRAPH } rg_name_of;

typedef struct rg_raw_name {
    rg_name_of of;
    rg_column kind;
    size_t column; /* or graph */
    int64_t value;
    size_t at; /* in the text */
} rg_raw_name;

typedef struct rg_raw_names {
    char *text; /* names one after another, each with its zero, after an empty one */
    size_t n_text, text_capacity;
    rg_raw_name *names;
    size_t n, capacity;
} rg_raw_names;

void rg_raw_names_free(rg_raw_names *names);
/* name.at is set here. An empty name is none. False if memory is short. */
bool rg_raw_names_add(rg_raw_names *names, rg_raw_name name, const char *text);
/* Is there one of a value of this kind (columns, graphs: any at all of the kind)? O(n). */
bool rg_raw_names_any(const rg_raw_names *names, rg_name_of of, rg_column kind);

/* Fills the names of a data set whose columns and values are there and whose places are cleared. */
void rg_dataset_fill_names(rg_dataset *data, const rg_raw_names *names);

#endif
