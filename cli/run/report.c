/* report.c - see report.h. */
#include "report.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/model/predict.h"
#include "cli/model/use.h"
#include "cli/output/output.h"
#include "regula/experiment.h"
#include "regula/fetch.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SEARCH_BYTES ((size_t)64 << 20)
#define MOST_GRAPHS 500 /* of the viewer */

/* ---- runs */

static rg_status open_others(cli_report *job, const cli_arguments *args, rg_error *err)
{
    const cli_value *with = cli_get(args, "with");
    rg_status status = RG_OK;
    for (size_t k = 0; k < with->n_texts && !status; k++) {
        rg_results *results = rg_alloc_zero(1, sizeof *results);
        if (!results)
            return rg_fail_memory(err, "the results of a run");
        status = rg_store_open(&job->other_stores[k], with->texts[k], false, err);
        if (!status)
            status = rg_results_make(results, job->other_stores[k], NULL, 0, err);
        if (status)
            rg_free(results);
        else
            job->others[job->options.n_others++] = results;
    }
    job->options.others = (const rg_results *const *)job->others;
    return status;
}

/* ---- data and splits */

/* Where the run found it, else by its name. */
static rg_status find_source(cli_report *job, const char *data, rg_error *err)
{
    const rg_store_experiment *e = job->results.about;
    char digest[RG_DIGEST_SIZE];
    if (data)
        return cli_source_read(&job->source, data, NULL, NULL, err);
    rg_status status = cli_source_read(&job->source, e->data_path, NULL, NULL, &job->no_source);
    if (!status)
        cli_source_digest(&job->source, digest);
    if (status || strcmp(digest, e->data_digest) != 0) {
        cli_source named = {.path = NULL};
        if (!cli_source_read(&named, e->data, NULL, NULL, status ? &job->no_source : NULL)) {
            cli_source_free(&job->source);
            job->source = named;
            status = RG_OK;
        }
    }
    return status == RG_ENOMEM ? rg_fail_memory(err, "the data set of a run") : RG_OK;
}

static rg_status open_source(cli_report *job, const cli_arguments *args, rg_error *err)
{
    rg_status status = find_source(job, cli_text(args, "data"), err);
    if (status)
        return status;
    if (job->source.path) {
        job->view = cli_source_view(&job->source);
        job->options.source = &job->view;
        job->options.source_path = job->source.path;
        return RG_OK;
    }
    rg_error why = job->no_source;
    rg_fail(&job->no_source, RG_EDATA, "The data set of the run was not found: %s.", why.message);
    job->options.no_source = job->no_source.message;
    cli_message("warning: %s", job->no_source.message);
    return RG_OK;
}

/* A file NAME.json by its name in $REGULA_DATA; none: RG_EIO. */
static rg_status read_usual(rg_splits **out, const char *file, rg_error *err)
{
    size_t n = strlen(file), ending = strlen(".json");
    char *path = NULL;
    char *name = rg_copy_text(file, n > ending ? n - ending : n);
    rg_status status =
        name ? rg_splits_find(&path, NULL, name, err) : rg_fail_memory(err, "splits");
    if (!status)
        status = path ? rg_splits_read(out, path, err) : RG_EIO;
    rg_free(name);
    rg_text_free(path);
    return status;
}

/* As the experiment names or makes them; whatever is wrong, there are none. */
static rg_status make_splits(cli_report *job, rg_error *err)
{
    const char *resolved = job->results.about->resolved;
    rg_items items = cli_source_items(&job->source);
    rg_experiment *experiment = NULL;
    rg_status status = rg_experiment_parse(&experiment, "experiment.yml", resolved,
                                           strlen(resolved), NULL, 0, err);
    if (status)
        return status;
    const char *named = rg_experiment_describe(experiment)->splits;
    char *path = NULL;
    status = rg_experiment_splits(&job->splits, &path, experiment, &items, err);
    if (status && named && status != RG_ENOMEM) /* moved to where they are usually */
        status = read_usual(&job->splits, rg_path_name(named), err);
    rg_text_free(path);
    rg_experiment_free(experiment);
    return status;
}

static rg_status open_splits(cli_report *job, const char *path, rg_error *err)
{
    char digest[RG_DIGEST_SIZE] = "";
    rg_error why = {""};
    rg_status status = RG_OK;
    if (!job->options.source)
        return RG_OK;
    if (path)
        status = rg_splits_read(&job->splits, path, err);
    else if (make_splits(job, &why) == RG_ENOMEM)
        status = rg_fail_memory(err, "splits");
    if (status || !job->splits)
        return status;
    rg_splits_digest(job->splits, digest);
    if (strcmp(digest, job->results.about->splits_digest) == 0)
        job->options.splits = job->splits;
    else if (path)
        return rg_fail(err, RG_EDATA, "'%s' are not the splits of the run: their digest is %s",
                       path, digest);
    return RG_OK;
}

/* ---- what options name */

static rg_status open_names(cli_report *job, const char *path, rg_error *err)
{
    rg_names *known = NULL;
    const char *name =
        job->options.source ? cli_source_items(&job->source).name : job->results.about->data;
    size_t columns =
        job->source.graphs ? rg_dataset_n_columns(job->source.graphs, RG_NODE_LABEL) : 0;
    rg_status status = rg_names_known(&known, name, columns, err);
    if (!status && path)
        status = rg_names_read(&job->names, path, known, err);
    else if (!status) {
        job->names = known;
        known = NULL;
    }
    rg_names_free(known);
    job->options.names = job->names;
    return status;
}

/* A number is how many; a list has commas or ranges. */
static rg_status read_graphs(cli_report *job, const char *text, rg_error *err)
{
    size_t n = job->source.graphs ? rg_dataset_n_graphs(job->source.graphs) : 0;
    if (!text)
        return RG_OK;
    if (text[strspn(text, "0123456789")] == '\0' && *text && strlen(text) < 6) {
        job->options.n_graphs = (size_t)atol(text);
    } else if (n == 0) {
        return rg_fail(err, RG_EUSAGE, "option '--graphs' needs a data set, and there is none");
    } else {
        rg_status status =
            cli_sample_list(&job->graphs, &job->options.n_graphs, "graphs", text, n, err);
        if (status)
            return status;
        job->options.graphs = job->graphs;
    }
    return job->options.n_graphs <= MOST_GRAPHS
               ? RG_OK
               : rg_fail(err, RG_EUSAGE, "option '--graphs': %zu graphs, expected at most %d",
                         job->options.n_graphs, MOST_GRAPHS);
}

static rg_status read_search(cli_report *job, const char *path, rg_error *err)
{
    void *bytes = NULL;
    size_t n;
    if (!path)
        return RG_OK;
    rg_status status = rg_file_load(&bytes, &n, path, NULL, MOST_SEARCH_BYTES, err);
    if (status)
        return status;
    job->search = rg_copy_text(bytes, n);
    rg_free(bytes);
    job->options.search = job->search;
    return job->search ? RG_OK : rg_fail_memory(err, "a search");
}

/* ---- all */

rg_status cli_report_open(cli_report *out, const cli_arguments *args, rg_error *err)
{
    const cli_value *fold = cli_get(args, "fold");
    memset(out, 0, sizeof *out);
    out->options = rg_report_options_default();
    out->options.title = cli_text(args, "title");
    out->options.top = (size_t)cli_get(args, "top")->integer;
    out->options.n_threads = (unsigned)cli_get(args, "threads")->integer;
    if (fold->given)
        out->options.fold = (uint64_t)fold->integer;
    rg_status status = rg_store_open(&out->store, args->words[0], false, err);
    if (!status)
        status = rg_results_make(&out->results, out->store, NULL, 0, err);
    if (!status)
        status = open_others(out, args, err);
    if (!status)
        status = open_source(out, args, err);
    if (!status)
        status = open_splits(out, cli_text(args, "split"), err);
    if (!status)
        status = open_names(out, cli_text(args, "label-names"), err);
    if (!status)
        status = read_graphs(out, cli_text(args, "graphs"), err);
    if (!status)
        status = read_search(out, cli_text(args, "search"), err);
    if (!status)
        status = cli_label_cache(&out->cache, err);
    out->options.cache = out->cache;
    return status;
}

void cli_report_close(cli_report *report)
{
    for (size_t k = 0; k < report->options.n_others; k++) {
        rg_results_free(report->others[k]);
        rg_free(report->others[k]);
    }
    for (size_t k = 0; k < CLI_REPEATS_MAX; k++)
        rg_store_close(report->other_stores[k]);
    if (report->results.store)
        rg_results_free(&report->results);
    rg_store_close(report->store);
    cli_source_free(&report->source);
    rg_splits_free(report->splits);
    rg_names_free(report->names);
    rg_free(report->graphs);
    rg_free(report->search);
    rg_text_free(report->cache);
}
