/* ogb_nodes.h - what OGB's node-level sets have and its graph-level sets have not: sparse features
 * and lists of the nodes of the parts. */
#ifndef REGULA_FORMAT_OGB_NODES_H
#define REGULA_FORMAT_OGB_NODES_H

#include "graph/raw.h"
#include "text/reader.h"

/* Rows of COLUMN:VALUE, columns from 0 and ascending; what is not said is 0. */
typedef struct rg_sparse_rows {
    uint32_t *column;
    double *value;
    size_t n, column_capacity, value_capacity;
    size_t *start; /* of row k; a last row ends at n */
    size_t n_rows, row_capacity;
    size_t n_filled; /* rows up to the last that has a number */
    uint32_t n_columns;
} rg_sparse_rows;

void rg_sparse_rows_free(rg_sparse_rows *rows);
/* One row per line, also of an empty one. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_sparse_rows_read(rg_sparse_rows *rows, rg_reader *in, rg_error *err);
/* The first n_rows rows with all their zeros; later ones are empty. file: for messages. RG_EDATA (far more
 * zeros than numbers), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_sparse_rows_fill(rg_real_rows *out, const rg_sparse_rows *rows,
                                            size_t n_rows, const char *file, rg_error *err);

/* Numbers of nodes, one per line. */
typedef struct rg_node_list {
    uint32_t *nodes;
    size_t n, capacity;
} rg_node_list;

void rg_node_list_free(rg_node_list *list);
RG_MUST_CHECK rg_status rg_node_list_read(rg_node_list *list, rg_reader *in, rg_error *err);

/* A mask of nodes for each list whose file is there, with its name. RG_EDATA (a node that there is not, or
 * a second time), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_node_lists_to_masks(rg_raw *raw, const rg_node_list *lists,
                                               char *const *files, const char *const *names,
                                               size_t n, rg_error *err);

#endif
