/* cmd_prune.c - regula prune: score as a function of model size, and smaller models. */
#include "base/error.h"
#include "base/number.h"
#include "cli/command/commands.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "train.h"
#include "use.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PARTS_MAX 256
static const char usual_parts[] = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.95,0.99";

static const cli_argument arguments[] = {CLI_MODEL_ARGUMENT, CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "parts",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .otherwise = usual_parts,
     .help =
         "Fractions of the weights to remove, each at least 0 and below 1, in ascending order."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Output file for the pruned model."},
    {.name = "part-of",
     .kind = CLI_REAL,
     .metavar = "P",
     .min = 0,
     .max = 1,
     .help = "Remove this fraction of the weights."},
    {.name = "keep-score",
     .kind = CLI_FLAG,
     .help = "Remove the largest fraction that keeps the score. This is the default unless "
             "--part-of is given."},
    {.name = "tolerance",
     .kind = CLI_REAL,
     .metavar = "T",
     .min = 0,
     .max = 1e9,
     .help = "How much worse the score may get; for accuracies, 0.01 means one percentage point."},
    CLI_SPLIT_OPTION(" with the samples to score on"),
    CLI_FOLD_OPTION,
    CLI_PART_OPTION,
    CLI_READ_OPTIONS,
    CLI_FORCE_OPTION,
    CLI_MEMORY_OPTION,
    CLI_TABLE_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula prune csl.safetensors csl",
     "Print the score for smaller and smaller numbers of weights."},
    {"regula prune f2.safetensors csl --split csl.json --fold 2 -o s.safetensors",
     "Write the smallest model that is as good on the validation set."},
    {"regula prune csl.safetensors csl --part-of 0.5 -o half.safetensors --json",
     "Write a model with half of the weights."},
};

static const char *const description[] = {
    "Magnitude pruning: removes the weights of rules, dense layers and convolutions, also those "
    "that "
    "other layers are made of, with the smallest absolute "
    "values. For several fractions it prints how many weights are left, the largest weight "
    "removed, and loss and score on the data. The score is the accuracy, or for regression the "
    "mean absolute error.",
    "With --out it writes a pruned model: the largest fraction in the list whose score is at most "
    "--tolerance worse than that of all weights, or the fraction of --part-of. Choose the fraction "
    "on the validation set: choosing on the test set makes the test score too optimistic.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_predict_options o = rg_predict_options_default();
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_real(args, "tolerance", 0);
    cli_default_choice(args, "part", CLI_PART_VALIDATION);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

typedef struct prune {
    cli_use use;
    double parts[PARTS_MAX + 1];
    rg_prune_point points[PARTS_MAX + 1];
    size_t n;
    rg_metric metric; /* accuracy or mean absolute error */
    double part;      /* that it lacks */
    uint64_t left;    /* its weights */
} prune;

/* Ascending; 0 is put in front if it is not there, for everything is compared with it. */
static rg_status parse_parts(prune *job, const char *text, rg_error *err)
{
    const char *p = text, *end = text + strlen(text);
    double last = -1;
    job->parts[job->n++] = 0;
    for (;;) {
        double value = -1;
        const char *next = rg_number_real(p, end, &value);
        if (!next || (next < end && *next != ',') || !(value >= 0 && value < 1 && value > last))
            return rg_fail(err, RG_EUSAGE,
                           "option '--parts': found '%s', expected ascending numbers, at least 0 "
                           "and below 1, as in 0.5,0.9",
                           text);
        if (job->n > PARTS_MAX)
            return rg_fail(err, RG_EUSAGE, "option '--parts': found more than %d numbers",
                           PARTS_MAX);
        if (value > 0)
            job->parts[job->n++] = value;
        last = value;
        if (next == end)
            return RG_OK;
        p = next + 1;
    }
}

static rg_status check_options(prune *job, const cli_arguments *args, rg_error *err)
{
    static const char *const writing[] = {"part-of", "keep-score", "tolerance"};
    const char *out = cli_text(args, "out"), *parts = cli_text(args, "parts");
    for (size_t k = 0; k < CLI_COUNT(writing); k++)
        if (cli_get(args, writing[k])->given && !out)
            return rg_fail(err, RG_EUSAGE, "option '--%s' is for '--out'", writing[k]);
    for (size_t k = 1; k < CLI_COUNT(writing); k++)
        if (cli_get(args, "part-of")->given && cli_get(args, writing[k])->given)
            return rg_fail(err, RG_EUSAGE, "options '--part-of' and '--%s' exclude each other",
                           writing[k]);
    rg_status status = parse_parts(job, parts ? parts : usual_parts, err);
    return status ? status : cli_check_place(out, err);
}

/* The last point that is as good as the first, but for the tolerance. */
static size_t choose(const prune *job, double tolerance)
{
    size_t best = 0;
    double full = job->points[0].score;
    for (size_t k = 1; k < job->n; k++) {
        double score = job->points[k].score;
        if (rg_metric_is_low(job->metric) ? score <= full + tolerance : score >= full - tolerance)
            best = k;
    }
    return best;
}

static rg_status write_smaller(prune *job, const cli_arguments *args, rg_error *err)
{
    const char *out = cli_text(args, "out");
    if (!out)
        return RG_OK;
    job->part = cli_get(args, "part-of")->given
                    ? cli_get(args, "part-of")->real
                    : job->parts[choose(job, cli_get(args, "tolerance")->real)];
    rg_status status = rg_model_prune(job->use.model, job->part, &job->left, err);
    if (!status)
        status = rg_model_save(job->use.model, out, err);
    if (!status)
        status = rg_model_describe(&job->use.info, job->use.model, err);
    return status;
}

static void print_text(const prune *job, const char *out)
{
    printf("%8s %12s %12s %12s %10s\n", "dropped", "weights", "up to", "loss",
           cli_score_kind(job->metric));
    for (size_t k = 0; k < job->n; k++) {
        const rg_prune_point *p = &job->points[k];
        char score[32];
        cli_score_text(p->score, job->metric, score);
        printf("%6.2f %% %12" PRIu64 " %12.4g %12.4g %10s\n", 100 * p->part, p->weights, p->limit,
               p->loss, score);
    }
    if (!out)
        return;
    printf("\n%" PRIu64 " weights, without %.4g %%, in ", job->left, 100 * job->part);
    cli_print(out);
    fputc('\n', stdout);
}

static rg_status print_json(const prune *job, const cli_arguments *args, rg_error *err)
{
    const cli_use *use = &job->use;
    const char *out = cli_text(args, "out");
    json_t *root = json_object(), *list = json_array();
    cli_json_set(&root, "model", cli_json_text(args->words[0]));
    cli_json_set(&root, "data", cli_json_text(cli_source_items(&use->source).name));
    cli_json_set(&root, "split", use->split.path ? cli_json_text(use->split.path) : json_null());
    cli_json_set(&root, "fold", use->split.path ? cli_json_count(use->split.number) : json_null());
    cli_json_set(&root, "score", json_string(cli_score_kind(job->metric)));
    for (size_t k = 0; k < job->n; k++) {
        const rg_prune_point *p = &job->points[k];
        json_t *item = json_object();
        cli_json_set(&item, "part", cli_json_real(p->part));
        cli_json_set(&item, "weights", cli_json_count(p->weights));
        cli_json_set(&item, "limit", cli_json_real(p->limit));
        cli_json_set(&item, "loss", cli_json_real(p->loss));
        cli_json_set(&item, "score", cli_json_real(p->score));
        cli_json_add(&list, item);
    }
    cli_json_set(&root, "points", list);
    if (out) {
        cli_json_set(&root, "out", cli_json_text(out));
        cli_json_set(&root, "part", cli_json_real(job->part));
        cli_json_set(&root, "weights", cli_json_count(job->left));
        cli_json_set(&root, "model_digest", cli_json_text(use->info.digest));
    }
    return cli_print_json(root, err);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    prune job = {.n = 0};
    cli_use *use = &job.use;
    rg_status status = check_options(&job, args, err);
    if (status)
        return status;
    status = cli_use_open(use, args, err);
    if (!status)
        status = cli_use_read(use, args, err);
    if (!status)
        status = cli_use_part(use, args, err);
    if (!status) {
        rg_source source = cli_source_view(&use->source);
        job.metric = use->info.task == RG_MODEL_VALUES || use->info.task == RG_MODEL_NODE_VALUES
                         ? RG_METRIC_MAE
                         : RG_METRIC_ACCURACY;
        cli_progress_begin(&use->progress, cli_source_items(&use->source).name,
                           cli_flag(args, "quiet"));
        status = rg_model_prune_curve(job.points, job.parts, job.n, use->model, &source,
                                      &use->options, err);
        cli_progress_end(&use->progress);
    }
    if (!status)
        status = write_smaller(&job, args, err);
    if (!status && cli_flag(args, "json"))
        status = print_json(&job, args, err);
    else if (!status)
        print_text(&job, cli_text(args, "out"));
    cli_use_close(use);
    return status;
}

const cli_command cli_prune_command = {
    .name = "prune",
    .summary = "remove small weights and show the effect on the score",
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
