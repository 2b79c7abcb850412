/* recipe.h - a network file in memory. */
#ifndef REGULA_TRAIN_RECIPE_H
#define REGULA_TRAIN_RECIPE_H

#include "regula/model.h"
#include "settings.h"

struct rg_recipe {
    char *text;                       /* normal form, owned */
    size_t lines[RG_SPEC_LAYERS_MAX]; /* of the layers in the file, for messages */
    rg_settings settings;
    bool bins;    /* of rules, or numbers that are standardised: by the training part */
    bool batched; /* its layers work on batches: one run at a time */
};

/* From the tree of a file, which may have been put together from several. out: owned
 * (rg_recipe_free), untouched on failure. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_recipe_from_yaml(rg_recipe **out, const rg_yaml *root, rg_error *err);

/* A spec of the caller's own, to build a network from. Owned (rg_spec_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_recipe_spec(rg_spec **out, const rg_recipe *recipe, rg_error *err);

#endif
