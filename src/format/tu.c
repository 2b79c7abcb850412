/* tu.c - the format of the TUDataset collection.
 *
 *   NAME_A.txt                  "a, b": an edge, nodes from 1 over the whole set
 *   NAME_graph_indicator.txt    line k: the graph of node k, from 1
 *   NAME_graph_labels.txt       line g: the class of graph g
 *   NAME_graph_attributes.txt   line g: its real-valued targets
 *   NAME_node_labels.txt        line k: of node k; so NAME_node_attributes.txt
 *   NAME_edge_labels.txt        line k: of the edge on line k; so NAME_edge_attributes.txt
 *
 * The first two are needed. How many nodes there are says the indicator, never the edges; how many
 * graphs say the labels or attributes of graphs, and without them the largest indicator. */
#include "base/alloc.h"
#include "base/error.h"
#include "format.h"
#include "graph/dataset.h"

#include <string.h>

typedef enum tu_part {
    EDGES,
    INDICATOR,
    GRAPH_LABELS,
    GRAPH_ATTRIBUTES,
    NODE_LABELS,
    NODE_ATTRIBUTES,
    EDGE_LABELS,
    EDGE_ATTRIBUTES,
    N_PARTS
} tu_part;

static const char *const endings[N_PARTS] = {
    "_A.txt",           "_graph_indicator.txt", "_graph_labels.txt", "_graph_attributes.txt",
    "_node_labels.txt", "_node_attributes.txt", "_edge_labels.txt",  "_edge_attributes.txt"};

typedef struct tu_state {
    rg_raw raw;
    char *names[N_PARTS]; /* of the readers, for messages; NULL: not seen */
    char *prefix;
} tu_state;

static tu_part find_part(const char *file)
{
    size_t n = strlen(file);
    for (int k = 0; k < N_PARTS; k++) {
        size_t m = strlen(endings[k]);
        if (n > m && strcmp(file + n - m, endings[k]) == 0)
            return (tu_part)k;
    }
    return N_PARTS;
}

static bool knows(const char *file, size_t *prefix)
{
    tu_part p = find_part(file);
    if (p == N_PARTS)
        return false;
    *prefix = strlen(file) - strlen(endings[p]);
    return true;
}

static void close_state(void *closed)
{
    tu_state *s = closed;
    if (!s)
        return;
    rg_raw_free(&s->raw);
    for (int k = 0; k < N_PARTS; k++)
        rg_free(s->names[k]);
    rg_free(s->prefix);
    rg_free(s);
}

/* Where field k of the current line starts, from 1. */
static size_t field_column(const rg_reader *in, int k)
{
    size_t n, at = 0;
    const char *text = rg_reader_text(in, &n);
    for (;; k--) {
        while (at < n && (text[at] == ' ' || text[at] == '\t' || text[at] == ','))
            at++;
        if (k == 0)
            return at + 1;
        while (at < n && text[at] != ' ' && text[at] != '\t' && text[at] != ',')
            at++;
    }
}

static rg_status read_edges(rg_raw *raw, rg_reader *in, rg_error *err)
{
    static const char what[] = "a node, from 1";
    for (;;) {
        bool more;
        uint32_t pair[2];
        rg_status status = rg_read_pair(in, &more, pair, what, "two nodes", err);
        if (status || !more)
            return status;
        if (pair[0] == 0 || pair[1] == 0)
            return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found '0', expected %s", rg_reader_name(in),
                           rg_reader_line_number(in), field_column(in, pair[0] != 0), what);
        if (raw->n_pairs < raw->pair_capacity) {
            raw->pairs[raw->n_pairs][0] = pair[0] - 1;
            raw->pairs[raw->n_pairs++][1] = pair[1] - 1;
        } else if (!rg_raw_add_pair(raw, pair[0] - 1, pair[1] - 1)) {
            return rg_fail_memory(err, "reading edges");
        }
    }
}

static rg_status read_indicator(rg_raw *raw, rg_reader *in, rg_error *err)
{
    static const char what[] = "a graph, from 1";
    for (;;) {
        bool more;
        int64_t graph;
        if (!rg_reader_quick_int(in, &graph)) {
            rg_status status = rg_reader_next(in, &more, err);
            if (status || !more)
                return status;
            if (rg_reader_at_end(in))
                return rg_read_only_blanks(in, what, err);
            if ((status = rg_reader_int(in, &graph, what, err)) ||
                (status = rg_reader_expect_end(in, err)))
                return status;
        }
        if (graph < 1 || graph >= UINT32_MAX)
            return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found '%lld', expected %s",
                           rg_reader_name(in), rg_reader_line_number(in), field_column(in, 0),
                           (long long)graph, what);
        if (!rg_raw_add_node(raw, (uint32_t)(graph - 1)))
            return rg_fail_memory(err, "reading nodes");
    }
}

static rg_status take(void *taken, const char *file, rg_reader *in, rg_error *err)
{
    tu_state *s = taken;
    rg_raw *raw = &s->raw;
    tu_part p = find_part(file);
    const char *name = rg_reader_name(in);
    s->names[p] = rg_copy_text(name, strlen(name));
    if (!s->prefix)
        s->prefix = rg_copy_text(file, strlen(file) - strlen(endings[p]));
    if (!s->names[p] || !s->prefix)
        return rg_fail_memory(err, "reading a data set");
    switch (p) {
    case EDGES:
        return read_edges(raw, in, err);
    case INDICATOR:
        return read_indicator(raw, in, err);
    case GRAPH_LABELS:
        return rg_read_class_rows(&raw->classes, in, "a class (a whole number)", err);
    case GRAPH_ATTRIBUTES:
        return rg_read_real_rows(&raw->targets, in, "a number", err);
    case NODE_LABELS:
        return rg_read_int_rows(&raw->node_labels, in, "a node label (a whole number)", err);
    case NODE_ATTRIBUTES:
        return rg_read_real_rows(&raw->node_attributes, in, "a number", err);
    case EDGE_LABELS:
        return rg_read_int_rows(&raw->edge_labels, in, "an edge label (a whole number)", err);
    case EDGE_ATTRIBUTES:
        return rg_read_real_rows(&raw->edge_attributes, in, "a number", err);
    case N_PARTS:
        break;
    }
    return RG_OK; /* read.c hands over only what is known */
}

/* ---- the whole */

static rg_status check_needed(const tu_state *s, rg_error *err)
{
    const char *beside = NULL;
    for (int k = 0; k < N_PARTS && !beside; k++)
        beside = s->names[k];
    for (int k = EDGES; k <= INDICATOR; k++)
        if (!s->names[k])
            return rg_fail(err, RG_EDATA, "%s: found no file '%s%s' beside it, expected %s", beside,
                           s->prefix, endings[k],
                           k == EDGES ? "the list of edges" : "the graph of each node");
    return RG_OK;
}

/* Files that go together line by line must be of one length. */
static rg_status check_lines(const tu_state *s, tu_part a, size_t n_a, tu_part b, size_t n_b,
                             rg_error *err)
{
    if (!s->names[a] || !s->names[b] || n_a == n_b)
        return RG_OK;
    return rg_fail(err, RG_EDATA, "%s: found %zu lines, expected %zu as in %s", s->names[a], n_a,
                   n_b, s->names[b]);
}

static rg_status check_lengths(const tu_state *s, rg_error *err)
{
    const rg_raw *raw = &s->raw;
    const struct {
        tu_part a;
        size_t n_a;
        tu_part b;
        size_t n_b;
    } pairs[] = {
        {.a = NODE_LABELS, .n_a = raw->node_labels.n_rows, .b = INDICATOR, .n_b = raw->n_nodes},
        {.a = NODE_ATTRIBUTES,
         .n_a = raw->node_attributes.n_rows,
         .b = INDICATOR,
         .n_b = raw->n_nodes},
        {.a = EDGE_LABELS, .n_a = raw->edge_labels.n_rows, .b = EDGES, .n_b = raw->n_pairs},
        {.a = EDGE_ATTRIBUTES, .n_a = raw->edge_attributes.n_rows, .b = EDGES, .n_b = raw->n_pairs},
        {.a = GRAPH_ATTRIBUTES,
         .n_a = raw->targets.n_rows,
         .b = GRAPH_LABELS,
         .n_b = raw->classes.n_rows},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        rg_status status = check_lines(s, pairs[k].a, pairs[k].n_a, pairs[k].b, pairs[k].n_b, err);
        if (status)
            return status;
    }
    return RG_OK;
}

/* Without labels of graphs nothing but the indicator says how many there are, and a wrong one could
 * say billions: there it may be no larger than the number of nodes. */
static rg_status count_graphs(tu_state *s, rg_error *err)
{
    rg_raw *raw = &s->raw;
    tu_part from = s->names[GRAPH_LABELS] ? GRAPH_LABELS : GRAPH_ATTRIBUTES;
    bool told = s->names[from] != NULL;
    size_t n = from == GRAPH_LABELS ? raw->classes.n_rows : raw->targets.n_rows;
    size_t limit = told ? n : raw->n_nodes, largest = 0;
    for (size_t k = 0; k < raw->n_nodes; k++) {
        size_t graph = (size_t)raw->node_graph[k] + 1;
        if (graph > limit)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found graph %zu, expected a graph 1..%zu (there are %zu %s%s)",
                           s->names[INDICATOR], k + 1, graph, limit, limit,
                           told ? "lines in " : "nodes", told ? s->names[from] : "");
        if (graph > largest)
            largest = graph;
    }
    raw->n_graphs = told ? n : largest;
    return RG_OK;
}

static rg_status finish(void *finished, rg_raw *raw, rg_error *err)
{
    tu_state *s = finished;
    rg_status status = check_needed(s, err);
    if (!status)
        status = check_lengths(s, err);
    if (!status)
        status = count_graphs(s, err);
    if (status)
        return status;
    s->raw.pair_file = s->names[EDGES];
    s->raw.pair_first_line = 1;
    s->raw.pair_base = 1;
    *raw = s->raw;
    memset(&s->raw, 0, sizeof s->raw);
    return RG_OK;
}

/* ---- writing: edges in (row, column) order, both directions */

static void put_edges(rg_set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++) {
                rg_file_int(w->file, (int64_t)(graph.first_node + i + 1));
                rg_file_bytes(w->file, ", ", 2);
                rg_file_int(w->file, (int64_t)(graph.first_node + graph.col[k] + 1));
                rg_file_bytes(w->file, "\n", 1);
            }
    }
}

static void put_indicator(rg_set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            rg_file_int(w->file, (int64_t)g + 1);
            rg_file_bytes(w->file, "\n", 1);
        }
    }
}

/* Line k is row k of the file's kind of columns. */
static void put_columns(rg_set_writer *w)
{
    uint64_t n_rows[] = {rg_dataset_n_nodes(w->data), rg_dataset_n_arcs(w->data),
                         rg_dataset_n_graphs(w->data)};
    for (uint64_t k = 0; k < n_rows[rg_column_item(w->column)]; k++) {
        rg_set_writer_row(w, w->column, k, "", ", ");
        rg_file_bytes(w->file, "\n", 1);
    }
}

static rg_status check_set(const rg_set_writer *w, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(w->data);
    if (n == 0 || rg_dataset_n_columns(w->data, RG_CLASS) ||
        rg_dataset_n_columns(w->data, RG_TARGET))
        return RG_OK;
    /* Only the nodes' indicators say how many graphs there are, and the reader takes none that is
     * above the number of nodes. */
    if (rg_dataset_graph(w->data, n - 1).n_nodes == 0 || n > rg_dataset_n_nodes(w->data))
        return rg_fail(err, RG_EUSAGE,
                       "'%s': the format tu cannot tell how many graphs there are if the set has "
                       "no targets and many graphs, or the last one, are empty",
                       w->name);
    return RG_OK;
}

static rg_status write_set(rg_set_writer *w, rg_error *err)
{
    static const rg_column columns[N_PARTS] = {
        [GRAPH_LABELS] = RG_CLASS,     [GRAPH_ATTRIBUTES] = RG_TARGET,
        [NODE_LABELS] = RG_NODE_LABEL, [NODE_ATTRIBUTES] = RG_NODE_ATTRIBUTE,
        [EDGE_LABELS] = RG_EDGE_LABEL, [EDGE_ATTRIBUTES] = RG_EDGE_ATTRIBUTE,
    };
    rg_status status = check_set(w, err);
    if (!status)
        status = rg_set_writer_add(w, endings[EDGES], put_edges, err);
    if (!status)
        status = rg_set_writer_add(w, endings[INDICATOR], put_indicator, err);
    for (int p = GRAPH_LABELS; !status && p < N_PARTS; p++) {
        w->column = columns[p];
        if (rg_dataset_n_columns(w->data, columns[p]))
            status = rg_set_writer_add(w, endings[p], put_columns, err);
    }
    for (int p = GRAPH_LABELS; !status && p < N_PARTS; p++)
        if (!rg_dataset_n_columns(w->data, columns[p]))
            status = rg_set_writer_remove(w, endings[p], err);
    return status;
}

const rg_format_kind rg_format_tu = {
    .name = "tu",
    .files = "NAME_A.txt and NAME_graph_indicator.txt",
    .size = sizeof(tu_state),
    .knows = knows,
    .take = take,
    .finish = finish,
    .close = close_state,
    .write = write_set,
};
