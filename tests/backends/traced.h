/* A chain with a `trace` in it, calls to send through it, and a sink for its output. */
#ifndef IFN_TRACED_H
#define IFN_TRACED_H

#include <string.h>

#include <inferno/quant.h>
#include <inferno/trace.h>

#include "test.h"
#include "trace_record.h"

static inline ifn_backend *open_chain(const char *expression)
{
    ifn_backend *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &chain, &err), err);
    return chain;
}

/* out = x + y of three elements. */
static inline ifn_status call_add(ifn_backend *chain, int32_t lane)
{
    float x[] = {1, 2, 3}, y[] = {4, 5, 6}, out[3];
    ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = 3);
    a.call.lane = lane;
    const ifn_status status = ifn_add(chain, &a);
    assert_true(out[0] == 5 && out[2] == 9);
    return status;
}

/* out[1, 2] = x[1, 3] w[2, 3]^T for a weight of this name. */
static inline void call_linear(ifn_backend *chain, const char *weight)
{
    const float elements[] = {1, 0, 0, 0, 0, 1};
    float x[] = {1, 2, 3}, data[6], out[2]; /* weights are little-endian anywhere */
    assert_int_equal(ifn_quantize_row(IFN_DTYPE_F32, elements, data, 6), IFN_OK);
    const ifn_tensor w = {weight, data, IFN_DTYPE_F32, 2, {2, 3}};
    const ifn_linear_args a = IFN_ARGS(linear, .x = x, .rows = 1, .k = 3, .x_stride = 3, .n_w = 1,
                                       .w = {&w}, .out = {out}, .out_stride = {2});
    assert_int_equal(ifn_linear(chain, &a), IFN_OK);
    assert_true(out[0] == 1 && out[1] == 3);
}

/* A call that the reference refuses. */
static inline void call_argmax_of_nothing(ifn_backend *chain)
{
    int32_t index;
    float value;
    const ifn_argmax_with_prob_args a =
        IFN_ARGS(argmax_with_prob, .index = &index, .value = &value);
    assert_int_equal(ifn_argmax_with_prob(chain, &a), IFN_ERR_SHAPE);
}

/* A sink that keeps everything. */
typedef struct written {
    char text[65536];
    size_t bytes;
} written;

static inline ifn_status keep_text(void *cookie, const char *data, size_t bytes)
{
    written *const w = cookie;
    assert_true(w->bytes + bytes < sizeof w->text);
    memcpy(w->text + w->bytes, data, bytes);
    w->bytes += bytes;
    w->text[w->bytes] = '\0';
    return IFN_OK;
}

static inline ifn_status refuse_text(void *cookie, const char *data, size_t bytes)
{
    (void)cookie, (void)data, (void)bytes;
    return IFN_ERR_IO;
}

/* Adds a call with given times and no tensors to a state, as trace.c does. */
static inline void add_event(trace_state *state, ifn_op op, int32_t lane, uint64_t start,
                             uint64_t end)
{
    const ifn_args args = {.call = {.bytes = sizeof args, .lane = lane}};
    ifn_trace_state_add(state, &(ifn_trace_call){.op = op,
                                                 .args = &args.call,
                                                 .name = ifn_op_name(op),
                                                 .status = IFN_OK,
                                                 .start_ns = start,
                                                 .end_ns = end});
}

#endif
