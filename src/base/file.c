/* file.c - see file.h. */
#define _GNU_SOURCE
#include "file.h"

#include "alloc.h"
#include "error.h"
#include "fault.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct rg_file {
    char *path, *temporary;
    int fd;
    int failure; /* errno of the first failure; 0: none */
    size_t used;
    char buffer[BUFFER];
};

char *rg_path_join(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), slash = n > 0 && a[n - 1] != '/', bytes;
    if (!rg_size_add(&bytes, n + slash + 1, m))
        return NULL;
    char *joined = rg_alloc(bytes, 1);
    if (!joined)
        return NULL;
    memcpy(joined, a, n);
    if (slash)
        joined[n] = '/';
    memcpy(joined + n + slash, b, m + 1);
    return joined;
}

char *rg_path_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return rg_copy_text(".", 1);
    return rg_copy_text(path, slash == path ? 1 : (size_t)(slash - path));
}

bool rg_path_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool rg_path_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

rg_status rg_dir_make(const char *path, rg_error *err)
{
    char *prefix = rg_copy_text(path, strlen(path));
    if (!prefix)
        return rg_fail_memory(err, "making a directory");
    rg_status status = RG_OK;
    for (char *end = prefix + 1; !status && *prefix; end++) {
        char c = *end;
        if (c != '/' && c != '\0')
            continue;
        *end = '\0';
        if ((rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, true)
                                       : mkdir(prefix, 0777) != 0 && errno != EEXIST) ||
            (errno = ENOTDIR, !rg_path_is_directory(prefix)))
            status = rg_fail_io(err, errno, "make directory", prefix);
        *end = c;
        if (c == '\0')
            break;
    }
    rg_free(prefix);
    return status;
}

rg_status rg_dir_sync(const char *path, rg_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return rg_fail_io(err, errno, "open directory", path);
    /* Some file systems cannot flush a directory and say EINVAL; there is nothing more to do then.
     */
    int bad = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : fsync(fd);
    rg_status status = RG_OK;
    if (bad && errno != EINVAL)
        status = rg_fail_io(err, errno, "flush directory", path);
    close(fd);
    return status;
}

rg_status rg_file_create(rg_file **out, const char *path, rg_error *err)
{
    rg_file *file = rg_alloc(1, sizeof *file);
    if (!file)
        return rg_fail_memory(err, "creating a file");
    file->fd = -1;
    file->failure = 0;
    file->used = 0;
    file->path = rg_copy_text(path, strlen(path));
    size_t n = strlen(path) + sizeof ".XXXXXX";
    file->temporary = rg_alloc(n, 1);
    if (!file->path || !file->temporary) {
        rg_file_discard(file);
        return rg_fail_memory(err, "creating a file");
    }
    snprintf(file->temporary, n, "%s.XXXXXX", path);
    file->fd = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : mkostemp(file->temporary, O_CLOEXEC);
    if (file->fd < 0) {
        rg_status status = rg_fail_io(err, errno, "create", path);
        rg_file_discard(file);
        return status;
    }
    /* mkostemp makes it private to the user; give it the mode that any new file would have. */
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file->fd, 0666 & ~mask) != 0)
        file->failure = errno;
    *out = file;
    return RG_OK;
}

static void flush(rg_file *file)
{
    size_t done = 0;
    while (done < file->used && !file->failure) {
        ssize_t n = rg_fault_hit(RG_FAULT_IO)
                        ? (errno = ENOSPC, -1)
                        : write(file->fd, file->buffer + done, file->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            file->failure = errno;
    }
    file->used = 0;
}

void rg_file_bytes(rg_file *file, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n) {
        if (file->used == BUFFER)
            flush(file);
        size_t part = BUFFER - file->used < n ? BUFFER - file->used : n;
        memcpy(file->buffer + file->used, from, part);
        file->used += part;
        from += part;
        n -= part;
    }
}

void rg_file_text(rg_file *file, const char *text)
{
    rg_file_bytes(file, text, strlen(text));
}

void rg_file_int(rg_file *file, int64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        rg_file_bytes(file, "-", 1);
    rg_file_bytes(file, digits + at, sizeof digits - at);
}

void rg_file_real(rg_file *file, double value)
{
    char text[RG_NUMBER_MAX];
    rg_file_bytes(file, text, rg_number_print(text, value));
}

rg_status rg_file_commit(rg_file *file, rg_error *err)
{
    rg_status status = RG_OK;
    char *directory = rg_path_directory(file->path);
    if (!directory) {
        rg_file_discard(file);
        return rg_fail_memory(err, "writing a file");
    }
    flush(file);
    if (!file->failure && (rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : fsync(file->fd)) != 0)
        file->failure = errno;
    if (close(file->fd) != 0 && !file->failure)
        file->failure = errno;
    file->fd = -1;
    if (!file->failure &&
        (rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : rename(file->temporary, file->path)) != 0)
        file->failure = errno;
    if (file->failure) {
        status = rg_fail_io(err, file->failure, "write", file->path);
        unlink(file->temporary);
    } else {
        status = rg_dir_sync(directory, err);
    }
    rg_free(directory);
    rg_free(file->path);
    rg_free(file->temporary);
    rg_free(file);
    return status;
}

void rg_file_discard(rg_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0) {
        close(file->fd);
        unlink(file->temporary);
    }
    rg_free(file->path);
    rg_free(file->temporary);
    rg_free(file);
}
