/* calibrate.c - see calibrate.h. */
#include "calibrate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "metric/calibrate.h"

#include <string.h>

/* ---- outputs */

typedef struct outputs_taking {
    cli_outputs *out;
    const rg_model *model;
    const rg_dataset *data;
} outputs_taking;

static rg_status take(void *context, const rg_prediction *p, rg_error *err)
{
    outputs_taking *t = context;
    cli_outputs *out = t->out;
    size_t n_values;
    (void)err;
    const int64_t *values = rg_dataset_values(t->data, RG_CLASS, 0, &n_values);
    uint32_t rank = rg_dataset_ranks(t->data, RG_CLASS, 0)[p->sample];
    for (uint32_t c = 0; rank < n_values && c < p->n_outputs; c++)
        if (rg_model_class(t->model, c) == values[rank]) {
            memcpy(out->values + out->n * p->n_outputs, p->outputs,
                   p->n_outputs * sizeof *out->values);
            out->classes[out->n++] = c;
            break;
        }
    return RG_OK;
}

rg_status cli_outputs_take(cli_outputs *out, const cli_use *use, const cli_source *source,
                           const uint32_t *samples, size_t n, rg_error *err)
{
    cli_outputs outputs = {.n_classes = use->info.n_outputs};
    outputs_taking taking = {&outputs, use->model, source->graphs};
    rg_predict_options options = use->options;
    if (use->info.task != RG_MODEL_CLASSES || !source->graphs)
        return rg_fail(err, RG_EUSAGE, "only classes of graphs can be calibrated");
    if (rg_dataset_n_columns(source->graphs, RG_CLASS) == 0)
        return rg_fail(err, RG_EDATA, "'%s' has no classes", rg_dataset_name(source->graphs));
    n = samples ? n : rg_dataset_n_graphs(source->graphs);
    options.samples = samples;
    options.n_samples = n;
    options.embed = 0;
    options.progress = NULL;
    outputs.classes = rg_alloc(n, sizeof *outputs.classes);
    outputs.values = rg_alloc(n * outputs.n_classes, sizeof *outputs.values);
    rg_source view = cli_source_view(source);
    rg_status status = outputs.classes && outputs.values
                           ? rg_model_predict(use->model, &view, &options, take, &taking, NULL, err)
                           : rg_fail_memory(err, "outputs");
    if (status)
        cli_outputs_free(&outputs);
    else
        *out = outputs;
    return status;
}

void cli_outputs_free(cli_outputs *outputs)
{
    rg_free(outputs->values);
    rg_free(outputs->classes);
    *outputs = (cli_outputs){0};
}

/* ---- calibration */

rg_status cli_calibration_scores(cli_calibration *out, const cli_outputs *outputs, rg_error *err)
{
    double *p = rg_alloc(outputs->n_classes, sizeof *p);
    out->scores = rg_alloc(outputs->n, sizeof *out->scores);
    for (size_t k = 0; p && out->scores && k < outputs->n; k++) {
        rg_temperature_apply(p, outputs->values + k * outputs->n_classes, outputs->n_classes,
                             out->temperature);
        out->scores[k] = 1 - p[outputs->classes[k]];
    }
    bool fine = p && out->scores;
    rg_free(p);
    if (!fine)
        return rg_fail_memory(err, "a calibration");
    out->n = outputs->n;
    rg_conformal_sort(out->scores, out->n);
    return RG_OK;
}

static rg_status fit(cli_calibration *out, const cli_use *use, const cli_source *source,
                     const cli_split *split, rg_error *err)
{
    cli_outputs outputs = {0};
    const rg_part *validation = &split->fold.validation, *test = &split->fold.test;
    rg_status status = RG_OK;
    out->temperature = 1;
    if (split->path && validation->n) {
        status = cli_outputs_take(&outputs, use, source, validation->graphs, validation->n, err);
        if (!status)
            out->temperature =
                rg_temperature_fit(outputs.values, outputs.classes, outputs.n, outputs.n_classes);
        out->n_validation = outputs.n;
        cli_outputs_free(&outputs);
    }
    if (!status)
        status = cli_outputs_take(&outputs, use, source, split->path ? test->graphs : NULL, test->n,
                                  err);
    if (!status && outputs.n == 0)
        status = rg_fail(err, RG_EDATA, "there are no samples with a class to calibrate on");
    if (!status)
        status = cli_calibration_scores(out, &outputs, err);
    cli_outputs_free(&outputs);
    return status;
}

rg_status cli_calibration_make(cli_calibration *out, const cli_use *use, const cli_arguments *args,
                               rg_error *err)
{
    cli_source source = {0};
    cli_split split = {0};
    rg_read_options options = rg_read_options_default();
    *out = (cli_calibration){.confidence = cli_get(args, "confidence")->real,
                             .seed = cli_get(args, "seed")->seed};
    rg_status status = cli_source_read(&source, cli_text(args, "calibrate"), args, &options, err);
    if (!status)
        status = cli_split_read(&split, args, &source, err);
    if (!status)
        status = fit(out, use, &source, &split, err);
    cli_split_free(&split);
    cli_source_free(&source);
    return status;
}

void cli_calibration_free(cli_calibration *calibration)
{
    rg_free(calibration->scores);
    calibration->scores = NULL;
}

bool cli_calibration_holds(const cli_calibration *c, const double *probabilities, uint32_t class,
                           size_t sample)
{
    double u = rg_random_unit(c->seed, sample, class);
    return rg_conformal_holds(c->scores, c->n, 1 - probabilities[class], c->confidence, u);
}

/* ---- coverage */

static void count_row(cli_coverage *sum, const cli_calibration *c, const cli_outputs *outputs,
                      size_t row, size_t draw, double *p)
{
    size_t n = 0;
    rg_temperature_apply(p, outputs->values + row * outputs->n_classes, outputs->n_classes,
                         c->temperature);
    for (uint32_t class = 0; class < outputs->n_classes; class ++) {
        bool holds = cli_calibration_holds(c, p, class, draw);
        n += holds;
        sum->covered += holds && class == outputs->classes[row];
    }
    sum->size += (double)n;
    sum->empty += n == 0;
}

static rg_status measure_cut(cli_coverage *sum, const cli_outputs *outputs, cli_calibration *c,
                             uint32_t *order, double *p, size_t cut, rg_error *err)
{
    size_t half = outputs->n / 2, width = outputs->n_classes;
    cli_outputs part = {.n_classes = width, .n = half};
    for (size_t k = 0; k < outputs->n; k++)
        order[k] = (uint32_t)k;
    rg_random_shuffle(c->seed, cut, order, outputs->n);
    part.values = rg_alloc(half * width, sizeof *part.values);
    part.classes = rg_alloc(half, sizeof *part.classes);
    rg_status status =
        part.values && part.classes ? RG_OK : rg_fail_memory(err, "cuts of a calibration");
    for (size_t k = 0; !status && k < half; k++) {
        memcpy(part.values + k * width, outputs->values + order[k] * width,
               width * sizeof *part.values);
        part.classes[k] = outputs->classes[order[k]];
    }
    if (!status)
        status = cli_calibration_scores(c, &part, err);
    for (size_t k = half; !status && k < outputs->n; k++)
        count_row(sum, c, outputs, order[k], cut * outputs->n + k, p);
    cli_calibration_free(c);
    cli_outputs_free(&part);
    return status;
}

rg_status cli_coverage_measure(cli_coverage *out, const cli_outputs *outputs, double temperature,
                               double confidence, size_t cuts, uint64_t seed, rg_error *err)
{
    cli_calibration c = {.temperature = temperature, .confidence = confidence, .seed = seed};
    uint32_t *order = rg_alloc(outputs->n, sizeof *order);
    double *p = rg_alloc(outputs->n_classes, sizeof *p);
    double n = (double)(cuts * (outputs->n - outputs->n / 2));
    rg_status status = order && p ? RG_OK : rg_fail_memory(err, "cuts of a calibration");
    *out = (cli_coverage){0};
    for (size_t cut = 0; !status && cut < cuts; cut++)
        status = measure_cut(out, outputs, &c, order, p, cut, err);
    rg_free(order);
    rg_free(p);
    if (!status && n > 0)
        *out = (cli_coverage){out->covered / n, out->size / n, out->empty / n};
    return status;
}
