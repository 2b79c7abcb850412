/* archive.h - what libarchive unpacks, as a list of files with bytes, front to back.
 *
 * zip and tar, plain or inside one layer of gzip, zstd, xz or bzip2; or one compressed file. Every
 * byte that comes out goes through the meter; what has no place in a data set (links, devices,
 * paths that lead out of the archive, encryption) is RG_EDATA. */
#ifndef REGULA_FORMAT_ARCHIVE_H
#define REGULA_FORMAT_ARCHIVE_H

#include "source.h"
#include "text/reader.h"

#include <stdbool.h>

typedef struct rg_archive rg_archive;

/* What may be inside: a list of files, a list or the bytes of a single one, or the latter only. */
typedef enum rg_archive_kind { RG_ARCHIVE_LIST, RG_ARCHIVE_ANY, RG_ARCHIVE_SINGLE } rg_archive_kind;

/* An archive over a file or memory. out: owned (rg_archive_close). source is moved, also on
 * failure; meter and source.name are kept. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_archive_open(rg_archive **out, rg_byte_source source,
                                        rg_archive_kind kind, rg_meter *meter, rg_error *err);
/* A compressed file inside `outer`: the entry that rg_archive_next came to last. Both `outer` and
 * `name` are kept. */
RG_MUST_CHECK rg_status rg_archive_open_inner(rg_archive **out, rg_archive *outer, const char *name,
                                              rg_meter *meter, rg_error *err);
void rg_archive_close(rg_archive *archive); /* NULL is fine */

/* The path of the next regular file, borrowed until the next call; NULL at the end; "" if the whole
 * is one file. */
RG_MUST_CHECK rg_status rg_archive_next(rg_archive *archive, const char **path, rg_error *err);
/* Bytes of that file, as rg_stream reads; `state` is the rg_archive. */
RG_MUST_CHECK rg_status rg_archive_read(void *state, void *buffer, size_t n, size_t *got,
                                        rg_error *err);

/* The length of ".gz", ".zst", ".xz" or ".bz2" at the end of a name; 0 without. */
size_t rg_archive_ending(const char *name);
/* True for names that promise a list of files: ".zip", ".tar", ".tgz", ".tar.gz", ... *n: length of
 * the ending. */
bool rg_archive_promised(const char *name, size_t *n);

#endif
