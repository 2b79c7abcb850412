/* digest_blocks.c - SHA-256 of whole blocks with the processor's instructions for it. */
#include "digest_blocks.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <cpuid.h>
#include <immintrin.h>

enum { BLOCK = 64, CPUID_FEATURES = 7, CPUID_SHA = 1 << 29 };

bool rg_digest_blocks_here(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("sse4.1") &&
           __get_cpuid_count(CPUID_FEATURES, 0, &a, &b, &c, &d) && b & CPUID_SHA;
}

/* The cube roots of the first 64 primes: the first 32 bits behind the point. */
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The instructions want the eight words of the state as (a, b, e, f) and (c, d, g, h), highest first. A step is
 * four rounds; words holds the four last quadruples of the message's schedule. */
__attribute__((target("sha,sse4.1"))) void
rg_digest_blocks(uint32_t state[8], const unsigned char *bytes, size_t n_blocks)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    __m128i badc = _mm_shuffle_epi32(low, 0xb1), hgfe = _mm_shuffle_epi32(high, 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; n_blocks; n_blocks--, bytes += BLOCK) {
        __m128i abef_before = abef, cdgh_before = cdgh, words[4];
#pragma GCC unroll 16
        for (int step = 0; step < 16; step++) {
            __m128i w;
            if (step < 4) {
                w = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * step));
                w = _mm_shuffle_epi8(w, big_endian);
            } else {
                __m128i last = words[(step + 3) % 4];
                w = _mm_sha256msg1_epu32(words[step % 4], words[(step + 1) % 4]);
                w = _mm_add_epi32(w, _mm_alignr_epi8(last, words[(step + 2) % 4], 4));
                w = _mm_sha256msg2_epu32(w, last);
            }
            words[step % 4] = w;
            w = _mm_add_epi32(
                w, _mm_load_si128((const __m128i *)(const void *)(round_constants + 4 * step)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, w);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(w, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool rg_digest_blocks_here(void)
{
    return false;
}

void rg_digest_blocks(uint32_t state[8], const unsigned char *bytes, size_t n_blocks)
{
    (void)state;
    (void)bytes;
    (void)n_blocks;
}

#endif
