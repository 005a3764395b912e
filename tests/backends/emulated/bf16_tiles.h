/*
 * Tile registers for bf16 in plain C, with the functions that vec_vocabulary.h requires and the arithmetic that Intel
 * publishes for TDPBF16PS: subnormals count as zeros at every step. Products without vbtiles_open trap.
 */
#ifndef IFN_BF16_TILES_H
#define IFN_BF16_TILES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "f16.h"
#include "vec.h"

/* The registers, and how often they were used. */
extern struct emulated_bf16_tiles {
    int is_open;
    int64_t n_products;
    float sums[4][16][16];
    uint16_t rows[2][16][32], columns[2][16][32];
} emulated_bf16_tiles;

static inline void vf_store_upper(uint16_t *p, vf x)
{
    uint32_t bits[VL];
    memcpy(bits, &x, sizeof bits);
    for (int i = 0; i < VL; i++)
        p[i] = (uint16_t)(bits[i] >> 16);
}

static inline vi vbpair_nearer(vi least, vi x)
{
    uint16_t a[2 * VL], b[2 * VL];
    memcpy(a, &least, sizeof a);
    memcpy(b, &x, sizeof b);
    for (int i = 0; i < 2 * VL; i++) {
        const uint16_t size = (uint16_t)((b[i] & 0x7fff) - 1);
        a[i] = size < a[i] ? size : a[i];
    }
    memcpy(&least, a, sizeof a);
    return least;
}

static inline uint16_t vbpair_nearest(vi least)
{
    uint16_t a[2 * VL], nearest = UINT16_MAX;
    memcpy(a, &least, sizeof a);
    for (int i = 0; i < 2 * VL; i++)
        nearest = a[i] < nearest ? a[i] : nearest;
    return nearest;
}

static inline void vbtiles_open(void)
{
    if (emulated_bf16_tiles.is_open)
        __builtin_trap();
    emulated_bf16_tiles.is_open = 1;
}

static inline void vbtiles_close(void)
{
    emulated_bf16_tiles.is_open = 0;
}

static inline void vbtile_zero(int i)
{
    memset(emulated_bf16_tiles.sums[i], 0, sizeof emulated_bf16_tiles.sums[i]);
}

static inline void vbtile_load(int i, const float *from, size_t stride)
{
    for (size_t r = 0; r < 16; r++)
        memcpy(emulated_bf16_tiles.sums[i][r], from + r * stride, 16 * sizeof *from);
}

static inline void vbtile_store(int i, float *to, size_t stride)
{
    for (size_t r = 0; r < 16; r++)
        memcpy(to + r * stride, emulated_bf16_tiles.sums[i][r], 16 * sizeof *to);
}

static inline void vbtile_rows(int i, const uint16_t *from)
{
    memcpy(emulated_bf16_tiles.rows[i], from, sizeof emulated_bf16_tiles.rows[i]);
}

static inline void vbtile_columns(int i, const uint16_t *from, size_t stride)
{
    for (size_t r = 0; r < 16; r++)
        memcpy(emulated_bf16_tiles.columns[i][r], from + r * stride, 32 * sizeof *from);
}

static inline float emulated_flush(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x;
}

static inline float emulated_fma(uint16_t a, uint16_t b, float sum)
{
    const float x = emulated_flush(ifn_bf16_to_f32(a)), y = emulated_flush(ifn_bf16_to_f32(b));
    return emulated_flush(fmaf(x, y, sum));
}

static inline void vbtile_multiply(int rows, int columns)
{
    if (!emulated_bf16_tiles.is_open)
        __builtin_trap();
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) {
            const uint16_t *const a = emulated_bf16_tiles.rows[rows][r];
            float even = 0.0f, odd = 0.0f;
            for (int k = 0; k < 32; k += 2) {
                const uint16_t *const b = emulated_bf16_tiles.columns[columns][k / 2] + 2 * c;
                even = emulated_fma(a[k], b[0], even);
                odd = emulated_fma(a[k + 1], b[1], odd);
            }
            float *const sum = &emulated_bf16_tiles.sums[2 * rows + columns][r][c];
            *sum = emulated_flush(emulated_flush(*sum) + emulated_flush(even + odd));
        }
    emulated_bf16_tiles.n_products++;
}

#endif
