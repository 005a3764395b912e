/* FNV-1a, 64 bits: a hash by which programs recognise names, bytes and files. It is not cryptographic: others with the
 * same hash can be made on purpose. Source: http://www.isthe.com/chongo/tech/comp/fnv/. */
#ifndef IFN_FNV1A_H
#define IFN_FNV1A_H

#include <stddef.h>
#include <stdint.h>

#define FNV1A_START UINT64_C(0xcbf29ce484222325)

/* Continues `hash` by a byte, or by a whole word at once, which is faster but gives another hash. */
static inline uint64_t fnv1a_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static inline uint64_t fnv1a_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *const p = data;
    for (size_t i = 0; i < bytes; i++)
        hash = fnv1a_word(hash, p[i]);
    return hash;
}

/* Continues `hash` by a string, without its NUL. */
static inline uint64_t fnv1a_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = fnv1a_word(hash, (unsigned char)*text);
    return hash;
}

#endif
