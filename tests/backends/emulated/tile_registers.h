/*
 * Tile registers in plain C, for vectors of any width, with the functions that vec_vocabulary.h requires, so that
 * strips run on every processor and under sanitizers. The functions depend on each other as the instructions do:
 * products without vtiles_open trap.
 */
#ifndef IFN_TILE_REGISTERS_H
#define IFN_TILE_REGISTERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vec.h"

enum { VTILE_ROWS = 16, TILE_SUMS = 4 };

/* The registers, and how often they were used. */
extern struct emulated_tiles {
    int depth; /* 0: closed */
    int64_t n_products, n_opened;
    int32_t sums[TILE_SUMS][VTILE_ROWS * VL];
} emulated_tiles;

static inline vi vb_minus(vi codes, int offset)
{
    uint8_t bytes[sizeof codes];
    memcpy(bytes, &codes, sizeof codes);
    for (size_t i = 0; i < sizeof codes; i++)
        bytes[i] = (uint8_t)(bytes[i] - offset);
    memcpy(&codes, bytes, sizeof codes);
    return codes;
}

static inline void vtiles_open(int depth)
{
    if (emulated_tiles.depth != 0)
        __builtin_trap();
    emulated_tiles.depth = depth;
    emulated_tiles.n_opened++;
}

static inline void vtiles_close(void)
{
    emulated_tiles.depth = 0;
}

static inline void vtile_multiply(int i, const int8_t *x, size_t x_stride, const uint8_t *w)
{
    if (emulated_tiles.depth == 0)
        __builtin_trap();
    for (int r = 0; r < VTILE_ROWS; r++)
        for (int lane = 0; lane < VL; lane++) {
            int32_t sum = 0;
            for (int j = 0; j < emulated_tiles.depth; j++)
                sum += x[(size_t)r * x_stride + (size_t)j] *
                       (int8_t)w[j / 4 * 4 * VL + 4 * lane + j % 4];
            emulated_tiles.sums[i][r * VL + lane] = sum;
        }
    emulated_tiles.n_products++;
}

static inline void vtile_store(int i, int32_t *sums)
{
    memcpy(sums, emulated_tiles.sums[i], sizeof emulated_tiles.sums[i]);
}

#endif
