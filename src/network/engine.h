/* engine.h - samples through a network, forward and back: the one engine of all layers.
 *
 * A pass is the scratch of one thread: signals and gradients of the samples at hand, all lanes. It
 * is allocated once for the largest samples. Parameters and gradients are the caller's: w has
 * n_params numbers, then the n_state that layers keep (running means of batch norms), g has n_params;
 * [number][lanes]. */
#ifndef REGULA_NETWORK_ENGINE_H
#define REGULA_NETWORK_ENGINE_H

#include "layer/pass.h"
#include "samples.h"

typedef struct rg_pass_options {
    uint32_t group;  /* samples that go through at once: of a network on batches; 0: one */
    bool backward;   /* not only forward passes */
    bool shares;     /* for explanations: double, one lane, every node has its own row */
} rg_pass_options;

/* samples: kept; any sample of them may come. out: owned (rg_pass_free). RG_EDATA (a batch with more
 * nodes than 32 bits count), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pass_new(rg_pass **out, const rg_samples *samples,
                                    const rg_kernels *kernels, const rg_pass_options *options,
                                    rg_error *err);
void rg_pass_free(rg_pass *pass); /* NULL is fine */

/* The outputs z of n samples one after another, [n_outputs] each or for nodes [n_nodes][n_outputs],
 * lanes side by side. n is 1 but for networks on batches, and at most the group of the options.
 * draws NULL: nothing is trained: nothing is dropped, norms use what they kept, w does not change.
 * samples: kept until the next call; the result is borrowed until then. */
const void *rg_pass_forward(rg_pass *pass, const rg_sample *samples, size_t n, void *w,
                            const rg_pass_draws *draws);
/* Where the derivatives of the loss by the outputs go, same shape. */
void *rg_pass_gradient(rg_pass *pass);
/* First number of sample k in the outputs. */
size_t rg_pass_output(const rg_pass *pass, size_t k);
/* After forward (with draws, if it is training) and with the gradient filled in: adds to the
 * gradient g. That of the outputs is used up. */
void rg_pass_backward(rg_pass *pass, void *g);

/* Signal v of the last forward pass (0: the input; k + 1: what layer k gives): [*rows][*channels],
 * lanes side by side. NULL: the input, if it stands in the tables. Borrowed. */
const void *rg_pass_signal(const rg_pass *pass, uint32_t v, uint32_t *rows, uint32_t *channels);

/* ---- explanations (explain/explain.h): passes with `shares` */

/* Sums of layer k before its activation, and what comes out of the layer that gives z. */
const double *rg_pass_sum(const rg_pass *pass, size_t k);
/* Shares of value v, and of the sums of layer k, after rg_pass_share. */
const double *rg_pass_value_share(const rg_pass *pass, uint32_t v);
const double *rg_pass_sum_share(const rg_pass *pass, size_t k);
/* From the sums of layer `last` back to the input; seed says how much of each number. Adds m(y) x of
 * every parameter to g. */
void rg_pass_share(rg_pass *pass, const double *seed, double *g);

#endif
