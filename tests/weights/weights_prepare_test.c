#include "weights_road.h"

/* A leaf that implements some ops by calling scalar's; its handle of a weight is the weight's address. */
static struct {
    int live, calls;
    uint32_t last_uses, accepts;
    int fail_at, is_silent; /* the call that fails, and whether without a reason */
} seen;

static ifn_status fake_prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err)
{
    (void)self;
    seen.last_uses = uses;
    const int fails = seen.calls++ == seen.fail_at;
    if (fails && seen.is_silent)
        return IFN_ERR_UNSUPPORTED;
    if (fails)
        return ifn_fail(err, IFN_ERR_NOMEM, "packing %s: out of memory", w[0]->name);
    for (int i = 0; i < n; i++) {
        out[i] = (ifn_packed){(void *)(uintptr_t)w[i], 10, seen.accepts};
        seen.live++;
    }
    return IFN_OK;
}

static void fake_release(ifn_backend *self, ifn_packed *packed)
{
    (void)self;
    assert_int_equal(packed->bytes, 10);
    seen.live--;
}

static ifn_status my_linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    (void)self;
    (void)a;
    return IFN_OK;
}

static ifn_status my_linear(ifn_backend *self, const ifn_linear_args *a)
{
    (void)self;
    (void)a;
    return IFN_OK;
}

static void fill_q8(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->linear_q8 = my_linear_q8;
}

static void fill_both(ifn_op_table *t, const ifn_backend_env *env)
{
    fill_q8(t, env);
    t->linear = my_linear;
}

static ifn_status my_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    (void)self;
    (void)a;
    return IFN_OK;
}

static void fill_all(ifn_op_table *t, const ifn_backend_env *env)
{
    fill_both(t, env);
    t->gather_rows = my_gather_rows;
}

#define FAKE(fill_fn)                                                                              \
    {                                                                                              \
        IFN_BACKEND_STAMP, .name = "fake", .summary = "packs", .fill = fill_fn,                    \
                           .prepare = fake_prepare, .release = fake_release                        \
    }
static const ifn_backend_desc fake_q8 = FAKE(fill_q8), fake_both = FAKE(fill_both),
                              fake_all = FAKE(fill_all);

static ifn_backend *open_fake(const ifn_backend_desc *desc, uint32_t accepts)
{
    ifn_backend *b;
    ifn_error err = {0};
    memset(&seen, 0, sizeof seen);
    seen.accepts = accepts;
    seen.fail_at = -1;
    assert_ok(ifn_backend_open_desc(desc, NULL, "", NULL, &b, &err), err);
    return b;
}

TEST(a_handle_goes_to_the_ops_its_maker_runs)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_q8, IFN_USE_LINEAR | IFN_USE_LINEAR_Q8);
    ifn_weights *w = weights_of(&r, b, IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS);
    const ifn_weight *q = &w->layers[0].qkv.w[0];
    assert_ptr_equal(q->handle[IFN_WEIGHT_LINEAR_Q8], q->raw);
    assert_null(q->handle[IFN_WEIGHT_LINEAR]); /* scalar's linear does not know the layout */
    assert_null(w->token_embd.w[0].handle[IFN_WEIGHT_GATHER_ROWS]);
    assert_int_equal(seen.last_uses, IFN_USE_LINEAR_Q8);
    assert_int_equal(ifn_weights_bytes(w), 10 * seen.live);
    ifn_weights_unref(w);
    assert_int_equal(seen.live, 0);
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(embeddings_that_are_the_output_are_packed_once_for_both)
{
    for (int tied = 0; tied < 2; tied++) {
        tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
        m.tied = tied;
        half_road r = half_road_open(&m);
        ifn_backend *b = open_fake(&fake_all, IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS);
        ifn_weights *w = weights_of(&r, b, IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS);
        assert_int_equal(seen.calls, 2 * 4 + (tied ? 1 : 2));
        assert_ptr_equal(w->output.w[0].handle[IFN_WEIGHT_LINEAR_Q8], w->output.w[0].raw);
        assert_ptr_equal(w->token_embd.w[0].handle[IFN_WEIGHT_GATHER_ROWS], w->token_embd.w[0].raw);
        ifn_weights_unref(w);
        assert_int_equal(seen.live, 0);
        ifn_backend_close(b);
        half_road_close(&r);
    }
}

TEST(one_maker_of_two_ops_is_asked_once)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_both, IFN_USE_LINEAR_Q8);
    ifn_weights *w = weights_of(&r, b, IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_ONE_ROW);
    assert_int_equal(seen.calls, 2 * 4 + 1);
    assert_int_equal(seen.last_uses, IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_ONE_ROW);
    assert_null(w->output.w[0].handle[IFN_WEIGHT_LINEAR]); /* not in the handle's mask */
    assert_non_null(w->output.w[0].handle[IFN_WEIGHT_LINEAR_Q8]);
    ifn_weights_unref(w);
    assert_int_equal(seen.live, 0);
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(weights_that_are_not_quantized_go_to_linear)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_F16);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_both, IFN_USE_LINEAR | IFN_USE_LINEAR_Q8);
    ifn_weights *w = weights_of(&r, b, IFN_USE_LINEAR_Q8);
    assert_int_equal(seen.last_uses, IFN_USE_LINEAR);
    assert_non_null(w->output.w[0].handle[IFN_WEIGHT_LINEAR]);
    ifn_weights_unref(w);
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(a_maker_that_fails_leaves_nothing_behind)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    for (int n = 0; n < 9; n++) {
        ifn_backend *b = open_fake(&fake_q8, IFN_USE_LINEAR_Q8);
        seen.fail_at = n;
        ifn_weights *w;
        ifn_error err = {0};
        assert_int_equal(ifn_weights_open(r.model, b, IFN_USE_LINEAR_Q8, NULL, NULL, &w, &err),
                         IFN_ERR_NOMEM);
        assert_null(w);
        assert_non_null(strstr(err.text, "packing "));
        assert_int_equal(seen.live, 0);
        ifn_backend_close(b);
    }
    half_road_close(&r);
}

TEST(a_maker_that_fails_without_a_reason_is_told_by_name)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_q8, IFN_USE_LINEAR_Q8);
    ifn_weights *w;
    ifn_error err = {.text = "left over"};
    seen.fail_at = 0;
    seen.is_silent = 1;
    assert_int_equal(ifn_weights_open(r.model, b, IFN_USE_LINEAR_Q8, NULL, NULL, &w, &err),
                     IFN_ERR_UNSUPPORTED);
    seen.is_silent = 0;
    assert_int_equal(err.status, IFN_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "prepare failed (ERR_UNSUPPORTED) and gives no reason"));
    ifn_backend_close(b);
    half_road_close(&r);
}

static ifn_status open_within(half_road *r, ifn_backend *b, const ifn_weights_params *how,
                              uint64_t *bytes, ifn_error *err)
{
    ifn_weights *w;
    const ifn_status status = ifn_weights_open_with(r->model, b, how, NULL, &w, err);
    *bytes = w ? ifn_weights_bytes(w) : 0;
    ifn_weights_unref(w);
    assert_int_equal(seen.live, 0);
    return status;
}

TEST(what_is_prepared_has_a_limit)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_q8, IFN_USE_LINEAR_Q8);
    ifn_weights_params how = IFN_SIZED(ifn_weights_params, .uses = IFN_USE_LINEAR_Q8);
    ifn_error err = {0};
    uint64_t all, bytes;
    assert_ok(open_within(&r, b, &how, &all, &err), err);
    assert_true(all > 0);
    how.max_bytes = all;
    assert_ok(open_within(&r, b, &how, &bytes, &err), err);
    how.max_bytes = all - 1;
    assert_int_equal(open_within(&r, b, &how, &bytes, &err), IFN_ERR_NOMEM);
    assert_non_null(strstr(err.text, "prepared for fake"));
    assert_non_null(strstr(err.text, " bytes allowed"));
    how.max_bytes = 1;
    assert_int_equal(open_within(&r, b, &how, &bytes, &err), IFN_ERR_NOMEM);
    ifn_backend_close(b);
    half_road_close(&r);
}

TEST(raw_weights_are_not_prepared)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    half_road r = half_road_open(&m);
    ifn_backend *b = open_fake(&fake_q8, IFN_USE_LINEAR_Q8);
    const ifn_weights_params how =
        IFN_SIZED(ifn_weights_params, .uses = IFN_USE_LINEAR_Q8, .raw = 1, .max_bytes = 1);
    ifn_error err = {0};
    uint64_t bytes;
    seen.fail_at = 0; /* no call asks for a handle */
    assert_ok(open_within(&r, b, &how, &bytes, &err), err);
    assert_int_equal(bytes, 0);
    ifn_backend_close(b);
    half_road_close(&r);
}
