/* parts.c - see parts.h. */
#include "parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PARTS "parts"

char *rg_parts_path(const char *directory, uint32_t rank, uint32_t size)
{
    rg_text text = {0};
    rg_text_add(&text, "%s/" PARTS "/%u-of-%u", directory, (unsigned)rank, (unsigned)size);
    return rg_text_take(&text);
}

/* All that a store leaves in its directory, and the directory unless something else is in it. What
 * cannot be removed is merged once more by the next process, which changes nothing. */
static rg_status remove_part(const char *path, rg_error *err)
{
    static const char *const files[] = {RG_STORE_FILE,
                                        RG_STORE_FILE "-wal",
                                        RG_STORE_FILE "-shm",
                                        RG_STORE_FILE ".new",
                                        RG_STORE_FILE ".new-journal",
                                        RG_STORE_FILE ".new-wal",
                                        RG_STORE_FILE ".new-shm",
                                        RG_STORE_LOCK};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char *file = rg_path_join(path, files[k]);
        if (!file)
            return rg_fail_memory(err, "merging runs");
        unlink(file);
        rg_free(file);
    }
    rmdir(path);
    return RG_OK;
}

static rg_status merge_part(rg_store *store, const char *path, bool alone, rg_error *err)
{
    rg_store *part = NULL;
    char *file = rg_path_join(path, RG_STORE_FILE);
    if (!file)
        return rg_fail_memory(err, "merging runs");
    bool there = rg_path_exists(file); /* else its process was killed before it began */
    rg_free(file);
    rg_status status = there ? rg_store_open(&part, path, true, err) : RG_OK;
    if (status == RG_EFAIL && !alone)
        return RG_OK;
    if (!status && part)
        status = rg_store_absorb(store, part, err);
    rg_store_close(part);
    return status ? status : remove_part(path, err);
}

static bool is_part(const char *name)
{
    unsigned rank, size;
    char canonical[32];
    if (sscanf(name, "%9u-of-%9u", &rank, &size) != 2)
        return false;
    snprintf(canonical, sizeof canonical, "%u-of-%u", rank, size);
    return strcmp(name, canonical) == 0;
}

rg_status rg_parts_merge(rg_store *store, bool alone, rg_error *err)
{
    char *parts = rg_path_join(rg_store_directory(store), PARTS);
    if (!parts)
        return rg_fail_memory(err, "merging runs");
    DIR *list = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, NULL) : opendir(parts);
    rg_status status = list || errno == ENOENT ? RG_OK : rg_fail_io(err, errno, "open", parts);
    for (struct dirent *entry; list && !status && (entry = readdir(list));) {
        char *path = is_part(entry->d_name) ? rg_path_join(parts, entry->d_name) : NULL;
        if (path)
            status = merge_part(store, path, alone, err);
        else if (is_part(entry->d_name))
            status = rg_fail_memory(err, "merging runs");
        rg_free(path);
    }
    if (list) {
        closedir(list);
        rmdir(parts); /* if it is empty */
    }
    rg_free(parts);
    return status;
}
