/* An engine for one way of computing a model: the results are the same in any chunks, and those of the context
 * alone. */
#include "e2e_engine.h"

#include <stdlib.h>
#include <string.h>

#include "e2e_model.h"

static e2e_engine open_engine(const tiny_truth *t, ifn_backend *backend, ifn_graph graph, ifn_kv kv)
{
    const e2e_way way = {graph, IFN_ACTIVATIONS_F32, kv, 0, false, false, false};
    e2e_engine engine;
    ifn_error err = {0};
    assert_ok(e2e_engine_open(&engine, t->model, backend, &way, NULL, &err), err);
    return engine;
}

TEST(any_chunks_give_the_same_bits)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {4, 3, 0}, {2, 1, 5}};
    tiny_truth t = tiny_truth_open("qwen3", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const size_t bytes = (size_t)(t.truth.n * t.truth.n_vocab) * sizeof(float);
    float *const whole = malloc(bytes), *const chunked = malloc(bytes);
    ifn_backend *scalar;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    for (int graph = 0; graph < 2; graph++)
        for (int kv = IFN_KV_OFF; kv <= IFN_KV_F32; kv++) {
            e2e_engine engine = open_engine(&t, scalar, (ifn_graph)graph, (ifn_kv)kv);
            assert_ok(e2e_engine_run(&engine, t.truth.ids, t.truth.n, &(e2e_chunks){NULL, 0}, whole,
                                     &err),
                      err);
            for (size_t i = 0; i < N_OF(sizes); i++) {
                assert_ok(e2e_engine_run(&engine, t.truth.ids, t.truth.n,
                                         &(e2e_chunks){sizes[i], 3}, chunked, &err),
                          err);
                assert_memory_equal(whole, chunked, bytes);
            }
            e2e_engine_close(&engine);
        }
    ifn_backend_close(scalar);
    free(whole);
    free(chunked);
    tiny_truth_close(&t);
}

TEST(generation_follows_until_it_differs)
{
    tiny_truth t = tiny_truth_open("llama", IFN_DTYPE_F32, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0);
    const int64_t n_new = t.truth.n - t.truth.n_prompt;
    float *const logits = malloc((size_t)(n_new * t.truth.n_vocab) * sizeof *logits);
    ifn_token chosen[4];
    int64_t n_done;
    ifn_backend *scalar;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    e2e_engine engine = open_engine(&t, scalar, IFN_GRAPH_FUSED, IFN_KV_F32);
    assert_ok(e2e_engine_generate(&engine, t.truth.ids, t.truth.n_prompt, n_new, t.truth.ids,
                                  chosen, logits, &n_done, &err),
              err);
    assert_int_equal(n_done, n_new);
    assert_memory_equal(chosen, t.truth.ids + t.truth.n_prompt, (size_t)n_new * sizeof *chosen);
    t.truth.ids[t.truth.n_prompt + 1] ^= 1;
    assert_ok(e2e_engine_generate(&engine, t.truth.ids, t.truth.n_prompt, n_new, t.truth.ids,
                                  chosen, logits, &n_done, &err),
              err);
    assert_int_equal(n_done, 2);
    e2e_engine_close(&engine);
    ifn_backend_close(scalar);
    free(logits);
    tiny_truth_close(&t);
}

TEST(caches_have_names_and_dtypes)
{
    assert_string_equal(e2e_kv_name(IFN_KV_OFF), "off");
    assert_string_equal(e2e_kv_name(IFN_KV_Q8_0), "q8_0");
    assert_string_equal(e2e_kv_name((ifn_kv)9), "?");
    assert_int_equal(ifn_kv_dtype(IFN_KV_OFF), IFN_DTYPE_F32);
    assert_int_equal(ifn_kv_dtype(IFN_KV_F16), IFN_DTYPE_F16);
    assert_int_equal(ifn_kv_dtype(IFN_KV_Q8_0), IFN_DTYPE_Q8_0);
}
