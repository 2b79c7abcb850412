/* cmd_rule_check.c - regula rule check: is this a rule, and what would it cost? */
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "rule.h"

#include <inttypes.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "RULE", .help = "The rule, such as 'share i, j'."},
    {.metavar = "DATA",
     .help =
         "A data set of graphs or arrays to compile the rule on: a directory, archive or file, or "
         "the name of a data set in $REGULA_DATA or the cache.",
     .choices = cli_catalogue_words,
     .open = true,
     .path = true,
     .optional = true},
};

static const cli_option options[] = {
    CLI_RULE_LABELS_OPTION, CLI_RULE_TABLE_OPTION, CLI_RULE_BIAS_OPTION, CLI_RULE_AGGREGATE_OPTION,
    CLI_RULE_SHAPE_OPTIONS, CLI_JSON_OPTION,       CLI_READ_OPTIONS,     CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula rule check 'share degree(i), dist(i,j) when dist(i,j) in 1..3' csl",
     "Show what the rule costs on a data set."},
    {"regula rule check 'share wl(i)' --bias --labels 'wl=wl(depth=2)' --json",
     "Check the rule of a bias without data."},
    {"regula rule check 'share i, j' --input 1x10 --output 1x4", "A fully connected layer."},
    {"regula rule check 'share i, j, value(j) > 0' switches --output 1x2",
     "A layer whose weights depend on the values of the sample."},
};

static const char *const description[] = {
    "Parses a rule, prints it in normal form, and says whether it is static (the same for every "
    "sample) or dynamic. With a data set or shapes it also compiles the rule and prints how pairs "
    "are found, how many were examined, the number of connections, and how many of the possible "
    "weights are used. A rule whose condition does not bound the pairs scans all of them.",
    "A rule is 'share KEY, KEY, ... when CONDITION'. Keys and conditions can use the properties "
    "below, node(i), the labelings of --labels, on shapes row(i), col(i), channel(i), and the "
    "values "
    "of the sample, value(i) and bin(value(i), 8): of DATA the node attributes or the arrays. "
    "docs/rules.md has the grammar.",
    NULL,
};

static bool property_usage(rg_text *out, size_t k)
{
    if (k >= RG_N_PROPERTIES)
        return false;
    const rg_property_info *info = rg_property_describe((rg_property_kind)k);
    rg_text_add(out, "%s(i%s", info->name, info->n_nodes == 2 ? ",j" : "");
    if (info->must_be_given)
        rg_text_add(out, ",%s", info->parameter);
    rg_text_add(out, ")");
    return true;
}

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "threads", rg_rule_options_default().n_threads);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* What was found; compiled: there is a report. */
typedef struct rule_outcome {
    const cli_rule *job;
    bool compiled;
    rg_rule_report report;
    size_t bytes;
    double seconds;
} rule_outcome;

static const char *kind_text(const cli_rule *job)
{
    static const char *const kinds[] = {"pair", "bias", "aggregation"};
    return kinds[rg_rule_describe(job->rule)->kind];
}

static void print_count(const char *name, uint64_t count, const char *after)
{
    printf("%-14s %" PRIu64 "%s\n", name, count, after);
}

static void print_text(const rule_outcome *o)
{
    const rg_rule_info *info = rg_rule_describe(o->job->rule);
    const rg_rule_report *r = &o->report;
    char text[80] = "";
    printf("%-14s %s\n", "rule", rg_rule_text(o->job->rule));
    printf("%-14s %s\n", "kind", kind_text(o->job));
    printf("%-14s %s\n", "depends on",
           info->is_static   ? "positions alone: static"
           : info->on_graphs ? "the graph: dynamic"
           : info->on_values ? "the values of the sample: dynamic"
                             : "tables of pairs");
    if (!o->compiled)
        return;
    if (o->job->data || o->job->arrays) {
        size_t n;
        const char *items = cli_rule_items(o->job, &n);
        printf("%-14s ", "data");
        cli_print(o->job->data ? rg_dataset_name(o->job->data) : rg_arrays_name(o->job->arrays));
        printf(", %zu %ss\n", n, items);
    }
    printf("%-14s %s\n", "plan", r->plan);
    print_count("pairs", r->pairs, "");
    snprintf(text, sizeof text, " (%.2f %%)%s",
             r->pairs ? 100 * (double)r->scanned / (double)r->pairs : 0,
             r->all_pairs && info->kind == RG_RULE_PAIR && !info->is_static
                 ? ": the condition does not bound the pairs"
                 : "");
    print_count("scanned", r->scanned, text);
    print_count("connections", r->connections, "");
    if (r->possible == UINT64_MAX)
        snprintf(text, sizeof text, " of 2^64 or more possible");
    else
        snprintf(text, sizeof text, " of %" PRIu64 " possible", r->possible);
    print_count("weights", r->weights, text);
    cli_bytes_text(o->bytes, text);
    printf("%-14s %s\n", "memory", text);
}

static rg_status print_json(const rule_outcome *o, rg_error *err)
{
    const rg_rule_info *info = rg_rule_describe(o->job->rule);
    const rg_rule_report *r = &o->report;
    json_t *root = json_object();
    cli_json_set(&root, "rule", cli_json_text(rg_rule_text(o->job->rule)));
    cli_json_set(&root, "kind", json_string(kind_text(o->job)));
    cli_json_set(&root, "static", json_boolean(info->is_static));
    if (o->job->data || o->job->arrays)
        cli_json_set(&root, "name",
                     cli_json_text(o->job->data ? rg_dataset_name(o->job->data)
                                                : rg_arrays_name(o->job->arrays)));
    if (o->compiled) {
        cli_json_set(&root, "plan", cli_json_text(r->plan));
        cli_json_set(&root, "all_pairs", json_boolean(r->all_pairs));
        cli_json_set(&root, "pairs", cli_json_count(r->pairs));
        cli_json_set(&root, "scanned", cli_json_count(r->scanned));
        cli_json_set(&root, "connections", cli_json_count(r->connections));
        cli_json_set(&root, "weights", cli_json_count(r->weights));
        cli_json_set(&root, "weights_possible",
                     r->possible == UINT64_MAX ? json_null() : cli_json_count(r->possible));
        cli_json_set(&root, "bytes", cli_json_count(o->bytes));
        cli_json_set(&root, "seconds", cli_json_real(o->seconds));
    }
    return cli_print_json(root, err);
}

static rg_status compile(rule_outcome *o, unsigned n_threads, rg_error *err)
{
    rg_rule_options how = rg_rule_options_default();
    rg_rule_keys *keys = NULL;
    rg_connections *connections = NULL;
    double start = cli_now();
    how.n_threads = n_threads;
    o->report = (rg_rule_report)RG_RULE_REPORT_INIT;
    rg_status status =
        rg_rule_compile(&keys, &connections, &o->report, o->job->rule, &o->job->input, &how, err);
    o->seconds = cli_now() - start;
    if (!status) {
        o->compiled = true;
        o->bytes = rg_connections_bytes(connections);
    }
    rg_connections_free(connections);
    rg_rule_keys_free(keys);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_rule job = {0};
    rule_outcome o = {.job = &job};
    unsigned n_threads = (unsigned)cli_get(args, "threads")->integer;
    bool given = false;
    rg_status status = cli_rule_open(&job, args, args->words[0], err);
    if (!status)
        status = cli_rule_read(&job, &given, args, args->n_words > 1 ? args->words[1] : NULL, err);
    if (!status && given)
        status = compile(&o, n_threads, err);
    if (!status && cli_flag(args, "json"))
        status = print_json(&o, err);
    else if (!status)
        print_text(&o);
    cli_rule_close(&job);
    return status;
}

const cli_command cli_rule_check = {
    .name = "rule check",
    .summary = "check a rule and show what it costs on data",
    .description = description,
    .list_heading = "Properties (docs/properties.md defines them):",
    .list = property_usage,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
