/* file.c - network files as a whole: the network, and how it is trained; see settings.h. */
#include "settings.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/text.h"
#include "text/yaml_edit.h"

#include <string.h>

static const char *const keys[] = {"preset", "task",        "target", "input",   "labels",
                                   "tables", "standardise", "layers", "training"};
enum { N_KEYS = sizeof keys / sizeof *keys };

const char *rg_settings_alias(const char *name)
{
    static const char *const aliases[][2] = {{"learning_rate", "lr"},
                                             {"batch_size", "batch"},
                                             {"optimizer", "optimiser"},
                                             {"weight_decay", "decay"}};
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (strcmp(name, aliases[k][0]) == 0)
            return aliases[k][1];
    return NULL;
}

rg_status rg_settings_rename(rg_yaml *root, rg_error *err)
{
    rg_yaml *map = rg_yaml_edit_find(root, "training");
    rg_status status = RG_OK;
    if (!map || rg_yaml_kind_of(map) != RG_YAML_MAP)
        return RG_OK;
    for (size_t k = 0; k < rg_yaml_size(map) && !status; k++) {
        const char *key = rg_yaml_key(map, k), *name = rg_settings_alias(key);
        if (name && rg_yaml_find(map, name))
            status = rg_yaml_complain(rg_yaml_key_node(map, k), err,
                                      "found both '%s' and '%s', which are one setting", key, name);
        else if (name)
            status = rg_yaml_rename(map, key, name, err);
    }
    return status;
}

rg_status rg_network_file_from_yaml(rg_spec **spec, rg_settings *settings, const rg_yaml *root,
                                    rg_error *err)
{
    rg_spec *own = NULL;
    const rg_yaml *model = rg_yaml_find(root, "model");
    if (model)
        return rg_yaml_complain(model, err,
                                "found a baseline model, expected a network: 'regula run' trains "
                                "baselines in experiments");
    rg_status status = rg_yaml_keys(root, keys, N_KEYS, err);
    if (!status)
        status = rg_spec_from_yaml(&own, root, err);
    if (!status)
        status = rg_settings_from_yaml(settings, root, err); /* last: it sets nothing if it fails */
    if (status)
        rg_spec_free(own);
    else
        *spec = own;
    return status;
}

rg_status rg_network_file_read(rg_spec **spec, rg_settings *settings, const char *path,
                               rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_read(&root, path, err);
    if (!status)
        status = rg_settings_rename(root, err);
    if (!status)
        status = rg_network_file_from_yaml(spec, settings, root, err);
    rg_yaml_free(root);
    return status;
}

rg_status rg_network_file_parse(rg_spec **spec, rg_settings *settings, const char *name,
                                const char *text, size_t n, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, name, text, n, err);
    if (!status)
        status = rg_settings_rename(root, err);
    if (!status)
        status = rg_network_file_from_yaml(spec, settings, root, err);
    rg_yaml_free(root);
    return status;
}

rg_status rg_network_file_print(char **out, const rg_spec *spec, const rg_settings *settings,
                                rg_error *err)
{
    char *first = NULL, *second = NULL;
    rg_status status = rg_spec_print(&first, spec, err);
    if (!status)
        status = rg_settings_print(&second, settings, err);
    if (!status) {
        rg_text text = {0};
        rg_text_add(&text, "%s%s", first, second);
        char *whole = rg_text_take(&text);
        if (whole)
            *out = whole;
        else
            status = rg_fail_memory(err, "a network as text");
    }
    rg_free(first);
    rg_free(second);
    return status;
}
