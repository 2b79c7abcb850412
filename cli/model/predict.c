/* predict.c - the table: one row per sample, columns parted by tabs.
 *
 *   classes       sample class probability [p_CLASS ...]
 *   values        sample value, or value_0 value_1 ...
 *   multi-label   sample answers [probabilities]             several in a cell are parted by blanks
 *   nodes         sample classes [probabilities]             row by row of the nodes
 *   with --nodes  sample node class probability [p_CLASS ...]
 *   embeddings    sample e_0 e_1 ...                         of nodes: sample node e_0 e_1 ... */
#include "predict.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "metric/calibrate.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static void put(const cli_predict *job, const char *format, ...) RG_PRINTF(2, 3);

void cli_predict_text(const cli_predict *job, const char *text)
{
    if (job->file)
        rg_file_text(job->file, text);
    else
        fputs(text, stdout);
}

void cli_predict_cell(const cli_predict *job, const char *text)
{
    if (!job->csv || (!strpbrk(text, ",\"\r\n") && *text != ' ')) {
        cli_predict_text(job, text);
        return;
    }
    cli_predict_text(job, "\"");
    for (const char *c = text; *c; c++) {
        char one[3] = {*c, *c == '"' ? '"' : '\0', '\0'};
        cli_predict_text(job, one);
    }
    cli_predict_text(job, "\"");
}

static void put(const cli_predict *job, const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_predict_text(job, text);
}

static void put_real(const cli_predict *job, const char *before, double value)
{
    char text[RG_NUMBER_MAX];
    rg_number_print(text, value);
    put(job, "%s%s", before, text);
}

/* By its name, if it has one and stands in a cell of its own. */
static void put_class(const cli_predict *job, const char *before, uint32_t c)
{
    if (job->named && (job->task == RG_MODEL_CLASSES || job->by_node)) {
        cli_predict_text(job, before);
        cli_predict_cell(job, rg_model_output_name(job->model, c));
        return;
    }
    put(job, "%s%" PRId64, before, rg_model_class(job->model, c));
}

static void put_end(const cli_predict *job)
{
    cli_predict_text(job, job->csv ? "\r\n" : "\n");
}

/* ---- head */

/* "p_CLASS" */
static void put_p(const cli_predict *job, uint32_t c)
{
    char before[4];
    snprintf(before, sizeof before, "%sp_", job->gap);
    if (!job->named || !job->csv || job->task != RG_MODEL_CLASSES) {
        put_class(job, before, c);
        return;
    }
    rg_text name = {0};
    rg_text_add(&name, "p_%s", rg_model_output_name(job->model, c));
    cli_predict_text(job, job->gap);
    if (!name.failed)
        cli_predict_cell(job, name.data);
    rg_text_drop(&name);
}

static void put_head(cli_predict *job, size_t n_embedding)
{
    bool nodes = cli_predict_of_nodes(job);
    put(job, "sample");
    if (job->embed) {
        put(job, "%s%s", nodes ? job->gap : "", nodes ? "node" : "");
        for (size_t k = 0; k < n_embedding; k++)
            put(job, "%se_%zu", job->gap, k);
    } else if (job->task == RG_MODEL_VALUES || job->task == RG_MODEL_NODE_VALUES) {
        put(job, "%s%s", nodes ? job->gap : "", nodes ? "node" : "");
        for (size_t k = 0; k < job->n_outputs; k++)
            put(job, job->n_outputs == 1 ? "%svalue" : "%svalue_%zu", job->gap, k);
    } else if (job->task == RG_MODEL_CLASSES || job->by_node) {
        put(job, "%s%s%sclass%sprobability", job->by_node ? job->gap : "",
            job->by_node ? "node" : "", job->gap, job->gap);
        for (uint32_t c = 0; c < job->n_outputs && job->probabilities; c++)
            put_p(job, c);
        if (job->calibration)
            put(job, "%sset%sunseen", job->gap, job->gap);
    } else {
        put(job, "%s%s%s%s", job->gap, nodes ? "classes" : "answers",
            job->probabilities ? job->gap : "", job->probabilities ? "probabilities" : "");
    }
    cli_truth_head(job);
    put_end(job);
    job->begun = true;
}

void cli_predict_head(cli_predict *job)
{
    if (!job->begun)
        put_head(job, 0);
}

/* ---- rows */

static void put_embedding(const cli_predict *job, size_t number, const rg_prediction *p)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        put(job, "%zu", number);
        if (cli_predict_of_nodes(job))
            put(job, "%s%zu", job->gap, i);
        for (size_t k = 0; k < p->n_embedding; k++)
            put_real(job, job->gap, p->embedding[i * p->n_embedding + k]);
        cli_truth_put(job, p, i);
        put_end(job);
    }
}

static void put_probabilities(const cli_predict *job, const rg_prediction *p)
{
    for (size_t k = 0; k < p->n_rows * p->n_outputs; k++)
        put(job, "%s%.6f", k ? " " : job->gap, p->probabilities[k]);
}

/* Row i of a prediction: its class and how likely it is, or its values. */
static void put_likely(const cli_predict *job, const rg_prediction *p, size_t i)
{
    if (job->task == RG_MODEL_NODE_VALUES) {
        for (size_t k = 0; k < p->n_outputs; k++)
            put_real(job, job->gap, p->outputs[i * p->n_outputs + k]);
        return;
    }
    const double *own = p->probabilities + i * p->n_outputs;
    put_class(job, job->gap, p->classes[i]);
    put(job, "%s%.6f", job->gap, own[p->classes[i]]);
    for (size_t k = 0; k < p->n_outputs && job->probabilities; k++)
        put(job, "%s%.6f", job->gap, own[k]);
}

static void put_nodes(const cli_predict *job, size_t number, const rg_prediction *p)
{
    size_t n = job->nodes ? job->n_nodes : p->n_rows;
    for (size_t k = 0; k < n; k++) {
        size_t i = job->nodes ? job->nodes[k] : k;
        if (i >= p->n_rows)
            continue;
        put(job, "%zu%s%zu", number, job->gap, i);
        put_likely(job, p, i);
        cli_truth_put(job, p, i);
        put_end(job);
    }
}

/* The classes that may be, and the part of its nodes that the model never saw. No class: "-". */
static void put_set(const cli_predict *job, const rg_prediction *p)
{
    rg_text cell = {0};
    for (uint32_t c = 0; c < p->n_outputs; c++) {
        if (!cli_calibration_holds(job->calibration, p->probabilities, c, p->sample))
            continue;
        if (job->named)
            rg_text_add(&cell, "%s%s", cell.n ? " " : "", rg_model_output_name(job->model, c));
        else
            rg_text_add(&cell, "%s%" PRId64, cell.n ? " " : "", rg_model_class(job->model, c));
    }
    cli_predict_text(job, job->gap);
    cli_predict_cell(job, cell.failed || !cell.n ? "-" : cell.data);
    rg_text_drop(&cell);
    put(job, "%s%.3f", job->gap, p->n_nodes ? (double)p->n_unseen / (double)p->n_nodes : 0.0);
}

static void put_row(const cli_predict *job, size_t number, const rg_prediction *p)
{
    if (job->by_node) {
        put_nodes(job, number, p);
        return;
    }
    put(job, "%zu", number);
    switch (job->task) {
    case RG_MODEL_VALUES:
        for (size_t k = 0; k < p->n_outputs; k++)
            put_real(job, job->gap, p->outputs[k]);
        break;
    case RG_MODEL_CLASSES:
        put_likely(job, p, 0);
        if (job->calibration)
            put_set(job, p);
        break;
    case RG_MODEL_MULTILABEL:
        for (size_t k = 0; k < p->n_outputs; k++)
            put(job, "%s%s", k ? " " : job->gap, p->probabilities[k] > 0.5 ? "yes" : "no");
        if (job->probabilities)
            put_probabilities(job, p);
        break;
    case RG_MODEL_NODE_VALUES: /* has a line per node */
        break;
    case RG_MODEL_NODES:
        put(job, "%s", job->gap);
        for (size_t i = 0; i < p->n_rows; i++)
            put_class(job, i ? " " : "", p->classes[i]);
        if (job->probabilities)
            put_probabilities(job, p);
        break;
    }
    cli_truth_put(job, p, SIZE_MAX);
    put_end(job);
}

rg_status cli_predict_take(void *context, const rg_prediction *p, rg_error *err)
{
    cli_predict *job = context;
    rg_prediction corrected = *p;
    if (job->calibration) {
        rg_temperature_apply(job->calibrated, p->outputs, p->n_outputs,
                             job->calibration->temperature);
        corrected.probabilities = job->calibrated;
        p = &corrected;
    }
    size_t number = job->counted ? job->n : p->sample;
    job->n++;
    if (job->table && !job->begun)
        put_head(job, p->n_embedding);
    rg_status status = cli_missed_tell(job, p->sample, err);
    if (status)
        return status;
    if (job->table) {
        if (job->embed)
            put_embedding(job, number, p);
        else
            put_row(job, number, p);
        return RG_OK;
    }
    return cli_predict_json(job, cli_prediction_json(job, number, p), err);
}

rg_status cli_predict_json(cli_predict *job, json_t *item, rg_error *err)
{
    if (!item)
        return rg_fail_memory(err, "printing JSON");
    if (!job->lines) {
        cli_json_add(&job->list, item);
        return job->list ? RG_OK : rg_fail_memory(err, "printing JSON");
    }
    char *line = cli_json_print(item, false);
    if (!line)
        return rg_fail_memory(err, "printing JSON");
    fputs(line, stdout);
    rg_free(line);
    return RG_OK;
}
