/* pass.h - one sample through a network, forward and back.
 *
 * A pass is the scratch of one thread: signals and gradients of the sample at hand, all lanes. It
 * is allocated once for the largest sample. Parameters, gradients: [n_params][lanes], the caller's.
 */
#ifndef REGULA_NETWORK_PASS_H
#define REGULA_NETWORK_PASS_H

#include "samples.h"

typedef struct rg_pass rg_pass;

/* most_rows: of the input of any sample. backward false: only forward passes will be asked for.
 * out: owned (rg_pass_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pass_new(rg_pass **out, const rg_network *net, const rg_kernels *kernels,
                                    uint32_t most_rows, bool backward, rg_error *err);
void rg_pass_free(rg_pass *pass); /* NULL is fine */

/* What dropout draws from; NULL in a forward pass that is no training: nothing is dropped. */
typedef struct rg_pass_draws {
    uint64_t seed[RG_MAX_LANES];
    uint64_t stream; /* of the epoch; layers take stream + layer */
} rg_pass_draws;

/* The outputs z, [n_outputs] or for nodes [n_nodes][n_outputs], lanes side by side. Borrowed: valid
 * until the next call. */
const void *rg_pass_forward(rg_pass *pass, const rg_sample *sample, const void *w,
                            const rg_pass_draws *draws);
/* Where the derivatives of the loss by the outputs go, same shape. */
void *rg_pass_gradient(rg_pass *pass);
/* After forward (with draws, if there is dropout) and with the gradient filled in: adds to the
 * gradient. The gradient is used up. */
void rg_pass_backward(rg_pass *pass, const rg_sample *sample, const void *w, void *g);

/* The signal that goes into layer `layer` (n_layers: the output) of the last forward pass:
 * [*rows][*channels], lanes side by side. NULL: the input, if it stands in the tables. Borrowed. */
const void *rg_pass_signal(const rg_pass *pass, size_t layer, uint32_t *rows, uint32_t *channels);

#endif
