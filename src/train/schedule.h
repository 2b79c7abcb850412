/* schedule.h - the learning rate of each epoch. One state per lane: a plateau depends on its own
 * validation scores. */
#ifndef REGULA_TRAIN_SCHEDULE_H
#define REGULA_TRAIN_SCHEDULE_H

#include "regula/base.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum rg_schedule_kind {
    RG_CONSTANT,
    RG_STEP,   /* times `factor` every `every` epochs, while the rate is above `floor` */
    RG_COSINE, /* floor + (lr - floor) (1 + cos(pi epoch / epochs)) / 2 */
    RG_PLATEAU /* times `factor`, not below `floor`, after more than `patience` epochs in a row
                  without a better score; the count then begins again */
} rg_schedule_kind;

typedef struct rg_schedule_options {
    rg_schedule_kind kind;
    double lr;         /* of the first epoch */
    double factor;     /* 0.5 */
    double floor;      /* 1e-4; RG_COSINE: where it ends */
    uint32_t every;    /* 10 */
    uint32_t epochs;   /* RG_COSINE: the length of the run */
    uint32_t patience; /* 10 */
} rg_schedule_options;

/* A step schedule as the paper's program has it, lr 0.05, 50 epochs. */
rg_schedule_options rg_schedule_default(void);
RG_MUST_CHECK rg_status rg_schedule_check(const rg_schedule_options *options, rg_error *err);

/* Plain data, to be stored with a run. */
typedef struct rg_schedule {
    double lr;      /* of the epoch to come */
    double best;    /* best score so far */
    uint32_t epoch; /* the epoch to come, from 0 */
    uint32_t since; /* epochs since the best score, or since the rate was last lowered */
} rg_schedule;

void rg_schedule_begin(rg_schedule *schedule, const rg_schedule_options *options);

/* An epoch is over; `score`: higher is better (for a loss pass its negative), read by RG_PLATEAU
 * only. Updates schedule->lr. */
void rg_schedule_next(rg_schedule *schedule, const rg_schedule_options *options, double score);

#endif
