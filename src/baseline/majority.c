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

static rg_status train(rg_baseline_run *out, const void *settings, const void *prepared,
                       const rg_baseline_wish *wish, rg_error *err)
{
    const rg_baseline_task *task = prepared;
    const rg_fold *fold = wish->fold;
    uint32_t class = 0;
    (void)settings;
    rg_status status = most_frequent(&class, task, fold->train, err);
    if (status)
        return status;
    out->run = (rg_run){.epochs = 1,
                        .best_epoch = 1,
                        .train_loss = (double)NAN,
                        .validation_loss = (double)NAN,
                        .test_loss = (double)NAN,
                        .train_score = rg_class_share(fold->train, task->classes, class),
                        .validation_score = rg_class_share(fold->validation, task->classes, class),
                        .test_score = rg_class_share(fold->test, task->classes, class)};
    out->epochs = rg_alloc(1, sizeof *out->epochs);
    if (!out->epochs)
        return rg_fail_memory(err, "the most frequent class");
    out->epochs[0] = (rg_epoch){.number = 1,
                                .train_loss = (double)NAN,
                                .validation_loss = (double)NAN,
                                .train_score = out->run.train_score,
                                .validation_score = out->run.validation_score};
    if (!wish->numbers)
        return RG_OK;
    out->numbers = rg_alloc_zero(fold->test.n, task->n_classes * sizeof *out->numbers);
    if (!out->numbers)
        return rg_fail_memory(err, "the most frequent class");
    for (size_t k = 0; k < fold->test.n; k++)
        out->numbers[k * task->n_classes + class] = 1;
    return RG_OK;
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
