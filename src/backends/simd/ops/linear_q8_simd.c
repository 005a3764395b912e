/*
 * linear_q8: takes activations in passes of up to Q8_ROWS rows. Within a pass it takes two panels of
 * weights at a time, unpacks them into L1 chunk by chunk of k, and multiplies a chunk by every tile of the
 * pass while it prefetches the next one. For few rows on packed weights it reads each panel from end to end
 * and unpacks in registers; for one row, on some processors, in several streams. The order of sums:
 * block_kernels.h.
 *
 * Without VNNI one factor is unsigned and pairs of products are summed in 16 bits, which unsigned codes of 8 bits
 * overflow. Moving the sign of a code to the other factor costs an instruction for each product; for many rows
 * both factors are widened to shorts instead, once: on a Zen 4 138 GOP/s, against 119 with signs.
 *
 * With tile registers (AMX) many rows are strips, block_strips.c: 512 rows on a Xeon of the fifth generation, GOP/s of
 * avx512vnni and of amxint8: Q8_0 395 and 560, Q4_0 393 and 595, Q4_K 361 and 490, Q6_K 313 and 362, Q2_K 284 and 281.
 *
 * Per row and feature k multiplications and additions; reads the weights once per pass, the activations
 * once per two panels, or per panel. Results lie far apart, so their cache lines are prefetched during the
 * last chunk. Floor of many rows: the dots that a core can issue; of few: reading the packed weights once.
 * Measured on Zen 5, one thread, k = 1024, 3072 features, weights from memory, which delivers Q8_0 in
 * 84 us, Q4_K in 44: us for 1 .. 16 rows, GOP/s for 512:
 *
 *   rows            1    2    4    8   16  512                1    2    4    8   16  512
 *   avx2     Q8_0  97   91  157  289  553  164         Q4_K  50   66  111  207  407  265
 *   avxvnni        86   84   98  167  335  314               48   61   98  178  353  299
 *   avx512         91   87   92  153  304  311               50   48   66  147  249  487
 *   avx512vnni     91   91  104  113  185  633               52   49   57   89  174  576
 *
 * On a Zen 4, which splits 512-bit vectors into two halves; memory delivers Q8_0 in 108 us, Q4_K in 58:
 *
 *   avx2     Q8_0 136  122  211  404  800  138         Q4_K  67   92  139  262  510  220
 *   avx512        109  114  179  337  667  157               68   70  112  214  416  253
 *   avx512vnni    104  104  110  154  311  327               59   60   91  172  335  297
 *
 * On Sapphire Rapids, whose cores read several streams best; memory delivers Q8_0 in 207 us, Q4_K in 114:
 *
 *   rows            1    2    4    8                         1    2    4    8
 *   avx2     Q8_0 216  247  282  391                  Q4_K 124  144  193  268
 *   avxvnni       216  229  258  275                       124  138  175  217
 *   avx512vnni    216  212  236  247                       119  114  132  144
 */
#include "block_product.h"

#include <stdbool.h>

#include "cpu_streams.h"
#include "min_max.h"
#include "scalar.h"

enum {
    Q8_ROWS = 96,
    Q8_FEW_ROWS = 2 * Q8_FEW,
    Q8_STRIPS_FROM = 25, /* rows: fewer take less time as tiles */
    Q8_WORDS = 32 * 1024,
    SHORTS_MOST = 1 << 20 /* bytes of activations */
};

/* The sums, words and unpacked weights of a pass of tiles, 137 to 166 KiB. */
typedef struct workspace {
    _Alignas(64) float sums[Q8_ROWS * 2 * VL];
    ifn_q8_word words[Q8_WORDS];
    _Alignas(64) ifn_q8_chunk chunk[2];
} workspace;

/* Places the shorts of two chunks and of a pass in the scratch, if the level has shorts and the scratch is large
 * enough. */
static void place_shorts(ifn_q8_product *p, const ifn_call *call)
{
    enum { CHUNKS = 2 * Q8_SHORTS_CHUNK };
    const int64_t row = p->n_blocks * 32 * (int64_t)sizeof *p->x_shorts;
    const int64_t room = (int64_t)call->scratch_bytes - CHUNKS;
    const ifn_q8_short_kernels *const kernels = IFN_Q8_KERNEL(q8_short_kernels_of)(p->w->dtype);
    if (!kernels || !call->scratch || row == 0 || room < row * p->kernels->columns)
        return;
    uint8_t *const scratch = call->scratch;
    p->of_shorts = kernels;
    p->chunk_shorts[0] = scratch;
    p->chunk_shorts[1] = scratch + Q8_SHORTS_CHUNK;
    p->x_shorts = (int16_t *)(void *)(scratch + CHUNKS);
    p->x_shorts_rows = ifn_max(ifn_min(room, SHORTS_MOST) / row, p->kernels->columns);
}

static int64_t shorts_bytes(const ifn_limits *max)
{
    const int64_t row = (max->k + 31) / 32 * 32 * (int64_t)sizeof(int16_t);
    if (!IFN_Q8_KERNEL(q8_short_kernels_of)(IFN_DTYPE_Q8_0))
        return 0;
    return 2 * Q8_SHORTS_CHUNK + ifn_max(ifn_min(Q8_ROWS * row, SHORTS_MOST), Q8_COLUMNS * row);
}

size_t IFN_KERNEL(linear_q8_scratch_bytes)(const ifn_limits *max)
{
    return (size_t)shorts_bytes(max) + IFN_KERNEL(q8_strips_bytes)(max);
}

/* Widens the codes of rows to shorts, block by block: first the codes at even places, then the others. */
static void fill_shorts(const ifn_q8_product *p, int64_t row, int64_t rows)
{
    int16_t *to = p->x_shorts;
    for (int64_t r = row; r < row + rows; r++)
        for (int64_t b = 0; b < p->n_blocks; b++, to += 32) {
            const int8_t *const codes = p->x[r * p->x_stride + b].qs;
            for (int i = 0; i < 16; i++) {
                to[i] = codes[2 * i];
                to[16 + i] = codes[2 * i + 1];
            }
        }
}

/* How the columns of a pass form tiles: of equal width, but the first ones are wider by one. */
typedef struct tiling {
    int64_t n, wider;
    int width;
} tiling;

static tiling tiles_of(int64_t columns, int most)
{
    const int64_t n = (columns + most - 1) / most;
    return (tiling){n, columns % n, (int)(columns / n)};
}

static int tile_width(const tiling *t, int64_t tile)
{
    return t->width + (tile < t->wider);
}

/* Computes the words of blocks [from, from + n) of every tile of a pass, tile after tile. */
static void fill_words(const ifn_q8_product *p, int64_t row, const tiling *tiles, int64_t from,
                       int64_t n, ifn_q8_word *words)
{
    const int groups = p->format->groups;
    for (int64_t tile = 0, first = 0, width; tile < tiles->n; tile++, first += width) {
        width = tile_width(tiles, tile);
        const ifn_block_q8_32f *const x = p->x + (row + first) * p->x_stride + from;
        for (int64_t c = 0; c < width; c++)
            for (int64_t b = 0; b < n; b++)
                for (int g = 0; g < groups; g++)
                    words[(first * n + b * width) * groups + g * width + c] =
                        ifn_q8_word_of(p->format, x + c * p->x_stride + b, g);
    }
}

static ifn_q8_panel unpack(const ifn_q8_product *p, int64_t panel, int64_t from, int64_t n,
                           int side, ifn_q8_chunk *chunk)
{
    const uint8_t *codes = chunk->codes;
    if (p->packed) {
        const uint8_t *const packed = ifn_q8_packed_panel(p, panel) + ifn_q8_bytes(p->format, from);
        p->kernels->unpack(packed, n, chunk);
        if (p->format->bits == 8)
            codes = packed + ifn_q8_scales_bytes(p->format, n);
    } else {
        IFN_Q8_KERNEL(q8_unpack_raw)(p->format, p->w, panel * VL, from, n, chunk);
    }
    if (p->of_shorts) {
        uint8_t *const shorts = p->chunk_shorts[side];
        p->of_shorts->widen(codes, n, shorts);
        codes = shorts;
    }
    return (ifn_q8_panel){codes, chunk->scale, chunk->shift, chunk->min};
}

/* The shorts of column c of a pass, from block `from` on. */
static const int16_t *shorts_at(const ifn_q8_product *p, int64_t c, int64_t from)
{
    return p->of_shorts ? p->x_shorts + (c * p->n_blocks + from) * 32 : NULL;
}

/* Multiplies the columns of the pass that begins at `row` by `panel` and the next panel, if there is one.
 * ws->words hold all blocks, or have room for the words of a chunk. */
static void multiply_panels(const ifn_q8_product *p, int64_t row, const tiling *tiles,
                            int64_t panel, int n_panels, bool has_all_words, workspace *ws)
{
    const int groups = p->format->groups;
    ifn_q8_tile_fn *const *const multiply_tile =
        p->of_shorts ? p->of_shorts->tile : p->kernels->tile;
    int64_t from = 0;
    do {
        const int64_t n = p->n_blocks - from < Q8_CHUNK ? p->n_blocks - from : Q8_CHUNK;
        ifn_q8_panel w[2];
        w[0] = unpack(p, panel, from, n, 0, &ws->chunk[0]);
        w[1] = n_panels == 2 ? unpack(p, panel + 1, from, n, 1, &ws->chunk[1]) : w[0];
        if (!has_all_words)
            fill_words(p, row, tiles, from, n, ws->words);
        ifn_q8_fetch fetch[2];
        for (int i = 0; i < 2; i++)
            fetch[i] = ifn_q8_fetch_next(p, panel + i, from, n, tiles->n);
        for (int64_t tile = 0, first = 0, width; tile < tiles->n; tile++, first += width) {
            width = tile_width(tiles, tile);
            for (int i = 0; i < 2; i++)
                ifn_q8_fetch_share(&fetch[i]);
            const int64_t words = has_all_words ? first * p->n_blocks + from * width : first * n;
            const ifn_q8_columns x = {p->x + (row + first) * p->x_stride + from, p->x_stride,
                                      ws->words + words * groups, shorts_at(p, first, from),
                                      32 * p->n_blocks};
            float *const sums = ws->sums + first * 2 * VL;
            for (int64_t r = 0; from + n == p->n_blocks && r < width; r++)
                ifn_q8_prefetch_out(p, row + first + r, panel);
            if (from == 0)
                memset(sums, 0, (size_t)width * 2 * VL * sizeof *sums);
            multiply_tile[width - 1](w, &x, n, sums);
            if (from + n == p->n_blocks)
                ifn_q8_store_tile(p, row + first, width, panel, n_panels, sums);
        }
        from += n;
    } while (from < p->n_blocks);
}

/*
 * Multiplies rows [row, row + n) by `panel`; with several streams, by panels `panel`, panel + stride, ...
 * More than Q8_FEW rows are multiplied piece by piece; all pieces but the first find the panels in a cache.
 */
static void multiply_side_by_side(const ifn_q8_product *p, ifn_cpu_streams streams, int64_t row,
                                  int64_t n, int64_t panel, int64_t stride, workspace *ws)
{
    const int n_panels = streams == IFN_STREAMS_SEVERAL ? ifn_q8_streams((int)n) : 1;
    const int64_t words = p->n_blocks * p->format->groups;
    const ifn_q8_panels w = {ifn_q8_packed_panel(p, panel),
                             (size_t)stride * ifn_q8_bytes(p->format, p->n_blocks), p->n_blocks};
    const tiling pieces = tiles_of(n, Q8_FEW);
    for (int64_t piece = 0, r = 0, width; piece < pieces.n; piece++, r += width) {
        width = tile_width(&pieces, piece);
        const ifn_q8_columns x = {.x = p->x + (row + r) * p->x_stride,
                                  .x_stride = p->x_stride,
                                  .words = ws->words + r * words};
        p->kernels->few[streams][width - 1](&w, &x, ws->sums);
        for (int s = 0; s < n_panels; s++)
            for (int64_t c = 0; c < width; c++)
                ifn_q8_store_panel(p, row + r + c, panel + s * stride,
                                   ws->sums + (s * width + c) * VL);
    }
}

/* Multiplies few rows, with weights unpacked in registers. If the core reads several streams best, the panels form
 * n_streams runs of equal length, which are read side by side; the remaining panels follow one by one. */
static void multiply_few(const ifn_q8_product *p, int64_t row, int64_t n, int64_t first,
                         int64_t last, workspace *ws)
{
    const ifn_cpu_streams best = ifn_cpu_best_streams();
    const int n_streams = ifn_q8_streams((int)n);
    const int64_t share = best == IFN_STREAMS_SEVERAL ? (last - first + 1) / n_streams : 0;
    for (int64_t i = first; i < first + share; i++)
        multiply_side_by_side(p, IFN_STREAMS_SEVERAL, row, n, i, share, ws);
    const ifn_cpu_streams one = best == IFN_STREAM_FETCHED ? best : IFN_STREAM_FOLLOWED;
    for (int64_t panel = first + share * n_streams; panel <= last; panel++)
        multiply_side_by_side(p, one, row, n, panel, 0, ws);
}

static void multiply(const ifn_q8_product *p, ifn_range rows)
{
    workspace ws;
    const int64_t words = p->n_blocks * p->format->groups;
    const int64_t first = p->features.begin / VL, last = (p->features.end - 1) / VL;
    const int64_t fitting = words ? Q8_WORDS / words : Q8_ROWS;
    const bool has_all_words = fitting > 0;
    /* Rows of a pass; if there is no room for all words of a row, a pass is one tile, with the words of a chunk. */
    int64_t most = !has_all_words ? p->kernels->columns : fitting < Q8_ROWS ? fitting : Q8_ROWS;
    if (p->of_shorts)
        most = ifn_min(most, p->x_shorts_rows);
    int64_t row = rows.begin;
    for (int64_t n; p->of_strips && rows.end - row >= Q8_STRIPS_FROM; row += n) {
        n = ifn_min(rows.end - row, p->n_strips * Q8_STRIP);
        IFN_KERNEL(q8_multiply_strips)(p, row, n, first, last);
    }
    for (int64_t n; row < rows.end; row += n) {
        n = rows.end - row < most ? rows.end - row : most;
        const bool is_few = n <= Q8_FEW_ROWS && p->packed && has_all_words;
        const tiling tiles = tiles_of(n, is_few ? Q8_FEW : p->kernels->columns);
        if (has_all_words)
            fill_words(p, row, &tiles, 0, p->n_blocks, ws.words);
        if (is_few) {
            multiply_few(p, row, n, first, last, &ws);
            continue;
        }
        if (p->of_shorts)
            fill_shorts(p, row, n);
        for (int64_t panel = first; panel <= last; panel += 2)
            multiply_panels(p, row, &tiles, panel, panel < last ? 2 : 1, has_all_words, &ws);
    }
}

static int fits(const ifn_linear_q8_args *a)
{
    if (a->rows < 0 || a->x_stride < a->k / 32 ||
        !ifn_scalar_weights_fit(a->n_w, a->w, a->out_stride, a->k))
        return 0;
    for (int64_t i = 0; i < a->n_w; i++)
        if (!IFN_Q8_KERNEL(q8_format_of)(a->w[i]->dtype))
            return 0;
    return 1;
}

ifn_status IFN_KERNEL(linear_q8)(ifn_backend *self, const ifn_linear_q8_args *a)
{
    (void)self;
    if (!fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range part = {a->part_begin, a->part_end};
    const ifn_range rows = ifn_part(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; i++) {
        const ifn_dtype dtype = a->w[i]->dtype;
        ifn_q8_product p = {.format = IFN_Q8_KERNEL(q8_format_of)(dtype),
                            .kernels = IFN_Q8_KERNEL(q8_kernels_of)(dtype),
                            .w = a->w[i],
                            .packed = ifn_simd_packed_linear_q8(a->packed[i]),
                            .x = a->x,
                            .x_stride = a->x_stride,
                            .n_blocks = a->k / 32,
                            .features = ifn_part_of_weight(part, a->w, i),
                            .bias = a->bias[i],
                            .out = a->out[i],
                            .out_stride = a->out_stride[i]};
        place_shorts(&p, &a->call);
        IFN_KERNEL(q8_place_strips)(&p, &a->call);
        if (p.features.begin < p.features.end)
            multiply(&p, rows);
    }
    return IFN_OK;
}
