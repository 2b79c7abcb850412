/* wire.h - what processes of a crew send each other, as bytes.
 *
 * A frame is a head and a body: "RGcr", the kind (u32), the bytes of the body (u64) and their XXH3
 * with the kind as its seed (u64). All numbers are little-endian; reals go by their bits; a text is
 * its length (u32) and its bytes, which hold no zero. There is one way to write anything: what
 * decodes encodes to the same bytes. */
#ifndef REGULA_JOBS_WIRE_H
#define REGULA_JOBS_WIRE_H

#include "runner.h"

#define RG_WIRE_HEAD 24
#define RG_WIRE_BODY_MAX ((uint64_t)1 << 31)
#define RG_WIRE_KEY 16 /* bytes of a key that tells members of a crew from strangers */

typedef enum rg_wire_kind {
    RG_WIRE_WELCOME = 1, /* from rank 0, first of all: its key */
    RG_WIRE_HELLO,       /* to rank 0: who it is */
    RG_WIRE_REFUSED,     /* from rank 0: a text that says why; nothing follows */
    RG_WIRE_JOB,    /* from rank 0, after the hello and each result: the number of a job (u64) */
    RG_WIRE_RESULT, /* to rank 0: what that job came to */
    RG_WIRE_BEAT,   /* to rank 0, every second: still here */
    RG_WIRE_END     /* from rank 0: an rg_wire_end (u32); nothing follows */
} rg_wire_kind;

typedef enum rg_wire_end { RG_WIRE_DONE, RG_WIRE_STOPPED, RG_WIRE_SILENT } rg_wire_end;

/* ---- bytes that grow. Begins as {0}, ends with rg_free(data). */
typedef struct rg_wire {
    unsigned char *data;
    size_t n, capacity;
    bool failed; /* memory was short once: all that follows is dropped */
} rg_wire;

/* Room for the head, at the start of a frame; rg_wire_seal fills it in when the body stands behind.
 * RG_ENOMEM if memory was short on the way. */
void rg_wire_begin(rg_wire *wire);
RG_MUST_CHECK rg_status rg_wire_seal(rg_wire *wire, rg_wire_kind kind, rg_error *err);
void rg_wire_bytes(rg_wire *wire, const void *bytes, size_t n);
void rg_wire_u32(rg_wire *wire, uint32_t value);
void rg_wire_u64(rg_wire *wire, uint64_t value);

/* The head of a frame in RG_WIRE_HEAD bytes. RG_EDATA: it is none. */
typedef struct rg_wire_head {
    rg_wire_kind kind;
    uint64_t n, hash;
} rg_wire_head;
RG_MUST_CHECK rg_status rg_wire_head_read(rg_wire_head *out, const unsigned char *bytes,
                                          rg_error *err);
/* Is the body the one that the head is of? */
bool rg_wire_head_fits(const rg_wire_head *head, const unsigned char *body);

/* ---- who wants to join. Texts end with a zero and are cut off if they are longer. */
typedef struct rg_wire_hello {
    unsigned char key[RG_WIRE_KEY];
    uint32_t rank;
    char host[64];
    char version[32];
    char experiment[RG_DIGEST_TEXT], data[RG_DIGEST_TEXT], splits[RG_DIGEST_TEXT]; /* digests */
} rg_wire_hello;

void rg_wire_hello_put(rg_wire *wire, const rg_wire_hello *hello);
RG_MUST_CHECK rg_status rg_wire_hello_get(rg_wire_hello *out, const unsigned char *body, size_t n,
                                          rg_error *err);

/* ---- what a job came to */

/* result: of the job `job`. */
void rg_wire_result_put(rg_wire *wire, const rg_runner_result *result, const rg_store_job *job);

/* A result that was read. Ends with rg_wire_result_free. */
typedef struct rg_wire_result {
    rg_runner_result result; /* borrowed from what follows */
    rg_store_run *runs;      /* n_runs of them, or NULL */
    uint32_t n_runs;
    char *message, *worker, *version;
} rg_wire_result;

/* out: owned (rg_wire_result_free), untouched on failure. It holds what rg_store_put_job wants of
 * the job `number`, which is `job`. No more is allocated than the bytes can fill. RG_EDATA (not a
 * result, or one of another job), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_wire_result_get(rg_wire_result *out, const unsigned char *body, size_t n,
                                           size_t number, const rg_store_job *job, rg_error *err);
void rg_wire_result_free(rg_wire_result *result);

#endif
