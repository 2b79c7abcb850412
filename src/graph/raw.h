/* raw.h - what a reader or generator found, before it becomes a data set.
 *
 * Readers append to the arrays in whatever order their files come; rg_dataset_build checks, sorts,
 * drops, counts and packs. Node numbers are those of the whole set, from 0, in the order of the
 * source; `node_graph` says which graph each belongs to, in any order. */
#ifndef REGULA_GRAPH_RAW_H
#define REGULA_GRAPH_RAW_H

#include "dataset.h"
#include "value_names.h"

#include <stdbool.h>

/* Whole numbers by rows, n_rows x n_columns; n_columns is 0 until the first row is there. */
typedef struct rg_int_rows {
    int64_t *data;
    size_t n_rows, n_columns, capacity; /* capacity in numbers */
    /* Instead of data, for many columns of small numbers: [column][short_capacity rows]. */
    int16_t *shorts;
    size_t short_capacity;
} rg_int_rows;

typedef struct rg_real_rows {
    double *data;
    size_t n_rows, n_columns, capacity;
} rg_real_rows;

#define RG_MISSING INT64_MIN /* a class that is not known */

typedef struct rg_raw {
    char *name;
    size_t n_graphs;
    uint32_t *node_graph; /* graph of each node, 0 .. n_graphs-1 */
    size_t n_nodes, node_capacity;
    uint32_t (*pairs)[2]; /* edges as listed: numbers of nodes inside the set */
    size_t n_pairs, pair_capacity;
    rg_int_rows node_labels, edge_labels, classes;          /* rows: nodes, pairs, graphs */
    rg_real_rows node_attributes, edge_attributes, targets; /* or no rows at all */
    rg_int_rows node_classes, edge_classes;                 /* RG_MISSING: not known */
    rg_real_rows node_targets, edge_targets;                /* NaN: not known */
    rg_int_rows masks[3];                                   /* nodes, pairs, graphs: 0 or 1 */
    rg_raw_names names;
    rg_quirks quirks; /* what the reader itself saw; the build adds the rest */
    rg_sequence sequence;

    /* Where a pair came from, for messages: file (borrowed; NULL: unknown), line of pair 0 (pair k
     * is on line first + k) and the number that node 0 has in the file. */
    const char *pair_file;
    size_t pair_first_line;
    uint32_t pair_base;
} rg_raw;

static inline int64_t rg_int_rows_at(const rg_int_rows *rows, size_t row, size_t column)
{
    return rows->shorts ? rows->shorts[column * rows->short_capacity + row]
                        : rows->data[row * rows->n_columns + column];
}

/* Rows of labels or of reals by their slot (dataset.h). */
rg_int_rows *rg_raw_ints(rg_raw *raw, size_t slot);
rg_real_rows *rg_raw_reals(rg_raw *raw, size_t slot);

void rg_raw_free(rg_raw *raw); /* frees the arrays, not the struct; leaves it empty */

/* Appending; false if memory is short. */
bool rg_raw_add_node(rg_raw *raw, uint32_t graph);
bool rg_raw_add_pair(rg_raw *raw, uint32_t a, uint32_t b);
/* Room for one more row of `n_columns` numbers, to be filled in; NULL if memory is short. All rows
 * of an array have the same number of columns (the caller checks). */
int64_t *rg_int_rows_add(rg_int_rows *rows, size_t n_columns);
double *rg_real_rows_add(rg_real_rows *rows, size_t n_columns);
/* A row of small numbers, in rows that all are such. A quarter of the memory, and columns that are
 * read one after another lie one after another. False if memory is short. */
bool rg_int_rows_add_short(rg_int_rows *rows, size_t n_columns, const int16_t *row);

/* Names, in any order, before or after the rows (rg_dataset_value_name and so on). The name is
 * copied. Of two for the same thing the first counts; one for a value that does not occur is
 * dropped. False if memory is short. */
bool rg_raw_name_value(rg_raw *raw, rg_column kind, size_t column, int64_t value, const char *name);
bool rg_raw_name_column(rg_raw *raw, rg_column kind, size_t column, const char *name);
bool rg_raw_name_graph(rg_raw *raw, size_t graph, const char *name);

/* Build the data set. raw is moved: emptied as soon as its parts are used, also on failure.
 * Checks what only the whole can tell: numbers of rows agree, nodes exist, an edge stays inside its
 * graph. Nodes keep their order inside a graph. Edges with conflicting labels keep those listed
 * first. Memory: raw, the set, and 4 bytes per listed edge. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dataset_build(rg_dataset **out, rg_raw *raw, rg_error *err);

#endif
