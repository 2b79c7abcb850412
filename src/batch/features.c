/* features.c - see features.h; network/signal.c fills them. */
#include "features.h"

#include "base/alloc.h"

void rg_features_free(rg_features *features)
{
    if (!features)
        return;
    rg_free(features->hot);
    rg_free(features->dense);
    rg_free(features->bands);
    rg_free(features);
}

uint64_t rg_features_bytes(const rg_features *features)
{
    return features->n_nodes *
           (features->n_hot * sizeof *features->hot + features->n_dense * sizeof *features->dense);
}
