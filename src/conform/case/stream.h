/*
 * Counter-based random numbers: hash(seed, name, index), the same on every platform, at any thread
 * count, in any language (fixtures/make/conform_inputs.py implements the same).
 */
#ifndef CONFORM_STREAM_H
#define CONFORM_STREAM_H

#include <stdint.h>

/* 64 bits made from (seed, FNV-1a of the name, index) by splitmix64's finalizer; stream.c has the formula. */
uint64_t conform_hash(uint64_t seed, const char *name, uint64_t index);

/* A stream: seed and name hashed once. */
typedef struct conform_stream {
    uint64_t key;
} conform_stream;

conform_stream conform_stream_of(uint64_t seed, const char *name);

static inline uint64_t conform_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Inline for speed: every element of every input is drawn by it. */
static inline uint64_t conform_bits(conform_stream s, uint64_t index)
{
    return conform_mix(s.key + (index + 1) * 0x9e3779b97f4a7c15u);
}

/* In [0, 1), 53 bits. */
static inline double conform_uniform(conform_stream s, uint64_t index)
{
    return (double)(conform_bits(s, index) >> 11) * 0x1p-53;
}

/* In [low, high]. */
static inline int64_t conform_integer(conform_stream s, uint64_t index, int64_t low, int64_t high)
{
    const uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    const uint64_t bits = conform_bits(s, index);
    /* A mask, as a division would take as long as all the rest. */
    if ((span & (span - 1)) == 0)
        return low + (int64_t)(bits & (span - 1));
    return low + (int64_t)(bits % span);
}

/* Writes a random permutation of 0 .. n - 1, made from draws first + 1 to first + n - 1 of the stream. */
void conform_shuffle(conform_stream s, uint64_t first, int64_t *out, int64_t n);

/* About normal, mean 0, variance 1, no zero. Four 16-bit uniforms: variance 4/12, so sqrt(3) times their centred sum
 * has variance 1. */
static inline float conform_normal(conform_stream s, uint64_t index)
{
    const uint64_t bits = conform_bits(s, index), low = 0x0000ffff0000ffff;
    const uint64_t pairs = (bits & low) + (bits >> 16 & low);
    const int32_t sum = (int32_t)((uint32_t)pairs + (uint32_t)(pairs >> 32));
    const double centred = (double)(2 * sum - 4 * 0xffff) / 65536.0 / 2.0;
    return (float)(centred * 1.7320508075688772 + (centred == 0 ? 0x1p-16 : 0.0));
}

#endif
