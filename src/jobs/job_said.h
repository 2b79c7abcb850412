/* job_said.h - what the runs of a job say of the validation and the test set, and what is right there. */
#ifndef REGULA_JOBS_JOB_SAID_H
#define REGULA_JOBS_JOB_SAID_H

#include "network/samples.h"
#include "store/store.h"

/* Of one part. Ends with rg_job_said_free, however far it got. */
typedef struct rg_job_said {
    size_t n_rows, width;
    uint32_t *samples;         /* [row], owned */
    float *numbers;            /* [run][row][output], owned */
    uint16_t *classes;         /* [run][row], owned */
    uint16_t *right_classes;   /* [row], owned; NULL: targets are numbers */
    float *right_numbers;      /* [row][output], owned; NULL: targets are classes */
    rg_store_prediction *runs; /* [run], owned: views of the above */
    rg_store_prediction right; /* the same */
} rg_job_said;

/* Room for rows of a part, with classes for tasks that have them. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_job_said_new(rg_job_said *out, size_t n_runs, size_t n_rows,
                                        size_t width, rg_error *err);
void rg_job_said_free(rg_job_said *said);

/* Once samples and numbers are there: views, and the most probable classes (`classes`). copies: all runs said
 * what the first did. */
void rg_job_said_finish(rg_job_said *said, size_t n_runs, bool classes, bool copies);

/* What is right: classes by the number of a sample; or that of a network's samples. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_job_said_classes(rg_job_said *said, const rg_part *part,
                                            const uint32_t *classes, rg_error *err);
RG_MUST_CHECK rg_status rg_job_said_targets(rg_job_said *said, const rg_part *part,
                                            const rg_samples *samples, rg_error *err);

#endif
