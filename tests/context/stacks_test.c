/* Wrappers change no bit of a generation, allocate nothing, and report what went wrong. */
#include "road.h"

#include <string.h>

#include <inferno/check.h>
#include <inferno/trace.h>

#include "fail_alloc.h"

static const ifn_token prompt[] = {3, 1, 4, 1, 5, 9, 2, 6};

enum { N_IDS = 12, N_VOCAB = 61 };

/* The ids of a generation on a chain, and the logits after it. */
typedef struct result {
    ifn_token ids[N_IDS];
    float logits[N_VOCAB];
} result;

/* Generates with an allocator that fails every request once everything is open. */
static result generate(const char *expression, const ifn_context_params *p)
{
    fail_alloc memory;
    fail_alloc_init(&memory, -1);
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = &memory.allocator);
    const tiny_model m = tiny_default("qwen3");
    const char *const path = temp_path("stack.gguf");
    result out;
    tiny_write(&m, path);
    road r = road_open_on(path, p, expression, &options);
    const long before = memory.n_calls;
    memory.fail_at = before;
    memory.fail_from = 1;
    road_generate(&r, prompt, N_OF(prompt), out.ids, N_IDS);
    road_logits(&r, out.logits);
    assert_int_equal(memory.n_calls, before);
    road_close(&r);
    assert_int_equal(memory.live_blocks, 0);
    return out;
}

TEST(observers_change_no_bit_and_allocate_nothing)
{
    static const char *const stacks[] = {"trace:scalar",       "trace=0:scalar",
                                         "check:scalar",       "check=stop:scalar",
                                         "trace:check:scalar", "check:trace=5:scalar"};
    for (int graph = 0; graph < 2; graph++) {
        ifn_context_params p = road_params();
        p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
        const result bare = generate("scalar", &p);
        for (size_t i = 0; i < N_OF(stacks); i++) {
            const result wrapped = generate(stacks[i], &p);
            assert_that(memcmp(&bare, &wrapped, sizeof bare) == 0, "%s: other bits", stacks[i]);
        }
    }
}

/* Chains with `parallel` in them, if the build has it. */
TEST(pieces_are_observed_as_well)
{
    static const char *const stacks[] = {
        "parallel=2:trace:scalar", "trace:parallel=2:scalar", "trace:parallel=3:trace:scalar",
        "parallel=2:check=stop:scalar", "check:parallel=2:trace:scalar"};
    size_t n;
    const ifn_backend_desc *const *const list = ifn_backend_list(&n);
    int has_parallel = 0;
    for (size_t i = 0; i < n; i++)
        has_parallel |= strcmp(list[i]->name, "parallel") == 0;
    if (!has_parallel)
        skip();
    const ifn_context_params p = road_params();
    const result bare = generate("scalar", &p);
    for (size_t i = 0; i < N_OF(stacks); i++) {
        const result wrapped = generate(stacks[i], &p);
        assert_that(memcmp(&bare, &wrapped, sizeof bare) == 0, "%s: other bits", stacks[i]);
    }
}

/* Both graphs: the infinite mask of the primitive graph is no finding. */
TEST(a_sound_model_has_no_finding)
{
    for (int graph = 0; graph < 2; graph++) {
        const tiny_model m = tiny_default("qwen3");
        ifn_context_params p = road_params();
        ifn_error err = {0};
        p.graph = graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED;
        tiny_write(&m, temp_path("sound.gguf"));
        road r = road_open_on(temp_path("sound.gguf"), &p, "check:scalar", NULL);
        road_eval(&r, prompt, N_OF(prompt));
        assert_that(!ifn_check_finding(r.backend, &err), "%s", err.text);
        road_close(&r);
    }
}

static ifn_status fail_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    (void)self, (void)a;
    return IFN_ERR_NUMERIC;
}

static void fill_failing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->swiglu = fail_swiglu;
}

static int explain_failing(ifn_backend *self, ifn_error *err)
{
    (void)self;
    (void)ifn_fail(err, IFN_ERR_NUMERIC, "the gate is stuck");
    return 1;
}

/* Evaluates on a wrapper whose swiglu fails; returns the error. */
static ifn_error eval_on(const ifn_backend_desc *failing)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    ifn_backend *wrapper;
    ifn_context *context;
    ifn_weights *weights;
    ifn_error err = {0};
    road r = road_open(&m, &p);
    assert_ok(ifn_backend_open_desc(failing, r.backend, NULL, NULL, &wrapper, &err), err);
    assert_ok(ifn_weights_open(r.model, wrapper, ifn_context_uses(r.model, &p), NULL, NULL,
                               &weights, &err),
              err);
    assert_ok(ifn_context_open(weights, &p, NULL, &context, &err), err);
    assert_int_equal(ifn_context_eval(context, prompt, 3, &err), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_context_position(context), 0);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_backend_close(wrapper);
    road_close(&r);
    return err;
}

TEST(an_eval_that_fails_says_why)
{
    ifn_backend_desc failing = {IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER, .name = "failing",
                                .summary = "cannot gate", .fill = fill_failing};
    ifn_error err = eval_on(&failing);
    assert_string_equal(
        err.text, "op swiglu at blk.0.gated on backend failing: a result is not a finite number");
    failing.explain = explain_failing;
    err = eval_on(&failing);
    assert_string_equal(err.text, "op swiglu at blk.0.gated on backend failing: the gate is stuck");
}
