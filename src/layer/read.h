/* read.h - pieces of network files: what the files of layers and of networks share. */
#ifndef REGULA_LAYER_READ_H
#define REGULA_LAYER_READ_H

#include "layer.h"

/* What a room above said of the text in this node, with the node's place before it. What is wrong
 * with the text (RG_EUSAGE) is RG_EDATA here; any other status stays. */
rg_status rg_spec_blame(const rg_yaml *node, rg_status status, const char *message, rg_error *err);

/* A key that may hold one thing or a list of things: how many there are, and the k-th. */
size_t rg_spec_n_things(const rg_yaml *node);
const rg_yaml *rg_spec_thing(const rg_yaml *node, size_t k);

/* A width, 1..RG_SPEC_CHANNELS_MAX; node NULL: left as it is. */
RG_MUST_CHECK rg_status rg_layer_read_width(rg_layer_spec *layer, const rg_yaml *node,
                                            const char *what, rg_error *err);

extern const char *const rg_activation_words[];
enum { RG_N_ACTIVATIONS = 9 };

#endif
