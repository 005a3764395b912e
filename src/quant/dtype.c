/* The dtype table, from IFN_DTYPES. */
#include <inferno/dtype.h>

#include <string.h>

#include "checked.h"

typedef struct dtype_info {
    const char *name;
    int32_t gguf_type;
    int64_t block_elements;
    int block_shift; /* log2 of block_elements: attention asks for the bytes of a row once per key, so no division */
    size_t block_bytes;
} dtype_info;

static const dtype_info infos[] = {
#define X(NAME, gguf_type, block, bytes) {#NAME, gguf_type, block, __builtin_ctz(block), bytes},
    IFN_DTYPES(X)
#undef X
};

#define X(NAME, gguf_type, block, bytes)                                                           \
    enum { BYTES_##NAME = (bytes) };                                                               \
    _Static_assert(((block) & ((block)-1)) == 0, #NAME ": blocks are powers of two");
IFN_DTYPES(X)
#undef X

#define X(NAME, name)                                                                              \
    _Static_assert(sizeof(ifn_block_##name) == BYTES_##NAME, #NAME ": no padding");
IFN_BLOCK_DTYPES(X)
X(Q8_32F, q8_32f)
#undef X

static const dtype_info *info(ifn_dtype dtype)
{
    return (size_t)dtype < IFN_DTYPE_COUNT ? &infos[dtype] : NULL;
}

const char *ifn_dtype_name(ifn_dtype dtype)
{
    const dtype_info *i = info(dtype);
    return i ? i->name : "?";
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int same_name(const char *a, const char *b)
{
    while (*a && upper(*a) == upper(*b))
        a++, b++;
    return *a == '\0' && *b == '\0';
}

int ifn_dtype_from_name(const char *name, ifn_dtype *out)
{
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        if (same_name(name, infos[i].name)) {
            *out = (ifn_dtype)i;
            return 1;
        }
    }
    return 0;
}

int ifn_dtype_from_gguf(uint32_t gguf_type, ifn_dtype *out)
{
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        if (infos[i].gguf_type >= 0 && (uint32_t)infos[i].gguf_type == gguf_type) {
            *out = (ifn_dtype)i;
            return 1;
        }
    }
    return 0;
}

int32_t ifn_dtype_to_gguf(ifn_dtype dtype)
{
    const dtype_info *i = info(dtype);
    return i ? i->gguf_type : IFN_GGUF_TYPE_NONE;
}

int64_t ifn_dtype_block_elements(ifn_dtype dtype)
{
    const dtype_info *i = info(dtype);
    return i ? i->block_elements : 0;
}

size_t ifn_dtype_block_bytes(ifn_dtype dtype)
{
    const dtype_info *i = info(dtype);
    return i ? i->block_bytes : 0;
}

int ifn_dtype_is_quantized(ifn_dtype dtype)
{
    return ifn_dtype_block_elements(dtype) > 1;
}

size_t ifn_dtype_row_bytes(ifn_dtype dtype, int64_t cols)
{
    const dtype_info *i = info(dtype);
    size_t bytes;
    if (!i || cols < 0 || (cols & (i->block_elements - 1)) != 0 ||
        !ifn_mul_size((size_t)cols >> i->block_shift, i->block_bytes, &bytes))
        return 0;
    return bytes;
}
