/* cmd_submit.c - regula submit: an experiment as a Slurm job array, and a job that merges it. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/model/use.h"
#include "cli/output/output.h"
#include "experiment.h"
#include "text/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const cli_argument arguments[] = {
    {.metavar = "FILE", .path = true, .help = "An experiment file (docs/experiments.md)."},
    {.metavar = "OPTION",
     .optional = true,
     .repeated = true,
     .help = "Options for sbatch, after '--'; both scripts get them."},
};

static const cli_option options[] = {
    {.name = "array",
     .old_letter = 'a',
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1000000,
     .required = true,
     .help = "Number of tasks in the job array."},
    CLI_RUN_OPTIONS,
    {.name = "print", .kind = CLI_FLAG, .help = "Print scripts and commands; submit nothing."},
    CLI_JSON_OPTION,
};

static const char *const description[] = {
    "Writes two scripts to slurm/ in the run directory and submits them with sbatch. The first is "
    "a job array: each task runs its share of the experiment's jobs with 'regula run'. The second "
    "starts after all tasks have ended, successful or not: it runs the jobs that are missing, "
    "merges the results and prints them to slurm/merge.out. The run directory must be on a file "
    "system that all machines share.",
    "A task that Slurm kills or requeues loses only its unfinished jobs. To run missing jobs, "
    "submit again. --jobs and --memory apply to each task; without --jobs, a task uses the "
    "processors that Slurm allocates to it.",
    NULL,
};

static const cli_example examples[] = {
    {"regula submit experiment.yml --array 16", "Submit sixteen tasks and a merge job."},
    {"regula submit experiment.yml --array 8 --print -- --time=2:00:00",
     "Print what would be submitted, with a time limit."},
    {"regula submit experiment.yml --array 8 --jobs 4 -- --cpus-per-task=4 --mem=8G",
     "Submit eight tasks with four threads each."},
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "jobs", 0);
}

/* One of the two jobs. All owned. */
typedef struct submission {
    char *path, *text, *log; /* of its script; where it prints, in the words of sbatch */
    const char **words;      /* of the command, NULL at the end */
    char dependency[64];     /* the last option before the script; "": none */
    char id[32];             /* what Slurm calls it; "": not submitted */
} submission;

static void submission_free(submission *s)
{
    rg_free(s->path);
    rg_free(s->text);
    rg_free(s->log);
    rg_free(s->words);
}

/* ---- scripts */

/* As one word of a shell. */
static void add_quoted(rg_text *out, const char *word)
{
    rg_text_add(out, "'");
    for (const char *p = word; *p; p++)
        if (*p == '\'')
            rg_text_add(out, "'\\''");
        else
            rg_text_add(out, "%c", *p);
    rg_text_add(out, "'");
}

static void add_option(rg_text *out, const char *name, const char *value)
{
    rg_text_add(out, " %s ", name);
    add_quoted(out, value);
}

/* Goes to where this process is, and runs this program there. */
static rg_status add_command(rg_text *out, const cli_arguments *args, const char *directory,
                             rg_error *err)
{
    char here[PATH_MAX], program[PATH_MAX];
    const cli_value *set = cli_get(args, "set");
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0 || !getcwd(here, sizeof here))
        return rg_fail_io(err, errno, "find", n <= 0 ? "the program" : "the directory");
    program[n] = '\0';
    rg_text_add(out, "cd ");
    add_quoted(out, here);
    rg_text_add(out, " || exit 1\nexec ");
    add_quoted(out, program);
    add_option(out, "run --out", directory);
    if (cli_get(args, "jobs")->integer)
        rg_text_add(out, " --jobs %lld", (long long)cli_get(args, "jobs")->integer);
    if (cli_get(args, "memory")->size)
        rg_text_add(out, " --memory %llu", (unsigned long long)cli_get(args, "memory")->size);
    for (size_t k = 0; k < set->n_texts; k++)
        add_option(out, "--set", set->texts[k]);
    return RG_OK;
}

/* The script of the array, or of the job that merges. That is alone (--shard 0/1) also if it is
 * submitted from within another array, and does not retry what the array just did. */
static rg_status make_text(char **out, const cli_arguments *args, bool merge, const char *name,
                           const char *directory, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "#!/bin/sh\n#SBATCH --job-name=regula-");
    for (const char *p = name; *p; p++) /* nothing that has a meaning for Slurm */
        rg_text_add(&text, "%c", isalnum((unsigned char)*p) || strchr("._-", *p) ? *p : '_');
    if (merge)
        rg_text_add(&text, "-merge");
    else
        rg_text_add(&text, "\n#SBATCH --array=0-%lld",
                    (long long)cli_get(args, "array")->integer - 1);
    rg_text_add(&text, "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
    rg_status status = add_command(&text, args, directory, err);
    rg_text_add(&text, "%s", merge ? " --shard 0/1" : cli_flag(args, "retry") ? " --retry" : "");
    add_option(&text, "--", args->words[0]);
    rg_text_add(&text, "\n");
    *out = rg_text_take(&text);
    return status || *out ? status : rg_fail_memory(err, "a script");
}

/* ---- commands */

/* Options behind '--' may say anything but what this command says itself. */
static rg_status check_options(const cli_arguments *args, rg_error *err)
{
    if (args->n_words > 1 && args->words[1][0] != '-')
        return rg_fail(err, RG_EUSAGE,
                       "found '%s' after the file, expected options of sbatch after '--'",
                       args->words[1]);
    for (size_t k = 1; k < args->n_words; k++)
        if (strncmp(args->words[k], "--array", 7) == 0 || strncmp(args->words[k], "-a", 2) == 0)
            return rg_fail(err, RG_EUSAGE, "found '--array' after '--', expected it before '--'");
    return RG_OK;
}

/* Where a job prints: the text of `directory`, whose % are none of Slurm's. */
static char *log_option(const char *directory, const char *name)
{
    rg_text text = {0};
    rg_text_add(&text, "--output=");
    for (const char *p = directory; *p; p++)
        rg_text_add(&text, *p == '%' ? "%%%%" : "%c", *p);
    rg_text_add(&text, "/slurm/%s", name);
    return rg_text_take(&text);
}

static rg_status plan(submission *s, const cli_arguments *args, const char *directory,
                      const char *script, const char *log, rg_error *err)
{
    rg_text path = {0};
    size_t n = 0;
    rg_text_add(&path, "%s/slurm/%s", directory, script);
    s->path = rg_text_take(&path);
    s->log = log_option(directory, log);
    s->words = rg_alloc_zero(args->n_words + 6, sizeof *s->words);
    if (!s->path || !s->log || !s->words)
        return rg_fail_memory(err, "a script");
    s->words[n++] = "sbatch";
    s->words[n++] = "--parsable";
    s->words[n++] = s->log;
    for (size_t k = 1; k < args->n_words; k++)
        s->words[n++] = args->words[k];
    if (*s->dependency)
        s->words[n++] = s->dependency;
    s->words[n] = s->path;
    return RG_OK;
}

static rg_status write_script(const submission *s, rg_error *err)
{
    rg_file *file = NULL;
    char *folder = rg_path_directory(s->path);
    rg_status status = folder ? rg_dir_make(folder, err) : rg_fail_memory(err, "a script");
    if (!status)
        status = rg_file_create(&file, s->path, err);
    if (!status) {
        rg_file_text(file, s->text);
        status = rg_file_commit(file, err);
    }
    rg_free(folder);
    return status;
}

/* What a command prints, up to n - 1 bytes, and how it ends. Its messages go where ours go. */
static int run_command(char *out, size_t n, const char *const *words, int *code)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    int ends[2], status = 0;
    pid_t child;
    size_t got = 0;
    if (pipe(ends) != 0)
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int failed = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t k = 1; !failed && k > 0; got += k > 0 ? (size_t)k : 0)
        k = read(ends[0], out + got, n - got - 1);
    out[got] = '\0';
    close(ends[0]);
    if (!failed && waitpid(child, &status, 0) != child)
        failed = errno;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return failed;
}

/* sbatch --parsable prints "123", or "123;CLUSTER". */
static rg_status submit(submission *s, rg_error *err)
{
    int code = 0;
    int failed = run_command(s->id, sizeof s->id, s->words, &code);
    s->id[strspn(s->id, "0123456789")] = '\0';
    if (failed == ENOENT)
        return rg_fail(err, RG_EFAIL,
                       "found no sbatch: Slurm is not installed here; --print shows the scripts");
    if (failed)
        return rg_fail_io(err, failed, "start", "sbatch");
    if (code || !*s->id)
        return rg_fail(err, RG_EFAIL, "sbatch refused '%s' (exit code %d)", s->path, code);
    return RG_OK;
}

static rg_status submit_both(submission *array, submission *merge, rg_error *err)
{
    rg_error why = {""};
    rg_status status = write_script(array, err);
    if (!status)
        status = write_script(merge, err);
    if (!status)
        status = submit(array, err);
    if (status)
        return status;
    snprintf(merge->dependency, sizeof merge->dependency, "--dependency=afterany:%s", array->id);
    status = submit(merge, &why);
    if (status)
        rg_fail(err, status, "the job array was submitted as job %s, but the merge job was not: %s",
                array->id, why.message);
    return status;
}

/* ---- output */

static json_t *to_json(const submission *s)
{
    json_t *root = json_object(), *command = json_array();
    for (const char *const *word = s->words; *word; word++)
        cli_json_add(&command, cli_json_text(*word));
    cli_json_set(&root, "job", *s->id ? json_string(s->id) : json_null());
    cli_json_set(&root, "path", cli_json_text(s->path));
    cli_json_set(&root, "script", cli_json_text(s->text));
    cli_json_set(&root, "command", command);
    return root;
}

static rg_status print_json(const cli_arguments *args, const char *directory,
                            const submission *array, const submission *merge, rg_error *err)
{
    json_t *root = json_object();
    cli_json_set(&root, "directory", cli_json_text(directory));
    cli_json_set(&root, "tasks", cli_json_count((uint64_t)cli_get(args, "array")->integer));
    cli_json_set(&root, "array", to_json(array));
    cli_json_set(&root, "merge", to_json(merge));
    return cli_print_json(root, err);
}

/* A script with the command that submits it. */
static rg_status print_script(const submission *s, rg_error *err)
{
    rg_text text = {0};
    for (const char *const *word = s->words; *word; word++) {
        rg_text_add(&text, word == s->words ? "# " : " ");
        add_quoted(&text, *word);
    }
    char *command = rg_text_take(&text);
    if (!command)
        return rg_fail_memory(err, "a script");
    cli_print(command);
    printf("\n%s\n", s->text);
    rg_free(command);
    return RG_OK;
}

static rg_status print_text(const cli_arguments *args, const char *directory,
                            const submission *array, const submission *merge, rg_error *err)
{
    if (cli_flag(args, "print")) {
        rg_status status = print_script(array, err);
        return status ? status : print_script(merge, err);
    }
    printf("job %s: %lld tasks, ", array->id, (long long)cli_get(args, "array")->integer);
    cli_print(directory);
    printf("/slurm/array-*.out\njob %s: merges the results when all tasks have ended, ", merge->id);
    cli_print(directory);
    printf("/slurm/merge.out\n");
    return RG_OK;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    submission array = {.dependency = ""}, merge = {.dependency = "--dependency=afterany:ARRAY"};
    const cli_value *set = cli_get(args, "set");
    rg_experiment *experiment = NULL;
    char *directory = NULL;
    const char *name = NULL;
    rg_status status = check_options(args, err);
    if (!status)
        status = rg_experiment_read(&experiment, args->words[0], set->texts, set->n_texts, err);
    if (!status) {
        name = rg_experiment_describe(experiment)->name;
        status = cli_experiment_directory(&directory, args, name, err);
    }
    if (!status)
        status = plan(&array, args, directory, "array.sh", "array-%a.out", err);
    if (!status)
        status = plan(&merge, args, directory, "merge.sh", "merge.out", err);
    if (!status)
        status = make_text(&array.text, args, false, name, directory, err);
    if (!status)
        status = make_text(&merge.text, args, true, name, directory, err);
    if (!status && !cli_flag(args, "print"))
        status = submit_both(&array, &merge, err);
    if (!status)
        status = cli_flag(args, "json") ? print_json(args, directory, &array, &merge, err)
                                        : print_text(args, directory, &array, &merge, err);
    submission_free(&array);
    submission_free(&merge);
    rg_experiment_free(experiment);
    rg_free(directory);
    return status;
}

const cli_command cli_submit_command = {
    .name = "submit",
    .summary = "submit an experiment to Slurm as a job array",
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
