/*
 * Decoding allocates nothing: once everything is open, every request to the allocator fails, and no code calls the C
 * library's heap instead.
 */
#include "road.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "fail_alloc.h"
#include "this_machine.h"

/* Counts calls of the C library's heap on any thread (linked with --wrap). */
static atomic_long n_heap_calls;

#define WRAP(name, arguments, ...)                                                                 \
    void *__real_##name arguments;                                                                 \
    void *__wrap_##name arguments;                                                                 \
    void *__wrap_##name arguments                                                                  \
    {                                                                                              \
        atomic_fetch_add(&n_heap_calls, 1);                                                        \
        return __real_##name(__VA_ARGS__);                                                         \
    }
WRAP(malloc, (size_t bytes), bytes)
WRAP(calloc, (size_t n, size_t bytes), n, bytes)
WRAP(realloc, (void *old, size_t bytes), old, bytes)
WRAP(aligned_alloc, (size_t align, size_t bytes), align, bytes)

static void decode_on(const char *expression, const tiny_model *m, ifn_context_params p)
{
    fail_alloc memory;
    fail_alloc_init(&memory, -1);
    const ifn_allocator *a = &memory.allocator;
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = a);
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
    const long before = memory.n_calls, heap_before = atomic_load(&n_heap_calls);
    assert_true(heap_before > 0);
    ifn_token ids[12];
    road_generate(&r, (const ifn_token[]){1, 2, 3}, 3, ids, N_OF(ids));
    ifn_sampler dice = IFN_SAMPLER_INIT;
    const ifn_sampling how =
        IFN_SIZED(ifn_sampling, .temperature = 1.0f, .top_k = 5, .top_p = 0.9f, .seed = 7);
    float prob;
    assert_ok(ifn_sampler_init(&dice, &how, &err), err);
    assert_ok(ifn_context_sample(r.context, &dice, ids, &prob, &err), err);
    assert_int_equal(memory.n_calls, before);
    assert_int_equal(atomic_load(&n_heap_calls), heap_before);
    road_close(&r);
    assert_int_equal(memory.live_blocks, 0);
}

static void decode(const tiny_model *m, ifn_context_params p)
{
    decode_on("scalar", m, p);
}

TEST(decoding_allocates_nothing_in_the_fused_graph)
{
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

TEST(decoding_allocates_nothing_with_every_call_cut_for_threads)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    decode_on("parallel=2+small:scalar", &m, p);
}

TEST(decoding_allocates_nothing_on_any_stack)
{
    static const char *const stacks[] = {"simd",
                                         "trace:simd",
                                         "parallel=3+small:simd",
                                         "trace:parallel=3+small:simd",
                                         "check:parallel=2+small:simd",
                                         "parallel=2+small:check:trace:simd"};
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    for (size_t i = 0; i < N_OF(stacks); i++) {
        ifn_context_params p = road_params();
        p.activations = i % 2 ? IFN_ACTIVATIONS_F32 : IFN_ACTIVATIONS_Q8;
        p.kv = i % 3 == 2 ? IFN_KV_F16 : IFN_KV_F32;
        decode_on(on_this_machine(stacks[i]), &m, p);
    }
}

TEST(decoding_allocates_nothing_in_the_primitive_graph)
{
    const tiny_model m = tiny_default("qwen2");
    ifn_context_params p = road_params();
    p.graph = IFN_GRAPH_PRIMITIVE;
    decode(&m, p);
}
