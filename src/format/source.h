/* source.h - packed bytes from a file or from memory, and the meter that bounds what comes out. */
#ifndef REGULA_FORMAT_SOURCE_H
#define REGULA_FORMAT_SOURCE_H

#include "regula/dataset.h"

/* What was read so far, over all entries together, against the bounds of rg_read_options. */
typedef struct rg_meter {
    rg_read_options bounds;
    uint64_t entries;
    uint64_t unpacked; /* bytes that came out */
    uint64_t packed;   /* bytes of the outermost files that went in */
} rg_meter;

/* One more file or directory, or `n` more bytes, at the place `where`. RG_EDATA past a bound. */
RG_MUST_CHECK rg_status rg_meter_entry(rg_meter *meter, const char *where, rg_error *err);
RG_MUST_CHECK rg_status rg_meter_bytes(rg_meter *meter, uint64_t n, const char *where,
                                       rg_error *err);

/* A regular file (fd >= 0) or memory, read at `at`. Plain struct: rg_source_close when done. */
typedef struct rg_byte_source {
    const char *name; /* kept, for messages */
    int fd;
    const char *memory; /* kept */
    uint64_t size, at;
} rg_byte_source;

/* RG_EIO, also for what is neither a regular file nor a link to one. */
RG_MUST_CHECK rg_status rg_source_open(rg_byte_source *out, const char *path, rg_error *err);
rg_byte_source rg_source_memory(const char *name, const void *bytes, size_t n);
void rg_source_close(rg_byte_source *source);

/* Up to n bytes from `at` on, which moves; *got is 0 at the end. RG_EIO. */
RG_MUST_CHECK rg_status rg_source_read(rg_byte_source *source, void *buffer, size_t n, size_t *got,
                                       rg_error *err);

#endif
