/* dataset.h - the inside of a data set: one block, carved. */
#ifndef REGULA_GRAPH_DATASET_H
#define REGULA_GRAPH_DATASET_H

#include "regula/dataset.h"

/* Columns of labels (and classes) and those of reals lie in slots: of nodes, arcs and graphs, then
 * targets of nodes and of arcs. */
enum { RG_N_SLOTS = 5 };

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

typedef struct rg_mask_columns {
    size_t n_columns;
    uint8_t *data; /* [column][item] */
} rg_mask_columns;

/* Names: places in `text`, whose place 0 is the empty name: none. */
typedef struct rg_dataset_names {
    char *text;
    size_t n_text;
    size_t *values[RG_N_SLOTS];         /* beside the values of a slot's columns; NULL: none */
    size_t *columns[RG_N_COLUMN_KINDS]; /* one per column; NULL: none */
    size_t *graphs;                     /* one per graph; NULL: none */
} rg_dataset_names;

struct rg_dataset {
    void *block; /* everything, this struct included */
    size_t bytes;
    char *name;
    size_t n_graphs;
    uint64_t n_nodes, n_arcs;
    uint64_t *graph_start; /* n_graphs + 1: first node of each graph */
    uint64_t *row;         /* n_nodes + 1: first arc of each node */
    uint32_t *col;         /* n_arcs: number of the neighbour inside its graph */
    rg_label_columns labels[RG_N_SLOTS];
    rg_real_columns reals[RG_N_SLOTS];
    rg_mask_columns masks[3]; /* nodes, arcs, graphs */
    rg_dataset_names names;
    rg_quirks quirks;
    rg_sequence sequence;
};

/* Which of the three a kind of column is about: 0 nodes, 1 arcs, 2 graphs. */
size_t rg_column_item(rg_column kind);
int rg_column_is_label(rg_column kind);
int rg_column_is_mask(rg_column kind);
/* The slot of a kind that is no mask, and what the rows of a slot are of. */
size_t rg_column_slot(rg_column kind);
size_t rg_slot_item(size_t slot);
const char *rg_column_words(rg_column kind); /* "node labels": for messages */
/* How many nodes, arcs or graphs the columns are of. */
size_t rg_dataset_n_items(const rg_dataset *data, rg_column kind);

#endif
