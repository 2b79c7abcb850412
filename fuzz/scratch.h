/* scratch.h - a directory in memory for fuzz inputs that are read as files. tools/fuzz.sh sets
 * TMPDIR to one that it removes, for a target that crashes removes nothing. */
#ifndef REGULA_FUZZ_SCRATCH_H
#define REGULA_FUZZ_SCRATCH_H

#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static char fuzz_directory[256];

static inline void fuzz_scratch_remove(void)
{
    if (chdir("/") == 0)
        rmdir(fuzz_directory); /* what is still in it goes with TMPDIR */
}

/* The directory, made once and never to be freed. */
static inline const char *fuzz_scratch(void)
{
    if (!*fuzz_directory) {
        const char *parent = getenv("TMPDIR");
        snprintf(fuzz_directory, sizeof fuzz_directory, "%s/regula-fuzz-XXXXXX",
                 parent                          ? parent
                 : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                 : "/tmp");
        CHECK(mkdtemp(fuzz_directory));
        atexit(fuzz_scratch_remove);
    }
    return fuzz_directory;
}

/* Path of a file there, in a buffer of the caller. */
static inline const char *fuzz_path(char out[512], const char *name)
{
    snprintf(out, 512, "%s/%s", fuzz_scratch(), name);
    return out;
}

static inline void fuzz_write(const char *path, const void *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
}

/* All bytes of a file of ours, which is small. Owned (free). */
static inline unsigned char *fuzz_read(const char *path, size_t *n)
{
    enum { MOST = 1 << 20 };
    unsigned char *bytes = malloc(MOST);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(bytes && fd >= 0);
    ssize_t got = read(fd, bytes, MOST);
    CHECK(got > 0 && got < MOST && close(fd) == 0);
    *n = (size_t)got;
    return bytes;
}

#endif
