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
    uint32_t group; /* samples that go through at once: of a network on batches; 0: one */
    bool follows;   /* of several parts of a batch, not the first: it moves no states */
    bool backward;  /* not only forward passes */
    bool shares;    /* for explanations: double, one lane, every node has its own row */
} rg_pass_options;

/* samples: kept; any sample of them may come. out: owned (rg_pass_free). RG_EDATA (a batch with more
 * nodes than 32 bits count), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pass_new(rg_pass **out, const rg_samples *samples,
                                    const rg_kernels *kernels, const rg_pass_options *options,
                                    rg_error *err);
void rg_pass_free(rg_pass *pass); /* NULL is fine */

/* Takes the next samples of a walk, at most `most` and as many as go through at once: *n of them,
 * borrowed from the pass. *n is 0 at the end. RG_EFAIL, RG_ENOMEM, RG_EDATA. */
RG_MUST_CHECK rg_status rg_pass_take(const rg_sample **out, size_t *n, rg_pass *pass, rg_walk *walk,
                                     size_t most, rg_error *err);

/* The outputs z of n samples one after another, [n_outputs] each or for nodes [n_nodes][n_outputs],
 * lanes side by side. n is 1 but for networks on batches, and at most the group of the options.
 * draws NULL: nothing is trained: nothing is dropped, norms use what they kept, w does not change.
 * samples: kept until the next call; the result is borrowed until then. */
const void *rg_pass_forward(rg_pass *pass, const rg_sample *samples, size_t n, void *w,
                            const rg_pass_draws *draws);
/* Where the derivatives of the loss by the outputs go, same shape. */
void *rg_pass_gradient(rg_pass *pass);
/* First number of sample k in the outputs; k = n: how many there are. */
size_t rg_pass_output(const rg_pass *pass, size_t k);
/* After forward (with draws, if it is training) and with the gradient filled in: adds to the
 * gradient g. That of the outputs is used up. */
void rg_pass_backward(rg_pass *pass, void *g);

/* The same step by step, for the parts of a batch, each in a pass of its own. Begin; then advance
 * (or retreat) all passes until they return false, which all do at once; whenever they return true,
 * each has n sums (rg_pass_sums) of its own part, which are to become those of all parts. */
void rg_pass_begin(rg_pass *pass, const rg_sample *samples, size_t n, void *w,
                   const rg_pass_draws *draws);
bool rg_pass_advance(rg_pass *pass);
void rg_pass_begin_back(rg_pass *pass, void *g);
bool rg_pass_retreat(rg_pass *pass);
double *rg_pass_sums(const rg_pass *pass, size_t *n);
/* The outputs, after the last step. */
const void *rg_pass_outputs(const rg_pass *pass);

/* Signal v of sample k of the last forward pass (0: the input; j + 1: what layer j gives), as
 * doubles: [rows][channels], lane 0. The input must not stand in the tables. */
void rg_pass_signal(double *out, const rg_pass *pass, uint32_t v, size_t k);
size_t rg_pass_signal_rows(const rg_pass *pass, uint32_t v, size_t k);

/* ---- explanations (explain/explain.h): passes with `shares` */

/* Sums of layer k before its activation, and what comes out of the layer that gives z. */
const double *rg_pass_sum(const rg_pass *pass, size_t k);
/* Shares of value v, and of the sums of layer k, after rg_pass_share. */
const double *rg_pass_value_share(const rg_pass *pass, uint32_t v);
const double *rg_pass_sum_share(const rg_pass *pass, size_t k);
/* What the activation of layer k adds of its own, f(0), by the shares of its value. */
double rg_pass_offset_share(const rg_pass *pass, size_t k);
/* From the sums of layer `last` back to the input, of one sample; seed says how much of each number.
 * Adds m(y) x of every parameter to g. `each` is called before and after what a layer hands to its
 * inputs. */
typedef void (*rg_share_visit)(void *context, size_t layer, bool after);
void rg_pass_share(rg_pass *pass, const double *seed, double *g, rg_share_visit each,
                   void *context);

#endif
