/*
 * kv_store: rows to f16 with the level's conversion, to Q8_0 bit for bit as numerics 8.2 says.
 * Reads 4 bytes of an element, writes 4, 2 or 34/32. The floor: what is written lies head after
 * head, far apart.
 */
#include <inferno/spans.h>

#include "bytes.h"
#include "map.h"
#include "quantize_q8_32f.h"
#include "scalar.h"

/* round(x), |x| < 2^22, ties away from zero: the nearest even integer, and one more where a half
 * was taken off. */
static inline vi round_away(vf x)
{
    const vi sign = vi_and(vf_bits(x), vi_set(INT32_MIN));
    const vf half = vi_floats(vi_or(sign, vi_set(0x3f000000)));
    const vf even = vi_convert(vf_rint(x));
    const vm is_short = vf_equal(vf_sub(x, even), half);
    return vf_rint(vf_add(even, vf_select(is_short, vf_add(half, half), vf_zero())));
}

static void quantize_block_q8_0(const float *x, unsigned char *out)
{
    ifn_block_q8_0 block = {0};
    const float d = ifn_f32_from_bits(ifn_largest_bits(x)) / 127.0f;
    const uint16_t stored = ifn_f16_or_nan(d);
    ifn_store_u16le(&block.d, stored);
    if (ifn_f16_is_usable(stored)) {
        const vf id = vf_set(1.0f / d);
        for (int j = 0; j < 32; j += VL)
            vi_store_i8(block.qs + j, round_away(vf_mul(vf_load(x + j), id)));
    }
    memcpy(out, &block, sizeof block);
}

static void store_row(ifn_dtype dtype, const float *x, unsigned char *out, int64_t n_all)
{
    if (dtype == IFN_DTYPE_F32) {
        memcpy(out, x, (size_t)n_all * sizeof *x);
    } else if (dtype == IFN_DTYPE_F16) {
        uint16_t *const half = (uint16_t *)(void *)out;
        for (int64_t i = 0; i < n_all; i += VL) {
            const int n = n_all - i < VL ? (int)(n_all - i) : VL;
            vf_store_f16_n(half + i, vf_get(x + i, n), n);
        }
    } else {
        for (int64_t i = 0; i < n_all; i += 32, out += sizeof(ifn_block_q8_0))
            quantize_block_q8_0(x + i, out);
    }
}

static void store_head(const ifn_kv_store_args *a, void *cache, const float *rows, int64_t head)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    unsigned char *const first = (unsigned char *)cache + (size_t)(head * a->max_pos) * row_bytes;
    for (int64_t r = 0; r < a->rows; r++) {
        const int64_t at = ifn_page_row(a->pages, a->page_rows, a->first_pos + r);
        store_row(a->cache_dtype, rows + (r * a->n_kv_heads + head) * a->head_dim,
                  first + (size_t)at * row_bytes, a->head_dim);
    }
}

ifn_status IFN_KERNEL(kv_store)(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->n_spans != 0)
        return ifn_kv_store_by_spans(self, a, IFN_KERNEL(kv_store));
    if (!ifn_scalar_kv_store_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_kv_heads);
    for (int64_t h = heads.begin; h < heads.end; h++) {
        store_head(a, a->k_cache, a->k, h);
        store_head(a, a->v_cache, a->v, h);
    }
    return IFN_OK;
}
