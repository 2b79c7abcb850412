/* tensors.c - see tensors.h. */
#include "tensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Data goes to files and into digests as it lies in memory. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers in model files are little-endian");

static const struct {
    const char *name;
    size_t size;
} dtypes[RG_DTYPES] = {{"I64", 8}, {"F64", 8}, {"F32", 4}, {"U32", 4}, {"I32", 4}, {"U8", 1}};

const char *rg_dtype_name(rg_dtype dtype)
{
    return dtypes[dtype].name;
}

size_t rg_dtype_size(rg_dtype dtype)
{
    return dtypes[dtype].size;
}

/* ---- one tensor */

/* Well-formed, and nothing in it steers a terminal; of control characters only those of lines. So
 * no text needs an escape with hexadecimal digits, of which JSON knows two spellings. */
static bool is_text(const char *text, bool lines)
{
    while (*text) {
        size_t n = rg_printable(text);
        if (n == 0 && !(lines && strchr("\t\n\r", *text)))
            return false;
        text += n ? n : 1;
    }
    return true;
}

rg_status rg_tensor_check(rg_tensor *tensor, rg_error *err)
{
    assert(tensor->dtype < RG_DTYPES);
    if (!*tensor->name || !is_text(tensor->name, false))
        return rg_fail(err, RG_EUSAGE, "tensor '%.60s': found this name, expected printable text",
                       tensor->name);
    if (strcmp(tensor->name, "__metadata__") == 0)
        return rg_fail(err, RG_EUSAGE, "tensor '__metadata__': found this name, expected another");
    if (tensor->n_dims > RG_TENSOR_DIMS)
        return rg_fail(err, RG_EUSAGE, "tensor '%.60s': found %zu dimensions, expected at most %d",
                       tensor->name, tensor->n_dims, RG_TENSOR_DIMS);
    size_t bytes = 1;
    bool fits = true;
    for (size_t k = 0; k < tensor->n_dims; k++)
        fits =
            fits && tensor->shape[k] <= PTRDIFF_MAX && rg_size_mul(&bytes, bytes, tensor->shape[k]);
    if (!fits || !rg_size_mul(&bytes, bytes, rg_dtype_size(tensor->dtype)) || bytes > PTRDIFF_MAX) {
        char words[RG_TENSOR_WORDS];
        return rg_fail(err, RG_EUSAGE, "tensor '%.60s': found %s, expected what fits into memory",
                       tensor->name, rg_tensor_describe(words, tensor));
    }
    tensor->bytes = bytes;
    return RG_OK;
}

const char *rg_tensor_describe(char out[RG_TENSOR_WORDS], const rg_tensor *tensor)
{
    int n = snprintf(out, RG_TENSOR_WORDS, "%s [", rg_dtype_name(tensor->dtype));
    for (size_t k = 0; k < tensor->n_dims; k++) /* 22 bytes each, at most */
        n += snprintf(out + n, RG_TENSOR_WORDS - (size_t)n, k ? ", %zu" : "%zu", tensor->shape[k]);
    snprintf(out + n, RG_TENSOR_WORDS - (size_t)n, "]");
    return out;
}

/* ---- shelves */

/* The first entry whose name is not below `name`; *there: it has that name. */
static size_t shelf_search(const rg_shelf *shelf, const char *name, bool *there)
{
    size_t low = 0, high = shelf->n;
    *there = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(*(const char *const *)shelf->entries[middle], name);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
        *there = *there || order == 0;
    }
    return low;
}

static const void *shelf_get(const rg_shelf *shelf, const char *name)
{
    bool there;
    size_t at = shelf_search(shelf, name, &there);
    return there ? shelf->entries[at] : NULL;
}

/* Room for an entry of `size` bytes under a name that is new. what: "tensor". */
static rg_status shelf_add(void **out, rg_shelf *shelf, const char *what, const char *name,
                           size_t size, rg_error *err)
{
    bool there;
    size_t at = shelf_search(shelf, name, &there);
    if (there)
        return rg_fail(err, RG_EUSAGE, "%s '%.60s': found a second one of this name, expected one",
                       what, name);
    if (shelf->n == RG_TENSORS_MAX)
        return rg_fail(err, RG_EUSAGE, "%s '%.60s': found more than %d, expected fewer", what, name,
                       RG_TENSORS_MAX);
    void *entry = rg_alloc(size, 1);
    if (!entry ||
        !rg_grow(&shelf->entries, &shelf->capacity, shelf->n + 1, sizeof *shelf->entries)) {
        rg_free(entry);
        return rg_fail_memory(err, "tensors");
    }
    memmove(shelf->entries + at + 1, shelf->entries + at, (shelf->n - at) * sizeof *shelf->entries);
    shelf->entries[at] = entry;
    shelf->n++;
    *out = entry;
    return RG_OK;
}

static void shelf_free(rg_shelf *shelf)
{
    for (size_t k = 0; k < shelf->n; k++)
        rg_free(shelf->entries[k]);
    rg_free(shelf->entries);
}

/* ---- the set */

rg_tensors *rg_tensors_new(void)
{
    return rg_alloc_zero(1, sizeof(rg_tensors));
}

void rg_tensors_free(rg_tensors *set)
{
    if (!set)
        return;
    shelf_free(&set->tensors);
    shelf_free(&set->texts);
    rg_free(set->file);
    rg_free(set->block);
    rg_file_unmap(set->mapped, set->n_mapped);
    rg_free(set);
}

rg_status rg_tensors_add(rg_tensors *set, const rg_tensor *tensor, rg_error *err)
{
    set->digest[0] = '\0';
    rg_tensor checked = *tensor;
    void *room = NULL;
    rg_status status = rg_tensor_check(&checked, err);
    if (status)
        return status;
    assert(checked.data || checked.bytes == 0);
    size_t n = strlen(tensor->name) + 1;
    status = shelf_add(&room, &set->tensors, "tensor", tensor->name, sizeof checked + n, err);
    if (status)
        return status;
    checked.name = memcpy((char *)room + sizeof checked, tensor->name, n);
    memcpy(room, &checked, sizeof checked);
    return RG_OK;
}

rg_status rg_tensors_add_metadata(rg_tensors *set, const char *key, const char *text, rg_error *err)
{
    set->digest[0] = '\0';
    void *room = NULL;
    if (!*key || !is_text(key, false) || strcmp(key, RG_TENSORS_DIGEST) == 0)
        return rg_fail(err, RG_EUSAGE,
                       "metadata '%.60s': found this key, expected printable text other than '%s'",
                       key, RG_TENSORS_DIGEST);
    if (!is_text(text, true))
        return rg_fail(err, RG_EUSAGE,
                       "metadata '%.60s': found other bytes, expected lines of text", key);
    size_t n_key = strlen(key) + 1, n_text = strlen(text) + 1;
    rg_status status =
        shelf_add(&room, &set->texts, "metadata", key, sizeof(rg_text_entry) + n_key + n_text, err);
    if (status)
        return status;
    rg_text_entry *entry = room;
    char *behind = (char *)room + sizeof *entry;
    entry->key = memcpy(behind, key, n_key);
    entry->text = memcpy(behind + n_key, text, n_text);
    return RG_OK;
}

size_t rg_tensors_size(const rg_tensors *set)
{
    return set->tensors.n;
}

const rg_tensor *rg_tensors_at(const rg_tensors *set, size_t k)
{
    return set->tensors.entries[k];
}

size_t rg_tensors_n_metadata(const rg_tensors *set)
{
    return set->texts.n;
}

const rg_text_entry *rg_tensors_metadata_at(const rg_tensors *set, size_t k)
{
    return set->texts.entries[k];
}

const rg_tensor *rg_tensors_get(const rg_tensors *set, const char *name)
{
    return shelf_get(&set->tensors, name);
}

const char *rg_tensors_metadata(const rg_tensors *set, const char *key)
{
    const rg_text_entry *entry = shelf_get(&set->texts, key);
    return entry ? entry->text : NULL;
}

rg_status rg_tensors_find(const void **out, const rg_tensors *set, const char *name, rg_dtype dtype,
                          size_t n_dims, const size_t *shape, rg_error *err)
{
    char words[2][RG_TENSOR_WORDS] = {"nothing"};
    rg_tensor expected = {.name = name, .dtype = dtype, .n_dims = n_dims};
    assert(n_dims <= RG_TENSOR_DIMS);
    for (size_t k = 0; k < n_dims; k++)
        expected.shape[k] = shape[k];
    const rg_tensor *found = rg_tensors_get(set, name);
    if (found && found->dtype == dtype && found->n_dims == n_dims &&
        memcmp(found->shape, expected.shape, n_dims * sizeof *shape) == 0) {
        *out = found->data;
        return RG_OK;
    }
    if (found)
        rg_tensor_describe(words[0], found);
    return rg_fail(err, RG_EDATA, "%s: tensor '%.60s': found %s, expected %s",
                   set->file ? set->file : "tensors", name, words[0],
                   rg_tensor_describe(words[1], &expected));
}

void rg_tensors_digest(char out[RG_DIGEST_TEXT], const rg_tensors *set)
{
    rg_digest digest;
    if (set->digest[0]) {
        memcpy(out, set->digest, RG_DIGEST_TEXT);
        return;
    }
    rg_digest_init(&digest);
    rg_digest_u64(&digest, rg_tensors_n_metadata(set));
    for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        rg_digest_text(&digest, entry->key);
        rg_digest_text(&digest, entry->text);
    }
    rg_digest_u64(&digest, rg_tensors_size(set));
    for (size_t k = 0; k < rg_tensors_size(set); k++) {
        const rg_tensor *tensor = rg_tensors_at(set, k);
        rg_digest_text(&digest, tensor->name);
        rg_digest_text(&digest, rg_dtype_name(tensor->dtype));
        rg_digest_u64(&digest, tensor->n_dims);
        for (size_t d = 0; d < tensor->n_dims; d++)
            rg_digest_u64(&digest, tensor->shape[d]);
        rg_digest_bytes(&digest, tensor->data, tensor->bytes);
    }
    rg_digest_finish(&digest, out);
}
