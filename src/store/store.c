/* store.c - see store.h: making, opening, closing. */
#include "store.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "store_parts.h"

#include <unistd.h>

void rg_store_close(rg_store *store)
{
    if (!store)
        return;
    rg_store_disconnect(store);
    if (store->lock >= 0)
        close(store->lock); /* after the last byte was written */
    for (size_t k = 0; k < store->n_texts; k++)
        rg_free(store->texts[k]);
    rg_free(store->texts);
    rg_free(store->folds);
    rg_free(store->configurations);
    rg_free(store->jobs);
    rg_free(store->directory);
    rg_free(store->path);
    rg_free(store);
}

/* lock: moved, -1 for reading. */
static rg_status open_file(rg_store **out, const char *directory, int lock, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = rg_store_new(&store, directory, RG_STORE_FILE, err);
    if (status) {
        if (lock >= 0)
            close(lock);
        return status;
    }
    store->lock = lock;
    store->write = lock >= 0;
    status = rg_store_connect(store, err);
    if (!status)
        status = rg_store_plan_read(store, err);
    if (status) {
        rg_store_close(store);
        return status;
    }
    *out = store;
    return RG_OK;
}

rg_status rg_store_open(rg_store **out, const char *directory, bool write, rg_error *err)
{
    int lock = -1;
    rg_store *store = NULL;
    char *path = rg_path_join(directory, RG_STORE_FILE);
    if (!path)
        return rg_fail_memory(err, "opening a run");
    bool there = rg_path_exists(path); /* else no lock is left in a directory that is no run */
    rg_free(path);
    rg_status status = write && there ? rg_store_lock(&lock, directory, NULL, NULL, err) : RG_OK;
    if (!status)
        status = open_file(&store, directory, lock, err);
    if (!status && store->write != write) { /* another has just made it */
        rg_store_close(store);
        status = rg_fail(err, RG_EFAIL, "'%s' is in use by another process", directory);
    }
    if (!status)
        *out = store;
    return status;
}

static rg_status make(const char *directory, const rg_store_plan *plan, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = rg_store_begin(&store, directory, err);
    if (status)
        return status;
    status = rg_store_plan_write(store, plan, false, err);
    if (status) {
        rg_store_abandon(store);
        return status;
    }
    return rg_store_publish(store, err);
}

rg_status rg_store_create(rg_store **out, bool *resumed, const char *directory,
                          const rg_store_plan *plan, rg_error *err)
{
    return rg_store_await(out, resumed, directory, plan, NULL, NULL, err);
}

rg_status rg_store_await(rg_store **out, bool *resumed, const char *directory,
                         const rg_store_plan *plan, int (*stop)(void *context), void *context,
                         rg_error *err)
{
    int lock = -1;
    rg_store *store = NULL;
    rg_status status = rg_store_plan_check(plan, err);
    if (!status)
        status = rg_dir_make(directory, err);
    char *path = status ? NULL : rg_path_join(directory, RG_STORE_FILE);
    if (!status && !path)
        status = rg_fail_memory(err, "making a run");
    if (!status)
        status = rg_store_lock(&lock, directory, stop, context, err);
    bool there = !status && rg_path_exists(path);
    rg_free(path);
    if (!status && !there)
        status = make(directory, plan, err);
    if (status) {
        if (lock >= 0)
            close(lock);
        return status;
    }
    status = open_file(&store, directory, lock, err);
    if (status)
        return status;
    rg_store_plan stored = rg_store_plan_of(store);
    const char *other = rg_store_plan_differs(&stored, plan);
    if (other) {
        status = rg_fail(err, RG_EFAIL, "'%s' holds a different experiment ('%s' of %s): %s",
                         directory, store->experiment.name, store->experiment.created, other);
        rg_store_close(store);
        return status;
    }
    if (resumed)
        *resumed = there;
    *out = store;
    return RG_OK;
}

/* ---- reading what is in memory */

const char *rg_store_directory(const rg_store *store)
{
    return store->directory;
}

const rg_store_experiment *rg_store_about(const rg_store *store)
{
    return &store->experiment;
}

const rg_store_configuration *rg_store_configurations(const rg_store *store, size_t *n)
{
    *n = store->n_configurations;
    return store->configurations;
}

const rg_store_fold *rg_store_folds(const rg_store *store)
{
    return store->folds;
}

const rg_store_job *rg_store_jobs(const rg_store *store, size_t *n)
{
    *n = store->n_jobs;
    return store->jobs;
}

size_t rg_store_count(const rg_store *store, rg_job_state state)
{
    size_t n = 0;
    for (size_t k = 0; k < store->n_jobs; k++)
        n += store->jobs[k].outcome.state == state;
    return n;
}

const rg_store_job *rg_store_sample(const rg_store *store, uint32_t configuration)
{
    for (size_t k = 0; k < store->n_jobs; k++)
        if (store->jobs[k].configuration == configuration &&
            store->jobs[k].outcome.state == RG_JOB_DONE)
            return &store->jobs[k];
    return NULL;
}
