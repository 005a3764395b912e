/* The value types of metadata and the storage types of tensors. */
#include "gguf_priv.h"

#include "checked.h"

typedef struct value_type {
    const char *name;
    uint32_t bytes;
} value_type;

static const value_type value_types[] = {
#define X(NAME, number, bytes, text) [number] = {text, bytes},
    IFN_GGUF_VALUE_TYPES(X)
#undef X
};

/*
 * GGML's storage types that the library cannot read; `inferno inspect` still names them. The missing
 * numbers (4, 5, 31 to 33, 36 to 38) were withdrawn in GGML and are not used again.
 */
/* clang-format off */
#define FOREIGN_TYPES(X)        \
    X(Q8_1,     9,  32,  36)    \
    X(Q8_K,    15, 256, 292)    \
    X(IQ2_XXS, 16, 256,  66)    \
    X(IQ2_XS,  17, 256,  74)    \
    X(IQ3_XXS, 18, 256,  98)    \
    X(IQ1_S,   19, 256,  50)    \
    X(IQ4_NL,  20,  32,  18)    \
    X(IQ3_S,   21, 256, 110)    \
    X(IQ2_S,   22, 256,  82)    \
    X(IQ4_XS,  23, 256, 136)    \
    X(I8,      24,   1,   1)    \
    X(I16,     25,   1,   2)    \
    X(I32,     26,   1,   4)    \
    X(I64,     27,   1,   8)    \
    X(F64,     28,   1,   8)    \
    X(IQ1_M,   29, 256,  56)    \
    X(TQ1_0,   34, 256,  54)    \
    X(TQ2_0,   35, 256,  66)    \
    X(MXFP4,   39,  32,  17)    \
    X(NVFP4,   40,  64,  36)    \
    X(Q1_0,    41, 128,  18)    \
    X(Q2_0,    42,  64,  18)
/* clang-format on */

static const struct {
    uint32_t number;
    ifn_gguf_tensor_type type;
} foreign_types[] = {
#define X(NAME, number, block, bytes) {number, {#NAME, block, bytes, false, IFN_DTYPE_F32}},
    FOREIGN_TYPES(X)
#undef X
};

bool ifn_gguf_find_tensor_type(uint32_t number, ifn_gguf_tensor_type *out)
{
    ifn_dtype dtype;
    if (ifn_dtype_from_gguf(number, &dtype)) {
        *out = (ifn_gguf_tensor_type){ifn_dtype_name(dtype), ifn_dtype_block_elements(dtype),
                                      ifn_dtype_block_bytes(dtype), true, dtype};
        return true;
    }
    for (size_t i = 0; i < sizeof foreign_types / sizeof *foreign_types; i++) {
        if (foreign_types[i].number == number) {
            *out = foreign_types[i].type;
            return true;
        }
    }
    return false;
}

bool ifn_gguf_tensor_bytes(const ifn_gguf_tensor_type *type, int64_t cols, int64_t rows,
                           uint64_t *out)
{
    uint64_t row_bytes;
    return cols % type->block_elements == 0 &&
           ifn_mul_u64((uint64_t)(cols / type->block_elements), type->block_bytes, &row_bytes) &&
           ifn_mul_u64(row_bytes, (uint64_t)rows, out);
}

bool ifn_gguf_is_value_type(uint32_t number)
{
    return number < sizeof value_types / sizeof *value_types;
}

uint32_t ifn_gguf_value_bytes(ifn_gguf_type type)
{
    return ifn_gguf_is_value_type((uint32_t)type) ? value_types[type].bytes : 0;
}

bool ifn_gguf_is_integer(ifn_gguf_type type)
{
    return ifn_gguf_value_bytes(type) > 0 && type != IFN_GGUF_BOOL && type != IFN_GGUF_FLOAT32 &&
           type != IFN_GGUF_FLOAT64;
}

bool ifn_gguf_is_signed(ifn_gguf_type type)
{
    return type == IFN_GGUF_INT8 || type == IFN_GGUF_INT16 || type == IFN_GGUF_INT32 ||
           type == IFN_GGUF_INT64;
}

const char *ifn_gguf_type_name(ifn_gguf_type type)
{
    return ifn_gguf_is_value_type((uint32_t)type) ? value_types[type].name : "?";
}
