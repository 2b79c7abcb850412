/* train_print.c - see train.h. */
#include "cli/output/output.h"
#include "train.h"
#include "use.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- for people */

void cli_start_print(const cli_start *start)
{
    uint64_t taken = 0;
    if (!start->model || start->failed)
        return;
    printf("taken from the model:\n");
    for (size_t k = 0; k < start->n_parts; k++) {
        const rg_start_part *p = &start->parts[k];
        char count[64];
        snprintf(count, sizeof count, "%" PRIu64 " of %" PRIu64, p->taken, p->n);
        printf("  layer %zu %-9s %16s  ", p->layer + 1, p->kind, count);
        cli_print(p->what);
        if (p->why)
            printf(" (%s)", p->why);
        fputc('\n', stdout);
        taken += p->taken;
    }
    printf("%s\n", taken ? "" : "  Nothing has the same meaning: all weights start as without.\n");
}

static void print_part(const char *name, double score, double loss, rg_metric metric)
{
    char text[32];
    if (isnan(score) && isnan(loss))
        return;
    cli_score_text(score, metric, text);
    printf("%-18s %s%s, loss %.4g\n", name, cli_score_word(metric), text, loss);
}

static void print_one(const rg_run *run, rg_metric metric)
{
    print_part("train", run->train_score, run->train_loss, metric);
    print_part("validation", run->validation_score, run->validation_loss, metric);
    print_part("test", run->test_score, run->test_loss, metric);
}

static void print_cells(const double scores[3], rg_metric metric)
{
    for (size_t k = 0; k < 3; k++) {
        char text[32];
        cli_score_text(scores[k], metric, text);
        printf(" %12s", isnan(scores[k]) ? "" : text);
    }
    fputc('\n', stdout);
}

static double part_score(const rg_run *run, size_t part)
{
    return part == 0 ? run->train_score : part == 1 ? run->validation_score : run->test_score;
}

/* Mean and sample standard deviation over the runs that did not fail from the start. */
static void summarise(const rg_train_report *r, size_t part, double *mean, double *deviation)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t k = 0; k < r->n_runs; k++)
        if (r->runs[k].best_epoch) {
            sum += part_score(&r->runs[k], part);
            n++;
        }
    *mean = sum / n;
    for (size_t k = 0; k < r->n_runs; k++)
        if (r->runs[k].best_epoch) {
            double d = part_score(&r->runs[k], part) - *mean;
            squares += d * d;
        }
    *deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
}

static void print_many(const rg_train_report *r, rg_metric metric)
{
    printf("\n%5s %6s %5s %12s %12s %12s\n", "run", "epochs", "best", "train", "validation",
           "test");
    for (size_t k = 0; k < r->n_runs; k++) {
        const rg_run *run = &r->runs[k];
        printf("%5" PRIu32 " %6" PRIu32 " %5" PRIu32, run->number, run->epochs, run->best_epoch);
        print_cells((double[3]){run->train_score, run->validation_score, run->test_score}, metric);
    }
    double mean[3], deviation[3];
    for (size_t part = 0; part < 3; part++)
        summarise(r, part, &mean[part], &deviation[part]);
    printf("%18s", "mean");
    print_cells(mean, metric);
    printf("%18s", "deviation");
    print_cells(deviation, metric);
    fputc('\n', stdout);
}

/* What scores are, if that was chosen; and a word where accuracy says little. */
static void print_metric(const cli_train *job)
{
    const rg_train_report *r = &job->report;
    rg_metric asked = rg_recipe_metric(job->recipe);
    if (asked == RG_METRIC_AUTO && !isnan(r->majority))
        printf("%-18s %s: %.1f %% of the training targets are of the most frequent class\n",
               "metric", rg_metric_title(r->metric), 100 * r->majority);
    else if (asked != RG_METRIC_DEFAULT)
        printf("%-18s %s\n", "metric", rg_metric_title(r->metric));
    else if (r->majority > RG_METRIC_MAJORITY)
        printf("%-18s accuracy, although %.1f %% of the training targets are of the most frequent "
               "class; 'metric: "
               "auto' takes ROC-AUC\n",
               "metric", 100 * r->majority);
}

static void warn(const cli_train *job)
{
    char text[500];
    for (size_t k = 0; rg_model_warning(text, sizeof text, job->model, k); k++)
        cli_message("warning: %s", text);
}

/* A best epoch that is the last one: more may be better. */
static void warn_last(const cli_train *job)
{
    const rg_run *best = &job->report.runs[job->report.best];
    uint32_t most = rg_recipe_epochs(job->recipe);
    if (best->best_epoch == most && best->epochs == most && !job->report.interrupted &&
        job->split.fold.validation.n && !strstr(rg_recipe_text(job->recipe), "\n  best: last\n"))
        printf("%-18s the best epoch is the last one: more epochs may be better, as with --epochs "
               "%" PRIu32 ", or a larger --lr\n",
               "warning", 2 * most);
}

/* If training has dropped keys: of which rules how many are there. */
static void print_rules_left(const rg_model *model)
{
    size_t n = rg_model_n_rules(model), kept = 0;
    bool dropped = false;
    rg_rule_left left;
    rg_error ignored;
    for (size_t k = 0; k < n && !rg_model_rule_left(&left, model, k, &ignored); k++) {
        kept += left.left > 0;
        dropped = dropped || left.left < left.keys;
    }
    if (!dropped)
        return;
    printf("the rules it kept: %zu of %zu\n", kept, n);
    for (size_t k = 0; k < n && !rg_model_rule_left(&left, model, k, &ignored); k++) {
        char count[64];
        snprintf(count, sizeof count, "%" PRIu64 " of %" PRIu64 " keys", left.left, left.keys);
        printf("  layer %zu %-9s %18s  ", left.layer + 1, left.kind, count);
        cli_print(left.rule);
        printf("%s\n", left.left ? "" : " (dropped)");
    }
    fputc('\n', stdout);
}

void cli_train_print_text(const cli_train *job)
{
    const rg_train_report *r = &job->report;
    const rg_run *best = &r->runs[r->best];
    rg_metric metric = r->metric;
    char tables[32], peak[32];
    warn(job);
    cli_bytes_text(r->table_bytes, tables);
    cli_bytes_text((uint64_t)cli_peak_memory(), peak);
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->source).name);
    cli_bold(stdout, false);
    if (job->split.path)
        printf(", fold %zu", job->split.number);
    if (job->split.masks)
        printf(": %zu training, %zu validation and %zu test nodes\n\n", job->split.nodes[0],
               job->split.nodes[1], job->split.nodes[2]);
    else
        printf(": %zu training, %zu validation and %zu test samples\n\n", job->split.fold.train.n,
               job->split.fold.validation.n, job->split.fold.test.n);
    cli_start_print(&job->begin);
    print_rules_left(job->model);
    printf("%-18s %" PRIu32 ", best epoch %" PRIu32 "%s\n", "epochs", best->epochs,
           best->best_epoch, r->interrupted ? " so far" : "");
    warn_last(job);
    if (r->n_runs > 1)
        print_many(r, metric);
    else
        print_one(best, metric);
    cli_train_print_networks(job);
    print_metric(job);
    printf("%-18s %.3g s per epoch", "time", r->seconds_per_epoch);
    if (r->n_runs > 1)
        printf(", %.3g s per model", r->seconds_per_epoch / (double)r->n_runs);
    printf("; %.3g s setup\n", job->read_seconds + r->build_seconds);
    if (r->weights_possible) {
        printf("%-18s %" PRIu64 "\n", "connections", r->connections);
        printf("%-18s %" PRIu64 " of %" PRIu64 " possible\n", "weights used", r->weights_used,
               r->weights_possible);
    }
    printf("%-18s %" PRIu64 "\n", "parameters", r->parameters);
    printf("%-18s %s, tables %s\n", "memory", peak, tables);
    printf("%-18s ", "model");
    cli_print(job->out);
    if (r->n_runs > 1)
        printf(", run %" PRIu32, best->number);
    fputc('\n', stdout);
}

/* ---- for programs */

json_t *cli_start_json(const cli_start *start)
{
    json_t *list = json_array();
    for (size_t k = 0; k < start->n_parts; k++) {
        const rg_start_part *p = &start->parts[k];
        json_t *part = json_object();
        cli_json_set(&part, "layer", cli_json_count(p->layer + 1));
        cli_json_set(&part, "kind", json_string(p->kind));
        cli_json_set(&part, "what", cli_json_text(p->what));
        cli_json_set(&part, "n", cli_json_count(p->n));
        cli_json_set(&part, "taken", cli_json_count(p->taken));
        cli_json_set(&part, "why", p->why ? json_string(p->why) : json_null());
        cli_json_add(&list, part);
    }
    return list;
}

/* Accuracies and errors are null where scores are not. */
static void set_scores(json_t **object, const rg_run *run, rg_metric metric)
{
    const struct {
        const char *accuracy, *error, *loss, *score;
        double score_value, loss_value;
    } parts[] = {
        {.accuracy = "train_accuracy",
         .error = "train_error",
         .loss = "train_loss",
         .score = "train_score",
         .score_value = run->train_score,
         .loss_value = run->train_loss},
        {.accuracy = "validation_accuracy",
         .error = "validation_error",
         .loss = "validation_loss",
         .score = "validation_score",
         .score_value = run->validation_score,
         .loss_value = run->validation_loss},
        {.accuracy = "test_accuracy",
         .error = "test_error",
         .loss = "test_loss",
         .score = "test_score",
         .score_value = run->test_score,
         .loss_value = run->test_loss},
    };
    for (size_t k = 0; k < CLI_COUNT(parts); k++) {
        double score = parts[k].score_value;
        cli_json_set(object, parts[k].accuracy,
                     cli_json_real(metric == RG_METRIC_ACCURACY ? score : NAN));
        cli_json_set(object, parts[k].error, cli_json_real(metric == RG_METRIC_MAE ? score : NAN));
        cli_json_set(object, parts[k].loss, cli_json_real(parts[k].loss_value));
        cli_json_set(object, parts[k].score, cli_json_real(score));
    }
}

static json_t *run_json(const rg_run *run, rg_metric metric)
{
    json_t *object = json_object();
    cli_json_set(&object, "run", cli_json_count(run->number));
    cli_json_set(&object, "epochs", cli_json_count(run->epochs));
    cli_json_set(&object, "best_epoch", cli_json_count(run->best_epoch));
    cli_json_set(&object, "stopped", json_boolean(run->stopped));
    cli_json_set(&object, "failed", json_boolean(run->failed));
    set_scores(&object, run, metric);
    return object;
}

/* What was trained on what. */
static void set_question(json_t **root, const cli_train *job)
{
    char seed[24], data[RG_DIGEST_SIZE], split[RG_DIGEST_SIZE];
    const rg_fold *fold = &job->split.fold;
    snprintf(seed, sizeof seed, "%" PRIu64, job->options.seed);
    cli_source_digest(&job->source, data);
    cli_json_set(root, "model", cli_json_text(job->out));
    cli_json_set(root, "data", cli_json_text(cli_source_items(&job->source).name));
    cli_json_set(root, "path", cli_json_text(job->source.path));
    cli_json_set(root, "network", cli_json_text(job->network));
    if (job->split.path) {
        rg_splits_digest(job->split.splits, split);
        cli_json_set(root, "split", cli_json_text(job->split.path));
        cli_json_set(root, "fold", cli_json_count(job->split.number));
        cli_json_set(root, "split_digest", json_string(split));
    } else {
        cli_json_set(root, "split", json_null());
        cli_json_set(root, "fold", json_null());
        cli_json_set(root, "split_digest", json_null());
    }
    cli_json_set(root, "validation", cli_json_real(job->validation));
    cli_json_set(root, "train_samples", cli_json_count(fold->train.n));
    cli_json_set(root, "validation_samples", cli_json_count(fold->validation.n));
    cli_json_set(root, "test_samples", cli_json_count(fold->test.n));
    if (job->split.masks) {
        cli_json_set(root, "train_nodes", cli_json_count(job->split.nodes[0]));
        cli_json_set(root, "validation_nodes", cli_json_count(job->split.nodes[1]));
        cli_json_set(root, "test_nodes", cli_json_count(job->split.nodes[2]));
    }
    cli_json_set(root, "seed", json_string(seed));
    cli_json_set(root, "run", cli_json_count(job->options.first_run));
    cli_json_set(root, "lanes", cli_json_count(job->options.lanes));
    cli_train_json_networks(root, job);
    cli_json_set(root, "data_digest", json_string(data));
}

static void set_figures(json_t **root, const cli_train *job)
{
    const rg_train_report *r = &job->report;
    cli_json_set(root, "seconds_per_epoch", cli_json_real(r->seconds_per_epoch));
    cli_json_set(root, "seconds_per_epoch_per_model",
                 cli_json_real(r->seconds_per_epoch / (double)r->n_runs));
    cli_json_set(root, "build_seconds", cli_json_real(job->read_seconds + r->build_seconds));
    cli_json_set(root, "seconds", cli_json_real(r->seconds));
    cli_json_set(root, "connections", cli_json_count(r->connections));
    cli_json_set(root, "weights_possible", cli_json_count(r->weights_possible));
    cli_json_set(root, "weights_used", cli_json_count(r->weights_used));
    cli_json_set(root, "parameters", cli_json_count(r->parameters));
    cli_json_set(root, "table_bytes", cli_json_count(r->table_bytes));
    cli_json_set(root, "peak_rss_mb", cli_json_real(cli_peak_memory() / 1e6));
}

static json_t *rules_json(const rg_model *model)
{
    json_t *list = json_array();
    rg_rule_left left;
    rg_error ignored;
    for (size_t k = 0;
         k < rg_model_n_rules(model) && !rg_model_rule_left(&left, model, k, &ignored); k++) {
        json_t *rule = json_object();
        cli_json_set(&rule, "layer", cli_json_count(left.layer + 1));
        cli_json_set(&rule, "rule", cli_json_text(left.rule));
        cli_json_set(&rule, "keys", cli_json_count(left.keys));
        cli_json_set(&rule, "left", cli_json_count(left.left));
        cli_json_set(&rule, "norm", cli_json_real(left.norm));
        cli_json_add(&list, rule);
    }
    return list;
}

rg_status cli_train_print_json(const cli_train *job, rg_error *err)
{
    const rg_train_report *r = &job->report;
    const rg_run *best = &r->runs[r->best];
    rg_metric metric = r->metric;
    json_t *root = json_object(), *runs = json_array(), *warnings = json_array();
    char text[500];
    set_question(&root, job);
    cli_json_set(&root, "model_digest", cli_json_text(job->info.digest));
    cli_json_set(&root, "rules", rules_json(job->model));
    if (job->begin.model)
        cli_json_set(&root, "start", cli_start_json(&job->begin));
    cli_json_set(&root, "interrupted", json_boolean(r->interrupted));
    cli_json_set(&root, "epochs", cli_json_count(best->epochs));
    cli_json_set(&root, "best_epoch", cli_json_count(best->best_epoch));
    cli_json_set(&root, "best_run", cli_json_count(best->number));
    cli_json_set(&root, "metric", json_string(rg_metric_name(metric)));
    cli_json_set(&root, "majority", cli_json_real(r->majority));
    set_scores(&root, best, metric);
    set_figures(&root, job);
    for (size_t k = 0; k < r->n_runs; k++)
        cli_json_add(&runs, run_json(&r->runs[k], metric));
    for (size_t k = 0; rg_model_warning(text, sizeof text, job->model, k); k++)
        cli_json_add(&warnings, cli_json_text(text));
    cli_json_set(&root, "runs", runs);
    cli_json_set(&root, "warnings", warnings);
    return cli_print_json(root, err);
}
