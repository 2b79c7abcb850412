/* masks.h - parts of nodes: which column of masks is which part of a fold. */
#ifndef REGULA_SPLIT_MASKS_H
#define REGULA_SPLIT_MASKS_H

#include "regula/split.h"

typedef enum rg_part_kind { RG_PART_OF_TRAIN, RG_PART_OF_VALIDATION, RG_PART_OF_TEST } rg_part_kind;

/* The column of node masks that is called train (or train_mask), validation (valid, val, ...) or test; of three
 * columns without names the first, second and third. NULL: there is none. Borrowed. O(columns). */
const uint8_t *rg_node_mask(const rg_dataset *data, rg_part_kind part);
/* The same by the word for the part; *out: NULL for NULL. RG_EUSAGE: no such word, no such mask. */
RG_MUST_CHECK rg_status rg_node_mask_find(const uint8_t **out, const rg_dataset *data,
                                          const char *part, rg_error *err);

#endif
