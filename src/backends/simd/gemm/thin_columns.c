#include "thin_columns.h"

#include <assert.h>
#include <stdbool.h>

#include "min_max.h"

enum {
    PASS_K = 256,     /* rows of b that the second of two tiles finds in L2 */
    NEAR_ROWS = 7,    /* with more rows there is time enough to fetch from memory */
    NEAR_B = 1 << 22, /* elements: an L3 cache may hold such a b */
    AHEAD_NEAR = 4,   /* prefetch distance into L1, in rows of b, by measurement */
    AHEAD_FAR = 32    /* prefetch distance from memory into L2 */
};

/* out = (out +) a b */
typedef void thin_tile_fn(const gemm_step *s, const float *a, const float *b, float *out);

/* Unrolled, as compilers keep sums that are indexed by a variable in memory. */
#define UNROLL _Pragma("GCC unroll 32")

/* rows, vectors and is_near are constants at every call. */
IFN_INLINE void multiply(const int rows, const int vectors, const bool is_near, const gemm_step *s,
                         const float *a, const float *b, float *out)
{
    const int64_t a_stride = s->a_stride, b_stride = s->b_stride, ahead = s->ahead;
    vf sum[THIN_SUMS], w[THIN_SUMS];
    UNROLL
    for (int i = 0; i < rows * vectors; i++)
        sum[i] = s->continues ? vf_load(out + i / vectors * s->out_stride + i % vectors * VL)
                              : vf_zero();
    for (int64_t k = s->k; k > 0; k--) {
        UNROLL
        for (int v = 0; v < vectors; v++) {
            if (v * VL % LINE_FLOATS == 0)
                ifn_fetch_line(is_near ? FETCH_L1 : FETCH_L2, b + ahead + v * VL);
            w[v] = vf_load(b + v * VL);
        }
        UNROLL
        for (int r = 0; r < rows; r++) {
            const vf x = vf_set(a[r * a_stride]);
            UNROLL
            for (int v = 0; v < vectors; v++)
                sum[r * vectors + v] = vf_fma(x, w[v], sum[r * vectors + v]);
        }
        a++;
        b += b_stride;
    }
    UNROLL
    for (int i = 0; i < rows * vectors; i++)
        vf_store(out + i / vectors * s->out_stride + i % vectors * VL, sum[i]);
}

/* Tiles that are taller than the level's THIN_ROWS are empty functions. */
#define TILE(name, rows, vectors, is_near)                                                         \
    static void name(const gemm_step *s, const float *a, const float *b, float *out)               \
    {                                                                                              \
        if ((rows) <= THIN_ROWS)                                                                   \
            multiply(rows, vectors, is_near, s, a, b, out);                                        \
    }
#define TILES(rows)                                                                                \
    TILE(near_##rows, rows, THIN_SUMS / rows, true)                                                \
    TILE(far_##rows, rows, THIN_SUMS / rows, false)
/* clang-format off */
TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8) TILES(9)
/* clang-format on */
/* For the second of two tiles: as wide as the first, but a row less. */
TILE(second_5, 5, THIN_SUMS / 6, false)
TILE(second_7, 7, THIN_SUMS / 8, false)

#define BY_ROWS(name)                                                                              \
    {                                                                                              \
        NULL, NULL, NULL, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8, name##_9     \
    }

static thin_tile_fn *tile_of(int rows, int most, bool is_near)
{
    static thin_tile_fn *const near[] = BY_ROWS(near), *const far[] = BY_ROWS(far);
    if (THIN_SUMS / rows > THIN_SUMS / most)
        return rows == 5 ? second_5 : second_7;
    return is_near ? near[rows] : far[rows];
}

/* Computes one column of tiles: one tile with all rows over all of k, or two tiles by turns. */
static void multiply_column(const gemm *g, int most, int64_t col)
{
    const bool is_one = most == g->rows;
    const bool is_near = most <= NEAR_ROWS && is_one && g->k * g->cols <= NEAR_B;
    gemm_step s = {.a_stride = g->a_stride,
                   .b_stride = g->b_stride,
                   .out_stride = g->out_stride,
                   .ahead = (is_near ? AHEAD_NEAR : AHEAD_FAR) * g->b_stride};
    for (int64_t k = 0; k < g->k; k += s.k) {
        s.k = is_one ? g->k : ifn_min(PASS_K, g->k - k);
        s.continues = k > 0;
        for (int64_t row = 0; row < g->rows; row += most) {
            const int rows = (int)ifn_min(most, g->rows - row);
            tile_of(rows, most, is_near)(&s, g->a + row * g->a_stride + k,
                                         g->b_rows + k * g->b_stride + col,
                                         g->out + row * g->out_stride + col);
        }
    }
}

int64_t IFN_KERNEL(thin_columns)(const gemm *g, int64_t first)
{
    assert(g->rows >= 3 && g->rows <= THIN_MOST && !g->bias);
    const int most = (int)(g->rows > THIN_ROWS ? (g->rows + 1) / 2 : g->rows);
    const int64_t width = THIN_SUMS / most * VL;
    int64_t col = first;
    for (; col + width <= g->cols; col += width)
        multiply_column(g, most, col);
    return col;
}
