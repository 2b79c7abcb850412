/* file.c - network files as a whole: the network, and how it is trained; see settings.h. */
#include "settings.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/text.h"

static const char *const keys[] = {"preset", "task",        "target", "input",
                                   "labels", "standardise", "layers", "training"};
enum { N_KEYS = sizeof keys / sizeof *keys };

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
