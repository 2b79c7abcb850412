/* baseline.c - see baseline.h: the list of kinds, and what all of them have in common. */
#include "baseline.h"

#include "base/alloc.h"
#include "base/error.h"
#include "kinds.h"
#include "network/network.h"
#include "train/recipe.h"

#include <math.h>
#include <string.h>

#define KIND(name) &rg_baseline_##name,
static const rg_baseline_kind *const kinds[] = {RG_BASELINES(KIND)};
#undef KIND

enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct rg_baseline {
    const rg_baseline_kind *kind;
    void *settings;
    char *text, *prepared_text;
};

struct rg_baseline_prepared {
    const rg_baseline_kind *kind;
    rg_baseline_task task;
    void *own;
};

size_t rg_baseline_n_kinds(void)
{
    return N_KINDS;
}

const rg_baseline_kind *rg_baseline_kind_at(size_t k)
{
    return kinds[k];
}

const rg_baseline_kind *rg_baseline_kind_find(const char *name)
{
    for (size_t k = 0; k < N_KINDS; k++)
        if (strcmp(kinds[k]->name, name) == 0)
            return kinds[k];
    return NULL;
}

/* ---- settings */

bool rg_baseline_is(const rg_yaml *root)
{
    return rg_yaml_find(root, "model") != NULL;
}

static rg_status find_kind(const rg_baseline_kind **out, const rg_yaml *root, rg_error *err)
{
    const char *words[N_KINDS];
    size_t word = 0;
    const rg_yaml *node = rg_yaml_find(root, "model");
    if (!node)
        return rg_yaml_complain(root, err, "found no key 'model', expected the name of a model");
    for (size_t k = 0; k < N_KINDS; k++)
        words[k] = kinds[k]->name;
    rg_status status = rg_yaml_word(node, &word, words, N_KINDS, err);
    if (!status)
        *out = kinds[word];
    return status;
}

/* NULL: memory was short. */
static char *print(const rg_baseline *baseline, bool prepared_only)
{
    rg_text text = {0};
    rg_text_add(&text, "model: %s\n", baseline->kind->name);
    if (baseline->kind->print)
        baseline->kind->print(&text, baseline->settings, prepared_only);
    return rg_text_take(&text);
}

rg_status rg_baseline_from_yaml(rg_baseline **out, const rg_yaml *root, rg_error *err)
{
    const rg_baseline_kind *kind = NULL;
    rg_status status = find_kind(&kind, root, err);
    if (status)
        return status;
    rg_baseline *baseline = rg_alloc_zero(1, sizeof *baseline);
    if (!baseline)
        return rg_fail_memory(err, "a model");
    baseline->kind = kind;
    status = kind->parse(&baseline->settings, kind, root, err);
    if (!status) {
        baseline->text = print(baseline, false);
        baseline->prepared_text = print(baseline, true);
        if (!baseline->text || !baseline->prepared_text)
            status = rg_fail_memory(err, "a model");
    }
    if (status)
        rg_baseline_free(baseline);
    else
        *out = baseline;
    return status;
}

rg_status rg_baseline_parse(rg_baseline **out, const char *name, const char *text, size_t n,
                            rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, name, text, n, err);
    if (!status)
        status = rg_baseline_from_yaml(out, root, err);
    rg_yaml_free(root);
    return status;
}

void rg_baseline_free(rg_baseline *baseline)
{
    if (!baseline)
        return;
    if (baseline->settings)
        baseline->kind->settings_free(baseline->settings);
    rg_free(baseline->text);
    rg_free(baseline->prepared_text);
    rg_free(baseline);
}

const char *rg_baseline_name(const rg_baseline *baseline)
{
    return baseline->kind->name;
}

const char *rg_baseline_text(const rg_baseline *baseline)
{
    return baseline->text;
}

const char *rg_baseline_prepared_text(const rg_baseline *baseline)
{
    return baseline->prepared_text;
}

rg_status rg_baseline_recipe(rg_recipe **out, const rg_baseline *baseline, rg_error *err)
{
    rg_text text = {0};
    *out = NULL;
    if (!baseline->kind->network)
        return RG_OK;
    baseline->kind->network(&text, baseline->settings);
    char *file = rg_text_take(&text);
    rg_status status = file ? rg_recipe_parse(out, baseline->kind->name, file, strlen(file), err)
                            : rg_fail_memory(err, "a model");
    rg_free(file);
    for (size_t k = 0; !status && k < RG_SPEC_LAYERS_MAX; k++)
        (*out)->lines[k] = 0; /* nobody has the file before his eyes */
    return status;
}

uint32_t rg_baseline_epochs(const rg_baseline *baseline)
{
    return baseline->kind->epochs ? baseline->kind->epochs(baseline->settings) : 1;
}

bool rg_baseline_is_fixed(const rg_baseline *baseline)
{
    return baseline->kind->fixed;
}

/* ---- what is learned */

rg_status rg_baseline_task_open(rg_baseline_task *out, const rg_source *source, rg_error *err)
{
    const char *name = rg_source_name(source);
    if (!source->graphs)
        return rg_fail(err, RG_EDATA,
                       "'%s' holds vectors or images: baseline models classify graphs", name);
    size_t columns = rg_dataset_n_columns(source->graphs, RG_CLASS), n = 0;
    if (columns == 0)
        return rg_fail(
            err, RG_EDATA,
            "'%s' has no classes: baseline models classify graphs and do not do regression", name);
    if (columns > 1)
        return rg_fail(err, RG_EDATA, "'%s' has %zu columns of classes: baseline models learn one",
                       name, columns);
    rg_dataset_values(source->graphs, RG_CLASS, 0, &n);
    if (n < 2)
        return rg_fail(err, RG_EDATA, "'%s' has %zu class%s: expected at least two", name, n,
                       n == 1 ? "" : "es");
    *out = (rg_baseline_task){.graphs = source->graphs,
                              .classes = rg_dataset_ranks(source->graphs, RG_CLASS, 0),
                              .n_classes = (uint32_t)n,
                              .n_graphs = rg_dataset_n_graphs(source->graphs)};
    return RG_OK;
}

/* ---- prepared data */

rg_status rg_baseline_prepared_new(rg_baseline_prepared **out, const rg_baseline *baseline,
                                   const rg_source *source, const rg_baseline_options *options,
                                   rg_error *err)
{
    rg_baseline_prepared *prepared = rg_alloc_zero(1, sizeof *prepared);
    if (!prepared)
        return rg_fail_memory(err, "a model on data");
    prepared->kind = baseline->kind;
    rg_status status = rg_baseline_task_open(&prepared->task, source, err);
    if (!status)
        status =
            prepared->kind->prepared_new(&prepared->own, baseline->settings, source, options, err);
    if (status)
        rg_baseline_prepared_free(prepared);
    else
        *out = prepared;
    return status;
}

void rg_baseline_prepared_free(rg_baseline_prepared *prepared)
{
    if (!prepared)
        return;
    if (prepared->own)
        prepared->kind->prepared_free(prepared->own);
    rg_free(prepared);
}

uint64_t rg_baseline_prepared_parameters(const rg_baseline_prepared *prepared)
{
    return prepared->kind->parameters ? prepared->kind->parameters(prepared->own) : 0;
}

uint32_t rg_baseline_prepared_classes(const rg_baseline_prepared *prepared)
{
    return prepared->task.n_classes;
}

const uint32_t *rg_baseline_prepared_targets(const rg_baseline_prepared *prepared)
{
    return prepared->task.classes;
}

/* ---- runs */

static size_t n_with_class(const rg_baseline_task *task, const rg_part *part)
{
    size_t n = 0;
    for (size_t k = 0; k < part->n; k++)
        n += task->classes[part->graphs[k]] != RG_NO_CLASS;
    return n;
}

rg_status rg_baseline_train(rg_baseline_run *out, const rg_baseline *baseline,
                            const rg_baseline_prepared *prepared, const rg_baseline_wish *wish,
                            rg_error *err)
{
    rg_baseline_run run = {.numbers = NULL};
    if (n_with_class(&prepared->task, &wish->fold->train) == 0)
        return rg_fail(
            err, RG_EDATA,
            "the training set has no graph with a known class: there is nothing to learn from");
    rg_status status = prepared->kind->train(&run, baseline->settings, prepared->own, wish, err);
    if (status) {
        rg_baseline_run_free(&run);
        return status;
    }
    run.run.number = wish->number;
    *out = run;
    return RG_OK;
}

void rg_baseline_run_free(rg_baseline_run *run)
{
    rg_free(run->epochs);
    rg_free(run->numbers);
    rg_free(run->validation);
    *run = (rg_baseline_run){.numbers = NULL};
}
