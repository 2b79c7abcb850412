/* search.h - search for the best rule, by validation scores only.
 *
 * Successive halving: many candidates (candidate.h) are trained for a few epochs on a few folds;
 * the best of them go on to the next round, with more folds and epochs, and the last round is the
 * full training of a handful. All rounds work on splits whose test sets were taken out, so that
 * nothing that is chosen can depend on them. Only then are the winner, and what each fold would
 * choose among the finalists, trained with the test sets there.
 *
 * Time decides how many candidates there are in a round, and nothing else: with the same numbers of
 * candidates, seed and seconds the results have the same bits. */
#ifndef REGULA_SEARCH_SEARCH_H
#define REGULA_SEARCH_SEARCH_H

#include "candidate.h"
#include "regula/model.h"
#include "results/protocol.h"

enum { RG_SEARCH_ROUNDS = 4, RG_SEARCH_CANDIDATES_MAX = 400 };

/* How thoroughly a candidate is looked at, and what came of it. */
typedef struct rg_search_round {
    uint32_t n_folds, epochs, n_runs;
    size_t n_candidates; /* 0: there was no time for it, or nothing to compare */
    double seconds;
} rg_search_round;

typedef struct rg_search_entry {
    uint32_t number; /* of the candidate, from 0 */
    rg_candidate candidate;
    uint32_t round;               /* the last it was in, from 1 */
    double mean, deviation, loss; /* on the validation sets of that round; mean NaN: it failed */
    double first;                 /* mean of the first round */
    uint64_t n_weights;           /* parameters */
    double seconds;               /* that its last round took, of one processor */
    char *line;                   /* the rule in one line, owned */
    char *message;                /* why it failed; NULL: it did not */
    double *validation;           /* [fold] of its last round, then [fold] of losses; owned */
} rg_search_entry;

/* What a choice brings: mean score in round 1 of candidates with it, and of those that chose
 * otherwise on that axis. */
typedef struct rg_search_effect {
    const char *axis, *choice;
    size_t n_with, n_without;
    double with, without;
} rg_search_effect;

/* What the test sets say, once everything is chosen. */
typedef struct rg_search_test {
    rg_protocol protocol;
    size_t n_folds;         /* that were tested; 0: there was no time */
    double mean, deviation; /* over the folds */
    double validation;
} rg_search_test;

typedef struct rg_search_result {
    rg_candidate_space space;
    rg_search_entry *entries; /* n_entries, owned: the best first */
    size_t n_entries, n_failed;
    rg_search_effect *effects; /* owned */
    size_t n_effects;
    rg_search_round rounds[RG_SEARCH_ROUNDS];
    rg_search_round final;    /* of the winner, with the test sets */
    rg_search_test winner;    /* global: the candidate that is best over all folds */
    rg_search_test finalists; /* fair: in every fold that of the last round that is best there */
    size_t n_finalists;       /* 1: both are the same */
    rg_metric metric;         /* of the scores */
    bool stopped;
    double seconds;
} rg_search_result;

typedef struct rg_search_state {
    uint32_t round;        /* from 1; RG_SEARCH_ROUNDS + 1: the test */
    size_t n_done, n_left; /* candidates of the round; in the first n_left is a guess */
    double best;           /* mean validation score of the best so far; NaN: none yet */
    rg_metric metric;      /* of the scores */
    double seconds, left;  /* until it is over at the latest; negative: not known */
} rg_search_state;

typedef struct rg_search_options {
    double seconds;          /* to be over in; also bounds the size of what is tried */
    double late;             /* seconds of them that are over already */
    uint64_t seed;           /* of candidates and of training */
    uint32_t epochs, n_runs; /* of full training */
    rg_metric
        metric; /* what candidates are compared by; DEFAULT: accuracy or mean absolute error */
    /* Not all 0: so many candidates in each round, whatever the time. */
    size_t n_candidates[RG_SEARCH_ROUNDS];
    unsigned n_threads; /* 0: all processors */
    uint64_t memory;
    const char *cache;
    rg_cpu cpu;
    double (*now)(void *context); /* seconds, from any thread; NULL: the clock */
    void (*progress)(void *context, const rg_search_state *state); /* may be NULL; one at a time */
    int (*stop)(void *context); /* may be NULL; from any thread: ends it with what there is */
    void *context;
} rg_search_options;

rg_search_options rg_search_options_default(void);

/* out: ends with rg_search_free; untouched on failure. RG_EUSAGE (not graphs, no validation set),
 * RG_EFAIL (time was over before one candidate was done, or none could be trained), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_search_run(rg_search_result *out, const rg_source *source,
                                      const rg_splits *splits, const rg_search_options *options,
                                      rg_error *err);
void rg_search_free(rg_search_result *result);

/* The winner as an experiment file; its protocol is the one it was chosen by. data: as users name
 * it; splits: a file, or NULL. Owned (rg_free). RG_ENOMEM, RG_EDATA (a name that no file can have).
 */
RG_MUST_CHECK rg_status rg_search_experiment(char **out, const rg_search_result *result,
                                             const char *name, const char *data, const char *splits,
                                             const rg_search_options *options, rg_error *err);

#endif
