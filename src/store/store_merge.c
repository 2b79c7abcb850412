/* store_merge.c - parts of one experiment, done on several machines, joined. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "store_parts.h"

#include <string.h>
#include <unistd.h>

/* The first store in which a job is in that state; n: none. */
static size_t find(rg_store *const *stores, size_t n, size_t from, size_t job, rg_job_state state)
{
    while (from < n && stores[from]->jobs[job].outcome.state != state)
        from++;
    return from;
}

static void digest_runs(char out[RG_DIGEST_TEXT], const rg_store_run *runs, size_t n)
{
    rg_digest digest;
    rg_digest_init(&digest);
    for (size_t k = 0; k < n; k++)
        rg_store_digest_run(&digest, &runs[k]);
    rg_digest_finish(&digest, out);
}

/* All other stores in which it is done must have the same bits. */
static rg_status compare(rg_store *const *stores, size_t n, size_t first, size_t job,
                         const rg_store_run *runs, rg_error *err)
{
    const rg_store_job *place = &stores[first]->jobs[job];
    char ours[RG_DIGEST_TEXT], theirs[RG_DIGEST_TEXT];
    rg_status status = RG_OK;
    digest_runs(ours, runs, place->n_runs);
    for (size_t k = first + 1; !status; k++) {
        rg_store_run *others = NULL;
        k = find(stores, n, k, job, RG_JOB_DONE);
        if (k == n)
            break;
        status = rg_store_job_runs(&others, stores[k], job, err);
        if (status)
            break;
        digest_runs(theirs, others, place->n_runs);
        rg_store_runs_free(others, place->n_runs);
        if (strcmp(ours, theirs) != 0)
            status = rg_fail(
                err, RG_EFAIL, "'%s' and '%s' disagree: configuration %u, fold %u, runs %u to %u",
                stores[first]->directory, stores[k]->directory, (unsigned)place->configuration,
                (unsigned)place->fold, (unsigned)place->first_run,
                (unsigned)(place->first_run + place->n_runs - 1));
    }
    return status;
}

static rg_status merge_job(rg_store *out, rg_store *const *stores, size_t n, size_t job,
                           rg_error *err)
{
    rg_store_run *runs = NULL;
    rg_status status = RG_OK;
    size_t k = find(stores, n, 0, job, RG_JOB_DONE);
    if (k < n) {
        status = rg_store_job_runs(&runs, stores[k], job, err);
        if (!status)
            status = compare(stores, n, k, job, runs, err);
    } else {
        k = find(stores, n, 0, job, RG_JOB_FAILED);
    }
    if (!status && k < n)
        status = rg_store_put_rows(out, job, &stores[k]->jobs[job].outcome, runs, err);
    rg_store_runs_free(runs, out->jobs[job].n_runs);
    return status;
}

static rg_status check_same(rg_store *const *stores, size_t n, rg_error *err)
{
    if (n < 1)
        return rg_fail(err, RG_EUSAGE, "there is nothing to merge");
    for (size_t k = 1; k < n; k++) {
        rg_store_plan first = rg_store_plan_of(stores[0]), plan = rg_store_plan_of(stores[k]);
        const char *other = rg_store_plan_differs(&plan, &first);
        if (other)
            return rg_fail(err, RG_EFAIL, "'%s' is not of the same experiment as '%s': %s",
                           stores[k]->directory, stores[0]->directory, other);
    }
    return RG_OK;
}

static rg_status fill(const char *directory, rg_store *const *stores, size_t n, rg_error *err)
{
    rg_store *out = NULL;
    rg_status status = rg_store_begin(&out, directory, err);
    if (status)
        return status;
    rg_store_plan plan = rg_store_plan_of(stores[0]);
    status = rg_store_plan_write(out, &plan, true, err);
    if (!status)
        status = rg_store_plan_read(out, err);
    for (size_t k = 0; k < plan.n_jobs && !status; k++)
        status = merge_job(out, stores, n, k, err);
    if (status) {
        rg_store_abandon(out);
        return status;
    }
    return rg_store_publish(out, err);
}

rg_status rg_store_merge(const char *directory, rg_store *const *stores, size_t n, rg_error *err)
{
    int lock = -1;
    rg_status status = check_same(stores, n, err);
    if (!status)
        status = rg_dir_make(directory, err);
    char *path = status ? NULL : rg_path_join(directory, RG_STORE_FILE);
    if (!status && !path)
        status = rg_fail_memory(err, "merging runs");
    if (!status)
        status = rg_store_lock(&lock, directory, NULL, NULL, err);
    if (!status && rg_path_exists(path))
        status = rg_fail(err, RG_EFAIL, "'%s' holds a run already", directory);
    if (!status)
        status = fill(directory, stores, n, err);
    if (lock >= 0)
        close(lock);
    rg_free(path);
    return status;
}

static rg_status absorb_job(rg_store *const both[2], size_t job, rg_error *err)
{
    const rg_store_job *ours = &both[0]->jobs[job], *theirs = &both[1]->jobs[job];
    rg_job_state state = ours->outcome.state;
    rg_store_run *runs = NULL;
    rg_status status = RG_OK;
    if (theirs->outcome.state == RG_JOB_WAITING ||
        (theirs->outcome.state == RG_JOB_FAILED && state != RG_JOB_WAITING))
        return RG_OK;
    if (theirs->outcome.state == RG_JOB_DONE)
        status = rg_store_job_runs(&runs, both[state != RG_JOB_DONE], job, err);
    if (!status && state == RG_JOB_FAILED)
        status = rg_store_retry(both[0], job, err);
    if (!status)
        status = state == RG_JOB_DONE ? compare(both, 2, 0, job, runs, err)
                                      : rg_store_put_job(both[0], job, &theirs->outcome, runs, err);
    rg_store_runs_free(runs, ours->n_runs);
    return status;
}

rg_status rg_store_absorb(rg_store *store, rg_store *part, rg_error *err)
{
    rg_store *const both[2] = {store, part};
    rg_status status = check_same(both, 2, err);
    for (size_t k = 0; k < store->n_jobs && !status; k++)
        status = absorb_job(both, k, err);
    return status ? status : rg_store_exec(store, "PRAGMA wal_checkpoint", "write", err);
}
