#include "fail_alloc.h"
#include "weights_road.h"

TEST(groups_hold_what_one_input_feeds)
{
    const tiny_model m = tiny_default("qwen2");
    half_road r = half_road_open(&m);
    ifn_weights *w = weights_of(&r, r.scalar, IFN_USE_LINEAR | IFN_USE_GATHER_ROWS);
    const ifn_layer_weights *l = &w->layers[1];
    assert_int_equal(l->qkv.n, 3);
    assert_string_equal(l->qkv.w[2].raw->name, "blk.1.attn_v.weight");
    assert_ptr_equal(l->qkv.w[0].bias, ifn_model_layer(r.model, 1)->attn_q_bias->data);
    assert_int_equal(l->gate_up.n, 2);
    assert_null(l->ffn_down.w[0].bias);
    assert_string_equal(w->output.w[0].raw->name, "output.weight");
    assert_int_equal(ifn_weights_bytes(w), 0);
    ifn_weights_unref(w);
    half_road_close(&r);
}

TEST(the_last_reference_releases_everything)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    fail_alloc counting;
    ifn_weights *w;
    ifn_error err;
    fail_alloc_init(&counting, -1);
    assert_ok(
        ifn_weights_open(r.model, r.scalar, IFN_USE_LINEAR, NULL, &counting.allocator, &w, &err),
        err);
    assert_ptr_equal(ifn_weights_ref(w), w);
    ifn_weights_unref(w);
    assert_true(counting.live_blocks > 0);
    ifn_weights_unref(w);
    assert_int_equal(counting.live_blocks, 0);
    ifn_weights_unref(NULL);
    half_road_close(&r);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    for (long n = 0;; n++) {
        fail_alloc failing;
        ifn_weights *w;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_status status =
            ifn_weights_open(r.model, r.scalar, IFN_USE_LINEAR, NULL, &failing.allocator, &w, &err);
        if (status == IFN_OK) {
            assert_int_equal(n, 2);
            ifn_weights_unref(w);
            break;
        }
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_null(w);
        assert_non_null(strstr(err.text, "memory"));
        assert_int_equal(failing.live_blocks, 0);
    }
    half_road_close(&r);
}

typedef struct steps {
    int64_t n, last, total;
} steps;

static void count_step(void *cookie, int64_t done, int64_t total)
{
    steps *s = cookie;
    assert_true(done > s->last);
    s->n++;
    s->last = done;
    s->total = total;
}

static int64_t bytes_of(const ifn_tensor *w)
{
    return w->shape[0] * (int64_t)ifn_dtype_row_bytes(w->dtype, w->shape[1]);
}

static int64_t matrix_bytes(const ifn_model *model)
{
    const ifn_model_tensors *const all = ifn_model_tensors_of(model);
    int64_t bytes = bytes_of(all->token_embd) + bytes_of(all->output);
    for (int64_t i = 0; i < ifn_model_hparams(model)->n_layers; i++) {
        const ifn_layer *const l = ifn_model_layer(model, i);
        bytes += bytes_of(l->attn_q) + bytes_of(l->attn_k) + bytes_of(l->attn_v) +
                 bytes_of(l->attn_output) + bytes_of(l->ffn_gate) + bytes_of(l->ffn_up) +
                 bytes_of(l->ffn_down);
    }
    return bytes;
}

/* Progress counts bytes of the file, after each group of weights that are prepared together. */
TEST(progress_is_heard_of_up_to_the_end)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    steps s = {0};
    const ifn_progress progress = {count_step, &s};
    ifn_weights *w;
    ifn_error err;
    assert_ok(ifn_weights_open(r.model, r.scalar, IFN_USE_LINEAR, &progress, NULL, &w, &err), err);
    assert_int_equal(s.n, 1 + 2 * 4 + 1);
    assert_int_equal(s.last, s.total);
    assert_int_equal(s.total, matrix_bytes(r.model));
    ifn_weights_unref(w);
    half_road_close(&r);
}

TEST(limits_cover_the_largest_calls)
{
    const tiny_model m = tiny_default("qwen3");
    half_road r = half_road_open(&m);
    const ifn_limits l = ifn_weights_limits(r.model, 7, 100);
    assert_int_equal(l.rows, 7);
    assert_int_equal(l.max_pos, 100);
    assert_int_equal(l.k, 96);
    assert_int_equal(l.n, 192);
    assert_int_equal(l.head_dim, 16);
    half_road_close(&r);
}
