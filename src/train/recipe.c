/* recipe.c - a network file as users of the library hold it. */
#include "recipe.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

/* From parts that are owned: `spec` is freed, the text stays. */
static rg_status recipe_new(rg_recipe **out, rg_spec *spec, const rg_settings *settings,
                            rg_error *err)
{
    rg_recipe *recipe = rg_alloc_zero(1, sizeof *recipe);
    rg_status status = recipe ? rg_network_file_print(&recipe->text, spec, settings, err)
                              : rg_fail_memory(err, "a recipe");
    for (size_t k = 0; recipe && k < spec->n_layers; k++)
        recipe->lines[k] = spec->layers[k].line;
    if (recipe) {
        recipe->batched = rg_specs_batched(spec->layers, spec->n_layers);
        recipe->bins = spec->bins || spec->standardise;
    }
    rg_spec_free(spec);
    if (status) {
        rg_recipe_free(recipe);
        return status;
    }
    recipe->settings = *settings;
    *out = recipe;
    return RG_OK;
}

rg_status rg_recipe_read(rg_recipe **out, const char *path, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    rg_status status = rg_network_file_read(&spec, &settings, path, err);
    return status ? status : recipe_new(out, spec, &settings, err);
}

rg_status rg_recipe_parse(rg_recipe **out, const char *name, const char *text, size_t n,
                          rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    rg_status status = rg_network_file_parse(&spec, &settings, name, text, n, err);
    return status ? status : recipe_new(out, spec, &settings, err);
}

rg_status rg_recipe_from_yaml(rg_recipe **out, const rg_yaml *root, rg_error *err)
{
    rg_spec *spec = NULL;
    rg_settings settings;
    rg_status status = rg_network_file_from_yaml(&spec, &settings, root, err);
    return status ? status : recipe_new(out, spec, &settings, err);
}

void rg_recipe_free(rg_recipe *recipe)
{
    if (!recipe)
        return;
    rg_free(recipe->text);
    rg_free(recipe);
}

const char *rg_recipe_text(const rg_recipe *recipe)
{
    return recipe->text;
}

uint32_t rg_recipe_epochs(const rg_recipe *recipe)
{
    return recipe->settings.epochs;
}

rg_status rg_recipe_spec(rg_spec **out, const rg_recipe *recipe, rg_error *err)
{
    rg_settings ignored;
    rg_status status =
        rg_network_file_parse(out, &ignored, "network", recipe->text, strlen(recipe->text), err);
    for (size_t k = 0; !status && k < (*out)->n_layers; k++)
        (*out)->layers[k].line = recipe->lines[k];
    return status;
}

rg_metric rg_recipe_metric(const rg_recipe *recipe)
{
    return recipe->settings.metric;
}
