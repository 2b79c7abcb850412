/* job_baseline.c - the runs of a job on a baseline: one, or several with the same result. */
#include "base/alloc.h"
#include "base/error.h"
#include "job_parts.h"

#include <string.h>

static rg_status copy_prediction(rg_job_work *w, const rg_part *test, size_t width, rg_error *err)
{
    size_t rows = test->n;
    w->samples = rg_alloc(rows, sizeof *w->samples);
    w->classes = rg_alloc(rows, sizeof *w->classes);
    if (!w->samples || !w->classes)
        return rg_fail_memory(err, "the predictions of a job");
    if (rows)
        memcpy(w->samples, test->graphs, rows * sizeof *w->samples);
    rg_job_classes(w->classes, w->numbers, rows, width);
    return RG_OK;
}

rg_status rg_job_baseline(rg_job_work *out, const rg_job_task *task, rg_error *err)
{
    const rg_runner_plan *plan = task->room->plan;
    const rg_runner_options *options = task->room->options;
    const rg_part *test = &task->fold->test;
    size_t width = rg_baseline_prepared_classes(task->prepared->baseline);
    bool said = plan->predictions && test->n > 0 && width <= UINT16_MAX;
    rg_baseline_wish wish = {.fold = task->fold,
                             .seed = plan->seed,
                             .number = task->job->first_run,
                             .numbers = said,
                             .metric = plan->metric,
                             .stop = options->stop,
                             .context = options->context};
    rg_baseline_run run = {.numbers = NULL};
    rg_status status = rg_baseline_train(&run, plan->contenders[task->job->configuration].baseline,
                                         task->prepared->baseline, &wish, err);
    if (status)
        return status;
    out->epochs = run.epochs; /* both are the job's now */
    out->numbers = run.numbers;
    out->stopped = run.stopped;
    if (!run.stopped && said)
        status = copy_prediction(out, test, width, err);
    for (uint32_t r = 0; !status && !run.stopped && r < task->job->n_runs; r++) {
        out->runs[r].run = run.run;
        out->runs[r].run.number = task->job->first_run + r;
        out->runs[r].epochs = out->epochs;
        out->said[r] = (rg_store_prediction){.n_rows = test->n,
                                             .width = width,
                                             .samples = out->samples,
                                             .classes = out->classes,
                                             .numbers = out->numbers};
        out->runs[r].prediction = said ? &out->said[r] : NULL;
    }
    return status;
}
