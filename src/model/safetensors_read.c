/* safetensors_read.c - tensors from a file. Every number of the header is checked before it is
 * used, and memory is bounded by what the file contains.
 *
 * Files of other programs may have the tensors in any order and blanks in the header. What a file
 * of ours says can be spelled in one way only, but for the name of the digest: so with a digest no
 * damaged byte goes unnoticed (tests/network/test_safetensors.c tries them all). */
#include "safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tensor as the header has it. */
typedef struct tensor_piece {
    rg_tensor tensor;  /* its name: borrowed from the tree */
    size_t begin, end; /* in the data of the file */
    size_t place;      /* in the block of the set */
} tensor_piece;

typedef struct tensor_source {
    const char *file;
    const unsigned char *bytes;
    size_t n, n_header;
    bool mapped;        /* bytes stay as long as the set */
    const char *digest; /* that the file says it has; borrowed from the tree; NULL: none */
    rg_error *err;
} tensor_source;

/* ---- bytes to tree */

static rg_status wrong_byte(const tensor_source *in, size_t at, const char *expected)
{
    unsigned char c = in->bytes[at];
    char found[8];
    snprintf(found, sizeof found, c > 0x20 && c < 0x7f ? "'%c'" : "0x%02x", c);
    return rg_fail(in->err, RG_EDATA, "%s: byte %zu: found %s, expected %s", in->file, at, found,
                   expected);
}

/* Where the header ends, and that it begins and ends as it must: jansson would let other blanks
 * than 0x20 stand around it, the format does not. */
static rg_status get_frame(tensor_source *in)
{
    uint64_t length = 0;
    if (in->n < 8)
        return rg_fail(in->err, RG_EDATA, "%s: found %zu bytes, expected the length of a header",
                       in->file, in->n);
    for (size_t k = 0; k < 8; k++)
        length |= (uint64_t)in->bytes[k] << (8 * k);
    size_t most = in->n - 8 < RG_TENSORS_HEADER_MAX ? in->n - 8 : RG_TENSORS_HEADER_MAX;
    if (length < 2 || length > most)
        return rg_fail(in->err, RG_EDATA,
                       "%s: byte 0: found a header of %llu bytes, expected 2 to %zu", in->file,
                       (unsigned long long)length, most);
    in->n_header = (size_t)length;
    if (in->bytes[8] != '{')
        return wrong_byte(in, 8, "'{'");
    size_t last = 8 + in->n_header - 1;
    while (in->bytes[last] == ' ')
        last--;
    return in->bytes[last] == '}' ? RG_OK : wrong_byte(in, last, "'}' and blanks");
}

static rg_status get_tree(json_t **out, const tensor_source *in)
{
    json_error_t error = {.text = ""};
    const char *header = (const char *)in->bytes + 8;
    json_t *tree = json_loadb(header, in->n_header, JSON_REJECT_DUPLICATES, &error);
    if (tree) {
        *out = tree;
        return RG_OK;
    }
    if (rg_json_starved(&error))
        return rg_fail_memory(in->err, "reading tensors");
    /* its position is behind the byte that it did not like, the first of which is a '{' */
    return rg_fail(in->err, RG_EDATA, "%s: byte %d: %s", in->file, 8 + error.position - 1,
                   error.text);
}

/* ---- tree to pieces */

static rg_status complain(const tensor_source *in, const char *name, const char *what,
                          const json_t *found, const char *expected)
{
    char words[RG_JSON_WORDS];
    return rg_fail(in->err, RG_EDATA, "%s: tensor '%.60s': %sfound %s, expected %s", in->file, name,
                   what, rg_json_describe(words, found), expected);
}

/* What tensors.c says about a bad argument is said about the file here. */
static rg_status blame(const tensor_source *in, rg_status status, const rg_error *inner)
{
    if (status != RG_EUSAGE)
        return rg_fail(in->err, status, "%s", inner->message);
    return rg_fail(in->err, RG_EDATA, "%s: %s", in->file, inner->message);
}

static rg_status get_dtype(rg_dtype *out, const tensor_source *in, const char *name,
                           const json_t *value)
{
    for (int k = 0; k < RG_DTYPES && json_is_string(value); k++)
        if (strcmp(json_string_value(value), rg_dtype_name((rg_dtype)k)) == 0) {
            *out = (rg_dtype)k;
            return RG_OK;
        }
    return complain(in, name, "dtype: ", value, "I64, F64, F32, U32, I32 or U8");
}

/* A list of at least `least` and at most `most` sizes. what: "shape: ". */
static rg_status get_sizes(size_t *out, const tensor_source *in, const char *name, const char *what,
                           const json_t *list, size_t least, size_t most)
{
    char expected[64];
    snprintf(expected, sizeof expected, "a list of %zu to %zu sizes", least, most);
    if (!json_is_array(list))
        return complain(in, name, what, list, expected);
    size_t n = json_array_size(list), k;
    json_t *value;
    if (n < least || n > most)
        return rg_fail(in->err, RG_EDATA, "%s: tensor '%.60s': %sfound %zu entries, expected %s",
                       in->file, name, what, n, expected);
    json_array_foreach(list, k, value)
    {
        if (!json_is_integer(value) || json_integer_value(value) < 0 ||
            json_integer_value(value) > PTRDIFF_MAX)
            return complain(in, name, what, value, "a size");
        out[k] = (size_t)json_integer_value(value);
    }
    return RG_OK;
}

static rg_status get_piece(tensor_piece *out, const tensor_source *in, const char *name,
                           const json_t *value)
{
    rg_error inner = {""};
    size_t offsets[2];
    if (!json_is_object(value) || json_object_size(value) != 3)
        return complain(in, name, "", value, "an object with dtype, shape and data_offsets");
    const json_t *shape = json_object_get(value, "shape");
    *out = (tensor_piece){.tensor = {.name = name, .n_dims = json_array_size(shape)}};
    rg_tensor *tensor = &out->tensor;
    rg_status status = get_dtype(&tensor->dtype, in, name, json_object_get(value, "dtype"));
    if (!status)
        status = get_sizes(tensor->shape, in, name, "shape: ", shape, 0, RG_TENSOR_DIMS);
    if (!status)
        status = get_sizes(offsets, in, name,
                           "data_offsets: ", json_object_get(value, "data_offsets"), 2, 2);
    if (status)
        return status;
    status = rg_tensor_check(tensor, &inner);
    if (status)
        return blame(in, status, &inner);
    out->begin = offsets[0];
    out->end = offsets[1];
    if (out->end < out->begin || out->end - out->begin != tensor->bytes) {
        char words[RG_TENSOR_WORDS];
        return rg_fail(in->err, RG_EDATA,
                       "%s: tensor '%.60s': found data from %zu to %zu, expected %zu bytes of %s",
                       in->file, name, out->begin, out->end, tensor->bytes,
                       rg_tensor_describe(words, tensor));
    }
    return RG_OK;
}

static rg_status get_metadata(rg_tensors *set, tensor_source *in, json_t *object)
{
    const char *key;
    json_t *value;
    char words[RG_JSON_WORDS];
    if (!json_is_object(object))
        return rg_fail(in->err, RG_EDATA, "%s: __metadata__: found %s, expected an object",
                       in->file, rg_json_describe(words, object));
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value))
            return rg_fail(in->err, RG_EDATA, "%s: metadata '%.60s': found %s, expected a text",
                           in->file, key, rg_json_describe(words, value));
        if (strcmp(key, RG_TENSORS_DIGEST) == 0) {
            in->digest = json_string_value(value);
            continue;
        }
        rg_error inner = {""};
        rg_status status = rg_tensors_add_metadata(set, key, json_string_value(value), &inner);
        if (status)
            return blame(in, status, &inner);
    }
    return RG_OK;
}

/* ---- pieces to tensors */

/* By place in the file; empty ones before what begins where they are. */
static int compare_pieces(const void *a, const void *b)
{
    const tensor_piece *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* One after another, from the first byte of the data to the last. */
static rg_status check_places(const tensor_source *in, tensor_piece *pieces, size_t n)
{
    size_t at = 0, n_data = in->n - 8 - in->n_header;
    qsort(pieces, n, sizeof *pieces, compare_pieces);
    for (size_t k = 0; k < n; k++) {
        if (pieces[k].begin != at)
            return rg_fail(in->err, RG_EDATA,
                           "%s: tensor '%.60s': found data from %zu on, expected from %zu on",
                           in->file, pieces[k].tensor.name, pieces[k].begin, at);
        at = pieces[k].end;
    }
    if (at != n_data)
        return rg_fail(in->err, RG_EDATA, "%s: byte %zu: found %zu bytes of data, expected %zu",
                       in->file, 8 + in->n_header, n_data, at);
    return RG_OK;
}

/* May tensors lie where they are in the file? Only if all numbers stand at multiples of their size. */
static bool is_aligned(const tensor_source *in, const tensor_piece *pieces, size_t n)
{
    bool aligned = true;
    for (size_t k = 0; k < n; k++)
        aligned = aligned &&
                  (8 + in->n_header + pieces[k].begin) % rg_dtype_size(pieces[k].tensor.dtype) == 0;
    return aligned;
}

static rg_status put_data(rg_tensors *set, const tensor_source *in, tensor_piece *pieces, size_t n)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < n; k++) {
        rg_error inner;
        pieces[k].tensor.data = in->bytes + 8 + in->n_header + pieces[k].begin;
        status = rg_tensors_add(set, &pieces[k].tensor, &inner);
        if (status)
            return blame(in, status, &inner);
    }
    return status;
}

static rg_status get_data(rg_tensors *set, const tensor_source *in, tensor_piece *pieces, size_t n)
{
    if (in->mapped && is_aligned(in, pieces, n))
        return put_data(set, in, pieces, n);
    rg_carve carve = {0};
    for (size_t k = 0; k < n; k++)
        pieces[k].place = rg_carve_add(&carve, pieces[k].tensor.bytes, 1);
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return rg_fail_memory(in->err, "reading tensors");
    set->block = block;
    for (size_t k = 0; k < n; k++) {
        rg_error inner = {""};
        rg_tensor *tensor = &pieces[k].tensor;
        tensor->data = block + pieces[k].place;
        if (tensor->bytes)
            memcpy(block + pieces[k].place, in->bytes + 8 + in->n_header + pieces[k].begin,
                   tensor->bytes);
        rg_status status = rg_tensors_add(set, tensor, &inner);
        if (status)
            return blame(in, status, &inner);
    }
    return RG_OK;
}

static rg_status get_set(rg_tensors *set, tensor_source *in, json_t *tree)
{
    const char *name;
    json_t *value;
    size_t n = 0;
    rg_status status = RG_OK;
    if (json_object_size(tree) > RG_TENSORS_MAX + 1)
        return rg_fail(in->err, RG_EDATA, "%s: found %zu tensors, expected at most %d", in->file,
                       json_object_size(tree), RG_TENSORS_MAX);
    tensor_piece *pieces = rg_alloc(json_object_size(tree), sizeof *pieces);
    if (!pieces)
        return rg_fail_memory(in->err, "reading tensors");
    json_object_foreach(tree, name, value)
    {
        if (status)
            break;
        if (strcmp(name, "__metadata__") == 0)
            status = get_metadata(set, in, value);
        else
            status = get_piece(&pieces[n++], in, name, value);
    }
    if (!status)
        status = check_places(in, pieces, n);
    if (!status)
        status = get_data(set, in, pieces, n);
    rg_free(pieces);
    return status;
}

static rg_status check_digest(const tensor_source *in, rg_tensors *set, bool need_digest)
{
    char digest[RG_DIGEST_TEXT];
    if (!in->digest && !need_digest)
        return RG_OK;
    rg_tensors_digest(digest, set);
    if (!in->digest)
        return rg_fail(in->err, RG_EDATA, "%s: found no metadata '%s', expected the digest %s",
                       in->file, RG_TENSORS_DIGEST, digest);
    if (strcmp(in->digest, digest) != 0)
        return rg_fail(in->err, RG_EDATA,
                       "%s: found content with the digest %s, expected %.64s as in its metadata",
                       in->file, digest, in->digest);
    memcpy(set->digest, digest, sizeof digest);
    return RG_OK;
}

static rg_status parse(rg_tensors **out, const char *file, const void *bytes, size_t n, bool mapped,
                       bool need_digest, rg_error *err)
{
    tensor_source in = {.file = file, .bytes = bytes, .n = n, .mapped = mapped, .err = err};
    json_t *tree = NULL;
    rg_tensors *set = NULL;
    rg_status status = get_frame(&in);
    if (!status)
        status = get_tree(&tree, &in);
    if (!status && (!(set = rg_tensors_new()) || !(set->file = rg_copy_text(file, strlen(file)))))
        status = rg_fail_memory(err, "reading tensors");
    if (!status)
        status = get_set(set, &in, tree);
    if (!status)
        status = check_digest(&in, set, need_digest);
    if (!status)
        *out = set;
    else
        rg_tensors_free(set);
    json_decref(tree);
    return status;
}

rg_status rg_tensors_parse(rg_tensors **out, const char *file, const void *bytes, size_t n,
                           bool need_digest, rg_error *err)
{
    return parse(out, file, bytes, n, false, need_digest, err);
}

rg_status rg_tensors_read(rg_tensors **out, const char *path, size_t max, bool need_digest,
                          rg_error *err)
{
    const void *bytes = NULL;
    size_t n = 0;
    rg_tensors *set = NULL;
    rg_status status = rg_file_map(&bytes, &n, path, max, err);
    if (!status)
        status = parse(&set, path, bytes, n, true, need_digest, err);
    if (status) {
        rg_file_unmap(bytes, n);
        return status;
    }
    set->mapped = bytes;
    set->n_mapped = n;
    *out = set;
    return RG_OK;
}
