/* tree.c - one network file from a network and what the experiment lays over it. */
#include "experiment.h"

#include <string.h>

/* Puts a value, which is moved also on failure, into a map under a copy of the key. */
static rg_status put(rg_yaml *map, const rg_yaml *key, rg_yaml *value, rg_error *err)
{
    rg_yaml *own_key = NULL;
    rg_status status = rg_yaml_copy(&own_key, key, err);
    if (!status)
        return rg_yaml_put(map, own_key, value, err);
    rg_yaml_free(value);
    return status;
}

/* Lays pair k of `over` over a map: a map key by key over a map, everything else instead of what
 * was there. */
static rg_status lay(rg_yaml *map, const rg_yaml *over, size_t k, const rg_draft *draft,
                     const uint32_t *picks, rg_error *err)
{
    const rg_yaml *key = rg_yaml_key_node(over, k);
    const rg_yaml *value = rg_draft_pick(draft, rg_yaml_item(over, k), picks);
    rg_yaml *old = rg_yaml_edit_find(map, rg_yaml_text(key)), *copy = NULL;
    bool merge = rg_yaml_kind_of(value) == RG_YAML_MAP;
    rg_status status = RG_OK;
    if (!merge || !old || rg_yaml_kind_of(old) != RG_YAML_MAP) {
        status = merge ? rg_yaml_copy_empty(&copy, value, err) : rg_yaml_copy(&copy, value, err);
        if (!status)
            status = put(map, key, copy, err);
        if (status || !merge)
            return status;
        old = copy;
    }
    for (size_t item = 0; item < rg_yaml_size(value) && !status; item++)
        status = lay(old, value, item, draft, picks, err);
    return status;
}

/* Labels are replaced, never added: a network may do without those that another one has. */
static rg_status lay_labels(rg_yaml *tree, const rg_draft *draft, const uint32_t *picks,
                            rg_error *err)
{
    rg_yaml *labels = rg_yaml_edit_find(tree, "labels");
    rg_status status = RG_OK;
    if (!labels || !draft->labels)
        return RG_OK;
    for (size_t k = 0; k < rg_yaml_size(draft->labels) && !status; k++)
        if (rg_yaml_edit_find(labels, rg_yaml_key(draft->labels, k)))
            status = lay(labels, draft->labels, k, draft, picks, err);
    return status;
}

/* The alternative that was picked. A baseline has lists to choose from in its own tree. */
static rg_status copy_picked(rg_yaml **out, const rg_draft *draft, const rg_draft_network *network,
                             const uint32_t *picks, rg_error *err)
{
    rg_yaml *tree = NULL;
    if (!network->baseline)
        return rg_yaml_copy(out, network->tree, err);
    rg_status status = rg_yaml_copy_empty(&tree, network->tree, err);
    for (size_t k = 0; k < rg_yaml_size(network->tree) && !status; k++)
        status = lay(tree, network->tree, k, draft, picks, err);
    if (status)
        rg_yaml_free(tree);
    else
        *out = tree;
    return status;
}

rg_status rg_draft_tree(rg_yaml **out, const rg_draft *draft, const uint32_t *picks, rg_error *err)
{
    const rg_draft_network *network = &draft->networks[draft->alternatives ? picks[0] : 0];
    /* A kind that is a variable is not known yet; one without training complains of the key. */
    bool trained = !network->baseline || !network->kind || network->kind->training;
    rg_yaml *tree = NULL;
    rg_status status = copy_picked(&tree, draft, network, picks, err);
    if (!status)
        status = lay_labels(tree, draft, picks, err);
    for (size_t k = 0; k < rg_yaml_size(draft->root) && !status; k++) {
        const rg_yaml *value = rg_yaml_item(draft->root, k);
        if ((value == draft->input && !network->baseline) || (value == draft->training && trained))
            status = lay(tree, draft->root, k, draft, picks, err);
    }
    if (status)
        rg_yaml_free(tree);
    else
        *out = tree;
    return status;
}
