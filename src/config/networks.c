/* networks.c - the networks of an experiment: files that it names, or maps in it. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "train/settings.h"

#include <string.h>

enum { NETWORKS_MAX = 1000 };

rg_status rg_draft_path(char **out, const rg_draft *draft, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node), *directory = draft->source->directory;
    if (!directory)
        return rg_yaml_expected(node, "a map, as files cannot be read here", err);
    char *path = text[0] == '/' ? rg_copy_text(text, strlen(text)) : rg_path_join(directory, text);
    if (path && !rg_path_exists(path) && rg_path_exists(text)) {
        rg_free(path);
        path = rg_copy_text(text, strlen(text));
    }
    if (!path)
        return rg_fail_memory(err, "reading an experiment");
    if (!rg_path_exists(path)) {
        rg_yaml_complain(node, err, "cannot find '%s'", path);
        rg_free(path);
        return RG_EIO;
    }
    *out = path;
    return RG_OK;
}

static rg_status keep_name(rg_draft_network *network, const char *text, rg_error *err)
{
    network->name = rg_copy_text(text, strlen(text));
    return network->name ? RG_OK : rg_fail_memory(err, "reading an experiment");
}

static rg_status read_file(rg_draft_network *network, const rg_draft *draft, const rg_yaml *node,
                           rg_error *err)
{
    char *path = NULL;
    rg_error inner = {""};
    rg_status status = rg_draft_path(&path, draft, node, err);
    if (status)
        return status;
    status = rg_yaml_read(&network->tree, path, &inner);
    rg_free(path);
    if (status == RG_EIO) {
        rg_yaml_complain(node, err, "%s", inner.message);
        return status;
    }
    return status ? rg_fail(err, status, "%s", inner.message)
                  : keep_name(network, rg_yaml_text(node), err);
}

/* A map in the experiment file may have the key `name`, which a network file has not. */
static rg_status own_name(const rg_yaml **out, const rg_yaml *map, rg_error *err)
{
    const rg_yaml *name = rg_yaml_find(map, "name");
    if (name && (!rg_yaml_text(name) || !rg_draft_is_line(rg_yaml_text(name))))
        return rg_yaml_expected(name, "a name for tables", err);
    *out = name;
    return RG_OK;
}

static rg_status read_network(rg_draft_network *network, const rg_draft *draft, const rg_yaml *node,
                              rg_error *err)
{
    static const char what[] = "a network file or a map such as in one";
    const char *text = rg_yaml_text(node);
    if (rg_yaml_kind_of(node) == RG_YAML_MAP || draft->models) {
        const rg_yaml *name = NULL;
        rg_status status = own_name(&name, node, err);
        if (!status)
            status = draft->models ? rg_draft_model(&network->tree, node, err)
                                   : rg_yaml_copy(&network->tree, node, err);
        if (!status && name) {
            rg_yaml_remove(network->tree, "name");
            status = keep_name(network, rg_yaml_text(name), err);
        }
        return status;
    }
    if (!text || !rg_draft_is_line(text))
        return rg_yaml_expected(node, what, err);
    rg_status status = read_file(network, draft, node, err);
    if (!status && rg_yaml_kind_of(network->tree) != RG_YAML_MAP)
        status = rg_yaml_expected(network->tree, "a network: a map with the key layers", err);
    return status;
}

/* A method of a comparison stands in tables and in the choices of its configurations: its name is
 * that of its file without the ending, and has no blanks. */
static rg_status name_method(rg_draft_network *network, const rg_yaml *node, bool file,
                             rg_error *err)
{
    static const char *const endings[] = {".yml", ".yaml"};
    if (!network->name)
        return RG_OK; /* name_alternative gives it one */
    if (file) {
        char *name = rg_copy_text(rg_path_name(network->name), strlen(rg_path_name(network->name)));
        if (!name)
            return rg_fail_memory(err, "reading an experiment");
        rg_free(network->name);
        network->name = name;
        size_t n = strlen(name);
        for (size_t k = 0; k < 2; k++) {
            size_t ending = strlen(endings[k]);
            if (n > ending && strcmp(name + n - ending, endings[k]) == 0) {
                name[n - ending] = '\0';
                break;
            }
        }
        for (char *c = name; *c; c++)
            *c = *c == ' ' ? '-' : *c;
    }
    return strchr(network->name, ' ')
               ? rg_yaml_complain(node, err, "found the name '%s', expected one without blanks",
                                  network->name)
               : RG_OK;
}

/* A word is a model by its name, or a network file; a map with the key `kind` is a model too. */
static rg_status read_method(rg_draft_network *network, const rg_draft *draft, const rg_yaml *node,
                             rg_error *err)
{
    const char *text = rg_yaml_text(node);
    bool map = rg_yaml_kind_of(node) == RG_YAML_MAP;
    bool model = text ? rg_baseline_kind_find(text) != NULL : map && rg_yaml_find(node, "kind");
    rg_draft as = *draft;
    as.models = model;
    rg_status status = read_network(network, &as, node, err);
    return status ? status : name_method(network, node, text && !model, err);
}

/* Alternatives are told apart by name: baselines that have none by their kind, networks by number,
 * from 1. */
static rg_status name_alternative(rg_draft *draft, size_t k, const rg_yaml *node, rg_error *err)
{
    rg_draft_network *networks = draft->networks;
    if (!networks[k].name) {
        rg_text text = {0};
        if (networks[k].kind)
            rg_text_add(&text, "%s", networks[k].kind->name);
        else
            rg_text_add(&text, "%s%zu", draft->compare ? "network" : "", k + 1);
        networks[k].name = rg_text_take(&text);
        if (!networks[k].name)
            return rg_fail_memory(err, "reading an experiment");
    }
    for (size_t other = 0; other < k; other++)
        if (strcmp(networks[other].name, networks[k].name) == 0)
            return rg_yaml_complain(
                node, err, "found the %s '%s' a second time, expected each once%s",
                draft->compare         ? "method"
                : networks[k].baseline ? "model"
                                       : "network",
                networks[k].name,
                networks[k].baseline || draft->compare ? ", or the key 'name' to tell them apart"
                                                       : "");
    return RG_OK;
}

/* `network`, `model` or `compare`: one of them. */
static rg_status find_list(rg_draft *draft, rg_error *err)
{
    const rg_yaml *network = rg_yaml_find(draft->root, "network");
    const rg_yaml *model = rg_yaml_find(draft->root, "model");
    const rg_yaml *compare = rg_yaml_find(draft->root, "compare");
    if (compare && (network || model))
        return rg_yaml_complain(compare, err,
                                "found both 'compare' and '%s', expected one of them: a list under "
                                "'compare' may hold networks and models",
                                network ? "network" : "model");
    if (compare && (rg_yaml_kind_of(compare) != RG_YAML_LIST || rg_yaml_size(compare) < 2))
        return rg_yaml_expected(compare, "a list of at least two networks and models", err);
    if (compare) {
        draft->list = compare;
        draft->compare = draft->alternatives = true;
        return RG_OK;
    }
    if (network && model)
        return rg_yaml_complain(model, err,
                                "found both 'model' and 'network', expected one of them: a list "
                                "under 'network' may hold maps with the key 'model'");
    if (!network && !model)
        return rg_yaml_complain(draft->root, err,
                                "found no key 'network', expected a network file or a map, or the "
                                "key 'model'");
    draft->list = model ? model : network;
    draft->models = model != NULL;
    draft->alternatives = rg_yaml_kind_of(draft->list) == RG_YAML_LIST;
    return RG_OK;
}

static void note_kind(rg_draft_network *network)
{
    network->baseline = rg_baseline_is(network->tree);
    const char *name =
        network->baseline ? rg_yaml_text(rg_yaml_find(network->tree, "model")) : NULL;
    network->kind = name ? rg_baseline_kind_find(name) : NULL;
}

/* What no alternative has would be laid over nothing. */
static rg_status check_overlays(const rg_draft *draft, rg_error *err)
{
    bool trained = false, networks = false;
    for (size_t k = 0; k < draft->n_networks; k++) {
        const rg_draft_network *network = &draft->networks[k];
        networks |= !network->baseline;
        trained |= !network->baseline || !network->kind || network->kind->training;
    }
    if (draft->training && !trained)
        return rg_yaml_complain(draft->training, err,
                                "found 'training', but the models here have no such settings");
    if (draft->input && !networks)
        return rg_yaml_complain(draft->input, err,
                                "found 'input', but the models here have no such settings");
    return RG_OK;
}

rg_status rg_draft_networks(rg_draft *draft, rg_error *err)
{
    rg_status status = find_list(draft, err);
    if (status)
        return status;
    const rg_yaml *node = draft->list;
    size_t n = draft->alternatives ? rg_yaml_size(node) : 1;
    if (n == 0 || n > NETWORKS_MAX)
        return rg_yaml_complain(node, err, "found %zu %s, expected 1..%d", n,
                                draft->compare  ? "methods"
                                : draft->models ? "models"
                                                : "networks",
                                NETWORKS_MAX);
    draft->networks = rg_alloc_zero(n, sizeof *draft->networks);
    if (!draft->networks)
        return rg_fail_memory(err, "reading an experiment");
    draft->n_networks = n;
    for (size_t k = 0; k < n && !status; k++) {
        const rg_yaml *item = draft->alternatives ? rg_yaml_item(node, k) : node;
        status = draft->compare ? read_method(&draft->networks[k], draft, item, err)
                                : read_network(&draft->networks[k], draft, item, err);
        if (!status)
            status = rg_settings_rename(draft->networks[k].tree, err);
        if (!status) {
            note_kind(&draft->networks[k]);
            status = rg_draft_inline(draft, &draft->networks[k], err);
        }
        if (!status && draft->alternatives)
            status = name_alternative(draft, k, item, err);
    }
    draft->labels = rg_yaml_find(draft->root, "labels");
    draft->input = rg_yaml_find(draft->root, "input");
    draft->training = rg_yaml_find(draft->root, "training");
    draft->grid = rg_yaml_find(draft->root, "grid");
    return status ? status : check_overlays(draft, err);
}
