/* The first bad op of a device: its buffers are read through its doors, and the findings are those for scalar. */
#include "first_bad.h"

#include <string.h>

#include "road.h"
#include "tap.h"

static const ifn_token ids[] = {3, 17, 42, 42, 0, 60, 7};

static first_bad_finding search(ifn_backend *backend, ifn_graph graph)
{
    const tiny_model m = tiny_default("qwen3");
    const char *const path = temp_path("device.gguf");
    const first_bad_mode mode = {
        .graph = graph, .activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32};
    const ifn_context_params p = road_params();
    first_bad_finding r;
    ifn_error err = {0};
    tiny_write(&m, path);
    road model = road_open_file(path, &p);
    assert_ok(conform_first_bad(model.model, backend, &mode, ids, N_OF(ids),
                                &(first_bad_options){.is_quick = 1}, &r, &err),
              err);
    road_close(&model);
    return r;
}

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &b, &err), err);
    return b;
}

TEST(a_device_is_judged_as_scalar_is)
{
    static const char *const devices[] = {FENCED, FENCED "=doors"};
    for (int graph = 0; graph < 2; graph++) {
        ifn_backend *const scalar = open_chain("scalar");
        const first_bad_finding want =
            search(scalar, graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED);
        assert_int_equal(want.kind, FIRST_BAD_NONE);
        for (size_t i = 0; i < N_OF(devices); i++) {
            ifn_backend *const device = open_chain(devices[i]);
            const first_bad_finding got =
                search(device, graph ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED);
            assert_int_equal(got.kind, FIRST_BAD_NONE);
            assert_true(got.n_judged > want.n_judged); /* the copies of norms are judged, too */
            assert_true(got.largest_ratio == want.largest_ratio);
            ifn_backend_close(device);
        }
        ifn_backend_close(scalar);
    }
}

/* Makes swiglu of layer 1 too large by a factor of 1.001, with an op of the device. */
static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    IFN_TRY(ifn_op_run(self->inner, op, args));
    if (op != IFN_OP_SWIGLU || args->layer != 1)
        return IFN_OK;
    const ifn_swiglu_args *const a = (const ifn_swiglu_args *)args;
    return ifn_scale(self->inner, &IFN_ARGS(scale, .out = a->out, .x = a->out, .value = 1.001f,
                                            .n = a->rows * a->dim));
}

IFN_FILL_THROUGH

TEST(its_first_bad_op_is_named)
{
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER,
                                   .name = "larger", .summary = "one op of it is wrong",
                                   .fill = fill};
    ifn_backend *const device = open_chain(FENCED), *larger;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&desc, device, NULL, NULL, &larger, &err), err);
    const first_bad_finding r = search(larger, IFN_GRAPH_FUSED);
    assert_int_equal(r.kind, FIRST_BAD_OP);
    assert_int_equal(r.op, IFN_OP_SWIGLU);
    assert_int_equal(r.layer, 1);
    assert_string_equal(r.point, "gated");
    ifn_backend_close(larger);
    ifn_backend_close(device);
}

/* --- what a hook writes --- */

enum { N_VOCAB = 61 };

static ifn_status halve(void *cookie, const tap_call *call, ifn_status status)
{
    (void)cookie;
    for (int i = 0; call->op == IFN_OP_SWIGLU && i < call->n_outputs; i++)
        for (int64_t k = 0; k < call->outputs[i].cols; k++)
            ((float *)(uintptr_t)call->outputs[i].data)[k] *= 0.5f;
    return status;
}

static void logits_of(const char *expression, const tap_hooks *hooks, float *out)
{
    const tiny_model m = tiny_default("qwen3");
    const char *const path = temp_path("device.gguf");
    const ifn_context_params p = road_params();
    ifn_error err = {0};
    ifn_backend *tap;
    tiny_write(&m, path);
    assert_int_equal(m.n_vocab, N_VOCAB);
    road r = road_open_on(path, &p, expression, NULL);
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    assert_ok(conform_tap_open(r.backend, r.model, hooks, &tap, &err), err);
    assert_ok(
        ifn_weights_open(r.model, tap, ifn_context_uses(r.model, &p), NULL, NULL, &r.weights, &err),
        err);
    assert_ok(ifn_context_open(r.weights, &p, NULL, &r.context, &err), err);
    road_eval(&r, ids, 1);
    road_logits(&r, out);
    ifn_context_close(r.context);
    ifn_weights_unref(r.weights);
    ifn_backend_close(tap);
    r.context = NULL;
    r.weights = NULL;
    road_close(&r);
}

TEST(what_a_hook_writes_goes_back_to_the_device)
{
    const tap_hooks none = {.writes_nothing = true}, writes = {.after = halve};
    float plain[N_VOCAB] = {0}, scalar[N_VOCAB] = {1}, device[N_VOCAB] = {2};
    logits_of("scalar", &none, plain);
    logits_of("scalar", &writes, scalar);
    logits_of(FENCED, &writes, device);
    assert_memory_not_equal(scalar, plain, sizeof plain);
    assert_memory_equal(device, scalar, sizeof scalar);
}
