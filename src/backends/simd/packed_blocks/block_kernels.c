/* The kernels of block_kernels.h. Each is written once and compiled for every format and width. */
#include "block_kernels.h"

#include "block_rows.h"
#include "block_strip.h"
#include "block_tile.h"

/* format_Q4_0, ...: constants that the functions below are compiled for. */
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    static const ifn_q8_format format_##NAME = {                                                   \
        IFN_DTYPE_##NAME, bits, offset, groups, has_min, unit, scale_bytes, IFN_Q8_##scales};
IFN_Q8_FORMATS(X)
#undef X

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

/* Of the formats that have tiles of their own; the compiler drops the others. */
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
/* Wider ones than the registers carry are left out. */
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

#ifdef DOT_HAS_TILES
/* A function, as the compiler may not move what is in it. */
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

/* Codes are signed: the formats that differ in groups and minima alone have the same kernel. */
#define STRIP(groups, has_min)                                                                     \
    ((groups) == 1 ? ((has_min) ? strip_Q4_1 : strip_Q8_0) : (has_min) ? strip_Q2_K : strip_Q6_K)

static const ifn_q8_strip_kernels strip_kernels[IFN_DTYPE_COUNT] = {
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    [IFN_DTYPE_##NAME] = {open_tiles, close_tiles, unpack_signed_##NAME, make_signed,              \
                          STRIP(groups, has_min)},
    IFN_Q8_FORMATS(X)
#undef X
};
#endif

/* One after the other: name_1 to name_8. */
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

const ifn_q8_strip_kernels *IFN_KERNEL(q8_strip_kernels_of)(ifn_dtype dtype)
{
#ifdef DOT_HAS_TILES
    return &strip_kernels[dtype];
#else
    (void)dtype;
    return NULL;
#endif
}
