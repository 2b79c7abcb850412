/* ensemble_data.c - see ensemble_data.h. */
#include "ensemble_data.h"

#include "base/alloc.h"
#include "base/error.h"
#include "baseline/baseline.h"
#include "calibrate.h"

#include <string.h>

static const char what[] = "an ensemble";

static rg_ensemble_part *part_of(const rg_ensemble_data *d, size_t fold, rg_store_part part)
{
    return &d->parts[2 * fold + part];
}

const rg_ensemble_part *rg_ensemble_data_part(const rg_ensemble_data *data, size_t fold,
                                              rg_store_part part)
{
    return part_of(data, fold, part);
}

bool rg_ensemble_is_kernel(const char *recipe)
{
    static const char key[] = "model: ";
    char name[64];
    if (strncmp(recipe, key, strlen(key)) != 0)
        return false;
    recipe += strlen(key);
    size_t n = strcspn(recipe, "\n");
    if (n >= sizeof name)
        return false;
    memcpy(name, recipe, n);
    name[n] = '\0';
    const rg_baseline_kind *kind = rg_baseline_kind_find(name);
    return kind && !kind->network;
}

/* ---- who is a member */

static void find_members(rg_ensemble_data *d)
{
    const rg_cells *cells = d->task->cells;
    for (size_t c = 0; c < d->n_configurations; c++) {
        size_t f = 0;
        while (f < d->n_folds && cells->at[c * d->n_folds + f].n_runs == cells->n_runs &&
               !cells->at[c * d->n_folds + f].n_failed)
            f++;
        d->members[c] = f == d->n_folds;
        d->n_members += d->members[c];
        if (d->members[c])
            continue;
        if (d->n_out++ == 0) {
            d->first_out = (uint32_t)c;
            d->first_out_fold = (uint32_t)f;
        }
    }
}

static rg_status make_room(rg_ensemble_data *d, rg_error *err)
{
    d->members = rg_alloc_zero(d->n_configurations, sizeof *d->members);
    d->parts = rg_alloc_zero(d->n_folds, 2 * sizeof *d->parts);
    if (!d->members || !d->parts)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < 2 * d->n_folds; k++) {
        d->parts[k].said = rg_alloc_zero(d->n_configurations, sizeof *d->parts[k].said);
        if (!d->parts[k].said)
            return rg_fail_memory(err, what);
    }
    return RG_OK;
}

void rg_ensemble_data_close(rg_ensemble_data *data)
{
    for (size_t k = 0; data->parts && k < 2 * data->n_folds; k++) {
        for (size_t c = 0; data->parts[k].said && c < data->n_configurations; c++)
            rg_free(data->parts[k].said[c]);
        rg_free(data->parts[k].said);
        rg_free(data->parts[k].right);
    }
    rg_free(data->parts);
    rg_free(data->members);
    *data = (rg_ensemble_data){.task = NULL};
}

/* ---- what they said */

static rg_status refuse_kind(const rg_ensemble_part *part, const rg_store_run *run,
                             const rg_store_prediction *said, rg_error *err)
{
    return rg_fail(err, RG_EFAIL,
                   "the configurations are of different kinds: configuration %u predicts %zu "
                   "numbers for each of %zu rows, others %zu numbers for each of %zu",
                   (unsigned)run->configuration, said->width, said->n_rows, part->width,
                   part->n_rows);
}

/* Adds what one run said, divided by the number of runs. The part takes its shape from the first. */
static rg_status add_run(rg_ensemble_part *part, const rg_store_run *run,
                         const rg_store_prediction *said, uint32_t n_runs, rg_error *err)
{
    const rg_store_prediction *right = part->right;
    double **own = &part->said[run->configuration];
    if (!part->width) {
        part->n_rows = said->n_rows;
        part->width = said->width;
    }
    if (said->n_rows != part->n_rows || said->width != part->width || !said->width ||
        right->n_rows != said->n_rows || (right->width && right->width != said->width) ||
        !right->width != (right->classes != NULL))
        return refuse_kind(part, run, said, err);
    if (said->n_rows &&
        memcmp(said->samples, right->samples, said->n_rows * sizeof *said->samples) != 0)
        return rg_fail(err, RG_EDATA,
                       "run %u of configuration %u predicts other samples than the fold has",
                       (unsigned)run->run.number, (unsigned)run->configuration);
    size_t n = said->n_rows * said->width;
    if (!*own)
        *own = rg_alloc_zero(n, sizeof **own);
    if (!*own)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < n; k++)
        (*own)[k] += (double)said->numbers[k] / n_runs;
    return RG_OK;
}

static rg_status refuse_old(const rg_store_run *run, const char *missing, rg_error *err)
{
    return rg_fail(err, RG_EFAIL,
                   "run %u of configuration %u on fold %u has no %s in the store: version 0.1.0 of "
                   "regula did not keep them; run the experiment again in a new directory",
                   (unsigned)run->run.number, (unsigned)run->configuration, (unsigned)run->fold,
                   missing);
}

static rg_status add_part(rg_ensemble_data *d, const rg_store_run *run, rg_store_part part,
                          rg_error *err)
{
    rg_store *store = d->task->store;
    rg_ensemble_part *own = part_of(d, run->fold, part);
    rg_store_prediction *said = NULL;
    rg_status status = RG_OK;
    if (!own->right)
        status = rg_store_target_read(&own->right, store, run->fold, part, err);
    if (!status)
        status = part == RG_STORE_TEST ? rg_store_prediction_read(&said, store, run, err)
                                       : rg_store_validation_read(&said, store, run, err);
    if (!status && part == RG_STORE_TEST && !said)
        status = refuse_old(run, "predictions of the test set", err);
    if (!status && part == RG_STORE_TEST && !own->right)
        status = refuse_old(run, "targets", err);
    if (!status && said && own->right) /* a fold may lack a validation set */
        status = add_run(own, run, said, d->task->cells->n_runs, err);
    rg_free(said);
    return status;
}

static rg_status read_all(rg_ensemble_data *d, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < d->task->n_runs && !status; k++) {
        const rg_store_run *run = &d->task->runs[k];
        if (!d->members[run->configuration])
            continue;
        status = add_part(d, run, RG_STORE_VALIDATION, err);
        if (!status)
            status = add_part(d, run, RG_STORE_TEST, err);
    }
    return status;
}

/* Every member or none has said something of a validation set. */
static rg_status check_parts(const rg_ensemble_data *d, rg_error *err)
{
    for (size_t k = 0; k < 2 * d->n_folds; k++)
        for (size_t c = 0; c < d->n_configurations; c++)
            if (d->members[c] && d->parts[k].width && !d->parts[k].said[c])
                return rg_fail(
                    err, RG_EFAIL,
                    "configuration %zu has no predictions of the validation set of fold "
                    "%zu in the store: version 0.1.0 of regula did not keep them; run the "
                    "experiment again in a new directory",
                    c, k / 2);
    return RG_OK;
}

static rg_status calibrate_kernels(rg_ensemble_data *d, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t c = 0; c < d->n_configurations; c++) {
        if (!d->members[c] || !rg_ensemble_is_kernel(d->task->configurations[c].recipe))
            continue;
        for (size_t f = 0; f < d->n_folds && !status; f++) {
            rg_ensemble_part *validation = part_of(d, f, RG_STORE_VALIDATION);
            rg_ensemble_part *test = part_of(d, f, RG_STORE_TEST);
            if (validation->said[c] && test->said[c] && validation->right->classes)
                status =
                    rg_calibrate(validation->said[c], validation->right->classes,
                                 validation->n_rows, test->said[c], test->n_rows, test->width, err);
        }
    }
    return status;
}

rg_status rg_ensemble_data_open(rg_ensemble_data *out, const rg_ensemble_task *task, rg_error *err)
{
    *out = (rg_ensemble_data){.task = task,
                              .n_configurations = task->cells->n_configurations,
                              .n_folds = task->cells->n_folds};
    rg_status status = make_room(out, err);
    if (status)
        return status;
    find_members(out);
    if (out->n_members == 0)
        return rg_fail(err, RG_EFAIL,
                       "no configuration has all its runs on all folds; the first that has not is "
                       "configuration %u on fold %u",
                       (unsigned)out->first_out, (unsigned)out->first_out_fold);
    status = read_all(out, err);
    if (!status)
        status = check_parts(out, err);
    return status ? status : calibrate_kernels(out, err);
}
