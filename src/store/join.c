/* join.c - see join.h. */
#include "join.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

/* A path that stays below the directory it is put behind. */
static bool is_below(const char *path)
{
    if (!*path || *path == '/')
        return false;
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += n;
        if (*p == '/' && !*++p)
            return false;
    }
    return true;
}

static rg_status copy_file(const char *from, const char *to, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_file *file = NULL;
    char *folder = rg_path_directory(to);
    rg_status status = folder ? rg_dir_make(folder, err) : rg_fail_memory(err, "copying a model");
    if (!status)
        status = rg_file_load(&bytes, &n, from, NULL, SIZE_MAX, err);
    if (!status)
        status = rg_file_create(&file, to, err);
    if (!status) {
        rg_file_bytes(file, bytes, n);
        status = rg_file_commit(file, err);
    }
    rg_free(bytes);
    rg_free(folder);
    return status;
}

static bool has_model(const rg_store_model *models, size_t n, const rg_store_model *model)
{
    for (size_t k = 0; k < n; k++)
        if (models[k].configuration == model->configuration && models[k].fold == model->fold &&
            models[k].run == model->run)
            return true;
    return false;
}

static rg_status copy_model(rg_join_report *report, rg_store *to, rg_store *from,
                            const rg_store_model *model, rg_error *err)
{
    if (!is_below(model->file))
        return rg_fail(err, RG_EDATA, "'%s' names the model '%s', which is outside of it",
                       rg_store_directory(from), model->file);
    char *source = rg_path_join(rg_store_directory(from), model->file);
    char *target = rg_path_join(rg_store_directory(to), model->file);
    rg_status status = source && target ? RG_OK : rg_fail_memory(err, "copying a model");
    bool there = !status && rg_path_exists(source);
    if (there)
        status = copy_file(source, target, err);
    if (there && !status)
        status = rg_store_put_model(to, model, err);
    report->n_models += there;
    report->n_lost += !there;
    rg_free(source);
    rg_free(target);
    return status;
}

static rg_status copy_models(rg_join_report *report, rg_store *to, rg_store *from, rg_error *err)
{
    rg_store_model *models = NULL, *known = NULL;
    size_t n = 0, n_known = 0;
    rg_status status = rg_store_models(&known, &n_known, to, err);
    if (!status)
        status = rg_store_models(&models, &n, from, err);
    for (size_t k = 0; k < n && !status; k++)
        if (!has_model(known, n_known, &models[k]))
            status = copy_model(report, to, from, &models[k], err);
    rg_free(models);
    rg_free(known);
    return status;
}

static rg_status fill(rg_join_report *report, const char *directory, rg_store *const *stores,
                      size_t n, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = rg_store_merge(directory, stores, n, err);
    if (!status)
        status = rg_store_open(&store, directory, true, err);
    for (size_t k = 0; k < n && !status; k++)
        status = copy_models(report, store, stores[k], err);
    if (!status) {
        rg_store_jobs(store, &report->n_jobs);
        report->n_done = rg_store_count(store, RG_JOB_DONE);
        report->n_failed = rg_store_count(store, RG_JOB_FAILED);
        report->n_waiting = rg_store_count(store, RG_JOB_WAITING);
        status = rg_store_digest(report->digest, store, err);
    }
    rg_store_close(store);
    return status;
}

rg_status rg_runs_join(rg_join_report *out, const char *directory, const char *const *parts,
                       size_t n, rg_error *err)
{
    rg_join_report report = {.n_jobs = 0};
    rg_store **stores = rg_alloc_zero(n, sizeof *stores);
    rg_status status = stores ? RG_OK : rg_fail_memory(err, "merging runs");
    for (size_t k = 0; k < n && !status; k++)
        status = rg_store_open(&stores[k], parts[k], false, err);
    if (!status)
        status = fill(&report, directory, stores, n, err);
    for (size_t k = 0; stores && k < n; k++)
        rg_store_close(stores[k]);
    rg_free(stores);
    if (!status)
        *out = report;
    return status;
}
