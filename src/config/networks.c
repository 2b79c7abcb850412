/* networks.c - the networks of an experiment: files that it names, or maps in it. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

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
            rg_text_add(&text, "%zu", k + 1);
        networks[k].name = rg_text_take(&text);
        if (!networks[k].name)
            return rg_fail_memory(err, "reading an experiment");
    }
    for (size_t other = 0; other < k; other++)
        if (strcmp(networks[other].name, networks[k].name) == 0)
            return rg_yaml_complain(
                node, err, "found the %s '%s' a second time, expected each once%s",
                networks[k].baseline ? "model" : "network", networks[k].name,
                networks[k].baseline ? ", or the key 'name' to tell them apart" : "");
    return RG_OK;
}

/* `network` or `model`: one of the two. */
static rg_status find_list(rg_draft *draft, rg_error *err)
{
    const rg_yaml *network = rg_yaml_find(draft->root, "network");
    const rg_yaml *model = rg_yaml_find(draft->root, "model");
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
                                draft->models ? "models" : "networks", NETWORKS_MAX);
    draft->networks = rg_alloc_zero(n, sizeof *draft->networks);
    if (!draft->networks)
        return rg_fail_memory(err, "reading an experiment");
    draft->n_networks = n;
    for (size_t k = 0; k < n && !status; k++) {
        const rg_yaml *item = draft->alternatives ? rg_yaml_item(node, k) : node;
        status = read_network(&draft->networks[k], draft, item, err);
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
