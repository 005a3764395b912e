/* What a tap shows of a device, and how often it waits for the device: each look is a copy. */
#include "mirror.h"

#include <stdlib.h>
#include <string.h>

#include "road.h"
#include "tap.h"

static const ifn_token ids[] = {3, 17, 42, 42, 0};

/* A device in host memory that counts the copies through its doors. */
static int n_in, n_out;

static ifn_status copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    (void)self;
    n_in++;
    memcpy(a->out, a->host, a->bytes);
    return IFN_OK;
}

static ifn_status copy_out(ifn_backend *self, const ifn_copy_out_args *a)
{
    (void)self;
    n_out++;
    memcpy(a->host, a->x, a->bytes);
    return IFN_OK;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_in = copy_in;
    table->copy_out = copy_out;
}

static const ifn_allocator *buffers(const ifn_backend *self)
{
    (void)self;
    return ifn_default_allocator();
}

static const ifn_backend_desc counting = {
    IFN_BACKEND_STAMP, .flags = IFN_BACKEND_DEVICE, .name = "counting", .summary = "two doors",
    .fill = fill,      .buffers = buffers,
};

typedef struct looks {
    bool spoils; /* overwrites the output of swiglu with zeros */
    int n_seen;  /* outputs of swiglu seen that were not all zero */
} looks;

static void before(void *cookie, const tap_call *call)
{
    (void)cookie, (void)call;
}

static ifn_status after(void *cookie, const tap_call *call, ifn_status status)
{
    looks *const self = cookie;
    const ifn_swiglu_args *const a = (const ifn_swiglu_args *)(const void *)call->args;
    if (call->op != IFN_OP_SWIGLU)
        return status;
    float *const out = a->out;
    self->n_seen += out[0] < 0.0f || out[0] > 0.0f;
    if (self->spoils)
        memset(out, 0, (size_t)(a->rows * a->dim) * sizeof *out);
    return status;
}

enum { VOCAB = 4096 };

/* Runs one pass on the device, with a tap around it. */
static void run(tap_hooks hooks, looks *look, float logits[VOCAB])
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    ifn_backend *device, *tap;
    ifn_weights *weights;
    ifn_context *context;
    ifn_error err = {0};
    hooks.cookie = look;
    n_in = n_out = 0;
    assert_ok(ifn_backend_open_desc(&counting, NULL, NULL, NULL, &device, &err), err);
    assert_ok(conform_tap_open(device, r.model, &hooks, &tap, &err), err);
    assert_ok(
        ifn_weights_open(r.model, tap, ifn_context_uses(r.model, &p), NULL, NULL, &weights, &err),
        err);
    assert_ok(ifn_context_open(weights, &p, NULL, &context, &err), err);
    assert_ok(ifn_context_eval(context, ids, N_OF(ids), &err), err);
    assert_true(ifn_model_hparams(r.model)->n_vocab <= VOCAB);
    memset(logits, 0, VOCAB * sizeof *logits);
    assert_ok(ifn_context_logits(context, logits, &err), err);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_backend_close(tap);
    ifn_backend_close(device);
    road_close(&r);
}

TEST(inputs_are_copied_for_those_who_look_before)
{
    static float first[VOCAB], second[VOCAB];
    looks look = {.n_seen = 0};
    run((tap_hooks){.before = before, .after = after}, &look, first);
    const int with_inputs = n_out, seen = look.n_seen;
    run((tap_hooks){.after = after}, &look, second);
    assert_true(n_out < with_inputs);
    assert_true(seen > 0 && look.n_seen == 2 * seen);
    assert_memory_equal(first, second, sizeof first);
}

TEST(outputs_go_back_from_those_who_write)
{
    static float kept[VOCAB], spoilt[VOCAB], ignored[VOCAB];
    looks reader = {.spoils = false}, writer = {.spoils = true};
    run((tap_hooks){.after = after}, &reader, kept);
    const int n_back = n_in;
    run((tap_hooks){.after = after}, &writer, spoilt);
    assert_memory_not_equal(spoilt, kept, sizeof kept);
    run((tap_hooks){.after = after, .writes_nothing = true}, &writer, ignored);
    assert_true(n_in < n_back);
    assert_memory_equal(ignored, kept, sizeof kept);
}
