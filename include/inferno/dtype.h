/*
 * Storage types: the list, their block structs, and row sizes. Layouts are those of GGUF files.
 *
 * Stability: stable, and part of the plugin ABI: a dtype keeps its number and its layout. Dtypes
 * may be added.
 */
#ifndef INFERNO_DTYPE_H
#define INFERNO_DTYPE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* The number GGUF files use for a type; Q8_32F never stands in a file. */
#define IFN_GGUF_TYPE_NONE (-1)

/* X(NAME, GGUF type number, elements per block, bytes per block) */
/* clang-format off */
#define IFN_DTYPES(X)                          \
    X(F32,     0,                   1,   4)    \
    X(F16,     1,                   1,   2)    \
    X(BF16,   30,                   1,   2)    \
    X(Q8_0,    8,                  32,  34)    \
    X(Q4_0,    2,                  32,  18)    \
    X(Q4_1,    3,                  32,  20)    \
    X(Q5_0,    6,                  32,  22)    \
    X(Q5_1,    7,                  32,  24)    \
    X(Q2_K,   10,                 256,  84)    \
    X(Q3_K,   11,                 256, 110)    \
    X(Q4_K,   12,                 256, 144)    \
    X(Q5_K,   13,                 256, 176)    \
    X(Q6_K,   14,                 256, 210)    \
    X(Q8_32F, IFN_GGUF_TYPE_NONE,  32,  40)
/* clang-format on */

/* IFN_DTYPE_F32, ...; the order is part of the plugin ABI, append only. */
enum {
#define X(NAME, gguf_type, block, bytes) IFN_DTYPE_##NAME,
    IFN_DTYPES(X)
#undef X
        IFN_DTYPE_COUNT /* in this version; a later host may pass larger numbers */
};

typedef int32_t ifn_dtype;

/* X(NAME, name): the dtypes made of blocks that a file may hold; ifn_block_<name> is the block. */
#define IFN_BLOCK_DTYPES(X)                                                                        \
    X(Q8_0, q8_0)                                                                                  \
    X(Q4_0, q4_0)                                                                                  \
    X(Q4_1, q4_1)                                                                                  \
    X(Q5_0, q5_0)                                                                                  \
    X(Q5_1, q5_1)                                                                                  \
    X(Q2_K, q2_k)                                                                                  \
    X(Q3_K, q3_k)                                                                                  \
    X(Q4_K, q4_k)                                                                                  \
    X(Q5_K, q5_k)                                                                                  \
    X(Q6_K, q6_k)

/*
 * Blocks. `d`, `dmin` and `m` are f16 bit patterns; all integers are little endian.
 * spec/dtypes/<dtype>.yaml, installed below share/inferno, describes each layout in words, with test vectors.
 * A file may hold any bits: codes of -128 in Q8_0, scales that are infinite or NaN.
 */
typedef struct ifn_block_q8_0 {
    uint16_t d;
    int8_t qs[32];
} ifn_block_q8_0;

typedef struct ifn_block_q4_0 {
    uint16_t d;
    uint8_t qs[16]; /* byte i: weight i in the low nibble, i + 16 in the high one */
} ifn_block_q4_0;

typedef struct ifn_block_q4_1 {
    uint16_t d, m;
    uint8_t qs[16];
} ifn_block_q4_1;

typedef struct ifn_block_q5_0 {
    uint16_t d;
    uint8_t qh[4]; /* bit i: fifth bit of weight i */
    uint8_t qs[16];
} ifn_block_q5_0;

typedef struct ifn_block_q5_1 {
    uint16_t d, m;
    uint8_t qh[4];
    uint8_t qs[16];
} ifn_block_q5_1;

typedef struct ifn_block_q2_k {
    uint8_t scales[16]; /* low nibble: scale, high nibble: minimum, of 16 weights */
    uint8_t qs[64];
    uint16_t d, dmin;
} ifn_block_q2_k;

typedef struct ifn_block_q3_k {
    uint8_t hmask[32];
    uint8_t qs[64];
    uint8_t scales[12];
    uint16_t d;
} ifn_block_q3_k;

typedef struct ifn_block_q4_k {
    uint16_t d, dmin;
    uint8_t scales[12]; /* eight 6-bit scales and eight 6-bit minima */
    uint8_t qs[128];
} ifn_block_q4_k;

typedef struct ifn_block_q5_k {
    uint16_t d, dmin;
    uint8_t scales[12];
    uint8_t qh[32];
    uint8_t qs[128];
} ifn_block_q5_k;

typedef struct ifn_block_q6_k {
    uint8_t ql[128];
    uint8_t qh[64];
    int8_t scales[16];
    uint16_t d;
} ifn_block_q6_k;

/* Quantized activations, for int8 dot products: f32 scale, sum of the codes, codes -127 .. 127. Only
 * encoders make them, never a file: ops may rely on the sum and on the range. */
typedef struct ifn_block_q8_32f {
    float d;
    int32_t s;
    int8_t qs[32];
} ifn_block_q8_32f;

/* "Q4_K"; "?" for a value that is no dtype. Static. */
IFN_API const char *ifn_dtype_name(ifn_dtype dtype);

/* Finds a dtype by name, upper or lower case. Returns 1 and sets *out, or 0. */
IFN_API int ifn_dtype_from_name(const char *name, ifn_dtype *out);

/* Finds the dtype of a GGUF type number. Returns 1 and sets *out, or 0 if this library has none. */
IFN_API int ifn_dtype_from_gguf(uint32_t gguf_type, ifn_dtype *out);

/* The GGUF type number, or IFN_GGUF_TYPE_NONE. */
IFN_API int32_t ifn_dtype_to_gguf(ifn_dtype dtype);

/* Elements and bytes of one block; both 0 for a value that is no dtype. */
IFN_API int64_t ifn_dtype_block_elements(ifn_dtype dtype);
IFN_API size_t ifn_dtype_block_bytes(ifn_dtype dtype);

/* 1 for every type made of blocks (all but F32, F16, BF16). */
IFN_API int ifn_dtype_is_quantized(ifn_dtype dtype);

/* Bytes of a row of `cols` elements; 0 if cols is negative, no multiple of the block, or too large. */
IFN_API size_t ifn_dtype_row_bytes(ifn_dtype dtype, int64_t cols);

IFN_EXTERN_C_END

#endif
