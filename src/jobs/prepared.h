/* prepared.h - networks with their tables, and baselines on data: each built once and shared by the
 * jobs that need it. */
#ifndef REGULA_JOBS_PREPARED_H
#define REGULA_JOBS_PREPARED_H

#include "runner.h"
#include "train/train.h"

typedef struct rg_benches rg_benches;

/* Any number of threads may read it at once: all tables are kept, or built by each walk for itself.
 */
typedef struct rg_bench {
    rg_network *net; /* NULL: of a baseline */
    rg_samples *samples;
    rg_baseline_bench *baseline; /* NULL: of a network */
    double seconds;              /* that building took */
} rg_bench;

/* Which bench the job of a configuration on a fold works at: the same number, the same bench. O(1).
 */
size_t rg_benches_number(const rg_benches *benches, uint32_t configuration, uint32_t fold);
size_t rg_benches_size(const rg_benches *benches); /* numbers are below it */

/* plan and options are kept. out: owned (rg_benches_free). RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_benches_new(rg_benches **out, const rg_lab_plan *plan,
                                       const rg_lab_options *options, rg_error *err);
void rg_benches_free(rg_benches *benches); /* NULL is fine */

/* Jobs that are not over yet and need this bench, by whomever they are done: as long as there are
 * any it is kept. Processes that do not know what will come expect nothing. */
void rg_benches_expect(rg_benches *benches, uint32_t configuration, uint32_t fold);
void rg_benches_over(rg_benches *benches, uint32_t configuration, uint32_t fold);
/* A job comes: the bench is built if it is not there; others that want the same wait meanwhile.
 * Benches where no job is, and none is expected, make room for one that is built. A bench that
 * cannot be built says so to every job that wants it. *out: borrowed until the job leaves. */
RG_MUST_CHECK rg_status rg_benches_enter(const rg_bench **out, rg_benches *benches,
                                         uint32_t configuration, uint32_t fold, rg_error *err);
/* Also after rg_benches_enter has failed. */
void rg_benches_leave(rg_benches *benches, uint32_t configuration, uint32_t fold);

#endif
