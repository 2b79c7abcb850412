/* file.h - writing files that are either whole or not there.
 *
 * A file is written beside its final place under a temporary name (.regula-*); commit flushes it to
 * the disk, renames it and flushes the directory. A crash at any moment leaves the old file or the
 * new one. Several writers of one path do not disturb each other: the last to commit wins. What a
 * writer that was killed leaves under a temporary name, the next writer of the same path on the
 * same host removes. */
#ifndef REGULA_BASE_FILE_H
#define REGULA_BASE_FILE_H

#include "regula/base.h"

#include <stdbool.h>

typedef struct rg_file rg_file;

/* out: owned; ends with rg_file_commit or rg_file_discard. A new file has the mode that the umask
 * gives, one that replaces another has the other's; a symbolic link is replaced, not followed. What
 * is no regular file (/dev/stdout, a pipe) is written to directly. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_file_create(rg_file **out, const char *path, rg_error *err);

/* Appending cannot fail here: the first failure is kept and reported by rg_file_commit. */
void rg_file_bytes(rg_file *file, const void *bytes, size_t n);
void rg_file_text(rg_file *file, const char *text);
void rg_file_int(rg_file *file, int64_t value);
void rg_file_real(rg_file *file, double value); /* shortest text that reads back exactly */

/* Flushes what was appended to the disk; nothing can be appended after it. For files that belong
 * together: seal all of them, then commit all of them, and a full disk is found before the first
 * one appears. `file` stays the caller's, also on failure. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_file_seal(rg_file *file, rg_error *err);
/* Makes the file appear under its name; seals it if need be. `file` is moved: it is gone also on
 * failure, and then nothing under that name has changed, unless the directory alone could not be
 * flushed: then the new file is there, whole, but may not survive a power cut. RG_EIO, RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_file_commit(rg_file *file, rg_error *err);
/* All at once: a file with this text. */
RG_MUST_CHECK rg_status rg_file_save(const char *path, const char *text, rg_error *err);
void rg_file_discard(rg_file *file); /* NULL is fine */

/* All bytes of a regular file of at most `max` bytes. begin: the text that it starts with, at most
 * 16 bytes, looked at before there is room for the rest; NULL: any. out: owned (rg_free), untouched
 * on failure, like n. RG_EIO, RG_EDATA (another kind, larger, or it shrinks meanwhile), RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_file_load(void **out, size_t *n, const char *path, const char *begin,
                                     size_t max, rg_error *err);

/* The same mapped into memory, read only: nothing is copied. *out: ends with rg_file_unmap; untouched on failure,
 * like n. Who shortens the file meanwhile ends the process, so this is for files that are replaced whole. RG_EIO,
 * RG_EDATA (larger than `max`). */
RG_MUST_CHECK rg_status rg_file_map(const void **out, size_t *n, const char *path, size_t max,
                                    rg_error *err);
void rg_file_unmap(const void *bytes, size_t n); /* NULL is fine */

/* Makes a directory and the ones above it; fine if it is there. RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dir_make(const char *path, rg_error *err);
/* Flushes a directory's entries to the disk, if the file system and the permissions let it. RG_EIO.
 */
RG_MUST_CHECK rg_status rg_dir_sync(const char *path, rg_error *err);

/* "A/B", or "A" + "B" if A ends with '/' or is empty. Owned; NULL if memory is short. */
char *rg_path_join(const char *a, const char *b);
/* The part before the last '/': "." if there is none, "/" for the root. Owned. */
char *rg_path_directory(const char *path);
/* The part behind the last '/': all of it if there is none. Borrowed from `path`. */
const char *rg_path_name(const char *path);
/* Where a user's caches go: $XDG_CACHE_HOME/regula/BELOW, else ~/.cache/regula/BELOW. *out: owned
 * (rg_free), NULL if the environment does not tell. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_path_cache(char **out, const char *below, rg_error *err);
bool rg_path_is_directory(const char *path);
bool rg_path_is_file(const char *path); /* a regular one */
bool rg_path_exists(const char *path);

#endif
