/* store_put.c - jobs and models into the file, each in one transaction. */
#include "base/alloc.h"
#include "base/error.h"
#include "store_parts.h"

#include <assert.h>
#include <string.h>

#define BLOB_MAX 1000000000u /* bytes that SQLite takes in one value */

/* ---- is it what was asked for? */

static const char *prediction_fault(const rg_store_prediction *p)
{
    if (p->n_rows > BLOB_MAX / sizeof(uint32_t) ||
        (p->width && p->n_rows > BLOB_MAX / sizeof(float) / p->width))
        return "its prediction has more than 10^9 bytes";
    if ((p->n_rows && !p->samples) || (p->width && p->n_rows && !p->numbers))
        return "its prediction lacks samples or numbers";
    return NULL;
}

static const char *run_fault(const rg_store_run *r, const rg_store_job *job, size_t k)
{
    if (r->configuration != job->configuration || r->fold != job->fold ||
        r->run.number != job->first_run + k)
        return "it is of another job";
    if (r->run.best_epoch > r->run.epochs)
        return "its best epoch was never done";
    if (r->run.epochs && !r->epochs)
        return "it has no epochs";
    for (uint32_t e = 0; e < r->run.epochs; e++)
        if (r->epochs[e].number != e + 1)
            return "its epochs do not count from 1";
    const rg_store_prediction *const all[] = {r->prediction, r->validation, r->targets[0],
                                              r->targets[1]};
    const char *fault = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all && !fault; i++)
        fault = all[i] ? prediction_fault(all[i]) : NULL;
    return fault;
}

static rg_status check_put(const rg_store *store, size_t job, const rg_store_outcome *outcome,
                           const rg_store_run *runs, rg_error *err)
{
    if (!store->write)
        return rg_fail(err, RG_EUSAGE, "'%s' is open for reading", store->directory);
    if (job >= store->n_jobs)
        return rg_fail(err, RG_EUSAGE, "there is no job %zu", job);
    if (outcome->state == RG_JOB_WAITING || (outcome->state == RG_JOB_DONE) != (runs != NULL) ||
        (outcome->state == RG_JOB_FAILED) != (outcome->message != NULL))
        return rg_fail(err, RG_EUSAGE, "job %zu: done with runs, or failed with a message", job);
    const rg_store_job *place = &store->jobs[job];
    if (place->outcome.state != RG_JOB_WAITING)
        return rg_fail(err, RG_EUSAGE, "job %zu is not waiting", job);
    for (size_t k = 0; k < place->n_runs && runs; k++) {
        const char *fault = run_fault(&runs[k], place, k);
        if (fault)
            return rg_fail(err, RG_EUSAGE, "job %zu, run %zu: %s", job, place->first_run + k,
                           fault);
    }
    return RG_OK;
}

/* ---- rows */

static void bind_key(rg_binding *b, const rg_store_run *r)
{
    rg_bind_int(b, r->configuration);
    rg_bind_int(b, r->fold);
    rg_bind_int(b, r->run.number);
}

static rg_status put_epochs(rg_store *store, const rg_store_run *r, rg_error *err)
{
    rg_status status = RG_OK;
    for (uint32_t k = 0; k < r->run.epochs && !status; k++) {
        const rg_epoch *e = &r->epochs[k];
        const double reals[] = {e->lr, e->train_loss, e->train_score, e->validation_loss,
                                e->validation_score};
        rg_binding b = rg_store_bind(store, RG_SQL_PUT_EPOCH);
        bind_key(&b, r);
        rg_bind_int(&b, e->number);
        for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
            rg_bind_real(&b, reals[i]);
        status = rg_bind_done(&b, err);
    }
    return status;
}

static rg_status put_run(rg_store *store, const rg_store_run *r, rg_error *err)
{
    const rg_run *run = &r->run;
    const uint64_t counts[] = {run->epochs, run->best_epoch, run->stopped != 0, run->failed != 0};
    const double reals[] = {run->train_loss,       run->train_score, run->validation_loss,
                            run->validation_score, run->test_loss,   run->test_score};
    rg_binding b = rg_store_bind(store, RG_SQL_PUT_RUN);
    bind_key(&b, r);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        rg_bind_int(&b, counts[k]);
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        rg_bind_real(&b, reals[k]);
    return rg_bind_done(&b, err);
}

static unsigned char *put_bytes(unsigned char *out, uint32_t value, size_t width)
{
    for (size_t k = 0; k < width; k++)
        *out++ = (unsigned char)(value >> 8 * k);
    return out;
}

/* samples u32 [row], classes u16 [row], numbers f32 [row][width]: little-endian, one block. */
static rg_status put_prediction(rg_binding *b, const rg_store_prediction *p, rg_error *err)
{
    size_t n = p->n_rows, n_numbers = n * p->width;
    unsigned char *block = rg_alloc(4 * n + 2 * n + 4 * n_numbers, 1), *end = block;
    if (!block)
        return rg_fail_memory(err, "putting predictions");
    for (size_t k = 0; k < n; k++)
        end = put_bytes(end, p->samples[k], 4);
    unsigned char *classes = end;
    for (size_t k = 0; k < n && p->classes; k++)
        end = put_bytes(end, p->classes[k], 2);
    unsigned char *numbers = end;
    for (size_t k = 0; k < n_numbers; k++) {
        uint32_t bits;
        memcpy(&bits, &p->numbers[k], sizeof bits);
        end = put_bytes(end, bits, 4);
    }
    rg_bind_int(b, n);
    rg_bind_int(b, p->width);
    rg_bind_blob(b, block, 4 * n);
    rg_bind_blob(b, p->classes ? classes : NULL, 2 * n);
    rg_bind_blob(b, p->width ? numbers : NULL, 4 * n_numbers);
    rg_status status = rg_bind_done(b, err);
    rg_free(block);
    return status;
}

/* targets: those of the fold, too, unless they are there. */
static rg_status put_predictions(rg_store *store, const rg_store_run *r, bool targets,
                                 rg_error *err)
{
    rg_status status = RG_OK;
    if (r->prediction) {
        rg_binding b = rg_store_bind(store, RG_SQL_PUT_PREDICTION);
        bind_key(&b, r);
        status = put_prediction(&b, r->prediction, err);
    }
    if (!status && r->validation) {
        rg_binding b = rg_store_bind(store, RG_SQL_PUT_VALIDATION);
        bind_key(&b, r);
        status = put_prediction(&b, r->validation, err);
    }
    for (int part = 0; part < 2 && targets && !status; part++)
        if (r->targets[part]) {
            rg_binding b = rg_store_bind(store, RG_SQL_PUT_TARGET);
            rg_bind_int(&b, r->fold);
            rg_bind_text(&b, rg_store_part_names[part]);
            status = put_prediction(&b, r->targets[part], err);
        }
    return status;
}

static rg_status put_outcome(rg_store *store, size_t job, const rg_store_outcome *o, rg_error *err)
{
    const uint64_t counts[] = {o->n_parameters, o->connections, o->weights_possible,
                               o->weights_used};
    rg_binding b = rg_store_bind(store, RG_SQL_PUT_JOB);
    rg_bind_text(&b, o->state == RG_JOB_DONE ? "done" : "failed");
    rg_bind_text(&b, o->message);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        rg_bind_int(&b, counts[k]);
    rg_bind_real(&b, o->build_seconds);
    rg_bind_real(&b, o->seconds);
    rg_bind_real(&b, o->cpu_seconds);
    rg_bind_int(&b, o->peak_rss);
    rg_bind_text(&b, o->worker);
    rg_bind_text(&b, o->version);
    rg_bind_text(&b, o->finished);
    rg_bind_int(&b, job);
    return rg_bind_done(&b, err);
}

rg_status rg_store_put_rows(rg_store *store, size_t job, const rg_store_outcome *outcome,
                            const rg_store_run *runs, rg_error *err)
{
    rg_status status = put_outcome(store, job, outcome, err);
    for (size_t k = 0; k < store->jobs[job].n_runs && runs && !status; k++) {
        status = put_run(store, &runs[k], err);
        if (!status)
            status = put_epochs(store, &runs[k], err);
        if (!status)
            status = put_predictions(store, &runs[k], k == 0, err);
    }
    return status;
}

/* ---- transactions */

static rg_status simple(rg_store *store, rg_store_sql which, rg_error *err)
{
    rg_binding b = rg_store_bind(store, which);
    return rg_bind_done(&b, err);
}

/* Some failures end the transaction by themselves. */
static void undo(rg_store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        (void)!rg_store_exec(store, "ROLLBACK", "write", NULL);
}

/* Copies of the texts, made before the commit: nothing may fail after it. */
static rg_status keep_outcome(rg_store *store, rg_store_outcome *o, rg_error *err)
{
    const char **const texts[] = {&o->message, &o->worker, &o->version, &o->finished};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (!*texts[k])
            continue;
        *texts[k] = rg_store_keep(store, *texts[k]);
        if (!*texts[k])
            return rg_fail_memory(err, "putting a job");
    }
    return RG_OK;
}

rg_status rg_store_put_job(rg_store *store, size_t job, const rg_store_outcome *outcome,
                           const rg_store_run *runs, rg_error *err)
{
    char now[RG_STORE_TIME];
    rg_status status = check_put(store, job, outcome, runs, err);
    if (status)
        return status;
    rg_store_outcome kept = *outcome;
    rg_store_time(now);
    kept.finished = kept.finished ? kept.finished : now;
    kept.version = kept.version ? kept.version : rg_version();
    status = keep_outcome(store, &kept, err);
    if (!status)
        status = simple(store, RG_SQL_BEGIN, err);
    if (!status)
        status = rg_store_put_rows(store, job, &kept, runs, err);
    if (!status)
        status = simple(store, RG_SQL_COMMIT, err);
    if (status) {
        undo(store);
        return status;
    }
    store->jobs[job].outcome = kept;
    return RG_OK;
}

rg_status rg_store_retry(rg_store *store, size_t job, rg_error *err)
{
    if (!store->write)
        return rg_fail(err, RG_EUSAGE, "'%s' is open for reading", store->directory);
    if (store->jobs[job].outcome.state != RG_JOB_FAILED)
        return RG_OK;
    rg_binding b = rg_store_bind(store, RG_SQL_RETRY);
    rg_bind_int(&b, job);
    rg_status status = rg_bind_done(&b, err);
    if (!status)
        memset(&store->jobs[job].outcome, 0, sizeof store->jobs[job].outcome);
    return status;
}

rg_status rg_store_put_model(rg_store *store, const rg_store_model *model, rg_error *err)
{
    if (!store->write)
        return rg_fail(err, RG_EUSAGE, "'%s' is open for reading", store->directory);
    rg_binding b = rg_store_bind(store, RG_SQL_PUT_MODEL);
    rg_bind_text(&b, model->file);
    rg_bind_text(&b, model->digest);
    rg_bind_int(&b, model->configuration);
    rg_bind_int(&b, model->fold);
    rg_bind_int(&b, model->run);
    rg_status status = rg_bind_done(&b, err);
    if (!status && sqlite3_changes(store->db) != 1)
        status =
            rg_fail(err, RG_EUSAGE, "there is no run %u of configuration %u on fold %u",
                    (unsigned)model->run, (unsigned)model->configuration, (unsigned)model->fold);
    return status;
}
