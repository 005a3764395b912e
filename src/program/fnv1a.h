/* FNV-1a, 64 bits: marks by which programs know names, bytes and files again. Whoever wants to can make others with the
 * same mark. After http://www.isthe.com/chongo/tech/comp/fnv/. */
#ifndef IFN_FNV1A_H
#define IFN_FNV1A_H

#include <stddef.h>
#include <stdint.h>

#define FNV1A_START UINT64_C(0xcbf29ce484222325)

/* Goes on from `hash` by a byte, or by a word at once, which is faster and another mark. */
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

/* Without the 0 at its end. */
static inline uint64_t fnv1a_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = fnv1a_word(hash, (unsigned char)*text);
    return hash;
}

#endif
