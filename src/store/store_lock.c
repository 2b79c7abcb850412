/* store_lock.c - one process that writes. The lock is the kernel's, so that none outlives its
 * process; what stands in the file is for the message of those who come too late. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum {
    HOLDER = 320,         /* bytes of "PID HOST" */
    NAP_MILLISECONDS = 50 /* between two looks at a lock that another has */
};

/* Says who has it; the file may be empty if they have just begun. */
static rg_status refuse(int file, const char *directory, rg_error *err)
{
    char text[HOLDER] = "", host[256] = "";
    long process = 0;
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    if (n <= 0 || sscanf(text, "%ld %255s", &process, host) != 2)
        return rg_fail(err, RG_EFAIL, "'%s' is in use by another process", directory);
    return rg_fail(err, RG_EFAIL, "'%s' is in use by process %ld on %s", directory, process, host);
}

/* Writes who we are; nothing depends on it, so that a full disk is found elsewhere. */
static void sign(int file)
{
    char text[HOLDER], host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        snprintf(host, sizeof host, "localhost");
    int n = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    if (ftruncate(file, 0) == 0 && n > 0 && pwrite(file, text, (size_t)n, 0) != n)
        (void)!ftruncate(file, 0); /* rather nobody than half a name */
}

static int try_lock(int file)
{
    return rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : flock(file, LOCK_EX | LOCK_NB);
}

/* The kernel could wait for us, but then nobody could ask it to stop. */
static int take_lock(int file, int (*stop)(void *context), void *context)
{
    const struct timespec nap = {.tv_nsec = NAP_MILLISECONDS * 1000000L};
    int failed = try_lock(file);
    while (failed && errno == EWOULDBLOCK && stop && !stop(context)) {
        nanosleep(&nap, NULL);
        failed = try_lock(file);
    }
    return failed;
}

rg_status rg_store_lock(int *lock, const char *directory, int (*stop)(void *context), void *context,
                        rg_error *err)
{
    char *path = rg_path_join(directory, RG_STORE_LOCK);
    if (!path)
        return rg_fail_memory(err, "opening a run");
    rg_status status = RG_OK;
    int file = rg_fault_hit(RG_FAULT_IO)
                   ? (errno = EIO, -1)
                   : open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0) {
        status = rg_fail_io(err, errno, "open", path);
    } else if (take_lock(file, stop, context) != 0) {
        status = errno == EWOULDBLOCK ? refuse(file, directory, err)
                                      : rg_fail_io(err, errno, "lock", path);
        close(file);
    } else {
        sign(file);
        *lock = file;
    }
    rg_free(path);
    return status;
}
