/*
 * Counter-based random numbers.
 *
 *   key  = mix(seed ^ fnv1a(name))
 *   bits = mix(key + (index + 1) * 0x9e3779b97f4a7c15)
 *
 * with mix the finalizer of splitmix64 and all arithmetic modulo 2^64.
 */
#include "stream.h"

#include "fnv1a.h"

conform_stream conform_stream_of(uint64_t seed, const char *name)
{
    return (conform_stream){conform_mix(seed ^ fnv1a_text(FNV1A_START, name))};
}

uint64_t conform_hash(uint64_t seed, const char *name, uint64_t index)
{
    return conform_bits(conform_stream_of(seed, name), index);
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
