/* cmd_merge.c - regula merge: parts of one experiment, joined. */
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "store/join.h"

#include <inttypes.h>

static const cli_argument arguments[] = {
    {.metavar = "RUN",
     .path = true,
     .repeated = true,
     .help = "Run directories of the same experiment, for example from 'regula run --shard'."},
};

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .required = true,
     .help = "The new run directory, which must not contain a run yet."},
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula merge runs/experiment part0 --out whole", "Merge two parts into a new run directory."},
    {"regula merge part0 runs/experiment --out again --json", "The same, for a program."},
};

static const char *const description[] = {
    "Merges run directories of one experiment into a new one. Each job comes from the first "
    "directory that has it. Data, splits, seed, configurations and the experiment file must be the "
    "same, and jobs that were done twice must agree to the last bit; otherwise nothing is written, "
    "and the message says where the runs differ.",
    "The output says which jobs are missing. 'regula run' with the same file and --out DIR runs "
    "them, and writes the models of the selected configurations.",
    NULL,
};

static rg_status print_json(const char *directory, size_t n, const rg_join_report *r, rg_error *err)
{
    json_t *root = json_object();
    cli_json_set(&root, "directory", cli_json_text(directory));
    cli_json_set(&root, "merged", cli_json_count(n));
    cli_json_set(&root, "jobs", cli_json_count(r->n_jobs));
    cli_json_set(&root, "jobs_done", cli_json_count(r->n_done));
    cli_json_set(&root, "jobs_failed", cli_json_count(r->n_failed));
    cli_json_set(&root, "jobs_waiting", cli_json_count(r->n_waiting));
    cli_json_set(&root, "models", cli_json_count(r->n_models));
    cli_json_set(&root, "digest", json_string(r->digest));
    return cli_print_json(root, err);
}

static void print_text(const char *directory, size_t n, const rg_join_report *r)
{
    cli_print(directory);
    printf(": %zu of %zu jobs done", r->n_done, r->n_jobs);
    if (r->n_failed)
        printf(", %zu failed", r->n_failed);
    if (r->n_waiting)
        printf(", %zu waiting", r->n_waiting);
    printf("; from %zu %s", n, n == 1 ? "run" : "runs");
    if (r->n_models)
        printf(", with %zu %s", r->n_models, r->n_models == 1 ? "model" : "models");
    printf("\n%-18s %s\n", "digest", r->digest);
    if (!r->n_models) {
        printf("models: none; 'regula run FILE --out ");
        cli_print(directory);
        printf("' with the same FILE makes those of the selected configurations\n");
    }
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    const char *directory = cli_text(args, "out");
    rg_join_report report;
    rg_status status =
        rg_runs_join(&report, directory, (const char *const *)args->words, args->n_words, err);
    if (status)
        return status;
    if (report.n_waiting)
        cli_message("warning: %zu of %zu jobs are not done in any of the runs", report.n_waiting,
                    report.n_jobs);
    if (report.n_failed)
        cli_message("warning: %zu of %zu jobs failed", report.n_failed, report.n_jobs);
    if (report.n_lost)
        cli_message("warning: %zu models are missing from their runs", report.n_lost);
    if (cli_flag(args, "json"))
        return print_json(directory, args->n_words, &report, err);
    print_text(directory, args->n_words, &report);
    return RG_OK;
}

const cli_command cli_merge_command = {
    .name = "merge",
    .summary = "merge the parts of an experiment into one run",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
