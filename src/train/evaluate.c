/* evaluate.c - scores of a model on data with known targets. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "measure.h"
#include "model/model.h"
#include "record.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Rows of a class: that are of it, that it was said of, and both. */
typedef struct class_tally {
    uint64_t of, said, both;
} class_tally;

typedef struct evaluating {
    const rg_model *model;
    const rg_samples *samples;
    rg_evaluation *out;
    double *said;      /* [row][output]: probabilities, or values */
    double *right;     /* [row][output]: 1 or 0, or values; NaN: not known */
    uint32_t *classes; /* [row]; values and answers: unused */
    double *each;      /* [output] */
    rg_metric_scratch scratch;
    size_t n;             /* rows so far that have a target */
    class_tally *tallies; /* of each class */
    const uint8_t *mask;  /* nodes that count; NULL: all */
    double loss;
    rg_loss kind; /* that the model was trained with */
} evaluating;

/* ---- collecting */

static bool has_classes(const rg_network *net)
{
    return rg_task_of_classes(net->task);
}

/* -log of a probability, from the outputs: log(sum exp z) - z[t]. */
static double cross_entropy(const double *z, size_t n, uint32_t class)
{
    double most = z[0], sum = 0;
    for (size_t c = 1; c < n; c++)
        most = z[c] > most ? z[c] : most;
    for (size_t c = 0; c < n; c++)
        sum += exp(z[c] - most);
    return log(sum) + most - z[class];
}

static void collect_class(evaluating *e, const rg_prediction *p, size_t row, uint32_t class)
{
    size_t n = p->n_outputs;
    if (class == RG_NO_CLASS)
        return;
    memcpy(e->said + e->n * n, p->probabilities + row * n, n * sizeof *e->said);
    for (size_t c = 0; c < n; c++)
        e->right[e->n * n + c] = c == class;
    e->classes[e->n] = class;
    e->n++;
    e->loss += cross_entropy(p->outputs + row * n, n, class);
    e->tallies[class].of++;
    e->tallies[p->classes[row]].said++;
    e->tallies[class].both += p->classes[row] == class;
    if (n <= RG_SCORES_MAX)
        e->out->confusion[class][p->classes[row]]++;
}

/* -log of the probability of an answer: log(1 + exp z) - t z, without overflow. */
static double logistic(double z, double t)
{
    return (z > 0 ? z : 0) + log1p(exp(-fabs(z))) - t * z;
}

/* row: of the outputs; place: of its targets. */
static void collect_reals(evaluating *e, const rg_prediction *p, size_t row, uint64_t place)
{
    size_t n = p->n_outputs;
    const double *right = e->samples->reals + place * n, *outputs = p->outputs + row * n;
    const double *said = p->probabilities ? p->probabilities + row * n : outputs;
    for (size_t c = 0; p->probabilities && c < n; c++)
        e->loss += isnan(right[c]) ? 0 : logistic(outputs[c], right[c]);
    memcpy(e->said + e->n * n, said, n * sizeof *e->said);
    memcpy(e->right + e->n * n, right, n * sizeof *e->right);
    e->n++;
}

static rg_status collect(void *context, const rg_prediction *p, rg_error *err)
{
    evaluating *e = context;
    const rg_network *net = e->model->net;
    (void)err;
    if (net->task == RG_TASK_CLASSES)
        collect_class(e, p, 0, e->samples->classes[p->sample]);
    else if (rg_task_on_nodes(net->task)) {
        uint64_t first = rg_dataset_graph(e->samples->source.graphs, p->sample).first_node;
        for (size_t i = 0; i < p->n_rows; i++)
            if (e->mask && !e->mask[first + i])
                continue;
            else if (has_classes(net))
                collect_class(e, p, i, e->samples->classes[first + i]);
            else
                collect_reals(e, p, i, first + i);
    } else
        collect_reals(e, p, 0, p->sample);
    return RG_OK;
}

/* ---- figures */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static void score_classes(evaluating *e)
{
    rg_evaluation *out = e->out;
    uint64_t most = 0, right = 0;
    for (size_t c = 0; c < out->n_outputs; c++) {
        const class_tally *own = &e->tallies[c];
        most = own->of > most ? own->of : most;
        right += own->both;
        if (c < RG_SCORES_MAX) {
            out->outputs[c].n = own->of;
            out->outputs[c].precision = ratio((double)own->both, (double)own->said);
            out->outputs[c].recall = ratio((double)own->both, (double)own->of);
        }
    }
    out->n = e->n;
    out->loss = ratio(e->loss, (double)e->n);
    out->accuracy = ratio((double)right, (double)e->n);
    out->majority = ratio((double)most, (double)e->n);
}

static void score_answers(evaluating *e)
{
    rg_evaluation *out = e->out;
    size_t width = out->n_outputs;
    double right = 0, sure = 0;
    for (size_t c = 0; c < width; c++) {
        double n = 0, yes = 0, said = 0, both = 0;
        for (size_t k = 0; k < e->n; k++) {
            double t = e->right[k * width + c], p = e->said[k * width + c];
            if (isnan(t))
                continue;
            n++;
            yes += t > 0.5;
            said += p > 0.5;
            both += t > 0.5 && p > 0.5;
            right += (t > 0.5) == (p > 0.5);
        }
        out->n += (uint64_t)n;
        sure += yes > n - yes ? yes : n - yes;
        if (c < RG_SCORES_MAX) {
            out->outputs[c].n = (uint64_t)n;
            out->outputs[c].precision = ratio(both, said);
            out->outputs[c].recall = ratio(both, yes);
        }
    }
    out->accuracy = ratio(right, (double)out->n);
    out->majority = ratio(sure, (double)out->n);
    out->loss = ratio(e->loss, (double)out->n);
}

static void score_values(evaluating *e)
{
    rg_evaluation *out = e->out;
    size_t width = out->n_outputs;
    double absolute = 0, squared = 0, loss = 0;
    for (size_t c = 0; c < width; c++) {
        double n = 0, mean = 0, own = 0, own_absolute = 0, spread = 0;
        for (size_t k = 0; k < e->n; k++)
            if (!isnan(e->right[k * width + c])) {
                n++;
                mean += e->right[k * width + c];
            }
        mean = n > 0 ? mean / n : 0;
        for (size_t k = 0; k < e->n; k++) {
            double t = e->right[k * width + c], off = e->said[k * width + c] - t;
            if (isnan(t))
                continue;
            own += off * off;
            own_absolute += fabs(off);
            spread += (t - mean) * (t - mean);
        }
        out->n += (uint64_t)n;
        absolute += own_absolute;
        squared += own;
        double unit = e->model->net->targets[c].factor; /* losses are of standardised targets */
        unit = unit != 0 ? unit : 1;
        loss += e->kind == RG_LOSS_ABSOLUTE ? own_absolute / unit : own / (unit * unit);
        if (c < RG_SCORES_MAX) {
            out->outputs[c].n = (uint64_t)n;
            out->outputs[c].mae = ratio(own_absolute, n);
            out->outputs[c].rmse = sqrt(ratio(own, n));
            out->outputs[c].r2 = n < 2 ? (double)NAN : spread > 0 ? 1 - own / spread : own <= 0;
        }
    }
    out->mae = ratio(absolute, (double)out->n);
    out->rmse = sqrt(ratio(squared, (double)out->n));
    out->loss = ratio(loss, (double)out->n);
}

/* A figure of every output, a class against the rest. */
static void score_outputs(evaluating *e, rg_metric metric, size_t offset)
{
    size_t n = e->out->n_outputs;
    rg_metric_of_targets(e->each, metric, true, e->said, e->right, e->n, n, &e->scratch);
    for (size_t c = 0; c < n && c < RG_SCORES_MAX; c++)
        memcpy((char *)&e->out->outputs[c] + offset, &e->each[c], sizeof *e->each);
}

static void score_metrics(evaluating *e)
{
    const rg_network *net = e->model->net;
    bool values = rg_task_of_values(net->task);
    for (int k = RG_METRIC_ACCURACY; k < RG_METRICS; k++) {
        rg_metric metric = (rg_metric)k;
        if (rg_metric_is_of_values(metric) != values)
            continue;
        e->out->scores[k] = has_classes(net)
                                ? rg_metric_of_classes(metric, e->said, e->classes, e->n,
                                                       net->n_outputs, &e->scratch)
                                : rg_metric_of_targets(NULL, metric, !values, e->said, e->right,
                                                       e->n, net->n_outputs, &e->scratch);
    }
}

static void score(evaluating *e)
{
    const rg_network *net = e->model->net;
    score_metrics(e);
    if (rg_task_of_values(net->task)) {
        score_values(e);
        return;
    }
    if (has_classes(net))
        score_classes(e);
    else
        score_answers(e);
    score_outputs(e, RG_METRIC_ROC_AUC, offsetof(rg_output_score, auc));
    score_outputs(e, RG_METRIC_AVERAGE_PRECISION, offsetof(rg_output_score, average_precision));
    for (size_t c = 0; c < e->out->n_outputs && c < RG_SCORES_MAX; c++)
        if (e->out->outputs[c].n == 0)
            e->out->outputs[c].average_precision = (double)NAN;
    double sum = 0, n = 0;
    for (size_t c = 0; c < e->out->n_outputs && c < RG_SCORES_MAX; c++) {
        double auc = e->out->outputs[c].auc;
        sum += isnan(auc) ? 0 : auc;
        n += !isnan(auc);
    }
    e->out->auc = ratio(sum, n);
}

/* ---- all of it */

static void begin(rg_evaluation *out, const rg_network *net)
{
    double none = (double)NAN;
    *out = (rg_evaluation){.size = sizeof(rg_evaluation),
                           .n_outputs = net->n_outputs,
                           .accuracy = none,
                           .majority = none,
                           .auc = none,
                           .mae = none,
                           .rmse = none};
    for (size_t c = 0; c < RG_SCORES_MAX; c++)
        out->outputs[c] = (rg_output_score){0, none, none, none, none, none, none, none};
    for (size_t k = 0; k < RG_METRICS; k++)
        out->scores[k] = none;
}

static rg_status make_room(evaluating *e, const rg_predict_options *o, rg_error *err)
{
    const rg_samples *s = e->samples;
    bool nodes = rg_task_on_nodes(e->model->net->task);
    uint64_t rows = 0;
    size_t n, samples = o->samples ? o->n_samples : s->n;
    for (size_t k = 0; k < samples; k++) {
        size_t sample = o->samples ? o->samples[k] : k;
        rows += !nodes ? 1 : sample < s->n ? rg_samples_nodes(s, sample) : 0;
    }
    if (!rg_size_mul(&n, (size_t)rows, e->model->net->n_outputs))
        return rg_fail_memory(err, "scores");
    e->said = rg_alloc(n, sizeof *e->said);
    e->right = rg_alloc(n, sizeof *e->right);
    e->tallies = rg_alloc_zero(e->model->net->n_outputs, sizeof *e->tallies);
    e->classes = rg_alloc((size_t)rows, sizeof *e->classes);
    e->each = rg_alloc(e->model->net->n_outputs, sizeof *e->each);
    if (!e->said || !e->right || !e->tallies || !e->classes || !e->each)
        return rg_fail_memory(err, "scores");
    return rg_metric_scratch_new(&e->scratch, (size_t)rows, e->model->net->n_outputs, err);
}

rg_status rg_model_evaluate(rg_evaluation *out, const rg_model *model, const rg_source *source,
                            const rg_predict_options *options, rg_error *err)
{
    rg_predict_options own = RG_PREDICT_OPTIONS_INIT;
    rg_samples *samples = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    evaluating e = {.model = model, .out = &result};
    rg_cancel cancel;
    rg_status status = rg_sized_check(out, "rg_evaluation", err);
    if (!status)
        status = RG_TAKE(rg_predict_options, &own, options, err);
    own.embed = 0;
    begin(&result, model->net);
    rg_settings settings;
    if (!status)
        status = rg_settings_parse(&settings, model->training, err);
    if (!status)
        status = rg_node_mask_find(&e.mask, source->graphs, own.part, err);
    rg_cancel_open(&cancel, own.cancel, own.cancel_context);
    if (!status)
        status = rg_model_samples(&samples, model, source, &own, &cancel, err);
    if (!status)
        status = rg_samples_check_targets(samples, err);
    e.samples = samples;
    if (!status) {
        e.kind = settings.loss;
        result.metric = settings.metric > RG_METRIC_AUTO      ? settings.metric
                        : rg_task_of_values(model->net->task) ? RG_METRIC_MAE
                                                              : RG_METRIC_ACCURACY;
        rg_record_metric(&result.metric, model->record);
    }
    if (!status)
        status = make_room(&e, &own, err);
    if (!status)
        status = rg_model_walk(model, samples, &own, collect, &e, err);
    if (!status) {
        score(&e);
        rg_model_report(&result.report, samples);
        rg_sized_put(out, &result, sizeof result);
    }
    rg_free(e.said);
    rg_free(e.right);
    rg_free(e.tallies);
    rg_free(e.classes);
    rg_free(e.each);
    rg_metric_scratch_free(&e.scratch);
    rg_samples_free(samples);
    return status;
}
