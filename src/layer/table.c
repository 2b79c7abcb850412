/* table.c - the table of layers; see layer.h. */
#include "layer.h"

#include <assert.h>
#include <string.h>

#define ROW(word) &rg_layer_##word,
static const rg_layer_kind *const kinds[] = {RG_LAYERS(ROW)};
#undef ROW

#define ONE(word) +1
enum { N_KINDS = sizeof kinds / sizeof *kinds };
static_assert(N_KINDS == 0 RG_LAYERS(ONE), "every layer of RG_LAYERS is a row of the table");
#undef ONE

size_t rg_layer_n_kinds(void)
{
    return N_KINDS;
}

const rg_layer_kind *rg_layer_kind_at(size_t k)
{
    return kinds[k];
}

const rg_layer_kind *rg_layer_kind_find(const char *name)
{
    for (size_t k = 0; k < N_KINDS; k++)
        if (strcmp(kinds[k]->name, name) == 0)
            return kinds[k];
    return NULL;
}

size_t rg_net_per_key(const rg_net_layer *layer)
{
    return layer->full ? (size_t)layer->n_in * layer->n_out : layer->n_out;
}

size_t rg_net_n_weights(const rg_net_layer *layer)
{
    return layer->weight_rows * (layer->weight_cols ? layer->weight_cols : 1);
}
