/*
 * Tile registers that multiply bf16: see vec_vocabulary.h. AMX has eight, of 16 rows of 64 bytes. Here 0 to 3 hold sums,
 * 4 and 5 rows, 6 and 7 columns.
 */
#ifndef IFN_BF16_TILES_H
#define IFN_BF16_TILES_H

#include "tile_registers.h"

static inline void vf_store_upper(uint16_t *p, vf x)
{
    const __m512i upper = _mm512_srli_epi32(_mm512_castps_si512(x), 16);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16(upper));
}

static inline vi vbpair_nearer(vi least, vi x)
{
    const __m512i size = _mm512_and_si512(x, _mm512_set1_epi16(0x7fff));
    return _mm512_min_epu16(least, _mm512_sub_epi16(size, _mm512_set1_epi16(1)));
}

static inline uint16_t vbpair_nearest(vi least)
{
    const __m512i both = _mm512_min_epu16(least, _mm512_srli_epi32(least, 16));
    return (uint16_t)_mm512_reduce_min_epu32(_mm512_and_si512(both, _mm512_set1_epi32(0xffff)));
}

static inline void vbtiles_open(void)
{
    vtiles_open(64);
}

static inline void vbtiles_close(void)
{
    vtiles_close();
}

/* The name of a register is part of an instruction: `make` is a macro that gives the instruction for one. The compiler
 * does not see which bytes it reads or writes through an address operand. */
#define VBTILE_OF_SUMS(i, make)                                                                    \
    switch (i) {                                                                                   \
    case 0:                                                                                        \
        make("0");                                                                                 \
        break;                                                                                     \
    case 1:                                                                                        \
        make("1");                                                                                 \
        break;                                                                                     \
    case 2:                                                                                        \
        make("2");                                                                                 \
        break;                                                                                     \
    default:                                                                                       \
        make("3");                                                                                 \
        break;                                                                                     \
    }
#define VBTILE_LOAD(reg)                                                                           \
    __asm__ volatile("tileloadd (%0,%1), %%tmm" reg : : "r"(from), "r"(stride) : "memory")
#define VBTILE_STORE(reg)                                                                          \
    __asm__ volatile("tilestored %%tmm" reg ", (%0,%1)" : : "r"(to), "r"(stride) : "memory")
#define VBTILE_ZERO(reg) __asm__ volatile("tilezero %%tmm" reg : :)
#define VBTILE_MULTIPLY(sums, x, w)                                                                \
    __asm__ volatile("tdpbf16ps %%tmm" w ", %%tmm" x ", %%tmm" sums : :)

static inline void vbtile_zero(int i)
{
    VBTILE_OF_SUMS(i, VBTILE_ZERO)
}

static inline void vbtile_load(int i, const float *from, size_t stride)
{
    stride *= sizeof *from;
    VBTILE_OF_SUMS(i, VBTILE_LOAD)
}

static inline void vbtile_store(int i, float *to, size_t stride)
{
    stride *= sizeof *to;
    VBTILE_OF_SUMS(i, VBTILE_STORE)
}

static inline void vbtile_rows(int i, const uint16_t *from)
{
    const size_t stride = 64;
    if (i == 0)
        VBTILE_LOAD("4");
    else
        VBTILE_LOAD("5");
}

static inline void vbtile_columns(int i, const uint16_t *from, size_t stride)
{
    stride *= sizeof *from;
    if (i == 0)
        VBTILE_LOAD("6");
    else
        VBTILE_LOAD("7");
}

static inline void vbtile_multiply(int rows, int columns)
{
    switch (2 * rows + columns) {
    case 0:
        VBTILE_MULTIPLY("0", "4", "6");
        break;
    case 1:
        VBTILE_MULTIPLY("1", "4", "7");
        break;
    case 2:
        VBTILE_MULTIPLY("2", "5", "6");
        break;
    default:
        VBTILE_MULTIPLY("3", "5", "7");
        break;
    }
}

#endif
