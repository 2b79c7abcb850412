/* schedule.c - see schedule.h. */
#include "schedule.h"

#include "base/elementary.h"
#include "base/error.h"

#include <math.h>

rg_schedule_options rg_schedule_default(void)
{
    return (rg_schedule_options){.kind = RG_STEP,
                                 .lr = 0.05,
                                 .factor = 0.5,
                                 .floor = 1e-4,
                                 .every = 10,
                                 .epochs = 50,
                                 .patience = 10};
}

rg_status rg_schedule_check(const rg_schedule_options *options, rg_error *err)
{
    if (!(options->lr > 0 && options->lr < INFINITY))
        return rg_fail(err, RG_EUSAGE, "the learning rate is %g, expected a number above 0",
                       options->lr);
    if (!(options->factor > 0 && options->factor <= 1))
        return rg_fail(err, RG_EUSAGE, "the factor of the schedule is %g, expected 0 < factor <= 1",
                       options->factor);
    if (!(options->floor >= 0 && options->floor < INFINITY))
        return rg_fail(err, RG_EUSAGE, "the floor of the schedule is %g, expected 0 or more",
                       options->floor);
    if (options->kind == RG_STEP && options->every == 0)
        return rg_fail(err, RG_EUSAGE, "a step schedule needs a number of epochs above 0");
    if (options->kind == RG_COSINE && options->epochs == 0)
        return rg_fail(err, RG_EUSAGE, "a cosine schedule needs the number of epochs of the run");
    return RG_OK;
}

void rg_schedule_begin(rg_schedule *schedule, const rg_schedule_options *options)
{
    *schedule = (rg_schedule){.lr = options->lr, .best = -INFINITY, .epoch = 0, .since = 0};
}

static double cosine_at(const rg_schedule_options *options, uint32_t epoch)
{
    if (epoch >= options->epochs)
        return options->floor;
    double half = 0.5 * (1 + rg_cos_turns(0.5 * epoch / options->epochs));
    return options->floor + (options->lr - options->floor) * half;
}

static void plateau_next(rg_schedule *schedule, const rg_schedule_options *options, double score)
{
    if (score > schedule->best) {
        schedule->best = score;
        schedule->since = 0;
        return;
    }
    if (++schedule->since <= options->patience)
        return;
    schedule->since = 0;
    double lower = schedule->lr * options->factor;
    if (lower < options->floor)
        lower = options->floor;
    if (lower < schedule->lr)
        schedule->lr = lower;
}

void rg_schedule_next(rg_schedule *schedule, const rg_schedule_options *options, double score)
{
    schedule->epoch++;
    switch (options->kind) {
    case RG_CONSTANT:
        break;
    case RG_STEP:
        if (schedule->epoch % options->every == 0 && schedule->lr > options->floor)
            schedule->lr *= options->factor;
        break;
    case RG_COSINE:
        schedule->lr = cosine_at(options, schedule->epoch);
        break;
    case RG_PLATEAU:
        plateau_next(schedule, options, score);
        break;
    }
}
