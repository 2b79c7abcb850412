/* cmd_runs.c - regula runs: run directories and their results, one line per run. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "show.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 8 }; /* of directories below the first that are looked into */

static const char usual[] = "runs";

static const cli_argument arguments[] = {
    {.metavar = "DIR",
     .path = true,
     .optional = true,
     .help = "The directory to search, with its subdirectories; 'runs' by default."},
};

static const cli_option options[] = {CLI_JSON_OPTION};

static const cli_example examples[] = {
    {"regula runs", "All runs in the directory 'runs'."},
    {"regula runs . --json", "All runs in the current directory, as JSON."},
};

static const char *const description[] = {
    "Lists the run directories in a directory and its subdirectories: name, data, finished jobs, "
    "the score for the first protocol of the experiment, the start time, and the first characters "
    "of the digest of the results. Equal results have equal digests.",
    "The score of an unfinished run covers its finished jobs; 'regula show' lists what is missing.",
    NULL,
};

/* ---- finding them */

typedef struct paths {
    char **at; /* owned, each too */
    size_t n, capacity;
} paths;

static void paths_free(paths *list)
{
    for (size_t k = 0; k < list->n; k++)
        rg_free(list->at[k]);
    rg_free(list->at);
}

/* path: moved. */
static rg_status paths_add(paths *list, char *path, rg_error *err)
{
    if (!rg_grow(&list->at, &list->capacity, list->n + 1, sizeof *list->at)) {
        rg_free(path);
        return rg_fail_memory(err, "looking for runs");
    }
    list->at[list->n++] = path;
    return RG_OK;
}

/* 1: a run is there, 0: none, -1: memory is short. */
static int is_run(const char *directory)
{
    char *store = rg_path_join(directory, RG_STORE_FILE);
    int there = !store ? -1 : rg_path_exists(store);
    rg_free(store);
    return there;
}

/* Links are followed to runs, not to more directories: they may lead round in circles. */
static bool is_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static rg_status look(paths *found, const char *directory, int depth, rg_error *err);

static rg_status look_at(paths *found, const char *directory, const char *name, int depth,
                         rg_error *err)
{
    char *path = rg_path_join(directory, name);
    int there = path ? is_run(path) : -1;
    if (there > 0)
        return paths_add(found, path, err);
    rg_status status = there < 0 ? rg_fail_memory(err, "looking for runs") : RG_OK;
    if (!status && depth < DEPTH && is_folder(path)) {
        rg_error why;
        status = look(found, path, depth + 1, &why);
        if (status == RG_EIO) { /* one that may not be read does not hide the others */
            cli_message("warning: %s", why.message);
            status = RG_OK;
        } else if (status) {
            status = rg_fail(err, status, "%s", why.message);
        }
    }
    rg_free(path);
    return status;
}

static rg_status look(paths *found, const char *directory, int depth, rg_error *err)
{
    rg_status status = RG_OK;
    DIR *list = opendir(directory);
    if (!list)
        return rg_fail_io(err, errno, "read", directory);
    for (const struct dirent *entry; !status && (entry = readdir(list));)
        if (entry->d_name[0] != '.')
            status = look_at(found, directory, entry->d_name, depth, err);
    closedir(list);
    return status;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static rg_status find(paths *found, const char *directory, rg_error *err)
{
    int there = is_run(directory);
    if (there) {
        char *path = there > 0 ? rg_copy_text(directory, strlen(directory)) : NULL;
        return path ? paths_add(found, path, err) : rg_fail_memory(err, "looking for runs");
    }
    rg_status status = look(found, directory, 0, err);
    if (!status && found->n)
        qsort(found->at, found->n, sizeof *found->at, compare);
    return status;
}

/* ---- showing them */

static const cli_column columns[] = {
    {"run", "run", CLI_CELL_TEXT},       {"data", "data", CLI_CELL_TEXT},
    {"jobs", "jobs", CLI_CELL_TEXT},     {"protocol", "protocol", CLI_CELL_TEXT},
    {"score", "score", CLI_CELL_TEXT},   {"begun", "begun", CLI_CELL_TEXT},
    {"digest", "digest", CLI_CELL_TEXT},
};

static void add_row(cli_table *table, const char *path, const rg_results *r)
{
    const rg_verdict *v = &r->verdicts[0];
    char jobs[64], score[64] = "-", digest[13];
    snprintf(jobs, sizeof jobs, "%zu/%zu", r->n_done, r->n_jobs);
    if (v->known)
        cli_spread_text(v->result.mean, v->result.deviation, r->metric, score, sizeof score);
    cli_cell_text(table, path);
    cli_cell_text(table, r->about->data);
    cli_cell_text(table, jobs);
    cli_cell_text(table, rg_protocol_name(v->protocol));
    cli_cell_text(table, score);
    cli_cell_text(table, r->about->created);
    snprintf(digest, sizeof digest, "%.12s", r->digest);
    cli_cell_text(table, digest);
}

/* A run that cannot be read is told of, and the others are shown. */
static rg_status show_run(cli_table *table, json_t **list, const char *path, rg_error *err)
{
    rg_store *store = NULL;
    rg_results results = {.store = NULL};
    rg_error why;
    rg_status status = rg_store_open(&store, path, false, &why);
    if (!status)
        status = rg_results_make(&results, store, NULL, 0, &why);
    if (!status && *list) {
        cli_show show = {.results = &results, .seconds = (double)NAN};
        json_t *object = cli_show_json(&show);
        json_object_del(object, "folds");
        cli_json_add(list, object);
    } else if (!status) {
        add_row(table, path, &results);
    } else if (status != RG_ENOMEM) {
        cli_message("warning: %s", why.message);
    }
    rg_results_free(&results);
    rg_store_close(store);
    return status == RG_ENOMEM ? rg_fail(err, status, "%s", why.message) : RG_OK;
}

static rg_status show_all(const paths *found, bool json, rg_error *err)
{
    cli_table table = {.columns = columns, .n_columns = CLI_COUNT(columns)};
    json_t *list = json ? json_array() : NULL;
    rg_text text = {0};
    rg_status status = json && !list ? rg_fail_memory(err, "printing JSON") : RG_OK;
    for (size_t k = 0; k < found->n && !status; k++) {
        status = show_run(&table, &list, found->at[k], err);
        if (json && !list && !status)
            status = rg_fail_memory(err, "printing JSON");
    }
    if (!status && json) {
        status = cli_print_json(list, err);
        list = NULL;
    } else if (!status && cli_table_rows(&table)) {
        cli_table_print_text(&text, &table);
        char *all = rg_text_take(&text);
        if (all)
            fputs(all, stdout);
        else
            status = rg_fail_memory(err, "printing runs");
        rg_free(all);
    }
    json_decref(list);
    cli_table_free(&table);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    const char *directory = args->n_words ? args->words[0] : usual;
    paths found = {NULL, 0, 0};
    rg_status status = RG_OK;
    if (args->n_words || rg_path_exists(directory))
        status = find(&found, directory, err);
    if (!status)
        status = show_all(&found, cli_flag(args, "json"), err);
    if (!status && !found.n && !cli_flag(args, "json"))
        cli_message("found no runs in '%s'", directory);
    paths_free(&found);
    return status;
}

const cli_command cli_runs_command = {
    .name = "runs",
    .summary = "list runs and their results",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
