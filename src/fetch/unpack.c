/* unpack.c - see unpack.h. archive.c refuses links, devices and paths that lead out. */
#include "unpack.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "format/archive.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 1 << 14, NAME_LONGEST = 200 /* bytes of one part of a path */ };

/* Could this be the path of a file of a data set, on any machine? */
static bool path_is_plain(const char *path)
{
    for (const char *part = path;;) {
        size_t n = strcspn(part, "/");
        if (n == 0 || n > NAME_LONGEST || part[0] == '.')
            return false;
        for (size_t k = 0; k < n; k++)
            if ((unsigned char)part[k] < 0x20 || part[k] == 0x7f || part[k] == '\\')
                return false;
        if (!part[n])
            return true;
        part += n + 1;
    }
}

/* Makes the directories above `path`; a file in the way is the archive's fault. */
static rg_status make_parents(const char *directory, char *path, rg_error *err)
{
    char *inside = path + strlen(directory) + 1;
    rg_status status = RG_OK;
    for (char *slash = inside; !status && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (rg_path_exists(path) && !rg_path_is_directory(path))
            status = rg_fail(err, RG_EDATA, "found '%s' as a file and as a directory, expected one",
                             inside);
        else
            status = rg_dir_make(path, err);
        *slash = '/';
    }
    return status;
}

static rg_status copy_bytes(rg_archive *archive, rg_file *file, rg_error *err)
{
    char block[BLOCK];
    size_t got = 0;
    do {
        rg_status status = rg_archive_read(archive, block, sizeof block, &got, err);
        if (status)
            return status;
        rg_file_bytes(file, block, got);
    } while (got);
    return RG_OK;
}

static rg_status write_entry(rg_archive *archive, const char *directory, const char *name,
                             rg_error *err)
{
    rg_file *file = NULL;
    char *path = NULL;
    rg_status status = RG_OK;
    if (!path_is_plain(name))
        return rg_fail(err, RG_EDATA, "found the path '%.200s', expected that of a plain file",
                       name);
    path = rg_path_join(directory, name);
    if (!path)
        return rg_fail_memory(err, "unpacking an archive");
    status = make_parents(directory, path, err);
    if (!status && rg_path_exists(path))
        status = rg_fail(err, RG_EDATA, "found '%.200s' twice, expected it once", name);
    if (!status)
        status = rg_file_create(&file, path, err);
    if (!status)
        status = copy_bytes(archive, file, err);
    if (status)
        rg_file_discard(file);
    else
        status = rg_file_commit(file, err);
    rg_free(path);
    return status;
}

rg_status rg_unpack(const char *archive, const char *directory, const rg_read_options *bounds,
                    rg_error *err)
{
    rg_byte_source source;
    rg_archive *in = NULL;
    rg_meter meter = {.bounds = *bounds};
    rg_status status = rg_source_open(&source, archive, err);
    if (!status)
        status = rg_archive_open(&in, source, RG_ARCHIVE_LIST, &meter, err);
    size_t n_files = 0;
    while (!status) {
        const char *name = NULL;
        status = rg_archive_next(in, &name, err);
        if (status || !name)
            break;
        status = write_entry(in, directory, name, err);
        n_files++;
    }
    if (!status && n_files == 0)
        status = rg_fail(err, RG_EDATA, "found no file in the archive, expected a data set");
    rg_archive_close(in);
    return status;
}
