/* cmd_run.c - regula run: an experiment, from its file to a run directory with all results. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/model/use.h"
#include "cli/output/output.h"
#include "experiment.h"
#include "from_data.h"
#include "jobs/launch.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "FILE",
     .choices = cli_catalogue_words,
     .open = true,
     .path = true,
     .help = "An experiment file (docs/experiments.md), or DATA: a data set, for ten folds of a "
             "network "
             "that is chosen for it."},
};

static const cli_option options[] = {
    CLI_RUN_OPTIONS,
    CLI_FROM_DATA_OPTIONS,
    {.name = "shard",
     .kind = CLI_WORD,
     .metavar = "I/N",
     .help = "Run only the I-th of N shares of the jobs, I from 0, in its own run directory; "
             "'regula merge' joins them. 0/1: run all jobs, even under mpirun or Slurm."},
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const char *const description[] = {
    "Trains every configuration of the hyperparameter grid on every fold, with several runs each, "
    "and prints the configurations that the protocols of the file select, with their test scores. "
    "A job is one or several runs of one configuration on one fold; --jobs of them run in parallel "
    "and share their prepared data.",
    "With DATA in place of a file, the experiment is ten folds of the network that 'regula train' "
    "would choose (docs/auto.md), or of another one, judged by the protocol fair; with --model "
    "each method has a row of its own.",
    "Results are saved to the run directory job by job. To continue a run that was stopped or "
    "killed, use the same command: only unfinished jobs are lost. The results are the same to the "
    "last bit as those of a run that was never stopped, for any value of --jobs, and for merged "
    "shards.",
    "To use several processes or machines, start the command with mpirun (mpirun -n 4 regula run "
    "FILE) or srun, or as a Slurm job array ('regula submit'). Each process runs its share of the "
    "jobs, balanced by estimated cost; all processes must reach the run directory under the same "
    "path. The last one to finish merges and prints the results; the others print nothing on "
    "standard output. A process that dies loses only its unfinished jobs: the same command, with "
    "any number of processes, runs them. --jobs and --memory apply to each process; without "
    "--jobs, the processes on a machine share its processors.",
    "The run directory holds store.sqlite (docs/store.md), experiment.yml (the whole experiment in "
    "one file, with all defaults) and the models of the selected configurations. 'regula show' "
    "prints its tables.",
    "The exit code is 0 if at least one job succeeded, and 1 if the run was stopped or all jobs "
    "failed.",
    NULL,
};

static const cli_example examples[] = {
    {"regula run csl", "Ten folds of a network that is chosen for the data."},
    {"regula run csl --model gin,wl --runs 1", "The same beside a GIN and a graph kernel."},
    {"regula run experiment.yml", "Run an experiment, or continue it."},
    {"regula run experiment.yml --out quick --set training.epochs=20 --json",
     "A shorter run in another directory, with JSON output."},
    {"regula run experiment.yml --out part0 --shard 0/4",
     "Run the first quarter of the jobs on this machine."},
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "jobs", 0);
    cli_default_integer(args, "runs", 1);
}

/* "2/8" */
static rg_status read_shard(rg_run_options *out, const char *text, rg_error *err)
{
    char *end = NULL;
    unsigned long shard = 0, n = 0;
    bool fine = *text >= '0' && *text <= '9';
    if (fine) {
        shard = strtoul(text, &end, 10);
        fine = *end == '/' && end[1] >= '0' && end[1] <= '9';
    }
    if (fine) {
        n = strtoul(end + 1, &end, 10);
        fine = *end == '\0' && n > 0 && n <= 1000000 && shard < n;
    }
    if (!fine)
        return rg_fail(err, RG_EUSAGE,
                       "option '--shard': found '%s', expected I/N with 0 <= I < N, such as 0/4",
                       text);
    out->shard = (uint32_t)shard;
    out->n_shards = (uint32_t)n;
    return RG_OK;
}

/* An experiment file says all of that itself. */
static rg_status refuse_options(const cli_arguments *args, rg_error *err)
{
    static const char *const names[] = {"network", "rule", "model", "runs", "splits"};
    for (size_t k = 0; k < CLI_COUNT(names); k++)
        if (cli_get(args, names[k])->given)
            return rg_fail(err, RG_EUSAGE,
                           "option '--%s' is for data sets: write it into '%s', or use --set",
                           names[k], args->words[0]);
    return RG_OK;
}

static rg_status read_experiment(cli_experiment *job, const cli_arguments *args, rg_error *err)
{
    const cli_value *set = cli_get(args, "set");
    void *text = NULL;
    size_t n = 0;
    if (!cli_from_file(args->words[0]))
        return cli_from_data(job, args, err);
    rg_status status = refuse_options(args, err);
    if (!status)
        status =
            rg_experiment_read(&job->experiment, args->words[0], set->texts, set->n_texts, err);
    if (!status)
        status = rg_file_load(&text, &n, args->words[0], NULL, (size_t)64 << 20, err);
    if (!status) {
        job->file = rg_copy_text(text, n);
        if (!job->file)
            status = rg_fail_memory(err, "an experiment");
    }
    rg_free(text);
    return status ? status : cli_experiment_open(job, err);
}

static rg_status run_experiment(const cli_experiment *job, rg_run_options *wish,
                                const cli_arguments *args, double began, rg_error *err)
{
    rg_run_report report = {.n_jobs = 0};
    char *directory = NULL, rank[CLI_RANK_TEXT];
    cli_rank_text(rank, wish);
    rg_status status = cli_experiment_directory(&directory, args, job->info.name, err);
    wish->directory = directory;
    if (!status)
        status = cli_experiment_run(&report, job, wish, cli_flag(args, "quiet"), err);
    if (!status && report.stopped)
        status =
            rg_fail(err, RG_EFAIL,
                    "stopped after %zu of %zu jobs, which are in '%s'; the same command continues",
                    report.n_done, report.n_jobs, directory);
    else if (!status && report.others && !cli_flag(args, "quiet"))
        cli_message("%s: finished; %zu of all %zu jobs are in '%s'", rank, report.n_done,
                    report.n_jobs, directory);
    else if (!status && !report.others)
        status = cli_experiment_print(directory, &report, cli_flag(args, "json"), cli_now() - began,
                                      err);
    if (!status && report.n_done && report.n_failed == report.n_done)
        status = rg_fail(err, RG_EFAIL,
                         "all %zu jobs failed; 'regula show %s --table jobs' says why, and --retry "
                         "runs them again",
                         report.n_failed, directory);
    rg_free(directory);
    return status;
}

/* With --shard every process is for itself, whatever started it. */
static rg_status find_share(rg_run_options *wish, const cli_arguments *args, rg_error *err)
{
    rg_launch launch = {.size = 1};
    if (cli_text(args, "shard"))
        return read_shard(wish, cli_text(args, "shard"), err);
    rg_status status = rg_launch_read(&launch, err);
    if (status)
        return rg_fail(err, status, "%s; --shard 0/1 runs all jobs in this process", err->message);
    if (launch.idle_tasks)
        cli_message(
            "one process does the work of %u Slurm tasks; 'srun regula run' shares it among "
            "them",
            (unsigned)launch.idle_tasks);
    if (launch.size > 1) {
        wish->together = true;
        wish->shard = launch.rank;
        wish->n_shards = launch.size;
        wish->n_threads = wish->n_threads ? wish->n_threads : launch.n_threads;
    }
    return RG_OK;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_experiment job = {.experiment = NULL};
    rg_run_options wish = {.n_threads = (unsigned)cli_get(args, "jobs")->integer,
                           .memory = cli_get(args, "memory")->size,
                           .retry = cli_flag(args, "retry")};
    double began = cli_now();
    rg_status status = find_share(&wish, args, err);
    if (!status)
        status = cli_cpu(&wish.cpu, err);
    if (!status)
        status = read_experiment(&job, args, err);
    if (!status)
        status = run_experiment(&job, &wish, args, began, err);
    cli_experiment_close(&job);
    return status;
}

const cli_command cli_run_command = {
    .name = "run",
    .summary = "run an experiment: hyperparameter grid with cross-validation",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
