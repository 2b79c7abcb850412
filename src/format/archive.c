/* archive.c - see archive.h. */
#define _GNU_SOURCE /* newlocale, uselocale */
#include "archive.h"

#include "base/alloc.h"
#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* The first pieces are small: before libarchive knows what it has, it must not be led far. */
enum { PIECE_FIRST = 1 << 12, PIECE = 1 << 16 };

struct rg_archive {
    struct archive *handle;
    rg_byte_source source;
    rg_archive *outer; /* bytes come from its current entry instead of the source */
    const char *name;  /* for messages */
    rg_meter *meter;
    locale_t utf8;          /* for names; 0: this machine has no such locale */
    uint64_t packed_before; /* the meter's, when this one was opened */
    char *path;             /* of the current entry */
    const char *block;      /* what libarchive unpacked and nobody took yet */
    size_t block_left;
    int64_t position;   /* in the current entry, behind the block */
    bool inside;        /* an entry that was not read to its end */
    bool opened, begun; /* libarchive accepted it; the first entry was there */
    rg_status failure;  /* the first one: an archive that failed stays so */
    rg_error failure_text;
    char piece[PIECE];
};

size_t rg_archive_ending(const char *name)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2"};
    size_t n = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t m = strlen(endings[k]);
        if (n > m && strcmp(name + n - m, endings[k]) == 0)
            return m;
    }
    return 0;
}

bool rg_archive_promised(const char *name, size_t *n)
{
    static const char *const endings[] = {".zip", ".npz",    ".tar",     ".tgz",    ".tzst",
                                          ".txz", ".tar.gz", ".tar.zst", ".tar.xz", ".tar.bz2"};
    size_t all = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t m = strlen(endings[k]);
        if (all > m && strcmp(name + all - m, endings[k]) == 0) {
            *n = m;
            return true;
        }
    }
    return false;
}

static const char *separator(const rg_archive *archive)
{
    return archive->path && *archive->path ? ":" : "";
}

static const char *entry_path(const rg_archive *archive)
{
    return archive->path ? archive->path : "";
}

/* Keeps the failure, so that nothing is unpacked after it, and reports it. */
static rg_status keep_failure(rg_archive *archive, rg_status status, rg_error *err)
{
    if (!archive->failure)
        archive->failure = status;
    if (err)
        *err = archive->failure_text;
    return archive->failure;
}

/* What libarchive says, unless the failure was ours before it was libarchive's. When zstd is short
 * of memory only the text says so. */
static rg_status fail_unpacking(rg_archive *archive, rg_error *err)
{
    if (archive->failure)
        return keep_failure(archive, archive->failure, err);
    const char *why = archive_error_string(archive->handle);
    rg_status status;
    if (archive_errno(archive->handle) == ENOMEM || (why && strstr(why, "not enough memory")))
        status = rg_fail_memory(&archive->failure_text, "unpacking an archive");
    else if (!archive->begun && !archive->outer)
        status = rg_fail(&archive->failure_text, RG_EDATA,
                         "%s: found no archive that can be read (%s), expected a whole zip, tar, "
                         "tar.gz, tar.zst, tar.xz or tar.bz2",
                         archive->name, why ? why : "damaged");
    else
        status = rg_fail(&archive->failure_text, RG_EDATA,
                         "%s%s%s: found damaged data (%s), expected a whole archive", archive->name,
                         separator(archive), entry_path(archive), why ? why : "no details");
    return keep_failure(archive, status, err);
}

/* ---- what libarchive calls for packed bytes */

static la_ssize_t give_bytes(struct archive *handle, void *state, const void **buffer)
{
    rg_archive *archive = state;
    size_t n = archive->opened ? PIECE : PIECE_FIRST, got = 0;
    rg_status status = archive->failure;
    /* One filter is the bytes themselves, two are one layer of compression. More would let a small
     * file unpack to very much inside libarchive, where no meter sees it. */
    if (!status && archive_filter_count(handle) > 2)
        status =
            rg_fail(&archive->failure_text, RG_EDATA,
                    "%s: found data compressed twice, expected it compressed once", archive->name);
    if (!status && archive->outer)
        status = rg_archive_read(archive->outer, archive->piece, n, &got, &archive->failure_text);
    else if (!status)
        status = rg_source_read(&archive->source, archive->piece, n, &got, &archive->failure_text);
    if (status) {
        archive->failure = status;
        archive_set_error(handle, EIO, "%s", archive->failure_text.message);
        return ARCHIVE_FATAL;
    }
    *buffer = archive->piece;
    return (la_ssize_t)got;
}

static la_int64_t skip_bytes(struct archive *handle, void *state, la_int64_t n)
{
    (void)handle;
    rg_archive *archive = state;
    uint64_t left =
        archive->source.size > archive->source.at ? archive->source.size - archive->source.at : 0;
    if (archive->outer || n < 0)
        return 0;
    if ((uint64_t)n > left)
        n = (la_int64_t)left;
    archive->source.at += (uint64_t)n;
    return n;
}

static la_int64_t seek_bytes(struct archive *handle, void *state, la_int64_t offset, int whence)
{
    rg_archive *archive = state;
    int64_t from = whence == SEEK_SET   ? 0
                   : whence == SEEK_CUR ? (int64_t)archive->source.at
                                        : (int64_t)archive->source.size;
    if (offset < -from || offset > (int64_t)archive->source.size - from) {
        archive_set_error(handle, EINVAL, "a place outside of the file");
        return ARCHIVE_FATAL;
    }
    archive->source.at = (uint64_t)(from + offset);
    return from + offset;
}

/* ---- opening */

/* Filters and formats that are wanted, and only those that libarchive does itself: without zlib and
 * its kin it would start another program. Formats that guess stay out. */
static void choose_formats(struct archive *handle, rg_archive_kind kind)
{
    if (archive_zlib_version())
        archive_read_support_filter_gzip(handle);
    if (archive_bzlib_version())
        archive_read_support_filter_bzip2(handle);
    if (archive_liblzma_version())
        archive_read_support_filter_xz(handle);
    if (archive_libzstd_version())
        archive_read_support_filter_zstd(handle);
    if (kind != RG_ARCHIVE_SINGLE) {
        archive_read_support_format_tar(handle);
        /* By its directory at the end, never by guessing from the front: only there is it said
         * which entries are links. */
        archive_read_support_format_zip_seekable(handle);
    }
    if (kind != RG_ARCHIVE_LIST) {
        archive_read_support_format_raw(handle);
        archive_read_support_format_empty(handle);
    }
}

static rg_status open_handle(rg_archive *archive, rg_archive_kind kind, rg_error *err)
{
    struct archive *handle = archive->handle = archive_read_new();
    if (!handle)
        return rg_fail_memory(err, "opening an archive");
    choose_formats(handle, kind);
    archive_read_set_read_callback(handle, give_bytes);
    archive_read_set_callback_data(handle, archive);
    if (!archive->outer) {
        archive_read_set_skip_callback(handle, skip_bytes);
        archive_read_set_seek_callback(handle, seek_bytes);
    }
    if (archive_read_open1(handle) != ARCHIVE_OK)
        return fail_unpacking(archive, err);
    archive->opened = true;
    if (archive_filter_count(handle) > 2)
        return rg_fail(err, RG_EDATA,
                       "%s: found data compressed twice, expected it compressed once",
                       archive->name);
    return RG_OK;
}

static rg_status archive_new(rg_archive **out, rg_byte_source source, rg_archive *outer,
                             rg_archive_kind kind, rg_meter *meter, rg_error *err)
{
    rg_archive *archive = rg_alloc_zero(1, sizeof *archive);
    if (!archive) {
        rg_source_close(&source);
        return rg_fail_memory(err, "opening an archive");
    }
    archive->source = source;
    archive->outer = outer;
    archive->name = source.name;
    archive->meter = meter;
    archive->packed_before = meter->packed;
    archive->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    rg_status status = open_handle(archive, kind, err);
    if (status) {
        rg_archive_close(archive);
        return status;
    }
    *out = archive;
    return RG_OK;
}

rg_status rg_archive_open(rg_archive **out, rg_byte_source source, rg_archive_kind kind,
                          rg_meter *meter, rg_error *err)
{
    return archive_new(out, source, NULL, kind, meter, err);
}

rg_status rg_archive_open_inner(rg_archive **out, rg_archive *outer, const char *name,
                                rg_meter *meter, rg_error *err)
{
    return archive_new(out, rg_source_memory(name, "", 0), outer, RG_ARCHIVE_SINGLE, meter, err);
}

void rg_archive_close(rg_archive *archive)
{
    if (!archive)
        return;
    if (archive->handle)
        archive_read_free(archive->handle);
    if (archive->utf8)
        freelocale(archive->utf8);
    rg_source_close(&archive->source);
    rg_free(archive->path);
    rg_free(archive);
}

/* ---- entries */

/* Where the path would lead if it were unpacked; both kinds of slashes count. */
static const char *what_is_wrong_with(const char *path)
{
    size_t n = strlen(path);
    if (*path == '/' || *path == '\\' ||
        (n > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\')))
        return "an absolute path";
    for (const char *part = path; *part;) {
        size_t m = strcspn(part, "/\\");
        if (m == 2 && part[0] == '.' && part[1] == '.')
            return "a path with '..'";
        part += m + (part[m] != '\0');
    }
    return NULL;
}

static const char *what_kind(struct archive_entry *entry)
{
    if (archive_entry_hardlink(entry))
        return "a hard link";
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR:
        return archive_entry_is_encrypted(entry) > 0 ? "an encrypted file" : NULL;
    case AE_IFLNK:
        return "a symbolic link";
    default:
        return "a device, pipe or socket";
    }
}

/* macOS puts a second tree and hidden files into what it packs. */
static bool is_clutter(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(path, "__MACOSX/", 9) == 0 || strstr(path, "/__MACOSX/") ||
           (slash ? slash[1] : path[0]) == '.';
}

/* Reads an entry that nobody wanted, under the meter: libarchive's own way to skip has none, and
 * inside a compressed tar it unpacks just the same. Zip really skips. */
static rg_status leave_entry(rg_archive *archive, rg_error *err)
{
    bool tar = (archive_format(archive->handle) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
    while (archive->inside && tar) {
        char rest[1 << 14];
        size_t got;
        rg_status status = rg_archive_read(archive, rest, sizeof rest, &got, err);
        if (status)
            return status;
    }
    archive->inside = false;
    archive->block_left = 0;
    archive->position = 0;
    rg_free(archive->path);
    archive->path = NULL;
    return RG_OK;
}

/* Takes the entry's path over and says whether it is a file that somebody may want. */
static rg_status check_entry(rg_archive *archive, struct archive_entry *entry, bool *wanted,
                             rg_error *err)
{
    const char *path = archive_entry_pathname(entry);
    if (!path)
        path = archive_entry_pathname_utf8(entry);
    if (archive_format(archive->handle) == ARCHIVE_FORMAT_RAW)
        path = "";
    if (!path)
        return rg_fail(err, RG_EDATA, "%s: found an entry whose name cannot be read, expected text",
                       archive->name);
    rg_status status = rg_meter_entry(archive->meter, archive->name, err);
    if (status)
        return status;
    const char *wrong = what_is_wrong_with(path);
    while (!wrong && path[0] == '.' && path[1] == '/')
        path += 2;
    bool clutter = !wrong && *path && is_clutter(path);
    if (!wrong && !clutter)
        wrong = what_kind(entry);
    if (wrong)
        return rg_fail(err, RG_EDATA,
                       "%s: found %s ('%.200s'), expected plain files and directories",
                       archive->name, wrong, path);
    *wanted = !clutter && archive_entry_filetype(entry) == AE_IFREG;
    archive->path = rg_copy_text(path, strlen(path));
    return archive->path ? RG_OK : rg_fail_memory(err, "unpacking an archive");
}

/* libarchive turns names into the alphabet of the locale and loses those that have no place in it:
 * in a program that never called setlocale, all that are not ASCII. So this thread has another
 * locale meanwhile. */
static int next_header(rg_archive *archive, struct archive_entry **entry)
{
    locale_t before = archive->utf8 ? uselocale(archive->utf8) : (locale_t)0;
    int result = archive_read_next_header(archive->handle, entry);
    if (archive->utf8)
        uselocale(before);
    return result;
}

rg_status rg_archive_next(rg_archive *archive, const char **path, rg_error *err)
{
    if (archive->failure)
        return keep_failure(archive, archive->failure, err);
    for (;;) {
        rg_status status = leave_entry(archive, err);
        if (status)
            return status;
        struct archive_entry *entry;
        int result = next_header(archive, &entry);
        if (result == ARCHIVE_EOF) {
            *path = NULL;
            return RG_OK;
        }
        /* A warning is about names in another alphabet or times that make no sense. */
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return fail_unpacking(archive, err);
        bool wanted = false;
        archive->begun = archive->inside = true;
        status = check_entry(archive, entry, &wanted, &archive->failure_text);
        if (status)
            return keep_failure(archive, status, err);
        if (wanted) {
            *path = archive->path;
            return RG_OK;
        }
    }
}

/* The next block that libarchive has, into archive->block; none at the end of the entry. */
static rg_status next_block(rg_archive *archive, rg_error *err)
{
    const void *block = NULL;
    size_t n = 0;
    la_int64_t offset = 0;
    int result = archive_read_data_block(archive->handle, &block, &n, &offset);
    if (result == ARCHIVE_EOF) {
        archive->inside = false;
        return RG_OK;
    }
    if (result != ARCHIVE_OK)
        return fail_unpacking(archive, err);
    rg_status status = RG_OK;
    if (offset != archive->position) {
        status = rg_fail(&archive->failure_text, RG_EDATA,
                         "%s%s%s: found a file with holes, expected one that is stored in full",
                         archive->name, separator(archive), entry_path(archive));
        return keep_failure(archive, status, err);
    }
    if (!archive->outer)
        archive->meter->packed =
            archive->packed_before + (uint64_t)archive_filter_bytes(archive->handle, -1);
    status = rg_meter_bytes(archive->meter, n, archive->name, &archive->failure_text);
    if (status)
        return keep_failure(archive, status, err);
    archive->position += (int64_t)n;
    archive->block = block;
    archive->block_left = n;
    return RG_OK;
}

rg_status rg_archive_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    rg_archive *archive = state;
    if (archive->failure)
        return keep_failure(archive, archive->failure, err);
    while (archive->inside && archive->block_left == 0) {
        rg_status status = next_block(archive, err);
        if (status)
            return status;
    }
    *got = n < archive->block_left ? n : archive->block_left;
    if (*got) {
        memcpy(buffer, archive->block, *got);
        archive->block += *got;
        archive->block_left -= *got;
    }
    return RG_OK;
}
