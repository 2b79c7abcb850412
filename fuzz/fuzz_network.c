/* fuzz_network.c - any bytes as a network file: what parses prints in a normal form that parses to
 * itself. */
#include "base/alloc.h"
#include "check.h"
#include "train/settings.h"

/* Patterns of labelings may lie in files of this machine, which are not to be opened. */
static bool may_open_files(const char *bytes, size_t n)
{
    rg_yaml *root = NULL;
    bool may = false;
    if (rg_yaml_parse(&root, "input", bytes, n, NULL))
        return false;
    const rg_yaml *labels = rg_yaml_find(root, "labels");
    for (size_t k = 0; labels && k < rg_yaml_size(labels); k++) {
        const char *text = rg_yaml_text(rg_yaml_item(labels, k));
        may = may || (text && strstr(text, "pattern") && strstr(text, "file"));
    }
    rg_yaml_free(root);
    return may;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    rg_spec *spec = NULL, *again = NULL;
    rg_settings settings, restored;
    rg_error err = {""};
    char *once = NULL, *twice = NULL;
    if (may_open_files(bytes, size))
        return 0;
    rg_status status = rg_network_file_parse(&spec, &settings, "input", bytes, size, &err);
    if (status) {
        CHECK(status == RG_EDATA && !spec);
        CHECK(strncmp(err.message, "input:", 6) == 0 && !strchr(err.message, '\n'));
        return 0;
    }
    CHECK(rg_settings_check(&settings, &err) == RG_OK);
    CHECK(rg_specs_last(spec->layers, spec->n_layers) < spec->n_layers);
    CHECK(rg_network_file_print(&once, spec, &settings, &err) == RG_OK);
    CHECK(rg_network_file_parse(&again, &restored, "again", once, strlen(once), &err) == RG_OK);
    CHECK(rg_network_file_print(&twice, again, &restored, &err) == RG_OK);
    CHECK(strcmp(once, twice) == 0);
    CHECK(spec->n_layers == again->n_layers && spec->n_signals == again->n_signals);
    for (size_t k = 0; k < spec->n_layers; k++)
        CHECK(rg_specs_activation(spec->layers, spec->n_layers, k, spec->paper) ==
              rg_specs_activation(again->layers, again->n_layers, k, again->paper));
    rg_spec_free(spec);
    rg_spec_free(again);
    rg_free(once);
    rg_free(twice);
    return 0;
}
