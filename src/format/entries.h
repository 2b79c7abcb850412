/* entries.h - the files of a data set, one after another, whatever they are packed in.
 *
 * A directory, an archive (zip, tar, with gzip, zstd, xz or bzip2 around it) or a single file. An
 * archive is read once from front to back, in memory; nothing is written. A file that is itself
 * compressed (edge.csv.gz) is unpacked on the way and named without the ending. Bounds of
 * rg_read_options hold over all entries together. */
#ifndef REGULA_FORMAT_ENTRIES_H
#define REGULA_FORMAT_ENTRIES_H

#include "regula/dataset.h"
#include "text/reader.h"

typedef struct rg_entries rg_entries;

/* out: owned (rg_entries_close). A directory's files come sorted by name, its sub-directories to a
 * depth of two; one that may not be listed, such as lost+found, is passed over. RG_EIO, RG_EDATA,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_entries_open(rg_entries **out, const char *path,
                                        const rg_read_options *options, rg_error *err);
/* An archive that lies in memory; `bytes` is kept. `name` is for messages. */
RG_MUST_CHECK rg_status rg_entries_open_memory(rg_entries **out, const char *name,
                                               const void *bytes, size_t n,
                                               const rg_read_options *options, rg_error *err);
void rg_entries_close(rg_entries *entries);

/* Why the first sub-directory passed over could not be listed; NULL: none was. Borrowed. */
const char *rg_entries_closed(const rg_entries *entries);

/* Is the current file all there is, neither in a directory nor in an archive? */
bool rg_entries_alone(const rg_entries *entries);

/* The next regular file: its path inside ("NCI1/NCI1_A.txt"), borrowed and valid until the next
 * call; *name is NULL at the end. Absolute paths, "..", links and devices in an archive are
 * RG_EDATA. */
RG_MUST_CHECK rg_status rg_entries_next(rg_entries *entries, const char **name, rg_error *err);
/* A reader over its bytes, once a file at most; borrowed, valid until the next file. Its own name
 * is for messages ("NCI1.zip:NCI1/NCI1_A.txt", or the file's path). A file that is not asked for is
 * never opened: what lies beside the data may be unreadable or damaged. */
RG_MUST_CHECK rg_status rg_entries_reader(rg_entries *entries, rg_reader **in, rg_error *err);

#endif
