#include "hash64.h"

#include "bytes.h"

static const uint64_t prime_1 = 0x9e3779b185ebca87, prime_2 = 0xc2b2ae3d27d4eb4f,
                      prime_3 = 0x165667b19e3779f9, prime_4 = 0x85ebca77c2b2ae63,
                      prime_5 = 0x27d4eb2f165667c5;

enum { LANES = 4, STRIPE = 8 * LANES };

static uint64_t rotate(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static uint64_t add_word(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * prime_2, 31) * prime_1;
}

static uint64_t merge(uint64_t hash, uint64_t lane)
{
    return (hash ^ add_word(0, lane)) * prime_1 + prime_4;
}

/* Hashes the whole stripes in four independent chains, which a core runs in parallel. */
static uint64_t hash_stripes(const uint8_t *p, size_t n, uint64_t seed)
{
    uint64_t a = seed + prime_1 + prime_2, b = seed + prime_2, c = seed, d = seed - prime_1;
    for (size_t i = 0; i < n; i++, p += STRIPE) {
        a = add_word(a, ifn_load_u64le(p));
        b = add_word(b, ifn_load_u64le(p + 8));
        c = add_word(c, ifn_load_u64le(p + 16));
        d = add_word(d, ifn_load_u64le(p + 24));
    }
    const uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
}

static uint64_t add_rest(uint64_t hash, const uint8_t *p, size_t bytes)
{
    for (; bytes >= 8; p += 8, bytes -= 8)
        hash = rotate(hash ^ add_word(0, ifn_load_u64le(p)), 27) * prime_1 + prime_4;
    for (; bytes >= 4; p += 4, bytes -= 4)
        hash = rotate(hash ^ ifn_load_u32le(p) * prime_1, 23) * prime_2 + prime_3;
    for (; bytes > 0; p++, bytes--)
        hash = rotate(hash ^ *p * prime_5, 11) * prime_1;
    return hash;
}

uint64_t ifn_hash64(const void *data, size_t bytes, uint64_t seed)
{
    const uint8_t *const p = data;
    const size_t n = bytes / STRIPE;
    uint64_t hash = n ? hash_stripes(p, n, seed) : seed + prime_5;
    hash = add_rest(hash + bytes, n ? p + n * STRIPE : p, bytes % STRIPE);
    hash = (hash ^ hash >> 33) * prime_2;
    hash = (hash ^ hash >> 29) * prime_3;
    return hash ^ hash >> 32;
}
