/* file.c - see file.h. */
#include "file.h"

#include "alloc.h"
#include "digest.h"
#include "error.h"
#include "fault.h"
#include "number.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, SLOTS = 8 };
#define TEMPORARY ".regula-" /* and 16 digits: short, whatever the length of the final name */

struct rg_file {
    char *path, *directory;
    char *temporary; /* NULL: bytes go straight to `path` */
    bool waiting;    /* the temporary file is there, to be renamed or removed */
    int fd;
    bool sealed; /* flushed; open all the same, for the lock */
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

/* A relative $XDG_CACHE_HOME must be ignored, says the XDG specification. */
rg_status rg_path_cache(char **out, const char *below, rg_error *err)
{
    const char *base = getenv("XDG_CACHE_HOME"), *middle = "/regula/";
    if (!base || *base != '/') {
        base = getenv("HOME");
        middle = "/.cache/regula/";
    }
    char *path = NULL;
    if (base && *base) {
        size_t n = strlen(base), bytes;
        while (n > 0 && base[n - 1] == '/') /* `middle` has one */
            n--;
        if (rg_size_add(&bytes, n, strlen(middle) + strlen(below) + 1))
            path = rg_alloc(bytes, 1);
        if (!path)
            return rg_fail_memory(err, "looking for the cache");
        snprintf(path, bytes, "%.*s%s%s", (int)n, base, middle, below);
    }
    *out = path;
    return RG_OK;
}

const char *rg_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool rg_path_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool rg_path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool rg_path_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* One directory whose parent is there: an errno, or 0. */
static int make_one(const char *path)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return EIO;
    if (mkdir(path, 0777) == 0)
        return 0;
    int failure = errno;
    if (rg_path_is_directory(path))
        return 0;
    return failure == EEXIST ? ENOTDIR : failure;
}

rg_status rg_dir_make(const char *path, rg_error *err)
{
    char *prefix = rg_copy_text(path, strlen(path));
    if (!prefix)
        return rg_fail_memory(err, "making a directory");
    int failure = 0;
    char *slash = *prefix == '/' ? strchr(prefix + 1, '/') : strchr(prefix, '/');
    for (; slash && !failure; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failure = make_one(prefix);
        if (!failure)
            *slash = '/'; /* else `prefix` is the one that could not be made */
    }
    if (!failure)
        failure = make_one(prefix);
    rg_status status = failure ? rg_fail_io(err, failure, "make directory", prefix) : RG_OK;
    rg_free(prefix);
    return status;
}

/* Some things cannot be flushed and say EINVAL; there is nothing more to do then. */
static int flush_to_disk(int fd)
{
    if (rg_fault_hit(RG_FAULT_IO))
        return EIO;
    return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

rg_status rg_dir_sync(const char *path, rg_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) /* one that may be written to but not read cannot be flushed either */
        return errno == EACCES ? RG_OK : rg_fail_io(err, errno, "open directory", path);
    int failure = flush_to_disk(fd);
    close(fd);
    return failure ? rg_fail_io(err, failure, "flush directory", path) : RG_OK;
}

/* Names for a file while it is written: the first SLOTS of them depend on the final name and the
 * host alone, so that the next writer finds what one who was killed left behind, without a look at
 * the whole directory. Hosts have names of their own, because not every network file system tells
 * one host of the locks of another. */
static void name_temporary(rg_file *file, size_t size, uint64_t slot)
{
    struct timespec now = {0, 0};
    char host[65] = "";
    const char *name = rg_path_name(file->path);
    uint64_t salt[] = {slot, rg_hash(name, strlen(name), 0), 0, 0, 0};
    gethostname(host, sizeof host - 1);
    salt[2] = rg_hash(host, strlen(host), 0);
    if (slot >= SLOTS) {
        clock_gettime(CLOCK_REALTIME, &now);
        salt[3] = (uint64_t)getpid();
        salt[4] = (uint64_t)now.tv_nsec;
    }
    snprintf(file->temporary, size, "%s/" TEMPORARY "%016" PRIx64, file->directory,
             rg_hash(salt, sizeof salt, 0));
}

/* Is what we have locked still the file of that name? */
static bool is_named(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && lstat(path, &named) == 0 && S_ISREG(mine.st_mode) &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* Every writer holds a lock on its temporary file until that has its final name: a file that can be
 * locked belongs to one who died. Where there are no locks nothing is removed. */
static void remove_left_behind(const char *path)
{
    int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, path))
        unlink(path);
    close(fd);
}

/* Opens a new file beside the final one, under a name that nothing has; O_EXCL makes it so, also if
 * another thread, process or machine is at the same path. The mode is what the umask leaves. */
static int open_temporary(rg_file *file, size_t size)
{
    if (rg_fault_hit(RG_FAULT_IO)) {
        errno = EIO;
        return -1;
    }
    for (uint64_t slot = 0; slot < SLOTS; slot++) {
        name_temporary(file, size, slot);
        remove_left_behind(file->temporary);
    }
    for (uint64_t slot = 0;; slot++) {
        name_temporary(file, size, slot);
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && (errno != EEXIST || slot == 100))
            return fd;
        if (fd < 0)
            continue;
        /* Between the two calls another may have taken it for one that was left behind. */
        bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (locked ? is_named(fd, file->temporary) : errno != EWOULDBLOCK)
            return fd;
        close(fd);
    }
}

/* Opens what bytes go to: a temporary file, or what is there already if that is no regular file,
 * such as /dev/stdout or a pipe, which must not be replaced. An errno, or 0. */
static int open_output(rg_file *file)
{
    struct stat old;
    bool exists = stat(file->path, &old) == 0;
    if (!exists && (errno != ENOENT || *file->path == '\0'))
        return errno;
    if (exists && !S_ISREG(old.st_mode)) {
        file->fd = open(file->path, O_WRONLY | O_CLOEXEC); /* a directory says EISDIR here */
        return file->fd < 0 ? errno : 0;
    }
    size_t size = strlen(file->directory) + sizeof "/" TEMPORARY + 16;
    file->temporary = rg_alloc(size, 1);
    if (!file->temporary)
        return ENOMEM;
    file->fd = open_temporary(file, size);
    if (file->fd < 0)
        return errno;
    file->waiting = true;
    if (exists && fchmod(file->fd, old.st_mode & 0777) != 0)
        return errno;
    return 0;
}

rg_status rg_file_create(rg_file **out, const char *path, rg_error *err)
{
    rg_file *file = rg_alloc(1, sizeof *file);
    if (!file)
        return rg_fail_memory(err, "creating a file");
    file->fd = -1;
    file->sealed = false;
    file->failure = 0;
    file->used = 0;
    file->temporary = NULL;
    file->waiting = false;
    file->path = rg_copy_text(path, strlen(path));
    file->directory = rg_path_directory(path);
    int failure = file->path && file->directory ? open_output(file) : ENOMEM;
    if (failure) {
        rg_file_discard(file);
        return rg_fail_io(err, failure, "create", path);
    }
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
        if (n > 0)
            done += (size_t)n;
        else if (n == 0)
            file->failure = EIO;
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

/* The end of both ways: what is still there under the temporary name goes. */
static void file_free(rg_file *file)
{
    if (file->waiting)
        unlink(file->temporary);
    if (file->fd >= 0)
        close(file->fd);
    rg_free(file->path);
    rg_free(file->directory);
    rg_free(file->temporary);
    rg_free(file);
}

rg_status rg_file_seal(rg_file *file, rg_error *err)
{
    if (!file->sealed) {
        flush(file);
        if (!file->failure)
            file->failure = flush_to_disk(file->fd);
        file->sealed = true;
    }
    return file->failure ? rg_fail_io(err, file->failure, "write", file->path) : RG_OK;
}

static rg_status put_in_place(rg_file *file, rg_error *err)
{
    if ((rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : rename(file->temporary, file->path)) != 0)
        return rg_fail_io(err, errno, "write", file->path);
    file->waiting = false;
    return rg_dir_sync(file->directory, err);
}

rg_status rg_file_commit(rg_file *file, rg_error *err)
{
    rg_status status = rg_file_seal(file, err);
    if (!status && file->temporary)
        status = put_in_place(file, err);
    file_free(file);
    return status;
}

rg_status rg_file_save(const char *path, const char *text, rg_error *err)
{
    rg_file *file = NULL;
    rg_status status = rg_file_create(&file, path, err);
    if (status)
        return status;
    rg_file_text(file, text);
    return rg_file_commit(file, err);
}

void rg_file_discard(rg_file *file)
{
    if (file)
        file_free(file);
}

/* Up to n bytes into `bytes`; *got of them. An errno, or 0. */
static int read_all(int fd, char *bytes, size_t n, size_t *got)
{
    *got = 0;
    while (*got < n) {
        ssize_t part =
            rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : read(fd, bytes + *got, n - *got);
        if (part == 0)
            break;
        if (part > 0)
            *got += (size_t)part;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* Whether a file begins with `text`; one that cannot be read is left for read_all to report. */
static bool begins(int fd, const char *text)
{
    char found[16];
    size_t n = strlen(text);
    assert(n <= sizeof found);
    ssize_t got = pread(fd, found, n, 0);
    return got < 0 || ((size_t)got == n && memcmp(found, text, n) == 0);
}

static rg_status load(void **out, size_t *n, int fd, const char *path, const char *begin,
                      size_t max, rg_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return rg_fail_io(err, errno, "read", path);
    if (!S_ISREG(info.st_mode))
        return rg_fail(err, RG_EIO, "cannot read '%s': not a regular file", path);
    size_t size = (size_t)info.st_size, got = 0;
    if (begin && !begins(fd, begin))
        return rg_fail(err, RG_EDATA, "%s: found other content, expected '%s' first", path, begin);
    if ((uintmax_t)info.st_size > max)
        return rg_fail(err, RG_EDATA, "%s: found %zu bytes, expected at most %zu", path, size, max);
    char *bytes = rg_alloc(size, 1);
    if (!bytes)
        return rg_fail_memory(err, "reading a file");
    int failure = read_all(fd, bytes, size, &got);
    if (!failure && got == size) {
        *out = bytes;
        *n = size;
        return RG_OK;
    }
    rg_free(bytes);
    return failure ? rg_fail_io(err, failure, "read", path)
                   : rg_fail(err, RG_EDATA, "%s: found %zu bytes, expected %zu", path, got, size);
}

rg_status rg_file_load(void **out, size_t *n, const char *path, const char *begin, size_t max,
                       rg_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not make us wait */
    if (fd < 0)
        return rg_fail_io(err, errno, "read", path);
    rg_status status = load(out, n, fd, path, begin, max, err);
    close(fd);
    return status;
}

static rg_status map(const void **out, size_t *n, int fd, const char *path, size_t max,
                     rg_error *err)
{
    static const char nothing[1];
    struct stat info;
    if (rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, true) : fstat(fd, &info) != 0)
        return rg_fail_io(err, errno, "read", path);
    if (!S_ISREG(info.st_mode))
        return rg_fail(err, RG_EIO, "cannot read '%s': not a regular file", path);
    if ((uintmax_t)info.st_size > max)
        return rg_fail(err, RG_EDATA, "%s: found %zu bytes, expected at most %zu", path,
                       (size_t)info.st_size, max);
    void *bytes = (void *)(uintptr_t)nothing; /* an empty file cannot be mapped */
    if (info.st_size > 0)
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return rg_fail_io(err, errno, "map", path);
    *out = bytes;
    *n = (size_t)info.st_size;
    return RG_OK;
}

rg_status rg_file_map(const void **out, size_t *n, const char *path, size_t max, rg_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return rg_fail_io(err, errno, "read", path);
    rg_status status = map(out, n, fd, path, max, err);
    close(fd);
    return status;
}

void rg_file_unmap(const void *bytes, size_t n)
{
    if (bytes && n)
        munmap((void *)(uintptr_t)bytes, n);
}
