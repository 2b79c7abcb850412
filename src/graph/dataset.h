/* dataset.h - the inside of a data set: one block, carved. */
#ifndef REGULA_GRAPH_DATASET_H
#define REGULA_GRAPH_DATASET_H

#include "regula/dataset.h"

/* Label columns of nodes, arcs or graphs. */
typedef struct rg_label_columns {
    size_t n_columns;
    uint32_t *ranks;     /* [column][item] */
    size_t *value_start; /* n_columns + 1: values of column c are value_start[c] .. [c+1] - 1 */
    int64_t *values;     /* ascending inside a column */
} rg_label_columns;

typedef struct rg_real_columns {
    size_t n_columns;
    double *data; /* [item][column] */
} rg_real_columns;

struct rg_dataset {
    void *block; /* everything, this struct included */
    size_t bytes;
    char *name;
    size_t n_graphs;
    uint64_t n_nodes, n_arcs;
    uint64_t *graph_start;      /* n_graphs + 1: first node of each graph */
    uint64_t *row;              /* n_nodes + 1: first arc of each node */
    uint32_t *col;              /* n_arcs: number of the neighbour inside its graph */
    rg_label_columns labels[3]; /* nodes, arcs, graphs */
    rg_real_columns reals[3];   /* nodes, arcs, graphs */
    rg_quirks quirks;
};

/* Which of the three a kind of column is about: 0 nodes, 1 arcs, 2 graphs. */
size_t rg_column_item(rg_column kind);
int rg_column_is_label(rg_column kind);

#endif
