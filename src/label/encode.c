/* encode.c - a fitted labeling as bytes, and back. All numbers little-endian:
 *
 *     "RGLABEL1"
 *     u64 length, and the spec in normal form
 *     u64 budget of the fit
 *     the labeling, its parts before itself, each:
 *         u64 n_bounds, f64 bounds                   (attribute)
 *         u64 n_levels, and for each level:
 *             u64 n_keys, and for each key: u64 count, u64 n_words, u32 words
 *     u64 XXH3 of all bytes before it
 */
#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "kind.h"

#include <math.h>
#include <string.h>

static const char magic[8] = RG_LABELING_MAGIC;

/* ---- writing: the first failure sticks */

typedef struct label_sink {
    unsigned char *bytes;
    size_t n, capacity;
    bool failed;
} label_sink;

static void put(label_sink *out, const void *bytes, size_t n)
{
    if (out->failed || !rg_grow(&out->bytes, &out->capacity, out->n + n, 1)) {
        out->failed = true;
        return;
    }
    if (n)
        memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

static void put_number(label_sink *out, uint64_t value, size_t n)
{
    unsigned char bytes[8];
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(value >> (8 * k));
    put(out, bytes, n);
}

static void put_labeling(label_sink *out, const rg_labeling *labeling)
{
    for (size_t k = 0; k < labeling->spec->n_parts; k++)
        put_labeling(out, labeling->parts[k]);
    put_number(out, labeling->n_bounds, 8);
    for (size_t k = 0; k < labeling->n_bounds; k++) {
        uint64_t bits;
        memcpy(&bits, &labeling->bounds[k], sizeof bits);
        put_number(out, bits, 8);
    }
    put_number(out, labeling->n_levels, 8);
    for (size_t level = 0; level < labeling->n_levels; level++) {
        const rg_vocabulary *vocabulary = labeling->levels[level];
        put_number(out, rg_vocabulary_size(vocabulary), 8);
        for (size_t k = 0; k < rg_vocabulary_size(vocabulary); k++) {
            size_t n;
            const uint32_t *words = rg_vocabulary_key(vocabulary, (uint32_t)k, &n);
            put_number(out, rg_vocabulary_count(vocabulary, (uint32_t)k), 8);
            put_number(out, n, 8);
            for (size_t w = 0; w < n; w++)
                put_number(out, words[w], 4);
        }
    }
}

rg_status rg_labeling_encode(void **bytes, size_t *n, const rg_labeling *labeling, rg_error *err)
{
    label_sink out = {0};
    put(&out, magic, sizeof magic);
    put_number(&out, strlen(labeling->text), 8);
    put(&out, labeling->text, strlen(labeling->text));
    put_number(&out, labeling->budget, 8);
    put_labeling(&out, labeling);
    if (!out.failed)
        put_number(&out, rg_hash(out.bytes, out.n, 0), 8);
    if (out.failed) {
        rg_free(out.bytes);
        return rg_fail_memory(err, "storing labels");
    }
    *bytes = out.bytes;
    *n = out.n;
    return RG_OK;
}

void rg_bytes_free(void *bytes)
{
    rg_free(bytes);
}

/* ---- reading: every length is checked against what is left before anything is allocated */

typedef struct label_source {
    const unsigned char *bytes;
    size_t n, at;
    rg_error *err;
} label_source;

static rg_status damaged(const label_source *in, const char *expected)
{
    return rg_fail(in->err, RG_EDATA, "labels: byte %zu: found damaged bytes, expected %s", in->at,
                   expected);
}

static bool get_number(label_source *in, uint64_t *out, size_t n)
{
    if (in->n - in->at < n)
        return false;
    *out = 0;
    for (size_t k = 0; k < n; k++)
        *out |= (uint64_t)in->bytes[in->at++] << (8 * k);
    return true;
}

/* A count of items that take at least `size` bytes each. */
static bool get_count(label_source *in, size_t *out, size_t size)
{
    uint64_t value;
    if (!get_number(in, &value, 8) || value > (in->n - in->at) / size)
        return false;
    *out = (size_t)value;
    return true;
}

static rg_status get_bounds(label_source *in, rg_labeling *labeling)
{
    size_t n;
    if (!get_count(in, &n, 8) || (n && n >= labeling->spec->bins))
        return damaged(in, "the bins of an attribute");
    labeling->bounds = rg_alloc(n, sizeof *labeling->bounds);
    if (!labeling->bounds)
        return rg_fail_memory(in->err, "restoring labels");
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        if (!get_number(in, &bits, 8))
            return damaged(in, "the bins of an attribute");
        memcpy(&labeling->bounds[k], &bits, sizeof bits);
        if (!isfinite(labeling->bounds[k]) || (k && labeling->bounds[k] <= labeling->bounds[k - 1]))
            return damaged(in, "ascending bins");
    }
    labeling->n_bounds = n;
    return RG_OK;
}

/* Has the key a shape that fitting can give it? Then describing it can trust every number. */
static bool key_fits(const rg_labeling *labeling, size_t level, const uint32_t *words, size_t n)
{
    const rg_label_spec *spec = labeling->spec;
    if (spec->kind->key_fits)
        return spec->kind->key_fits(labeling, level, words, n);
    if (!spec->kind->refine)
        return n == 2 * rg_label_spec_dims(spec);
    if (level == 0)
        return n == 1 && words[0] < labeling->parts[0]->size - 1;
    size_t stride = spec->edges ? RG_WL_EDGE_WORDS : 1;
    size_t below = rg_vocabulary_size(labeling->levels[level - 1]);
    if (n == 0 || (n - 1) % stride || words[0] >= below)
        return false;
    for (size_t k = stride; k < n; k += stride)
        if (words[k] >= below)
            return false;
    return true;
}

/* The keys of a level, from *in on; their lengths were checked by get_level. */
static rg_status get_keys(label_source *in, rg_labeling *labeling, size_t level, size_t n_keys,
                          size_t n_words)
{
    uint64_t *start = rg_alloc(n_keys + 1, sizeof *start), value = 0, total = 0;
    uint64_t *counts = rg_alloc(n_keys, sizeof *counts);
    uint32_t *words = rg_alloc(n_words, sizeof *words);
    size_t used = 0, n;
    rg_status status =
        start && counts && words ? RG_OK : rg_fail_memory(in->err, "restoring labels");
    for (size_t k = 0; !status && k < n_keys; k++) {
        start[k] = used;
        get_number(in, &counts[k], 8);
        get_count(in, &n, 4);
        for (size_t w = 0; w < n; w++) {
            get_number(in, &value, 4);
            words[used++] = (uint32_t)value;
        }
        if (counts[k] == 0 || counts[k] > UINT64_MAX - total ||
            !key_fits(labeling, level, words + start[k], n))
            status = damaged(in, "a key of this labeling");
        total += counts[k];
    }
    if (!status) {
        start[n_keys] = used;
        status = rg_vocabulary_restore(&labeling->levels[level],
                                       &(rg_keys){words, start, n_keys, NULL}, counts, in->err);
    }
    rg_free(start);
    rg_free(counts);
    rg_free(words);
    return status;
}

/* First how many words there are, then the words: one allocation each. */
static rg_status get_level(label_source *in, rg_labeling *labeling, size_t level)
{
    size_t n_keys, n_words = 0, n;
    uint64_t count;
    if (!get_count(in, &n_keys, 16))
        return damaged(in, "keys");
    size_t begin = in->at;
    for (size_t k = 0; k < n_keys; k++) {
        if (!get_number(in, &count, 8) || !get_count(in, &n, 4))
            return damaged(in, "a key");
        in->at += n * 4;
        n_words += n;
    }
    in->at = begin;
    return get_keys(in, labeling, level, n_keys, n_words);
}

static rg_status get_labeling(label_source *in, rg_labeling *labeling)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < labeling->spec->n_parts; k++)
        if ((status = get_labeling(in, labeling->parts[k])))
            return status;
    if ((status = get_bounds(in, labeling)))
        return status;
    size_t n_levels;
    if (!get_count(in, &n_levels, 8) || n_levels != labeling->n_levels)
        return damaged(in, "as many levels as the labeling has");
    for (size_t level = 0; level < n_levels; level++)
        if ((status = get_level(in, labeling, level)))
            return status;
    return rg_labeling_number(labeling, in->err);
}

/* The magic and the check sum; in->n becomes where the check sum starts. */
static rg_status get_frame(label_source *in)
{
    uint64_t sum;
    if (in->n < sizeof magic + 8 || memcmp(in->bytes, magic, sizeof magic) != 0)
        return rg_fail(in->err, RG_EDATA, "labels: found other content, expected '%.8s'", magic);
    in->at = in->n - 8;
    get_number(in, &sum, 8);
    in->n -= 8;
    in->at = sizeof magic;
    return sum == rg_hash(in->bytes, in->n, 0)
               ? RG_OK
               : damaged(in, "bytes that agree with their check sum");
}

static rg_status get_spec(label_source *in, rg_labeling **out)
{
    rg_label_spec *spec = NULL;
    size_t length;
    if (!get_count(in, &length, 1))
        return damaged(in, "a labeling");
    char *text = rg_copy_text((const char *)in->bytes + in->at, length);
    if (!text)
        return rg_fail_memory(in->err, "restoring labels");
    rg_labeling *labeling = NULL;
    rg_status status = rg_label_spec_restore(&spec, text, in->err);
    if (status == RG_EUSAGE) /* it is the bytes that are wrong, not the caller */
        status = RG_EDATA;
    if (!status)
        status = rg_labeling_new(&labeling, spec, true, in->err);
    if (!status && (strlen(text) != length || strcmp(text, labeling->text) != 0))
        status = damaged(in, "a labeling in normal form");
    rg_free(text);
    in->at += length;
    if (status)
        rg_labeling_free(labeling);
    else
        *out = labeling;
    return status;
}

rg_status rg_labeling_decode(rg_labeling **out, const void *bytes, size_t n, rg_error *err)
{
    label_source in = {bytes, n, 0, err};
    rg_labeling *labeling = NULL;
    rg_status status = get_frame(&in);
    if (!status)
        status = get_spec(&in, &labeling);
    if (!status && !get_number(&in, &labeling->budget, 8))
        status = damaged(&in, "a budget");
    if (!status)
        status = get_labeling(&in, labeling);
    if (!status && in.at != in.n)
        status = damaged(&in, "the end");
    if (status)
        rg_labeling_free(labeling);
    else
        *out = labeling;
    return status;
}
