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

#include <stdio.h>
#include <string.h>

/* Bytes that are only counted as long as there is no room for them. */
typedef struct sink {
    char *bytes;
    size_t n;
} sink;

static void put(sink *out, const char *bytes, size_t n)
{
    if (out->bytes)
        memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

static void put_text(sink *out, const char *text)
{
    put(out, text, strlen(text));
}

/* Of control characters there are only these three: tensors.c lets no other in. */
static void put_quoted(sink *out, const char *text)
{
    put(out, "\"", 1);
    for (; *text; text++) {
        const char *escape = *text == '"'    ? "\\\""
                             : *text == '\\' ? "\\\\"
                             : *text == '\t' ? "\\t"
                             : *text == '\n' ? "\\n"
                             : *text == '\r' ? "\\r"
                                             : NULL;
        put(out, escape ? escape : text, escape ? 2 : 1);
    }
    put(out, "\"", 1);
}

static void put_size(sink *out, const char *before, size_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", value);
    put_text(out, before);
    put_text(out, text);
}

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

static void put_header(sink *out, const rg_tensors *set, const char *digest)
{
    put_text(out, "{\"__metadata__\":{\"" RG_TENSORS_DIGEST "\":");
    put_quoted(out, digest);
    for (size_t k = 0; k < rg_tensors_n_metadata(set); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(set, k);
        put_text(out, ",");
        put_quoted(out, entry->key);
        put_text(out, ":");
        put_quoted(out, entry->text);
    }
    put_text(out, "}");
    const rg_tensor *tensor;
    for (size_t at = 0, begin = 0; (tensor = next_in_file(set, &at)); begin += tensor->bytes) {
        put_text(out, ",");
        put_quoted(out, tensor->name);
        put_text(out, ":{\"dtype\":\"");
        put_text(out, rg_dtype_name(tensor->dtype));
        put_text(out, "\",\"shape\":[");
        for (size_t d = 0; d < tensor->n_dims; d++)
            put_size(out, d ? "," : "", tensor->shape[d]);
        put_size(out, "],\"data_offsets\":[", begin);
        put_size(out, ",", begin + tensor->bytes);
        put_text(out, "]}");
    }
    put_text(out, "}");
    while (out->n % 8)
        put_text(out, " ");
}

/* All bytes before the data: *n of them, in a block with room for `more`. *out: owned. */
static rg_status make_head(char **out, size_t *n, size_t more, const rg_tensors *set, rg_error *err)
{
    char digest[RG_DIGEST_TEXT];
    sink head = {0};
    rg_tensors_digest(digest, set);
    put_header(&head, set, digest);
    size_t length = head.n;
    if (length > RG_TENSORS_HEADER_MAX)
        return rg_fail(err, RG_EUSAGE, "tensors: found a header of %zu bytes, expected at most %zu",
                       length, RG_TENSORS_HEADER_MAX);
    size_t bytes;
    if (!rg_size_add(&bytes, 8 + length, more) || !(head.bytes = rg_alloc(bytes, 1)))
        return rg_fail_memory(err, "storing tensors");
    for (head.n = 0; head.n < 8; head.n++)
        head.bytes[head.n] = (char)(unsigned char)((uint64_t)length >> (8 * head.n));
    put_header(&head, set, digest);
    *out = head.bytes;
    *n = head.n;
    return RG_OK;
}

rg_status rg_tensors_encode(void **bytes, size_t *n, const rg_tensors *set, rg_error *err)
{
    size_t n_data = 0;
    sink out = {0};
    for (size_t k = 0; k < rg_tensors_size(set); k++)
        if (!rg_size_add(&n_data, n_data, rg_tensors_at(set, k)->bytes))
            return rg_fail_memory(err, "storing tensors");
    rg_status status = make_head(&out.bytes, &out.n, n_data, set, err);
    if (status)
        return status;
    const rg_tensor *tensor;
    for (size_t at = 0; (tensor = next_in_file(set, &at));)
        if (tensor->bytes)
            put(&out, tensor->data, tensor->bytes);
    *bytes = out.bytes;
    *n = out.n;
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
