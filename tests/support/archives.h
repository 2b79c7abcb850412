/* archives.h - archives made in memory for the tests. */
#ifndef REGULA_TESTS_SUPPORT_ARCHIVES_H
#define REGULA_TESTS_SUPPORT_ARCHIVES_H

#include "support.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

/* One entry. A plain file with `text` unless `type` says otherwise (AE_IFDIR, AE_IFLNK, ...); then
 * `text` is where a link leads. hard: a hard link to `text`. repeat: the text so many times.
 * n: bytes of a text that is not terminated, such as a file that is packed by itself. */
typedef struct pack_file {
    const char *name, *text;
    unsigned type;
    bool hard;
    size_t repeat;
    size_t n;
} pack_file;

typedef struct packed {
    char *bytes; /* owned (free) */
    size_t n, capacity;
} packed;

static inline la_ssize_t pack_write(struct archive *archive, void *state, const void *bytes,
                                    size_t n)
{
    (void)archive;
    packed *out = state;
    if (out->n + n > out->capacity) {
        out->capacity = 2 * (out->n + n);
        out->bytes = realloc(out->bytes, out->capacity);
        assert_non_null(out->bytes);
    }
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
    return (la_ssize_t)n;
}

static inline void pack_entry(struct archive *archive, const pack_file *file)
{
    struct archive_entry *entry = archive_entry_new();
    size_t n = file->n ? file->n : file->text ? strlen(file->text) : 0;
    size_t times = file->repeat ? file->repeat : 1;
    archive_entry_set_pathname(entry, file->name);
    archive_entry_set_filetype(entry, file->type ? file->type : AE_IFREG);
    archive_entry_set_perm(entry, file->type == AE_IFDIR ? 0755 : 0644);
    archive_entry_set_size(entry, file->type || file->hard ? 0 : (la_int64_t)(n * times));
    if (file->hard)
        archive_entry_set_hardlink(entry, file->text);
    else if (file->type == AE_IFLNK)
        archive_entry_set_symlink(entry, file->text);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    for (size_t k = 0; !file->type && !file->hard && k < times; k++)
        assert_int_equal(archive_write_data(archive, file->text, n), n);
    archive_entry_free(entry);
}

static inline bool pack_ends(const char *kind, const char *ending)
{
    size_t n = strlen(kind), m = strlen(ending);
    return n >= m && strcmp(kind + n - m, ending) == 0;
}

/* kind: "zip", "stored.zip" (not compressed), "tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2", or "gz" for one compressed file. */
static inline packed pack(const char *kind, const pack_file *files, size_t n)
{
    packed out = {0};
    struct archive *archive = archive_write_new();
    assert_non_null(archive);
    if (pack_ends(kind, "zip"))
        assert_int_equal(archive_write_set_format_zip(archive), ARCHIVE_OK);
    else if (strncmp(kind, "tar", 3) == 0)
        assert_int_equal(archive_write_set_format_pax_restricted(archive), ARCHIVE_OK);
    else
        assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
    if (strcmp(kind, "stored.zip") == 0)
        assert_int_equal(archive_write_set_options(archive, "zip:compression=store"), ARCHIVE_OK);
    if (pack_ends(kind, "gz"))
        archive_write_add_filter_gzip(archive);
    else if (pack_ends(kind, "zst"))
        archive_write_add_filter_zstd(archive);
    else if (pack_ends(kind, "xz"))
        archive_write_add_filter_xz(archive);
    else if (pack_ends(kind, "bz2"))
        archive_write_add_filter_bzip2(archive);
    archive_write_set_bytes_in_last_block(archive, 1); /* no padding behind it */
    assert_int_equal(archive_write_open(archive, &out, NULL, pack_write, NULL), ARCHIVE_OK);
    for (size_t k = 0; k < n; k++)
        pack_entry(archive, &files[k]);
    assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
    return out;
}

#endif
