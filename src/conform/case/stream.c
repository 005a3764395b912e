/*
 * Counter-based random numbers.
 *
 *   key  = mix(seed ^ fnv1a(name))
 *   bits = mix(key + (index + 1) * 0x9e3779b97f4a7c15)
 *
 * with mix the finalizer of splitmix64 and all arithmetic modulo 2^64.
 */
#include "stream.h"

conform_stream conform_stream_of(uint64_t seed, const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *p = name; *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    return (conform_stream){conform_mix(seed ^ h)};
}

uint64_t conform_hash(uint64_t seed, const char *name, uint64_t index)
{
    return conform_bits(conform_stream_of(seed, name), index);
}

/* Four 16-bit uniforms: variance 4/12, so sqrt(3) times their centred sum has variance 1. */
float conform_normal(conform_stream s, uint64_t index)
{
    const uint64_t bits = conform_bits(s, index);
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int64_t)(bits >> (16 * i) & 0xffff);
    const double centred = (double)(2 * sum - 4 * 0xffff) / 65536.0 / 2.0;
    return (float)(centred * 1.7320508075688772 + (centred == 0 ? 0x1p-16 : 0.0));
}

void conform_shuffle(conform_stream s, uint64_t first, int64_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = i;
    for (int64_t i = n; i-- > 1;) { /* Fisher and Yates */
        const int64_t j = conform_integer(s, first + (uint64_t)i, 0, i), t = out[i];
        out[i] = out[j];
        out[j] = t;
    }
}
