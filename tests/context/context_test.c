#include "road.h"

#include <string.h>

#include "context_priv.h"
#include "fail_alloc.h"

static const ifn_token prompt[] = {3, 1, 4, 1, 5, 9, 2, 6};

TEST(evaluating_moves_the_position)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    assert_int_equal(ifn_context_max_position(r.context), 64);
    assert_int_equal(ifn_context_position(r.context), 0);
    road_eval(&r, prompt, 8);
    assert_int_equal(ifn_context_position(r.context), 8);
    road_eval(&r, prompt, 0);
    assert_int_equal(ifn_context_position(r.context), 8);
    road_close(&r);
    ifn_context_close(NULL);
}

TEST(an_id_outside_the_vocabulary_is_refused)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    const ifn_token bad[][2] = {{0, 61}, {-1, 0}, {0, INT32_MAX}};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_error err;
        assert_int_equal(ifn_context_eval(r.context, bad[i], 2, &err), IFN_ERR_ARGUMENT);
        assert_non_null(strstr(err.text, "expected 0 .. 60"));
        assert_int_equal(ifn_context_position(r.context), 0);
    }
    road_close(&r);
}

TEST(more_tokens_than_the_context_holds_are_refused)
{
    const tiny_model m = tiny_default("qwen3");
    ifn_context_params p = road_params();
    p.max_pos = 8;
    road r = road_open(&m, &p);
    ifn_error err;
    road_eval(&r, prompt, 7);
    assert_int_equal(ifn_context_eval(r.context, prompt, 2, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "2 tokens after 7: the context holds 8");
    road_eval(&r, prompt, 1);
    assert_int_equal(ifn_context_eval(r.context, prompt, 1, &err), IFN_ERR_ARGUMENT);
    road_close(&r);
}

TEST(logits_need_an_eval)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    float logits[61];
    ifn_error err;
    ifn_token id;
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    assert_ok(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling), &err), err);
    assert_int_equal(ifn_context_logits(r.context, logits, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sample(r.context, &greedy, &id, NULL, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_eval_all(r.context, prompt, 1, logits, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "all_logits"));
    road_close(&r);
}

/* numerics 12, R9: a cache that was cut back and continued equals one that never had more. */
TEST(rewinding_is_as_if_never_gone_further)
{
    static const ifn_kv kinds[] = {IFN_KV_OFF, IFN_KV_F32};
    for (size_t i = 0; i < N_OF(kinds); i++) {
        const tiny_model m = tiny_default("qwen3");
        ifn_context_params p = road_params();
        p.kv = kinds[i];
        road a = road_open(&m, &p), b = road_open(&m, &p);
        float la[61], lb[61];
        ifn_error err;
        road_eval(&a, prompt, 8);
        assert_ok(ifn_context_rewind(a.context, 3, &err), err);
        assert_int_equal(ifn_context_logits(a.context, la, &err), IFN_ERR_ARGUMENT);
        road_eval(&a, (const ifn_token[]){40, 41}, 2);
        road_eval(&b, prompt, 3);
        road_eval(&b, (const ifn_token[]){40, 41}, 2);
        road_logits(&a, la);
        road_logits(&b, lb);
        assert_memory_equal(la, lb, sizeof la);
        assert_ok(ifn_context_rewind(a.context, 5, &err), err); /* where it is: logits stay */
        assert_ok(ifn_context_logits(a.context, la, &err), err);
        assert_memory_equal(la, lb, sizeof la);
        assert_int_equal(ifn_context_rewind(a.context, 6, &err), IFN_ERR_ARGUMENT);
        assert_int_equal(ifn_context_rewind(a.context, -1, &err), IFN_ERR_ARGUMENT);
        road_close(&a);
        road_close(&b);
    }
}

TEST(all_logits_are_those_of_each_prefix)
{
    for (int graph = 0; graph < 2; graph++) {
        for (int kv = 0; kv < 2; kv++) {
            const tiny_model m = tiny_default("qwen3");
            ifn_context_params p = road_params();
            p.all_logits = 1;
            p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
            p.kv = kv ? IFN_KV_F32 : IFN_KV_OFF;
            p.max_rows = 3;
            road r = road_open(&m, &p);
            float all[8][61], one[61];
            ifn_error err;
            assert_ok(ifn_context_eval_all(r.context, prompt, 4, all[0], &err), err);
            assert_ok(ifn_context_eval_all(r.context, prompt + 4, 4, all[4], &err), err);
            assert_ok(ifn_context_rewind(r.context, 0, &err), err);
            for (int i = 0; i < 8; i++) {
                road_eval(&r, prompt + i, 1);
                road_logits(&r, one);
                assert_memory_equal(all[i], one, sizeof one);
            }
            road_close(&r);
        }
    }
}

TEST(weights_opened_for_other_ops_are_refused)
{
    const tiny_model m = tiny_default("qwen3");
    ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    ifn_context *context;
    ifn_error err;
    p.graph = IFN_GRAPH_PRIMITIVE;
    assert_int_equal(ifn_context_open(r.weights, &p, NULL, &context, &err), IFN_ERR_ARGUMENT);
    assert_null(context);
    assert_non_null(strstr(err.text, "uses"));
    road_close(&r);
}

TEST(two_contexts_share_one_object_of_weights)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    ifn_context *second;
    ifn_error err;
    float a[61], b[61];
    assert_ok(ifn_context_open(r.weights, &p, NULL, &second, &err), err);
    road_eval(&r, prompt, 8);
    assert_ok(ifn_context_eval(second, prompt, 4, &err), err);
    assert_ok(ifn_context_eval(second, prompt + 4, 4, &err), err);
    road_logits(&r, a);
    assert_ok(ifn_context_logits(second, b, &err), err);
    assert_memory_equal(a, b, sizeof a);
    ifn_context_close(second);
    road_eval(&r, prompt, 1);
    road_close(&r);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    for (long n = 0; n < 3; n++) {
        fail_alloc failing;
        ifn_context *context;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_status status =
            ifn_context_open(r.weights, &p, &failing.allocator, &context, &err);
        assert_int_equal(status, n < 2 ? IFN_ERR_NOMEM : IFN_OK);
        assert_true(n >= 2 || strstr(err.text, "memory"));
        ifn_context_close(context);
        assert_int_equal(failing.live_blocks, 0);
    }
    road_close(&r);
}
