/* models.c - the key `model` of an experiment: baselines by name, or maps with their settings. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

static const char what[] =
    "a model such as majority, or a map with its settings such as {kind: majority}";

/* Puts a pair into a map under a copy of `key`, called `name` if that is not NULL. */
static rg_status put(rg_yaml *map, const rg_yaml *key, const char *name, const rg_yaml *value,
                     rg_error *err)
{
    rg_yaml *own_key = NULL, *own = NULL;
    rg_status status = rg_yaml_copy(&own_key, key, err);
    if (!status && name)
        status = rg_yaml_retext(own_key, name, false, NULL, err);
    if (!status)
        status = rg_yaml_copy(&own, value, err);
    if (!status)
        return rg_yaml_put(map, own_key, own, err);
    rg_yaml_free(own_key);
    return status;
}

/* "wl" is {model: wl}. */
static rg_status from_word(rg_yaml **out, const rg_yaml *word, rg_error *err)
{
    rg_yaml *tree = NULL;
    rg_status status = rg_yaml_new(&tree, rg_yaml_name(word), NULL, err);
    if (!status)
        status = put(tree, word, "model", word, err);
    if (status)
        rg_yaml_free(tree);
    else
        *out = tree;
    return status;
}

/* {name: a, kind: wl, c: 1} is {model: wl, c: 1}. */
static rg_status from_map(rg_yaml **out, const rg_yaml *map, rg_error *err)
{
    rg_yaml *tree = NULL;
    const rg_yaml *kind = rg_yaml_find(map, "kind"), *model = rg_yaml_find(map, "model");
    if (model || !kind)
        return rg_yaml_complain(model ? model : map, err,
                                "found %s, expected the key 'kind' with the name of a model",
                                model ? "the key 'model' inside of 'model'" : "no key 'kind'");
    rg_status status = rg_yaml_copy_empty(&tree, map, err);
    for (int first = 1; first >= 0; first--)
        for (size_t k = 0; k < rg_yaml_size(map) && !status; k++) {
            const rg_yaml *value = rg_yaml_item(map, k);
            if ((value == kind) == first && value != rg_yaml_find(map, "name"))
                status = put(tree, rg_yaml_key_node(map, k), first ? "model" : NULL, value, err);
        }
    if (status)
        rg_yaml_free(tree);
    else
        *out = tree;
    return status;
}

rg_status rg_draft_model(rg_yaml **out, const rg_yaml *node, rg_error *err)
{
    if (rg_yaml_kind_of(node) == RG_YAML_MAP)
        return from_map(out, node, err);
    const char *text = rg_yaml_text(node);
    if (!text || !rg_draft_is_line(text))
        return rg_yaml_expected(node, what, err);
    return from_word(out, node, err);
}

bool rg_draft_is_whole(const rg_baseline_kind *kind, const char *setting)
{
    for (const char *const *k = kind ? kind->lists : NULL; k && *k; k++)
        if (strcmp(*k, setting) == 0)
            return true;
    return false;
}

/* Beside the file that names it, else as an experiment's. Owned (rg_free). */
static rg_status find_file(char **out, const rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    char *folder = rg_path_directory(rg_yaml_name(node));
    char *path = folder ? rg_path_join(folder, rg_yaml_text(node)) : NULL;
    rg_free(folder);
    if (!path)
        return rg_fail_memory(err, "reading an experiment");
    if (draft->source->directory && rg_yaml_text(node)[0] != '/' && rg_path_exists(path)) {
        *out = path;
        return RG_OK;
    }
    rg_free(path);
    return rg_draft_path(out, draft, node, err);
}

rg_status rg_draft_inline(const rg_draft *draft, rg_draft_network *network, rg_error *err)
{
    rg_yaml *file = NULL;
    char *path = NULL;
    size_t k = 0, n = rg_yaml_size(network->tree);
    while (k < n && strcmp(rg_yaml_key(network->tree, k), "network") != 0)
        k++;
    const char *text = k < n ? rg_yaml_text(rg_yaml_item(network->tree, k)) : NULL;
    if (!text || strchr(text, '$') || !rg_draft_is_line(text) ||
        !rg_draft_is_whole(network->kind, "network"))
        return RG_OK;
    rg_status status = find_file(&path, draft, rg_yaml_item(network->tree, k), err);
    if (!status)
        status = rg_yaml_read(&file, path, err);
    if (!status)
        rg_yaml_replace(network->tree, k, file);
    rg_free(path);
    return status;
}
