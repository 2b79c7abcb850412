/* fetch.h - data sets by name: the catalogue, local paths, and downloads. */
#ifndef REGULA_FETCH_H
#define REGULA_FETCH_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A set that `regula data get` knows. All text is static. */
typedef struct rg_catalogue_entry {
    const char *name;
    const char *task;   /* "2 classes", "regression, 1 target", ... */
    const char *domain; /* "molecules", "social networks", ... */
    uint32_t graphs;
    double mean_nodes, mean_edges;
    const char *citation; /* authors, title, year */
    const char *source;   /* address that serves it, or the command that makes it */
    const char *path;     /* file below that address; NULL: it is made, not fetched */
    const char *digest;   /* SHA-256 of the content (rg_dataset_digest), or NULL: not known */
} rg_catalogue_entry;

RG_API size_t rg_catalogue_size(void);
/* k < size (else NULL); sorted by name, letters of either case alike. */
RG_API const rg_catalogue_entry *rg_catalogue_entry_at(size_t k);
RG_API const rg_catalogue_entry *rg_catalogue_find(const char *name); /* NULL: none */

/* Directory where sets are kept: $REGULA_DATA, else $XDG_CACHE_HOME/regula/data, else
 * ~/.cache/regula/data. Owned (rg_text_free). RG_EFAIL if none can be told, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_data_directory(char **out, rg_error *err);
/* The path of DATA: itself if it exists, or if it is DIR/NAME and there are files DIR/NAME_*; else
 * NAME, NAME.zip, NAME.tar.gz, NAME.tar.zst, ... in $REGULA_DATA and then in the cache. Owned
 * (rg_text_free). RG_EIO, with what could be done; RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_data_find(char **out, const char *data, rg_error *err);
/* Splits that go with a set by its name: DIRECTORY/splits/NAME.json, directory NULL: $REGULA_DATA.
 * *out: owned (rg_text_free), NULL: there is no such file. RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_splits_find(char **out, const char *directory, const char *name,
                                              rg_error *err);
RG_API void rg_text_free(char *text);

typedef struct rg_fetch_options {
    size_t size;           /* sizeof(rg_fetch_options): RG_FETCH_OPTIONS_INIT sets it */
    const char *url;       /* instead of the catalogue's; http or https */
    const char *directory; /* instead of rg_data_directory */
    const char *sha256;    /* of the file, 64 hexadecimal digits; NULL: not checked */
    int force;             /* fetch even if it is there */
    unsigned timeout;      /* seconds below 16 bytes/s before giving up */
    unsigned max_seconds;  /* in all, with waiting for another process that fetches it; 3600 */
    uint64_t max_bytes;    /* of the file */
    /* May be NULL. Bytes so far and in all (0: not known). Return nonzero to stop. */
    int (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
} rg_fetch_options;

#define RG_FETCH_OPTIONS_INIT \
    RG_OPTIONS(rg_fetch_options, .timeout = 30, .max_seconds = 3600, .max_bytes = (uint64_t)4 << 30)
RG_OPTIONS_FUNCTIONS(rg_fetch_options)

typedef struct rg_fetched {
    size_t size;                      /* sizeof(rg_fetched): RG_FETCHED_INIT sets it */
    char path[1024];                  /* of the set: a directory, or the archive that was there */
    char file_sha256[RG_DIGEST_SIZE]; /* of the file that was fetched; "" if nothing was */
    char digest[RG_DIGEST_SIZE];      /* of the content */
    uint64_t bytes;                   /* that came over the network */
    int already;                      /* it was there and nothing was fetched */
    int resumed;                      /* an earlier download was continued */
    int verified;                     /* content or file digest was known and agrees */
} rg_fetched;
#define RG_FETCHED_INIT RG_SIZED(rg_fetched)

/* Fetch a set by name, check it, unpack it safely. A name that the catalogue does not have needs a
 * url. Interrupted downloads are continued, by this call (a few times, with pauses) and by the
 * next. Nothing appears under the set's name unless it is whole and can be read. Any number of
 * processes and threads may ask for the same set: one fetches, the others wait for it. options:
 * NULL for the defaults. out: untouched on failure. RG_EUSAGE (unknown name; options; built without
 * libcurl), RG_EIO (network, 404, disk), RG_EDATA (wrong digest, damaged archive, larger than
 * max_bytes), RG_EFAIL (stopped by progress), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_data_fetch(rg_fetched *out, const char *name,
                                             const rg_fetch_options *options, rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
