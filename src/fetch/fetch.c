/* fetch.c - a data set by name: download, check, unpack, check again, and only then put in place.
 *
 * In the data directory, for a set NAME:
 *     NAME                 the set, whole and readable whenever it is there
 *     .NAME.lock           held while one process works on NAME; gone afterwards
 *     .NAME.fetch/part     a download that is not finished, and state beside it (partial.h)
 *     .NAME.fetch/new      being unpacked and checked
 *     .NAME.fetch/old      the set that is about to be replaced
 * Whoever holds the lock may take what lies there as left behind by someone who was killed. */
#define _GNU_SOURCE /* flock */
#include "regula/fetch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/scratch.h"
#include "base/sized.h"
#include "locate.h"
#include "text/suggest.h"
#include "transfer.h"
#include "unpack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_LONGEST = 100, TIMEOUT_LONGEST = 24 * 60 * 60, LOCK_PAUSE = 50 /* milliseconds */ };

typedef struct fetch_job {
    const char *name;
    const rg_catalogue_entry *entry; /* NULL: not in the catalogue */
    rg_fetch_options options;
    char *directory, *url;
    char *set, *lock, *work, *part, *state, *fresh, *old;
    int lock_fd;     /* -1: not held */
    double deadline; /* of rg_seconds */
} fetch_job;

RG_DEFINE_INIT(rg_fetch_options, RG_FETCH_OPTIONS_INIT)

/* Names become file names, so they are plain words. */
static bool name_is_plain(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || n > NAME_LONGEST || strchr("._-+", name[0]))
        return false;
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+") == n;
}

static bool url_is_plain(const char *url)
{
    if (strncasecmp(url, "http://", 7) != 0 && strncasecmp(url, "https://", 8) != 0)
        return false;
    for (; *url; url++)
        if ((unsigned char)*url <= 0x20 || *url == 0x7f)
            return false;
    return true;
}

static rg_status fail_unknown(const char *name, rg_error *err)
{
    size_t n = rg_catalogue_size();
    const char **known = rg_alloc(n, sizeof *known);
    if (!known)
        return rg_fail_memory(err, "fetching a data set");
    for (size_t k = 0; k < n; k++)
        known[k] = rg_catalogue_entry_at(k)->name;
    const char *near = rg_suggest(name, known, n);
    rg_free(known);
    if (near)
        return rg_fail(err, RG_EUSAGE, "the catalogue has no data set '%s'; did you mean '%s'?",
                       name, near);
    return rg_fail(err, RG_EUSAGE,
                   "the catalogue has no data set '%s' ('regula data list' shows all); any other "
                   "data set needs a url",
                   name);
}

static rg_status check(const fetch_job *j, rg_error *err)
{
    const rg_fetch_options *o = &j->options;
    if (!name_is_plain(j->name))
        return rg_fail(err, RG_EUSAGE,
                       "found '%.200s', expected the name of a data set: letters, digits, . _ - +",
                       j->name);
    if (!o->url && !j->entry)
        return fail_unknown(j->name, err);
    if (!o->url && !j->entry->path)
        return rg_fail(err, RG_EUSAGE, "'%s' is generated, not downloaded: '%s'", j->name,
                       j->entry->source);
    if (o->url && !url_is_plain(o->url))
        return rg_fail(err, RG_EUSAGE, "found url '%.200s', expected http://... or https://...",
                       o->url);
    if (o->sha256 && (strlen(o->sha256) != 64 || strspn(o->sha256, "0123456789abcdefABCDEF") != 64))
        return rg_fail(err, RG_EUSAGE, "found sha256 '%.100s', expected 64 hexadecimal digits",
                       o->sha256);
    if (o->timeout == 0 || o->timeout > TIMEOUT_LONGEST)
        return rg_fail(err, RG_EUSAGE, "found a time-out of %u s, expected 1 to %d", o->timeout,
                       TIMEOUT_LONGEST);
    if (o->max_seconds == 0 || o->max_seconds > TIMEOUT_LONGEST)
        return rg_fail(err, RG_EUSAGE, "found a limit of %u s in all, expected 1 to %d",
                       o->max_seconds, TIMEOUT_LONGEST);
    if (o->max_bytes == 0)
        return rg_fail(err, RG_EUSAGE, "found a limit of 0 bytes, expected at least 1");
    return RG_OK;
}

/* DIRECTORY/BEFORE NAME AFTER; owned. */
static char *path_of(const fetch_job *j, const char *before, const char *after)
{
    char file[NAME_LONGEST + 32];
    snprintf(file, sizeof file, "%s%s%s", before, j->name, after);
    return rg_path_join(j->directory, file);
}

static rg_status make_paths(fetch_job *j, rg_error *err)
{
    rg_status status = RG_OK;
    if (j->options.directory)
        j->directory = rg_copy_text(j->options.directory, strlen(j->options.directory));
    else
        status = rg_data_directory(&j->directory, err);
    if (status)
        return status;
    if (!j->directory)
        return rg_fail_memory(err, "fetching a data set");
    j->set = path_of(j, "", "");
    j->lock = path_of(j, ".", ".lock");
    j->work = path_of(j, ".", ".fetch");
    j->part = path_of(j, ".", ".fetch/part");
    j->state = path_of(j, ".", ".fetch/state");
    j->fresh = path_of(j, ".", ".fetch/new");
    j->old = path_of(j, ".", ".fetch/old");
    if (j->options.url)
        j->url = rg_copy_text(j->options.url, strlen(j->options.url));
    else
        j->url = rg_path_join(j->entry->source, j->entry->path);
    if (!j->set || !j->lock || !j->work || !j->part || !j->state || !j->fresh || !j->old || !j->url)
        return rg_fail_memory(err, "fetching a data set");
    if (strlen(j->set) + sizeof ".tar.zst" > sizeof((rg_fetched *)0)->path)
        return rg_fail(err, RG_EUSAGE, "the name of the data directory is too long: '%.200s'",
                       j->directory);
    return RG_OK;
}

/* ---- the lock */

static bool stopped(const fetch_job *j)
{
    return j->options.progress && j->options.progress(j->options.progress_context, 0, 0);
}

/* The file that is locked must be the one that the name still stands for: the one who held it
 * before removes it. */
static bool lock_is_current(const fetch_job *j)
{
    struct stat mine, named;
    return fstat(j->lock_fd, &mine) == 0 && stat(j->lock, &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

static void unlock(fetch_job *j)
{
    if (j->lock_fd < 0)
        return;
    unlink(j->lock);
    close(j->lock_fd);
    j->lock_fd = -1;
}

static rg_status lock(fetch_job *j, rg_error *err)
{
    for (;;) {
        int fd = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1)
                                           : open(j->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return rg_fail_io(err, errno, "write", j->lock);
        while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            int number = errno;
            bool wait = number == EWOULDBLOCK || number == EINTR, late = rg_seconds() > j->deadline;
            if (wait && !late && !stopped(j)) {
                nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE * 1000000L}, NULL);
                continue;
            }
            close(fd);
            if (wait && late)
                return rg_fail(err, RG_EIO, "another process downloads '%s': not done after %u s",
                               j->name, j->options.max_seconds);
            return wait ? rg_fail(err, RG_EFAIL, "stopped while another process downloads '%s'",
                                  j->name)
                        : rg_fail_io(err, number, "lock", j->lock);
        }
        j->lock_fd = fd;
        if (lock_is_current(j))
            return RG_OK;
        close(fd);
        j->lock_fd = -1;
    }
}

/* ---- trees of files */

static rg_status move(const char *from, const char *to, rg_error *err)
{
    if ((rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : rename(from, to)) != 0)
        return rg_fail_io(err, errno, "write", to);
    return RG_OK;
}

/* Most archives hold one directory, named after the set or not; that is then the set. *out: owned,
 * `directory` itself if there is more in it. */
static rg_status only_directory(char **out, const char *directory, rg_error *err)
{
    DIR *dir = opendir(directory);
    if (!dir)
        return rg_fail_io(err, errno, "read directory", directory);
    char *inner = NULL;
    size_t n = 0;
    for (struct dirent *entry; n < 2 && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (n++ == 0)
            inner = rg_path_join(directory, entry->d_name);
    }
    closedir(dir);
    if (n == 1 && inner && rg_path_is_directory(inner)) {
        *out = inner;
        return RG_OK;
    }
    char *whole = n > 0 && !inner ? NULL : rg_copy_text(directory, strlen(directory));
    rg_free(inner);
    if (!whole)
        return rg_fail_memory(err, "fetching a data set");
    *out = whole;
    return RG_OK;
}

/* ---- the steps */

/* Reads the set at `path` and compares it with the catalogue. */
static rg_status verify(rg_fetched *result, const fetch_job *j, const char *path, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_status status = rg_dataset_read(&data, path, NULL, err);
    if (status)
        return status;
    rg_dataset_digest(data, result->digest);
    rg_dataset_free(data);
    if (j->entry && j->entry->digest) {
        if (strcmp(result->digest, j->entry->digest) != 0)
            return rg_fail(err, RG_EDATA, "the content has the digest %s, expected %s",
                           result->digest, j->entry->digest);
        result->verified = 1;
    }
    return RG_OK;
}

/* Puts what is the matter, and with what, in front of what `err` says. */
static rg_status explain(rg_status status, const char *what, const char *matter, rg_error *err)
{
    if (!err || status != RG_EDATA)
        return status;
    rg_error inner = *err;
    return rg_fail(err, status, "'%.300s' %s: %.600s", what, matter, inner.message);
}

/* Is it there already? *found says so. */
static rg_status look(rg_fetched *result, bool *found, const fetch_job *j, rg_error *err)
{
    char *path = NULL;
    *found = false;
    if (j->options.force)
        return RG_OK;
    rg_status status = rg_locate(&path, j->directory, j->name, err);
    if (status || !path)
        return status;
    status = explain(verify(result, j, path, err), path,
                     "exists but is damaged (force downloads it again)", err);
    if (!status) {
        *found = true;
        result->already = 1;
        snprintf(result->path, sizeof result->path, "%s", path);
    }
    rg_free(path);
    return status;
}

/* Clears away what someone who was killed left behind, but for the download. */
static rg_status recover(const fetch_job *j, rg_error *err)
{
    if (rg_path_exists(j->old) && !rg_path_exists(j->set)) {
        rg_status status = move(j->old, j->set, err);
        if (status)
            return status;
    }
    rg_tree_remove(j->old);
    rg_tree_remove(j->fresh);
    return rg_dir_make(j->work, err);
}

static rg_status download(rg_fetched *result, const fetch_job *j, rg_error *err)
{
    const rg_fetch_options *o = &j->options;
    rg_transfer transfer = {.url = j->url,
                            .part = j->part,
                            .state = j->state,
                            .timeout = o->timeout,
                            .max_seconds = o->max_seconds,
                            .deadline = j->deadline,
                            .max_bytes = o->max_bytes,
                            .progress = o->progress,
                            .progress_context = o->progress_context};
    rg_status status = rg_transfer_run(&transfer, err);
    if (status)
        return status;
    result->bytes = transfer.bytes;
    result->resumed = transfer.resumed;
    status = rg_digest_file(result->file_sha256, j->part, err);
    if (status || !o->sha256)
        return status;
    if (strcasecmp(result->file_sha256, o->sha256) != 0)
        return rg_fail(err, RG_EDATA, "'%s' has the SHA-256 %s, expected %s", j->url,
                       result->file_sha256, o->sha256);
    result->verified = 1;
    return RG_OK;
}

/* Makes the checked set at `root` appear under its name. */
static rg_status publish(const fetch_job *j, const char *root, rg_error *err)
{
    rg_status status = rg_dir_sync(root, err);
    bool replaces = !status && rg_path_exists(j->set);
    if (replaces)
        status = move(j->set, j->old, err);
    if (status)
        return status;
    status = move(root, j->set, err);
    if (status && replaces)
        (void)rename(j->old, j->set);
    if (!status)
        status = rg_dir_sync(j->directory, err);
    if (!status)
        rg_tree_remove(j->old);
    return status;
}

static rg_status unpack_and_publish(rg_fetched *result, const fetch_job *j, rg_error *err)
{
    rg_read_options bounds = rg_read_options_default();
    char *root = NULL;
    rg_status status = rg_dir_make(j->fresh, err);
    if (!status)
        status = rg_unpack(j->part, j->fresh, &bounds, err);
    if (!status)
        status = only_directory(&root, j->fresh, err);
    if (!status)
        status = verify(result, j, root, err);
    status = explain(status, j->url, "is not the data set", err);
    if (!status)
        status = publish(j, root, err);
    rg_tree_remove(j->fresh);
    rg_free(root);
    return status;
}

/* Is there anything in the working directory that the next call could use? A file that turned out
 * bad must not be continued; one that served is no longer needed. */
static bool is_worth_keeping(const fetch_job *j, rg_status status)
{
    struct stat info;
    if (status == RG_OK || status == RG_EDATA)
        return false;
    return rg_path_exists(j->old) || (stat(j->part, &info) == 0 && info.st_size > 0);
}

static rg_status download_and_publish(rg_fetched *result, const fetch_job *j, rg_error *err)
{
    rg_status status = download(result, j, err);
    if (!status)
        status = unpack_and_publish(result, j, err);
    if (!status)
        snprintf(result->path, sizeof result->path, "%s", j->set);
    return status;
}

static rg_status fetch(rg_fetched *result, fetch_job *j, rg_error *err)
{
    bool found = false;
    rg_status status = look(result, &found, j, err);
    if (status || found)
        return status;
    status = rg_dir_make(j->directory, err);
    if (!status)
        status = lock(j, err);
    if (status)
        return status;
    status = recover(j, err);
    if (!status)
        status = look(result, &found, j, err); /* someone else may have fetched it by now */
    if (!status && !found)
        status = download_and_publish(result, j, err);
    if (found || !is_worth_keeping(j, status))
        rg_tree_remove(j->work);
    return status;
}

rg_status rg_data_fetch(rg_fetched *out, const char *name, const rg_fetch_options *options,
                        rg_error *err)
{
    fetch_job j = {.name = name, .entry = rg_catalogue_find(name), .lock_fd = -1};
    j.options = rg_fetch_options_default();
    rg_fetched result = RG_FETCHED_INIT;
    rg_status status = RG_TAKE(rg_fetch_options, &j.options, options, err);
    j.deadline = rg_seconds() + j.options.max_seconds;
    if (!status)
        status = rg_sized_check(out, "rg_fetched", err);
    if (!status)
        status = check(&j, err);
    if (!status)
        status = make_paths(&j, err);
    if (!status)
        status = fetch(&result, &j, err);
    if (!status)
        rg_sized_put(out, &result, sizeof result);
    unlock(&j);
    char *texts[] = {j.directory, j.url, j.set, j.lock, j.work, j.part, j.state, j.fresh, j.old};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        rg_free(texts[k]);
    return status;
}
