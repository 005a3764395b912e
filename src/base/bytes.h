/* Little-endian loads and stores at any alignment, on any machine. */
#ifndef IFN_BYTES_H
#define IFN_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t ifn_load_u16le(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t ifn_load_u32le(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t ifn_load_u64le(const void *p)
{
    const uint8_t *b = p;
    return (uint64_t)ifn_load_u32le(b) | (uint64_t)ifn_load_u32le(b + 4) << 32;
}

static inline float ifn_load_f32le(const void *p)
{
    const uint32_t bits = ifn_load_u32le(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double ifn_load_f64le(const void *p)
{
    const uint64_t bits = ifn_load_u64le(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void ifn_store_u16le(void *p, uint16_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
}

static inline void ifn_store_u32le(void *p, uint32_t v)
{
    uint8_t *b = p;
    ifn_store_u16le(b, (uint16_t)v);
    ifn_store_u16le(b + 2, (uint16_t)(v >> 16));
}

static inline void ifn_store_u64le(void *p, uint64_t v)
{
    uint8_t *b = p;
    ifn_store_u32le(b, (uint32_t)v);
    ifn_store_u32le(b + 4, (uint32_t)(v >> 32));
}

#endif
