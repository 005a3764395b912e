#include "half_rows.h"

#include <stdbool.h>

#include "cpu_streams.h"
#include "map.h"

enum { WIDEST = 8, AHEAD = 4096 /* prefetch distance over all panels of a tile, by measurement */ };

/* rows, vectors, is_bf16 and fetch are constants at every call. */
IFN_INLINE void multiply(const bool is_bf16, const ifn_fetch fetch, const int rows,
                         const int vectors, const gemm *g, const uint16_t *panel, int64_t col,
                         int n)
{
    const int64_t width = vectors == 1 ? VL : PANEL, to_next = PANEL * g->k;
    const int64_t ahead = vectors > 2 ? AHEAD / (vectors / 2) : AHEAD;
    vf sum[HALF_TILE][WIDEST];
    IFN_UNROLL
    for (int r = 0; r < rows; r++) {
        IFN_UNROLL
        for (int v = 0; v < vectors; v++)
            sum[r][v] = vf_zero();
    }
    for (int64_t k = 0; k < g->k; k++) {
        IFN_UNROLL
        for (int v = 0; v < vectors; v++) {
            const uint16_t *const from = panel + v / 2 * to_next + k * width + v % 2 * VL;
            const vf w = is_bf16 ? vf_load_bf16(from) : vf_load_f16(from);
            if (v % 2 == 0)
                ifn_fetch_line(fetch, from + ahead);
            IFN_UNROLL
            for (int r = 0; r < rows; r++)
                sum[r][v] = vf_fma(vf_set(g->a[r * g->a_stride + k]), w, sum[r][v]);
        }
    }
    IFN_UNROLL
    for (int r = 0; r < rows; r++) {
        float *const out = g->out + r * g->out_stride + col;
        IFN_UNROLL
        for (int v = 0; v < vectors; v++) {
            const int some = n - v * VL < VL ? n - v * VL : VL;
            vf x = sum[r][v];
            if (g->bias)
                x = vf_add(x, vf_get(g->bias + col + v * VL, some));
            vf_put(out + v * VL, x, some);
        }
    }
}

typedef void half_tile(const gemm *g, const uint16_t *panel, int64_t col, int n);

#define TILE(dtype, is_bf16, rows, suffix, vectors, fetch)                                         \
    static void dtype##_##rows##_##suffix(const gemm *g, const uint16_t *panel, int64_t col,       \
                                          int n)                                                   \
    {                                                                                              \
        if ((rows) <= HALF_TILE)                                                                   \
            multiply(is_bf16, fetch, rows, vectors, g, panel, col, n);                             \
    }
#define TILES(dtype, is_bf16, rows)                                                                \
    TILE(dtype, is_bf16, rows, one, 1, FETCH_L1)                                                   \
    TILE(dtype, is_bf16, rows, pair, 2, FETCH_L1)                                                  \
    TILE(dtype, is_bf16, rows, stream, 2, (rows) == 1 ? FETCH_NONE : FETCH_L2)
/* clang-format off */
#define ALL_TILES(dtype, is_bf16)                                                                  \
    TILES(dtype, is_bf16, 1) TILES(dtype, is_bf16, 2) TILES(dtype, is_bf16, 3)                     \
    TILES(dtype, is_bf16, 4) TILES(dtype, is_bf16, 5) TILES(dtype, is_bf16, 6)                     \
    TILES(dtype, is_bf16, 7) TILES(dtype, is_bf16, 8)                                              \
    TILE(dtype, is_bf16, 1, wide, WIDEST, FETCH_L1)                                                \
    TILE(dtype, is_bf16, 2, wide, WIDEST / 2, FETCH_L1)
ALL_TILES(f16, 0)
ALL_TILES(bf16, 1)
/* clang-format on */

/* Tiles by width: at most a vector, a panel, a panel that the hardware prefetcher follows, several panels. */
typedef struct half_tiles {
    half_tile *one, *pair, *stream, *wide;
} half_tiles;

#define BY_WIDTH(dtype, rows) dtype##_##rows##_one, dtype##_##rows##_pair, dtype##_##rows##_stream
#define BY_ROWS(dtype)                                                                             \
    {                                                                                              \
        {BY_WIDTH(dtype, 1), dtype##_1_wide}, {BY_WIDTH(dtype, 2), dtype##_2_wide},                \
            {BY_WIDTH(dtype, 3), NULL}, {BY_WIDTH(dtype, 4), NULL}, {BY_WIDTH(dtype, 5), NULL},    \
            {BY_WIDTH(dtype, 6), NULL}, {BY_WIDTH(dtype, 7), NULL}, {BY_WIDTH(dtype, 8), NULL},    \
    }

/* The most columns of a tile. */
static int widest(int64_t rows, ifn_cpu_streams streams)
{
    if (streams != IFN_STREAMS_SEVERAL || rows > 2)
        return PANEL;
    return rows == 1 ? WIDEST * VL : WIDEST / 2 * VL;
}

static half_tile *tile_of(const half_tiles *tiles, int n, ifn_cpu_streams streams)
{
    if (n != PANEL)
        return n > PANEL ? tiles->wide : tiles->one;
    return streams == IFN_STREAM_FOLLOWED ? tiles->stream : tiles->pair;
}

/*
 * Rows are shared out evenly among tiles; all tiles but the first find the panel in a cache.
 *
 * GB/s of F16 weights of 1024 x 3072 out of memory, one thread of a Zen 4, which reads 31:
 *
 *   rows                               1    2    3    4    8        1    2    3    4    8
 *   several panels, into L1  avx512   25   27   23   20   12  avx2 22   23   22   18   11
 *   one panel, into L2                     31   26   22   12            28   27   24   12
 *   one panel, not fetched            33   30        20   10       27   21        13
 *
 * A Zen 5, which reads 37, reaches for one row 31 with one panel, not fetched, and 37 into L1; with AVX2 29 and
 * 32. For two and four rows L1 and L2 are equal there.
 */
void IFN_KERNEL(half_rows)(const gemm *g, const packed_halves *w)
{
    static const half_tiles tiles[2][8] = {BY_ROWS(f16), BY_ROWS(bf16)};
    const half_tiles *const by_rows = tiles[w->source.w->dtype == IFN_DTYPE_BF16];
    const ifn_cpu_streams streams = ifn_cpu_best_streams();
    const int64_t pieces = (g->rows + HALF_TILE - 1) / HALF_TILE;
    const int64_t height = (g->rows + pieces - 1) / pieces;
    const int most = widest(g->rows, streams);
    for (int64_t col = 0; col < g->cols;) {
        const int64_t left = g->cols - col;
        const int n = left >= most ? most : left >= PANEL ? PANEL : left >= VL ? VL : (int)left;
        const uint16_t *const panel = w->panels + (g->first_col + col) * g->k;
        for (int64_t row = 0; row < g->rows; row += height) {
            gemm part = *g;
            part.rows = g->rows - row < height ? g->rows - row : height;
            part.a += row * g->a_stride;
            part.out += row * g->out_stride;
            tile_of(&by_rows[part.rows - 1], n, streams)(&part, panel, col, n);
        }
        col += n;
    }
}
