/* job_baseline.c - the runs of a job on a baseline: one, or several with the same result. */
#include "base/alloc.h"
#include "base/error.h"
#include "job_parts.h"

#include <string.h>

static rg_status copy_prediction(rg_job_said *said, const rg_part *part, const float *numbers,
                                 const rg_baseline_prepared *prepared, uint32_t n_runs,
                                 rg_error *err)
{
    size_t width = rg_baseline_prepared_classes(prepared);
    if (part->n == 0 || width > UINT16_MAX)
        return RG_OK;
    rg_status status = rg_job_said_new(said, n_runs, part->n, width, err);
    if (status)
        return status;
    memcpy(said->samples, part->graphs, part->n * sizeof *said->samples);
    memcpy(said->numbers, numbers, part->n * width * sizeof *said->numbers);
    rg_job_said_finish(said, n_runs, true, true);
    return rg_job_said_classes(said, part, rg_baseline_prepared_targets(prepared), err);
}

rg_status rg_job_baseline(rg_job_work *out, const rg_job_task *task, rg_error *err)
{
    const rg_runner_plan *plan = task->room->plan;
    const rg_runner_options *options = task->room->options;
    const rg_baseline_prepared *prepared = task->prepared->baseline;
    uint32_t n = task->job->n_runs;
    rg_baseline_wish wish = {.fold = task->fold,
                             .seed = plan->seed,
                             .number = task->job->first_run,
                             .numbers = plan->predictions,
                             .metric = plan->metric,
                             .stop = options->stop,
                             .context = options->context};
    rg_baseline_run run = {.numbers = NULL};
    rg_status status = rg_baseline_train(&run, plan->contenders[task->job->configuration].baseline,
                                         prepared, &wish, err);
    if (status)
        return status;
    out->epochs = run.epochs; /* the job's now */
    run.epochs = NULL;
    out->stopped = run.stopped;
    if (!run.stopped && plan->predictions)
        status = copy_prediction(&out->said[RG_STORE_TEST], &task->fold->test, run.numbers,
                                 prepared, n, err);
    if (!status && !run.stopped && plan->predictions)
        status = copy_prediction(&out->said[RG_STORE_VALIDATION], &task->fold->validation,
                                 run.validation, prepared, n, err);
    for (uint32_t r = 0; !status && !run.stopped && r < n; r++) {
        out->runs[r].run = run.run;
        out->runs[r].run.number = task->job->first_run + r;
        out->runs[r].epochs = out->epochs;
    }
    if (!status && !run.stopped)
        rg_job_show(out, n);
    rg_baseline_run_free(&run);
    return status;
}
