/* entries.c - see entries.h.
 *
 * Three kinds of places: a directory, which is listed first and then read file by file; an archive;
 * a single plain file. Whatever the place, a file that is compressed by itself gets an archive of
 * its own (`inner`) that unpacks it on the way. */
#include "entries.h"

#include "archive.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 2 }; /* DIR/file, DIR/a/file, DIR/a/b/file */

struct rg_entries {
    rg_meter meter;
    char *where;    /* as the caller named it */
    bool directory; /* files are WHERE/files[k]; else the archive, else one plain file */
    char **files;
    size_t n_files, capacity, next;
    rg_error closed; /* of the first directory inside that may not be listed; "": none */
    rg_archive *archive;
    rg_byte_source single;

    /* the current file */
    char *name, *full; /* inside the place; for messages and for opening */
    bool packed;       /* compressed by itself, so says its name */
    bool alone;        /* the whole place is this file */
    rg_byte_source plain;
    rg_archive *inner;
    rg_reader *in;
};

/* ---- directories */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One entry of a directory: `inside` is its path below entries->where. Moved. */
static rg_status list_directory(rg_entries *entries, const char *inside, int depth, rg_error *err);

static rg_status list_entry(rg_entries *entries, char *inside, int depth, rg_error *err)
{
    struct stat info;
    rg_status status = RG_OK;
    char *path = rg_path_join(entries->where, inside);
    if (!path) {
        status = rg_fail_memory(err, "listing a directory");
    } else if (stat(path, &info) != 0) {
        /* A link that leads nowhere, or a file that has just been removed: not there. */
    } else if (S_ISDIR(info.st_mode)) {
        status = depth < DEPTH ? list_directory(entries, inside, depth + 1, err) : RG_OK;
    } else if (S_ISREG(info.st_mode)) {
        if (!rg_grow(&entries->files, &entries->capacity, entries->n_files + 1,
                     sizeof *entries->files)) {
            status = rg_fail_memory(err, "listing a directory");
        } else {
            entries->files[entries->n_files++] = inside;
            inside = NULL;
        }
    }
    rg_free(path);
    rg_free(inside);
    return status;
}

/* Every entry of an open directory; `path` is its name in messages. */
static rg_status list_all(rg_entries *entries, DIR *list, const char *path, const char *inside,
                          int depth, rg_error *err)
{
    rg_status status = RG_OK;
    struct dirent *entry;
    while (!status && (errno = 0, entry = readdir(list))) {
        if (entry->d_name[0] == '.')
            continue; /* itself, its parent, and what is hidden */
        status = rg_meter_entry(&entries->meter, entries->where, err);
        char *below = status ? NULL : rg_path_join(inside, entry->d_name);
        if (!status)
            status = below ? list_entry(entries, below, depth, err)
                           : rg_fail_memory(err, "listing a directory");
    }
    return !status && errno ? rg_fail_io(err, errno, "read directory", path) : status;
}

static rg_status list_directory(rg_entries *entries, const char *inside, int depth, rg_error *err)
{
    rg_status status = RG_OK;
    char *path = *inside ? rg_path_join(entries->where, inside)
                         : rg_copy_text(entries->where, strlen(entries->where));
    if (!path)
        return rg_fail_memory(err, "listing a directory");
    DIR *list = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, NULL) : opendir(path);
    if (list) {
        status = list_all(entries, list, path, inside, depth, err);
        closedir(list);
    } else if (depth == 0 || errno != EACCES) {
        status = rg_fail_io(err, errno, "open directory", path);
    } else if (!entries->closed.message[0]) {
        (void)rg_fail_io(&entries->closed, errno, "open directory", path);
    }
    rg_free(path);
    return status;
}

/* ---- opening */

static rg_status entries_new(rg_entries **out, const char *where, const rg_read_options *options,
                             rg_error *err)
{
    rg_entries *entries = rg_alloc_zero(1, sizeof *entries);
    if (!entries)
        return rg_fail_memory(err, "opening a data set");
    entries->meter.bounds = options ? *options : rg_read_options_default();
    entries->plain.fd = entries->single.fd = -1;
    entries->where = rg_copy_text(where, strlen(where));
    if (!entries->where) {
        rg_entries_close(entries);
        return rg_fail_memory(err, "opening a data set");
    }
    *out = entries;
    return RG_OK;
}

/* Does it look packed, whatever its name says? Moves the source back to its start. */
static rg_status looks_packed(bool *out, rg_byte_source *source, rg_error *err)
{
    static const struct {
        size_t at, n;
        const char *bytes;
    } magics[] = {{.n = 4, .bytes = "PK\3\4"},
                  {.n = 4, .bytes = "PK\5\6"},
                  {.n = 2, .bytes = "\x1f\x8b"},
                  {.n = 4, .bytes = "\x28\xb5\x2f\xfd"},
                  {.n = 3, .bytes = "BZh"},
                  {.n = 6, .bytes = "\xfd\x37zXZ\0"},
                  {.at = 257, .n = 5, .bytes = "ustar"}};
    char head[512];
    size_t n = 0;
    rg_status status = rg_source_read(source, head, sizeof head, &n, err);
    source->at = 0;
    *out = false;
    for (size_t k = 0; k < sizeof magics / sizeof *magics; k++)
        if (n >= magics[k].at + magics[k].n &&
            memcmp(head + magics[k].at, magics[k].bytes, magics[k].n) == 0)
            *out = true;
    return status;
}

/* Opens a source as an archive, or keeps it in entries->single if it is a file like any other. */
static rg_status open_source(rg_entries *entries, rg_byte_source source, bool always, rg_error *err)
{
    size_t n;
    bool packed = true, promised = always || rg_archive_promised(entries->where, &n);
    if (!promised) {
        rg_status status = looks_packed(&packed, &source, err);
        if (status) {
            rg_source_close(&source);
            return status;
        }
    }
    if (packed)
        return rg_archive_open(&entries->archive, source,
                               promised ? RG_ARCHIVE_LIST : RG_ARCHIVE_ANY, &entries->meter, err);
    entries->single = source;
    return RG_OK;
}

rg_status rg_entries_open(rg_entries **out, const char *path, const rg_read_options *options,
                          rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = entries_new(&entries, path, options, err);
    if (status)
        return status;
    entries->directory = rg_path_is_directory(path);
    if (entries->directory) {
        status = list_directory(entries, "", 0, err);
        if (!status && entries->n_files)
            qsort(entries->files, entries->n_files, sizeof *entries->files, compare_names);
    } else {
        rg_byte_source source;
        status = rg_source_open(&source, entries->where, err);
        if (!status)
            status = open_source(entries, source, false, err);
    }
    if (status) {
        rg_entries_close(entries);
        return status;
    }
    *out = entries;
    return RG_OK;
}

rg_status rg_entries_open_memory(rg_entries **out, const char *name, const void *bytes, size_t n,
                                 const rg_read_options *options, rg_error *err)
{
    rg_entries *entries = NULL;
    rg_status status = entries_new(&entries, name, options, err);
    if (status)
        return status;
    status = open_source(entries, rg_source_memory(entries->where, bytes, n), true, err);
    if (status) {
        rg_entries_close(entries);
        return status;
    }
    *out = entries;
    return RG_OK;
}

const char *rg_entries_closed(const rg_entries *entries)
{
    return entries->closed.message[0] ? entries->closed.message : NULL;
}

/* Lets go of the current file. */
static void leave_file(rg_entries *entries)
{
    rg_reader_close(entries->in);
    rg_archive_close(entries->inner);
    rg_source_close(&entries->plain);
    rg_free(entries->name);
    rg_free(entries->full);
    entries->in = NULL;
    entries->inner = NULL;
    entries->name = entries->full = NULL;
}

void rg_entries_close(rg_entries *entries)
{
    if (!entries)
        return;
    leave_file(entries);
    rg_source_close(&entries->single);
    rg_archive_close(entries->archive);
    for (size_t k = 0; k < entries->n_files; k++)
        rg_free(entries->files[k]);
    rg_free(entries->files);
    rg_free(entries->where);
    rg_free(entries);
}

/* ---- one file after another */

static rg_status read_plain(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    rg_entries *entries = state;
    rg_status status = rg_source_read(&entries->plain, buffer, n, got, err);
    if (status)
        return status;
    entries->meter.packed += *got;
    return rg_meter_bytes(&entries->meter, *got, entries->plain.name, err);
}

/* Opens the current file and puts a reader over it. A compressed one is unpacked; if the archive is
 * a single file, that has already happened. */
rg_status rg_entries_reader(rg_entries *entries, rg_reader **in, rg_error *err)
{
    rg_status status = RG_OK;
    rg_archive *archive = entries->archive;
    const char *path;
    if (entries->directory) {
        status = rg_source_open(&entries->plain, entries->full, err);
    } else if (!archive) {
        entries->plain = entries->single;
        entries->single.fd = -1;
    }
    if (!status && entries->packed && archive && !entries->alone) {
        status =
            rg_archive_open_inner(&entries->inner, archive, entries->full, &entries->meter, err);
    } else if (!status && entries->packed && !archive) {
        rg_byte_source source = entries->plain;
        entries->plain.fd = -1;
        status = rg_archive_open(&entries->inner, source, RG_ARCHIVE_SINGLE, &entries->meter, err);
    }
    if (!status && entries->inner)
        status = rg_archive_next(entries->inner, &path, err);
    if (status)
        return status;
    rg_stream stream = {entries, read_plain, NULL};
    if (entries->inner || archive)
        stream = (rg_stream){entries->inner ? entries->inner : archive, rg_archive_read, NULL};
    status = rg_reader_stream(&entries->in, entries->full, stream, err);
    if (!status)
        *in = entries->in;
    return status;
}

/* path: inside the place, or "" if the whole is one file, named like the place it is in. The name
 * of a compressed file loses its ending. */
static rg_status name_file(rg_entries *entries, const char *path, rg_error *err)
{
    const char *name = *path ? path : rg_path_name(entries->where);
    const char *between = *path == '\0' ? "" : entries->archive ? ":" : "/";
    size_t n = strlen(entries->where) + strlen(path) + 2;
    entries->name = rg_copy_text(name, strlen(name));
    entries->full = rg_alloc(n, 1);
    if (!entries->full || !entries->name)
        return rg_fail_memory(err, "opening a file");
    snprintf(entries->full, n, "%s%s%s", entries->where, between, path);
    size_t ending = rg_archive_ending(entries->name);
    entries->name[strlen(entries->name) - ending] = '\0';
    entries->packed = ending > 0;
    entries->alone = *path == '\0';
    return RG_OK;
}

/* What comes next: a path inside, or "" for a single file; NULL if nothing does. */
static rg_status find_next(rg_entries *entries, const char **path, rg_error *err)
{
    *path = NULL;
    if (entries->archive)
        return rg_archive_next(entries->archive, path, err);
    if (entries->directory && entries->next < entries->n_files)
        *path = entries->files[entries->next++];
    else if (!entries->directory && entries->next++ == 0)
        *path = "";
    return RG_OK;
}

bool rg_entries_alone(const rg_entries *entries)
{
    return entries->alone;
}

rg_status rg_entries_next(rg_entries *entries, const char **name, rg_error *err)
{
    const char *path;
    leave_file(entries);
    rg_status status = find_next(entries, &path, err);
    if (!status && path)
        status = name_file(entries, path, err);
    if (!status)
        *name = path ? entries->name : NULL;
    return status;
}
