/* network.c - see network.h. */
#include "network.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "cli/output/output.h"
#include "config/experiment.h"
#include "regula/auto.h"
#include "regula/fetch.h"
#include "text/suggest.h"
#include "train/recipe.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 64 };

void cli_changes_take(cli_changes *out, const cli_arguments *args)
{
    const cli_value *set = cli_get(args, "set");
    char number[RG_NUMBER_MAX];
    out->n = 0;
    for (size_t k = 0; k < set->n_texts; k++)
        out->texts[out->n++] = set->texts[k];
    size_t first = out->n;
    if (cli_get(args, "epochs")->given)
        snprintf(out->own[out->n++ - first], sizeof *out->own, "training.epochs=%lld",
                 (long long)cli_get(args, "epochs")->integer);
    if (cli_get(args, "lr")->given) {
        rg_number_print(number, cli_get(args, "lr")->real);
        snprintf(out->own[out->n++ - first], sizeof *out->own, "training.lr=%s", number);
    }
    if (cli_get(args, "batch")->given)
        snprintf(out->own[out->n++ - first], sizeof *out->own, "training.batch=%lld",
                 (long long)cli_get(args, "batch")->integer);
    for (size_t k = first; k < out->n; k++)
        out->texts[k] = out->own[k - first];
}

static const char *asked_for(const cli_arguments *args)
{
    const char *name = cli_text(args, "network");
    return name ? name : CLI_NETWORK_AUTO;
}

bool cli_network_is_auto(const cli_arguments *args)
{
    return strcmp(asked_for(args), CLI_NETWORK_AUTO) == 0;
}

/* ---- from a text */

/* An experiment file: it must leave nothing to choose. */
static rg_status from_experiment(rg_recipe **out, const char *path, const cli_changes *changes,
                                 rg_error *err)
{
    rg_experiment *experiment = NULL;
    rg_status status = rg_experiment_read(&experiment, path, changes->texts, changes->n, err);
    if (status)
        return status;
    size_t n = rg_experiment_describe(experiment)->n_configurations;
    const char *text = rg_experiment_recipe(experiment, 0);
    if (n > 1)
        status =
            rg_fail(err, RG_EDATA,
                    "%s: found an experiment with %zu configurations, expected one with a "
                    "single one: 'regula run' tries them all, and --set makes a list one value",
                    path, n);
    else
        status = rg_recipe_parse(out, path, text, strlen(text), err);
    rg_experiment_free(experiment);
    return status;
}

static rg_status from_text(rg_recipe **out, const char *name, const char *text, bool file,
                           const cli_changes *changes, rg_error *err)
{
    static const cli_changes none = {.n = 0};
    rg_yaml *root = NULL;
    changes = changes ? changes : &none;
    rg_status status = rg_yaml_parse(&root, name, text, strlen(text), err);
    bool map = !status && rg_yaml_kind_of(root) == RG_YAML_MAP;
    if (map && file && !rg_yaml_find(root, "layers") &&
        (rg_yaml_find(root, "network") || rg_yaml_find(root, "data"))) {
        rg_yaml_free(root);
        return from_experiment(out, name, changes, err);
    }
    if (map)
        status = rg_settings_rename(root, err);
    for (size_t k = 0; map && !status && k < changes->n; k++)
        status = rg_draft_override(root, changes->texts[k], err);
    if (!status)
        status = rg_recipe_from_yaml(out, root, err);
    rg_yaml_free(root);
    return status;
}

/* ---- by name */

static rg_status fail_unknown(const char *name, rg_error *err)
{
    static char names[NAMES_MAX][CLI_SHIPPED_NAME];
    const char *known[NAMES_MAX] = {CLI_NETWORK_AUTO};
    size_t n = 1;
    while (n < NAMES_MAX && cli_shipped_name(names[n], (unsigned)n - 1)) {
        known[n] = names[n];
        n++;
    }
    const char *near = rg_suggest(name, known, n);
    return rg_fail(
        err, RG_EIO,
        "cannot read '%s': there is no such file, and no network of this name comes with "
        "regula%s%s%s",
        name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

rg_status cli_network_read(rg_recipe **out, const cli_arguments *args, const cli_changes *changes,
                           rg_error *err)
{
    const char *name = asked_for(args), *shipped = NULL;
    void *bytes = NULL;
    size_t n = 0;
    if (cli_get(args, "rule")->n_texts)
        return rg_fail(err, RG_EUSAGE,
                       "option '--rule' is for '--network auto': write the rule into '%s'", name);
    if (!rg_path_exists(name)) {
        shipped = cli_shipped_find(name);
        return shipped ? from_text(out, name, shipped, false, changes, err)
                       : fail_unknown(name, err);
    }
    rg_status status = rg_file_load(&bytes, &n, name, NULL, RG_YAML_BYTES_MAX, err);
    char *text = status ? NULL : rg_copy_text(bytes, n);
    if (!status && !text)
        status = rg_fail_memory(err, "a network file");
    if (!status && strlen(text) != n) /* a zero byte: the reader of files says where */
        status = rg_recipe_read(out, name, err);
    else if (!status)
        status = from_text(out, name, text, true, changes, err);
    rg_free(text);
    rg_free(bytes);
    return status;
}

/* ---- chosen for the data */

rg_status cli_network_text(char **text, char **reasons, const cli_arguments *args,
                           const rg_source *source, const rg_fold *folds, size_t n_folds,
                           const rg_auto_options *options, rg_error *err)
{
    const cli_value *rules = cli_get(args, "rule");
    rg_auto_options o = *options;
    o.rules = rules->texts;
    o.n_rules = rules->n_texts;
    return rg_network_auto(text, reasons, source, folds, n_folds, &o, err);
}

rg_status cli_network_choose(rg_recipe **out, char **reasons, const cli_arguments *args,
                             const rg_source *source, const rg_fold *fold, const char *cache,
                             rg_error *err)
{
    char *text = NULL, *why = NULL;
    rg_auto_options o = rg_auto_options_default();
    cli_changes changes;
    o.cache = cache;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    cli_changes_take(&changes, args);
    rg_status status = cli_network_text(&text, &why, args, source, fold, 1, &o, err);
    if (!status)
        status = from_text(out, CLI_NETWORK_AUTO, text, false, &changes, err);
    rg_text_free(text);
    if (status)
        rg_text_free(why);
    else
        *reasons = why;
    return status;
}

void cli_network_say(const char *reasons)
{
    while (*reasons) {
        size_t n = strcspn(reasons, "\n");
        cli_message("%.*s", (int)n, reasons);
        reasons += n + (reasons[n] == '\n');
    }
}
