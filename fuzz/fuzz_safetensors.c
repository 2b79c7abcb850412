/* fuzz_safetensors.c - any bytes as a model file: refused with a message, or tensors that, stored
 * again from their parts, come back as the same. */
#include "base/alloc.h"
#include "model/safetensors.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#define CHECK(condition)  \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

/* A set of its own with the same tensors and texts, the last ones first. */
static rg_tensors *rebuild(const rg_tensors *set)
{
    rg_tensors *out = rg_tensors_new();
    rg_error err = {""};
    CHECK(out);
    for (size_t k = rg_tensors_size(set); k-- > 0;)
        CHECK(rg_tensors_add(out, rg_tensors_at(set, k), &err) == RG_OK);
    for (size_t k = rg_tensors_n_metadata(set); k-- > 0;) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        CHECK(rg_tensors_add_metadata(out, entry->key, entry->text, &err) == RG_OK);
    }
    return out;
}

static void compare(const rg_tensors *a, const rg_tensors *b)
{
    CHECK(rg_tensors_size(a) == rg_tensors_size(b));
    CHECK(rg_tensors_n_metadata(a) == rg_tensors_n_metadata(b));
    for (size_t k = 0; k < rg_tensors_size(a); k++) {
        const rg_tensor *x = rg_tensors_at(a, k);
        const void *data = NULL;
        rg_error err;
        CHECK(!rg_tensors_find(&data, b, x->name, x->dtype, x->n_dims, x->shape, &err));
        CHECK((uintptr_t)data % 16 == 0);
        CHECK(x->bytes == 0 || memcmp(data, x->data, x->bytes) == 0);
    }
    for (size_t k = 0; k < rg_tensors_n_metadata(a); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(a, k);
        const char *text = rg_tensors_metadata(b, entry->key);
        CHECK(text && strcmp(text, entry->text) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_tensors *set = NULL, *again = NULL;
    rg_error err = {""};
    void *stored[2] = {NULL, NULL};
    size_t size[2];
    rg_status status = rg_tensors_parse(&set, "input", bytes, n, false, &err);
    if (status) {
        CHECK(status == RG_EDATA && !set && strncmp(err.message, "input: ", 7) == 0);
        return 0;
    }
    rg_tensors *other = rebuild(set);
    CHECK(!rg_tensors_encode(&stored[0], &size[0], other, &err));
    CHECK(!rg_tensors_parse(&again, "stored", stored[0], size[0], true, &err));
    compare(set, again);
    CHECK(!rg_tensors_encode(&stored[1], &size[1], again, &err));
    CHECK(size[0] == size[1] && memcmp(stored[0], stored[1], size[0]) == 0);
    rg_free(stored[0]);
    rg_free(stored[1]);
    rg_tensors_free(other);
    rg_tensors_free(again);
    rg_tensors_free(set);
    return 0;
}
