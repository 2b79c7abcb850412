/* evaluate.c - see evaluate.h. */
#include "evaluate.h"

#include "cli/output/epochs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define CONFUSION_SHOWN 16 /* classes whose table fits a wide terminal */

static size_t n_shown(const rg_evaluation *e)
{
    return e->n_outputs < RG_SCORES_MAX ? e->n_outputs : RG_SCORES_MAX;
}

static bool is_of_values(rg_model_task task)
{
    return task == RG_MODEL_VALUES || task == RG_MODEL_NODE_VALUES;
}

static bool has_confusion(const cli_evaluate *job)
{
    rg_model_task task = job->use->info.task;
    return (task == RG_MODEL_CLASSES || task == RG_MODEL_NODES) &&
           job->scores->n_outputs <= RG_SCORES_MAX;
}

/* ---- for people */

static void print_percent(double value, int width)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.2f %%", width - 2, 100 * value);
}

static void print_number(double value, int width)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.4f", width, value);
}

static void print_figure(double value, int width)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.6g", width, value);
}

static void print_metric(const rg_evaluation *e, rg_metric metric)
{
    char text[32];
    cli_score_text(e->scores[metric], metric, text);
    printf("%-18s %s\n", rg_metric_title(metric), text);
}

static void print_values(const rg_evaluation *e)
{
    printf("%-18s %.6g\n%-18s %.6g\n", "MAE", e->mae, "RMSE", e->rmse);
    print_metric(e, RG_METRIC_R2);
    printf("\n%8s %10s %12s %12s %9s\n", "value", "n", "MAE", "RMSE", "R2");
    for (size_t c = 0; c < n_shown(e); c++) {
        const rg_output_score *s = &e->outputs[c];
        printf("%8zu %10" PRIu64, c, s->n);
        print_figure(s->mae, 12);
        print_figure(s->rmse, 12);
        print_number(s->r2, 9);
        fputc('\n', stdout);
    }
}

static const char *name_of(const cli_evaluate *job, size_t c)
{
    return rg_model_output_name(job->use->model, (uint32_t)c);
}

static void print_classes(const cli_evaluate *job)
{
    const rg_evaluation *e = job->scores;
    bool answers = job->use->info.task == RG_MODEL_MULTILABEL;
    printf("%-18s %.2f %%", "accuracy", 100 * e->accuracy);
    if (!isnan(e->majority))
        printf(" (most frequent class: %.2f %%)", 100 * e->majority);
    fputc('\n', stdout);
    if (!isnan(e->auc))
        printf("%-18s %.4f\n", "AUC", e->auc);
    for (int m = RG_METRIC_BALANCED_ACCURACY; m < RG_METRICS; m++)
        if (!isnan(e->scores[m]) && (m != RG_METRIC_ROC_AUC || e->metric == RG_METRIC_ROC_AUC))
            print_metric(e, (rg_metric)m);
    printf("\n%8s %10s %11s %11s %9s\n", answers ? "label" : "class", "n", "precision", "recall",
           "AUC");
    for (size_t c = 0; c < n_shown(e); c++) {
        const rg_output_score *s = &e->outputs[c];
        int64_t name = answers ? (int64_t)c : rg_model_class(job->use->model, (uint32_t)c);
        printf("%8" PRId64 " %10" PRIu64, name, s->n);
        print_percent(s->precision, 11);
        print_percent(s->recall, 11);
        print_number(s->auc, 9);
        if (name_of(job, c)) {
            fputs("  ", stdout);
            cli_print(name_of(job, c));
        }
        fputc('\n', stdout);
    }
}

static void print_confusion(const cli_evaluate *job)
{
    const rg_evaluation *e = job->scores;
    const rg_model *model = job->use->model;
    printf("\nConfusion matrix (rows: true class, columns: predicted class)\n\n%12s", "");
    for (uint32_t c = 0; c < e->n_outputs; c++)
        printf(" %7" PRId64, rg_model_class(model, c));
    for (uint32_t r = 0; r < e->n_outputs; r++) {
        printf("\n%12" PRId64, rg_model_class(model, r));
        for (size_t c = 0; c < e->n_outputs; c++)
            printf(" %7" PRIu64, e->confusion[r][c]);
    }
    fputc('\n', stdout);
}

/* A score on all data of the training is no test. */
static void say_training(const cli_use *use)
{
    char digest[RG_DIGEST_SIZE];
    json_t *record = json_loads(use->info.record, 0, NULL);
    const char *trained = json_string_value(json_object_get(record, "data_digest"));
    json_int_t n = json_integer_value(json_object_get(record, "n_train"));
    cli_source_digest(&use->source, digest);
    if (trained && n > 0 && strcmp(trained, digest) == 0)
        printf(", all of the data, of which %lld were for training", (long long)n);
    json_decref(record);
}

void cli_evaluate_print_text(const cli_evaluate *job)
{
    const rg_evaluation *e = job->scores;
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->use->source).name);
    cli_bold(stdout, false);
    if (job->part)
        printf(", %s set", job->part);
    else
        say_training(job->use);
    if (job->use->split.path)
        printf(" of fold %zu", job->use->split.number);
    printf("\n\n%-18s %" PRIu64 "\n",
           job->use->info.task == RG_MODEL_NODES || job->use->info.task == RG_MODEL_NODE_VALUES
               ? "nodes"
               : "samples",
           e->n);
    printf("%-18s %.6g\n", "loss", e->loss);
    if (is_of_values(job->use->info.task))
        print_values(e);
    else
        print_classes(job);
    if (has_confusion(job) && e->n_outputs <= CONFUSION_SHOWN)
        print_confusion(job);
    if (!isnan(job->confidence))
        printf(
            "\nSets of classes at confidence %g: they hold the right class of %.2f %% of the "
            "samples, have "
            "%.3f classes on average, and none for %.2f %% (100 random cuts; temperature %.4g)\n",
            job->confidence, 100 * job->coverage.covered, job->coverage.size,
            100 * job->coverage.empty, job->temperature);
    if (e->n_outputs > n_shown(e))
        printf("\nShowing the first %zu of %zu.\n", n_shown(e), e->n_outputs);
}

/* ---- for programs */

static json_t *outputs_json(const cli_evaluate *job)
{
    const rg_evaluation *e = job->scores;
    rg_model_task task = job->use->info.task;
    json_t *list = json_array();
    for (size_t c = 0; c < n_shown(e); c++) {
        const rg_output_score *s = &e->outputs[c];
        json_t *item = json_object();
        if (task == RG_MODEL_CLASSES || task == RG_MODEL_NODES)
            cli_json_set(&item, "class",
                         json_integer(rg_model_class(job->use->model, (uint32_t)c)));
        if (name_of(job, c))
            cli_json_set(&item, "name", json_string(name_of(job, c)));
        cli_json_set(&item, "n", cli_json_count(s->n));
        if (is_of_values(task)) {
            cli_json_set(&item, "mae", cli_json_real(s->mae));
            cli_json_set(&item, "rmse", cli_json_real(s->rmse));
            cli_json_set(&item, "r2", cli_json_real(s->r2));
        } else {
            cli_json_set(&item, "precision", cli_json_real(s->precision));
            cli_json_set(&item, "recall", cli_json_real(s->recall));
            cli_json_set(&item, "auc", cli_json_real(s->auc));
        }
        cli_json_add(&list, item);
    }
    return list;
}

static json_t *confusion_json(const rg_evaluation *e)
{
    json_t *list = json_array();
    for (size_t r = 0; r < e->n_outputs; r++) {
        json_t *row = json_array();
        for (size_t c = 0; c < e->n_outputs; c++)
            cli_json_add(&row, cli_json_count(e->confusion[r][c]));
        cli_json_add(&list, row);
    }
    return list;
}

/* What was asked of what. */
static void set_question(json_t **root, const cli_evaluate *job)
{
    const cli_use *use = job->use;
    char digest[RG_DIGEST_SIZE];
    cli_source_digest(&use->source, digest);
    cli_json_set(root, "model", cli_json_text(job->path));
    cli_json_set(root, "model_digest", cli_json_text(use->info.digest));
    cli_json_set(root, "data", cli_json_text(cli_source_items(&use->source).name));
    cli_json_set(root, "path", cli_json_text(use->source.path));
    cli_json_set(root, "data_digest", json_string(digest));
    bool split = use->split.path != NULL;
    cli_json_set(root, "split", split ? cli_json_text(use->split.path) : json_null());
    cli_json_set(root, "fold", split ? cli_json_count(use->split.number) : json_null());
    cli_json_set(root, "part", job->part ? json_string(job->part) : json_null());
}

rg_status cli_evaluate_print_json(const cli_evaluate *job, rg_error *err)
{
    const rg_evaluation *e = job->scores;
    json_t *root = json_object(), *scores = json_object();
    set_question(&root, job);
    cli_json_set(&root, "n", cli_json_count(e->n));
    cli_json_set(&root, "loss", cli_json_real(e->loss));
    cli_json_set(&root, "accuracy", cli_json_real(e->accuracy));
    cli_json_set(&root, "majority", cli_json_real(e->majority));
    cli_json_set(&root, "auc", cli_json_real(e->auc));
    cli_json_set(&root, "mae", cli_json_real(e->mae));
    cli_json_set(&root, "rmse", cli_json_real(e->rmse));
    for (int m = RG_METRIC_ACCURACY; m < RG_METRICS; m++)
        cli_json_set(&scores, rg_metric_name((rg_metric)m), cli_json_real(e->scores[m]));
    cli_json_set(&root, "metric", json_string(rg_metric_name(e->metric)));
    cli_json_set(&root, "score", cli_json_real(e->scores[e->metric]));
    cli_json_set(&root, "scores", scores);
    cli_json_set(&root, "outputs", outputs_json(job));
    cli_json_set(&root, "confusion", has_confusion(job) ? confusion_json(e) : json_null());
    if (!isnan(job->confidence)) {
        cli_json_set(&root, "confidence", cli_json_real(job->confidence));
        cli_json_set(&root, "temperature", cli_json_real(job->temperature));
        cli_json_set(&root, "coverage", cli_json_real(job->coverage.covered));
        cli_json_set(&root, "set_size", cli_json_real(job->coverage.size));
        cli_json_set(&root, "empty_sets", cli_json_real(job->coverage.empty));
    }
    cli_json_set(&root, "unknown_labels", cli_json_count(e->report.unknown_labels));
    cli_json_set(&root, "unseen_labels", cli_json_count(e->report.unseen_labels));
    cli_json_set(&root, "unseen_pairs", cli_json_count(e->report.unseen_pairs));
    cli_json_set(&root, "seconds", cli_json_real(job->seconds));
    return cli_print_json(root, err);
}
