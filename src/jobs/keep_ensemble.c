/* keep_ensemble.c - see keep_ensemble.h. */
#include "keep_ensemble.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "regula/model.h"

#include <stdio.h>
#include <string.h>

static bool has_kernels(const rg_ensemble_keep *keep, const rg_ensemble_result *r)
{
    for (size_t c = 0; c < r->n_configurations; c++)
        if (!keep->plan->contenders[c].recipe && rg_ensemble_weight(r, c, NULL) > 0)
            return true;
    return false;
}

/* The networks of one fold, all runs of a configuration one after another, and the weights of the configurations. */
typedef struct fold_members {
    rg_model **models; /* owned */
    double *weights;   /* owned */
    size_t n, n_weights;
} fold_members;

static rg_status train_members(fold_members *m, const rg_ensemble_keep *keep,
                               const rg_ensemble_result *r, uint32_t fold, bool *stopped,
                               rg_error *err)
{
    const rg_runner_options *o = keep->options;
    rg_status status = RG_OK;
    m->models = rg_alloc_zero(r->n_configurations, r->n_runs * sizeof *m->models);
    m->weights = rg_alloc(r->n_configurations, sizeof *m->weights);
    if (!m->models || !m->weights)
        return rg_fail_memory(err, "an ensemble");
    for (uint32_t c = 0; c < r->n_configurations && !*stopped; c++) {
        double weight = r->weights[fold * r->n_configurations + c];
        if (!(weight > 0))
            continue;
        m->weights[m->n_weights++] = weight;
        for (uint32_t run = 0; run < r->n_runs && !status && !*stopped; run++) {
            *stopped = o->stop && o->stop(o->context);
            if (*stopped)
                break;
            status = rg_runner_model(&m->models[m->n], keep->plan, c, fold, run, o, err);
            m->n += !status;
        }
        if (status)
            return status;
    }
    return RG_OK;
}

static rg_status keep_fold(bool *written, const rg_ensemble_keep *keep, const rg_ensemble_result *r,
                           uint32_t fold, bool *stopped, rg_error *err)
{
    char name[RG_ENSEMBLE_TEXT], file[96];
    fold_members m = {.models = NULL};
    rg_model *model = NULL;
    rg_ensemble_name(name, &keep->ensemble);
    for (char *p = name; *p; p++)
        *p = *p == ' ' ? '-' : *p;
    snprintf(file, sizeof file, "models/ensemble-%s-fold-%u.safetensors", name, (unsigned)fold);
    char *path = rg_path_join(keep->directory, file);
    char *folder = rg_path_join(keep->directory, "models");
    rg_status status =
        path && folder ? rg_dir_make(folder, err) : rg_fail_memory(err, "an ensemble");
    bool there = !status && rg_path_exists(path);
    if (!status && !there)
        status = train_members(&m, keep, r, fold, stopped, err);
    bool whole = !status && !there && !*stopped;
    if (whole)
        status = rg_model_combine(&model, m.models, m.n, r->n_runs, m.weights, err);
    if (whole && !status) {
        m.n = 0; /* they are the model's */
        status = rg_model_save(model, path, err);
    }
    *written = whole && !status;
    rg_model_free(model);
    for (size_t k = 0; k < m.n; k++)
        rg_model_free(m.models[k]);
    rg_free(m.models);
    rg_free(m.weights);
    rg_free(path);
    rg_free(folder);
    return status;
}

rg_status rg_ensemble_keep_models(size_t *n, bool *without, bool *stopped,
                                  const rg_ensemble_keep *keep, rg_error *err)
{
    rg_ensemble_result *r = NULL;
    rg_status status =
        rg_ensembles_make(&r, &keep->task, &keep->ensemble, 1, &keep->protocol, 1, err);
    *n = 0;
    *without = *stopped = false;
    if (!status && r->known)
        *without = has_kernels(keep, r);
    for (uint32_t f = 0; !status && r->known && !*without && !*stopped && f < r->n_folds; f++) {
        bool written = false;
        status = keep_fold(&written, keep, r, f, stopped, err);
        *n += written;
    }
    rg_ensembles_free(r, r ? 1 : 0);
    return status;
}
