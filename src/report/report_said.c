/* report_said.c - see report_parts.h: predictions on the test sets against true targets. */
#include "base/alloc.h"
#include "base/error.h"
#include "baseline/contender.h"
#include "network/network.h"
#include "report_parts.h"
#include "train/recipe.h"

#include <math.h>
#include <string.h>

#define MOST_CLASSES 40  /* of a matrix that can be read */
#define MOST_VALUES 2000 /* points of a picture */

/* What is true of the samples. */
typedef struct truth {
    rg_task task;
    uint32_t column;
    size_t n_samples, n_classes;
    const uint32_t *ranks; /* of samples, or of nodes */
    const int64_t *classes;
    const double *values; /* [sample][n_columns] */
    size_t n_columns;
} truth;

void rg_said_free(rg_said *said)
{
    rg_free(said);
}

/* ---- what is learned */

/* The task and the column of the recipe that was chosen. What is no network (a kernel) learns
 * the first column of classes. */
static rg_status find_task(truth *t, const rg_report *report, rg_error *err)
{
    const char *text = report->results->configurations[report->chosen[0]].recipe;
    rg_contender contender = {NULL, NULL};
    rg_spec *spec = NULL;
    rg_status status = rg_contender_parse(&contender, "recipe", text, strlen(text), err);
    if (!status && contender.recipe)
        status = rg_recipe_spec(&spec, contender.recipe, err);
    if (!status && spec) {
        t->task = spec->task;
        t->column = spec->n_targets ? spec->targets[0] : 0;
    }
    rg_spec_free(spec);
    rg_contender_free(&contender);
    return status == RG_ENOMEM ? status : RG_OK;
}

static void look_at_graphs(truth *t, const rg_dataset *data)
{
    rg_source source = {.graphs = data};
    rg_column kind =
        rg_source_target_kind(&source, t->task == RG_TASK_NODES ? t->task : RG_TASK_CLASSES);
    t->n_samples = rg_dataset_n_graphs(data);
    t->n_columns = rg_dataset_n_columns(data, RG_TARGET);
    t->values = t->column < t->n_columns ? rg_dataset_reals(data, RG_TARGET) : NULL;
    if (t->column < rg_dataset_n_columns(data, kind)) {
        t->ranks = rg_dataset_ranks(data, kind, t->column);
        t->classes = rg_dataset_values(data, kind, t->column, &t->n_classes);
    }
}

static void look_at_arrays(truth *t, const rg_arrays *arrays)
{
    t->n_samples = rg_arrays_n_samples(arrays);
    t->n_columns = rg_arrays_n_columns(arrays, RG_TARGET);
    t->values = t->column < t->n_columns ? rg_arrays_reals(arrays) : NULL;
    if (t->column < rg_arrays_n_columns(arrays, RG_CLASS)) {
        t->ranks = rg_arrays_classes(arrays, t->column);
        t->classes = rg_arrays_class_values(arrays, t->column, &t->n_classes);
    }
}

static rg_status find_truth(truth *t, const rg_report *report, rg_error *err)
{
    const rg_source *source = report->options->source;
    rg_status status = find_task(t, report, err);
    if (!status && source->graphs)
        look_at_graphs(t, source->graphs);
    else if (!status)
        look_at_arrays(t, source->arrays);
    return status;
}

/* ---- counting */

typedef struct said_tally {
    truth truth;
    rg_said *said;
    uint64_t *confusion; /* [true][said] of up to MOST_CLASSES, owned */
    double *sums;        /* [sample] of predicted values, owned */
    size_t n_runs;       /* with predictions */
} said_tally;

static rg_status tally_open(said_tally *t, rg_error *err)
{
    size_t n = t->truth.n_samples, classes = t->truth.n_classes;
    size_t side = classes <= MOST_CLASSES ? classes : 0;
    rg_carve layout = {0};
    rg_carve_add(&layout, 1, sizeof *t->said);
    size_t truths = rg_carve_add(&layout, n, sizeof *t->said->truth);
    size_t rights = rg_carve_add(&layout, n, sizeof *t->said->n_right);
    size_t counts = rg_carve_add(&layout, n, sizeof *t->said->n_said);
    size_t sures = rg_carve_add(&layout, n, sizeof *t->said->sure);
    char *block = rg_carve_alloc(&layout);
    t->confusion = rg_alloc_zero(side, side * sizeof *t->confusion);
    t->sums = rg_alloc_zero(n, sizeof *t->sums);
    t->said = (void *)block;
    if (!block || !t->confusion || !t->sums)
        return rg_fail_memory(err, "counting predictions");
    memset(block, 0, layout.bytes);
    *t->said = (rg_said){.n_samples = n,
                         .n_classes = classes,
                         .truth = (void *)(block + truths),
                         .n_right = (void *)(block + rights),
                         .n_said = (void *)(block + counts),
                         .sure = (void *)(block + sures)};
    for (size_t k = 0; k < n; k++)
        t->said->truth[k] =
            t->truth.ranks && t->truth.task != RG_TASK_NODES ? t->truth.ranks[k] : RG_NO_CLASS;
    return RG_OK;
}

static void tally_close(said_tally *t)
{
    rg_free(t->confusion);
    rg_free(t->sums);
    rg_said_free(t->said);
}

static void count_sample(said_tally *t, const rg_store_prediction *p, size_t row, uint32_t is)
{
    rg_said *said = t->said;
    uint32_t sample = p->samples[row], says = p->classes[row];
    said->n_said[sample]++;
    said->n_right[sample] += is == says;
    if (p->numbers && p->width == t->truth.n_classes)
        said->sure[sample] += (double)p->numbers[row * p->width + is];
    else
        said->sure[sample] = (double)NAN;
}

/* Rows of a node follow each other, sample by sample. */
static void count_classes(said_tally *t, const rg_report *report, const rg_store_prediction *p)
{
    bool nodes = t->truth.task == RG_TASK_NODES;
    const uint8_t *tested =
        nodes ? rg_source_node_mask(report->options->source, RG_PART_OF_TEST) : NULL;
    size_t within = 0;
    for (size_t row = 0; row < p->n_rows; row++) {
        uint32_t sample = p->samples[row], says = p->classes[row];
        within = row && p->samples[row - 1] == sample ? within + 1 : 0;
        if (sample >= t->truth.n_samples || says >= t->truth.n_classes)
            continue;
        uint64_t place = sample;
        if (nodes) {
            rg_graph graph = rg_dataset_graph(report->options->source->graphs, sample);
            if (within >= graph.n_nodes)
                continue;
            place = graph.first_node + within;
        }
        uint32_t is = t->truth.ranks[place];
        if (is == RG_NO_CLASS || (tested && !tested[place]))
            continue;
        if (t->truth.n_classes <= MOST_CLASSES)
            t->confusion[is * t->truth.n_classes + says]++;
        if (!nodes)
            count_sample(t, p, row, is);
    }
}

static void count_values(said_tally *t, const rg_store_prediction *p)
{
    for (size_t row = 0; row < p->n_rows; row++) {
        uint32_t sample = p->samples[row];
        double says = (double)p->numbers[row * p->width];
        if (sample >= t->truth.n_samples || !isfinite(says))
            continue;
        t->sums[sample] += says;
        t->said->n_said[sample]++;
    }
}

static rg_status count_run(said_tally *t, const rg_report *report, const rg_store_run *run,
                           rg_error *err)
{
    rg_store_prediction *p = NULL;
    rg_status status = rg_store_prediction_read(&p, report->results->store, run, err);
    if (status || !p)
        return status;
    if (p->classes && t->truth.ranks)
        count_classes(t, report, p);
    else if (!p->classes && p->numbers && t->truth.values)
        count_values(t, p);
    t->n_runs++;
    rg_free(p);
    return RG_OK;
}

/* ---- writing */

static void add_matrix(rg_report *report, const said_tally *t)
{
    rg_json *json = &report->json;
    size_t n = t->truth.n_classes;
    rg_name_kind kind = t->truth.task == RG_TASK_NODES ? RG_NAME_NODE : RG_NAME_CLASS;
    rg_json_open(json, "confusion", '{');
    rg_json_string(json, "of", t->truth.task == RG_TASK_NODES ? "nodes" : "samples");
    rg_json_count(json, "runs", t->n_runs);
    rg_json_open(json, "classes", '[');
    for (size_t c = 0; c < n; c++) {
        char name[RG_NAME_MAX];
        rg_json_string(json, NULL,
                       rg_names_text(name, report->options->names, kind, t->truth.classes[c]));
    }
    rg_json_close(json, '[');
    rg_json_open(json, "counts", '[');
    for (size_t c = 0; c < n; c++) {
        rg_json_open(json, NULL, '[');
        for (size_t d = 0; d < n; d++)
            rg_json_count(json, NULL, t->confusion[c * n + d]);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

/* Pairs of what is true and the mean of what the runs said. */
static void add_values(rg_report *report, const said_tally *t)
{
    rg_json *json = &report->json;
    size_t n = 0, k = 0;
    for (size_t s = 0; s < t->truth.n_samples; s++)
        n += t->said->n_said[s] > 0;
    rg_json_open(json, "values", '{');
    rg_json_count(json, "runs", t->n_runs);
    rg_json_count(json, "samples", n);
    rg_json_open(json, "pairs", '[');
    for (size_t s = 0; s < t->truth.n_samples; s++) {
        double is = t->truth.values[s * t->truth.n_columns + t->truth.column];
        if (!t->said->n_said[s] || k++ % (n / MOST_VALUES + 1) || !isfinite(is))
            continue;
        rg_json_open(json, NULL, '[');
        rg_json_count(json, NULL, s);
        rg_json_short(json, NULL, is);
        rg_json_short(json, NULL, t->sums[s] / t->said->n_said[s]);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

static void add_tally(rg_report *report, said_tally *t)
{
    rg_json *json = &report->json;
    bool classes = t->truth.ranks != NULL && !rg_metric_is_of_values(report->results->metric);
    bool values = t->truth.values != NULL && rg_metric_is_of_values(report->results->metric);
    if (!t->n_runs)
        rg_report_none(json, "confusion", "The run kept no predictions on its test sets.");
    else if (t->truth.task == RG_TASK_MULTILABEL || (!classes && !values))
        rg_report_none(json, "confusion",
                       "Confusion matrices are for classification with one class per sample; this "
                       "task is different.");
    else if (classes && t->truth.n_classes > MOST_CLASSES)
        rg_report_none(json, "confusion", "There are too many classes for a confusion matrix.");
    else if (classes)
        add_matrix(report, t);
    else
        add_values(report, t);
    for (size_t s = 0; s < t->truth.n_samples; s++)
        t->said->sure[s] = t->said->n_said[s] ? t->said->sure[s] / t->said->n_said[s] : (double)NAN;
    if (classes && t->n_runs && t->truth.task != RG_TASK_NODES) {
        report->said = t->said;
        t->said = NULL;
    }
}

rg_status rg_report_add_said(rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    said_tally t = {.said = NULL};
    if (!report->options->source) {
        rg_report_none(&report->json, "confusion", report->options->no_source);
        return RG_OK;
    }
    rg_status status = find_truth(&t.truth, report, err);
    if (!status)
        status = tally_open(&t, err);
    for (size_t k = 0; k < r->n_runs && !status; k++)
        if (report->chosen[r->runs[k].fold] == r->runs[k].configuration)
            status = count_run(&t, report, &r->runs[k], err);
    if (!status)
        add_tally(report, &t);
    tally_close(&t);
    return status;
}
