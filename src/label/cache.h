/* cache.h - counts that were expensive, kept on disk for the next time.
 *
 * An entry holds the numbers of one labeling that counts, for all nodes of one set.
 * Its name is the SHA-256 of all that they depend on: content of the set, the spec without its
 * bound on labels, the budget, and the version of the counters. What cannot be read, written or
 * trusted is as if it were not there; only a lack of memory is an error. */
#ifndef REGULA_LABEL_CACHE_H
#define REGULA_LABEL_CACHE_H

#include "labeling.h"

/* Is this labeling, by itself, worth an entry? */
bool rg_cache_wants(const rg_label_spec *spec);

/* *found: the numbers were there and are in out[node * dims + d], and capped graphs are marked in
 * the frame. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_cache_load(bool *found, int64_t *out, const rg_label_spec *spec,
                                      const rg_label_frame *frame, rg_error *err);
/* Keeps the numbers, if they are those of all graphs. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_cache_store(const int64_t *numbers, const rg_label_spec *spec,
                                       const rg_label_frame *frame, rg_error *err);

#endif
