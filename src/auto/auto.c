/* auto.c - see regula/auto.h. */
#include "auto.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"

#include <string.h>

RG_DEFINE_INIT(rg_auto_options, RG_AUTO_OPTIONS_INIT)

rg_status rg_network_auto(char **network, char **reasons, const rg_source *source,
                          const rg_fold *folds, size_t n_folds, const rg_auto_options *options,
                          rg_error *err)
{
    rg_auto_options own = rg_auto_options_default();
    rg_auto_facts facts = {.sample = NULL};
    rg_auto_plan plan;
    rg_text text = {0}, why = {0};
    rg_status status = RG_TAKE(rg_auto_options, &own, options, err);
    if (!status)
        status = rg_auto_look(&facts, source, folds, n_folds, &own, err);
    if (!status)
        status = rg_auto_choose(&plan, &facts, err);
    if (!status)
        rg_auto_write(&text, &why, &plan, &facts);
    rg_auto_facts_clear(&facts);
    char *first = status ? NULL : rg_text_take(&text), *second = status ? NULL : rg_text_take(&why);
    if (!status && (!first || !second))
        status = rg_fail_memory(err, "a network");
    if (!status) {
        rg_recipe *check = NULL; /* rules of one's own may be wrong */
        status = rg_recipe_parse(&check, "auto", first, strlen(first), err);
        rg_recipe_free(check);
    }
    if (!status) {
        *network = first;
        first = NULL;
    }
    if (!status && reasons) {
        *reasons = second;
        second = NULL;
    }
    rg_free(first);
    rg_free(second);
    return status;
}
