/* batch_parts.h - a batch in parts: how threads share one model, with the same bits for any number of them.
 *
 * A sample belongs for good to part rg_batch_part_of(its number). Each part has a pass and a gradient of its
 * own and goes through its samples in the order of the batch; then the gradients meet in one fixed tree,
 *   g[p] += g[p + s]  for s = 1, 2, 4, ... and every p that 2 s divides,
 * number by number, and so do the sums of layers that look at the whole batch. Which thread does
 * what changes nothing. (Processes may share the same parts: rank r of N would own those with
 * p mod N = r.) With one part nothing of this happens: a batch is what it is. */
#ifndef REGULA_TRAIN_BATCH_PARTS_H
#define REGULA_TRAIN_BATCH_PARTS_H

#include "base/pool.h"
#include "lazy.h"
#include "measure.h"
#include "optimiser.h"

/* One part of the batch at hand. */
typedef struct rg_batch_part {
    rg_pass *pass;  /* owned */
    uint32_t group; /* samples that the pass takes at once */
    rg_walk walk;
    void *g;    /* [n][lanes]; owned but for part 0, whose gradient is the trainer's */
    size_t end; /* of its samples in the batch; they begin where those of the part before end */
    rg_tally tally;
    const rg_sample *samples; /* taken from the walk */
    size_t n_samples;
    bool more; /* its pass waits for sums of all parts */
} rg_batch_part;

typedef struct rg_batch_parts {
    rg_samples *samples;
    const rg_kernels *kernels;
    const rg_measure *measure;
    const void *mask; /* of the parameters; NULL: none */
    rg_lazy *lazy;    /* kept; NULL: every step is for all parameters. With one part only */
    size_t n_params;
    size_t n; /* parts */
    rg_batch_part *part;
    rg_pool *pool;            /* NULL: one thread */
    uint32_t *scratch, *list; /* [longest list] */
} rg_batch_parts;

typedef struct rg_batch_parts_options {
    uint32_t parts;            /* 0: as rg_batch_parts_auto says */
    uint32_t group;            /* samples of a batch at most */
    size_t n_train, n_longest; /* samples of the training set, and of the longest list */
    unsigned n_threads;        /* 0: all processors */
} rg_batch_parts_options;

/* Parts that `auto` stands for: a few batches' worth of samples each, never by the machine. */
uint32_t rg_batch_parts_auto(size_t n_train);
/* The part of a sample, below n. */
uint32_t rg_batch_part_of(size_t sample, size_t n);

/* Begins as {0}; everything but out is kept. g: the gradient. RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_batch_parts_open(rg_batch_parts *out, rg_samples *samples,
                                            const rg_kernels *kernels, const rg_measure *measure,
                                            const void *mask, void *g,
                                            const rg_batch_parts_options *options, rg_error *err);
void rg_batch_parts_close(rg_batch_parts *parts);

/* An epoch of n_batches batches begins: batch b has the samples up to order[rg_batch_end(..., b)]. order:
 * kept; inside of each batch it will be sorted by part. Passes grow if a part has more samples in one
 * batch than ever before. RG_ENOMEM. */
size_t rg_batch_end(size_t n, size_t n_batches, size_t b);
RG_MUST_CHECK rg_status rg_batch_parts_begin(rg_batch_parts *parts, uint32_t *order, size_t n,
                                             size_t n_batches, rg_error *err);
/* The batch order[from .. to-1]: gradients of all parts added up in that of part 0, times the mask,
 * unless no sample has a target: *weight is 0 then. Adds to the tally. */
RG_MUST_CHECK rg_status rg_batch_parts_learn(rg_tally *tally, double *weight, rg_batch_parts *parts,
                                             uint32_t *order, size_t from, size_t to, void *w,
                                             const rg_pass_draws *draws, rg_error *err);
/* A step of the optimiser, its parameters shared among the threads. */
void rg_batch_parts_step(rg_batch_parts *parts, rg_optimiser *optimiser, const double *lr);
/* As rg_measure_list, its samples shared among the parts. */
RG_MUST_CHECK rg_status rg_batch_parts_measure(rg_tally *out, rg_batch_parts *parts, void *w,
                                               const uint32_t *list, size_t n, rg_error *err);

#endif
