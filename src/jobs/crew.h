/* crew.h - the jobs of an experiment done by several processes, on one machine or many.
 *
 * Rank 0 leads: it has the store, hands out jobs and does some itself. The others read experiment,
 * data and splits themselves, connect to it (card.h), every thread for itself, and do one job after
 * another:
 *
 *     rank 0   WELCOME           JOB 17                      JOB 4              END
 *     another           HELLO            BEAT BEAT RESULT           RESULT
 *
 * A link that breaks, says what makes no sense or is silent for too long is closed, and its job is
 * handed out again. So a job is at one place at a time, what it comes to is put once, and rank 0
 * never waits for anybody. */
#ifndef REGULA_JOBS_CREW_H
#define REGULA_JOBS_CREW_H

#include "card.h"
#include "queue.h"

/* What all members must agree on. */
typedef struct rg_crew_identity {
    char experiment[RG_DIGEST_TEXT], data[RG_DIGEST_TEXT], splits[RG_DIGEST_TEXT];
} rg_crew_identity;

/* One process of a crew. */
typedef struct rg_crew {
    uint32_t rank, size;
    rg_card card;
    int listener;   /* rank 0: of rg_card_open */
    double silence; /* seconds until a silent member counts as gone; 0: 30 */
    /* Rank 0: told of members that are gone, one line without an end; may be NULL. */
    void (*say)(void *context, const char *line);
    void *context;
} rg_crew;

/* ---- rank 0 */

/* All kept. */
typedef struct rg_crew_lead {
    const rg_crew *crew;
    const rg_crew_identity *identity;
    const rg_store_job *jobs;
    size_t n_members; /* out: ranks that joined */
} rg_crew_lead;

/* The `help` of rg_runner_options; helper is an rg_crew_lead. Lets members go when the queue is
 * over. RG_ENOMEM, or what the queue says when a result is put. */
RG_MUST_CHECK rg_status rg_crew_lead_help(void *helper, rg_queue *queue, rg_error *err);

/* ---- the others */

typedef enum rg_crew_end {
    RG_CREW_DONE,    /* there is nothing left to do */
    RG_CREW_STOPPED, /* here, or by rank 0 */
    RG_CREW_LATE,    /* rank 0 was gone when this process came */
    RG_CREW_SILENT   /* rank 0 let it go: it was not heard of for too long */
} rg_crew_end;

typedef struct rg_crew_report {
    rg_crew_end end;
    size_t n_done; /* results sent */
} rg_crew_report;

/* Does jobs until rank 0 has no more. options: threads, memory, cache, baseline, stop. RG_EFAIL
 * (rank 0 refuses this process, cannot be reached, or died), RG_EDATA (it speaks another language),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_crew_work(rg_crew_report *out, const rg_crew *crew,
                                     const rg_crew_identity *identity, const rg_runner_plan *plan,
                                     const rg_store_job *jobs, size_t n_jobs,
                                     const rg_runner_options *options, rg_error *err);

#endif
