/* safetensors.c - tensors as a file:
 *
 *     u64 length of the header, little-endian
 *     the header, JSON without blanks, padded with blanks to a multiple of 8 bytes:
 *         {"__metadata__":{"regula.digest":"...","key":"text",...},
 *          "name":{"dtype":"F32","shape":[3,4],"data_offsets":[0,48]},...}
 *     the data, tensor after tensor; offsets count from here
 *
 * Tensors stand in the order of rg_dtype, then by name; wide numbers come first, so each of them is
 * aligned in a file that is mapped into memory. */
#include "safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "text/json_write.h"

#include <string.h>

/* The next tensor in the order of the file; NULL: that was all. *at: 0 to begin with. */
static const rg_tensor *next_in_file(const rg_tensors *set, size_t *at)
{
    size_t n = rg_tensors_size(set);
    while (*at < n * RG_DTYPES) {
        const rg_tensor *tensor = rg_tensors_at(set, *at % n);
        bool now = (size_t)tensor->dtype == *at / n;
        ++*at;
        if (now)
            return tensor;
    }
    return NULL;
}

static void add_tensor(rg_json *json, const rg_tensor *tensor, size_t begin)
{
    rg_json_open(json, tensor->name, '{');
    rg_json_string(json, "dtype", rg_dtype_name(tensor->dtype));
    rg_json_open(json, "shape", '[');
    for (size_t d = 0; d < tensor->n_dims; d++)
        rg_json_count(json, NULL, tensor->shape[d]);
    rg_json_close(json, '[');
    rg_json_open(json, "data_offsets", '[');
    rg_json_count(json, NULL, begin);
    rg_json_count(json, NULL, begin + tensor->bytes);
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

/* Of control characters there are only tabs and ends of lines: tensors.c lets no other in. */
static void add_header(rg_json *json, const rg_tensors *set)
{
    char digest[RG_DIGEST_TEXT];
    rg_tensors_digest(digest, set);
    rg_json_open(json, NULL, '{');
    rg_json_open(json, "__metadata__", '{');
    rg_json_string(json, RG_TENSORS_DIGEST, digest);
    for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        rg_json_string(json, entry->key, entry->text);
    }
    rg_json_close(json, '{');
    const rg_tensor *tensor;
    for (size_t at = 0, begin = 0; (tensor = next_in_file(set, &at)); begin += tensor->bytes)
        add_tensor(json, tensor, begin);
    rg_json_close(json, '{');
    while (json->text.n % 8 && !json->text.failed)
        rg_text_add(&json->text, " ");
}

/* All bytes before the data: *n of them, in a block with room for `more`. *out: owned. */
static rg_status make_head(char **out, size_t *n, size_t more, const rg_tensors *set, rg_error *err)
{
    rg_json json = {.layout = RG_JSON_UTF8, .text.measure = true};
    add_header(&json, set);
    size_t length = json.text.n, bytes;
    char *head = NULL;
    if (length > RG_TENSORS_HEADER_MAX)
        return rg_fail(err, RG_EUSAGE, "tensors: found a header of %zu bytes, expected at most %zu",
                       length, RG_TENSORS_HEADER_MAX);
    /* once for all, and one byte for the end of the text */
    if (!rg_size_add(&bytes, 8 + length + 1, more) || !(head = rg_alloc(bytes, 1)))
        return rg_fail_memory(err, "storing tensors");
    for (size_t k = 0; k < 8; k++)
        head[k] = (char)(unsigned char)((uint64_t)length >> (8 * k));
    json = (rg_json){.layout = RG_JSON_UTF8, .text = {.data = head + 8, .capacity = length + 1}};
    add_header(&json, set);
    *out = head;
    *n = 8 + length;
    return RG_OK;
}

rg_status rg_tensors_encode(void **bytes, size_t *n, const rg_tensors *set, rg_error *err)
{
    size_t n_data = 0, n_head = 0;
    char *block = NULL;
    for (size_t k = 0; k < rg_tensors_size(set); k++)
        if (!rg_size_add(&n_data, n_data, rg_tensors_at(set, k)->bytes))
            return rg_fail_memory(err, "storing tensors");
    rg_status status = make_head(&block, &n_head, n_data, set, err);
    if (status)
        return status;
    const rg_tensor *tensor;
    *n = n_head;
    for (size_t at = 0; (tensor = next_in_file(set, &at)); *n += tensor->bytes)
        if (tensor->bytes)
            memcpy(block + *n, tensor->data, tensor->bytes);
    *bytes = block;
    return RG_OK;
}

rg_status rg_tensors_write(const rg_tensors *set, const char *path, rg_error *err)
{
    char *head = NULL;
    size_t n = 0;
    rg_file *file = NULL;
    rg_status status = make_head(&head, &n, 0, set, err);
    if (!status)
        status = rg_file_create(&file, path, err);
    if (!status) {
        rg_file_bytes(file, head, n);
        const rg_tensor *tensor;
        for (size_t at = 0; (tensor = next_in_file(set, &at));)
            if (tensor->bytes)
                rg_file_bytes(file, tensor->data, tensor->bytes);
        status = rg_file_commit(file, err);
    }
    rg_free(head);
    return status;
}
