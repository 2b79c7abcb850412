/* spec_parts.h - reading a network file, in parts. Each adds to a spec that rg_spec_free frees. */
#ifndef REGULA_NETWORK_SPEC_PARTS_H
#define REGULA_NETWORK_SPEC_PARTS_H

#include "spec.h"

/* The values of the keys `labels`, `input` and `layers`; labels must be read before the others.
 * RG_EDATA, RG_EIO (a pattern in a file), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_read_labels(rg_spec *spec, const rg_yaml *node, rg_error *err);
RG_MUST_CHECK rg_status rg_spec_read_input(rg_spec *spec, const rg_yaml *node, rg_error *err);
RG_MUST_CHECK rg_status rg_spec_read_layers(rg_spec *spec, const rg_yaml *node, rg_error *err);

/* What a stage below said of the text in this node, with the node's place before it. What is wrong
 * with the text (RG_EUSAGE) is RG_EDATA here; any other status stays. */
rg_status rg_spec_blame(const rg_yaml *node, rg_status status, const char *message, rg_error *err);

/* A key that may hold one thing or a list of things: how many there are, and the k-th. */
size_t rg_spec_n_things(const rg_yaml *node);
const rg_yaml *rg_spec_thing(const rg_yaml *node, size_t k);

/* Names that rules may use: known[0 .. n_labels-1]. Borrowed from `spec`. */
void rg_spec_names(const rg_spec *spec, rg_rule_labeling known[RG_SPEC_LABELS_MAX]);

/* Words of the file, in the order of their enums. */
extern const char *const rg_task_words[];
extern const char *const rg_signal_words[];
extern const char *const rg_activation_words[];
enum { RG_N_TASKS = 5, RG_N_SIGNALS = 7, RG_N_ACTIVATIONS = 5 };

#endif
