/* Decoding allocates nothing: once everything is open, every request for memory fails. */
#include "road.h"

#include "fail_alloc.h"

static void decode_on(const char *expression, const tiny_model *m, ifn_context_params p)
{
    fail_alloc memory;
    fail_alloc_init(&memory, -1);
    const ifn_allocator *a = &memory.allocator;
    const ifn_backend_options options = {.alloc = a};
    const char *path = temp_path("decode.gguf");
    road r;
    ifn_error err = {0};
    tiny_write(m, path);
    assert_ok(ifn_gguf_open(path, a, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, a, &r.model, &err), err);
    assert_ok(ifn_backend_open(expression, &options, &r.backend, &err), err);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, &p), NULL, a,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, &p, a, &r.context, &err), err);

    memory.fail_at = memory.n_calls;
    memory.fail_from = 1;
    const long before = memory.n_calls;
    ifn_token ids[12];
    road_generate(&r, (const ifn_token[]){1, 2, 3}, 3, ids, N_OF(ids));
    ifn_sampler dice;
    const ifn_sampling how = {.temperature = 1.0f, .top_k = 5, .top_p = 0.9f, .seed = 7};
    float prob;
    assert_ok(ifn_sampler_init(&dice, &how, &err), err);
    assert_ok(ifn_context_sample(r.context, &dice, ids, &prob, &err), err);
    assert_int_equal(memory.n_calls, before);
    road_close(&r);
    assert_int_equal(memory.live_blocks, 0);
}

static void decode(const tiny_model *m, ifn_context_params p)
{
    decode_on("scalar", m, p);
}

static void decoding_allocates_nothing_in_the_fused_graph(void **state)
{
    (void)state;
    tiny_model m = tiny_default("qwen3");
    decode(&m, road_params());
    m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    p.kv = IFN_KV_Q8_0;
    decode(&m, p);
    p.kv = IFN_KV_OFF;
    decode(&m, p);
}

static void decoding_allocates_nothing_with_every_call_cut_for_threads(void **state)
{
    (void)state;
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    decode_on("parallel=2+small:scalar", &m, p);
}

static void decoding_allocates_nothing_in_the_primitive_graph(void **state)
{
    (void)state;
    const tiny_model m = tiny_default("qwen2");
    ifn_context_params p = road_params();
    p.graph = IFN_GRAPH_PRIMITIVE;
    decode(&m, p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(decoding_allocates_nothing_in_the_fused_graph),
        RUN(decoding_allocates_nothing_with_every_call_cut_for_threads),
        RUN(decoding_allocates_nothing_in_the_primitive_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
