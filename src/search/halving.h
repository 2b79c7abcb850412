/* halving.h - the state of a search. */
#ifndef REGULA_SEARCH_HALVING_H
#define REGULA_SEARCH_HALVING_H

#include "jobs/runner.h"
#include "search.h"

/* An entry and what is expected of its cost, in seconds of the search's clock. */
typedef struct rg_search_cost {
    double fixed; /* labels and tables */
    double rate;  /* an epoch of one run on one fold */
} rg_search_cost;

typedef struct rg_search {
    const rg_source *source;
    const rg_splits *splits; /* with their test sets: only rg_search_final looks at them */
    rg_splits *blind;        /* without, owned */
    const rg_search_options *options;
    rg_search_result result;
    size_t capacity;
    rg_search_cost *costs; /* [entry], owned */
    size_t cost_capacity;
    uint32_t *folds;  /* 0, 1, 2, ..., owned */
    uint32_t *ranked; /* numbers of the entries of the last round, best first; owned */
    size_t n_ranked;
    double began;
    bool timed;
    double deadline; /* jobs under way at that time are dropped; seconds after `began` */
    rg_search_state state;
} rg_search;

/* Candidates of a batch, or of the final, while they are trained. */
typedef struct rg_search_batch {
    rg_search *search;
    rg_search_round level;
    const rg_splits *splits;
    const uint32_t *members; /* numbers of entries: configuration c is members[c] */
    size_t n;
    const bool *wanted; /* NULL: all jobs. [member][fold]: is it wanted? */
    /* Each member on a thread of its own: for short trainings, where building takes longest. Else
     * the threads share the jobs of one member after another. */
    bool each_alone;
    /* What came of it, owned: */
    rg_cells cells;
    double *seconds, *build; /* [member] of one processor, and in them building */
    rg_error *why;           /* [member]: message "" if nothing failed */
    bool whole;              /* no job was dropped */
} rg_search_batch;

double rg_search_now(const rg_search *s); /* seconds since it began */
/* Trains; the arrays of b are made here and freed by rg_search_batch_free. */
RG_MUST_CHECK rg_status rg_search_train(rg_search_batch *b, rg_error *err);
void rg_search_batch_free(rg_search_batch *b);
/* Epochs of single runs in a level. */
double rg_search_units(const rg_search_round *level);
/* Seconds that an entry is expected to take, with some margin. */
double rg_search_expected(const rg_search *s, uint32_t entry, const rg_search_round *level);

/* halving.c: all rounds; s->ranked is the order of the last. */
RG_MUST_CHECK rg_status rg_search_rounds(rg_search *s, rg_error *err);
/* final.c: the winner, and what folds choose among the finalists, with test sets. */
RG_MUST_CHECK rg_status rg_search_final(rg_search *s, rg_error *err);

/* Entry a before entry b: of a later round, a better score, a lower loss, a lower number. */
bool rg_search_before(const rg_search_result *result, const rg_search_entry *a,
                      const rg_search_entry *b);

#endif
