/*
 * The struct that opens the arguments of every op: which lane runs the call, where in a forward pass
 * it stands, and how calls are cut into parts.
 *
 * Stability: stable, and part of the plugin ABI. Points may be added.
 */
#ifndef INFERNO_CALL_H
#define INFERNO_CALL_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/*
 * The points of a forward pass: the results that calls work towards, in the order of a layer.
 * X(NAME, name). Append only.
 */
/* clang-format off */
#define IFN_POINTS(X)                                                                     \
    X(NONE, "?") /* not stated */                                                         \
    X(WEIGHTS, "weights") /* made once, before any pass */                                \
    X(INPUTS, "inputs") X(READBACK, "readback") X(SAMPLE, "sample")                       \
    X(EMBEDDING, "embedding")                                                             \
    X(ATTN_NORM, "attn_norm")                                                             \
    X(Q, "q") X(K, "k") X(V, "v")                                                         \
    X(Q_NORM, "q_norm") X(K_NORM, "k_norm")                                               \
    X(Q_ROPE, "q_rope") X(K_ROPE, "k_rope")                                               \
    X(K_STORED, "k_stored") X(V_STORED, "v_stored")                                       \
    X(ATTENDED, "attended")                                                               \
    X(ATTN_OUTPUT, "attn_output")                                                         \
    X(ATTN_RESIDUAL, "attn_residual")                                                     \
    X(FFN_NORM, "ffn_norm")                                                               \
    X(GATE, "gate") X(UP, "up")                                                           \
    X(GATED, "gated")                                                                     \
    X(FFN_DOWN, "ffn_down")                                                               \
    X(FFN_RESIDUAL, "ffn_residual")                                                       \
    X(OUTPUT_NORM, "output_norm")                                                         \
    X(LOGITS, "logits")
/* clang-format on */

/* IFN_POINT_NONE, ... */
enum {
#define X(NAME, name) IFN_POINT_##NAME,
    IFN_POINTS(X)
#undef X
        IFN_POINT_COUNT
};

typedef int32_t ifn_point;

/**
 * The first member of every argument struct. The caller sets `bytes` to sizeof the whole struct, and layer
 * and point if the call stands in a forward pass (zeros: not stated). The code that runs the call sets the
 * rest. A backend may compute by layer and point: calls that differ in them are different calls, whose
 * bits nobody compares. A backend sees structs of the size that it was built with, whatever size the
 * caller's has. Each lane has its own scratch, aligned to 64 bytes, of the size the backend asked for or
 * larger, as the other backends of a chain use it too: it may hold anything, and keeps nothing from call
 * to call. No call is larger than the ifn_limits that scratch was planned for.
 *
 * Argument structs grow at the end, and zero in a new field means: as before. A backend that was built
 * before an argument was added never sees a call that sets it (backend.h, "Growth"). The same holds for
 * words of `reserved` that get a meaning later.
 */
typedef struct ifn_call {
    uint32_t bytes;        /* of the whole argument struct this member opens */
    int32_t lane, n_lanes; /* which lane runs this call, and of how many */
    int16_t layer;    /* the transformer block, -1 outside of all; meaningful only with a point */
    uint8_t point;    /* ifn_point */
    uint8_t is_point; /* 1: the output is the point itself, 0: a step on the way to it */
    void *scratch;    /* this lane's own */
    size_t scratch_bytes;
    uint64_t reserved[4]; /* zero; later versions may give these words a meaning */
} ifn_call;

/* A whole argument struct, its size set: ifn_matmul(backend, &IFN_ARGS(matmul, .out = c, ...)) */
#define IFN_ARGS(op, ...)                                                                          \
    ((ifn_##op##_args){.call = {.bytes = (uint32_t)sizeof(ifn_##op##_args)}, __VA_ARGS__})

/*
 * Parts. Ops that may be cut have [part_begin, part_end) of their first cut, those with a second
 * also [part2_begin, part2_end); 0, 0 means all of it, and n, n for any other n means nothing.
 * A part has the base pointers and extents of the whole call. The op writes the elements of its part, as
 * often as it likes, and no others, not even with the value they already have: another thread may own them.
 */

/* "attn_norm"; "?" for no point */
IFN_API const char *ifn_point_name(int point);
/* Writes where a call stands, truncated to `bytes`: "blk.3.attn_norm", "logits"; "" if not stated. */
IFN_API void ifn_call_place(const ifn_call *args, char *out, size_t bytes);

IFN_EXTERN_C_END

#endif
