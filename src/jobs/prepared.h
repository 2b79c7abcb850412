/* prepared.h - networks with their tables, and baselines on data: each built once and shared by the
 * jobs that need it. */
#ifndef REGULA_JOBS_PREPARED_H
#define REGULA_JOBS_PREPARED_H

#include "runner.h"
#include "train/train.h"

typedef struct rg_prepared_cache rg_prepared_cache;

/* Any number of threads may read it at once: all tables are kept, or built by each walk for itself.
 */
typedef struct rg_prepared {
    rg_network *net; /* NULL: of a baseline */
    rg_samples *samples;
    rg_baseline_prepared *baseline; /* NULL: of a network */
    double seconds;                 /* that building took */
} rg_prepared;

/* Which prepared the job of a configuration on a fold works at: the same number, the same prepared.
 * O(1).
 */
size_t rg_prepared_cache_number(const rg_prepared_cache *prepared_cache, uint32_t configuration,
                                uint32_t fold);
size_t rg_prepared_cache_size(const rg_prepared_cache *prepared_cache); /* numbers are below it */

/* plan and options are kept. out: owned (rg_prepared_cache_free). RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_prepared_cache_new(rg_prepared_cache **out, const rg_runner_plan *plan,
                                              const rg_runner_options *options, rg_error *err);
void rg_prepared_cache_free(rg_prepared_cache *prepared_cache); /* NULL is fine */

/* Jobs that are not over yet and need this prepared: as long as there are any it is kept. */
void rg_prepared_cache_expect(rg_prepared_cache *prepared_cache, uint32_t configuration,
                              uint32_t fold);
void rg_prepared_cache_over(rg_prepared_cache *prepared_cache, uint32_t configuration,
                            uint32_t fold);
/* A job comes: prepared data are built if they are not there; others that want the same wait
 * meanwhile. Benches where no job is, and none is expected, make room for one that is built. A
 * prepared that cannot be built says so to every job that wants it. *out: borrowed until the job
 * leaves. */
RG_MUST_CHECK rg_status rg_prepared_cache_enter(const rg_prepared **out,
                                                rg_prepared_cache *prepared_cache,
                                                uint32_t configuration, uint32_t fold,
                                                rg_error *err);
/* Also after rg_prepared_cache_enter has failed. */
void rg_prepared_cache_leave(rg_prepared_cache *prepared_cache, uint32_t configuration,
                             uint32_t fold);

#endif
