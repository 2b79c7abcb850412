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

static rg_status open_state(void **out, rg_error *err)
{
    tu_state *s = rg_alloc_zero(1, sizeof *s);
    if (!s)
        return rg_fail_memory(err, "reading a data set");
    *out = s;
    return RG_OK;
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

const rg_format_reader rg_format_tu = {RG_FORMAT_TU, knows, open_state, take, finish, close_state};
