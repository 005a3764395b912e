/*
 * What every call of an op says beside its arguments: who runs it, where in a forward pass it
 * stands, and which part of it is to be done.
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
 * What a call of a forward pass works towards, in the order of a layer. X(NAME, name). Append only.
 */
/* clang-format off */
#define IFN_POINTS(X)                                                                     \
    X(NONE, "?") /* nobody says */                                                        \
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
 * Opens every argument struct. The caller sets `bytes` to sizeof the whole struct, and where in a
 * forward pass the call stands, if it does: zeros say nothing. Whoever runs the call sets the rest.
 * A backend sees structs of the size that it was built with, whatever the caller's is.
 * scratch is the lane's own, aligned to 64 bytes, and of the size the backend asked for or larger, as
 * others of a chain use it too: it holds anything, and keeps nothing from call to call. No call is
 * larger than the ifn_limits it was planned for.
 *
 * Argument structs grow at the end, and zero there means: as before. A backend that was built
 * before an argument came is never shown a call that sets it (backend.h, "Growth"). Neither is one
 * that was built before a word of `reserved` got its meaning.
 */
typedef struct ifn_call {
    uint32_t bytes;        /* of the whole argument struct this member opens */
    int32_t lane, n_lanes; /* who runs this call, of how many */
    int16_t layer;         /* the block, -1 outside of all; only beside a point */
    uint8_t point;         /* ifn_point */
    uint8_t is_point;      /* 1: what is written is the point, 0: a step on the way to it */
    void *scratch;         /* this lane's own */
    size_t scratch_bytes;
    uint64_t reserved[4]; /* zero: what later versions say of a call */
} ifn_call;

/* A whole argument struct, its size set: ifn_matmul(backend, &IFN_ARGS(matmul, .out = c, ...)) */
#define IFN_ARGS(op, ...)                                                                          \
    ((ifn_##op##_args){.call = {.bytes = (uint32_t)sizeof(ifn_##op##_args)}, __VA_ARGS__})

/*
 * Pieces. Ops that may be cut carry [part_begin, part_end) of their first dimension, those with a
 * second [part2_begin, part2_end); 0, 0 means all of it, and n, n of any other n nothing.
 * Buffers keep their base and extents their value; the op writes what lies in its part, as often as it
 * likes, and nothing else, not even what is there already: that may be another thread's.
 */

/* "attn_norm"; "?" for no point */
IFN_API const char *ifn_point_name(int point);
/* Where a call stands, cut where `bytes` end: "blk.3.attn_norm", "logits"; "" where nobody said. */
IFN_API void ifn_call_place(const ifn_call *args, char *out, size_t bytes);

IFN_EXTERN_C_END

#endif
