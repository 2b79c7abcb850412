/* transfer.h - start values from a model of other data: what means the same.
 *
 * Keys are compared by their words, not by their numbers: labels by what their labeling says of a node, values of
 * the data files by their names, classes likewise. A weight is taken if its layer, rule and key mean in the new network
 * what they mean in the model, and so do the channels that it reads and writes; all others start as they would. */
#ifndef REGULA_TRANSFER_TRANSFER_H
#define REGULA_TRANSFER_TRANSFER_H

#include "model/model.h"
#include "regula/model.h"

/* start[n_params + n_state]: the value to begin with, NaN: none. Calls o->started. RG_EDATA (graphs and arrays),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_transfer(double *start, const rg_network *net, const rg_train_options *o,
                                    rg_error *err);

#endif
