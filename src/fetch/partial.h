/* partial.h - a download that is not finished yet.
 *
 * Two files: the bytes that came, and beside them one that says which address they came from and
 * which version they belong to (the server's ETag or Last-Modified). Without a version that can be
 * compared, bytes of two versions could get mixed, so such a download always starts afresh. */
#ifndef REGULA_FETCH_PARTIAL_H
#define REGULA_FETCH_PARTIAL_H

#include "regula/base.h"

#define RG_VALIDATOR_SIZE 256

typedef struct rg_partial {
    const char *path, *state;          /* kept */
    int fd;                            /* -1: closed */
    uint64_t size;                     /* bytes in the file */
    char validator[RG_VALIDATOR_SIZE]; /* of the bytes in the file; "": none */
} rg_partial;

/* Opens what an earlier download of `url` left; empty if there is nothing that can be continued.
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_partial_open(rg_partial *out, const char *path, const char *state,
                                        const char *url, rg_error *err);
/* Throws the bytes away; those that follow belong to `validator` ("": none). */
RG_MUST_CHECK rg_status rg_partial_restart(rg_partial *partial, const char *url,
                                           const char *validator, rg_error *err);
RG_MUST_CHECK rg_status rg_partial_append(rg_partial *partial, const void *bytes, size_t n,
                                          rg_error *err);
void rg_partial_close(rg_partial *partial);

#endif
