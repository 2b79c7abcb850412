/* write.c - data sets as text, byte for byte the same each time.
 *
 * What is written reads back as the same set, with the same digest; what a format has no words for
 * is refused before the first file is made. The files of a set are one whole: all of them are on
 * the disk before the first one appears under its name. Edges come in (row, column) order: both
 * directions in TUDataset's list, the smaller node first in the three-file format. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "regula/dataset.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 8 };

typedef struct set_writer {
    const rg_dataset *data;
    const char *directory, *name;
    rg_file *file; /* the one being written: the last of `files` */
    rg_file *files[MOST_FILES];
    size_t n_files;
} set_writer;

/* ---- fields */

/* Column by column, what row k of a kind of labels holds; `before` comes before each. */
static void put_labels(set_writer *w, rg_column kind, uint64_t k, const char *first,
                       const char *before)
{
    for (size_t c = 0; c < rg_dataset_n_columns(w->data, kind); c++) {
        size_t n;
        const int64_t *values = rg_dataset_values(w->data, kind, c, &n);
        uint32_t rank = rg_dataset_ranks(w->data, kind, c)[k];
        rg_file_text(w->file, c ? before : first);
        if (rank == RG_NO_CLASS)
            rg_file_text(w->file, "nan");
        else
            rg_file_int(w->file, values[rank]);
    }
}

static void put_reals(set_writer *w, rg_column kind, uint64_t k, const char *first,
                      const char *before)
{
    size_t n = rg_dataset_n_columns(w->data, kind);
    const double *row = rg_dataset_reals(w->data, kind);
    for (size_t c = 0; c < n; c++) {
        rg_file_text(w->file, c ? before : first);
        rg_file_real(w->file, row[k * n + c]);
    }
}

/* ---- files */

typedef void (*content)(set_writer *w);

/* DIRECTORY/NAME + ending; owned, NULL if memory is short. */
static char *path_of(const set_writer *w, const char *ending)
{
    size_t n = strlen(w->name) + strlen(ending) + 1;
    char *file = rg_alloc(n, 1), *path = NULL;
    if (file) {
        snprintf(file, n, "%s%s", w->name, ending);
        path = rg_path_join(w->directory, file);
    }
    rg_free(file);
    return path;
}

/* Writes a file that waits for commit_files. */
static rg_status write_file(set_writer *w, const char *ending, content put, rg_error *err)
{
    char *path = path_of(w, ending);
    if (!path)
        return rg_fail_memory(err, "writing a data set");
    rg_status status = rg_file_create(&w->file, path, err);
    rg_free(path);
    if (status)
        return status;
    w->files[w->n_files++] = w->file;
    put(w);
    return rg_file_seal(w->file, err);
}

/* An earlier set of this name may have had labels or attributes that this one has not; its file
 * must not be taken for one of ours. */
static rg_status remove_file(const set_writer *w, const char *ending, rg_error *err)
{
    char *path = path_of(w, ending);
    if (!path)
        return rg_fail_memory(err, "writing a data set");
    int failed = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : unlink(path);
    rg_status status = failed && errno != ENOENT ? rg_fail_io(err, errno, "remove", path) : RG_OK;
    rg_free(path);
    return status;
}

static rg_status commit_files(set_writer *w, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < w->n_files; k++) {
        if (!status)
            status = rg_file_commit(w->files[k], err);
        else
            rg_file_discard(w->files[k]);
        w->files[k] = NULL;
    }
    return status;
}

/* One file whose line k is row k of one kind of columns. */
static void put_column_file(set_writer *w, rg_column kind, uint64_t n_rows)
{
    bool label = kind == RG_NODE_LABEL || kind == RG_EDGE_LABEL || kind == RG_CLASS;
    for (uint64_t k = 0; k < n_rows; k++) {
        if (label)
            put_labels(w, kind, k, "", ", ");
        else
            put_reals(w, kind, k, "", ", ");
        rg_file_bytes(w->file, "\n", 1);
    }
}

static void put_node_labels(set_writer *w)
{
    put_column_file(w, RG_NODE_LABEL, rg_dataset_n_nodes(w->data));
}

static void put_node_attributes(set_writer *w)
{
    put_column_file(w, RG_NODE_ATTRIBUTE, rg_dataset_n_nodes(w->data));
}

static void put_edge_labels(set_writer *w)
{
    put_column_file(w, RG_EDGE_LABEL, rg_dataset_n_arcs(w->data));
}

static void put_edge_attributes(set_writer *w)
{
    put_column_file(w, RG_EDGE_ATTRIBUTE, rg_dataset_n_arcs(w->data));
}

static void put_classes(set_writer *w)
{
    put_column_file(w, RG_CLASS, rg_dataset_n_graphs(w->data));
}

static void put_targets(set_writer *w)
{
    put_column_file(w, RG_TARGET, rg_dataset_n_graphs(w->data));
}

/* ---- TUDataset: nodes and graphs from 1 */

static void put_tu_edges(set_writer *w)
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

static void put_tu_indicator(set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            rg_file_int(w->file, (int64_t)g + 1);
            rg_file_bytes(w->file, "\n", 1);
        }
    }
}

static rg_status check_tu(const set_writer *w, rg_error *err)
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

static rg_status write_tu(set_writer *w, rg_error *err)
{
    static const struct {
        const char *ending;
        content put;
        rg_column kind; /* written if the set has such columns; RG_N_COLUMN_KINDS: always */
    } files[] = {
        {.ending = "_A.txt", .put = put_tu_edges, .kind = RG_N_COLUMN_KINDS},
        {.ending = "_graph_indicator.txt", .put = put_tu_indicator, .kind = RG_N_COLUMN_KINDS},
        {.ending = "_graph_labels.txt", .put = put_classes, .kind = RG_CLASS},
        {.ending = "_graph_attributes.txt", .put = put_targets, .kind = RG_TARGET},
        {.ending = "_node_labels.txt", .put = put_node_labels, .kind = RG_NODE_LABEL},
        {.ending = "_node_attributes.txt", .put = put_node_attributes, .kind = RG_NODE_ATTRIBUTE},
        {.ending = "_edge_labels.txt", .put = put_edge_labels, .kind = RG_EDGE_LABEL},
        {.ending = "_edge_attributes.txt", .put = put_edge_attributes, .kind = RG_EDGE_ATTRIBUTE}};
    enum { N = sizeof files / sizeof *files };
    bool has[N];
    rg_status status = check_tu(w, err);
    for (size_t k = 0; !status && k < N; k++) {
        has[k] =
            files[k].kind == RG_N_COLUMN_KINDS || rg_dataset_n_columns(w->data, files[k].kind) > 0;
        if (has[k])
            status = write_file(w, files[k].ending, files[k].put, err);
    }
    for (size_t k = 0; !status && k < N; k++)
        if (!has[k])
            status = remove_file(w, files[k].ending, err);
    return status;
}

/* ---- three files: graphs, and nodes inside a graph, from 0 */

static void put_three_nodes(set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_graph graph = rg_dataset_graph(w->data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            rg_file_int(w->file, (int64_t)g);
            rg_file_bytes(w->file, " ", 1);
            rg_file_int(w->file, i);
            put_labels(w, RG_NODE_LABEL, graph.first_node + i, " ", " ");
            rg_file_bytes(w->file, "\n", 1);
        }
    }
}

static void put_three_edges(set_writer *w)
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
                put_labels(w, RG_EDGE_LABEL, k, " ", " ");
                rg_file_bytes(w->file, "\n", 1);
            }
    }
}

static void put_three_labels(set_writer *w)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(w->data); g++) {
        rg_file_int(w->file, (int64_t)g);
        put_labels(w, RG_CLASS, g, " ", " ");
        put_reals(w, RG_TARGET, g, " ", " ");
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

static rg_status check_three(const set_writer *w, rg_error *err)
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

static rg_status write_three(set_writer *w, rg_error *err)
{
    rg_status status = check_three(w, err);
    if (!status)
        status = write_file(w, "_Nodes.txt", put_three_nodes, err);
    if (!status)
        status = write_file(w, "_Edges.txt", put_three_edges, err);
    if (!status)
        status = write_file(w, "_Labels.txt", put_three_labels, err);
    return status;
}

rg_status rg_dataset_write(const rg_dataset *data, const char *directory, const char *name,
                           rg_format format, rg_error *err)
{
    set_writer w = {
        .data = data, .directory = directory, .name = name ? name : rg_dataset_name(data)};
    if (format != RG_FORMAT_TU && format != RG_FORMAT_THREE)
        return rg_fail(err, RG_EUSAGE,
                       "format %s: found one that is only read, expected tu or three",
                       rg_format_name(format));
    if (w.name[0] == '\0' || w.name[0] == '.' || strchr(w.name, '/'))
        return rg_fail(err, RG_EUSAGE,
                       "name '%s': expected one that is not empty, has no '/' and does not begin "
                       "with '.'",
                       w.name);
    rg_status status = rg_dir_make(directory, err);
    if (!status)
        status = format == RG_FORMAT_TU ? write_tu(&w, err) : write_three(&w, err);
    if (!status)
        return commit_files(&w, err);
    for (size_t k = 0; k < w.n_files; k++)
        rg_file_discard(w.files[k]);
    return status;
}
