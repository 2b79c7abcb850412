/* override.c - KEY=VALUE from the command line, laid over the tree of a file. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "train/settings.h"

#include <string.h>

enum { LEVELS = 8 };

static rg_status refuse(const char *override, const char *why, rg_error *err)
{
    return rg_fail(err, RG_EUSAGE, "--set '%.100s': %s, expected KEY=VALUE such as training.lr=0.1",
                   override, why);
}

/* A new pair; `value` is moved, also on failure; NULL: an empty map. */
static rg_status put(rg_yaml *map, const char *name, const char *key, rg_yaml *value, rg_error *err)
{
    rg_yaml *key_node = NULL;
    rg_status status = value ? RG_OK : rg_yaml_new(&value, name, NULL, err);
    if (!status)
        status = rg_yaml_new(&key_node, name, key, err);
    if (!status)
        return rg_yaml_put(map, key_node, value, err);
    rg_yaml_free(value);
    return status;
}

/* training.learning_rate is training.lr. */
static const char *setting_name(const char *path, size_t level, const char *key)
{
    const char *name = level == 1 && strcmp(path, "training") == 0 ? rg_settings_alias(key) : NULL;
    return name ? name : key;
}

/* path: the keys, cut at their dots in place. `value` is moved, also on failure. */
static rg_status lay(rg_yaml *root, const char *override, const char *name, char *path,
                     rg_yaml *value, rg_error *err)
{
    rg_yaml *map = root;
    rg_status status = RG_OK;
    char *key = path;
    for (size_t level = 0; !status; level++) {
        char *dot = strchr(key, '.');
        if (dot)
            *dot = '\0';
        if (!*key || level == LEVELS)
            status = refuse(override, *key ? "found too many keys" : "found an empty key", err);
        else if (!dot)
            return put(map, name, setting_name(path, level, key), value, err);
        else if (!rg_yaml_edit_find(map, key))
            status = put(map, name, key, NULL, err);
        if (status)
            break;
        map = rg_yaml_edit_find(map, key);
        if (rg_yaml_kind_of(map) != RG_YAML_MAP)
            status = rg_fail(err, RG_EUSAGE,
                             "--set '%.100s': '%s' is no map in the file, expected a key of a map, "
                             "or another value for all of '%s'",
                             override, key, key);
        key = dot + 1;
    }
    rg_yaml_free(value);
    return status;
}

rg_status rg_draft_override(rg_yaml *root, const char *override, rg_error *err)
{
    const char *sign = strchr(override, '=');
    rg_yaml *value = NULL;
    rg_text text = {0};
    if (!sign || sign == override)
        return refuse(override, sign ? "found no key" : "found no '='", err);
    if (sign[1 + strspn(sign + 1, " \t\r\n")] == '\0')
        return refuse(override, "found no value", err);
    rg_text_add(&text, "--set %.*s", (int)(sign - override), override);
    char *name = rg_text_take(&text), *path = rg_copy_text(override, (size_t)(sign - override));
    rg_status status = name && path ? RG_OK : rg_fail_memory(err, "an override");
    if (!status)
        status = rg_yaml_parse(&value, name, sign + 1, strlen(sign + 1), err);
    if (!status)
        status = lay(root, override, name, path, value, err);
    rg_free(name);
    rg_free(path);
    return status;
}
