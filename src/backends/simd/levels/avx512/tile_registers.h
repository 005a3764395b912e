/*
 * Tile registers: see vec_vocabulary.h. AMX has eight, of 16 rows of 64 bytes. Here 0 to 3 hold sums, 4 and 5
 * activations, 6 and 7 weights; loads alternate between two registers, so that they need not wait for earlier products.
 */
#ifndef IFN_TILE_REGISTERS_H
#define IFN_TILE_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#include "vec.h"

enum { VTILE_ROWS = 16, TILE_SUMS = 4 };

static inline vi vb_minus(vi codes, int offset)
{
    return _mm512_sub_epi8(codes, _mm512_set1_epi8((char)offset));
}

static inline void vtiles_open(int depth)
{
    struct {
        uint8_t palette, first_row, zeros[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = (uint16_t)(i == 4 || i == 5 ? depth : 64);
        config.rows[i] = (uint8_t)(i < 6 ? VTILE_ROWS : depth / 4);
    }
    __asm__ volatile("ldtilecfg %0" : : "m"(config));
}

static inline void vtiles_close(void)
{
    __asm__ volatile("tilerelease" : :);
}

/* The compiler does not see which bytes an instruction reads or writes through an address operand. */
#define VTILE_MULTIPLY(sums, of_x, of_w)                                                           \
    __asm__ volatile("tilezero %%tmm" #sums "\n\t"                                                 \
                     "tileloadd (%0,%1), %%tmm" #of_x "\n\t"                                       \
                     "tileloadd (%2,%3), %%tmm" #of_w "\n\t"                                       \
                     "tdpbssd %%tmm" #of_w ", %%tmm" #of_x ", %%tmm" #sums                         \
                     :                                                                             \
                     : "r"(x), "r"(x_stride), "r"(w), "r"((size_t)64)                              \
                     : "memory")

static inline void vtile_multiply(int i, const int8_t *x, size_t x_stride, const uint8_t *w)
{
    switch (i) {
    case 0:
        VTILE_MULTIPLY(0, 4, 6);
        break;
    case 1:
        VTILE_MULTIPLY(1, 5, 7);
        break;
    case 2:
        VTILE_MULTIPLY(2, 4, 6);
        break;
    default:
        VTILE_MULTIPLY(3, 5, 7);
        break;
    }
}

#define VTILE_STORE(i)                                                                             \
    __asm__ volatile("tilestored %%tmm" #i ", (%0,%1)" : : "r"(sums), "r"((size_t)64) : "memory")

static inline void vtile_store(int i, int32_t *sums)
{
    switch (i) {
    case 0:
        VTILE_STORE(0);
        break;
    case 1:
        VTILE_STORE(1);
        break;
    case 2:
        VTILE_STORE(2);
        break;
    default:
        VTILE_STORE(3);
        break;
    }
}

#endif
