/* The kernels of strips of block_kernels.h, for levels with tile registers. */
#include "block_kernels.h"

#include "block_strip.h"
#include "block_unpack.h"

/* A function of its own, so that the compiler does not move its instructions. */
static void open_tiles(int depth)
{
    vtiles_open(depth);
}

static void close_tiles(void)
{
    vtiles_close();
}

static void make_signed(const ifn_q8_format *f, uint8_t *codes, int64_t n)
{
    for (int64_t i = 0; i < n * 8; i++)
        vb_store(codes + i * VEC_BYTES, vb_minus(vb_load(codes + i * VEC_BYTES), f->offset));
}

#define X(NAME, ...)                                                                               \
    static void unpack_signed_##NAME(const uint8_t *packed, int64_t n, ifn_q8_chunk *out)          \
    {                                                                                              \
        unpack(format_##NAME, true, packed, n, out);                                               \
    }                                                                                              \
    __attribute__((unused)) static void strip_##NAME(                                              \
        const ifn_q8_panel *w, const ifn_q8_strip_block *x, int64_t n, bool is_first, float *sums) \
    {                                                                                              \
        multiply_strip(format_##NAME, w, x, n, is_first, sums);                                    \
    }
IFN_Q8_FORMATS(X)
#undef X

/* As codes are signed already, kernels differ only in groups and minima: other formats share them. */
#define STRIP(groups, has_min)                                                                     \
    ((groups) == 1 ? ((has_min) ? strip_Q4_1 : strip_Q8_0) : (has_min) ? strip_Q2_K : strip_Q6_K)

static const ifn_q8_strip_kernels strip_kernels[IFN_DTYPE_COUNT] = {
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    [IFN_DTYPE_##NAME] = {open_tiles, close_tiles, unpack_signed_##NAME, make_signed,              \
                          STRIP(groups, has_min)},
    IFN_Q8_FORMATS(X)
#undef X
};

const ifn_q8_strip_kernels *IFN_KERNEL(q8_strip_kernels_of)(ifn_dtype dtype)
{
    return &strip_kernels[dtype];
}
