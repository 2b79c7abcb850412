/* scratch.c - see scratch.h. */
#define _GNU_SOURCE /* flock, nftw */
#include "scratch.h"

#include "alloc.h"
#include "error.h"
#include "fault.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINNING "regula-scratch-"

static int remove_entry(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info;
    (void)flag;
    (void)walk;
    (void)remove(path); /* go on with the others */
    return 0;
}

void rg_tree_remove(const char *path)
{
    (void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int open_directory(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Is what we have open still the directory of that name, and nobody else's? In a folder for all, a stranger could
 * exchange what is in his own directory for a link to elsewhere while it is removed. */
static bool is_ours(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && lstat(path, &named) == 0 && mine.st_uid == geteuid() &&
           !(mine.st_mode & 0077) && mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* Every owner holds a lock on its directory: one that can be locked belongs to one who died. */
static void remove_left_behind(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (strncmp(entry->d_name, BEGINNING, strlen(BEGINNING)) != 0)
            continue;
        char *path = rg_path_join(folder, entry->d_name);
        int fd = path ? open_directory(path) : -1;
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_ours(fd, path))
            rg_tree_remove(path);
        if (fd >= 0)
            close(fd);
        rg_free(path);
    }
    closedir(dir);
}

/* Makes the directory that `path` is the pattern of, and takes its lock. Where there are no locks nothing is ever
 * removed for others, and none is needed. -1, and errno. */
static int make_locked(char *path)
{
    size_t n = strlen(path);
    for (;;) {
        if (rg_fault_hit(RG_FAULT_IO)) {
            errno = EIO;
            return -1;
        }
        if (!mkdtemp(path))
            return -1;
        int fd = open_directory(path);
        bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (fd >= 0 && (locked ? is_ours(fd, path) : errno != EWOULDBLOCK))
            return fd;
        /* Between the calls another took it for one that was left behind: once more. */
        if (fd >= 0)
            close(fd);
        else if (errno != ENOENT)
            return -1;
        memset(path + n - 6, 'X', 6);
    }
}

rg_status rg_scratch_make(rg_scratch *out, const char *folder, rg_error *err)
{
    remove_left_behind(folder);
    char *path = rg_path_join(folder, BEGINNING "XXXXXX");
    if (!path)
        return rg_fail_memory(err, "a directory for work");
    int fd = make_locked(path);
    if (fd < 0) {
        rg_status status = rg_fail_io(err, errno, "create", path);
        rg_free(path);
        return status;
    }
    *out = (rg_scratch){path, fd};
    return RG_OK;
}

void rg_scratch_remove(rg_scratch *scratch)
{
    if (!scratch->path)
        return;
    rg_tree_remove(scratch->path);
    close(scratch->fd);
    rg_free(scratch->path);
    *scratch = (rg_scratch){.path = NULL};
}
