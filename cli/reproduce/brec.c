/* brec.c - see brec.h: every pair is a data set of its own, on which the labeling is fitted. */
#include "brec.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/sort.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "graph/reorder.h"
#include "regula/build.h"
#include "text/reader.h"

#include <string.h>

typedef struct brec_walk {
    const rg_dataset *data;
    const char *labels;
    cli_progress *progress;
    size_t n_pairs;
    uint8_t *apart, *wrong, *capped; /* per pair */
} brec_walk;

void cli_brec_free(cli_brec *brec)
{
    rg_free(brec->apart);
    rg_free(brec->labels);
    *brec = (cli_brec){0};
}

/* The labels of a graph in ascending order, into `out`. */
static size_t sorted_labels(uint32_t *out, const rg_dataset *data, const rg_labels *labels,
                            size_t index)
{
    rg_graph graph = rg_dataset_graph(data, index);
    for (uint32_t i = 0; i < graph.n_nodes; i++)
        out[i] = rg_labels_data(labels)[graph.first_node + i];
    rg_sort_numbers(out, graph.n_nodes);
    return graph.n_nodes;
}

/* Fits the labeling on graphs a and b and compares their multisets of labels. */
static rg_status compare(bool *differ, bool *capped, const rg_dataset *pair, const brec_walk *w,
                         rg_error *err)
{
    rg_label_options options = rg_label_options_default();
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    size_t n = (size_t)rg_dataset_n_nodes(pair);
    uint32_t *a = rg_alloc(n, sizeof *a), *b = rg_alloc(n, sizeof *b);
    options.n_threads = 1;
    options.budget = (uint64_t)1 << 40;
    rg_status status =
        a && b ? rg_labeling_fit(&labeling, &labels, w->labels, pair, NULL, 0, &options, err)
               : rg_fail_memory(err, "comparing graphs");
    if (!status) {
        size_t n_a = sorted_labels(a, pair, labels, 0), n_b = sorted_labels(b, pair, labels, 1);
        *differ = n_a != n_b || memcmp(a, b, n_a * sizeof *a) != 0;
        *capped = rg_labels_n_capped(labels) > 0;
    }
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_free(a);
    rg_free(b);
    return status;
}

/* A graph twice, with its nodes in two orders of chance. */
static rg_status renumber(rg_dataset **out, const rg_dataset *data, uint32_t graph, rg_error *err)
{
    uint32_t *graphs = NULL, *nodes = NULL;
    rg_dataset *twice = NULL;
    rg_status status = rg_dataset_select(&twice, data, (uint32_t[]){graph, graph}, 2, err);
    if (!status)
        status = rg_dataset_shuffle(&graphs, &nodes, twice, graph, err);
    if (!status)
        status = rg_dataset_reorder(out, twice, NULL, nodes, err);
    rg_free(graphs);
    rg_free(nodes);
    rg_dataset_free(twice);
    return status;
}

/* One pair; and one of its graphs, by turns, with a renumbered copy, which must not differ. */
static rg_status compare_pair(void *context, size_t index, unsigned worker, rg_error *err)
{
    const brec_walk *w = context;
    uint32_t both[] = {(uint32_t)(2 * index), (uint32_t)(2 * index + 1)};
    rg_dataset *pair = NULL, *same = NULL;
    bool apart = false, capped = false, wrong = false, ignored;
    if (worker == 0)
        cli_progress_part(w->progress, (double)index / (double)w->n_pairs);
    rg_status status = rg_dataset_select(&pair, w->data, both, 2, err);
    if (!status)
        status = compare(&apart, &capped, pair, w, err);
    if (!status)
        status = renumber(&same, w->data, both[index % 2], err);
    if (!status)
        status = compare(&wrong, &ignored, same, w, err);
    w->apart[index] = apart && !capped;
    w->capped[index] = capped;
    w->wrong[index] = wrong;
    rg_dataset_free(pair);
    rg_dataset_free(same);
    return status;
}

/* ---- kinds of pairs */

static rg_status count_kind(cli_brec *out, const char *name, size_t n, bool apart,
                            const rg_reader *in, rg_error *err)
{
    size_t k = 0;
    while (k < out->n_kinds &&
           (strlen(out->kinds[k].name) != n || memcmp(out->kinds[k].name, name, n) != 0))
        k++;
    if (n == 0 || n >= sizeof out->kinds[k].name || k == CLI_BREC_KINDS)
        return rg_fail(err, RG_EDATA, "%s:%zu: found '%.40s', expected one of at most %d kinds",
                       rg_reader_name(in), rg_reader_line_number(in), name, CLI_BREC_KINDS);
    if (k == out->n_kinds) {
        memcpy(out->kinds[k].name, name, n);
        out->n_kinds++;
    }
    out->kinds[k].n_pairs++;
    out->kinds[k].n_apart += apart;
    return RG_OK;
}

/* One word per pair. */
static rg_status count_kinds(cli_brec *out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    bool more = true;
    size_t n_lines = 0, n;
    rg_status status = rg_reader_open(&in, path, err);
    while (!status && !(status = rg_reader_next(in, &more, err)) && more) {
        const char *name = rg_reader_text(in, &n);
        if (n_lines < out->n_pairs)
            status = count_kind(out, name, n, out->apart[n_lines], in, err);
        n_lines++;
    }
    if (!status && n_lines != out->n_pairs)
        status = rg_fail(err, RG_EDATA, "%s: found %zu lines, expected %zu, one per pair", path,
                         n_lines, out->n_pairs);
    rg_reader_close(in);
    return status;
}

/* ---- the whole */

/* The first place that has brec/brec.g6. Both owned. */
static rg_status find(char **graphs, char **kinds, const char *data, rg_error *err)
{
    cli_places places = {{NULL, NULL}};
    rg_status status = cli_places_find(&places, data, err);
    for (int k = 0; !status && !*graphs && k < 2; k++) {
        char *folder = places.at[k] ? rg_path_join(places.at[k], "brec") : NULL;
        char *path = folder ? rg_path_join(folder, "brec.g6") : NULL;
        if (places.at[k] && !path)
            status = rg_fail_memory(err, "looking for data");
        if (path && rg_path_exists(path)) {
            *graphs = path;
            path = NULL;
            if (!(*kinds = rg_path_join(folder, "kinds.txt")))
                status = rg_fail_memory(err, "looking for data");
        }
        rg_free(folder);
        rg_free(path);
    }
    if (!status && !*graphs)
        status = rg_fail(err, RG_EDATA,
                         "BREC: found no brec/brec.g6 in '%s', expected its pairs of graphs, two "
                         "lines of graph6 each, and brec/kinds.txt with a word per pair",
                         places.at[0]   ? places.at[0]
                         : places.at[1] ? places.at[1]
                                        : "");
    cli_places_free(&places);
    return status;
}

static rg_status compare_all(cli_brec *out, brec_walk *w, unsigned n_threads, rg_error *err)
{
    rg_pool *pool = NULL;
    size_t n = out->n_pairs;
    uint8_t *flags = rg_alloc_zero(n, 2);
    out->apart = rg_alloc_zero(n, 1);
    rg_status status = flags && out->apart ? rg_pool_new(&pool, n_threads, err)
                                           : rg_fail_memory(err, "comparing graphs");
    w->apart = out->apart;
    w->wrong = flags;
    w->capped = flags + n;
    w->n_pairs = n;
    if (!status)
        status = rg_pool_run(pool, n, compare_pair, w, err);
    for (size_t k = 0; !status && k < n; k++) {
        out->n_apart += w->apart[k];
        out->n_wrong += w->wrong[k];
        out->n_capped += w->capped[k];
    }
    rg_pool_free(pool);
    rg_free(flags);
    return status;
}

rg_status cli_brec_run(cli_brec *out, const char *labels, const cli_reproduce *wish, rg_error *err)
{
    cli_brec brec = {0};
    cli_progress progress;
    rg_dataset *data = NULL;
    char *graphs = NULL, *kinds = NULL;
    double start = cli_now();
    rg_status status = rg_labeling_check(&brec.labels, labels, err);
    if (!status)
        status = find(&graphs, &kinds, wish->data, err);
    if (!status)
        status = rg_dataset_read(&data, graphs, NULL, err);
    if (!status && rg_dataset_n_graphs(data) % 2)
        status = rg_fail(err, RG_EDATA, "%s: found %zu graphs, expected two per pair", graphs,
                         rg_dataset_n_graphs(data));
    if (!status) {
        brec_walk w = {.data = data, .labels = labels, .progress = &progress};
        brec.n_pairs = rg_dataset_n_graphs(data) / 2;
        cli_progress_begin(&progress, "comparing pairs", wish->quiet);
        status = compare_all(&brec, &w, wish->n_threads, err);
        cli_progress_end(&progress);
    }
    if (!status)
        status = count_kinds(&brec, kinds, err);
    brec.seconds = cli_now() - start;
    rg_dataset_free(data);
    rg_free(graphs);
    rg_free(kinds);
    if (status)
        cli_brec_free(&brec);
    else
        *out = brec;
    return status;
}
