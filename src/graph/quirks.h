/* quirks.h - messages about what a reader dropped or repaired. */
#ifndef REGULA_GRAPH_QUIRKS_H
#define REGULA_GRAPH_QUIRKS_H

#include "regula/dataset.h"

#include <stdbool.h>

/* Sentence k about what the loader did, "" if there was nothing of the kind; false past the last
 * one. */
bool rg_quirk_sentence(const rg_dataset *data, size_t k, char *out, size_t size);

#endif
