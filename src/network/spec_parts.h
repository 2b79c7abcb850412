/* spec_parts.h - reading a network file, in parts. Each adds to a spec that rg_spec_free frees. */
#ifndef REGULA_NETWORK_SPEC_PARTS_H
#define REGULA_NETWORK_SPEC_PARTS_H

#include "layer/read.h"
#include "spec.h"

/* The values of the keys `labels`, `tables`, `input` and `layers`; the first two must be read before the others.
 * RG_EDATA, RG_EIO (a pattern in a file), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spec_read_labels(rg_spec *spec, const rg_yaml *node, rg_error *err);
RG_MUST_CHECK rg_status rg_spec_read_input(rg_spec *spec, const rg_yaml *node, rg_error *err);
RG_MUST_CHECK rg_status rg_spec_read_layers(rg_spec *spec, const rg_yaml *node, rg_error *err);

RG_MUST_CHECK rg_status rg_spec_read_tables(rg_spec *spec, const rg_yaml *node, rg_error *err);

/* Names that rules may use, of labelings and tables; how many. Borrowed from `spec`. */
size_t rg_spec_names(const rg_spec *spec, rg_rule_labeling known[RG_SPEC_NAMES_MAX]);
/* RG_EDATA if the last name that was read is none that rules can use, or is taken. */
RG_MUST_CHECK rg_status rg_spec_check_name(const rg_spec *spec, const rg_yaml *key, rg_error *err);

/* Words of the file, in the order of their enums. */
extern const char *const rg_task_words[];
extern const char *const rg_signal_words[];
enum { RG_N_TASKS = 6, RG_N_SIGNALS = 11 };

#endif
