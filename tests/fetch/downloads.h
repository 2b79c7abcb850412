/* downloads.h - a directory, a server with a set, and the call that fetches it: where most tests of
 * fetching start from. */
#ifndef REGULA_TESTS_FETCH_DOWNLOADS_H
#define REGULA_TESTS_FETCH_DOWNLOADS_H

#include "http_server.h"
#include "support/archives.h"

#include <stdbool.h>

#define ETAG "\"one\""

typedef struct download {
    char *directory;
    void *body; /* the set TOY */
    http_answers plan;
    http_server *server; /* NULL: not started */
    rg_fetch_options options;
    rg_fetched got;
    rg_error err;
} download;

/* A zip of files that are not compressed; *n bytes. Owned (free). */
void *download_pack(const pack_file *files, size_t n_files, size_t *n);

/* For the whole group of tests: the environment must not lead us elsewhere. */
int download_prepare(void **state);

/* A server that knows ranges and versions, with a set that is whole. Skips the test in a build
 * without libcurl. Ends with download_close. */
download *download_open(void);
void download_close(download *s);

/* Starts the server if it does not run yet; plans may only be changed while it does not. */
void download_start(download *s);
void download_stop(download *s);
rg_status download_fetch(download *s);

/* Puts n bytes there as a call that was killed leaves them, of the version `validator`. */
void download_leave_part(download *s, const void *bytes, size_t n, const char *validator);

bool download_has(const download *s, const char *name); /* in the directory */
size_t download_entries(const download *s);
/* The set is there and can be read, and nothing else is. */
void download_assert_whole(const download *s);

#define ASSERT_FETCHED(s)                                  \
    do {                                                   \
        rg_status status_ = download_fetch(s);             \
        if (status_)                                       \
            fail_msg("%d: %s", status_, (s)->err.message); \
        download_assert_whole(s);                          \
    } while (0)

#endif
