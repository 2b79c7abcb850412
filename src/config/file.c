/* file.c - experiments from files and from memory, and what they say; see experiment.h. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "regula/fetch.h"
#include "train/settings.h"

#include <assert.h>
#include <string.h>

void rg_experiment_free(rg_experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t k = 0; k < experiment->n_axes; k++) {
        for (size_t choice = 0; choice < experiment->axes[k].n; choice++)
            rg_free(experiment->axes[k].choices[choice]);
        rg_free(experiment->axes[k].choices);
        rg_free(experiment->axes[k].name);
    }
    rg_free(experiment->axes);
    rg_free(experiment->name);
    rg_free(experiment->data);
    rg_free(experiment->splits);
    rg_free(experiment->folds);
    rg_table_free(experiment->recipes);
    rg_free(experiment->picks);
    rg_free(experiment->text);
    rg_free(experiment);
}

static void draft_clear(rg_draft *draft)
{
    for (size_t k = 0; k < draft->n_networks; k++) {
        rg_yaml_free(draft->networks[k].tree);
        rg_free(draft->networks[k].name);
    }
    rg_free(draft->networks);
    rg_yaml_free(draft->root);
    rg_experiment_free(draft->experiment);
}

static rg_status fill(rg_draft *draft, rg_error *err)
{
    const rg_experiment_source *source = draft->source;
    rg_experiment *experiment = draft->experiment;
    rg_status status = rg_yaml_parse(&draft->root, source->name, source->text, source->n, err);
    if (!status)
        status = rg_settings_rename(draft->root, err);
    if (!status && rg_yaml_kind_of(draft->root) == RG_YAML_MAP)
        for (size_t k = 0; k < source->n_overrides && !status; k++)
            status = rg_draft_override(draft->root, source->overrides[k], err);
    if (!status)
        status = rg_draft_settings(draft, err);
    if (status)
        return status;
    experiment->info.name = experiment->name;
    experiment->info.data = experiment->data;
    experiment->info.splits = experiment->splits;
    experiment->info.folds = experiment->folds;
    status = rg_draft_networks(draft, err);
    if (!status)
        status = rg_draft_axes(draft, err);
    if (!status)
        status = rg_draft_variables(draft, err);
    if (!status)
        status = rg_draft_expand(draft, err);
    return status ? status : rg_draft_print(draft, err);
}

rg_status rg_experiment_build(rg_experiment **out, const rg_experiment_source *source,
                              rg_error *err)
{
    rg_draft draft = {.source = source, .experiment = rg_alloc_zero(1, sizeof(rg_experiment))};
    rg_status status =
        draft.experiment ? fill(&draft, err) : rg_fail_memory(err, "reading an experiment");
    if (!status) {
        *out = draft.experiment;
        draft.experiment = NULL;
        for (size_t k = 0; k < (*out)->n_axes; k++)
            (*out)->axes[k].list = NULL; /* goes with the draft */
    }
    draft_clear(&draft);
    return status;
}

rg_status rg_experiment_parse(rg_experiment **out, const char *name, const char *text, size_t n,
                              const char *const *overrides, size_t n_overrides, rg_error *err)
{
    rg_experiment_source source = {.name = name,
                                   .text = text,
                                   .n = n,
                                   .overrides = overrides,
                                   .n_overrides = n_overrides,
                                   .limit = RG_CONFIGURATIONS_MAX};
    return rg_experiment_build(out, &source, err);
}

rg_status rg_experiment_read(rg_experiment **out, const char *path, const char *const *overrides,
                             size_t n_overrides, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_status status = rg_file_load(&bytes, &n, path, NULL, RG_YAML_BYTES_MAX, err);
    if (status)
        return status;
    char *directory = rg_copy_text(path, (size_t)(rg_path_name(path) - path));
    rg_experiment_source source = {.name = path,
                                   .text = bytes,
                                   .n = n,
                                   .directory = directory,
                                   .overrides = overrides,
                                   .n_overrides = n_overrides,
                                   .limit = RG_CONFIGURATIONS_MAX};
    status = directory ? rg_experiment_build(out, &source, err)
                       : rg_fail_memory(err, "reading an experiment");
    rg_free(directory);
    rg_free(bytes);
    return status;
}

/* ---- what it says */

const rg_experiment_info *rg_experiment_describe(const rg_experiment *experiment)
{
    return &experiment->info;
}

rg_status rg_experiment_splits(rg_splits **out, char **path, const rg_experiment *experiment,
                               const rg_items *items, rg_error *err)
{
    const rg_experiment_info *info = &experiment->info;
    char *found = info->splits ? rg_copy_text(info->splits, strlen(info->splits)) : NULL;
    rg_status status = info->splits && !found ? rg_fail_memory(err, "the path of splits") : RG_OK;
    if (!info->splits && !info->make_splits)
        status = rg_splits_find(&found, NULL, items->name, err);
    if (!status)
        status = found ? rg_splits_read(out, found, err)
                       : rg_splits_make_for(out, items, info->split, err);
    if (status)
        rg_free(found);
    else
        *path = found;
    return status;
}

const char *rg_experiment_recipe(const rg_experiment *experiment, size_t configuration)
{
    size_t n;
    assert(configuration < experiment->info.n_configurations);
    return rg_table_key(experiment->recipes, (uint32_t)configuration, &n);
}

const char *rg_experiment_axis(const rg_experiment *experiment, size_t axis)
{
    assert(axis < experiment->n_axes);
    return experiment->axes[axis].name;
}

const char *rg_experiment_choice(const rg_experiment *experiment, size_t configuration, size_t axis)
{
    assert(configuration < experiment->info.n_configurations && axis < experiment->n_axes);
    const rg_axis *list = &experiment->axes[axis];
    uint32_t pick = experiment->picks[configuration * experiment->n_axes + axis];
    return pick == RG_PICK_NONE ? "" : list->choices[pick];
}

const char *rg_experiment_text(const rg_experiment *experiment)
{
    return experiment->text;
}

void rg_experiment_digest(const rg_experiment *experiment, char out[RG_DIGEST_SIZE])
{
    memcpy(out, experiment->digest, RG_DIGEST_SIZE);
}
