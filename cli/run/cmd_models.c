/* cmd_models.c - regula models: all baselines and their settings. */
#include "base/alloc.h"
#include "base/error.h"
#include "baseline/baseline.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "text/text.h"

#include <string.h>

/* For completions. */
static const char *model_words(size_t k)
{
    return k < rg_baseline_n_kinds() ? rg_baseline_kind_at(k)->name : NULL;
}

static const cli_argument arguments[] = {
    {.metavar = "NAME",
     .optional = true,
     .choices = model_words,
     .help = "The model whose settings to list."},
};

static const cli_option options[] = {CLI_JSON_OPTION};

static const char *const description[] = {
    "Lists the baseline models that an experiment file can name under the key 'model' "
    "(docs/baselines.md). They run on the same splits and protocols as rule networks. With a NAME "
    "it prints the settings of that model with their meaning, values and defaults.",
    "gin, graphsage, gcn, dgcnn, gsn and message-passing are short forms of network files, with "
    "the "
    "published defaults. Their layers can stand in any network file beside rules "
    "(docs/networks.md, "
    "examples/networks), and their models are kept, predicted, evaluated, pruned and explained "
    "like "
    "all others.",
    "The defaults are printed as a model file. An experiment file can name such a file under "
    "'network', or contain the same settings as a map under 'model', with the key 'kind' for the "
    "name.",
    NULL,
};

static const cli_example examples[] = {
    {"regula models", "All models, one per line."},
    {"regula models majority", "One model with its settings."},
    {"regula models --json", "The same as JSON."},
};

/* What a model is with no settings said; NULL: some must be said. Owned (rg_baseline_free). */
static rg_baseline *with_defaults(const rg_baseline_kind *kind)
{
    rg_baseline *baseline = NULL;
    rg_text text = {0};
    rg_text_add(&text, "model: %s\n", kind->name);
    char *whole = rg_text_take(&text);
    rg_status status =
        whole ? rg_baseline_parse(&baseline, kind->name, whole, strlen(whole), NULL) : RG_ENOMEM;
    rg_free(whole);
    return status ? NULL : baseline;
}

static json_t *kind_json(const rg_baseline_kind *kind)
{
    json_t *object = json_object(), *settings = json_array();
    rg_baseline_setting s;
    rg_baseline *usual = with_defaults(kind);
    cli_json_set(&object, "name", json_string(kind->name));
    cli_json_set(&object, "about", json_string(kind->about));
    cli_json_set(&object, "same_in_all_runs", json_boolean(kind->fixed));
    for (size_t k = 0; kind->setting && kind->setting(&s, kind, k); k++) {
        json_t *setting = json_object();
        cli_json_set(&setting, "key", json_string(s.key));
        cli_json_set(&setting, "values", json_string(s.values));
        cli_json_set(&setting, "about", json_string(s.about));
        cli_json_add(&settings, setting);
    }
    cli_json_set(&object, "settings", settings);
    cli_json_set(&object, "defaults", usual ? cli_json_text(rg_baseline_text(usual)) : json_null());
    rg_baseline_free(usual);
    return object;
}

static void print_list(void)
{
    int width = 0;
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        int n = (int)strlen(rg_baseline_kind_at(k)->name);
        width = n > width ? n : width;
    }
    cli_bold(stdout, true);
    printf("%-*s  %s\n", width, "model", "description");
    cli_bold(stdout, false);
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++) {
        const rg_baseline_kind *kind = rg_baseline_kind_at(k);
        printf("%-*s  ", width, kind->name);
        cli_wrap(stdout, kind->about, width + 2, width + 2);
    }
}

static void print_settings(const rg_baseline_kind *kind)
{
    rg_baseline_setting s;
    int width = 0;
    for (size_t k = 0; kind->setting && kind->setting(&s, kind, k); k++)
        width = (int)strlen(s.key) > width ? (int)strlen(s.key) : width;
    for (size_t k = 0; kind->setting && kind->setting(&s, kind, k); k++) {
        printf("  %-*s  ", width, s.key);
        cli_wrap(stdout, s.values, width + 4, width + 4);
        printf("  %-*s  ", width, "");
        cli_wrap(stdout, s.about, width + 4, width + 4);
    }
}

static void print_kind(const rg_baseline_kind *kind)
{
    rg_baseline *usual = with_defaults(kind);
    cli_bold(stdout, true);
    printf("%s", kind->name);
    cli_bold(stdout, false);
    printf(" - ");
    cli_wrap(stdout, kind->about, (int)strlen(kind->name) + 3, 4);
    if (kind->setting) {
        printf("\nSettings:\n");
        print_settings(kind);
    }
    if (usual)
        printf("\nAs a model file, with all defaults:\n\n%s", rg_baseline_text(usual));
    rg_baseline_free(usual);
    printf(
        "\nIn an experiment file: 'model: %s', or 'model: {kind: %s, ...}' with settings; a list "
        "of values spans the hyperparameter grid.\n",
        kind->name, kind->name);
}

static rg_status print_all_json(rg_error *err)
{
    json_t *array = json_array();
    for (size_t k = 0; k < rg_baseline_n_kinds(); k++)
        cli_json_add(&array, kind_json(rg_baseline_kind_at(k)));
    return cli_print_json(array, err);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    bool json = cli_flag(args, "json");
    const rg_baseline_kind *kind = NULL;
    if (!args->n_words) {
        if (json)
            return print_all_json(err);
        print_list();
        return RG_OK;
    }
    kind = rg_baseline_kind_find(args->words[0]);
    if (!kind)
        return rg_fail(err, RG_EUSAGE, "there is no model '%s'; 'regula models' lists them",
                       args->words[0]);
    if (json)
        return cli_print_json(kind_json(kind), err);
    print_kind(kind);
    return RG_OK;
}

const cli_command cli_models_command = {
    .name = "models",
    .summary = "list the baseline models: kernels and graph neural networks",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
