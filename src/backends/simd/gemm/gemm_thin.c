#include "gemm_thin.h"

#include "gemm_pieces.h"
#include "min_max.h"
#include "thin_columns.h"
#include "thin_rows.h"

enum {
    FEW_ROWS = 16,     /* the most rows of a thin product, also if a tile has fewer */
    THIN_HEIGHT = 16,  /* rows of b that are read side by side */
    THIN_PANEL = 64,   /* elements of k in a step over packed panels */
    AHEAD = 2048,      /* elements: prefetch distance over all streams, by measurement: 8 KiB */
    LARGE_B = 1 << 16, /* elements: such a b is hardly in L2 */
    NARROW = 2 * VL    /* columns: the sums of fewer are better kept in registers */
};

/* Multiplies a piece of columns at j, before `to`, over elements [k, k + s->k); returns its width. */
static int thin_piece(const gemm *g, const gemm_step *s, const float *b, int64_t k, int64_t j,
                      int64_t to)
{
    const gemm_piece piece = next_piece(next_rows(g->rows), to - j);
    const float *const bias = g->bias && k + s->k == g->k ? g->bias + j : NULL;
    for (int64_t row = 0, rows; row < g->rows; row += rows) {
        rows = next_rows(g->rows - row);
        tile_of((int)rows, piece)(s, g->a + row * g->a_stride + k, b,
                                  g->out + row * g->out_stride + j, bias, NULL, piece.n);
    }
    return piece.n;
}

static gemm_step thin_step(const gemm *g, int64_t k, int64_t most)
{
    return (gemm_step){.a_stride = g->a_stride,
                       .out_stride = g->out_stride,
                       .k = ifn_min(most, g->k - k),
                       .continues = k > 0};
}

/*
 * Multiplies columns [from, to), where tiles are narrow: reads b in long stretches of some rows, side by
 * side, while out stays in a cache. Down a narrow column every cache line would be on another page, and
 * in the same cache set.
 */
static void multiply_thin_rows(const gemm *g, int64_t from, int64_t to)
{
    const int64_t height = g->rows > 2 ? THIN_HEIGHT : THIN_HEIGHT / 2;
    for (int64_t k = 0; k < g->k; k += height) {
        gemm_step s = thin_step(g, k, height);
        s.b_stride = g->b_stride;
        s.panel_stride = PANEL;
        s.ahead = AHEAD / height;
        for (int64_t j = from; j < to;)
            j += thin_piece(g, &s, g->b_rows + k * g->b_stride + j, k, j, to);
    }
}

/* How many columns lie before the first cache line boundary, if that is the same in all rows of b, else 0. Vectors
 * after them do not cross lines. */
static int64_t leading_columns(const gemm *g)
{
    const int64_t at = (int64_t)((uintptr_t)g->b_rows / sizeof(float) % LINE_FLOATS);
    const int64_t n = g->b_stride % LINE_FLOATS == 0 ? (LINE_FLOATS - at) % LINE_FLOATS : 0;
    return ifn_min(n, g->cols);
}

static void multiply_rows(const gemm *g)
{
    const int64_t first = leading_columns(g);
    if (g->rows <= STREAMED_ROWS) {
        thin_rows(g, first);
    } else if (g->rows <= THIN_MOST) {
        multiply_thin_rows(g, 0, first);
        multiply_thin_rows(g, IFN_KERNEL(thin_columns)(g, first), g->cols);
    } else {
        multiply_thin_rows(g, 0, g->cols);
    }
}

/* For few rows, yet more than a tile has: multiplies all rows by a short piece of a panel at a time, which stays
 * in L1. */
static void multiply_thin_panels(const gemm *g)
{
    for (int64_t j = 0, n = 0; j < g->cols; j += n) {
        for (int64_t k = 0; k < g->k; k += THIN_PANEL) {
            gemm_step s = thin_step(g, k, THIN_PANEL);
            s.b_stride = panel_width(g->cols - j);
            s.ahead = AHEAD;
            n = thin_piece(g, &s, g->b_panels + j * g->k + k * s.b_stride, k, j, g->cols);
        }
    }
}

int IFN_KERNEL(gemm_thin)(const gemm *g)
{

    if (g->rows > FEW_ROWS || g->k == 0)
        return 0;
    if (g->b_panels && g->rows > TILE_ROWS)
        multiply_thin_panels(g);
    else if (g->b_rows && g->cols >= NARROW && g->k * g->cols >= LARGE_B)
        multiply_rows(g);
    else
        return 0;
    return 1;
}
