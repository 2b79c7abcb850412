/* random.c - see random.h. */
#include "random.h"

#include "elementary.h"

#include <assert.h>
#include <math.h>

void rg_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c0 = n0;
        c1 = (uint32_t)b;
        c2 = n2;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The 128 bits of counter are 64 of index, the lower 32 of stream and 32 of `again`. The upper half
 * of a stream, if there is one, changes the key, through a block that `again` never reaches. */
static void block(uint64_t seed, uint64_t stream, uint64_t index, uint32_t again, uint32_t out[4])
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t high = (uint32_t)(stream >> 32);
    if (high) {
        uint32_t mixed[4];
        rg_philox((uint32_t[4]){high, 0, 0, 0xFFFFFFFFu}, key, mixed);
        key[0] = mixed[0];
        key[1] = mixed[1];
    }
    rg_philox((uint32_t[4]){(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, again}, key,
              out);
}

uint64_t rg_random_u64(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t words[4];
    block(seed, stream, index, 0, words);
    return (uint64_t)words[1] << 32 | words[0];
}

double rg_random_unit(uint64_t seed, uint64_t stream, uint64_t index)
{
    return (double)(rg_random_u64(seed, stream, index) >> 11) * 0x1p-53;
}

uint32_t rg_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint32_t n)
{
    /* Lemire: the high half of word * n, where the 2^32 mod n smallest low halves come too often.
     * They lie below n, so the division is hardly ever made. */
    assert(n > 0);
    for (uint32_t again = 0;; again++) {
        uint32_t words[4];
        block(seed, stream, index, again, words);
        for (int k = 0; k < 4; k++) {
            uint64_t product = (uint64_t)words[k] * n;
            if ((uint32_t)product >= n || (uint32_t)product >= (0u - n) % n)
                return (uint32_t)(product >> 32);
        }
    }
}

double rg_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t words[4];
    block(seed, stream, index, 0, words);
    uint64_t a = (uint64_t)words[1] << 32 | words[0], b = (uint64_t)words[3] << 32 | words[2];
    double u = ((double)(a >> 11) + 1) * 0x1p-53; /* in (0, 1], so that the logarithm is finite */
    double v = (double)(b >> 11) * 0x1p-53;
    return sqrt(-2 * rg_log(u)) * rg_cos_turns(v);
}

void rg_random_shuffle(uint64_t seed, uint64_t stream, uint32_t *items, size_t n)
{
    assert(n <= UINT32_MAX);
    for (size_t k = n; k > 1; k--) {
        size_t other = rg_random_below(seed, stream, k - 1, (uint32_t)k);
        uint32_t item = items[k - 1];
        items[k - 1] = items[other];
        items[other] = item;
    }
}
