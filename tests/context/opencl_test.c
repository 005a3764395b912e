/* Whole models on an OpenCL device: the ids are those of scalar, and logits are as close as f32 sums are. */
#include "opencl_here.h"
#include "road_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Logits of these models are of size 1 to 20; two good f32 runs differ by less than 1e-3. */
static void expect_near(const char *path, const ifn_context_params *p, const char *expression,
                        float most)
{
    static result want, got;
    generate(path, p, "scalar", &want);
    generate(path, p, expression, &got);
    assert_that(memcmp(got.ids, want.ids, sizeof want.ids) == 0, "%s: other ids than scalar",
                expression);
    for (int i = 0; i < MAX_VOCAB; i++)
        assert_that(fabsf(got.logits[i] - want.logits[i]) <= most, "%s: logit %d is %g, not %g",
                    expression, i, (double)got.logits[i], (double)want.logits[i]);
}

TEST(the_shipped_model_has_the_ids_of_scalar)
{
    static const char *const stacks[] = {"opencl", "opencl=0.0", "trace:opencl",
                                         "check=stop:opencl", "parallel=2+small:opencl"};
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 64);
    for (size_t i = 0; i < N_OF(stacks); i++)
        expect_near(source_path("fixtures/gguf/little-world-f16.gguf"), &p, stacks[i], 1e-3f);
}

TEST(every_architecture_and_both_graphs_run)
{
    static const char *const archs[] = {"llama", "qwen2", "qwen3"};
    for (size_t i = 0; i < N_OF(archs); i++)
        for (int graph = 0; graph < 2; graph++) {
            const tiny_model m = tiny_default(archs[i]);
            const char *const path = temp_path("opencl.gguf");
            ifn_context_params p = road_params();
            p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
            tiny_write(&m, path);
            expect_near(path, &p, "opencl", 1e-3f);
        }
}

/* A code of Q8_32F that rounds the other way moves a logit more than another order of a sum does. */
TEST(quantized_weights_and_caches_run)
{
    const tiny_model m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    const char *const path = temp_path("opencl.gguf");
    ifn_context_params p = road_params();
    p.activations = IFN_ACTIVATIONS_Q8;
    p.kv = IFN_KV_Q8_0;
    tiny_write(&m, path);
    expect_near(path, &p, "opencl", 0.05f);
}

/* Two runs give the same bits, and no op is staged: the device implements all of them. */
TEST(a_run_repeats_and_stages_nothing)
{
    static result first, second;
    const char *const path = source_path("fixtures/gguf/little-world-f16.gguf");
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 64);
    generate(path, &p, "opencl", &first);
    generate(path, &p, "opencl", &second);
    assert_memory_equal(&second, &first, sizeof first);
    road r = road_open_on(path, &p, "opencl", NULL);
    ifn_token ids[N_IDS];
    road_generate(&r, prompt, N_OF(prompt), ids, N_IDS);
    assert_true(ifn_backend_staged_bytes(r.backend, 0) == 0);
    road_close(&r);
}

/* Opens the shipped model and a device; the test opens the weights. */
static road model_beside(const char *device)
{
    const char *const path = source_path("fixtures/gguf/little-world-f16.gguf");
    ifn_error err = {0};
    road r = {0};
    assert_ok(ifn_gguf_open(path, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    assert_ok(ifn_backend_open(device, NULL, &r.backend, &err), err);
    return r;
}

/* The error is one line, and names the buffer that is too large. */
TEST(a_model_that_is_larger_than_the_device_is_refused)
{
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 64);
    ifn_error err = {0};
    road r = model_beside("opencl=+2M");
    assert_int_equal(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, &p), NULL, NULL,
                                      &r.weights, &err),
                     IFN_ERR_NOMEM);
    assert_non_null(strstr(err.text, "weight: found "));
    assert_non_null(strstr(err.text, " MB free of the 2.0 MB of '"));
    assert_non_null(strstr(err.text, "', expected "));
    assert_null(strchr(err.text, '\n'));
    road_close(&r);
}

/* The weights fit, but the cache does not. */
TEST(a_context_that_is_larger_than_the_device_is_refused)
{
    const ifn_context_params p = IFN_SIZED(ifn_context_params, .max_pos = 100000);
    ifn_error err = {0};
    road r = model_beside("opencl=+20M");
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, &p), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_int_equal(ifn_context_open(r.weights, &p, NULL, &r.context, &err), IFN_ERR_NOMEM);
    assert_non_null(
        strstr(err.text, "a context of 100000 tokens: backend 'opencl': buffers: found "));
    assert_non_null(strstr(err.text, " MB free of the 20.0 MB of '"));
    road_close(&r);
}

int main(void)
{
    return opencl_is_here() ? test_run(NULL) : TEST_NOT_RUN;
}
