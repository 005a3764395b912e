#include "gemm_slices.h"

#include <stdbool.h>

#include "gemm.h"
#include "min_max.h"
#include "slices.h"

enum {
    COLUMNS = PAIR_COLUMNS, /* of a block of sums */
    ROWS = 2 * SLICE_TILE,
    UNIT_K = 256,                  /* elements of k of a step, at least */
    MOST_ROWS = 128,               /* of a step */
    MOST_SLICES = MOST_ROWS << 10, /* elements of its rows: they stay in L2, beside panels */
    ROW_BYTES = SLICES * (int)sizeof(uint16_t),    /* of an element of a row */
    PANEL_BYTES = COLUMNS * (int)sizeof(uint16_t), /* of an element of all columns of a panel */
    STREAMS = 4,                                   /* panels that a single row reads side by side */
    AHEAD = 4096,      /* elements: the prefetch distance over all of these, by measurement */
    TILES_AHEAD = 4096 /* the same where tiles read a panel for the first time */
};

/* Slices of rows [first, first + rows) of a, elements [first_k, first_k + k), and room for such a panel of a raw weight. */
typedef struct sliced_rows {
    const gemm *g;
    int64_t most_rows, most_k;
    int64_t first, rows, first_k, k;
    uint16_t *tiles, *panel;
    int exponent[MOST_ROWS];
} sliced_rows;

/* The elements of k of a step of COLUMNS columns, of which n exist. */
typedef struct sliced_panel {
    const uint16_t *pairs;
    int exponent; /* of the least nonzero one */
    int64_t n;
} sliced_panel;

/* Sums of ROWS rows and COLUMNS columns. */
typedef struct sliced_sums {
    _Alignas(64) float at[ROWS][COLUMNS];
    bool in_vectors; /* they may be no multiples of 2^-126 */
} sliced_sums;

/* How many elements of so many rows, and of COLUMNS columns, there is room for; 0: too few. */
static int64_t most_k(int64_t rows, int64_t k, int64_t bytes)
{
    const int64_t most = ifn_min(bytes / (rows * ROW_BYTES + PANEL_BYTES), MOST_SLICES / rows);
    return ifn_min(pair_padded(k), most / UNIT_K * UNIT_K);
}

size_t IFN_KERNEL(gemm_slices_scratch_bytes)(const ifn_limits *max)
{
    const int64_t rows = rounded_up(ifn_max(ifn_min(max->rows, MOST_ROWS), 1), ROWS);
    const int64_t k = rounded_up(max->k, UNIT_K), of_one = SLICES * k * (int64_t)sizeof(float);
    const int64_t of_rows = ifn_min(rows * k, MOST_SLICES) * ROW_BYTES;
    const int64_t of_panel = ifn_min(k, MOST_SLICES / ROWS) * PANEL_BYTES;
    return (size_t)ifn_max(of_rows + of_panel, of_one);
}

/* Places tiles and panel in the scratch, or, if it is too small, smaller ones in `small`. */
static void place(sliced_rows *x, uint16_t *small)
{
    const ifn_call *const call = x->g->call;
    x->most_rows = ifn_min(rounded_up(x->g->rows, ROWS), MOST_ROWS);
    x->most_k = call->scratch ? most_k(x->most_rows, x->g->k, (int64_t)call->scratch_bytes) : 0;
    x->tiles = x->most_k ? call->scratch : small;
    if (!x->most_k) {
        x->most_rows = SLICE_TILE;
        x->most_k = UNIT_K;
    }
    x->panel = x->tiles + x->most_rows * x->most_k * SLICES;
}

/* The first tile of rows row .. */
static uint16_t *tiles_of(const sliced_rows *x, int64_t row)
{
    return x->tiles + row / SLICE_TILE * pair_padded(x->k) * SLICE_TILE * SLICES;
}

static void slice(sliced_rows *x)
{
    const gemm *const g = x->g;
    for (int64_t r = 0; r < x->rows; r += SLICE_TILE)
        slice_rows(g->a + (x->first + r) * g->a_stride + x->first_k, g->a_stride, x->rows - r, x->k,
                   tiles_of(x, r), x->exponent + r);
}

/* The panel of columns col .. of elements [k, k + n_k). A raw one is packed in `raw`. */
static sliced_panel panel_of(const sliced_product *p, int64_t col, int64_t k, int64_t n_k,
                             uint16_t *raw)
{
    const int64_t at = p->g.first_col + col, n = ifn_min(p->g.cols - col, COLUMNS);
    if (!p->w.panels)
        return (sliced_panel){raw, IFN_KERNEL(pack_pairs)(p->w.source.w, at, k, n_k, raw), n};
    return (sliced_panel){p->w.panels + at * pair_padded(p->g.k) + k * COLUMNS,
                          p->w.exponents[at / COLUMNS], n};
}

/* Two rows of tiles by two columns of them, or by one. They begin with 0, or with what sums hold. */
IFN_INLINE void multiply_tiles(const int rows, const int columns, const sliced_rows *x, int64_t row,
                               const sliced_panel *w, bool is_first, float *sums)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            if (is_first)
                vbtile_zero(2 * r + c);
            else
                vbtile_load(2 * r + c, sums + r * SLICE_TILE * COLUMNS + c * SLICE_TILE, COLUMNS);
        }
    const uint16_t *a[2] = {tiles_of(x, row), tiles_of(x, row + SLICE_TILE)}, *b = w->pairs;
    for (int64_t steps = pair_padded(x->k) / SLICE_K; steps > 0; steps--) {
        for (int64_t i = 0; row == 0 && i < SLICE_K * COLUMNS; i += LINE_BYTES / (int)sizeof *b)
            IFN_FETCH_L2(b + TILES_AHEAD + i);
        for (int c = 0; c < columns; c++)
            vbtile_columns(c, b + c * SLICE_K, 2 * COLUMNS);
        IFN_UNROLL
        for (int s = 0; s < SLICES; s++) {
            for (int r = 0; r < rows; r++)
                vbtile_rows(r, a[r] + s * SLICE_SIZE);
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < columns; c++)
                    vbtile_multiply(r, c);
        }
        a[0] += SLICES * SLICE_SIZE;
        a[1] += SLICES * SLICE_SIZE;
        b += SLICE_K * COLUMNS;
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            vbtile_store(2 * r + c, sums + r * SLICE_TILE * COLUMNS + c * SLICE_TILE, COLUMNS);
}

typedef void multiply_fn(const sliced_rows *x, int64_t row, const sliced_panel *w, bool is_first,
                         float *sums);

#define MULTIPLY(rows, columns)                                                                    \
    static void multiply_##rows##_##columns(const sliced_rows *x, int64_t row,                     \
                                            const sliced_panel *w, bool is_first, float *sums)     \
    {                                                                                              \
        multiply_tiles(rows, columns, x, row, w, is_first, sums);                                  \
    }
MULTIPLY(1, 1)
MULTIPLY(1, 2)
MULTIPLY(2, 1)
MULTIPLY(2, 2)

static multiply_fn *multiply_of(int64_t rows, int64_t columns)
{
    static multiply_fn *const fns[2][2] = {{multiply_1_1, multiply_1_2},
                                           {multiply_2_1, multiply_2_2}};
    return fns[rows > SLICE_TILE][columns > SLICE_TILE];
}

/* sums[..][COLUMNS] += the products of a row, whose slices are x, and n panels, of n_k elements, in vectors. */
static void multiply_row(const float *const *x, const sliced_panel *w, int n, int64_t n_k,
                         float *sums)
{
    for (int64_t k = 0; k < n_k; k += SLICE_K) {
        const float *const row[] = {x[0] + k, x[1] + k, x[2] + k};
        for (int i = 0; i < n; i++)
            for (int64_t c = 0; c < COLUMNS; c += 2 * VL) {
                float *const to = sums + i * COLUMNS + c;
                vf both[] = {vf_load(to), vf_load(to + VL)};
                slice_products(row, w[i].pairs + k * COLUMNS + 2 * c, AHEAD / n, both);
                vf_store(to, both[0]);
                vf_store(to + VL, both[1]);
            }
    }
}

/* Multiplies row `row` by a panel in vectors. */
static void multiply_apart(const sliced_rows *x, int64_t row, const sliced_panel *w,
                           float sums[COLUMNS])
{
    float slices[SLICES][UNIT_K];
    float *const to[] = {slices[0], slices[1], slices[2]};
    const float *const from[] = {slices[0], slices[1], slices[2]};
    const float *const a = x->g->a + (x->first + row) * x->g->a_stride + x->first_k;
    sliced_panel part = *w;
    for (int64_t k = 0; k < x->k; k += UNIT_K, part.pairs += UNIT_K * COLUMNS) {
        const int64_t n_k = ifn_min(UNIT_K, x->k - k);
        slice_row(a + k, n_k, to);
        multiply_row(from, &part, 1, n_k, sums);
    }
}

/* Multiplies `rows` rows, at most ROWS, by a panel. */
static void multiply_block(const sliced_rows *x, int64_t row, int64_t rows, const sliced_panel *w,
                           bool is_first, sliced_sums *sums)
{
    float apart[ROWS][COLUMNS];
    bool is_apart[ROWS];
    for (int64_t r = 0; r < rows; r++) {
        is_apart[r] = sums->in_vectors || x->exponent[row + r] + w->exponent < EXPONENTS;
        if (!is_apart[r])
            continue;
        memset(apart[r], 0, sizeof apart[r]);
        if (!is_first)
            memcpy(apart[r], sums->at[r], sizeof apart[r]);
        multiply_apart(x, row + r, w, apart[r]);
    }
    multiply_of(rows, w->n)(x, row, w, is_first, sums->at[0]);
    for (int64_t r = 0; r < rows; r++)
        if (is_apart[r])
            memcpy(sums->at[r], apart[r], sizeof apart[r]);
}

/* Takes the sums of earlier elements of k from out. Returns whether one of them may be no multiple of 2^-126. */
static bool take_sums(float *sums, const float *out, int64_t out_stride, int64_t rows, int64_t n)
{
    vf nearest = vf_set(-FLT_MAX);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t v = 0; v < n; v += VL) {
            const vf sum = vf_get(out + r * out_stride + v, n - v < VL ? (int)(n - v) : VL);
            nearest = nearer_to_zero(nearest, sum);
            vf_store(sums + r * COLUMNS + v, sum);
        }
    return least_exponent(nearest) == NO_EXPONENT;
}

/* Writes sums to out. Returns whether all of them are finite. */
static bool give_sums(const float *sums, float *out, int64_t out_stride, int64_t rows, int64_t n,
                      const float *bias)
{
    vf zeros = vf_zero(); /* but for sums that are not finite */
    for (int64_t r = 0; r < rows; r++)
        for (int64_t v = 0; v < n; v += VL) {
            const int some = n - v < VL ? (int)(n - v) : VL;
            vf sum = vf_load(sums + r * COLUMNS + v);
            zeros = vf_add(zeros, vf_sub(sum, sum));
            if (bias)
                sum = vf_add(sum, vf_get(bias + v, some));
            vf_put(out + r * out_stride + v, sum, some);
        }
    return !vm_any(vf_is_nan(zeros));
}

/* Where factors or sums are not finite, slices mean nothing: takes what the tiles of gemm_tile.h give. */
static void replace_infinite(const gemm *g, int64_t row, int64_t rows, int64_t col, int64_t n)
{
    float by_tiles[ROWS][COLUMNS];
    ifn_call call = *g->call;
    call.scratch = NULL; /* the slices lie there */
    call.scratch_bytes = 0;
    gemm part = *g;
    part.call = &call;
    part.rows = rows;
    part.cols = n;
    part.a += row * g->a_stride;
    part.first_col += col;
    part.out = by_tiles[0];
    part.out_stride = COLUMNS;
    part.bias = g->bias ? g->bias + col : NULL;
    IFN_GEMM_KERNEL(gemm)(&part);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < n; c++) {
            float *const sum = g->out + (row + r) * g->out_stride + col + c;
            if (!(*sum - *sum == 0.0f))
                *sum = by_tiles[r][c];
        }
}

/* Writes sums of elements of k up to `end` to out. */
static void give_block(const gemm *g, int64_t row, int64_t rows, int64_t col, int64_t n,
                       int64_t end, const float *sums)
{
    float *const out = g->out + row * g->out_stride + col;
    const bool is_last = end == g->k;
    const float *const bias = g->bias && is_last ? g->bias + col : NULL;
    if (!give_sums(sums, out, g->out_stride, rows, n, bias) && is_last)
        replace_infinite(g, row, rows, col, n);
}

/* Multiplies the rows by columns col .. of a panel. A block is written while the next one is multiplied: the core would
 * wait for its sums. */
static void multiply_panel(const sliced_rows *x, const gemm *g, int64_t col, const sliced_panel *w)
{
    sliced_sums sums[2];
    const bool is_first = x->first_k == 0;
    const int64_t end = x->first_k + x->k;
    for (int64_t row = 0; row - ROWS < x->rows; row += ROWS) {
        sliced_sums *const own = &sums[row / ROWS % 2];
        const int64_t rows = ifn_min(x->rows - row, ROWS), first = x->first + row;
        if (rows > 0) {
            const float *const out = g->out + first * g->out_stride + col;
            own->in_vectors = !is_first && take_sums(own->at[0], out, g->out_stride, rows, w->n);
            multiply_block(x, row, rows, w, is_first, own);
        }
        if (row > 0)
            give_block(g, first - ROWS, ifn_min(x->rows - row + ROWS, ROWS), col, w->n, end,
                       sums[(row / ROWS + 1) % 2].at[0]);
    }
}

static void multiply_rows(const sliced_product *p, int n)
{
    _Alignas(64) uint16_t small[UNIT_K * (SLICE_TILE * SLICES + COLUMNS)];
    sliced_rows x = {.g = &p->g};
    place(&x, small);
    vbtiles_open();
    for (x.first = 0; x.first < p->g.rows; x.first += x.rows) {
        x.rows = ifn_min(p->g.rows - x.first, x.most_rows);
        for (x.first_k = 0; x.first_k < p->g.k; x.first_k += x.k) {
            x.k = ifn_min(p->g.k - x.first_k, x.most_k);
            slice(&x);
            for (int i = 0; i < n; i++)
                for (int64_t col = 0; col < p[i].g.cols; col += COLUMNS) {
                    const sliced_panel w = panel_of(&p[i], col, x.first_k, x.k, x.panel);
                    multiply_panel(&x, &p[i].g, col, &w);
                }
        }
    }
    vbtiles_close();
}

/* One row of x, by some panels at a time, raw ones by one; from end to end where the slices of the row have room. */
static void multiply_single(const sliced_product *p)
{
    const gemm *const g = &p->g;
    float small[SLICES * UNIT_K];
    uint16_t raw[UNIT_K * COLUMNS];
    const int64_t room = (int64_t)(g->call->scratch_bytes / sizeof(float)) / SLICES;
    const bool fits = p->w.panels && g->call->scratch && room >= pair_padded(g->k);
    const int64_t most = fits ? pair_padded(g->k) : UNIT_K;
    const int streams = p->w.panels ? STREAMS : 1;
    float *const x = fits ? g->call->scratch : small;
    float *const to[] = {x, x + most, x + 2 * most};
    const float *const from[] = {x, x + most, x + 2 * most};
    for (int64_t k = 0; k < g->k; k += most) {
        const int64_t n_k = ifn_min(most, g->k - k);
        slice_row(g->a + k, n_k, to);
        for (int64_t col = 0; col < g->cols; col += streams * COLUMNS) {
            float sums[STREAMS * COLUMNS] = {0};
            sliced_panel w[STREAMS];
            const int64_t n = ifn_min(g->cols - col, streams * COLUMNS);
            int n_w = 0;
            for (int64_t at = 0; at < n; at += COLUMNS)
                w[n_w++] = panel_of(p, col + at, k, n_k, raw);
            if (k > 0)
                (void)take_sums(sums, g->out + col, 0, 1, n);
            multiply_row(from, w, n_w, n_k, sums);
            for (int64_t at = 0; at < n; at += COLUMNS)
                give_block(g, 0, 1, col + at, ifn_min(n - at, COLUMNS), k + n_k, sums + at);
        }
    }
}

void IFN_KERNEL(gemm_slices)(const sliced_product *p, int n)
{
    if (p->g.rows > 1)
        multiply_rows(p, n);
    for (int i = 0; i < n && p->g.rows == 1; i++)
        multiply_single(&p[i]);
}
