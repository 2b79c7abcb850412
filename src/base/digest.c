/* digest.c - SHA-256 (libmd's, or the processor's) and XXH3 behind digest.h. */
#include "digest.h"

#include "digest_blocks.h"
#include "error.h"
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sha2.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(SHA2_CTX) <= sizeof(rg_digest), "rg_digest must hold libmd's state");

static SHA2_CTX *state_of(rg_digest *digest)
{
    return (SHA2_CTX *)(void *)digest->state;
}

void rg_digest_init(rg_digest *digest)
{
    memset(digest, 0, sizeof *digest);
    SHA256Init(state_of(digest));
}

/* Asking takes some microseconds on a virtual machine, so each digest asks once, and short ones never. */
static bool has_blocks(rg_digest *digest)
{
    if (!digest->blocks)
        digest->blocks = rg_digest_blocks_here() ? 1 : -1;
    return digest->blocks > 0;
}

void rg_digest_bytes(rg_digest *digest, const void *bytes, size_t n)
{
    SHA2_CTX *state = state_of(digest);
    const unsigned char *from = bytes;
    /* libmd counts bits and pads; what is in its buffer is filled up first. */
    size_t begun = state->bitcount[0] / 8 % SHA256_BLOCK_LENGTH;
    size_t first = begun ? SHA256_BLOCK_LENGTH - begun : 0;
    if (n >= first + SHA256_BLOCK_LENGTH && has_blocks(digest)) {
        if (first)
            SHA256Update(state, from, first);
        size_t n_blocks = (n - first) / SHA256_BLOCK_LENGTH, taken = n_blocks * SHA256_BLOCK_LENGTH;
        rg_digest_blocks(state->state.st32, from + first, n_blocks);
        state->bitcount[0] += 8 * (uint64_t)taken;
        from += first + taken;
        n -= first + taken;
    }
    if (n)
        SHA256Update(state, from, n);
}

static void put_u64(unsigned char out[8], uint64_t value)
{
    for (int k = 0; k < 8; k++)
        out[k] = (unsigned char)(value >> (8 * k));
}

void rg_digest_u64(rg_digest *digest, uint64_t value)
{
    unsigned char bytes[8];
    put_u64(bytes, value);
    rg_digest_bytes(digest, bytes, sizeof bytes);
}

void rg_digest_u32_array(rg_digest *digest, const uint32_t *values, size_t n)
{
    unsigned char bytes[4096];
    size_t used = 0;
    for (size_t k = 0; k < n; k++) {
        for (int b = 0; b < 4; b++)
            bytes[used++] = (unsigned char)(values[k] >> (8 * b));
        if (used == sizeof bytes) {
            rg_digest_bytes(digest, bytes, used);
            used = 0;
        }
    }
    rg_digest_bytes(digest, bytes, used);
}

void rg_digest_real_array(rg_digest *digest, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double value = isnan(values[k]) ? 0 : values[k] + 0.0;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        rg_digest_u64(digest, isnan(values[k]) ? UINT64_MAX : bits);
    }
}

void rg_digest_text(rg_digest *digest, const char *text)
{
    size_t n = strlen(text);
    rg_digest_u64(digest, n);
    rg_digest_bytes(digest, text, n);
}

void rg_digest_finish(rg_digest *digest, char out[RG_DIGEST_TEXT])
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, state_of(digest));
    for (size_t k = 0; k < sizeof bytes; k++) {
        out[2 * k] = "0123456789abcdef"[bytes[k] >> 4];
        out[2 * k + 1] = "0123456789abcdef"[bytes[k] & 15];
    }
    out[2 * sizeof bytes] = '\0';
}

rg_status rg_digest_file(char out[RG_DIGEST_TEXT], const char *path, rg_error *err)
{
    int file = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return rg_fail_io(err, errno, "open", path);
    rg_digest digest;
    rg_digest_init(&digest);
    char bytes[1 << 16];
    ssize_t n;
    do {
        n = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : read(file, bytes, sizeof bytes);
        if (n > 0)
            rg_digest_bytes(&digest, bytes, (size_t)n);
    } while (n > 0 || (n < 0 && errno == EINTR));
    rg_status status = n < 0 ? rg_fail_io(err, errno, "read", path) : RG_OK;
    close(file);
    if (!status)
        rg_digest_finish(&digest, out);
    return status;
}

uint64_t rg_hash(const void *bytes, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, n, seed);
}
