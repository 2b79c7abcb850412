/* datasets.c - see datasets.h. */
#include "datasets.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "regula/audit.h"
#include "reproduce_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* A row as it is printed; means have one digit behind the point. */
typedef struct dataset_row {
    const char *data;
    uint64_t n_graphs;
    const char *nodes[3], *edges[3], *diameter[3]; /* max, mean, min */
    uint64_t n_labels, n_classes;
} dataset_row;

/* tab:real-world-datasets and tab:synthetic-datasets. */
static const dataset_row published[RG_PAPER_SETS] = {
    {"NCI1", 4110, {"111", "29.9", "3"}, {"119", "32.3", "2"}, {"45", "11.5", "0"}, 37, 2},
    {"NCI109", 4127, {"111", "29.7", "4"}, {"119", "32.1", "3"}, {"61", "11.3", "0"}, 38, 2},
    {"Mutagenicity", 4337, {"417", "30.3", "4"}, {"112", "30.8", "3"}, {"41", "6.3", "0"}, 14, 2},
    {"DHFR", 756, {"71", "42.4", "20"}, {"73", "44.5", "21"}, {"22", "14.6", "8"}, 9, 2},
    {"IMDB-BINARY", 1000, {"136", "19.8", "12"}, {"1249", "96.5", "26"}, {"2", "1.9", "1"}, 1, 2},
    {"IMDB-MULTI", 1500, {"89", "13.0", "7"}, {"1467", "65.9", "12"}, {"2", "1.5", "1"}, 1, 3},
    {"LongRings100",
     1200,
     {"100", "100.0", "100"},
     {"100", "100.0", "100"},
     {"50", "50.0", "50"},
     5,
     3},
    {"EvenOddRings2_16",
     1200,
     {"16", "16.0", "16"},
     {"16", "16.0", "16"},
     {"8", "8.0", "8"},
     16,
     4},
    {"EvenOddRingsCount16",
     1200,
     {"16", "16.0", "16"},
     {"16", "16.0", "16"},
     {"8", "8.0", "8"},
     16,
     2},
    {"CSL", 150, {"41", "41.0", "41"}, {"82", "82.0", "82"}, {"10", "6.0", "4"}, 1, 10},
    {"Snowflakes",
     1000,
     {"180", "112.5", "45"},
     {"300", "187.5", "75"},
     {"18", "15.5", "13"},
     2,
     4},
};

/* A data set as it is. */
typedef struct dataset_facts {
    bool done, generated;
    rg_audit audit;
    size_t n_graphs, n_labels, n_classes;
} dataset_facts;

typedef struct dataset_walk {
    const cli_reproduce *wish;
    cli_places places;
    dataset_facts facts[RG_PAPER_SETS];
    size_t n_done, n_wanted;
} dataset_walk;

static bool is_wanted(const cli_reproduce *wish, const rg_paper_row *row)
{
    for (size_t k = 0; k < wish->n_only; k++)
        if (rg_paper_find(wish->only[k]) == row)
            return true;
    return wish->n_only == 0;
}

static size_t n_values(const rg_dataset *data, rg_column column)
{
    size_t n = 1; /* without labels all nodes are alike: the tables count that as one */
    if (rg_dataset_n_columns(data, column))
        rg_dataset_values(data, column, 0, &n);
    return n;
}

static rg_status look_at(dataset_facts *out, const rg_paper_row *row, const dataset_walk *w,
                         rg_error *err)
{
    cli_experiment job = {0};
    cli_reproduced made = {.row = row};
    cli_progress progress;
    bool is_published;
    rg_audit_options options = rg_audit_options_default();
    rg_status status =
        cli_reproduce_data(&job, &made, &is_published, &w->places, w->wish->data, err);
    options.n_threads = w->wish->n_threads;
    options.copies = 0;
    options.progress = cli_progress_part;
    options.progress_context = &progress;
    cli_progress_begin(&progress, row->data, w->wish->quiet);
    out->audit = (rg_audit)RG_AUDIT_INIT;
    if (!status)
        status = rg_audit_run(&out->audit, job.source.graphs, &options, err);
    cli_progress_end(&progress);
    if (!status) {
        out->n_graphs = rg_dataset_n_graphs(job.source.graphs);
        out->n_labels = n_values(job.source.graphs, RG_NODE_LABEL);
        out->n_classes = n_values(job.source.graphs, RG_CLASS);
        out->generated = made.generated;
        out->done = true;
    }
    cli_experiment_close(&job);
    return status;
}

/* ---- printing */

static void add_range(cli_table *t, const rg_range *range)
{
    char text[32];
    cli_cell_count(t, range->max);
    snprintf(text, sizeof text, "%.1f", range->mean);
    cli_cell_text(t, text);
    cli_cell_count(t, range->min);
}

static void add_published(cli_table *t, const char *const range[3])
{
    cli_cell_count(t, strtoull(range[0], NULL, 10));
    cli_cell_text(t, range[1]);
    cli_cell_count(t, strtoull(range[2], NULL, 10));
}

static rg_status print_table(const dataset_walk *w, const cli_pages *p, bool synthetic,
                             rg_error *err)
{
    static const cli_column columns[] = {
        {"data", "data set", CLI_CELL_TEXT},        {"source", "", CLI_CELL_TEXT},
        {"graphs", "graphs", CLI_CELL_COUNT},       {"nodes_max", "nodes max", CLI_CELL_COUNT},
        {"nodes_mean", "mean", CLI_CELL_TEXT},      {"nodes_min", "min", CLI_CELL_COUNT},
        {"edges_max", "edges max", CLI_CELL_COUNT}, {"edges_mean", "mean", CLI_CELL_TEXT},
        {"edges_min", "min", CLI_CELL_COUNT},       {"diameter_max", "diam. max", CLI_CELL_COUNT},
        {"diameter_mean", "mean", CLI_CELL_TEXT},   {"diameter_min", "min", CLI_CELL_COUNT},
        {"labels", "labels", CLI_CELL_COUNT},       {"classes", "classes", CLI_CELL_COUNT}};
    cli_table t = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    for (size_t k = 0; k < n; k++) {
        const dataset_facts *f = &w->facts[k];
        if (!f->done || rows[k].synthetic != synthetic)
            continue;
        cli_cell_text(&t, rows[k].title);
        cli_cell_text(&t, f->generated ? "generated" : "counted");
        cli_cell_count(&t, f->n_graphs);
        add_range(&t, &f->audit.nodes);
        add_range(&t, &f->audit.edges);
        add_range(&t, &f->audit.diameter);
        cli_cell_count(&t, f->n_labels);
        cli_cell_count(&t, f->n_classes);
        cli_cell_text(&t, "");
        cli_cell_text(&t, "published");
        cli_cell_count(&t, published[k].n_graphs);
        add_published(&t, published[k].nodes);
        add_published(&t, published[k].edges);
        add_published(&t, published[k].diameter);
        cli_cell_count(&t, published[k].n_labels);
        cli_cell_count(&t, published[k].n_classes);
    }
    if (cli_table_rows(&t) == 0)
        return RG_OK;
    return cli_pages_table(p, synthetic ? "Synthetic data sets" : "Real-world data sets", &t, err);
}

static rg_status print_text(const dataset_walk *w, bool markdown, rg_error *err)
{
    cli_pages p = {.markdown = markdown};
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    rg_status status = print_table(w, &p, false, err);
    if (!status)
        status = print_table(w, &p, true, err);
    if (status)
        return status;
    cli_pages_note(&p,
                   "Diameters: the longest shortest path inside a component. The published ones "
                   "count a disconnected graph as 0.");
    for (size_t k = 0; k < n; k++)
        if (w->facts[k].done && w->facts[k].audit.disconnected_graphs)
            cli_pages_note(&p,
                           "%s: %llu disconnected graphs; with diameter 0 for them the mean is "
                           "%.1f and the maximum %llu.",
                           rows[k].title, (unsigned long long)w->facts[k].audit.disconnected_graphs,
                           w->facts[k].audit.diameter_connected.mean,
                           (unsigned long long)w->facts[k].audit.diameter_connected.max);
    return RG_OK;
}

static json_t *range_json(const rg_range *range)
{
    json_t *object = json_object();
    cli_json_set(&object, "max", cli_json_count(range->max));
    cli_json_set(&object, "mean", cli_json_real(range->mean));
    cli_json_set(&object, "min", cli_json_count(range->min));
    return object;
}

static json_t *published_range(const char *const range[3])
{
    json_t *object = json_object();
    cli_json_set(&object, "max", cli_json_count(strtoull(range[0], NULL, 10)));
    cli_json_set(&object, "mean", cli_json_real(strtod(range[1], NULL)));
    cli_json_set(&object, "min", cli_json_count(strtoull(range[2], NULL, 10)));
    return object;
}

static json_t *published_json(const dataset_row *row)
{
    json_t *object = json_object();
    cli_json_set(&object, "graphs", cli_json_count(row->n_graphs));
    cli_json_set(&object, "nodes", published_range(row->nodes));
    cli_json_set(&object, "edges", published_range(row->edges));
    cli_json_set(&object, "diameter", published_range(row->diameter));
    cli_json_set(&object, "labels", cli_json_count(row->n_labels));
    cli_json_set(&object, "classes", cli_json_count(row->n_classes));
    return object;
}

static rg_status print_json(const dataset_walk *w, rg_error *err)
{
    json_t *root = json_object(), *list = json_array();
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    for (size_t k = 0; k < n; k++) {
        const dataset_facts *f = &w->facts[k];
        json_t *object = json_object();
        if (!f->done) {
            json_decref(object);
            continue;
        }
        cli_json_set(&object, "data", json_string(rows[k].data));
        cli_json_set(&object, "table", json_string(rows[k].synthetic ? "synthetic" : "real-world"));
        cli_json_set(&object, "generated", json_boolean(f->generated));
        cli_json_set(&object, "graphs", cli_json_count(f->n_graphs));
        cli_json_set(&object, "nodes", range_json(&f->audit.nodes));
        cli_json_set(&object, "edges", range_json(&f->audit.edges));
        cli_json_set(&object, "diameter", range_json(&f->audit.diameter));
        cli_json_set(&object, "diameter_connected", range_json(&f->audit.diameter_connected));
        cli_json_set(&object, "disconnected_graphs", cli_json_count(f->audit.disconnected_graphs));
        cli_json_set(&object, "labels", cli_json_count(f->n_labels));
        cli_json_set(&object, "classes", cli_json_count(f->n_classes));
        cli_json_set(&object, "published", published_json(&published[k]));
        cli_json_set(&object, "digest", json_string(f->audit.digest));
        cli_json_add(&list, object);
    }
    cli_json_set(&root, "datasets", list);
    return cli_print_json(root, err);
}

/* ---- the whole */

static rg_status check_names(const cli_reproduce *wish, rg_error *err)
{
    for (size_t k = 0; k < wish->n_only; k++)
        if (!rg_paper_find(wish->only[k]))
            return rg_fail(err, RG_EUSAGE,
                           "option '--only': found '%s', expected a data set of the paper",
                           wish->only[k]);
    return RG_OK;
}

static rg_status look_at_all(dataset_walk *w, rg_error *err)
{
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    for (size_t k = 0; k < n; k++) {
        if (!is_wanted(w->wish, &rows[k]))
            continue;
        w->n_wanted++;
        rg_status status = look_at(&w->facts[k], &rows[k], w, err);
        if (status == RG_ENOMEM)
            return status;
        if (status)
            cli_message("%s: %s", rows[k].data, err->message);
        else
            w->n_done++;
    }
    if (w->n_done == 0)
        return rg_fail(err, RG_EDATA, "none of %zu data sets is there", w->n_wanted);
    return RG_OK;
}

rg_status cli_datasets_run(const cli_reproduce *wish, cli_shape shape, rg_error *err)
{
    dataset_walk *w = rg_alloc_zero(1, sizeof *w);
    if (!w)
        return rg_fail_memory(err, "data sets");
    w->wish = wish;
    rg_status status = check_names(wish, err);
    if (!status)
        status = cli_places_find(&w->places, wish->data, err);
    if (!status)
        status = look_at_all(w, err);
    if (!status)
        status = shape == CLI_SHAPE_JSON ? print_json(w, err)
                                         : print_text(w, shape == CLI_SHAPE_MARKDOWN, err);
    cli_places_free(&w->places);
    rg_free(w);
    return status;
}
