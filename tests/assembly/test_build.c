/* test_build.c - data sets from arrays in memory, from parts of others, and from several. */
#include "graph/raw.h"
#include "graph/reorder.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define MATRIX(data, type, rows, columns) \
    {                                     \
        data, type, rows, columns, 0, 0   \
    }
#define LENGTH(list) (sizeof(list) / sizeof *(list))

/* Two graphs: the path 0-1-2 and the edge 3-4, with something in every kind of column. */
static const uint32_t nodes[] = {3, 2};
static const int64_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}};
static const int8_t atoms[] = {6, 8, 6, 6, 7};
static const char *const bonds[] = {"single", "double", "single"};
static const float charges[] = {0, -1, 0.5f, 0, 2};
static const double lengths[] = {1.5, 1.25, 1};
static const char *const classes[] = {"toxic", NULL};
static const double targets[][2] = {{1, (double)NAN}, {2, 3}};
static const double node_classes[] = {0, (double)NAN, 1, 0, 1};
static const uint16_t edge_classes[] = {5, 6, 5};
static const float node_targets[] = {0, 1, (float)NAN, 3, 4};
static const int32_t edge_targets[] = {7, 8, 9};
static const uint8_t node_masks[][2] = {{1, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 1}};
static const uint8_t edge_masks[] = {1, 0, 1}, masks[] = {0, 1};
static const uint64_t ids[] = {17, 4};
static const char *const mask_names[] = {"train", NULL};
static const rg_value_name atom_names[] = {
    {RG_NODE_LABEL, 0, 6, "C"}, {RG_NODE_LABEL, 0, 8, "O"}, {RG_NODE_LABEL, 0, 9, "F"}};

static const rg_graph_columns all_columns[] = {
    {RG_NODE_LABEL, MATRIX(atoms, RG_ITEM_I8, 5, 1), NULL},
    {RG_EDGE_LABEL, MATRIX(bonds, RG_ITEM_TEXT, 3, 1), NULL},
    {RG_NODE_ATTRIBUTE, MATRIX(charges, RG_ITEM_F32, 5, 1), NULL},
    {RG_EDGE_ATTRIBUTE, MATRIX(lengths, RG_ITEM_F64, 3, 1), NULL},
    {RG_CLASS, MATRIX(classes, RG_ITEM_TEXT, 2, 1), NULL},
    {RG_TARGET, MATRIX(targets, RG_ITEM_F64, 2, 2), NULL},
    {RG_NODE_CLASS, MATRIX(node_classes, RG_ITEM_F64, 5, 1), NULL},
    {RG_EDGE_CLASS, MATRIX(edge_classes, RG_ITEM_U16, 3, 1), NULL},
    {RG_NODE_TARGET, MATRIX(node_targets, RG_ITEM_F32, 5, 1), NULL},
    {RG_EDGE_TARGET, MATRIX(edge_targets, RG_ITEM_I32, 3, 1), NULL},
    {RG_NODE_MASK, MATRIX(node_masks, RG_ITEM_U8, 5, 2), mask_names},
    {RG_EDGE_MASK, MATRIX(edge_masks, RG_ITEM_U8, 3, 1), NULL},
    {RG_MASK, MATRIX(masks, RG_ITEM_U8, 2, 1), NULL},
};

static rg_graph_arrays everything(void)
{
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    arrays.name = "small";
    arrays.n_graphs = 2;
    arrays.nodes = (rg_matrix)MATRIX(nodes, RG_ITEM_U32, 2, 1);
    arrays.edges = (rg_matrix)MATRIX(edges, RG_ITEM_I64, 3, 2);
    arrays.columns = all_columns;
    arrays.n_columns = LENGTH(all_columns);
    arrays.value_names = atom_names;
    arrays.n_value_names = LENGTH(atom_names);
    arrays.graph_names = (rg_matrix)MATRIX(ids, RG_ITEM_U64, 2, 1);
    return arrays;
}

static rg_dataset *build(const rg_graph_arrays *arrays)
{
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_from_arrays(&data, arrays, err));
    return data;
}

static int64_t value(const rg_dataset *data, rg_column kind, size_t column, size_t item)
{
    size_t n;
    uint32_t rank = rg_dataset_ranks(data, kind, column)[item];
    return rank == RG_NO_CLASS ? RG_MISSING : rg_dataset_values(data, kind, column, &n)[rank];
}

static const char *name_of(const rg_dataset *data, rg_column kind, size_t item)
{
    uint32_t rank = rg_dataset_ranks(data, kind, 0)[item];
    return rank == RG_NO_CLASS ? NULL : rg_dataset_value_name(data, kind, 0, rank);
}

/* The set of `everything`, whose graphs may have been moved: first nodes and arcs of its two. */
static void assert_everything(const rg_dataset *data, size_t path, size_t pair)
{
    rg_graph g = rg_dataset_graph(data, path), h = rg_dataset_graph(data, pair);
    size_t i = (size_t)g.first_node, j = (size_t)h.first_node;
    size_t a = (size_t)g.row[0], b = (size_t)h.row[0];
    assert_int_equal(g.n_nodes, 3);
    assert_int_equal(h.n_arcs, 2);
    /* arcs of the path: 0-1, 1-0, 1-2, 2-1 */
    assert_int_equal(value(data, RG_NODE_LABEL, 0, i + 1), 8);
    assert_int_equal(value(data, RG_NODE_LABEL, 0, j + 1), 7);
    assert_string_equal(name_of(data, RG_NODE_LABEL, i), "C");
    assert_null(name_of(data, RG_NODE_LABEL, j + 1));
    assert_string_equal(name_of(data, RG_EDGE_LABEL, a + 3), "double");
    assert_string_equal(name_of(data, RG_EDGE_LABEL, b + 1), "single");
    assert_int_equal(value(data, RG_EDGE_LABEL, 0, b), 1); /* after "double" */
    assert_true(rg_dataset_reals(data, RG_NODE_ATTRIBUTE)[i + 2] == 0.5);
    assert_true(rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[a + 2] == 1.25);
    assert_string_equal(name_of(data, RG_CLASS, path), "toxic");
    assert_true(value(data, RG_CLASS, 0, pair) == RG_MISSING);
    assert_true(isnan(rg_dataset_reals(data, RG_TARGET)[2 * path + 1]));
    assert_true(rg_dataset_reals(data, RG_TARGET)[2 * pair + 1] == 3);
    assert_true(value(data, RG_NODE_CLASS, 0, i + 1) == RG_MISSING);
    assert_int_equal(value(data, RG_NODE_CLASS, 0, i + 2), 1);
    assert_int_equal(value(data, RG_EDGE_CLASS, 0, a + 3), 6);
    assert_true(isnan(rg_dataset_reals(data, RG_NODE_TARGET)[i + 2]));
    assert_true(rg_dataset_reals(data, RG_EDGE_TARGET)[b] == 9);
    assert_int_equal(rg_dataset_mask(data, RG_NODE_MASK, 0)[i + 2], 0);
    assert_int_equal(rg_dataset_mask(data, RG_NODE_MASK, 1)[i + 2], 1);
    assert_int_equal(rg_dataset_mask(data, RG_EDGE_MASK, 0)[a + 2], 0);
    assert_int_equal(rg_dataset_mask(data, RG_EDGE_MASK, 0)[b + 1], 1);
    assert_int_equal(rg_dataset_mask(data, RG_MASK, 0)[pair], 1);
    assert_string_equal(rg_dataset_column_name(data, RG_NODE_MASK, 0), "train");
    assert_null(rg_dataset_column_name(data, RG_NODE_MASK, 1));
    assert_null(rg_dataset_column_name(data, RG_TARGET, 0));
    assert_string_equal(rg_dataset_graph_name(data, path), "17");
    assert_string_equal(rg_dataset_graph_name(data, pair), "4");
}

static void every_kind_of_column_goes_from_arrays_into_the_set(void **state)
{
    (void)state;
    rg_graph_arrays arrays = everything();
    rg_dataset *data = build(&arrays);
    assert_string_equal(rg_dataset_name(data), "small");
    assert_everything(data, 0, 1);
    assert_int_equal(rg_dataset_quirks(data)->one_way_edges, 3);
    assert_int_equal(rg_dataset_quirks(data)->missing_targets, 4);
    assert_int_equal(rg_dataset_first_nodes(data)[1], 3);
    assert_int_equal(rg_dataset_first_arcs(data)[3], 4);
    assert_int_equal(rg_dataset_neighbours(data)[4], 1);
    rg_dataset_free(data);
}

static void names_are_not_in_the_digest_and_everything_else_is(void **state)
{
    (void)state;
    rg_graph_arrays arrays = everything();
    rg_dataset *data = build(&arrays);
    char digest[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
    rg_dataset_digest(data, digest);
    rg_dataset_free(data);
    rg_graph_columns columns[LENGTH(all_columns)];
    memcpy(columns, all_columns, sizeof columns);
    columns[10].names = NULL;
    arrays.columns = columns;
    arrays.n_value_names = 0;
    arrays.graph_names.data = NULL;
    data = build(&arrays);
    rg_dataset_digest(data, other);
    assert_string_equal(digest, other);
    assert_null(rg_dataset_graph_name(data, 0));
    rg_dataset_free(data);
    for (size_t k = 0; k < LENGTH(columns); k++) {
        columns[k].values.data = NULL;
        data = build(&arrays);
        rg_dataset_digest(data, other);
        assert_string_not_equal(digest, other);
        rg_dataset_free(data);
        columns[k].values.data = all_columns[k].values.data;
    }
}

static void a_set_from_arrays_is_the_set_that_a_reader_would_make(void **state)
{
    (void)state;
    rg_raw raw = {.n_graphs = 2};
    rg_dataset *read = NULL;
    char digest[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(rg_raw_add_node(&raw, i / 3));
        *rg_int_rows_add(&raw.node_labels, 1) = atoms[i];
    }
    for (size_t k = 0; k < 3; k++) {
        assert_true(rg_raw_add_pair(&raw, (uint32_t)edges[k][0], (uint32_t)edges[k][1]));
        *rg_real_rows_add(&raw.edge_attributes, 1) = lengths[k];
    }
    ASSERT_OK(rg_dataset_build(&read, &raw, err));
    rg_graph_arrays arrays = everything();
    const rg_graph_columns columns[] = {all_columns[0], all_columns[3]};
    arrays.columns = columns;
    arrays.n_columns = 2;
    rg_dataset *data = build(&arrays);
    rg_dataset_digest(read, digest);
    rg_dataset_digest(data, other);
    assert_string_equal(digest, other);
    rg_dataset_free(read);
    rg_dataset_free(data);
}

static void steps_and_numbers_inside_graphs_say_the_same(void **state)
{
    (void)state;
    static const int32_t turned[2][4] = {{0, 1, 0, -9}, {1, 2, 1, -9}}; /* [end][edge] */
    static const int64_t counts[] = {2, 1};
    static const struct {
        char atom;
        char gap[6]; /* the next atom stands at an odd address */
    } backwards[] = {{7, ""}, {6, ""}, {6, ""}, {8, ""}, {6, ""}};
    rg_graph_arrays arrays = everything();
    rg_dataset *data = build(&arrays), *other;
    rg_graph_columns columns[LENGTH(all_columns)];
    char digest[RG_DIGEST_SIZE], own[RG_DIGEST_SIZE];
    rg_dataset_digest(data, digest);
    rg_dataset_free(data);
    memcpy(columns, all_columns, sizeof columns);
    columns[0].values = (rg_matrix){&backwards[4].atom, RG_ITEM_I8, 5, 1, -7, 1};
    arrays.columns = columns;
    arrays.edges = (rg_matrix){turned, RG_ITEM_I32, 3, 2, 4, 16};
    arrays.edge_counts = (rg_matrix)MATRIX(counts, RG_ITEM_I64, 2, 1);
    other = build(&arrays);
    rg_dataset_digest(other, own);
    assert_string_equal(digest, own);
    rg_dataset_free(other);
}

static void texts_keep_the_values_of_the_set_they_are_like(void **state)
{
    (void)state;
    static const char *const words[] = {"N", "C", "Br", "C", "As"};
    static const rg_graph_columns columns[] = {
        {RG_NODE_LABEL, MATRIX(words, RG_ITEM_TEXT, 5, 1), NULL}};
    rg_graph_arrays arrays = everything();
    rg_dataset *like = build(&arrays); /* 6 is C, 8 is O, and 7 has no name */
    arrays.columns = columns;
    arrays.n_columns = 1;
    arrays.n_value_names = 0;
    rg_dataset *alone = build(&arrays);
    assert_int_equal(value(alone, RG_NODE_LABEL, 0, 4), 0); /* As, Br, C, N */
    assert_int_equal(value(alone, RG_NODE_LABEL, 0, 0), 3);
    arrays.like = like;
    rg_dataset *data = build(&arrays);
    assert_int_equal(value(data, RG_NODE_LABEL, 0, 1), 6);
    assert_int_equal(value(data, RG_NODE_LABEL, 0, 4), 9);
    assert_int_equal(value(data, RG_NODE_LABEL, 0, 2), 10);
    assert_int_equal(value(data, RG_NODE_LABEL, 0, 0), 11);
    assert_string_equal(name_of(data, RG_NODE_LABEL, 0), "N");
    rg_dataset_free(alone);
    rg_dataset_free(data);
    rg_dataset_free(like);
}

static void a_part_has_everything_of_its_graphs(void **state)
{
    (void)state;
    rg_graph_arrays arrays = everything();
    rg_dataset *data = build(&arrays), *part = NULL;
    size_t n;
    ASSERT_OK(rg_dataset_select(&part, data, (uint32_t[]){1, 0, 1}, 3, err));
    assert_int_equal(rg_dataset_n_graphs(part), 3);
    assert_everything(part, 1, 0);
    assert_everything(part, 1, 2);
    assert_int_equal(rg_dataset_quirks(part)->one_way_edges, 0);
    rg_dataset_free(part);
    ASSERT_OK(rg_dataset_select(&part, data, (uint32_t[]){1}, 1, err));
    rg_dataset_values(part, RG_NODE_LABEL, 0, &n);
    assert_int_equal(n, 2); /* 8 does not occur */
    rg_dataset_free(part);
    ASSERT_OK(rg_dataset_select(&part, data, NULL, 0, err));
    assert_int_equal(rg_dataset_n_graphs(part), 0);
    rg_dataset_free(part);
    rg_error err;
    assert_int_equal(rg_dataset_select(&part, data, (uint32_t[]){0, 2}, 2, &err), RG_EUSAGE);
    assert_string_equal(err.message, "'small' has 2 graphs: there is no graph 2");
    rg_dataset_free(data);
}

static void another_order_keeps_every_column_and_name(void **state)
{
    (void)state;
    rg_graph_arrays arrays = everything();
    rg_dataset *data = build(&arrays), *other = NULL;
    ASSERT_OK(rg_dataset_reorder(&other, data, (uint32_t[]){1, 0}, NULL, err));
    assert_everything(other, 1, 0);
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static void joining_makes_equal_names_equal_values(void **state)
{
    (void)state;
    static const rg_value_name other_names[] = {{RG_NODE_LABEL, 0, 6, "O"},
                                                {RG_NODE_LABEL, 0, 8, "P"}};
    rg_graph_arrays arrays = everything();
    rg_dataset *first = build(&arrays), *second, *both = NULL;
    arrays.name = "other";
    arrays.value_names = other_names;
    arrays.n_value_names = LENGTH(other_names);
    second = build(&arrays);
    ASSERT_OK(rg_dataset_join(&both, NULL, (const rg_dataset *[]){first, second}, 2, err));
    assert_string_equal(rg_dataset_name(both), "small");
    assert_int_equal(rg_dataset_n_graphs(both), 4);
    assert_everything(both, 0, 1);
    assert_int_equal(value(both, RG_NODE_LABEL, 0, 5), 8); /* O was 6 in the second */
    assert_int_equal(value(both, RG_NODE_LABEL, 0, 6), 9); /* P is new, and 8 is O */
    assert_int_equal(value(both, RG_NODE_LABEL, 0, 9), 7); /* no name in either */
    assert_string_equal(name_of(both, RG_NODE_LABEL, 6), "P");
    assert_string_equal(rg_dataset_graph_name(both, 2), "17");
    rg_dataset_free(both);
    arrays.n_columns = 1;
    rg_dataset_free(second);
    second = build(&arrays);
    rg_error err;
    assert_int_equal(rg_dataset_join(&both, NULL, (const rg_dataset *[]){first, second}, 2, &err),
                     RG_EDATA);
    assert_string_equal(err.message,
                        "'other' has 0 columns of edge labels, expected 1 as in 'small'");
    assert_int_equal(rg_dataset_join(&both, NULL, NULL, 0, &err), RG_EUSAGE);
    rg_dataset_free(first);
    rg_dataset_free(second);
}

/* ---- what is wrong */

static void replace(rg_graph_arrays *arrays, rg_graph_columns *columns, size_t k, rg_matrix values)
{
    memcpy(columns, all_columns, sizeof all_columns);
    columns[k].values = values;
    arrays->columns = columns;
}

static void assert_refused(const rg_graph_arrays *arrays, rg_status status, const char *message)
{
    rg_dataset *data = NULL;
    rg_error err = {""};
    assert_int_equal(rg_dataset_from_arrays(&data, arrays, &err), status);
    assert_null(data);
    if (!strstr(err.message, message))
        fail_msg("'%s' lacks '%s'", err.message, message);
}

static void columns_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {0, 1, 0.5, 3, 4}, none[] = {0, (double)NAN, 2, 3, 4};
    static const double vast[] = {0, (double)INFINITY, 1e300, 3, 4};
    static const char *const empty[] = {"", "", "", "", ""}, *const missing[] = {"a", NULL, "b"};
    static const uint64_t large[] = {0, UINT64_MAX, 2, 3, 4};
    const struct {
        size_t k;
        rg_matrix values;
        const char *message;
    } cases[] = {
        {0, MATRIX(bad, RG_ITEM_F64, 5, 1),
         "node labels: found 0.5 in row 2, column 0, expected a"},
        {0, MATRIX(none, RG_ITEM_F64, 5, 1),
         "node labels: found nan in row 1, column 0, expected a"},
        {0, MATRIX(vast, RG_ITEM_F64, 5, 1), "node labels: found inf in row 1, column 0"},
        {0, MATRIX(large, RG_ITEM_U64, 5, 1), "node labels: found 1.84467e+19 in row 1, column 0"},
        {0, MATRIX(empty, RG_ITEM_TEXT, 5, 1), "node labels: found an empty text in row 0"},
        {0, MATRIX(bad, RG_ITEM_F64, 4, 1), "node labels: found 4 rows, expected 5"},
        {0, MATRIX(bad, RG_ITEM_F64, 5, 0), "node labels: found 0 columns, expected 1 or more"},
        {1, MATRIX(missing, RG_ITEM_TEXT, 3, 1), "edge labels: found nothing in row 1"},
        {2, MATRIX(none, RG_ITEM_F64, 5, 1), "node attributes: found nan in row 1, column 0"},
        {2, MATRIX(empty, RG_ITEM_TEXT, 5, 1), "node attributes: found texts, expected numbers"},
        {8, MATRIX(vast, RG_ITEM_F64, 5, 1), "targets of nodes: found inf in row 1, column 0"},
        {10, MATRIX(bad, RG_ITEM_F64, 5, 1),
         "masks of nodes: found 0.5 in row 2, column 0, expected "
         "0 or 1"},
        {10, MATRIX(atoms, RG_ITEM_I8, 5, 1), "masks of nodes: found 6 in row 0"},
        {10, MATRIX(empty, RG_ITEM_TEXT, 5, 1), "masks of nodes: found texts, expected 0 or 1"},
    };
    rg_graph_columns columns[LENGTH(all_columns)];
    for (size_t k = 0; k < LENGTH(cases); k++) {
        rg_graph_arrays arrays = everything();
        replace(&arrays, columns, cases[k].k, cases[k].values);
        assert_refused(&arrays, RG_EDATA, cases[k].message);
    }
    rg_graph_arrays arrays = everything();
    replace(&arrays, columns, 0, (rg_matrix)MATRIX(atoms, (rg_item)99, 5, 1));
    assert_refused(&arrays, RG_EUSAGE, "node labels: found the type 99");
    columns[0] = columns[10];
    assert_refused(&arrays, RG_EUSAGE, "masks of nodes: found them twice");
    columns[0].kind = RG_N_COLUMN_KINDS;
    assert_refused(&arrays, RG_EUSAGE, "found the kind of columns 13");
}

static void nodes_and_edges_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const int64_t vast[] = {(int64_t)1 << 40, 2}, negative[] = {3, -1};
    static const uint32_t many[] = {3000000000u, 2000000000u}, claim[] = {3, 2000000000u};
    static const int64_t beyond[][2] = {{0, 1}, {1, 5}, {3, 4}}, across[][2] = {{0, 1}, {1, 3}};
    static const int64_t two[] = {2, 2}, below[][2] = {{-1, 0}};
    static const double halves[] = {1.5, 2};
    rg_graph_arrays arrays = everything();
    arrays.nodes.data = NULL;
    assert_refused(&arrays, RG_EUSAGE, "found no numbers of nodes");
    arrays.nodes = (rg_matrix)MATRIX(vast, RG_ITEM_I64, 2, 1);
    assert_refused(&arrays, RG_EDATA, "nodes of graph 0: found 1099511627776, which makes 2^32");
    arrays.nodes = (rg_matrix)MATRIX(negative, RG_ITEM_I64, 2, 1);
    assert_refused(&arrays, RG_EDATA, "nodes of graph 1: found -1, expected a whole number from 0");
    arrays.nodes = (rg_matrix)MATRIX(halves, RG_ITEM_F64, 2, 1);
    assert_refused(&arrays, RG_EDATA, "nodes of graph 0: found 1.5, expected a whole number");
    arrays.nodes = (rg_matrix)MATRIX(many, RG_ITEM_U32, 2, 1);
    assert_refused(&arrays, RG_EDATA, "nodes of graph 1: found 2000000000, which makes 2^32");
    arrays.nodes = (rg_matrix)MATRIX(claim, RG_ITEM_U32, 2, 1);
    assert_refused(&arrays, RG_EDATA, "node labels: found 5 rows, expected 2000000003");
    arrays.n_columns = 0;
    assert_refused(&arrays, RG_EDATA, "found 2000000003 nodes without labels or attributes");
    arrays = everything();
    arrays.n_graphs = (size_t)1 << 40;
    assert_refused(&arrays, RG_EDATA, "found 2^32 or more graphs");
    arrays = everything();
    arrays.edges = (rg_matrix)MATRIX(beyond, RG_ITEM_I64, 3, 2);
    assert_refused(&arrays, RG_EDATA, "edge 1: found node 5, expected a node 0..4");
    arrays.edges = (rg_matrix)MATRIX(below, RG_ITEM_I64, 1, 2);
    assert_refused(&arrays, RG_EDATA, "edge 0: found node -1, expected a node 0..4");
    arrays.edges = (rg_matrix)MATRIX(beyond, RG_ITEM_I64, 6, 1);
    assert_refused(&arrays, RG_EDATA, "edges: found 1 columns, expected 2");
    arrays.n_columns = 0;
    arrays.edges = (rg_matrix)MATRIX(across, RG_ITEM_I64, 2, 2);
    assert_refused(&arrays, RG_EDATA, "found an edge from node 1 of graph 0 to node 3 of graph 1");
    arrays = everything();
    arrays.edge_counts = (rg_matrix)MATRIX(two, RG_ITEM_I64, 2, 1);
    assert_refused(&arrays, RG_EDATA, "found 4 or more in all, expected 3");
    arrays.edge_counts = (rg_matrix)MATRIX(node_masks, RG_ITEM_U8, 2, 1); /* 1 and 0 */
    assert_refused(&arrays, RG_EDATA, "found 1 in all, expected 3");
}

static void structs_that_are_wrong_are_refused(void **state)
{
    (void)state;
    rg_graph_arrays arrays = everything();
    assert_refused(NULL, RG_EUSAGE, "found no arrays");
    arrays.size = 0;
    assert_refused(&arrays, RG_EUSAGE, "found a size of 0 bytes");
    arrays = everything();
    arrays.columns = NULL;
    assert_refused(&arrays, RG_EUSAGE, "found no columns or names");
    const rg_value_name wrong[] = {{RG_TARGET, 0, 6, "C"}};
    arrays = everything();
    arrays.value_names = wrong;
    arrays.n_value_names = 1;
    assert_refused(&arrays, RG_EUSAGE, "name 0 of values: found no name of a label");
}

static void a_program_with_a_shorter_struct_still_works(void **state)
{
    (void)state;
    /* As if the last fields had not been invented yet: what lies behind is another's. */
    struct {
        unsigned char arrays[offsetof(rg_graph_arrays, graph_names)];
        unsigned char beyond[64];
    } old;
    memset(&old, 0xab, sizeof old);
    rg_graph_arrays_init((rg_graph_arrays *)(void *)&old, sizeof old.arrays);
    for (size_t k = 0; k < sizeof old.beyond; k++)
        assert_int_equal(old.beyond[k], 0xab);
    rg_graph_arrays now = everything();
    now.size = sizeof old.arrays;
    memcpy(&old, &now, sizeof old.arrays);
    rg_dataset *data = build((rg_graph_arrays *)(void *)&old);
    assert_null(rg_dataset_graph_name(data, 0));
    assert_string_equal(name_of(data, RG_NODE_LABEL, 0), "C");
    rg_dataset_free(data);
}

static rg_status build_and_join(void *context, rg_error *err)
{
    (void)context;
    rg_graph_arrays arrays = everything();
    rg_dataset *data = NULL, *part = NULL, *both = NULL;
    rg_status status = rg_dataset_from_arrays(&data, &arrays, err);
    if (!status)
        status = rg_dataset_select(&part, data, (uint32_t[]){1}, 1, err);
    if (!status)
        status = rg_dataset_join(&both, "both", (const rg_dataset *[]){data, part}, 2, err);
    rg_dataset_free(data);
    rg_dataset_free(part);
    rg_dataset_free(both);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(build_and_join, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_column_goes_from_arrays_into_the_set),
        cmocka_unit_test(names_are_not_in_the_digest_and_everything_else_is),
        cmocka_unit_test(a_set_from_arrays_is_the_set_that_a_reader_would_make),
        cmocka_unit_test(steps_and_numbers_inside_graphs_say_the_same),
        cmocka_unit_test(texts_keep_the_values_of_the_set_they_are_like),
        cmocka_unit_test(a_part_has_everything_of_its_graphs),
        cmocka_unit_test(another_order_keeps_every_column_and_name),
        cmocka_unit_test(joining_makes_equal_names_equal_values),
        cmocka_unit_test(columns_that_are_wrong_are_refused),
        cmocka_unit_test(nodes_and_edges_that_are_wrong_are_refused),
        cmocka_unit_test(structs_that_are_wrong_are_refused),
        cmocka_unit_test(a_program_with_a_shorter_struct_still_works),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
