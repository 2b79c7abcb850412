/* job_network.c - the runs of a job on a rule network, in lanes. */
#include "base/alloc.h"
#include "base/error.h"
#include "job_parts.h"
#include "train/recipe.h"

static rg_status copy_epochs(rg_job_work *w, const rg_store_job *job, const rg_trainer *trainer,
                             const rg_run *runs, rg_error *err)
{
    uint32_t n = rg_trainer_epochs(trainer);
    w->epochs = rg_alloc((size_t)n * job->n_runs, sizeof *w->epochs);
    if (!w->epochs)
        return rg_fail_memory(err, "the epochs of a job");
    for (uint32_t r = 0; r < job->n_runs; r++) {
        for (uint32_t e = 0; e < n; e++)
            w->epochs[(size_t)r * n + e] = *rg_trainer_report(trainer, e + 1, r);
        w->runs[r].run = runs[r];
        w->runs[r].run.number = job->first_run + r;
        w->runs[r].epochs = w->epochs + (size_t)r * n;
    }
    return RG_OK;
}

/* What the runs say of a part: one row per sample, or per node. */
static rg_status copy_predictions(rg_job_said *said, const rg_job_task *task, rg_trainer *trainer,
                                  const rg_part *part, rg_error *err)
{
    const rg_network *net = task->prepared->net;
    bool nodes = rg_task_on_nodes(net->task);
    bool classes = nodes || net->task == RG_TASK_CLASSES;
    size_t rows = 0, n = task->job->n_runs;
    for (size_t k = 0; k < part->n; k++)
        rows += nodes ? rg_samples_nodes(task->prepared->samples, part->graphs[k]) : 1;
    if (rows == 0 || net->n_outputs > UINT16_MAX)
        return RG_OK;
    rg_status status = rg_job_said_new(said, n, rows, net->n_outputs, err);
    if (!status)
        status = rg_trainer_predict(trainer, part, said->samples, said->numbers, n, rows, err);
    if (!status)
        rg_job_said_finish(said, n, classes, false);
    return status ? status : rg_job_said_targets(said, part, task->prepared->samples, err);
}

static bool is_stopped(const rg_runner_options *options)
{
    return options->stop && options->stop(options->context);
}

rg_status rg_job_network(rg_job_work *out, const rg_job_task *task, rg_error *err)
{
    const rg_job_room *room = task->room;
    const rg_runner_plan *plan = room->plan;
    const rg_recipe *recipe = plan->contenders[task->job->configuration].recipe;
    rg_trainer_options options = {.lanes = task->job->lanes,
                                  .seed = plan->seed,
                                  .first_run =
                                      rg_runner_start(plan, task->job->fold, task->job->first_run),
                                  .cpu = room->options->cpu,
                                  .n_threads = room->n_threads,
                                  .metric = plan->metric};
    rg_trainer *trainer = NULL;
    rg_run runs[RG_RUNS_MAX];
    rg_status status = rg_trainer_new(&trainer, task->prepared->samples, task->fold,
                                      &recipe->settings, &options, err);
    while (!status && !rg_trainer_done(trainer) && !out->stopped) {
        out->stopped = is_stopped(room->options);
        if (!out->stopped)
            status = rg_trainer_epoch(trainer, err);
    }
    if (!status && !out->stopped)
        status = rg_trainer_finish(trainer, runs, err);
    if (!status && !out->stopped)
        status = copy_epochs(out, task->job, trainer, runs, err);
    if (!status && !out->stopped && plan->predictions)
        status = copy_predictions(&out->said[RG_STORE_TEST], task, trainer, &task->fold->test, err);
    if (!status && !out->stopped && plan->predictions)
        status = copy_predictions(&out->said[RG_STORE_VALIDATION], task, trainer,
                                  &task->fold->validation, err);
    if (!status && !out->stopped)
        rg_job_show(out, task->job->n_runs);
    rg_trainer_free(trainer);
    return status;
}
