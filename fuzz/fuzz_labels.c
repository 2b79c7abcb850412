/* fuzz_labels.c - any text as a spec of a labeling: what parses prints in a normal form that parses
 * to itself, with as many numbers a node. */
#include "base/alloc.h"
#include "check.h"
#include "label/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = rg_copy_text((const char *)data, size);
    rg_label_spec *spec = NULL, *again = NULL;
    rg_error err = {""};
    if (!text)
        return 0;
    if (strstr(text, "pattern") && strstr(text, "file")) {
        rg_free(text); /* would open files of this machine */
        return 0;
    }
    rg_status status = rg_label_spec_parse(&spec, text, &err);
    if (status) {
        CHECK(status == RG_EUSAGE && !spec);
        CHECK(strncmp(err.message, "labels: column ", 15) == 0);
        rg_free(text);
        return 0;
    }
    char *once = rg_label_spec_print(spec);
    CHECK(once);
    CHECK(rg_label_spec_parse(&again, once, &err) == RG_OK);
    char *twice = rg_label_spec_print(again);
    CHECK(twice && strcmp(once, twice) == 0);
    CHECK(rg_label_spec_dims(spec) == rg_label_spec_dims(again));
    rg_label_spec_free(spec);
    rg_label_spec_free(again);
    rg_free(once);
    rg_free(twice);
    rg_free(text);
    return 0;
}
