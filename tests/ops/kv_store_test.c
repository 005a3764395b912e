#include <math.h>

#include <inferno/quant.h>

#include "op_case.h"

typedef struct store {
    const float *k, *v;
    unsigned char *k_cache, *v_cache;
    int64_t rows, first_pos, max_pos, n_kv_heads, head_dim;
    ifn_dtype dtype;
    size_t row_bytes;
} store;

static store build(op_case *c, uint64_t seed)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    op_begin(c, IFN_OP_KV_STORE, seed);
    store t = {.rows = op_size(c, 6), .first_pos = op_size(c, 9), .n_kv_heads = op_size(c, 5)};
    t.dtype = dtypes[seed % 3];
    t.max_pos = t.first_pos + t.rows + op_size(c, 5);
    t.head_dim = t.dtype == IFN_DTYPE_Q8_0 ? 32 * op_size(c, 3) : op_size(c, 70);
    t.row_bytes = ifn_dtype_row_bytes(t.dtype, t.head_dim);
    t.k = op_floats(c, t.rows * t.n_kv_heads * t.head_dim, op_kind(c));
    t.v = op_floats(c, t.rows * t.n_kv_heads * t.head_dim, op_kind(c));
    t.k_cache = op_output_some(c, t.n_kv_heads * t.max_pos * t.row_bytes);
    t.v_cache = op_output_some(c, t.n_kv_heads * t.max_pos * t.row_bytes);
    c->args.kv_store =
        IFN_ARGS(kv_store, .k_cache = t.k_cache, .v_cache = t.v_cache, .k = t.k, .v = t.v,
                 .rows = t.rows, .first_pos = t.first_pos, .max_pos = t.max_pos,
                 .n_kv_heads = t.n_kv_heads, .head_dim = t.head_dim, .cache_dtype = t.dtype);
    op_shape(c, "%s, rows %d at %d of %d, heads %d, head_dim %d", ifn_dtype_name(t.dtype),
             (int)t.rows, (int)t.first_pos, (int)t.max_pos, (int)t.n_kv_heads, (int)t.head_dim);
    return t;
}

static void expect_row(const op_case *c, const store *t, const unsigned char *cache,
                       const float *rows, int64_t head, int64_t pos)
{
    unsigned char row[96 * sizeof(float)];
    const unsigned char *const at = cache + (size_t)(head * t->max_pos + pos) * t->row_bytes;
    const int64_t r = pos - t->first_pos;
    if (r < 0 || r >= t->rows) {
        op_expect_untouched(c, "another position", at, t->row_bytes);
        return;
    }
    const float *const x = rows + (r * t->n_kv_heads + head) * t->head_dim;
    assert_int_equal(ifn_quantize_row(t->dtype, x, row, t->head_dim), IFN_OK);
    op_expect_bytes(c, "row", at, row, t->row_bytes);
}

TEST(new_rows_are_converted_into_place_and_nothing_else_changes)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        const store t = build(&c, seed);
        while (op_next(&c)) {
            for (int64_t i = 0; i < t.n_kv_heads * t.max_pos && t.head_dim > 0; i++) {
                expect_row(&c, &t, t.k_cache, t.k, i / t.max_pos, i % t.max_pos);
                expect_row(&c, &t, t.v_cache, t.v, i / t.max_pos, i % t.max_pos);
            }
        }
    }
}

TEST(known_f16_values)
{
    op_case c;
    op_begin(&c, IFN_OP_KV_STORE, 0);
    const float *k = OP_IN(&c, 1, 65519, 65520, NAN);
    const float *v = OP_IN(&c, 0x1.002p0f, 0x1.006p0f, -0.0f, 0x1p-24f); /* two ties, to even */
    uint16_t *k_cache = op_output(&c, 4 * sizeof *k_cache);
    uint16_t *v_cache = op_output(&c, 4 * sizeof *v_cache);
    c.args.kv_store =
        IFN_ARGS(kv_store, .k_cache = k_cache, .v_cache = v_cache, .k = k, .v = v, .rows = 1,
                 .max_pos = 1, .n_kv_heads = 1, .head_dim = 4, .cache_dtype = IFN_DTYPE_F16);
    while (op_next(&c)) {
        op_expect_bytes(&c, "k", k_cache, (const uint16_t[]){0x3c00, 0x7bff, 0x7c00}, 6);
        assert_true((k_cache[3] & 0x7e00) == 0x7e00);
        op_expect_bytes(&c, "v", v_cache, (const uint16_t[]){0x3c00, 0x3c02, 0x8000, 0x0001}, 8);
    }
}

/* Expects one head of one row with these values, for K and for V, to be stored as ifn_quantize_row encodes it. */
static void expect_as_quantized(uint64_t seed, ifn_dtype dtype, const float *values, int64_t n)
{
    op_case c;
    unsigned char want[4096 * sizeof(uint16_t)];
    const size_t bytes = ifn_dtype_row_bytes(dtype, n);
    op_begin(&c, IFN_OP_KV_STORE, seed);
    const float *k = op_input(&c, values, (size_t)n * sizeof *k);
    void *k_cache = op_output(&c, bytes), *v_cache = op_output(&c, bytes);
    c.args.kv_store =
        IFN_ARGS(kv_store, .k_cache = k_cache, .v_cache = v_cache, .k = k, .v = k, .rows = 1,
                 .max_pos = 1, .n_kv_heads = 1, .head_dim = n, .cache_dtype = dtype);
    assert_true(bytes <= sizeof want);
    assert_int_equal(ifn_quantize_row(dtype, values, want, n), IFN_OK);
    while (op_next(&c)) {
        op_expect_bytes(&c, "k", k_cache, want, bytes);
        op_expect_bytes(&c, "v", v_cache, want, bytes);
    }
}

/* Tries the f32 of every f16, the middle between it and the next, and the floats next to that middle. */
TEST(every_f16_and_every_tie_between_two)
{
    static float x[4096];
    for (uint32_t half = 0; half < 0x10000; half += 1024) {
        for (uint32_t i = 0; i < 1024; i++) {
            const uint16_t h[2] = {(uint16_t)(half + i), (uint16_t)(half + i + 1)};
            float f[2];
            assert_int_equal(ifn_dequantize_row(IFN_DTYPE_F16, h, f, 2), IFN_OK);
            const float middle = f[0] + (f[1] - f[0]) / 2.0f;
            x[4 * i] = f[0];
            x[4 * i + 1] = middle;
            x[4 * i + 2] = nextafterf(middle, INFINITY);
            x[4 * i + 3] = nextafterf(middle, -INFINITY);
        }
        expect_as_quantized(half, IFN_DTYPE_F16, x, N_OF(x));
    }
}

/* Tries half codes, which round away from zero, scales that f16 cannot hold or holds as 0, NaN and infinity. */
TEST(ties_and_scales_of_q8_0)
{
    static const float steps[] = {1.0f,      0x1p-20f, 0x1p-24f, 0x1p-26f,
                                  0x1p-130f, 65504.0f, 65520.0f};
    float x[8 * 32];
    for (size_t s = 0; s < N_OF(steps); s++) {
        for (int i = 0; i < 8 * 32; i++)
            x[i] = steps[s] * (i % 32 ? (float)(i / 2) * (i % 2 ? 1.0f : -1.0f) + 0.5f : 127.0f);
        expect_as_quantized(s, IFN_DTYPE_Q8_0, x, N_OF(x));
    }
    x[40] = NAN;
    x[70] = -INFINITY;
    expect_as_quantized(99, IFN_DTYPE_Q8_0, x, N_OF(x));
}

TEST(what_does_not_fit_the_cache_is_refused)
{
    const ifn_kv_store_args wrong[] = {
        IFN_ARGS(kv_store, .rows = 2, .first_pos = 3, .max_pos = 4),
        IFN_ARGS(kv_store, .rows = 1, .first_pos = -1, .max_pos = 4),
        IFN_ARGS(kv_store, .rows = -1),
        IFN_ARGS(kv_store, .n_kv_heads = -1),
        IFN_ARGS(kv_store, .head_dim = -1),
        IFN_ARGS(kv_store, .head_dim = 33, .cache_dtype = IFN_DTYPE_Q8_0),
        IFN_ARGS(kv_store, .cache_dtype = IFN_DTYPE_BF16),
        IFN_ARGS(kv_store, .rows = 1, .first_pos = INT64_MAX, .max_pos = 4),
        IFN_ARGS(kv_store, .rows = 2, .first_pos = 1, .max_pos = INT64_MIN),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_KV_STORE, i);
        c.args.kv_store = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
