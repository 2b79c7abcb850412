/* digest.h - SHA-256 for identity that is published, XXH3 for keys that stay inside. */
#ifndef REGULA_BASE_DIGEST_H
#define REGULA_BASE_DIGEST_H

#include "regula/base.h"

#define RG_DIGEST_TEXT 65 /* 64 hexadecimal digits and a zero byte */

/* A running SHA-256. Integers go in as little-endian bytes, so that a digest is the same on every
 * machine. Opaque bytes inside; init, add ..., finish. */
typedef struct rg_digest {
    uint64_t state[28];
    int blocks; /* whether the processor has instructions for whole blocks: 0 not asked yet, 1 yes, -1 no */
} rg_digest;

void rg_digest_init(rg_digest *digest);
void rg_digest_bytes(rg_digest *digest, const void *bytes, size_t n);
void rg_digest_u64(rg_digest *digest, uint64_t value);
void rg_digest_u32_array(rg_digest *digest, const uint32_t *values, size_t n);
/* Doubles by their bits; every NaN counts as the same one and -0 as 0. */
void rg_digest_real_array(rg_digest *digest, const double *values, size_t n);
/* Length first, so that "ab","c" and "a","bc" differ. */
void rg_digest_text(rg_digest *digest, const char *text);
void rg_digest_finish(rg_digest *digest, char out[RG_DIGEST_TEXT]);

/* SHA-256 of a whole file. RG_EIO. */
RG_MUST_CHECK rg_status rg_digest_file(char out[RG_DIGEST_TEXT], const char *path, rg_error *err);

/* XXH3, 64 bits: for hash tables and cache keys, never for identity alone. */
uint64_t rg_hash(const void *bytes, size_t n, uint64_t seed);

#endif
