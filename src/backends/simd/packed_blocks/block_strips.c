/*
 * Many rows of activations on levels with tile registers: strips of Q8_STRIP rows, which are copied once per pass into
 * the layout of those registers, times two panels of weights at a time, chunk by chunk of k.
 */
#include "block_product.h"

#include "min_max.h"

/* The most strips of a pass, and their bytes: a chunk of weights is unpacked once for all of them. They stay in L2,
 * which has 2 MiB on every processor with tile registers. */
enum { STRIPS = 16, STRIPS_BYTES = 3 << 19 };

void IFN_KERNEL(q8_place_strips)(ifn_q8_product *p, const ifn_call *call)
{
    const int64_t strip = p->n_blocks * (int64_t)sizeof *p->strips;
    const int64_t room = ifn_min((int64_t)call->scratch_bytes, STRIPS_BYTES);
    if (!call->scratch || strip == 0 || (int64_t)call->scratch_bytes < strip)
        return;
    p->of_strips = IFN_KERNEL(q8_strip_kernels_of)(p->w->dtype);
    p->strips = call->scratch;
    p->n_strips = ifn_max(ifn_min(room / strip, STRIPS), 1);
}

size_t IFN_KERNEL(q8_strips_bytes)(const ifn_limits *max)
{
    const int64_t strip = (max->k + 31) / 32 * (int64_t)sizeof(ifn_q8_strip_block);
    return (size_t)ifn_max(ifn_min(STRIPS * strip, STRIPS_BYTES), strip);
}

static void fill_row(const ifn_q8_format *f, const ifn_block_q8_32f *x, int r,
                     ifn_q8_strip_block *to)
{
    memcpy(to->qs[r], x->qs, sizeof x->qs);
    to->d[r] = x->d;
    for (int g = 0; g < f->groups && f->has_min; g++)
        to->sum[g][r] = ifn_q8_word_of(f, x, g).sum;
}

/* Copies rows into strips, which are written from begin to end; the rows are read as parallel streams, which the
 * hardware prefetcher follows. */
static void fill_strips(const ifn_q8_product *p, int64_t row, int64_t rows)
{
    static const ifn_block_q8_32f zeros;
    ifn_q8_strip_block *to = p->strips;
    for (int64_t first = 0; first < rows; first += Q8_STRIP)
        for (int64_t b = 0; b < p->n_blocks; b++, to++)
            for (int r = 0; r < Q8_STRIP; r++)
                fill_row(p->format,
                         first + r < rows ? p->x + (row + first + r) * p->x_stride + b : &zeros, r,
                         to);
}

static ifn_q8_panel unpack(const ifn_q8_product *p, int64_t panel, int64_t from, int64_t n,
                           ifn_q8_chunk *chunk)
{
    if (p->packed) {
        p->of_strips->unpack_signed(ifn_q8_packed_panel(p, panel) + ifn_q8_bytes(p->format, from),
                                    n, chunk);
    } else {
        IFN_Q8_KERNEL(q8_unpack_raw)(p->format, p->w, panel * VL, from, n, chunk);
        p->of_strips->make_signed(p->format, chunk->codes, n);
    }
    return (ifn_q8_panel){chunk->codes, chunk->scale, chunk->shift, chunk->min};
}

/* The sums and unpacked chunks of a pass, 60 KiB. */
typedef struct workspace {
    _Alignas(64) float sums[STRIPS * Q8_STRIP * 2 * VL];
    _Alignas(64) ifn_q8_chunk chunk[2];
} workspace;

/* Multiplies the strips of `rows` rows by blocks [from, from + n) of `panel` and the next panel, if there is one. */
static void multiply_chunk(const ifn_q8_product *p, int64_t row, int64_t rows, int64_t panel,
                           int n_panels, int64_t from, int64_t n, workspace *ws)
{
    const int64_t n_strips = (rows + Q8_STRIP - 1) / Q8_STRIP;
    const bool is_last = from + n == p->n_blocks;
    ifn_q8_panel w[2];
    ifn_q8_fetch fetch[2];
    for (int i = 0; i < n_panels; i++)
        w[i] = unpack(p, panel + i, from, n, &ws->chunk[i]);
    for (int i = 0; i < 2; i++)
        fetch[i] = ifn_q8_fetch_next(p, panel + i, from, n, n_strips);
    for (int64_t s = 0; s < n_strips; s++) {
        const int64_t first = s * Q8_STRIP, width = ifn_min(rows - first, Q8_STRIP);
        float *const sums = ws->sums + first * 2 * VL;
        for (int i = 0; i < 2; i++)
            ifn_q8_fetch_share(&fetch[i]);
        for (int64_t r = 0; is_last && r < width; r++)
            ifn_q8_prefetch_out(p, row + first + r, panel);
        for (int i = 0; i < n_panels; i++)
            p->of_strips->multiply(&w[i], p->strips + s * p->n_blocks + from, n, from == 0,
                                   sums + i * VL);
        if (is_last)
            ifn_q8_store_tile(p, row + first, width, panel, n_panels, sums);
    }
}

void IFN_KERNEL(q8_multiply_strips)(const ifn_q8_product *p, int64_t row, int64_t rows,
                                    int64_t first, int64_t last)
{
    workspace ws;
    fill_strips(p, row, rows);
    p->of_strips->open(32 / p->format->groups);
    for (int64_t panel = first; panel <= last; panel += 2)
        for (int64_t from = 0; from < p->n_blocks; from += Q8_CHUNK)
            multiply_chunk(p, row, rows, panel, panel < last ? 2 : 1, from,
                           ifn_min(p->n_blocks - from, Q8_CHUNK), &ws);
    p->of_strips->close();
}
