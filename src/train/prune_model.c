/* prune_model.c - dropping the smallest weights of a model that is trained. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "model/members.h"
#include "trainer.h"

#include <math.h>
#include <string.h>

/* A run of weights of rules or of a dense layer; false past the last. */
static bool run_of(const rg_network *net, size_t k, size_t *first, size_t *n)
{
    for (size_t l = 0; l < net->n_layers; l++) {
        const rg_net_layer *layer = &net->layers[l];
        if (layer->like != RG_NO_INDEX) /* they are those of another layer */
            continue;
        if (k < layer->n_rules) {
            *first = layer->rules[k].at;
            *n = layer->rules[k].n_params;
            return true;
        }
        k -= layer->n_rules;
        if (layer->kind->prunes && k-- == 0) {
            *first = layer->weights;
            *n = rg_net_n_weights(layer);
            return true;
        }
    }
    return false;
}

static size_t collect(const rg_model *m, double *sizes)
{
    size_t total = 0, first, n;
    for (size_t k = 0; run_of(m->net, k, &first, &n); k++)
        for (size_t i = first; i < first + n; i++, total++)
            if (sizes)
                sizes[total] = fabs(rg_model_weight(m, i));
    return total;
}

/* Sets the `gone` smallest weights of `to` to zero, sizes as in `m`, the first of equals first. The
 * largest size among them. */
static double drop(rg_model *to, const rg_model *m, double *sizes, size_t gone)
{
    size_t total = collect(m, sizes), first, n, ties;
    if (gone == 0)
        return 0;
    double limit = rg_select(sizes, total, gone - 1);
    ties = gone;
    for (size_t k = 0; k < total; k++)
        ties -= sizes[k] < limit;
    for (size_t k = 0; run_of(m->net, k, &first, &n); k++)
        for (size_t i = first; i < first + n; i++) {
            double size = fabs(rg_model_weight(m, i));
            if (size > limit || (size == limit && ties == 0))
                continue;
            ties -= size == limit;
            rg_model_set_weight(to, i, 0);
        }
    return limit;
}

static rg_status check_part(double part, rg_error *err)
{
    if (part >= 0 && part < 1)
        return RG_OK;
    return rg_fail(err, RG_EUSAGE,
                   "fraction of the weights to remove: found %g, expected 0 <= fraction < 1", part);
}

static rg_status prune_one(rg_model *model, double part, uint64_t *left, rg_error *err)
{
    size_t bytes = model->net->n_params * rg_model_real(model), n_dropped;
    rg_status status = check_part(part, err);
    if (status)
        return status;
    double *sizes = rg_alloc(model->net->n_params, sizeof *sizes);
    void *before = rg_alloc(bytes, 1);
    if (!sizes || !before) {
        rg_free(sizes);
        rg_free(before);
        return rg_fail_memory(err, "pruning a model");
    }
    memcpy(before, model->w, bytes);
    size_t total = collect(model, NULL), gone = (size_t)(part * (double)total);
    drop(model, model, sizes, gone);
    status = rg_model_compact(model, &n_dropped, err);
    if (status)
        memcpy(model->w, before, bytes);
    else {
        model->digest[0] = model->version[0] = '\0'; /* no file has it like this */
        if (left)
            *left = total - gone;
    }
    rg_free(sizes);
    rg_free(before);
    return status;
}

/* Each network loses the same part of its weights. A copy is pruned, so that nothing is half done. */
static rg_status prune_members(rg_model *model, double part, uint64_t *left, rg_error *err)
{
    rg_model *copy = NULL;
    uint64_t all = 0, own = 0;
    rg_status status = rg_model_copy(&copy, model, err);
    for (size_t k = 0; !status && k < copy->n_members; k++) {
        status = prune_one(copy->members[k], part, &own, err);
        all += own;
    }
    if (!status) {
        rg_model before = *model;
        *model = *copy;
        *copy = before; /* is freed */
        model->net = model->members[0]->net;
        model->w = model->members[0]->w;
        model->spec = model->members[0]->spec;
        model->digest[0] = model->version[0] = '\0';
        if (left)
            *left = all;
    }
    rg_model_free(copy);
    return status;
}

rg_status rg_model_prune(rg_model *model, double part, uint64_t *left, rg_error *err)
{
    return model->members ? prune_members(model, part, left, err)
                          : prune_one(model, part, left, err);
}

/* ---- score against size */

typedef struct curve {
    const rg_model *model;
    rg_model *scratch; /* shares all but its weights with the model */
    rg_samples *samples;
    rg_measure measure;
    rg_walk walk;
    rg_pass *pass;
    uint32_t *list;
    size_t n;
    double *sizes;
} curve;

static rg_status measure_point(rg_prune_point *out, curve *c, double part, rg_error *err)
{
    size_t total = collect(c->model, NULL), gone = (size_t)(part * (double)total);
    rg_tally tally;
    memcpy(c->scratch->w, c->model->w, rg_model_numbers(c->model) * rg_model_real(c->model));
    double limit = drop(c->scratch, c->model, c->sizes, gone);
    rg_status status =
        rg_measure_list(&tally, &c->measure, &c->walk, c->pass, c->scratch->w, c->list, c->n, err);
    if (status)
        return status;
    *out = (rg_prune_point){.part = part,
                            .weights = total - gone,
                            .limit = limit,
                            .loss = rg_tally_loss(&tally, 0),
                            .score = rg_tally_score(&tally, 0)};
    return RG_OK;
}

static rg_status curve_open(curve *c, const rg_predict_options *o, const rg_source *source,
                            rg_cancel *cancel, rg_error *err)
{
    const rg_kernels *kernels = rg_kernels_get(c->model->precision, 1, o->cpu);
    rg_settings settings = rg_settings_default(), trained = settings;
    rg_pass_options passing = {.group = RG_MODEL_GROUP};
    rg_samples_options tables = {.precision = c->model->precision,
                                 .n_threads = o->n_threads,
                                 .memory = o->memory,
                                 .keep = true,
                                 .label_cache = o->cache,
                                 .cancel = cancel};
    rg_status status = rg_cpu_check(o->cpu, err);
    if (!status) /* without class weights: what they were balanced on is not here */
        status = rg_settings_parse(&trained, c->model->training, err);
    settings.loss = trained.loss;
    if (!status)
        status = rg_samples_open(&c->samples, c->model->net, source, NULL, &tables, err);
    if (!status)
        status = rg_measure_open(&c->measure, c->samples, kernels, &settings, NULL, 0, err);
    if (!status)
        status = rg_node_mask_find(&c->measure.mask, source->graphs, o->part, err);
    if (!status)
        status = rg_walk_open(&c->walk, c->samples, err);
    if (!status)
        status = rg_pass_new(&c->pass, c->samples, kernels, &passing, err);
    if (status)
        return status;
    c->n = o->samples ? o->n_samples : c->samples->n;
    c->list = rg_alloc(c->n, sizeof *c->list);
    c->sizes = rg_alloc(c->model->net->n_params, sizeof *c->sizes);
    c->scratch->w = rg_alloc(rg_model_numbers(c->model), rg_model_real(c->model));
    if (!c->list || !c->sizes || !c->scratch->w)
        return rg_fail_memory(err, "pruning a model");
    for (size_t k = 0; k < c->n; k++) {
        c->list[k] = o->samples ? o->samples[k] : (uint32_t)k;
        if (c->list[k] >= c->samples->n)
            return rg_fail(err, RG_EUSAGE, "'%s' has %zu samples: there is no %u",
                           rg_source_name(source), c->samples->n, (unsigned)c->list[k]);
    }
    return RG_OK;
}

/* A point of a model with several networks: a copy without those weights is scored. */
static rg_status measure_members(rg_prune_point *out, const rg_model *model, double part,
                                 const rg_source *source, const rg_predict_options *options,
                                 rg_error *err)
{
    rg_model *copy = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    rg_status status = check_part(part, err);
    if (!status)
        status = rg_model_copy(&copy, model, err);
    *out = (rg_prune_point){.part = part};
    for (size_t k = 0; !status && k < model->n_members; k++) {
        const rg_model *own = model->members[k];
        double *sizes = rg_alloc(own->net->n_params, sizeof *sizes);
        size_t total = collect(own, NULL), gone = (size_t)(part * (double)total);
        out->weights += total - gone;
        if (sizes)
            out->limit = fmax(out->limit, drop(copy->members[k], own, sizes, gone));
        else
            status = rg_fail_memory(err, "pruning a model");
        rg_free(sizes);
    }
    if (!status)
        status = rg_model_evaluate(&result, copy, source, options, err);
    if (!status) {
        out->loss = result.loss;
        out->score = isnan(result.accuracy) ? result.mae : result.accuracy;
    }
    rg_model_free(copy);
    return status;
}

rg_status rg_model_prune_curve(rg_prune_point *points, const double *parts, size_t n,
                               const rg_model *model, const rg_source *source,
                               const rg_predict_options *options, rg_error *err)
{
    rg_predict_options own = RG_PREDICT_OPTIONS_INIT;
    rg_model scratch = {.net = model->net, .precision = model->precision};
    curve c = {.model = model, .scratch = &scratch};
    rg_cancel cancel;
    rg_status status = RG_TAKE(rg_predict_options, &own, options, err);
    for (size_t k = 0; model->members && !status && k < n; k++)
        status = measure_members(&points[k], model, parts[k], source, &own, err);
    if (status || model->members)
        return status;
    rg_cancel_open(&cancel, own.cancel, own.cancel_context);
    if (!status)
        status = curve_open(&c, &own, source, &cancel, err);
    for (size_t k = 0; !status && k < n; k++) {
        status = check_part(parts[k], err);
        if (!status)
            status = measure_point(&points[k], &c, parts[k], err);
    }
    rg_measure_close(&c.measure);
    rg_pass_free(c.pass);
    rg_walk_close(&c.walk);
    rg_samples_free(c.samples);
    rg_free(c.list);
    rg_free(c.sizes);
    rg_free(scratch.w);
    return status;
}
