/* three.c - NAME_Nodes.txt, NAME_Edges.txt, NAME_Labels.txt.
 *
 *   Nodes    graph node label...          one line per node
 *   Edges    graph node node label...     one line per edge
 *   Labels   [word] graph label...        one line per graph
 *
 * Graphs and nodes are named by whole numbers of any size, in any order, with gaps. The set has its
 * graphs in ascending order of their numbers, and so the nodes inside a graph: the order of lines
 * means nothing. (A program that takes one for the other attaches labels to the wrong nodes.)
 * Numbers are looked up by binary search, so memory depends on the size of the files only. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "format.h"
#include "mixed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of Nodes, or of Labels (there node is 0). */
typedef struct name_line {
    int64_t graph, node;
    size_t row; /* which line of the file, from 0 */
} name_line;

typedef struct edge_line {
    int64_t graph, a, b;
} edge_line;

typedef struct names {
    char *file; /* for messages; NULL: not yet taken */
    name_line *lines;
    size_t n, capacity;
    rg_mixed values;
    size_t unsorted; /* lines that come before their predecessor */
} names;

typedef struct three {
    names nodes, graphs;
    char *edge_file;
    edge_line *edges;
    size_t n_edges, edge_capacity;
    rg_mixed edge_values;
    size_t *first_node; /* n_graphs + 1: nodes of graph g are first_node[g] .. first_node[g+1]-1 */
} three;

static bool ends_with(const char *file, const char *end)
{
    size_t n = strlen(file), m = strlen(end);
    return n > m && strcmp(file + n - m, end) == 0;
}

static bool three_knows(const char *file, size_t *prefix)
{
    static const char *const ends[] = {"_Nodes.txt", "_Edges.txt", "_Labels.txt"};
    for (size_t k = 0; k < 3; k++)
        if (ends_with(file, ends[k])) {
            *prefix = strlen(file) - strlen(ends[k]);
            return true;
        }
    return false;
}

static void lines_free(names *list)
{
    rg_free(list->lines);
    list->lines = NULL;
    list->n = list->capacity = 0;
}

static void names_free(names *list)
{
    lines_free(list);
    rg_free(list->file);
    rg_mixed_free(&list->values);
}

static void three_close(void *state)
{
    three *t = state;
    if (!t)
        return;
    names_free(&t->nodes);
    names_free(&t->graphs);
    rg_free(t->edge_file);
    rg_free(t->edges);
    rg_mixed_free(&t->edge_values);
    rg_free(t->first_node);
    rg_free(t);
}

/* NULL if memory is short. */
static name_line *add_line(names *list)
{
    if (!rg_grow(&list->lines, &list->capacity, list->n + 1, sizeof *list->lines))
        return NULL;
    name_line *line = &list->lines[list->n];
    *line = (name_line){.row = list->n++};
    return line;
}

static rg_status take_nodes(names *nodes, rg_reader *in, rg_error *err)
{
    rg_status status = rg_row_file(&nodes->file, in, err);
    bool more = false;
    while (!status && !(status = rg_row_next(in, &more, "a node", err)) && more) {
        name_line *line = add_line(nodes);
        if (!line)
            return rg_fail_memory(err, nodes->file);
        if (!(status = rg_reader_int(in, &line->graph, "a graph (a whole number)", err)) &&
            !(status = rg_reader_int(in, &line->node, "a node (a whole number)", err)))
            status = rg_mixed_read(&nodes->values, in, "a node label", err);
    }
    return status;
}

static rg_status take_edges(three *t, rg_reader *in, rg_error *err)
{
    rg_status status = rg_row_file(&t->edge_file, in, err);
    bool more = false;
    while (!status && !(status = rg_row_next(in, &more, "an edge", err)) && more) {
        if (!rg_grow(&t->edges, &t->edge_capacity, t->n_edges + 1, sizeof *t->edges))
            return rg_fail_memory(err, t->edge_file);
        edge_line *line = &t->edges[t->n_edges++];
        if (!(status = rg_reader_int(in, &line->graph, "a graph (a whole number)", err)) &&
            !(status = rg_reader_int(in, &line->a, "a node (a whole number)", err)) &&
            !(status = rg_reader_int(in, &line->b, "a node (a whole number)", err)))
            status = rg_mixed_read(&t->edge_values, in, "an edge label", err);
    }
    return status;
}

/* Does the line begin with a word that is no number, the name of the data set? */
static bool begins_with_word(const rg_reader *in)
{
    size_t n;
    const char *text = rg_reader_text(in, &n), *end = text + n;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    double number;
    const char *after = rg_number_real(text, end, &number);
    return text < end && *text != ',' &&
           !(after && (after == end || *after == ' ' || *after == '\t' || *after == ','));
}

static rg_status take_labels(names *graphs, rg_reader *in, rg_error *err)
{
    rg_status status = rg_row_file(&graphs->file, in, err);
    bool more = false, named = false;
    while (!status && !(status = rg_row_next(in, &more, "a graph", err)) && more) {
        name_line *line = add_line(graphs);
        if (!line)
            return rg_fail_memory(err, graphs->file);
        if (line->row == 0)
            named = begins_with_word(in);
        if (named) {
            const char *word;
            size_t n;
            if (!begins_with_word(in))
                return rg_reader_complain(in, "a name, as on the first line", err);
            if ((status = rg_reader_word(in, &word, &n, "a name", err)))
                return status;
        }
        if (!(status = rg_reader_int(in, &line->graph, "a graph (a whole number)", err)))
            status = rg_mixed_read(&graphs->values, in, "a graph label", err);
    }
    return status;
}

static rg_status three_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    three *t = state;
    if (ends_with(file, "_Nodes.txt"))
        return take_nodes(&t->nodes, in, err);
    if (ends_with(file, "_Edges.txt"))
        return take_edges(t, in, err);
    t->graphs.values.missing = true;
    return take_labels(&t->graphs, in, err);
}

static int compare_names(const void *left, const void *right)
{
    const name_line *a = left, *b = right;
    if (a->graph != b->graph)
        return a->graph < b->graph ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int compare_lines(const void *left, const void *right)
{
    const name_line *a = left, *b = right;
    int order = compare_names(a, b);
    return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

/* Of the sorted lines that repeat one before them, the one that comes first in the file; 0: none
 * does. */
static size_t find_repeated(const names *list)
{
    size_t found = 0;
    for (size_t k = 1; k < list->n; k++)
        if (compare_names(&list->lines[k - 1], &list->lines[k]) == 0 &&
            (!found || list->lines[k].row < list->lines[found].row))
            found = k;
    return found;
}

static rg_status fail_repeated(const names *list, size_t k, bool nodes, rg_error *err)
{
    const name_line *line = &list->lines[k];
    char node[40] = "";
    if (nodes)
        snprintf(node, sizeof node, "node %" PRId64 " of ", line->node);
    return rg_fail(err, RG_EDATA,
                   "%s:%zu: found %sgraph %" PRId64 " again, expected it on line %zu only",
                   list->file, line->row + 1, node, line->graph, list->lines[k - 1].row + 1);
}

/* Ascending by (graph, node), values along with their lines. Files that are sorted cost one look.
 */
static rg_status sort_names(names *list, bool nodes, rg_error *err)
{
    bool sorted = true;
    for (size_t k = 1; k < list->n; k++) {
        int order = compare_names(&list->lines[k - 1], &list->lines[k]);
        sorted = sorted && order < 0;
        list->unsorted += order > 0;
    }
    if (sorted)
        return RG_OK;
    qsort(list->lines, list->n, sizeof *list->lines, compare_lines);
    size_t repeated = find_repeated(list);
    if (repeated)
        return fail_repeated(list, repeated, nodes, err);
    size_t *order = rg_alloc(list->n, sizeof *order);
    if (!order)
        return rg_fail_memory(err, list->file);
    for (size_t k = 0; k < list->n; k++)
        order[k] = list->lines[k].row;
    rg_status status = rg_mixed_reorder(&list->values, order, err);
    rg_free(order);
    return status;
}

/* Both lists are sorted: one walk gives every graph its nodes. */
static rg_status join_nodes(three *t, rg_raw *raw, rg_error *err)
{
    const name_line *node = t->nodes.lines, *graph = t->graphs.lines, *stray = NULL;
    size_t n_nodes = t->nodes.n, n_graphs = t->graphs.n, k = 0;
    raw->node_graph = rg_alloc(n_nodes, sizeof *raw->node_graph);
    t->first_node = rg_alloc(n_graphs + 1, sizeof *t->first_node);
    if (!raw->node_graph || !t->first_node)
        return rg_fail_memory(err, t->nodes.file);
    for (size_t g = 0; g <= n_graphs; g++) {
        for (; k < n_nodes && (g == n_graphs || node[k].graph < graph[g].graph); k++)
            if (!stray || node[k].row < stray->row)
                stray = &node[k];
        t->first_node[g] = k;
        for (; g < n_graphs && k < n_nodes && node[k].graph == graph[g].graph; k++)
            raw->node_graph[k] = (uint32_t)g;
    }
    if (stray)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found a node of graph %" PRId64 ", expected a graph of %s",
                       t->nodes.file, stray->row + 1, stray->graph, t->graphs.file);
    raw->n_nodes = raw->node_capacity = n_nodes;
    raw->n_graphs = n_graphs;
    return RG_OK;
}

/* Place of a line among the sorted ones from low to high-1; NONE if there is no such line. Where
 * numbers have no gaps the first look, at `guess`, is right. */
#define NONE SIZE_MAX
static size_t find_line(const names *list, size_t low, size_t high, size_t guess, name_line wanted)
{
    if (low <= guess && guess < high && compare_names(&list->lines[guess], &wanted) == 0)
        return guess;
    size_t end = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_names(&list->lines[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && compare_names(&list->lines[low], &wanted) == 0 ? low : NONE;
}

static size_t find_node(const three *t, size_t g, int64_t node)
{
    size_t low = t->first_node[g], high = t->first_node[g + 1];
    if (low == high)
        return NONE;
    uint64_t offset = (uint64_t)node - (uint64_t)t->nodes.lines[low].node;
    size_t guess = offset < high - low ? low + (size_t)offset : low;
    return find_line(&t->nodes, low, high, guess, (name_line){t->graphs.lines[g].graph, node, 0});
}

/* A pair takes a third of the room of its line, so pairs overwrite lines from the front: pair k
 * ends before line k + 1 begins. */
static rg_status join_edges(three *t, rg_raw *raw, rg_error *err)
{
    char *pairs = (char *)t->edges;
    size_t g = 0;
    for (size_t k = 0; k < t->n_edges; k++) {
        edge_line line = t->edges[k];
        g = find_line(&t->graphs, 0, t->graphs.n, g, (name_line){line.graph, 0, 0});
        if (g == NONE)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found an edge of graph %" PRId64 ", expected a graph of %s",
                           t->edge_file, k + 1, line.graph, t->graphs.file);
        size_t a = find_node(t, g, line.a), b = find_node(t, g, line.b);
        if (a == NONE || b == NONE)
            return rg_fail(
                err, RG_EDATA,
                "%s:%zu: found node %" PRId64 " of graph %" PRId64 ", expected a node of %s",
                t->edge_file, k + 1, a == NONE ? line.a : line.b, line.graph, t->nodes.file);
        uint32_t pair[2] = {(uint32_t)a, (uint32_t)b};
        memcpy(pairs + k * sizeof pair, pair, sizeof pair);
    }
    void *less = rg_realloc(pairs, t->n_edges, sizeof *raw->pairs);
    if (!less)
        return rg_fail_memory(err, t->edge_file);
    raw->pairs = less;
    raw->n_pairs = raw->pair_capacity = t->n_edges;
    t->edges = NULL;
    return RG_OK;
}

static rg_status check_files(const three *t, rg_error *err)
{
    const char *files[] = {t->nodes.file, t->edge_file, t->graphs.file};
    static const char *const ends[] = {"Nodes", "Edges", "Labels"};
    const char *there = files[0] ? files[0] : files[1] ? files[1] : files[2];
    for (size_t k = 0; k < 3; k++)
        if (!files[k])
            return rg_fail(err, RG_EDATA, "%s: found no NAME_%s.txt beside it, expected one",
                           there ? there : "data set", ends[k]);
    if (t->nodes.n >= UINT32_MAX || t->graphs.n >= UINT32_MAX || t->n_edges >= UINT32_MAX)
        return rg_fail(err, RG_EDATA,
                       "%s: found 2^32 or more nodes, graphs or edges, expected less", there);
    return RG_OK;
}

static rg_status three_finish(void *state, rg_raw *raw, rg_error *err)
{
    three *t = state;
    rg_status status;
    if ((status = check_files(t, err)) || (status = sort_names(&t->graphs, false, err)) ||
        (status = sort_names(&t->nodes, true, err)) || (status = join_nodes(t, raw, err)) ||
        (status = join_edges(t, raw, err))) {
        rg_raw_free(raw);
        return status;
    }
    lines_free(&t->nodes); /* before the build makes its own tables */
    lines_free(&t->graphs);
    raw->quirks.unsorted_nodes = t->nodes.unsorted;
    raw->pair_file = t->edge_file;
    raw->pair_first_line = 1;
    rg_mixed_move(&t->nodes.values, &raw->node_labels, &raw->node_attributes);
    rg_mixed_move(&t->edge_values, &raw->edge_labels, &raw->edge_attributes);
    rg_mixed_move(&t->graphs.values, &raw->classes, &raw->targets);
    return RG_OK;
}

/* ---- writing: graphs, and nodes inside a graph, from 0; edges in (row, column) order, the smaller
 * node first */

static void put_nodes(rg_set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            rg_file_int(w->file, (int64_t)g);
            rg_file_bytes(w->file, " ", 1);
            rg_file_int(w->file, i);
            rg_set_writer_row(w, RG_NODE_LABEL, graph.first_node + i, " ", " ");
            rg_file_bytes(w->file, "\n", 1);
        }
    }
}

static void put_edges(rg_set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++) {
                if (graph.col[k] < i)
                    continue;
                rg_file_int(w->file, (int64_t)g);
                rg_file_bytes(w->file, " ", 1);
                rg_file_int(w->file, i);
                rg_file_bytes(w->file, " ", 1);
                rg_file_int(w->file, graph.col[k]);
                rg_set_writer_row(w, RG_EDGE_LABEL, k, " ", " ");
                rg_file_bytes(w->file, "\n", 1);
            }
    }
}

static void put_labels(rg_set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_file_int(w->file, (int64_t)g);
        rg_set_writer_row(w, RG_CLASS, g, " ", " ");
        rg_set_writer_row(w, RG_TARGET, g, " ", " ");
        rg_file_bytes(w->file, "\n", 1);
    }
}

/* Whole numbers would read back as classes, since the file does not say which of the two it has. */
static bool targets_look_like_classes(const rg_dataset *data)
{
    const double *targets = rg_dataset_reals(data, RG_TARGET);
    size_t n = rg_dataset_n_graphs(data) * rg_dataset_n_columns(data, RG_TARGET);
    for (size_t k = 0; k < n; k++)
        if (!isnan(targets[k]) && (targets[k] != floor(targets[k]) || fabs(targets[k]) >= 0x1p63))
            return false;
    return true;
}

static rg_status check_set(const rg_set_writer *w, rg_error *err)
{
    if (rg_dataset_n_columns(w->data, RG_NODE_ATTRIBUTE) ||
        rg_dataset_n_columns(w->data, RG_EDGE_ATTRIBUTE))
        return rg_fail(err, RG_EUSAGE, "'%s': the format three has no place for attributes",
                       w->name);
    if (!rg_dataset_n_columns(w->data, RG_TARGET))
        return RG_OK;
    if (rg_dataset_n_columns(w->data, RG_CLASS))
        return rg_fail(err, RG_EUSAGE,
                       "'%s': the format three has a place for classes or for real-valued targets, "
                       "not for both",
                       w->name);
    if (targets_look_like_classes(w->data))
        return rg_fail(err, RG_EUSAGE,
                       "'%s': the format three cannot tell real-valued targets that are all whole "
                       "numbers from classes",
                       w->name);
    return RG_OK;
}

static rg_status three_write(rg_set_writer *w, rg_error *err)
{
    rg_status status = check_set(w, err);
    if (!status)
        status = rg_set_writer_add(w, "_Nodes.txt", put_nodes, err);
    if (!status)
        status = rg_set_writer_add(w, "_Edges.txt", put_edges, err);
    if (!status)
        status = rg_set_writer_add(w, "_Labels.txt", put_labels, err);
    return status;
}

const rg_format_kind rg_format_three = {
    .name = "three",
    .files = "NAME_Nodes.txt and NAME_Edges.txt",
    .size = sizeof(three),
    .knows = three_knows,
    .take = three_take,
    .finish = three_finish,
    .close = three_close,
    .write = three_write,
};
