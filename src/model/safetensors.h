/* safetensors.h - the file of a model: tensors and texts in the layout of safetensors, which
 * Python's package of that name reads.
 *
 * What is written carries its own digest, has one form only and appears whole or not at all. What
 * is read is checked to the last byte before anything is handed out. */
#ifndef REGULA_MODEL_SAFETENSORS_H
#define REGULA_MODEL_SAFETENSORS_H

#include "tensors.h"

#include <stdbool.h>

#define RG_TENSORS_HEADER_MAX ((size_t)8 << 20) /* bytes; the tree in memory goes by them */

/* As the bytes of a file; the same content, the same bytes. *bytes: owned (rg_free). RG_EUSAGE
 * (names and texts beyond RG_TENSORS_HEADER_MAX), RG_ENOMEM. Cost: O(bytes), twice. */
RG_MUST_CHECK rg_status rg_tensors_encode(void **bytes, size_t *n, const rg_tensors *set,
                                          rg_error *err);
/* To a file, through base/file.h. RG_EUSAGE as above, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_tensors_write(const rg_tensors *set, const char *path, rg_error *err);

/* From the bytes of a file, which are copied. file: its name, for messages. If a digest is in it
 * the content must agree; need_digest: one must be in it, and then no byte can be damaged
 * unnoticed. out: owned (rg_tensors_free), untouched on failure. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_tensors_parse(rg_tensors **out, const char *file, const void *bytes,
                                         size_t n, bool need_digest, rg_error *err);
/* From a regular file of at most `max` bytes, which is in memory twice for a moment. RG_EDATA,
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_tensors_read(rg_tensors **out, const char *path, size_t max,
                                        bool need_digest, rg_error *err);

#endif
