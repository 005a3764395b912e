#include "weight_panels.h"

#include "gemm_tile.h"
#include "min_max.h"

static const uint8_t *row_of(const ifn_tensor *w, int64_t row, int64_t k)
{
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, w->shape[1]);
    return (const uint8_t *)w->data + (size_t)row * row_bytes + ifn_dtype_row_bytes(w->dtype, k);
}

static void fill_turned(const gemm_source *self, int64_t col, int n, int width, int64_t k,
                        int64_t n_k, float *panel)
{
    const ifn_tensor *const w = self->w;
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, w->shape[1]);
    for (int64_t done = 0, some; done < n_k; done += some, panel += some * width) {
        some = ifn_min(n_k - done, SOURCE_K);
        for (int i = 0; i < width; i += VL)
            turn_rows(w->dtype, row_of(w, col + i, 0), row_bytes, n - i, k + done, some, panel + i,
                      width);
    }
}

gemm_source IFN_KERNEL(weight_source)(const ifn_tensor *w)
{
    const int64_t block = ifn_dtype_block_elements(w->dtype);
    return (gemm_source){.w = w, .k_unit = block > VL ? block : VL, .fill = fill_turned};
}

/* Columns of all panels, including the zeros that fill the last one. */
static int64_t padded_columns(const ifn_tensor *w)
{
    return (w->shape[0] + VL - 1) / VL * VL;
}

static size_t packed_bytes(const ifn_tensor *w, uint32_t uses)
{
    (void)uses;
    const size_t size = w->dtype == IFN_DTYPE_F32                                 ? 4
                        : w->dtype == IFN_DTYPE_F16 || w->dtype == IFN_DTYPE_BF16 ? 2
                                                                                  : 0;
    return (size_t)padded_columns(w) * (size_t)w->shape[1] * size;
}

/* Packs one panel of 2-byte elements, with their bits unchanged. */
static void pack_halves(const ifn_tensor *w, int64_t col, int n, int width, uint16_t *panel)
{
    const int64_t k = w->shape[1];
    memset(panel, 0, (size_t)(k * width) * sizeof *panel);
    for (int i = 0; i < n; i++) {
        const uint8_t *const row = row_of(w, col + i, 0);
        for (int64_t j = 0; j < k; j++)
            memcpy(panel + j * width + i, row + 2 * j, sizeof *panel);
    }
}

static void pack(const ifn_tensor *w, void *out)
{
    const gemm_source source = IFN_KERNEL(weight_source)(w);
    const int64_t n = w->shape[0], k = w->shape[1];
    for (int64_t col = 0; col < n;) {
        const int width = panel_width(n - col), some = (int)ifn_min(n - col, width);
        if (w->dtype == IFN_DTYPE_F32)
            source.fill(&source, col, some, width, 0, k, (float *)out + col * k);
        else
            pack_halves(w, col, some, width, (uint16_t *)out + col * k);
        col += width;
    }
}

/* Decodes a row of the weight, which is a column of its panel: one element from each of k panel rows. */
static void unpack_row(const ifn_tensor *w, const void *packed, int64_t row, float *out)
{
    const int64_t k = w->shape[1], whole = w->shape[0] / PANEL * PANEL;
    const int64_t width = row < whole ? PANEL : VL, col = row / width * width;
    const float *const floats = (const float *)packed + col * k + row - col;
    const uint16_t *const halves = (const uint16_t *)packed + col * k + row - col;
    for (int64_t i = 0; i < k; i++)
        out[i] = w->dtype == IFN_DTYPE_F32   ? floats[i * width]
                 : w->dtype == IFN_DTYPE_F16 ? ifn_f16_to_f32(halves[i * width])
                                             : ifn_bf16_to_f32(halves[i * width]);
}

const ifn_simd_packing IFN_KERNEL(weight_packing) = {
    .bytes = packed_bytes, .pack = pack, .row = unpack_row};

static const uint16_t *halves_at(const gemm_source *self, int64_t col, int width, int64_t k)
{
    const packed_halves *const packed = (const packed_halves *)(const void *)self;
    return packed->panels + col * self->w->shape[1] + k * width;
}

/* Widens a packed panel to f32: the order of elements stays. */
static void fill_widened(const gemm_source *self, int64_t col, int n, int width, int64_t k,
                         int64_t n_k, float *panel)
{
    (void)n;
    const uint16_t *const from = halves_at(self, col, width, k);
    if (self->w->dtype == IFN_DTYPE_F16) {
        for (int64_t i = 0; i < n_k * width; i += VL)
            vf_store(panel + i, vf_load_f16(from + i));
    } else {
        for (int64_t i = 0; i < n_k * width; i += VL)
            vf_store(panel + i, vf_load_bf16(from + i));
    }
}

packed_halves IFN_KERNEL(packed_halves)(const ifn_tensor *w, const void *packed)
{
    return (packed_halves){.source = {.w = w, .k_unit = VL, .fill = fill_widened, .at = halves_at},
                           .panels = packed};
}
