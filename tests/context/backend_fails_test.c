/*
 * A backend that fails once at each op call of a road: the error names op, backend and reason, the sequence is as long
 * as before, and the same ids can be evaluated again. The same holds if its allocator fails.
 */
#include "road.h"

#include <stdio.h>
#include <string.h>

#include "fail_alloc.h"
#include "failing_backend.h"

static const char moth[] = "row 3: found a moth";
static fail_alloc memory;

static road open_failing(const tiny_model *m, const ifn_context_params *p, ifn_backend **scalar)
{
    const char *path = temp_path("failing.gguf");
    road r;
    ifn_error err = {0};
    tiny_write(m, path);
    fail_alloc_init(&memory, -1);
    failing.buffers = &memory.allocator;
    assert_ok(ifn_gguf_open(path, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, scalar, &err), err);
    r.backend = failing_open(*scalar);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, p), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, p, NULL, &r.context, &err), err);
    return r;
}

static void close_failing(road *r, ifn_backend *scalar)
{
    road_close(r);
    ifn_backend_close(scalar);
    assert_int_equal(memory.live_blocks, 0);
}

static void assert_says_why(const ifn_error *err, ifn_status status)
{
    char op[sizeof err->text], why[sizeof err->text];
    assert_int_equal(status, IFN_ERR_NUMERIC);
    snprintf(op, sizeof op, "op %s at ", failing.op);
    snprintf(why, sizeof why, " on backend failing: %s",
             failing.why ? failing.why : ifn_status_text(IFN_ERR_NUMERIC));
    const char *const place = err->text + strlen(op), *const rest = strstr(err->text, why);
    assert_int_equal(strncmp(err->text, op, strlen(op)), 0);
    assert_true(rest && rest > place && *place != '?'); /* it names the place */
    assert_string_equal(rest, why);
}

enum { N_PROMPT = 5, N_VOCAB = 61 };

static const ifn_token prompt[N_PROMPT] = {3, 1, 4, 1, 5};

typedef struct answer {
    float logits[N_PROMPT][N_VOCAB]; /* without all_logits only the last row */
    ifn_token id;
    float prob;
} answer;

/* Does what a caller does with a sequence: takes logits of new tokens, then an id and its probability. */
static ifn_status ask(road *r, const ifn_context_params *p, float temperature, answer *out,
                      ifn_error *err)
{
    ifn_sampler sampler = IFN_SAMPLER_INIT;
    IFN_TRY(ifn_sampler_init(&sampler, &IFN_SIZED(ifn_sampling, .temperature = temperature), err));
    IFN_TRY(ifn_context_eval(r->context, prompt, 2, err));
    if (p->all_logits) {
        IFN_TRY(ifn_context_rewind(r->context, 0, err));
        IFN_TRY(ifn_context_eval_all(r->context, prompt, N_PROMPT, out->logits[0], err));
        IFN_TRY(ifn_context_rewind(r->context, 0, err));
        IFN_TRY(ifn_context_eval(r->context, prompt, N_PROMPT, err));
    } else {
        IFN_TRY(ifn_context_eval(r->context, prompt + 2, N_PROMPT - 2, err));
        IFN_TRY(ifn_context_logits(r->context, out->logits[0], err));
    }
    return ifn_context_sample(r->context, &sampler, &out->id, &out->prob, err);
}

/* Lets each op call of `ask` fail once, and expects the sequence, begun again, to give the same answer as ever. */
static void expect_orderly(const tiny_model *m, const ifn_context_params *p, float temperature)
{
    ifn_backend *scalar;
    road r = open_failing(m, p, &scalar);
    static answer expected, again;
    ifn_error err = {0};
    memset(&expected, 0, sizeof expected);
    memset(&again, 0, sizeof again);
    failing.n_calls = 0;
    assert_ok(ask(&r, p, temperature, &expected, &err), err);
    const long n = failing.n_calls;
    assert_true(n > 20);
    for (long i = 0; i < n; i++) {
        assert_ok(ifn_context_rewind(r.context, 0, &err), err);
        failing.n_calls = 0;
        failing.fail_at = i;
        failing.why = i % 2 ? moth : NULL;
        assert_says_why(&err, ask(&r, p, temperature, &again, &err));
        assert_in_range(ifn_context_position(r.context), 0, N_PROMPT);
    }
    failing.fail_at = -1;
    assert_ok(ifn_context_rewind(r.context, 0, &err), err);
    assert_ok(ask(&r, p, temperature, &again, &err), err);
    assert_memory_equal(&again, &expected, sizeof again);
    close_failing(&r, scalar);
}

TEST(every_op_of_the_fused_graph_may_fail)
{
    const tiny_model m = tiny_default("qwen3");
    ifn_context_params p = road_params();
    expect_orderly(&m, &p, 0.0f);
    p.all_logits = 1;
    p.max_rows = 3;
    expect_orderly(&m, &p, 1.0f);
}

TEST(every_op_of_quantized_activations_may_fail)
{
    tiny_model m = tiny_default("qwen2");
    ifn_context_params p = road_params();
    m.dtype = IFN_DTYPE_Q8_0;
    m.n_layers = 1;
    p.activations = IFN_ACTIVATIONS_Q8;
    expect_orderly(&m, &p, 0.0f);
    m.dtype = IFN_DTYPE_F32;
    m.kv_dtype = IFN_DTYPE_Q8_0; /* a group of mixed types: one input in both forms */
    expect_orderly(&m, &p, 0.0f);
}

TEST(every_op_of_the_primitive_graph_may_fail)
{
    static const char *const archs[] = {"qwen2", "qwen3"}; /* biases; norms of heads */
    ifn_context_params p = road_params();
    p.graph = IFN_GRAPH_PRIMITIVE;
    for (size_t i = 0; i < N_OF(archs); i++) {
        tiny_model m = tiny_default(archs[i]);
        m.n_layers = 1; /* a layer has many calls */
        expect_orderly(&m, &p, 0.0f);
    }
}

TEST(a_failed_eval_leaves_position_and_no_logits)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    ifn_backend *scalar;
    road r = open_failing(&m, &p, &scalar);
    float logits[N_VOCAB];
    ifn_error err = {0};
    road_eval(&r, prompt, 3);
    failing.n_calls = 0;
    failing.fail_at = 4;
    assert_int_equal(ifn_context_eval(r.context, prompt + 3, 2, &err), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_context_position(r.context), 3);
    assert_int_equal(ifn_context_logits(r.context, logits, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "no logits: nothing was evaluated yet");
    close_failing(&r, scalar);
}

TEST(a_backend_without_memory_gives_no_context)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    ifn_backend *scalar;
    ifn_context *context;
    ifn_error err = {0};
    road r = open_failing(&m, &p, &scalar);
    memory.fail_at = memory.n_calls;
    assert_int_equal(ifn_context_open(r.weights, &p, NULL, &context, &err), IFN_ERR_NOMEM);
    assert_null(context);
    assert_non_null(strstr(err.text, "a context of 64 tokens: out of memory for"));
    close_failing(&r, scalar);
}
