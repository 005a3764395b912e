#include "plan.h"

#include <string.h>

#include "fail_alloc.h"
#include "road.h"

TEST(the_plan_is_what_is_taken)
{
    for (int graph = 0; graph < 2; graph++) {
        const tiny_model m = tiny_default("qwen3");
        ifn_context_params p = road_params();
        p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
        road r = road_open(&m, &p);
        ifn_plan plan = IFN_PLAN_INIT;
        ifn_error err;
        assert_ok(ifn_context_plan(r.model, r.backend, &p, &plan, &err), err);
        assert_true(plan.total_bytes ==
                    plan.kv_bytes + plan.buffer_bytes + plan.host_bytes + plan.f32_weight_bytes);
        /* 2 layers of K and V: 2 heads, 64 positions, 16 floats, with a gap after each */
        assert_int_equal(plan.kv_bytes, 2 * (2 * (2 * 64 * 16 * 4) + 64));
        assert_true(plan.f32_weight_bytes == ifn_weights_bytes(r.weights));

        fail_alloc counting;
        ifn_context *context;
        fail_alloc_init(&counting, -1);
        assert_ok(ifn_context_open(r.weights, &p, &counting.allocator, &context, &err), err);
        assert_true(counting.largest == plan.host_bytes);
        ifn_context_close(context);
        road_close(&r);
    }
}

static void assert_refused(road *r, const ifn_context_params *p, const char *why)
{
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_error err = {0};
    assert_int_equal(ifn_context_plan(r->model, r->backend, p, &plan, &err), IFN_ERR_ARGUMENT);
    assert_that(strstr(err.text, why), "'%s' lacks '%s'", err.text, why);
}

TEST(combinations_that_do_not_exist_are_refused)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params good = road_params();
    road r = road_open(&m, &good);
    ifn_context_params p = good;
    p.graph = IFN_GRAPH_PRIMITIVE;
    p.activations = IFN_ACTIVATIONS_Q8;
    assert_refused(&r, &p, "activations q8");
    p.activations = IFN_ACTIVATIONS_AUTO;
    p.kv = IFN_KV_F16;
    assert_refused(&r, &p, "kv cache f16 with the primitive graph");
    p.kv = IFN_KV_Q8_0;
    assert_refused(&r, &p, "kv cache q8_0 with the primitive graph");
    p = good;
    p.kv = IFN_KV_Q8_0;
    assert_refused(&r, &p, "head_dim is 16");
    road_close(&r);
    tiny_model heads_of_32 = tiny_default("qwen3");
    heads_of_32.head_dim = 32;
    r = road_open(&heads_of_32, &p); /* the heads are whole blocks */
    p = good;
    p.max_pos = -1;
    assert_refused(&r, &p, "-1 tokens");
    p = good;
    p.max_rows = -1;
    assert_refused(&r, &p, "in chunks of -1");
    road_close(&r);
}

/* A value that only a later version defines is refused. */
TEST(enumerators_that_there_are_not_are_refused)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params good = road_params();
    road r = road_open(&m, &good);
    ifn_context_params p = good;
    p.graph = IFN_GRAPH_PRIMITIVE + 1;
    assert_refused(&r, &p, "graph 2");
    p = good;
    p.activations = IFN_ACTIVATIONS_Q8 + 1;
    assert_refused(&r, &p, "activations 3");
    p = good;
    p.kv = IFN_KV_Q8_0 + 1;
    assert_refused(&r, &p, "kv 4");
    p.kv = -1;
    assert_refused(&r, &p, "kv -1");
    road_close(&r);
}

/* The caller may be a program of an older or of a newer header. */
TEST(parameters_are_as_long_as_they_say)
{
    const tiny_model m = tiny_default("qwen3");
    struct {
        ifn_context_params known;
        uint64_t newer;
    } p = {road_params(), 0};
    road r = road_open(&m, &p.known);
    ifn_plan plan = IFN_PLAN_INIT, short_plan = IFN_PLAN_INIT;
    ifn_error err = {0};
    p.known.bytes = sizeof p;
    assert_ok(ifn_context_plan(r.model, r.backend, &p.known, &plan, &err), err);
    p.newer = 1;
    assert_refused(&r, &p.known, "this library knows");
    p.known.bytes = 0;
    assert_refused(&r, &p.known, "bytes 0, expected its size");
    p.known = road_params();
    p.known.max_memory = 1; /* a member beyond the shorter struct */
    p.known.bytes = offsetof(ifn_context_params, max_memory);
    short_plan.bytes = offsetof(ifn_plan, total_bytes);
    assert_ok(ifn_context_plan(r.model, r.backend, &p.known, &short_plan, &err), err);
    assert_true(short_plan.kv_bytes == plan.kv_bytes && short_plan.total_bytes == 0);
    road_close(&r);
}

TEST(a_plan_above_the_limit_is_refused_with_both_numbers)
{
    const tiny_model m = tiny_default("qwen3");
    ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_error err;
    assert_ok(ifn_context_plan(r.model, r.backend, &p, &plan, &err), err);
    p.max_memory = plan.total_bytes;
    assert_ok(ifn_context_plan(r.model, r.backend, &p, &plan, &err), err);
    p.max_memory--;
    assert_refused(&r, &p, "64 tokens takes");
    p.max_memory = 0;
    /* from the first overflowing product to the last overflowing sum */
    for (p.max_pos = INT64_MAX; p.max_pos > INT64_MAX >> 9; p.max_pos /= 2)
        assert_refused(&r, &p, "does not fit in the address space");
    p.max_pos = INT64_MAX;
    ifn_context *context;
    assert_int_equal(ifn_context_open(r.weights, &p, NULL, &context, &err), IFN_ERR_ARGUMENT);
    assert_null(context);
    road_close(&r);
}

TEST(defaults_are_filled_in)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_0);
    ifn_context_params p = IFN_CONTEXT_PARAMS_INIT;
    road r = road_open(&m, &p);
    ifn_resolved out;
    ifn_error err;
    assert_ok(ifn_plan_resolve(r.model, r.backend, &p, &out, &err), err);
    assert_int_equal(out.params.max_pos, 600);
    assert_int_equal(out.params.max_rows, 512);
    assert_int_equal(out.params.activations, IFN_ACTIVATIONS_Q8);
    assert_int_equal(ifn_context_uses(r.model, &p), IFN_USE_GATHER_ROWS | IFN_USE_LINEAR_Q8);
    p.graph = IFN_GRAPH_PRIMITIVE;
    assert_ok(ifn_plan_resolve(r.model, r.backend, &p, &out, &err), err);
    assert_int_equal(out.params.activations, IFN_ACTIVATIONS_F32);
    assert_int_equal(ifn_context_uses(r.model, &p), IFN_USE_GATHER_ROWS | IFN_USE_MATMUL);
    road_close(&r);
}
