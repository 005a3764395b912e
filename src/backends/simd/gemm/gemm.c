#include "gemm.h"

#include <assert.h>
#include <stdbool.h>

#include "cpu_cache.h"
#include "cpu_streams.h"
#include "gemm_pieces.h"
#include "gemm_thin.h"
#include "map.h"
#include "min_max.h"

enum {
    COPY_PANELS = 4, /* with so many panels or more, copying rows of a costs next to nothing */
    /* The least stride of a, in elements, at which its rows may be copied. Rows nearer to each other stay in L1
     * uncopied; at multiples of this stride all rows map to the same one or two sets of L1. Zen 4,
     * 512 x 512 x 512: 104 GFLOP/s uncopied, 107 copied. */
    COPIED_STRIDE = 512,
    KEPT_BLOCKS =
        2, /* with more blocks of b than this, copies of rows of a are kept for the next block */
    KEPT_ROWS = 2048,   /* copies are kept only if a has no more rows than this */
    AHEAD_PANEL = 1024, /* elements: prefetch distance in a panel, by measurement */
    AHEAD_FEW = 2048,   /* the same with few rows, for all panels of a tile together */
    FOLLOWED_ROWS = VEC_REGISTERS == 32 ? 4 : 2,
    AHEAD_ROWS = 8,
    COPY_ROWS = 8,           /* rows of b that are copied into panels at a time */
    LARGE_STEP = 100 * 1000, /* elements: a step with more will hardly fit L2 */
    SMALL_COLS = 2 * PANEL
};

/* The size of equal pieces of n: as few pieces as `most` per piece allows, a multiple of `unit`. */
static int64_t even_piece(int64_t n, int64_t most, int64_t unit)
{
    assert(most > 0 && unit > 0);
    if (n <= most)
        return n;
    const int64_t pieces = (n + most - 1) / most;
    return rounded_up((n + pieces - 1) / pieces, unit);
}

/* How a product is cut into blocks. */
typedef struct gemm_blocking {
    int64_t k, cols; /* of a step */
    float *copy;     /* a copy of a tile's rows of a; NULL: rows are read in place */
    bool keeps_copy; /* the copies of all rows are kept for all columns */
    float *block;    /* panels of b, one step high; NULL: none are kept */
} gemm_blocking;

static bool has_large_block(const gemm_blocking *blocking)
{
    return blocking->k * blocking->cols >= LARGE_STEP;
}

/* Whether the data of a step is too large for L2. */
static bool is_large(const gemm *g, const gemm_blocking *blocking)
{
    return has_large_block(blocking) || blocking->k * g->rows >= LARGE_STEP;
}

/* Where the tiles of a pass read b: in rows, in rows that the first tile also copies into panels, in panels, or in
 * panels that the first tile fills from a source. */
typedef enum gemm_form { B_ROWS, B_ROWS_KEEP, B_PANELS, B_FILL } gemm_form;

/* One step: columns [col, col + cols) over elements [k, k + step.k). */
typedef struct gemm_pass {
    const gemm *g;
    const gemm_blocking *blocking;
    int64_t col, cols, k;
    gemm_form form;
    const float *b;       /* the first column, at k */
    int64_t height, from; /* the height of panels, in k; and where in it this step begins */
    const float *bias;
    gemm_step step;
} gemm_pass;

/* Makes the panels of columns [j, j + n) of a pass. */
static void fill_panels(const gemm_pass *p, int64_t j, int n, float *panels)
{
    const gemm_source *const source = p->g->b_source;
    for (int done = 0; done < n;) {
        const int width = panel_width(n - done), some = n - done < width ? n - done : width;
        source->fill(source, p->g->first_col + p->col + j + done, some, width, p->k, p->step.k,
                     panels + done * p->step.k);
        done += width;
    }
}

/* True if this pass must copy rows of a; false if the copies of earlier columns are kept. */
static bool copies(const gemm_pass *p)
{
    return p->col == 0 || !p->blocking->keeps_copy;
}

/* Sets the share of the next rows of a, in place or copied, that the tile of columns [j, j + n) prefetches: the tiles
 * of all columns together prefetch all of them. */
static void fetch_below(const gemm_pass *p, int64_t row, int64_t j, int n, gemm_step *s)
{
    const int64_t lines = (s->k + LINE_FLOATS - 1) / LINE_FLOATS;
    const int64_t begin = lines * j / p->cols, end = lines * (j + n) / p->cols;
    const float *const rows = copies(p) ? p->g->a + p->k : p->blocking->copy;
    s->below_stride = copies(p) ? p->g->a_stride : COPY_STRIDE;
    s->below = rows + row * s->below_stride + begin * LINE_FLOATS;
    s->below_lines = row < p->g->rows ? (int)(end - begin) : 0;
}

/* The address in out that the tile of columns [j, j + n) prefetches: the place of the next tile. */
static const float *fetch_out(const gemm_pass *p, float *out, int rows, int64_t j, int n)
{
    return j + n < p->cols ? out + j + n : out + rows * p->g->out_stride;
}

/* The address of the weights of a panel of columns from col on, from element k on; NULL: not contiguous. */
static const void *weights_at(const gemm *g, int64_t col, int width, int64_t k)
{
    if (g->b_panels)
        return g->b_panels + col * g->k + k * width;
    const gemm_source *const source = g->b_source;
    return source && source->at ? source->at(source, g->first_col + col, width, k) : NULL;
}

/* The share of the next step's weights that the tile of rows [row, row + rows) and columns [j, j + n)
 * prefetches: the tiles of all rows together prefetch all of them. */
static gemm_fetch fetch_weights(const gemm_pass *p, int64_t row, int rows, int64_t j, int n)
{
    const gemm *const g = p->g;
    const bool is_last = p->col + p->cols >= g->cols;
    const int64_t col = is_last ? j : p->col + p->cols + j, k = p->k + (is_last ? p->step.k : 0);
    const char *const from =
        col < g->cols && k < g->k ? weights_at(g, col, panel_width(n), k) : NULL;
    const int64_t size = g->b_panels ? (int64_t)sizeof(float) : (int64_t)sizeof(uint16_t);
    const int64_t lines = p->step.k * n * size / LINE_BYTES;
    const int64_t begin = lines * row / g->rows, end = lines * (row + rows) / g->rows;
    return from ? (gemm_fetch){from + begin * LINE_BYTES, (int)(end - begin)} : (gemm_fetch){0};
}

static void copy_rows(const float *a, int64_t a_stride, int rows, int64_t k, float *copy)
{
    for (int r = 0; r < rows; r++, a += a_stride, copy += COPY_STRIDE) {
        int64_t i = 0;
        for (; i + 4 * VL <= k; i += 4 * VL) {
            const vf x0 = vf_load(a + i), x1 = vf_load(a + i + VL), x2 = vf_load(a + i + 2 * VL),
                     x3 = vf_load(a + i + 3 * VL);
            vf_store(copy + i, x0);
            vf_store(copy + i + VL, x1);
            vf_store(copy + i + 2 * VL, x2);
            vf_store(copy + i + 3 * VL, x3);
        }
        for (; i < k; i += VL) {
            const int n = k - i < VL ? (int)(k - i) : VL;
            vf_put(copy + i, vf_get(a + i, n), n);
        }
    }
}

/* Multiplies some rows, at most those of a tile, by all columns of the pass. */
static void multiply_rows(const gemm_pass *p, gemm_form form, int64_t row, int rows)
{
    const gemm *const g = p->g;
    gemm_step s = p->step;
    const float *a = g->a + row * g->a_stride + p->k;
    if (p->blocking->copy && s.k > 0) { /* of an empty sum, a may be NULL */
        float *const copy = p->blocking->copy + (p->blocking->keeps_copy ? row * COPY_STRIDE : 0);
        if (copies(p))
            copy_rows(a, g->a_stride, rows, s.k, copy);
        a = copy;
        s.a_stride = COPY_STRIDE;
    }
    float *const out = g->out + row * g->out_stride + p->col;
    for (int64_t j = 0; j < p->cols;) {
        const gemm_piece piece = next_piece(rows, p->cols - j);
        const float *b = p->b + j;
        gemm_tile_fn *tile = tile_of(rows, piece);
        if (s.a_stride == COPY_STRIDE && piece.vectors == 2)
            tile = IFN_KERNEL(gemm_tile_copied)(rows);
        if (form == B_ROWS_KEEP)
            tile = IFN_KERNEL(gemm_tile_keep)(piece.vectors, piece.is_tail);
        if (form == B_FILL)
            fill_panels(p, j, piece.n, p->blocking->block + j * p->height);
        if (form == B_FILL || form == B_PANELS) {
            s.b_stride = panel_width(piece.n);
            b = p->b + j * p->height + p->from * s.b_stride;
        }
        if (s.fetches) {
            s.next_out = fetch_out(p, out, rows, j, piece.n);
            fetch_below(p, row + rows, j, piece.n, &s);
            s.weights = fetch_weights(p, row, rows, j, piece.n);
        }
        tile(&s, a, b, out + j, p->bias ? p->bias + j : NULL,
             p->blocking->block ? p->blocking->block + j * s.k : NULL, piece.n);
        j += piece.n;
    }
}

/* Multiplies all rows. The following tiles read the panels that the first one has copied or made. */
static void multiply_pass(gemm_pass *p)
{
    const gemm *const g = p->g;
    int rows = p->form == B_ROWS_KEEP ? TILE_ROWS : next_rows(g->rows);
    multiply_rows(p, p->form, 0, rows);
    if (p->form == B_ROWS_KEEP) {
        p->form = B_PANELS;
        p->b = p->blocking->block;
        p->height = p->step.k;
        p->step.panel_stride = PANEL * p->height;
        p->step.ahead = AHEAD_PANEL;
    } else if (p->form == B_FILL) {
        p->form = B_PANELS;
    }
    for (int64_t row = rows; row < g->rows; row += rows) {
        rows = next_rows(g->rows - row);
        multiply_rows(p, p->form, row, rows);
    }
}

/*
 * Copies rows of b into panels, a few rows at a time, in long stretches: if b is not in a cache, this is faster than
 * to keep what a first tile reads down one panel. The rows that follow are prefetched meanwhile, as the hardware
 * prefetcher cannot follow so many. Zen 5, 1024 x 1024 x 1024: 250 GFLOP/s without, 255 with this.
 */
static void copy_panels(const gemm_pass *p, const float *b, float *panels)
{
    const int64_t b_stride = p->g->b_stride;
    for (int64_t k = 0; k < p->step.k; k += COPY_ROWS) {
        const int64_t end = ifn_min(k + COPY_ROWS, p->step.k);
        for (int64_t j = 0, width; j < p->cols; j += width) {
            width = panel_width(p->cols - j);
            const int n = (int)ifn_min(p->cols - j, VL); /* less than VL: of the last panel */
            for (int64_t i = k; i < end; i++)
                for (int64_t v = 0; v < width; v += VL) {
                    if (v % LINE_FLOATS == 0)
                        __builtin_prefetch(b + (i + COPY_ROWS) * b_stride + j + v);
                    vf_store(panels + j * p->step.k + i * width + v,
                             vf_get(b + i * b_stride + j + v, n));
                }
        }
    }
}

/*
 * The prefetch distance in weights that one tile reads from end to end, at the speed of memory; 0 for few rows on cores
 * whose hardware prefetcher follows one stream by itself, where software prefetch only costs time. One thread of a
 * Zen 4, GB/s for 1, 2 and 4 rows: AVX-512 27, 28, 27 with prefetch, 30, 31, 30 without; AVX2 27, 26, 26 and
 * 32, 28, 24.
 */
static int64_t panel_ahead(const gemm *g)
{
    if (g->rows <= FOLLOWED_ROWS && ifn_cpu_best_streams() != IFN_STREAMS_SEVERAL)
        return 0;
    return g->rows > TILE_ROWS ? AHEAD_PANEL : AHEAD_FEW / (gemm_tile_vectors((int)g->rows) / 2);
}

/* Sets where a step reads b. */
static void begin_step(gemm_pass *p)
{
    const gemm *const g = p->g;
    p->height = p->step.k;
    p->from = 0;
    if (g->b_source) {
        p->form = B_FILL;
        p->b = p->blocking->block;
    } else if (g->b_panels) {
        p->form = B_PANELS;
        p->b = g->b_panels + p->col * g->k;
        p->height = g->k;
        p->from = p->k;
    } else if (p->blocking->block && has_large_block(p->blocking)) {
        p->form = B_PANELS;
        p->b = p->blocking->block;
        copy_panels(p, g->b_rows + p->k * g->b_stride + p->col, p->blocking->block);
    } else {
        p->form = p->blocking->block ? B_ROWS_KEEP : B_ROWS;
        p->b = g->b_rows + p->k * g->b_stride + p->col;
        p->step.b_stride = g->b_stride;
    }
    const bool is_rows = p->form == B_ROWS || p->form == B_ROWS_KEEP;
    p->step.panel_stride = is_rows ? PANEL : PANEL * p->height;
    p->step.ahead = is_rows ? AHEAD_ROWS * g->b_stride : panel_ahead(g);
}

/* Runs the steps of all columns over the same elements of k, then over the next ones, so that rows of a that are
 * copied for the first columns serve the others. */
static void multiply(const gemm *g, const gemm_blocking *blocking)
{
    gemm_pass p = {.g = g, .blocking = blocking};
    do {
        const int64_t k = ifn_min(blocking->k, g->k - p.k);
        for (p.col = 0; p.col < g->cols; p.col += blocking->cols) {
            p.cols = ifn_min(blocking->cols, g->cols - p.col);
            p.step = (gemm_step){.a_stride = g->a_stride,
                                 .out_stride = g->out_stride,
                                 .k = k,
                                 .fetches = blocking->copy && g->k > 0 && is_large(g, blocking),
                                 .continues = p.k > 0};
            p.bias = g->bias && p.k + k == g->k ? g->bias + p.col : NULL;
            begin_step(&p);
            multiply_pass(&p);
        }
        p.k += k;
    } while (p.k < g->k);
}

/* Elements of k in a step; never 0, as block_cols divides by it. */
static int64_t step_k(int64_t k, int64_t most, int64_t unit)
{
    return k > 0 ? even_piece(k, most, unit) : 1;
}

/* Chooses the columns of a step so that its panels of b take at most `floats` floats. */
static void block_cols(const gemm *g, gemm_blocking *blocking, int64_t floats)
{
    blocking->cols = even_piece(g->cols, floats / blocking->k / PANEL * PANEL, PANEL);
}

/* The most floats of panels: three quarters of L2, to leave room for everything else. */
static int64_t block_most(void)
{
    return ifn_cpu_l2_bytes() * 3 / 4 / (int64_t)sizeof(float);
}

/*
 * The weights of the next step are prefetched meanwhile, and need as much of L2 as those of this step. Blocks of half
 * the size leave room for both, but rows of a are read twice as often. Measured: with 2 MiB of L2, on a Xeon, 5 to
 * 30 % less time up to 256 rows, and for 512 up to 3 % more; with 1 MiB, on a Zen 5, 2 to 4 % less from 224 rows on,
 * and for 96 to 192 up to 5 % more.
 */
static int64_t block_of(const gemm *g)
{
    const int64_t has_room = (int64_t)2 << 20;
    const bool halves = ifn_cpu_l2_bytes() >= has_room ? g->rows <= 256 : g->rows >= 224;
    return halves && !g->b_rows ? block_most() / 2 : block_most();
}

/*
 * Whether copying rows of a is faster: in place they would not stay in L1, or there are so many columns that copying
 * costs next to nothing and the next rows can be prefetched meanwhile. Zen 5, 768 x 768 x 128: 238 GFLOP/s copied,
 * 260 in place; 2000 x 2000 x 2000: 245 and 231.
 */
static bool is_worth_copying(const gemm *g, const gemm_blocking *blocking)
{
    return g->rows > 1 && g->cols >= COPY_PANELS * PANEL && g->a_stride >= COPIED_STRIDE &&
           (g->a_stride % COPIED_STRIDE == 0 || has_large_block(blocking));
}

/* Places the copies of rows of a in the scratch and returns how many floats they take; 0: no copies, as they do not
 * pay or there is no room beside a panel. */
static int64_t place_copy(const gemm *g, gemm_blocking *blocking, int64_t floats)
{
    const int64_t tile = TILE_ROWS * COPY_STRIDE, all = g->rows * COPY_STRIDE;
    floats -= blocking->k * PANEL;
    if (!is_worth_copying(g, blocking) || floats < tile)
        return 0;
    blocking->copy = g->call->scratch;
    blocking->keeps_copy =
        g->rows <= KEPT_ROWS && all <= floats && blocking->k * g->cols > KEPT_BLOCKS * block_most();
    return blocking->keeps_copy ? all : tile;
}

/* Places copies of a and panels of b in the scratch, as far as there is room. */
static void place(const gemm *g, gemm_blocking *blocking)
{
    const int64_t floats = (int64_t)(g->call->scratch_bytes / sizeof(float));
    const int64_t panel = blocking->k * PANEL, copied = place_copy(g, blocking, floats);
    if (g->rows <= (g->b_source ? 1 : 2) * TILE_ROWS || floats - copied < panel)
        return;
    block_cols(g, blocking, ifn_max(ifn_min(floats - copied, block_of(g)), panel));
    if (!g->b_panels)
        blocking->block = (float *)g->call->scratch + copied;
}

/* For few rows, or without scratch: makes panels from the source, a few at a time on the stack, over all of k. */
static void multiply_source(const gemm *g)
{
    _Alignas(64) float panel[PANEL * SOURCE_K];
    gemm_blocking blocking = {.k = step_k(g->k, SOURCE_K, g->b_source->k_unit), .block = panel};
    block_cols(g, &blocking, PANEL * SOURCE_K);
    for (int64_t col = 0; col < g->cols; col += blocking.cols) {
        gemm part = *g;
        part.cols = ifn_min(blocking.cols, g->cols - col);
        part.first_col += col;
        part.out += col;
        part.bias = g->bias ? g->bias + col : NULL;
        multiply(&part, &blocking);
    }
}

static void multiply_blocks(const gemm *g)
{
    const int64_t unit = g->b_source ? g->b_source->k_unit : VL;
    gemm_blocking blocking = {.k = step_k(g->k, GEMM_K / unit * unit, unit), .cols = g->cols};
    place(g, &blocking);
    if (g->b_source && !blocking.block)
        multiply_source(g);
    else
        multiply(g, &blocking);
}

/* For so few columns that blocking would cost more than it saves: reads b in place. */
static void multiply_small(const gemm *g)
{
    const gemm_step s = {.a_stride = g->a_stride,
                         .b_stride = g->b_stride,
                         .out_stride = g->out_stride,
                         .panel_stride = PANEL,
                         .ahead = AHEAD_ROWS * g->b_stride,
                         .k = g->k};
    for (int64_t row = 0, rows; row < g->rows; row += rows) {
        rows = next_rows(g->rows - row);
        for (int64_t j = 0; j < g->cols;) {
            const gemm_piece piece = next_piece((int)rows, g->cols - j);
            tile_of((int)rows, piece)(&s, g->a + row * g->a_stride, g->b_rows + j,
                                      g->out + row * g->out_stride + j,
                                      g->bias ? g->bias + j : NULL, NULL, piece.n);
            j += piece.n;
        }
    }
}

void IFN_KERNEL(gemm)(const gemm *g)
{
    if (g->rows <= 0 || g->cols <= 0)
        return;
    if (g->b_rows && g->rows > 2 && g->cols <= SMALL_COLS && g->k <= GEMM_K) {
        multiply_small(g);
    } else if (g->b_panels && g->rows <= TILE_ROWS) { /* each panel is read once, from end to end */
        const gemm_blocking whole = {.k = step_k(g->k, g->k, 1), .cols = g->cols};
        multiply(g, &whole);
    } else if (!IFN_KERNEL(gemm_thin)(g)) {
        multiply_blocks(g);
    }
}

size_t IFN_KERNEL(gemm_scratch_bytes)(const ifn_limits *max)
{
    const int64_t longest = ifn_max(ifn_max(max->k, max->n), max->max_pos); /* a row of a matmul */
    const int64_t all = ifn_min(rounded_up(longest, VL), GEMM_K) * rounded_up(longest, PANEL);
    const int64_t rows = ifn_max(ifn_min(max->rows, KEPT_ROWS), TILE_ROWS);
    return (size_t)(rows * COPY_STRIDE + ifn_min(all, block_most())) * sizeof(float);
}
