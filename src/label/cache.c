/* cache.c - see cache.h. An entry, all numbers little-endian:
 *
 *     "RGCOUNT1", the 64 digits of its name
 *     u64 n_graphs, n_nodes, dims, width
 *     n_nodes * dims numbers of `width` bytes each: the count plus 1, or 0 if it was capped
 *     u64 XXH3 of all bytes before it
 */
#include "cache.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "kind.h"

#include <string.h>

static const char magic[8] = "RGCOUNT1";
enum { NAME = RG_DIGEST_TEXT - 1, HEADER = 8 + NAME + 4 * 8, SUM = 8 };

/* Raise it when a counter gives other numbers than before. */
enum { COUNTERS_VERSION = 1 };

rg_status rg_label_cache_directory(char **out, rg_error *err)
{
    char *directory = NULL;
    rg_status status = rg_path_cache(&directory, "labels", err);
    if (status)
        return status;
    if (!directory)
        return rg_fail(err, RG_EFAIL, "no directory for the cache: set XDG_CACHE_HOME or HOME");
    *out = directory;
    return RG_OK;
}

bool rg_cache_wants(const rg_label_spec *spec)
{
    return spec->kind->counted != NULL;
}

/* One entry: where it lies and what its header must be. */
typedef struct cache_entry {
    char *path;
    char name[RG_DIGEST_TEXT];
    uint64_t n_graphs, n_nodes, dims;
} cache_entry;

static rg_status entry_open(cache_entry *out, const rg_label_spec *spec,
                            const rg_label_frame *frame, rg_error *err)
{
    char *text = rg_label_spec_print_unbounded(spec);
    if (!text)
        return rg_fail_memory(err, "looking into the cache");
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_bytes(&digest, magic, sizeof magic);
    rg_digest_u64(&digest, COUNTERS_VERSION);
    rg_digest_text(&digest, frame->digest);
    rg_digest_text(&digest, text);
    rg_digest_u64(&digest, frame->options->budget);
    rg_digest_finish(&digest, out->name);
    rg_free(text);
    out->n_graphs = rg_dataset_n_graphs(frame->data);
    out->n_nodes = rg_dataset_n_nodes(frame->data);
    out->dims = rg_label_spec_dims(spec);
    out->path = rg_path_join(frame->options->cache, out->name);
    return out->path ? RG_OK : rg_fail_memory(err, "looking into the cache");
}

static void put(unsigned char *at, uint64_t value, size_t width)
{
    for (size_t k = 0; k < width; k++)
        at[k] = (unsigned char)(value >> (8 * k));
}

static uint64_t get(const unsigned char *at, size_t width)
{
    uint64_t value = 0;
    for (size_t k = 0; k < width; k++)
        value |= (uint64_t)at[k] << (8 * k);
    return value;
}

static void put_header(unsigned char *at, const cache_entry *e, size_t width)
{
    memcpy(at, magic, sizeof magic);
    memcpy(at + sizeof magic, e->name, NAME);
    const uint64_t numbers[] = {e->n_graphs, e->n_nodes, e->dims, width};
    for (size_t k = 0; k < 4; k++)
        put(at + sizeof magic + NAME + 8 * k, numbers[k], 8);
}

/* A whole entry of n bytes: is it the one we want, undamaged? *width: bytes of a number. */
static bool is_sound(const unsigned char *bytes, size_t n, const cache_entry *e, size_t *width)
{
    unsigned char header[HEADER];
    if (n < HEADER + SUM)
        return false;
    uint64_t claimed = get(bytes + HEADER - 8, 8);
    if (claimed < 1 || claimed > 8)
        return false;
    *width = (size_t)claimed;
    put_header(header, e, *width);
    return memcmp(header, bytes, HEADER) == 0 &&
           (n - HEADER - SUM) / *width == e->n_nodes * e->dims &&
           (n - HEADER - SUM) % *width == 0 &&
           get(bytes + n - SUM, SUM) == rg_hash(bytes, n - SUM, 0);
}

/* A graph is capped if one of its numbers is. */
static void mark_capped(const int64_t *numbers, size_t dims, const rg_label_frame *frame)
{
    for (size_t g = 0; g < rg_dataset_n_graphs(frame->data); g++) {
        rg_graph graph = rg_dataset_graph(frame->data, g);
        const int64_t *of_graph = numbers + graph.first_node * dims;
        for (size_t k = 0; k < graph.n_nodes * dims; k++)
            if (of_graph[k] == RG_CAPPED)
                frame->capped[g] = true;
    }
}

rg_status rg_cache_load(bool *found, int64_t *out, const rg_label_spec *spec,
                        const rg_label_frame *frame, rg_error *err)
{
    cache_entry e;
    void *bytes = NULL;
    size_t n, width, count, max;
    *found = false;
    if (!frame->digest[0] || !rg_cache_wants(spec))
        return RG_OK;
    rg_status status = entry_open(&e, spec, frame, err);
    if (status)
        return status;
    count = (size_t)(e.n_nodes * e.dims); /* as many as `out` has, so it cannot overflow */
    max = HEADER + SUM + 8 * count;
    status = rg_file_load(&bytes, &n, e.path, NULL, max, err);
    if (!status && is_sound(bytes, n, &e, &width)) {
        const unsigned char *at = (const unsigned char *)bytes + HEADER;
        for (size_t k = 0; k < count; k++) {
            uint64_t value = get(at + k * width, width);
            out[k] = value ? (int64_t)(value - 1) : RG_CAPPED;
        }
        mark_capped(out, (size_t)e.dims, frame);
        *found = true;
    }
    rg_free(bytes);
    rg_free(e.path);
    return status == RG_ENOMEM ? status : RG_OK;
}

static size_t width_of(const int64_t *numbers, size_t n)
{
    uint64_t most = 0;
    size_t width = 1;
    for (size_t k = 0; k < n; k++)
        if (numbers[k] != RG_CAPPED && (uint64_t)numbers[k] + 1 > most)
            most = (uint64_t)numbers[k] + 1;
    while (width < 8 && most >> (8 * width))
        width++;
    return width;
}

static rg_status write_entry(const cache_entry *e, const char *directory, const void *bytes,
                             size_t n, rg_error *err)
{
    rg_file *file = NULL;
    if (rg_path_exists(e->path) && !rg_path_is_file(e->path))
        return RG_OK; /* nothing of ours, and a pipe would make us wait for a reader */
    rg_status status = rg_dir_make(directory, err);
    if (!status)
        status = rg_file_create(&file, e->path, err);
    if (status)
        return status;
    rg_file_bytes(file, bytes, n);
    return rg_file_commit(file, err);
}

rg_status rg_cache_store(const int64_t *numbers, const rg_label_spec *spec,
                         const rg_label_frame *frame, rg_error *err)
{
    cache_entry e;
    if (!frame->digest[0] || !rg_cache_wants(spec) || frame->needed_only)
        return RG_OK;
    rg_status status = entry_open(&e, spec, frame, err);
    if (status)
        return status;
    size_t count = (size_t)(e.n_nodes * e.dims), width = width_of(numbers, count);
    size_t n = HEADER + width * count;
    unsigned char *bytes = rg_alloc(n + SUM, 1);
    if (bytes) {
        put_header(bytes, &e, width);
        for (size_t k = 0; k < count; k++)
            put(bytes + HEADER + k * width, numbers[k] == RG_CAPPED ? 0 : (uint64_t)numbers[k] + 1,
                width);
        put(bytes + n, rg_hash(bytes, n, 0), SUM);
        status = write_entry(&e, frame->options->cache, bytes, n + SUM, err);
    } else {
        status = rg_fail_memory(err, "keeping counts");
    }
    rg_free(bytes);
    rg_free(e.path);
    return status == RG_ENOMEM ? status : RG_OK;
}
