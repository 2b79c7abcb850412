/* optimiser.h - from gradients to the next parameters: Adam, AdamW, SGD with momentum.
 *
 * Parameters, gradients and both moments are flat arrays of n items, lanes side by side, that the
 * caller owns; nothing is allocated here. Semantics are those of torch.optim. Every lane has its
 * own learning rate and is clipped by its own norm, so that it goes the way of a run alone. */
#ifndef REGULA_TRAIN_OPTIMISER_H
#define REGULA_TRAIN_OPTIMISER_H

#include "math/kernels.h"
#include "regula/base.h"

typedef enum rg_method { RG_ADAM, RG_ADAMW, RG_SGD, RG_LAZY_ADAM } rg_method; /* lazy: lazy.h */

typedef struct rg_optimiser_options {
    rg_method method;
    double beta1, beta2, eps; /* Adam, AdamW; 0.9, 0.999, 1e-8: eps is outside of the root */
    double momentum;          /* SGD; 0.9 */
    double decay;             /* 0. Adam, SGD: g += decay w. AdamW: w -= lr decay w */
    double clip;              /* largest norm of a gradient over all parameters; 0: any */
} rg_optimiser_options;

rg_optimiser_options rg_optimiser_default(void);
/* RG_EUSAGE with the name of the option that is out of range. */
RG_MUST_CHECK rg_status rg_optimiser_check(const rg_optimiser_options *options, rg_error *err);

/* Parameters up to `end`, from where the part before ends, have a decay of their own. */
typedef struct rg_optimiser_part {
    size_t end;
    double decay;
} rg_optimiser_part;

/* What changes from step to step besides the moments. To go on with a run that was stopped: store
 * these and the moments. */
typedef struct rg_optimiser {
    rg_optimiser_options options;
    const rg_kernels *kernels;
    size_t n;            /* parameters of one lane */
    void *w, *g, *m, *v; /* [n][lanes], kept; m and v zero at first; v unused by SGD, may be NULL */
    uint64_t n_steps;    /* done so far */
    double power1, power2; /* beta1 and beta2 to the n_steps, as products: no pow() of a machine */
    const rg_optimiser_part *parts; /* kept; all n parameters, in order; NULL: all have one decay */
    size_t n_parts;
    double lr[RG_MAX_LANES]; /* of the step at hand */
} rg_optimiser;

/* Options must have passed the check. */
void rg_optimiser_begin(rg_optimiser *optimiser, const rg_optimiser_options *options,
                        const rg_kernels *kernels, size_t n, void *w, void *g, void *m, void *v);

/* One step with learning rate lr[lane]; leaves the gradient cleared. A lane whose norm is not
 * finite is clipped to what torch gives: its parameters become NaN, and the loss tells. Cost O(n
 * lanes). */
void rg_optimiser_step(rg_optimiser *optimiser, const double *lr);
/* The same in two: what holds for all parameters, then those first .. first + n - 1, which any
 * threads may share. */
rg_update rg_optimiser_next(rg_optimiser *optimiser, const double *lr);
void rg_optimiser_apply(const rg_optimiser *optimiser, const rg_update *update, size_t first,
                        size_t n);
/* What holds for a parameter: the update with the decay of its part. */
rg_update rg_optimiser_update(const rg_optimiser *optimiser, const rg_update *update, size_t at);

#endif
