/* cmd_distil.c - regula distil: the few rules of a model that keep its answers, as a model and as a list. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/commands.h"
#include "cli/model/calibrate.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "explain.h"
#include "regula/build.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_argument arguments[] = {CLI_MODEL_ARGUMENT, CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "rules",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .help = "How many rules to keep, of all layers together. Biases stay."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Output file for the model that is left."},
    CLI_SPLIT_OPTION(
        ": rules are chosen on its training set, and answers compared on its test set"),
    CLI_FOLD_OPTION,
    CLI_READ_OPTIONS,
    CLI_FORCE_OPTION,
    CLI_MEMORY_OPTION,
    CLI_TABLE_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula distil csl.safetensors csl --rules 20 --split csl.json",
     "Print the 20 rules that keep most of the answers, and how many they keep."},
    {"regula distil csl.safetensors csl --rules 20 --out few.safetensors",
     "Write a model that has no other rules."},
};

static const char *const description[] = {
    "Looks for the few rules that keep the answers of a classifier of graphs. In rounds it drops "
    "three tenths of the rules, those whose contributions differ least between the classes, and "
    "measures the rest again; at the end the bias of the outputs is moved to where most answers on "
    "the training set are those of the model. It prints the rules with their effects, the accuracy "
    "of the model before and after, and the share of answers that are unchanged (docs/explain.md).",
    "With --out it writes a model file that predicts and explains as any other.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_predict_options o = rg_predict_options_default();
    cli_default_integer(args, "rules", 20);
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* What there is to do, and what came of it. */
typedef struct distilling {
    cli_explain job; /* model, data, names and the explainer of what is left */
    size_t n_rules, n_before, n_after;
    double accuracy[2]; /* before, after */
    double unchanged;
    size_t n;          /* samples that are compared */
    rg_dataset *train; /* graphs that rules are chosen on; NULL: all; owned */
} distilling;

/* ---- dropping rules */

typedef struct sized_rule {
    uint32_t number;
    double size;
} sized_rule;

static int by_size(const void *a, const void *b)
{
    const sized_rule *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static rg_status open_explainer(distilling *d, rg_error *err)
{
    cli_explain *job = &d->job;
    rg_source source = {.graphs = d->train ? d->train : job->use.source.graphs};
    rg_predict_options how = job->use.options;
    how.progress = NULL;
    rg_explainer_free(job->explainer);
    job->explainer = NULL;
    rg_status status = rg_explainer_new(&job->explainer, job->use.model, job->names, err);
    if (!status)
        status = rg_explainer_read(job->explainer, &source, &how, err);
    if (!status)
        status = rg_explainer_measure(job->explainer, NULL, 0, err);
    return status;
}

/* Rules that still have a weight, by how much they tell classes apart. */
static rg_status rank_rules(sized_rule *list, size_t *n_list, distilling *d, rg_error *err)
{
    rg_explainer *e = d->job.explainer;
    size_t n = rg_explainer_n_statements(e), n_classes = d->job.use.info.n_outputs, found;
    rg_separation *apart = rg_alloc(n, sizeof *apart);
    double *sizes = rg_alloc_zero(n, sizeof *sizes);
    rg_status status = apart && sizes ? RG_OK : rg_fail_memory(err, "rules to keep");
    for (uint32_t c = n_classes == 2; !status && c < n_classes; c++) {
        uint64_t samples[2];
        status =
            rg_explainer_separate(apart, &found, samples, e, c, RG_NO_OUTPUT, SIZE_MAX, n, err);
        for (size_t k = 0; !status && k < found; k++)
            sizes[apart[k].statement] =
                fmax(sizes[apart[k].statement], fabs(apart[k].mean_a - apart[k].mean_b));
    }
    *n_list = 0;
    for (size_t k = 0; !status && k < n; k++) {
        const rg_statement *s = rg_explainer_statement(e, k);
        if (s->rule != RG_STATEMENT_BIAS && s->weight != 0)
            list[(*n_list)++] = (sized_rule){(uint32_t)k, sizes[k]};
    }
    if (!status && *n_list)
        qsort(list, *n_list, sizeof *list, by_size);
    rg_free(apart);
    rg_free(sizes);
    return status;
}

/* Rounds until there are no more rules than asked for. */
static rg_status drop_rules(distilling *d, rg_error *err)
{
    rg_status status = open_explainer(d, err);
    if (status)
        return status;
    size_t n = 0;
    sized_rule *list = rg_alloc(rg_explainer_n_statements(d->job.explainer), sizeof *list);
    status = list ? rank_rules(list, &n, d, err) : rg_fail_memory(err, "rules to keep");
    for (d->n_before = n; !status && n > d->n_rules;) {
        size_t keep = n - (3 * n + 9) / 10;
        keep = keep > d->n_rules ? keep : d->n_rules;
        for (size_t k = keep; k < n; k++)
            rg_explainer_scale(d->job.explainer, d->job.use.model, list[k].number, 0);
        status = open_explainer(d, err);
        if (!status)
            status = rank_rules(list, &n, d, err);
        n = n < keep ? n : keep;
    }
    d->n_after = n;
    rg_free(list);
    return status;
}

/* ---- the bias of the outputs */

static uint32_t best_of(const double *z, size_t n)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < n; c++)
        if (z[c] > z[best])
            best = c;
    return best;
}

static double same_part(const cli_outputs *a, const cli_outputs *b)
{
    size_t n = 0;
    for (size_t k = 0; k < a->n; k++)
        n += best_of(a->values + k * a->n_classes, a->n_classes) ==
             best_of(b->values + k * b->n_classes, b->n_classes);
    return a->n ? (double)n / (double)a->n : (double)NAN;
}

static double right_part(const cli_outputs *a)
{
    size_t n = 0;
    for (size_t k = 0; k < a->n; k++)
        n += best_of(a->values + k * a->n_classes, a->n_classes) == a->classes[k];
    return a->n ? (double)n / (double)a->n : (double)NAN;
}

static rg_status take(cli_outputs *out, const distilling *d, bool test, rg_error *err)
{
    const cli_use *use = &d->job.use;
    const rg_part *part = test ? &use->split.fold.test : &use->split.fold.train;
    return cli_outputs_take(out, use, &use->source, d->job.split ? part->graphs : NULL, part->n,
                            err);
}

typedef struct shifted {
    double by;
    int change; /* of answers that are unchanged, once the shift is larger */
} shifted;

static int by_shift(const void *a, const void *b)
{
    const shifted *x = a, *y = b;
    return x->by != y->by ? (x->by > y->by) - (x->by < y->by) : x->change - y->change;
}

/* Of two classes: moves the bias to where most answers are those of the model before. */
static rg_status shift_bias(distilling *d, const cli_outputs *before, const cli_outputs *after,
                            rg_error *err)
{
    long sum = 0, best = 0;
    double shift = 0;
    if (before->n_classes != 2 || after->n != before->n)
        return RG_OK;
    shifted *list = rg_alloc(after->n, sizeof *list);
    if (!list)
        return rg_fail_memory(err, "the bias of a model");
    for (size_t k = 0; k < after->n; k++) { /* class 1 from this shift on */
        bool one = best_of(before->values + 2 * k, 2) == 1;
        list[k] = (shifted){after->values[2 * k] - after->values[2 * k + 1], one ? 1 : -1};
    }
    if (after->n)
        qsort(list, after->n, sizeof *list, by_shift);
    for (size_t k = 0; k < after->n; k++) { /* relative to a shift below all */
        sum += list[k].change;
        bool ends = k + 1 == after->n || list[k + 1].by > list[k].by;
        if (ends && sum > best) {
            best = sum;
            shift = k + 1 == after->n ? list[k].by + 1e-6 : (list[k].by + list[k + 1].by) / 2;
        }
    }
    rg_free(list);
    if (best > 0)
        rg_explainer_shift(d->job.explainer, d->job.use.model, 1, shift);
    return RG_OK;
}

static rg_status distil(distilling *d, rg_error *err)
{
    cli_outputs before[2] = {{0}, {0}}, after = {0};
    rg_status status = take(&before[0], d, false, err);
    if (!status)
        status = take(&before[1], d, true, err);
    if (!status)
        status = drop_rules(d, err);
    if (!status)
        status = take(&after, d, false, err);
    if (!status)
        status = shift_bias(d, &before[0], &after, err);
    cli_outputs_free(&after);
    if (!status)
        status = take(&after, d, true, err);
    if (!status)
        status = open_explainer(d, err);
    if (!status) {
        d->n = after.n;
        d->accuracy[0] = right_part(&before[1]);
        d->accuracy[1] = right_part(&after);
        d->unchanged = same_part(&before[1], &after);
    }
    cli_outputs_free(&before[0]);
    cli_outputs_free(&before[1]);
    cli_outputs_free(&after);
    return status;
}

/* ---- results */

/* The rules that are left, the largest effect first; effects are measured by removing them. *list: owned. */
static rg_status list_left(sized_rule **list, size_t *n, const distilling *d, rg_error *err)
{
    rg_explainer *e = d->job.explainer;
    size_t all = rg_explainer_n_statements(e);
    sized_rule *rules = rg_alloc(all, sizeof *rules);
    uint32_t *numbers = rg_alloc(all, sizeof *numbers);
    *n = 0;
    for (size_t k = 0; rules && numbers && k < all; k++) {
        const rg_statement *s = rg_explainer_statement(e, k);
        if (s->rule != RG_STATEMENT_BIAS && s->weight != 0)
            numbers[(*n)++] = (uint32_t)k;
    }
    rg_status status = rules && numbers ? rg_explainer_remove(NULL, e, numbers, *n, NULL, 0, err)
                                        : rg_fail_memory(err, "rules to keep");
    for (size_t k = 0; !status && k < *n; k++)
        rules[k] = (sized_rule){numbers[k], fabs(rg_explainer_effect(e, numbers[k]).value)};
    if (!status && *n)
        qsort(rules, *n, sizeof *rules, by_size);
    rg_free(numbers);
    if (status)
        rg_free(rules);
    else
        *list = rules;
    return status;
}

static rg_status print_text(const distilling *d, const char *out, rg_error *err)
{
    const cli_explain *job = &d->job;
    sized_rule *list;
    size_t n;
    rg_status status = list_left(&list, &n, d, err);
    bool pair = rg_explainer_axis(job->explainer, 0).down != RG_NO_OUTPUT;
    if (status)
        return status;
    printf("%zu of %zu rules are left. On %zu %s%s:\n", d->n_after, d->n_before, d->n,
           cli_explain_samples(job), job->split ? " of the test set" : "");
    printf("  accuracy           %.2f %%, before %.2f %%\n", 100 * d->accuracy[1],
           100 * d->accuracy[0]);
    printf("  unchanged answers  %.2f %%\n\n%9s%s %7s %5s  rule\n", 100 * d->unchanged, "effect",
           pair ? "" : "    to", cli_explain_samples(job), "layer");
    for (size_t k = 0; !status && k < n; k++) {
        const rg_statement *s = rg_explainer_statement(job->explainer, list[k].number);
        rg_effect effect = rg_explainer_effect(job->explainer, list[k].number);
        char number[CLI_SIGNED];
        rg_text text = {0};
        printf("%9s", cli_signed(number, effect.value));
        if (!pair)
            printf(" %5" PRId64, cli_explain_output(job, effect.axis.up));
        printf(" %7" PRIu64 " %5zu  ", s->graphs,
               rg_explainer_layer(job->explainer, s->layer).of + 1);
        rg_explainer_words(&text, job->explainer, list[k].number);
        status = cli_explain_wrap(&text, pair ? 25 : 31, err);
    }
    rg_free(list);
    if (!status && out)
        printf("\nmodel              %s\n", out);
    return status;
}

static rg_status print_json(const distilling *d, const char *out, rg_error *err)
{
    const cli_explain *job = &d->job;
    sized_rule *list;
    size_t n;
    rg_status status = list_left(&list, &n, d, err);
    if (status)
        return status;
    json_t *root = cli_explain_question(job), *rules = json_array();
    cli_json_set(&root, "rules_before", cli_json_count(d->n_before));
    cli_json_set(&root, "rules", cli_json_count(d->n_after));
    cli_json_set(&root, "n", cli_json_count(d->n));
    cli_json_set(&root, "accuracy_before", cli_json_real(d->accuracy[0]));
    cli_json_set(&root, "accuracy", cli_json_real(d->accuracy[1]));
    cli_json_set(&root, "unchanged", cli_json_real(d->unchanged));
    for (size_t k = 0; k < n; k++) {
        rg_json json = {0};
        rg_explain_json_statement(&json, job->explainer, list[k].number);
        cli_json_add(&rules, cli_explain_tree(&json));
    }
    rg_free(list);
    cli_json_set(&root, "statements", rules);
    cli_json_set(&root, "out", out ? cli_json_text(out) : json_null());
    return cli_print_json(root, err);
}

/* ---- the whole */

static rg_status open_job(distilling *d, const cli_arguments *args, rg_error *err)
{
    cli_explain *job = &d->job;
    cli_use *use = &job->use;
    rg_status status = cli_use_open(use, args, err);
    if (!status && use->info.n_networks > 1)
        status = rg_fail(err, RG_EUSAGE,
                         "the model has %u networks that answer together: one network is distilled",
                         (unsigned)use->info.n_networks);
    if (!status)
        status = cli_use_read(use, args, err);
    if (!status)
        status = cli_split_read(&use->split, args, &use->source, err);
    if (!status && (use->info.task != RG_MODEL_CLASSES || !use->source.graphs))
        status = rg_fail(err, RG_EUSAGE, "only classifiers of graphs can be distilled");
    job->split = !status && use->split.path;
    if (job->split)
        status = rg_dataset_select(&d->train, use->source.graphs, use->split.fold.train.graphs,
                                   use->split.fold.train.n, err);
    if (!status)
        status = rg_names_of(&job->names, use->source.graphs, err);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    distilling *d = rg_alloc_zero(1, sizeof *d);
    const char *out = cli_text(args, "out");
    if (!d)
        return rg_fail_memory(err, "distilling a model");
    d->job.path = args->words[0];
    d->job.has_data = true;
    d->n_rules = (size_t)cli_get(args, "rules")->integer;
    rg_status status = cli_check_place(out, err);
    if (!status)
        status = open_job(d, args, err);
    if (!status)
        status = distil(d, err);
    if (!status && out)
        status = rg_model_save(d->job.use.model, out, err);
    if (!status)
        status = cli_flag(args, "json") ? print_json(d, out, err) : print_text(d, out, err);
    rg_explainer_free(d->job.explainer);
    rg_names_free(d->job.names);
    rg_dataset_free(d->train);
    cli_use_close(&d->job.use);
    rg_free(d);
    return status;
}

const cli_command cli_distil_command = {
    .name = "distil",
    .summary = "find the few rules of a model that keep its answers",
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
