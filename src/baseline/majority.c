/* majority.c - always predicts the most frequent class of the training set. */
#include "base/alloc.h"
#include "base/error.h"
#include "kinds.h"
#include "split/frequent.h"

#include <math.h>

/* It has no settings, and its prepared data are the classes alone. A block stands for each, so that
 * what is owned is never NULL. */

static rg_status parse(void **settings, const rg_baseline_kind *kind, const rg_yaml *root,
                       rg_error *err)
{
    (void)kind;
    static const char *const keys[] = {"model"};
    rg_status status = rg_yaml_keys(root, keys, 1, err);
    if (status)
        return status;
    *settings = rg_alloc(1, 1);
    return *settings ? RG_OK : rg_fail_memory(err, "a model");
}

static rg_status prepared_new(void **prepared, const void *settings, const rg_source *source,
                              const rg_baseline_options *options, rg_error *err)
{
    rg_baseline_task *task = rg_alloc(1, sizeof *task);
    (void)settings;
    (void)options;
    if (!task)
        return rg_fail_memory(err, "a model on data");
    rg_status status = rg_baseline_task_open(task, source, err);
    if (status)
        rg_free(task);
    else
        *prepared = task;
    return status;
}

/* Class 0 where no sample has one. */
static rg_status most_frequent(uint32_t *out, const rg_baseline_task *task, rg_part part,
                               rg_error *err)
{
    uint32_t *counts = rg_alloc(task->n_classes, sizeof *counts);
    if (!counts)
        return rg_fail_memory(err, "the most frequent class");
    uint32_t class = rg_class_frequent(part, task->classes, task->n_classes, counts);
    *out = class == RG_NO_CLASS ? 0 : class;
    rg_free(counts);
    return RG_OK;
}

/* The class is certain, of every sample. */
static rg_status train(rg_baseline_run *out, const void *settings, const void *prepared,
                       const rg_baseline_wish *wish, rg_error *err)
{
    const rg_baseline_task *task = prepared;
    size_t width = task->n_classes;
    uint32_t class = 0;
    (void)settings;
    float *said = rg_alloc_zero(task->n_graphs, width * sizeof *said);
    rg_status status = said ? most_frequent(&class, task, wish->fold->train, err)
                            : rg_fail_memory(err, "the most frequent class");
    for (size_t k = 0; !status && k < task->n_graphs; k++)
        said[k * width + class] = 1;
    if (!status)
        status = rg_baseline_report(out, task, said, NULL, wish, err);
    rg_free(said);
    return status;
}

const rg_baseline_kind rg_baseline_majority = {.name = "majority",
                                               .about =
                                                   "the most frequent class of the training set",
                                               .parse = parse,
                                               .settings_free = rg_free,
                                               .prepared_new = prepared_new,
                                               .prepared_free = rg_free,
                                               .train = train,
                                               .fixed = true};
