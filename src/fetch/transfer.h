/* transfer.h - one file over HTTP, into a file that grows, so that nothing that came is lost.
 *
 * transfer_curl.c does it with libcurl; transfer_none.c stands in for it in a build without. */
#ifndef REGULA_FETCH_TRANSFER_H
#define REGULA_FETCH_TRANSFER_H

#include "regula/base.h"

typedef struct rg_transfer {
    const char *url;      /* http or https */
    const char *part;     /* the file; what it holds already is continued if that is safe */
    const char *state;    /* see partial.h */
    unsigned timeout;     /* seconds, to connect and with next to nothing coming */
    unsigned max_seconds; /* in all, for messages */
    double deadline;      /* of rg_seconds */
    uint64_t max_bytes;
    int (*progress)(void *context, uint64_t done, uint64_t total); /* may be NULL */
    void *progress_context;
    /* Results. */
    uint64_t bytes; /* that came over the network */
    int resumed;    /* bytes of an earlier attempt were kept */
} rg_transfer;

/* RG_OK: `part` is the whole file as far as HTTP can tell. Failures that may pass (5xx, a
 * connection that breaks off) are tried again a few times, with pauses that grow. On RG_EIO and
 * RG_EFAIL what came so far stays in `part`. RG_EUSAGE (no libcurl), RG_EIO, RG_EDATA (larger than
 * max_bytes), RG_EFAIL (stopped by progress), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_transfer_run(rg_transfer *transfer, rg_error *err);

#endif
