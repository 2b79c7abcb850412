/* store_read.c - runs, epochs, predictions and models out of the file, every value checked. */
#include "base/alloc.h"
#include "base/error.h"
#include "store_parts.h"

#include <string.h>

const char *const rg_store_part_names[2] = {"validation", "test"};

void rg_store_runs_free(rg_store_run *runs, size_t n)
{
    for (size_t k = 0; runs && k < n; k++) {
        rg_free((void *)runs[k].epochs);
        rg_free((void *)runs[k].prediction);
        rg_free((void *)runs[k].validation);
        rg_free((void *)runs[k].targets[RG_STORE_VALIDATION]);
        rg_free((void *)runs[k].targets[RG_STORE_TEST]);
    }
    rg_free(runs);
}

/* ---- runs */

/* The three columns that name a run. */
static void read_key(rg_sql_rows *rows, uint32_t *configuration, uint32_t *fold, uint32_t *run)
{
    const rg_store *store = rows->store;
    *configuration = rg_rows_u32(rows, 0, (uint32_t)store->n_configurations - 1);
    *fold = rg_rows_u32(rows, 1, store->experiment.n_folds - 1);
    *run = rg_rows_u32(rows, 2, store->experiment.n_runs - 1);
}

static void read_run(rg_sql_rows *rows, rg_store_run *out)
{
    rg_run *run = &out->run;
    memset(out, 0, sizeof *out);
    read_key(rows, &out->configuration, &out->fold, &run->number);
    run->epochs = rg_rows_u32(rows, 3, UINT32_MAX);
    run->best_epoch = rg_rows_u32(rows, 4, run->epochs);
    run->stopped = (int)rg_rows_u32(rows, 5, 1);
    run->failed = (int)rg_rows_u32(rows, 6, 1);
    double *const reals[] = {&run->train_loss,       &run->train_score, &run->validation_loss,
                             &run->validation_score, &run->test_loss,   &run->test_score};
    for (int k = 0; k < 6; k++)
        *reals[k] = rg_rows_real(rows, 7 + k);
}

/* All that a statement gives. */
static rg_status read_runs(rg_store_run **out, size_t *n, rg_binding *b, rg_error *err)
{
    rg_store_run *runs = NULL;
    size_t count = 0, capacity = 0;
    rg_sql_rows rows = rg_bind_rows(b, "run", 3, err);
    while (rg_rows_next(&rows)) {
        if (!rg_grow(&runs, &capacity, count + 1, sizeof *runs)) {
            rows.status = rg_fail_memory(err, "reading runs");
            break;
        }
        read_run(&rows, &runs[count++]);
    }
    rg_rows_end(&rows);
    if (!rows.status && !runs && !(runs = rg_alloc(0, sizeof *runs)))
        rows.status = rg_fail_memory(err, "reading runs");
    if (rows.status) {
        rg_free(runs);
        return rows.status;
    }
    *out = runs;
    *n = count;
    return RG_OK;
}

rg_status rg_store_runs(rg_store_run **out, size_t *n, rg_store *store, rg_error *err)
{
    rg_binding b = rg_store_bind(store, RG_SQL_RUNS);
    return read_runs(out, n, &b, err);
}

rg_status rg_store_run_fill(rg_store *store, rg_store_run *run, rg_error *err)
{
    rg_epoch *epochs = NULL;
    rg_store_prediction *prediction = NULL;
    rg_status status = rg_store_epochs(&epochs, store, run, err);
    if (status)
        return status;
    run->epochs = epochs;
    status = rg_store_prediction_read(&prediction, store, run, err);
    run->prediction = prediction;
    return status;
}

rg_status rg_store_member_fill(rg_store *store, rg_store_run *run, bool targets, rg_error *err)
{
    rg_store_prediction *said = NULL;
    rg_status status = rg_store_validation_read(&said, store, run, err);
    run->validation = said;
    for (int part = 0; part < 2 && targets && !status; part++) {
        said = NULL;
        status = rg_store_target_read(&said, store, run->fold, (rg_store_part)part, err);
        run->targets[part] = said;
    }
    return status;
}

rg_status rg_store_job_runs(rg_store_run **out, rg_store *store, size_t job, rg_error *err)
{
    if (job >= store->n_jobs || store->jobs[job].outcome.state != RG_JOB_DONE)
        return rg_fail(err, RG_EUSAGE, "job %zu is not done", job);
    const rg_store_job *place = &store->jobs[job];
    rg_store_run *runs = NULL;
    size_t n = 0;
    rg_binding b = rg_store_bind(store, RG_SQL_JOB_RUNS);
    rg_bind_int(&b, place->configuration);
    rg_bind_int(&b, place->fold);
    rg_bind_int(&b, place->first_run);
    rg_bind_int(&b, place->first_run + place->n_runs - 1);
    rg_status status = read_runs(&runs, &n, &b, err);
    if (status)
        return status;
    if (n != place->n_runs)
        status = rg_fail(err, RG_EDATA, "%s: job %zu: found %zu runs, expected %u", store->path,
                         job, n, (unsigned)place->n_runs);
    for (size_t k = 0; k < n && !status; k++) {
        status = rg_store_run_fill(store, &runs[k], err);
        if (!status)
            status = rg_store_member_fill(store, &runs[k], true, err);
    }
    if (status) {
        rg_store_runs_free(runs, n);
        return status;
    }
    *out = runs;
    return RG_OK;
}

/* ---- epochs */

static rg_binding bind_run(rg_store *store, rg_store_sql which, const rg_store_run *run)
{
    rg_binding b = rg_store_bind(store, which);
    rg_bind_int(&b, run->configuration);
    rg_bind_int(&b, run->fold);
    rg_bind_int(&b, run->run.number);
    return b;
}

rg_status rg_store_epochs(rg_epoch **out, rg_store *store, const rg_store_run *run, rg_error *err)
{
    rg_epoch *epochs = NULL;
    size_t n = 0, capacity = 0;
    rg_binding b = bind_run(store, RG_SQL_EPOCHS, run);
    rg_sql_rows rows = rg_bind_rows(&b, "epoch", 4, err);
    while (rg_rows_next(&rows)) {
        if (!rg_grow(&epochs, &capacity, n + 1, sizeof *epochs)) {
            rows.status = rg_fail_memory(err, "reading epochs");
            break;
        }
        rg_epoch *e = &epochs[n++];
        e->number = (uint32_t)rg_rows_int(&rows, 3, n, n); /* one after another */
        double *const reals[] = {&e->lr, &e->train_loss, &e->train_score, &e->validation_loss,
                                 &e->validation_score};
        for (int k = 0; k < 5; k++)
            *reals[k] = rg_rows_real(&rows, 4 + k);
    }
    rg_rows_end(&rows);
    if (!rows.status && n != run->run.epochs)
        rows.status = rg_fail(err, RG_EDATA, "%s: run %u/%u/%u: found %zu epochs, expected %u",
                              store->path, (unsigned)run->configuration, (unsigned)run->fold,
                              (unsigned)run->run.number, n, (unsigned)run->run.epochs);
    if (!rows.status && !epochs && !(epochs = rg_alloc(0, sizeof *epochs)))
        rows.status = rg_fail_memory(err, "reading epochs");
    if (rows.status) {
        rg_free(epochs);
        return rows.status;
    }
    *out = epochs;
    return RG_OK;
}

/* ---- predictions */

static uint32_t get_bytes(const unsigned char *bytes, size_t width)
{
    uint32_t value = 0;
    for (size_t k = 0; k < width; k++)
        value |= (uint32_t)bytes[k] << 8 * k;
    return value;
}

/* One block: the struct, numbers, samples, classes. NULL bytes: no such array. */
static rg_store_prediction *decode(size_t n, size_t width, const unsigned char *samples,
                                   const unsigned char *classes, const unsigned char *numbers)
{
    rg_carve carve = {0};
    size_t head = rg_carve_add(&carve, 1, sizeof(rg_store_prediction));
    size_t at_numbers = rg_carve_add(&carve, n * width, sizeof(float));
    size_t at_samples = rg_carve_add(&carve, n, sizeof(uint32_t));
    size_t at_classes = rg_carve_add(&carve, n, sizeof(uint16_t));
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return NULL;
    rg_store_prediction *out = (void *)(block + head);
    float *to_numbers = (void *)(block + at_numbers);
    uint32_t *to_samples = (void *)(block + at_samples);
    uint16_t *to_classes = (void *)(block + at_classes);
    for (size_t k = 0; k < n; k++)
        to_samples[k] = get_bytes(samples + 4 * k, 4);
    for (size_t k = 0; k < n && classes; k++)
        to_classes[k] = (uint16_t)get_bytes(classes + 2 * k, 2);
    for (size_t k = 0; k < n * width; k++) {
        uint32_t bits = get_bytes(numbers + 4 * k, 4);
        memcpy(&to_numbers[k], &bits, sizeof bits);
    }
    *out = (rg_store_prediction){n, width, to_samples, classes ? to_classes : NULL,
                                 width ? to_numbers : NULL};
    return out;
}

/* The row that a statement gives, if it does; its columns from `first` on are n_rows, width, samples, classes,
 * numbers. */
static rg_status read_prediction(rg_store_prediction **out, rg_binding *b, const char *table,
                                 int first, rg_error *err)
{
    static const unsigned char none[1] = {0};
    rg_store_prediction *prediction = NULL;
    rg_sql_rows rows = rg_bind_rows(b, table, first, err);
    if (rg_rows_next(&rows)) {
        /* No value has more than 2^31 bytes, so that these products cannot overflow. */
        size_t n = (size_t)rg_rows_int(&rows, first, 0, UINT32_MAX);
        size_t width = (size_t)rg_rows_int(&rows, first + 1, 0, INT32_MAX);
        const unsigned char *samples = rg_rows_blob(&rows, first + 2, 4 * n), *classes = NULL;
        const unsigned char *numbers = NULL;
        if (!rg_rows_is_null(&rows, first + 3)) {
            classes = rg_rows_blob(&rows, first + 3, 2 * n);
            classes = classes ? classes : none; /* SQLite has NULL for no bytes */
        }
        if (width)
            numbers = rg_rows_blob(&rows, first + 4, 4 * n * width);
        else if (!rg_rows_is_null(&rows, first + 4))
            rg_rows_refuse(&rows, first + 4, "NULL, for the width is 0");
        if (!rows.status && !(prediction = decode(n, width, samples, classes, numbers)))
            rows.status = rg_fail_memory(err, "reading predictions");
    }
    rg_rows_end(&rows);
    if (!rows.status)
        *out = prediction;
    return rows.status;
}

rg_status rg_store_prediction_read(rg_store_prediction **out, rg_store *store,
                                   const rg_store_run *run, rg_error *err)
{
    rg_binding b = bind_run(store, RG_SQL_PREDICTION, run);
    return read_prediction(out, &b, "prediction", 3, err);
}

rg_status rg_store_validation_read(rg_store_prediction **out, rg_store *store,
                                   const rg_store_run *run, rg_error *err)
{
    if (!store->has_members) {
        *out = NULL;
        return RG_OK;
    }
    rg_binding b = bind_run(store, RG_SQL_VALIDATION, run);
    return read_prediction(out, &b, "validation", 3, err);
}

rg_status rg_store_target_read(rg_store_prediction **out, rg_store *store, uint32_t fold,
                               rg_store_part part, rg_error *err)
{
    if (!store->has_members) {
        *out = NULL;
        return RG_OK;
    }
    rg_binding b = rg_store_bind(store, RG_SQL_TARGET);
    rg_bind_int(&b, fold);
    rg_bind_text(&b, rg_store_part_names[part]);
    return read_prediction(out, &b, "target", 2, err);
}

/* ---- models */

/* The structs, and behind them their texts. */
static rg_store_model *pack_models(const rg_store_model *models, size_t n, size_t bytes)
{
    size_t head, all;
    if (!rg_size_mul(&head, n, sizeof *models) || !rg_size_add(&all, head, bytes))
        return NULL;
    rg_store_model *out = rg_alloc(all, 1);
    char *text = out ? (char *)out + head : NULL;
    for (size_t k = 0; k < n && out; k++) {
        size_t file = strlen(models[k].file) + 1, digest = strlen(models[k].digest) + 1;
        out[k] = models[k];
        out[k].file = memcpy(text, models[k].file, file);
        out[k].digest = memcpy(text + file, models[k].digest, digest);
        text += file + digest;
    }
    return out;
}

rg_status rg_store_models(rg_store_model **out, size_t *n, rg_store *store, rg_error *err)
{
    rg_store_model *models = NULL, *packed = NULL;
    size_t count = 0, capacity = 0, bytes = 0;
    rg_binding b = rg_store_bind(store, RG_SQL_MODELS);
    rg_sql_rows rows = rg_bind_rows(&b, "model", 3, err);
    while (rg_rows_next(&rows)) {
        if (!rg_grow(&models, &capacity, count + 1, sizeof *models)) {
            rows.status = rg_fail_memory(err, "reading models");
            break;
        }
        rg_store_model *m = &models[count];
        read_key(&rows, &m->configuration, &m->fold, &m->run);
        const char *file = rg_rows_text(&rows, 3), *digest = rg_rows_text(&rows, 4);
        m->file = rg_copy_text(file, strlen(file)); /* for now; packed below */
        m->digest = rg_copy_text(digest, strlen(digest));
        bytes += strlen(file) + strlen(digest) + 2;
        count++;
        if (!rows.status && (!m->file || !m->digest))
            rows.status = rg_fail_memory(err, "reading models");
    }
    rg_rows_end(&rows);
    if (!rows.status && !(packed = pack_models(models, count, bytes)))
        rows.status = rg_fail_memory(err, "reading models");
    for (size_t k = 0; k < count; k++) {
        rg_free((void *)models[k].file);
        rg_free((void *)models[k].digest);
    }
    rg_free(models);
    if (!rows.status) {
        *out = packed;
        *n = count;
    }
    return rows.status;
}
