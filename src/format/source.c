/* source.c - see source.h. */
#include "source.h"

#include "base/error.h"
#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rg_status rg_meter_entry(rg_meter *meter, const char *where, rg_error *err)
{
    if (meter->entries >= meter->bounds.max_entries)
        return rg_fail(err, RG_EDATA,
                       "%s: found more than %" PRIu64
                       " files and directories, expected a data set (max_entries)",
                       where, meter->bounds.max_entries);
    meter->entries++;
    return RG_OK;
}

rg_status rg_meter_bytes(rg_meter *meter, uint64_t n, const char *where, rg_error *err)
{
    /* Below this a file of one repeated byte is nothing to worry about. */
    const uint64_t harmless = (uint64_t)16 << 20;
    const rg_read_options *bounds = &meter->bounds;
    meter->unpacked += n;
    if (meter->unpacked > bounds->max_bytes)
        return rg_fail(err, RG_EDATA,
                       "%s: found more than %" PRIu64 " bytes when unpacked, expected at most that "
                       "(max_bytes)",
                       where, bounds->max_bytes);
    if (meter->unpacked > harmless && meter->unpacked / bounds->max_ratio > meter->packed)
        return rg_fail(err, RG_EDATA,
                       "%s: found %" PRIu64 " bytes packed into %" PRIu64
                       ", expected at most %" PRIu64 " to 1 (max_ratio)",
                       where, meter->unpacked, meter->packed, bounds->max_ratio);
    return RG_OK;
}

rg_status rg_source_open(rg_byte_source *out, const char *path, rg_error *err)
{
    struct stat info;
    /* O_NONBLOCK: opening a pipe must not wait for somebody who writes to it. */
    int fd = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1)
                                       : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0) {
        rg_status status = rg_fail_io(err, errno, "open", path);
        if (fd >= 0)
            close(fd);
        return status;
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return rg_fail(err, RG_EIO, "cannot open '%s': not a regular file", path);
    }
    *out = (rg_byte_source){path, fd, NULL, (uint64_t)info.st_size, 0};
    return RG_OK;
}

rg_byte_source rg_source_memory(const char *name, const void *bytes, size_t n)
{
    return (rg_byte_source){name, -1, bytes, n, 0};
}

void rg_source_close(rg_byte_source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    source->fd = -1;
}

rg_status rg_source_read(rg_byte_source *source, void *buffer, size_t n, size_t *got, rg_error *err)
{
    if (source->fd < 0) {
        uint64_t left = source->at < source->size ? source->size - source->at : 0;
        *got = n < left ? n : (size_t)left;
        if (*got)
            memcpy(buffer, source->memory + source->at, *got);
        source->at += *got;
        return RG_OK;
    }
    for (;;) {
        ssize_t k = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1)
                                              : pread(source->fd, buffer, n, (off_t)source->at);
        if (k >= 0) {
            source->at += (uint64_t)k;
            *got = (size_t)k;
            return RG_OK;
        }
        if (errno != EINTR)
            return rg_fail_io(err, errno, "read", source->name);
    }
}
