/* build.h - data sets of graphs from arrays in memory, from parts of others, and from several.
 *
 * For example, a path of three nodes and a single edge, with labels of nodes and classes:
 *
 *     static const uint32_t nodes[] = {3, 2};
 *     static const int64_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}};
 *     static const int32_t atoms[] = {6, 8, 6, 6, 6};
 *     static const int64_t classes[] = {1, 0};
 *     rg_graph_columns columns[] = {
 *         {RG_NODE_LABEL, {atoms, RG_ITEM_I32, 5, 1, 0, 0}, NULL},
 *         {RG_CLASS, {classes, RG_ITEM_I64, 2, 1, 0, 0}, NULL},
 *     };
 *     rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
 *     arrays.n_graphs = 2;
 *     arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, 2, 1, 0, 0};
 *     arrays.edges = (rg_matrix){edges, RG_ITEM_I64, 3, 2, 0, 0};
 *     arrays.columns = columns;
 *     arrays.n_columns = 2;
 *     rg_dataset *data = NULL;
 *     rg_status status = rg_dataset_from_arrays(&data, &arrays, &err); */
#ifndef REGULA_BUILD_H
#define REGULA_BUILD_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rg_item {
    RG_ITEM_I8 = 1,
    RG_ITEM_U8, /* also truth values */
    RG_ITEM_I16,
    RG_ITEM_U16,
    RG_ITEM_I32,
    RG_ITEM_U32,
    RG_ITEM_I64,
    RG_ITEM_U64,
    RG_ITEM_F32,
    RG_ITEM_F64,
    RG_ITEM_TEXT /* const char *, UTF-8 with a zero at the end; NULL: missing */
} rg_item;

/* Numbers or texts in the memory of the caller: the one in row r and column c begins
 * r * row_step + c * column_step bytes after data. Both steps 0: row after row, without gaps.
 * Columns that lie one after another, or every other row, are told by the steps and not copied.
 * data NULL: there is none. The fields of this struct will not change. */
typedef struct rg_matrix {
    const void *data;
    rg_item type;
    size_t n_rows, n_columns;
    ptrdiff_t row_step, column_step;
} rg_matrix;

/* All columns of one kind. Rows are nodes in the order of the set, edges in the order of the list,
 * or graphs.
 *   labels      whole numbers or texts
 *   classes     the same; INT64_MIN, NaN or NULL: not known
 *   attributes  finite numbers
 *   targets     finite numbers; NaN: not known
 *   masks       0 or 1
 * Texts become values: those that `like` or `known` has a value for have that one, others follow in
 * the order of their bytes, from 0 in a set of its own, and keep their texts as names. The fields of this
 * struct will not change. */
typedef struct rg_graph_columns {
    rg_column kind;
    rg_matrix values;
    const char *const *names; /* one for each column, NULL for none; NULL: no names at all */
} rg_graph_columns;

typedef struct rg_graph_arrays {
    size_t size;      /* sizeof(rg_graph_arrays): RG_GRAPH_ARRAYS_INIT sets it */
    const char *name; /* of the set; NULL: "data" */
    size_t n_graphs;
    rg_matrix nodes; /* [graph][1]: how many nodes each graph has */
    rg_matrix edges; /* [edge][2]: two nodes. An edge may stand there in one direction or in both */
    /* [graph][1]: how many rows of `edges` belong to each graph, whose nodes are then numbered from
     * 0 in each graph. Not there: nodes are numbered through the set. */
    rg_matrix edge_counts;
    const rg_graph_columns *columns; /* at most one of each kind */
    size_t n_columns;
    const rg_value_name *value_names; /* of columns that are numbers */
    size_t n_value_names;
    rg_matrix graph_names;      /* [graph][1]: texts, or whole numbers as texts; or not there */
    const rg_dataset *like;     /* texts have the values that they have in this set; may be NULL */
    const rg_value_name *known; /* or these ones: those of a model (rg_model_value_names) */
    size_t n_known;
} rg_graph_arrays;

#define RG_GRAPH_ARRAYS_INIT                                                                    \
    {                                                                                           \
        sizeof(rg_graph_arrays), NULL, 0, {NULL, RG_ITEM_I64, 0, 0, 0, 0},                      \
            {NULL, RG_ITEM_I64, 0, 0, 0, 0}, {NULL, RG_ITEM_I64, 0, 0, 0, 0}, NULL, 0, NULL, 0, \
            {NULL, RG_ITEM_I64, 0, 0, 0, 0}, NULL, NULL, 0                                      \
    }

/* The same as RG_GRAPH_ARRAYS_INIT, for a struct of `size` bytes: no more than that is written. */
RG_API void rg_graph_arrays_init(rg_graph_arrays *arrays, size_t size);

/* Build a data set. Everything is copied and checked as if it came from a file: numbers of rows
 * agree, nodes exist, edges stay inside their graph. What is dropped or mended (self-loops, repeated
 * edges, edges listed in one direction) is counted in rg_dataset_quirks. out: owned
 * (rg_dataset_free), untouched on failure. Cost: O(size), O(n log n) for n different texts. RG_EDATA
 * (content, with the place of what is wrong), RG_EUSAGE (the struct itself), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_from_arrays(rg_dataset **out,
                                                      const rg_graph_arrays *arrays, rg_error *err);

/* Some graphs of a set, in the order asked for and as often as asked for, with everything that
 * belongs to them; as a data set of their own, so that labels that occur in none of them do not
 * occur in it. To train or predict on a part of a set, name its samples (rg_fold, rg_predict_options):
 * that copies nothing. out: owned, untouched on failure. O(size of the part + number of nodes in
 * data). RG_EUSAGE (a graph that is not there), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_select(rg_dataset **out, const rg_dataset *data,
                                                 const uint32_t *graphs, size_t n, rg_error *err);

/* The graphs of several sets as one set. All have the same columns. Where values have names, equal
 * names become equal values: those of the first set that has them; a value that another name has
 * already becomes a new one. name: NULL for that of the first. out: owned, untouched on failure.
 * O(size). RG_EDATA (other columns), RG_EUSAGE (no set), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_join(rg_dataset **out, const char *name,
                                               const rg_dataset *const *sets, size_t n,
                                               rg_error *err);

/* The same graphs with their places as nodes behind their own, so that rules have outputs for them. places: a list
 * of these, separated by commas:
 *   edges      each edge, joined to its two nodes; the label of the edge is that of both joints
 *   rings(K)   each ring without chords of 3 .. K <= 12 nodes, joined to all of them
 *   every(K)   of texts: nodes 0 .. K-1, K .. 2K-1, ..., the last ones perhaps fewer
 * Node labels get two columns more: "place" (0 node, 1 edge, 2 ring, 3 stretch) and "size" (nodes that it has, 1 of a
 * node); in all other columns of labels places and joints have a value that nothing else has, attributes are 0, classes and
 * targets of places are not known, masks 0. out: owned (rg_dataset_free), untouched on failure. O(size + paths of up to
 * K nodes). RG_EUSAGE (places), RG_EDATA (every of what is no text; too many paths), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_with_places(rg_dataset **out, const rg_dataset *data,
                                                      const char *places, rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
