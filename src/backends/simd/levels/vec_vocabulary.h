/*
 * The vector operations that kernels use. Each level defines exactly these names, in its vec.h (floats),
 * dot.h (small integers) and transpose.h; a test compares the lists, the compiler the types. A level may
 * define a name as a macro: vi_shl, vi_shr, vi_sar.
 *
 *   VL                    lanes of a vector
 *   VEC_REGISTERS         how many vectors stay in registers
 *   VEC_HAS_FMA           1: vf_fma rounds once
 *   vf, vi, vm            VL floats, VL int32s, a mask of VL lanes
 *   vdot                  VL running sums of products
 *   DOT_WIDE_FLIP, DOT_WIDE_OFFSET   see vdot_wide
 *   VEC_HAS_LDEXP, DOT_HAS_FEW, DOT_HAS_SHORTS, DOT_HAS_PAIRS, DOT_HAS_TILES, VEC_HAS_BF16_TILES   defined if the
 *                         level has the names inside the #ifdef
 *
 * Loads and stores need no alignment. Names that end in _n use only the first n lanes, 0 <= n <= VL: no
 * other byte is read or written, and lanes that are not read are 0.
 */
#ifndef IFN_VEC_VOCABULARY_H
#define IFN_VEC_VOCABULARY_H

#include "dot.h"
#include "transpose.h"
#include "vec.h"

#ifdef DOT_HAS_TILES
#include "tile_registers.h"
#endif
#ifdef VEC_HAS_BF16_TILES
#include "bf16_tiles.h"
#endif

/* --- vec.h --- */

static inline vf vf_zero(void);
static inline vf vf_set(float x);
static inline vf vf_load(const float *p);
static inline vf vf_load_n(const float *p, int n);
static inline void vf_store(float *p, vf x);
static inline void vf_store_n(float *p, vf x, int n);
static inline vf vf_load_f16(const uint16_t *p);
static inline vf vf_set_f16(uint16_t half); /* in every lane */
static inline vf vf_load_f16_n(const uint16_t *p, int n);
static inline vf vf_load_bf16(const uint16_t *p);
/* n floats as f16, rounded once to nearest, ties to even; a NaN becomes quiet. */
static inline void vf_store_f16_n(uint16_t *p, vf x, int n);

static inline vf vf_add(vf a, vf b);
static inline vf vf_sub(vf a, vf b);
static inline vf vf_mul(vf a, vf b);
static inline vf vf_div(vf a, vf b);
static inline vf vf_sqrt(vf a);
static inline vf vf_fma(vf a, vf b, vf c); /* a * b + c, one rounding or two: VEC_HAS_FMA */
/* Give the second operand if one is NaN, and if both are zeros. */
static inline vf vf_max(vf a, vf b);
static inline vf vf_min(vf a, vf b);
static inline vf vf_trunc(vf a); /* towards zero, for |a| < 2^31 */
static inline vi vf_rint(vf a);  /* to the nearest integer, ties to even */
static inline vf vi_convert(vi a);
static inline vi vf_bits(vf a);
static inline vf vi_floats(vi a); /* the floats with these bits */
#ifdef VEC_HAS_LDEXP
static inline vf vf_ldexp(vf a, vi n); /* a 2^n, rounded once */
#endif

static inline vm vm_first(int n);
static inline int vm_any(vm m);
static inline vm vf_less(vf a, vf b);
static inline vm vf_equal(vf a, vf b);
static inline vm vf_is_nan(vf a);
static inline vf vf_select(vm m, vf a, vf b); /* a where the mask is set, else b */

/* Over the lanes, always in the same order: halves are added to halves. */
static inline float vf_sum(vf a);
static inline void vf_sum4(float *out, vf a, vf b, vf c, vf d); /* four vf_sum, bit for bit */
static inline float vf_max_lanes(vf a);
static inline float vf_first(vf a);

static inline vi vi_set(int32_t x);
static inline vi vi_load(const int32_t *p);
static inline void vi_store(int32_t *p, vi x);
static inline vi vi_add(vi a, vi b);
static inline vi vi_sub(vi a, vi b);
static inline vi vi_and(vi a, vi b);
static inline vi vi_or(vi a, vi b);
/* vi vi_shl(vi a, int count), vi_shr: zeros are shifted in; vi_sar: the sign is */

/* Puts the registers into the state that code without vectors expects. */
static inline void vec_leave(void);

/* --- dot.h: a `vi` of bytes holds four of them in each lane --- */

static inline vi vb_load(const uint8_t *p); /* 4 * VL bytes */
static inline void vb_store(uint8_t *p, vi x);
static inline vi vb_load4(const int8_t *p);    /* the same four bytes in every lane */
static inline vi vi_load_u8(const uint8_t *p); /* VL bytes, each widened to its lane */
static inline vi vi_load_i8(const int8_t *p);
static inline void vi_store_i8(int8_t *p, vi x); /* the low byte of each lane */
static inline vi vi_max(vi a, vi b);
static inline int32_t vi_max_lanes(vi a);
static inline int32_t vi_sum_lanes(vi a);

/* Sums of products of weights w and activations x: vdot_from, any number of dots, then vdot_sum;
 * exact, whatever the codes. */
static inline vdot vdot_from(vi sum);
static inline vi vdot_sum(vdot dot);
static inline vdot vdot_narrow(vdot dot, vi w, vi x); /* w: 0 .. 127, x: -127 .. 127 */
/* w: -128 .. 127, stored as code ^ DOT_WIDE_FLIP; the sum is that of (code + DOT_WIDE_OFFSET) * x. */
static inline vdot vdot_wide(vdot dot, vi w, vi x);

/* Pairs of products are summed in 16 bits: up to dot_few(bits) such sums fit, for codes of `bits` bits. */
#ifdef DOT_HAS_FEW
static inline int dot_few(int bits);
static inline vi vdot_pairs(vi w, vi x);
static inline vi vdot_add_pairs(vi a, vi b);
static inline vdot vdot_widen(vdot dot, vi pairs);
#endif

/* Codes of 8 bits are widened to shorts of 16 bits, those of even bytes and those of odd bytes. Two products are
 * summed in 32 bits, so nothing overflows and signs take no extra instruction. */
#ifdef DOT_HAS_SHORTS
static inline vi vshorts_even(vi bytes);
static inline vi vshorts_odd(vi bytes);
static inline vdot vdot_shorts(vdot dot, vi w, vi x);
#endif

/* One instruction serves two columns of activations; a vpair interleaves the lanes of two vectors. */
#ifdef DOT_HAS_PAIRS
static inline vpair vpair_of(vi a, vi b);
static inline vi vpair_first(vpair pair);
static inline vi vpair_second(vpair pair);
static inline vi vb_load8(const int8_t *p, const int8_t *q); /* eight bytes of each column */
/* sums: of two columns; w: two consecutive vectors of codes; x: what vb_load8 gave */
static inline vpair vpair_dot(vpair sums, vpair w, vi x);
#endif

/*
 * Tile registers (AMX): one instruction adds the products of VTILE_ROWS rows of activations and VL rows of weights,
 * `depth` codes of each, 16 or 32. Call vtiles_open before the others and vtiles_close after them. Codes and stored
 * sums lie in memory; the constant i selects one of TILE_SUMS tiles of sums.
 */
#ifdef DOT_HAS_TILES
static inline vi vb_minus(vi codes, int offset); /* of each byte, modulo 256 */
static inline void vtiles_open(int depth);
static inline void vtiles_close(void);
/* sums i = x times w; x: rows of `depth` codes, x_stride bytes apart; w: depth / 4 vectors as for a dot, codes -128 .. 127 */
static inline void vtile_multiply(int i, const int8_t *x, size_t x_stride, const uint8_t *w);
static inline void vtile_store(int i, int32_t *sums); /* [VTILE_ROWS][VL] */
#endif

/*
 * Tile registers for bf16 (AMX): an instruction adds to 16 x 16 sums, 16 rows by 16 columns, the products of 32 elements
 * of each. In memory a tile is [16 rows][32] elements, end to end, or [16 pairs][16 columns][2]. Sums of even and of odd
 * elements are made apart, each a chain of fused additions that begins with +0 and rounds to nearest, then added, then
 * added to the sum of the tile. Subnormals count as zeros, at every step. Call vbtiles_open before the others and
 * vbtiles_close after them. Registers are constants: 0 and 1 of rows, of columns, and sums 2 * rows + columns.
 */
#ifdef VEC_HAS_BF16_TILES
static inline void vbtiles_open(void);
static inline void vbtiles_close(void);
static inline void vbtile_zero(int i); /* sums */
static inline void vbtile_load(int i, const float *from, size_t stride);
static inline void vbtile_store(int i, float *to, size_t stride);
static inline void vbtile_rows(int i, const uint16_t *from);
static inline void vbtile_columns(int i, const uint16_t *from,
                                  size_t stride); /* of pairs, in elements */
static inline void vbtile_multiply(int rows, int columns);
static inline void vf_store_upper(uint16_t *p, vf x); /* the upper 16 bits of each lane */
/* In every half, the less of `least` and |x| - 1, which is more than all others for a zero; and the least of all. */
static inline vi vbpair_nearer(vi least, vi x);
static inline uint16_t vbpair_nearest(vi least);
#endif

/* --- transpose.h --- */

static inline void vf_transpose(vf r[VL]); /* element j of r[i] goes to element i of r[j] */

#endif
