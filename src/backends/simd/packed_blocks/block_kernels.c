/* The kernels of block_kernels.h. Each is written once and compiled for every format and width. */
#include "block_kernels.h"

#include "block_rows.h"
#include "block_tile.h"
#include "block_unpack.h"

#define FEW(NAME, n)                                                                               \
    static void followed_##NAME##_##n(const ifn_q8_panels *w, const ifn_q8_columns *x,             \
                                      float *sums)                                                 \
    {                                                                                              \
        multiply_rows(format_##NAME, IFN_STREAM_FOLLOWED, n, w, x, sums);                          \
    }                                                                                              \
    static void fetched_##NAME##_##n(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums) \
    {                                                                                              \
        multiply_rows(format_##NAME, IFN_STREAM_FETCHED, n, w, x, sums);                           \
    }                                                                                              \
    static void several_##NAME##_##n(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums) \
    {                                                                                              \
        multiply_rows(format_##NAME, IFN_STREAMS_SEVERAL, n, w, x, sums);                          \
    }
#define X(NAME, ...)                                                                               \
    FEW(NAME, 1)                                                                                   \
    FEW(NAME, 2)                                                                                   \
    FEW(NAME, 3)                                                                                   \
    FEW(NAME, 4)                                                                                   \
    FEW(NAME, 5)                                                                                   \
    FEW(NAME, 6)                                                                                   \
    FEW(NAME, 7)                                                                                   \
    FEW(NAME, 8)                                                                                   \
    static void unpack_##NAME(const uint8_t *packed, int64_t n, ifn_q8_chunk *out)                 \
    {                                                                                              \
        unpack(format_##NAME, false, packed, n, out);                                              \
    }
IFN_Q8_FORMATS(X)
#undef X

/* Used for formats that have tiles of their own; the compiler drops the others. */
#define TILE(NAME, n)                                                                              \
    __attribute__((unused)) static void tile_##NAME##_##n(                                         \
        const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n_blocks, float *sums)           \
    {                                                                                              \
        multiply_tile(format_##NAME, false, n, w, x, n_blocks, sums);                              \
    }
#define X(NAME, ...)                                                                               \
    TILE(NAME, 1)                                                                                  \
    TILE(NAME, 2)                                                                                  \
    TILE(NAME, 3)                                                                                  \
    TILE(NAME, 4)                                                                                  \
    TILE(NAME, 5)                                                                                  \
    TILE(NAME, 6)
IFN_Q8_FORMATS(X)
#undef X

#define COLUMNS(groups) ((groups) == 1 ? Q8_COLUMNS : Q8_COLUMNS_2)
/* NULL for tiles that are wider than the registers allow. */
#define USE(tiles, groups, n) (n) <= COLUMNS(groups) ? tile_##tiles##_##n : NULL

#ifdef DOT_HAS_SHORTS
#define SHORTS(n)                                                                                  \
    static void shorts_##n(const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n_blocks,     \
                           float *sums)                                                            \
    {                                                                                              \
        multiply_tile(format_Q8_0, true, n, w, x, n_blocks, sums);                                 \
    }
SHORTS(1)
SHORTS(2)
SHORTS(3)
SHORTS(4)
SHORTS(5)
SHORTS(6)

static void widen_codes(const uint8_t *codes, int64_t n, uint8_t *shorts)
{
    widen(codes, n, shorts);
}

static const ifn_q8_short_kernels short_kernels = {.widen = widen_codes,
                                                   .tile = {shorts_1, shorts_2, shorts_3, shorts_4,
                                                            Q8_COLUMNS > 4 ? shorts_5 : NULL,
                                                            Q8_COLUMNS > 4 ? shorts_6 : NULL}};
#endif

/* name_1 to name_8. */
#define BY_COLUMNS(name)                                                                           \
    {                                                                                              \
        name##_1, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8             \
    }
#define KERNELS(NAME, groups, tiles)                                                               \
    {                                                                                              \
        .columns = COLUMNS(groups),                                                                \
        .few = {[IFN_STREAMS_SEVERAL] = BY_COLUMNS(several_##NAME),                                \
                [IFN_STREAM_FOLLOWED] = BY_COLUMNS(followed_##NAME),                               \
                [IFN_STREAM_FETCHED] = BY_COLUMNS(fetched_##NAME)},                                \
        .unpack = unpack_##NAME,                                                                   \
        .tile = {USE(tiles, groups, 1), USE(tiles, groups, 2), USE(tiles, groups, 3),              \
                 USE(tiles, groups, 4), USE(tiles, groups, 5), USE(tiles, groups, 6)},             \
    }

static const ifn_q8_kernels all_kernels[IFN_DTYPE_COUNT] = {
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    [IFN_DTYPE_##NAME] = KERNELS(NAME, groups, tiles),
    IFN_Q8_FORMATS(X)
#undef X
};

const ifn_q8_format *IFN_KERNEL(q8_format_of)(ifn_dtype dtype)
{
    switch (dtype) {
#define X(NAME, ...)                                                                               \
    case IFN_DTYPE_##NAME:                                                                         \
        return &format_##NAME;
        IFN_Q8_FORMATS(X)
#undef X
    default:
        return NULL;
    }
}

const ifn_q8_kernels *IFN_KERNEL(q8_kernels_of)(ifn_dtype dtype)
{
    return &all_kernels[dtype];
}

const ifn_q8_short_kernels *IFN_KERNEL(q8_short_kernels_of)(ifn_dtype dtype)
{
#ifdef DOT_HAS_SHORTS
    if (dtype == format_Q8_0.dtype)
        return &short_kernels;
#endif
    (void)dtype;
    return NULL;
}
