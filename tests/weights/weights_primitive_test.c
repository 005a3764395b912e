#include <inferno/quant.h>

#include <stdlib.h>

#include "fail_alloc.h"
#include "weights_road.h"

static void assert_transposed(const ifn_weight *w)
{
    const int64_t n = w->raw->shape[0], k = w->raw->shape[1];
    const size_t row_bytes = ifn_dtype_row_bytes(w->raw->dtype, k);
    float *row = malloc((size_t)k * sizeof *row);
    assert_non_null(w->transposed);
    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(ifn_dequantize_row(w->raw->dtype,
                                            (const char *)w->raw->data + (size_t)i * row_bytes, row,
                                            k),
                         IFN_OK);
        for (int64_t j = 0; j < k; j++)
            assert_that(memcmp(&row[j], &w->transposed[j * n + i], 4) == 0, "%s[%lld, %lld]",
                        w->raw->name, (long long)i, (long long)j);
    }
    free(row);
}

TEST(copies_are_decoded_and_transposed)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q4_K};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const tiny_model m = tiny_wide("qwen2", dtypes[i]);
        half_road r = half_road_open(&m);
        ifn_weights *w = weights_of(&r, r.scalar, IFN_USE_MATMUL | IFN_USE_GATHER_ROWS);
        assert_transposed(&w->layers[1].qkv.w[1]);
        assert_transposed(&w->layers[0].ffn_down.w[0]);
        assert_transposed(&w->output.w[0]);
        assert_null(w->token_embd.w[0].transposed); /* gathered, never multiplied */
        assert_true(ifn_weights_bytes(w) == ifn_weights_primitive_bytes(r.model));
        ifn_weights_unref(w);
        half_road_close(&r);
    }
}

TEST(without_matmul_there_are_no_copies)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    ifn_weights *w = weights_of(&r, r.scalar, IFN_USE_LINEAR);
    assert_null(w->output.w[0].transposed);
    ifn_weights_unref(w);
    half_road_close(&r);
}

TEST(buffers_come_from_the_backend_and_go_back)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    for (long n = 0; n < 60; n += 7) {
        fail_alloc failing;
        fail_alloc_init(&failing, -1);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &failing.allocator);
        ifn_backend *b;
        ifn_weights *w;
        ifn_error err = {0};
        assert_ok(ifn_backend_open("scalar", &options, &b, &err), err);
        const long before = failing.live_blocks;
        failing.fail_at = failing.n_calls + n;
        const ifn_status status =
            ifn_weights_open(r.model, b, IFN_USE_MATMUL, NULL, NULL, &w, &err);
        if (status == IFN_OK)
            ifn_weights_unref(w);
        else
            assert_non_null(strstr(err.text, "f32 copy"));
        assert_int_equal(failing.live_blocks, before);
        ifn_backend_close(b);
        assert_int_equal(failing.live_blocks, 0);
    }
    half_road_close(&r);
}
