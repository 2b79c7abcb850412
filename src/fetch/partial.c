/* partial.c - see partial.h. */
#include "partial.h"

#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "text/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The state file has two lines: the address, the validator. One that is damaged, or belongs to
 * another address, counts as none. */
static rg_status read_state(rg_partial *partial, const char *url, rg_error *err)
{
    if (!rg_path_exists(partial->state))
        return RG_OK;
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, partial->state, err);
    bool more = false, same = false;
    for (int line = 0; !status && line < 2; line++) {
        status = rg_reader_next(in, &more, err);
        if (status || !more)
            break;
        size_t n;
        const char *text = rg_reader_text(in, &n);
        if (line == 0)
            same = strcmp(text, url) == 0;
        else if (same && n < sizeof partial->validator && strlen(text) == n)
            memcpy(partial->validator, text, n + 1);
    }
    rg_reader_close(in);
    return status == RG_EDATA ? RG_OK : status;
}

rg_status rg_partial_open(rg_partial *out, const char *path, const char *state, const char *url,
                          rg_error *err)
{
    rg_partial partial = {.path = path, .state = state, .fd = -1};
    rg_status status = read_state(&partial, url, err);
    if (status)
        return status;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (partial.validator[0] ? 0 : O_TRUNC);
    partial.fd = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : open(path, flags, 0666);
    if (partial.fd < 0)
        return rg_fail_io(err, errno, "write", path);
    off_t size = lseek(partial.fd, 0, SEEK_END);
    if (size < 0) {
        status = rg_fail_io(err, errno, "write", path);
        rg_partial_close(&partial);
        return status;
    }
    partial.size = (uint64_t)size;
    *out = partial;
    return RG_OK;
}

/* The bytes go first: a crash in between leaves an old version's name on an empty file, which does
 * no harm, and never an old version's bytes under a new name. */
rg_status rg_partial_restart(rg_partial *partial, const char *url, const char *validator,
                             rg_error *err)
{
    if (rg_fault_hit(RG_FAULT_IO)
            ? (errno = EIO, true)
            : ftruncate(partial->fd, 0) != 0 || lseek(partial->fd, 0, SEEK_SET) != 0)
        return rg_fail_io(err, errno, "write", partial->path);
    partial->size = 0;
    partial->validator[0] = '\0';
    size_t n = strlen(validator);
    if (n == 0 || n >= sizeof partial->validator) {
        unlink(partial->state);
        return RG_OK;
    }
    rg_file *file = NULL;
    rg_status status = rg_file_create(&file, partial->state, err);
    if (status)
        return status;
    rg_file_text(file, url);
    rg_file_text(file, "\n");
    rg_file_text(file, validator);
    rg_file_text(file, "\n");
    status = rg_file_commit(file, err);
    if (!status)
        memcpy(partial->validator, validator, n + 1);
    return status;
}

rg_status rg_partial_append(rg_partial *partial, const void *bytes, size_t n, rg_error *err)
{
    const char *from = bytes;
    while (n) {
        ssize_t done =
            rg_fault_hit(RG_FAULT_IO) ? (errno = ENOSPC, -1) : write(partial->fd, from, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return rg_fail_io(err, errno, "write", partial->path);
        from += done;
        n -= (size_t)done;
        partial->size += (uint64_t)done;
    }
    return RG_OK;
}

void rg_partial_close(rg_partial *partial)
{
    if (partial->fd >= 0)
        close(partial->fd);
    partial->fd = -1;
}
