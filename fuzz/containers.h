/* containers.h - fuzz inputs that are containers of tensors.
 *
 * Inputs are mutated part by part: the bytes of one tensor, one text, or what tensors there are, in
 * a container that stays whole, so that who reads its content is reached and not only the reader of
 * containers (fuzz_safetensors.c). */
#ifndef REGULA_FUZZ_CONTAINERS_H
#define REGULA_FUZZ_CONTAINERS_H

#include "base/alloc.h"
#include "graphs.h"
#include "model/safetensors.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t max);

/* One part of the container changes: returns false where nothing came of it. */
static inline bool fuzz_change_tensor(rg_tensors *out, const rg_tensor *from, unsigned seed,
                                      uint8_t *buffer)
{
    rg_tensor tensor = *from;
    if (seed % 16 == 0)
        return true; /* it leaves */
    memcpy(buffer, tensor.data, tensor.bytes);
    if (seed % 16 == 1 && tensor.n_dims && tensor.shape[0])
        tensor.shape[0]--;
    else if (seed % 16 == 2 && tensor.n_dims == 2) {
        tensor.shape[0] *= tensor.shape[1];
        tensor.n_dims = 1;
    } else if (tensor.bytes)
        LLVMFuzzerMutate(buffer, tensor.bytes, tensor.bytes);
    tensor.data = buffer;
    return rg_tensors_add(out, &tensor, NULL) == RG_OK;
}

static inline bool fuzz_change_text(rg_tensors *out, const rg_text_entry *entry, uint8_t *buffer,
                                    size_t room)
{
    size_t n = strlen(entry->text);
    if (n + 64 > room)
        return false;
    memcpy(buffer, entry->text, n);
    n = LLVMFuzzerMutate(buffer, n, n + 63);
    buffer[n] = '\0';
    if (rg_tensors_add_metadata(out, entry->key, (const char *)buffer, NULL) == RG_OK)
        return true;
    return rg_tensors_add_metadata(out, entry->key, entry->text, NULL) == RG_OK;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
    rg_tensors *set = NULL, *out = NULL;
    size_t size = 0, room = n + 128;
    void *stored = NULL;
    if (rg_tensors_parse(&set, "input", bytes, n, false, NULL))
        return LLVMFuzzerMutate(bytes, n, max);
    uint8_t *buffer = malloc(room);
    out = rg_tensors_new();
    CHECK(buffer && out);
    size_t n_tensors = rg_tensors_size(set), n_texts = rg_tensors_n_metadata(set);
    size_t pick = seed / 16 % (n_tensors + n_texts + 1);
    bool fine = true;
    for (size_t k = 0; fine && k < n_tensors; k++)
        fine = k == pick ? fuzz_change_tensor(out, rg_tensors_at(set, k), seed, buffer)
                         : rg_tensors_add(out, rg_tensors_at(set, k), NULL) == RG_OK;
    for (size_t k = 0; fine && k < n_texts; k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        fine = k + n_tensors == pick
                   ? fuzz_change_text(out, entry, buffer, room)
                   : rg_tensors_add_metadata(out, entry->key, entry->text, NULL) == RG_OK;
    }
    if (fine && rg_tensors_encode(&stored, &size, out, NULL) == RG_OK && size <= max)
        memcpy(bytes, stored, size);
    else
        size = n;
    rg_free(stored);
    rg_tensors_free(out);
    rg_tensors_free(set);
    free(buffer);
    return size;
}

#endif
