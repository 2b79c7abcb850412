/* lazy.h - Adam that comes to a weight of a rule when a batch uses it.
 *
 * With unbounded labels a network has many more weights than a batch touches, and a pass over all of
 * them for every batch is most of the time. Two ways:
 *   exact   what a weight has missed is made up for before it is used, and at the end of an epoch for
 *           all: step after step, as Adam goes where the gradient is 0, in registers. The bits are
 *           those of a pass over all weights for every batch.
 *   lazy    `optimiser: lazy-adam`: weight and moments of what a batch does not use stay as they are.
 * Only weights of rules and of their biases wait; all others are in every batch. */
#ifndef REGULA_TRAIN_LAZY_H
#define REGULA_TRAIN_LAZY_H

#include "network/samples.h"
#include "optimiser.h"

typedef struct rg_lazy rg_lazy;

/* Does a training gain by the exact way, and may it? prunes: weights are dropped on the way. */
bool rg_lazy_pays(const rg_samples *samples, const rg_optimiser_options *options, uint32_t lanes,
                  size_t n_train, size_t n_batches, bool prunes);

/* optimiser: kept, with its arrays. n_batches: steps of an epoch at most. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_lazy_open(rg_lazy **out, const rg_network *net, rg_optimiser *optimiser,
                                     size_t n_batches, rg_error *err);
void rg_lazy_close(rg_lazy *lazy); /* NULL is fine */

/* At the start of an epoch. O(parameters) where the optimiser has the moments. */
void rg_lazy_begin(rg_lazy *lazy);
/* Before samples go forward: their weights are as they would be. O(entries of the samples). */
void rg_lazy_touch(rg_lazy *lazy, const rg_sample *samples, size_t n);
/* Instead of rg_optimiser_step: what was touched since the last step, and all that is no rule's. */
void rg_lazy_step(rg_lazy *lazy, const double *lr);
/* At the end of an epoch: all weights are as they would be. The exact way takes O(parameters), and goes
 * each through the steps it missed. */
void rg_lazy_finish(rg_lazy *lazy);
/* Between epochs, for others than the loop of training: the optimiser's moments are those of now, and
 * may be changed. O(parameters). */
void rg_lazy_give(rg_lazy *lazy);

#endif
