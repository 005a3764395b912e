#include "bf16_pairs.h"

#include "f16.h"
#include "min_max.h"
#include "turn.h"
#include "weight_panels.h"

static const uint8_t *row_of(const ifn_tensor *w, int64_t row)
{
    return (const uint8_t *)w->data + (size_t)(row * w->shape[1]) * sizeof(uint16_t);
}

static int64_t panels_of(const ifn_tensor *w)
{
    return (w->shape[0] + PAIR_COLUMNS - 1) / PAIR_COLUMNS;
}

static int64_t panel_size(const ifn_tensor *w)
{
    return pair_padded(w->shape[1]) * PAIR_COLUMNS;
}

/* Packs n_k elements of a row, one by one, into column `col` of a panel. */
static void pack_singly(const uint8_t *row, int64_t n_k, int64_t col, uint16_t *panel)
{
    for (int64_t i = 0; i < n_k; i++)
        panel[(i / 2 * PAIR_COLUMNS + col) * 2 + i % 2] = ifn_load_u16le(row + 2 * i);
}

static int exponent_of(const uint16_t *panel, int64_t size)
{
    vi least = vi_set(-1);
    for (int64_t i = 0; i < size; i += 2 * VL)
        least = vbpair_nearer(least, vi_load((const int32_t *)(const void *)(panel + i)));
    return bf16_exponent(vbpair_nearest(least) + 1);
}

int IFN_KERNEL(pack_pairs)(const ifn_tensor *w, int64_t row, int64_t k, int64_t n_k,
                           uint16_t *panel)
{
    const int64_t n = ifn_min(w->shape[0] - row, PAIR_COLUMNS),
                  size = pair_padded(n_k) * PAIR_COLUMNS;
    const bool turns = w->shape[1] % 2 == 0; /* rows are pairs from begin to end */
    memset(panel, 0, (size_t)size * sizeof *panel);
    for (int64_t col = 0; turns && col < n; col += VL)
        turn((const float *)(const void *)row_of(w, row + col) + k / 2, w->shape[1] / 2, n - col,
             n_k / 2, (float *)(void *)panel + col, PAIR_COLUMNS);
    for (int64_t col = 0; !turns && col < n; col++)
        pack_singly(row_of(w, row + col) + 2 * k, n_k, col, panel);
    return exponent_of(panel, size);
}

static size_t packed_bytes(const ifn_tensor *w, uint32_t uses)
{
    if (w->dtype != IFN_DTYPE_BF16)
        return IFN_GEMM_KERNEL(weight_packing).bytes(w, uses);
    return (size_t)panels_of(w) * ((size_t)panel_size(w) * sizeof(uint16_t) + sizeof(int32_t));
}

static void pack(const ifn_tensor *w, void *out)
{
    if (w->dtype != IFN_DTYPE_BF16) {
        IFN_GEMM_KERNEL(weight_packing).pack(w, out);
        return;
    }
    uint16_t *panel = out;
    int32_t *const exponents = (int32_t *)(void *)(panel + panels_of(w) * panel_size(w));
    for (int64_t i = 0; i < panels_of(w); i++, panel += panel_size(w))
        exponents[i] = IFN_KERNEL(pack_pairs)(w, i * PAIR_COLUMNS, 0, w->shape[1], panel);
}

/* Where the first element of column `col` lies, k of them PAIR_COLUMNS apart in pairs. */
static const uint16_t *column_of(const ifn_tensor *w, const void *packed, int64_t col)
{
    return (const uint16_t *)packed + col / PAIR_COLUMNS * panel_size(w) + col % PAIR_COLUMNS * 2;
}

static uint16_t element_of(const uint16_t *column, int64_t k)
{
    return column[k / 2 * 2 * PAIR_COLUMNS + k % 2];
}

static void unpack_row(const ifn_tensor *w, const void *packed, int64_t row, float *out)
{
    if (w->dtype != IFN_DTYPE_BF16) {
        IFN_GEMM_KERNEL(weight_packing).row(w, packed, row, out);
        return;
    }
    const uint16_t *const column = column_of(w, packed, row);
    for (int64_t i = 0; i < w->shape[1]; i++)
        out[i] = ifn_bf16_to_f32(element_of(column, i));
}

const ifn_simd_packing IFN_KERNEL(pair_packing) = {
    .bytes = packed_bytes, .pack = pack, .row = unpack_row};

static void fill_widened(const gemm_source *self, int64_t col, int n, int width, int64_t k,
                         int64_t n_k, float *panel)
{
    const packed_pairs *const packed = (const packed_pairs *)(const void *)self;
    memset(panel, 0, (size_t)(n_k * width) * sizeof *panel);
    for (int i = 0; i < n; i++) {
        const uint16_t *const column = column_of(self->w, packed->panels, col + i);
        for (int64_t j = 0; j < n_k; j++)
            panel[j * width + i] = ifn_bf16_to_f32(element_of(column, k + j));
    }
}

packed_pairs IFN_KERNEL(packed_pairs)(const ifn_tensor *w, const void *packed)
{
    const uint16_t *const panels = packed;
    return (packed_pairs){
        .source = {.w = w, .k_unit = VL, .fill = fill_widened},
        .panels = panels,
        .exponents =
            packed ? (const int32_t *)(const void *)(panels + panels_of(w) * panel_size(w)) : NULL};
}
