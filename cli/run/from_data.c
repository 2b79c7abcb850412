/* from_data.c - see from_data.h. The experiment is a text, as if somebody had written it. */
#include "from_data.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/model/network.h"
#include "cli/model/use.h"
#include "regula/fetch.h"
#include "text/json_write.h"
#include "text/yaml.h"

#include <ctype.h>
#include <string.h>

enum { NAME_BYTES = 100 };

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), end = strlen(ending);
    return n > end && strcmp(text + n - end, ending) == 0;
}

bool cli_from_file(const char *path)
{
    rg_yaml *root = NULL;
    rg_error ignored = {""};
    if (ends_with(path, ".yml") || ends_with(path, ".yaml"))
        return true;
    if (!rg_path_is_file(path) || rg_yaml_read(&root, path, &ignored))
        return false;
    bool is = rg_yaml_kind_of(root) == RG_YAML_MAP && rg_yaml_find(root, "data");
    rg_yaml_free(root);
    return is;
}

/* ---- the text */

static void add_name(rg_text *out, const char *text)
{
    if (out->n == 0 && !isalnum((unsigned char)*text))
        rg_text_add(out, "set");
    for (; *text && out->n < NAME_BYTES; text++)
        rg_text_add(out, "%c", isalnum((unsigned char)*text) || strchr("._-", *text) ? *text : '_');
}

/* That of the data; what is not chosen is part of it, so that each has a run directory of its own. */
static void write_name(rg_text *out, const cli_arguments *args, const char *data)
{
    const char *network = cli_text(args, "network"), *models = cli_text(args, "model");
    rg_text name = {0};
    add_name(&name, data);
    if (network && strcmp(network, CLI_NETWORK_AUTO) != 0) {
        add_name(&name, "-");
        add_name(&name, rg_path_name(network));
    }
    if (cli_get(args, "rule")->n_texts)
        add_name(&name, "-rule");
    if (models) {
        add_name(&name, "-");
        add_name(&name, models);
    }
    char *whole = rg_text_take(&name);
    rg_text_add(out, "name: ");
    rg_text_json(out, whole ? whole : "data");
    rg_text_add(out, "\n");
    out->failed |= !whole;
    rg_free(whole);
}

/* Everything but networks and models. */
static void write_settings(rg_text *out, const cli_arguments *args)
{
    const char *splits = cli_text(args, "splits");
    rg_text_add(out, "data: ");
    rg_text_json(out, args->words[0]);
    rg_text_add(out, "\nprotocol: fair\nruns: %lld\n", (long long)cli_get(args, "runs")->integer);
    if (splits && splits[strspn(splits, "0123456789")] == '\0')
        rg_text_add(out, "splits: {folds: %s}\n", splits);
    else if (splits) {
        rg_text_add(out, "splits: ");
        rg_text_json(out, splits);
        rg_text_add(out, "\n");
    }
}

/* A network file below `key`, every line indented. */
static void write_network(rg_text *out, const char *before, const char *name, const char *text)
{
    rg_text_add(out, "%sname: ", before);
    rg_text_json(out, name);
    rg_text_add(out, "\n");
    while (*text) {
        size_t n = strcspn(text, "\n");
        rg_text_add(out, "%*s%.*s\n", n ? (int)strlen(before) : 0, "", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void write_models(rg_text *out, const char *models)
{
    while (*models) {
        size_t n = strcspn(models, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)n, models);
        if (n) {
            rg_text_add(out, "  - ");
            rg_text_json(out, name);
            rg_text_add(out, "\n");
        }
        models += n + (models[n] == ',');
    }
}

/* ---- reading, choosing */

static rg_status parse(cli_experiment *job, rg_text *text, const char *const *overrides, size_t n,
                       rg_error *err)
{
    rg_experiment *experiment = NULL;
    char *whole = rg_text_take(text);
    if (!whole)
        return rg_fail_memory(err, "an experiment");
    rg_status status =
        rg_experiment_parse(&experiment, "experiment", whole, strlen(whole), overrides, n, err);
    if (status) {
        rg_free(whole);
        return status;
    }
    rg_experiment_free(job->experiment);
    rg_free(job->file);
    job->experiment = experiment;
    job->file = whole;
    job->info = *rg_experiment_describe(experiment);
    return RG_OK;
}

/* Data and splits are found as those of an experiment are. */
static rg_status open_data(cli_experiment *job, const cli_arguments *args, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "name: data\n");
    write_settings(&text, args);
    rg_text_add(&text, "network: {layers: [dense: auto]}\n");
    rg_status status = parse(job, &text, NULL, 0, err);
    return status ? status : cli_experiment_open(job, err);
}

static rg_status choose(char **out, const cli_experiment *job, const cli_arguments *args,
                        rg_error *err)
{
    rg_source source = cli_source_view(&job->source);
    size_t n = rg_splits_n_folds(job->splits);
    rg_auto_options o = rg_auto_options_default();
    char *why = NULL;
    o.cache = job->cache;
    o.n_threads = (unsigned)cli_get(args, "jobs")->integer;
    rg_fold *folds = rg_alloc(n, sizeof *folds);
    if (!folds)
        return rg_fail_memory(err, "an experiment");
    for (size_t k = 0; k < n; k++)
        folds[k] = rg_splits_fold(job->splits, k);
    rg_status status = cli_network_text(out, &why, args, &source, folds, n, &o, err);
    if (!status && !cli_flag(args, "quiet"))
        cli_network_say(why);
    rg_text_free(why);
    rg_free(folds);
    return status;
}

/* In its normal form, so that it can stand in a list. */
static rg_status read_network(char **out, const cli_arguments *args, rg_error *err)
{
    rg_recipe *recipe = NULL;
    rg_status status = cli_network_read(&recipe, args, NULL, err);
    if (!status) {
        *out = rg_copy_text(rg_recipe_text(recipe), strlen(rg_recipe_text(recipe)));
        if (!*out)
            status = rg_fail_memory(err, "an experiment");
    }
    rg_recipe_free(recipe);
    return status;
}

static rg_status refuse_overrides(const cli_value *set, rg_error *err)
{
    for (size_t k = 0; k < set->n_texts; k++)
        if (strncmp(set->texts[k], "data", 4) == 0 || strncmp(set->texts[k], "splits", 6) == 0)
            return rg_fail(err, RG_EUSAGE,
                           "--set '%.100s': the data are an argument, and splits the option "
                           "'--splits'",
                           set->texts[k]);
    return RG_OK;
}

rg_status cli_from_data(cli_experiment *job, const cli_arguments *args, rg_error *err)
{
    const cli_value *set = cli_get(args, "set");
    const char *models = cli_text(args, "model"), *network = cli_text(args, "network");
    bool choosing = cli_network_is_auto(args);
    char *text = NULL;
    rg_status status = refuse_overrides(set, err);
    if (!status && !choosing)
        status = read_network(&text, args, err);
    if (!status)
        status = open_data(job, args, err);
    if (!status && choosing)
        status = choose(&text, job, args, err);
    if (!status) {
        rg_text file = {0};
        const char *name = choosing ? CLI_NETWORK_AUTO : rg_path_name(network);
        write_name(&file, args, cli_source_items(&job->source).name);
        write_settings(&file, args);
        rg_text_add(&file, models ? "compare:\n" : "network:\n");
        write_network(&file, models ? "  - " : "  ", name, text);
        if (models)
            write_models(&file, models);
        status = parse(job, &file, set->texts, set->n_texts, err);
    }
    rg_text_free(text);
    return status;
}
