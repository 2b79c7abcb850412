/* contender.c - see contender.h. */
#include "contender.h"

#include "base/alloc.h"
#include "base/error.h"
#include "train/recipe.h"

rg_status rg_contender_from_yaml(rg_contender *out, const rg_yaml *root, rg_error *err)
{
    rg_contender contender = {NULL, NULL};
    rg_status status = rg_baseline_is(root) ? rg_baseline_from_yaml(&contender.baseline, root, err)
                                            : rg_recipe_from_yaml(&contender.recipe, root, err);
    if (!status && contender.baseline)
        status = rg_baseline_recipe(&contender.recipe, contender.baseline, err);
    if (status)
        rg_contender_free(&contender);
    else
        *out = contender;
    return status;
}

rg_status rg_contender_parse(rg_contender *out, const char *name, const char *text, size_t n,
                             rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, name, text, n, err);
    if (!status)
        status = rg_contender_from_yaml(out, root, err);
    rg_yaml_free(root);
    return status;
}

void rg_contender_free(rg_contender *contender)
{
    rg_recipe_free(contender->recipe);
    rg_baseline_free(contender->baseline);
    *contender = (rg_contender){NULL, NULL};
}

const char *rg_contender_text(const rg_contender *contender)
{
    return contender->baseline ? rg_baseline_text(contender->baseline)
                               : rg_recipe_text(contender->recipe);
}

uint32_t rg_contender_epochs(const rg_contender *contender)
{
    return contender->recipe ? rg_recipe_epochs(contender->recipe)
                             : rg_baseline_epochs(contender->baseline);
}

bool rg_contender_is_fixed(const rg_contender *contender)
{
    return !contender->recipe && rg_baseline_is_fixed(contender->baseline);
}

/* Numbers in tables are of the precision that the network trains in. */
static rg_status add_network(rg_text *out, const rg_recipe *recipe, rg_error *err)
{
    rg_spec *spec = NULL;
    char *text = NULL;
    rg_status status = rg_recipe_spec(&spec, recipe, err);
    if (!status)
        status = rg_spec_print(&text, spec, err);
    if (!status)
        rg_text_add(out, "%d\n%s", (int)recipe->settings.precision, text);
    rg_spec_free(spec);
    rg_free(text);
    return status;
}

rg_status rg_contender_prepared_text(char **out, const rg_contender *contender, rg_error *err)
{
    rg_text text = {0};
    rg_status status = RG_OK;
    if (contender->recipe)
        status = add_network(&text, contender->recipe, err);
    else
        rg_text_add(&text, "%s", rg_baseline_prepared_text(contender->baseline));
    char *all = rg_text_take(&text);
    if (status || !all) {
        rg_free(all);
        return status ? status : rg_fail_memory(err, "an experiment");
    }
    *out = all;
    return RG_OK;
}
