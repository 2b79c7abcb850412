/* layer_nets.h - network files that have, all together, every layer of the table in every form. */
#ifndef REGULA_TESTS_LAYER_LAYER_NETS_H
#define REGULA_TESTS_LAYER_LAYER_NETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct layer_net {
    const char *text; /* without training; for test_dataset_with_targets */
    bool batched;     /* its layers work on batches of graphs */
} layer_net;

size_t layer_nets_n(void);
const layer_net *layer_nets_at(size_t k);

#endif
