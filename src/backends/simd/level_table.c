/* Builds the op table of one level from the level's list of ops. */
#include "level.h"

#include "level_ops.h"

#ifdef IFN_LEVEL_HAS_LINEAR_Q8
#include "block_kernels.h"
#endif

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

#ifdef IFN_LEVEL_HAS_LINEAR
#include "gemm.h"
#include "gemm_slices.h"
#include "gemm_tile.h"
#include "weight_panels.h"

#ifdef VEC_HAS_BF16_TILES
_Static_assert((int)PANEL == (int)PAIR_COLUMNS, "packed weights of all dtypes are cut alike");
#endif

/* Calls on packed weights are cut between panels, on raw ones anywhere. */
static int64_t granule_of_linear(const ifn_call *args)
{
    const ifn_linear_args *const a = (const ifn_linear_args *)(const void *)args;
    for (int i = 0; i < a->n_w; i++)
        if (ifn_simd_packed_linear(a->packed[i]))
            return PANEL;
    return 1;
}
#endif

#ifdef IFN_LEVEL_HAS_ATTENTION
#include "attention_pass.h"
#endif

/* The most scratch that any op needs, as a lane runs one op at a time. */
static size_t scratch_bytes(const ifn_limits *max)
{
    size_t most = 0;
#ifdef IFN_LEVEL_HAS_LINEAR
    most = IFN_GEMM_KERNEL(gemm_scratch_bytes)(max);
#ifdef VEC_HAS_BF16_TILES
    most = larger(most, IFN_KERNEL(gemm_slices_scratch_bytes)(max));
#endif
#endif
#ifdef IFN_LEVEL_HAS_ATTENTION
    most = larger(most, IFN_KERNEL(attention_scratch_bytes)(max));
#endif
#ifdef IFN_LEVEL_HAS_LINEAR_Q8
    most = larger(most, IFN_KERNEL(linear_q8_scratch_bytes)(max));
#endif
    (void)max;
    return most;
}

/* Axis 0 of linear and linear_q8 is features. linear_q8 could be cut inside a panel, but then both
 * parts would compute the whole panel. */
static int64_t granule(ifn_op op, int axis, const ifn_call *args)
{
    (void)args;
#ifdef IFN_LEVEL_HAS_LINEAR
    if (op == IFN_OP_LINEAR && axis == 0)
        return granule_of_linear(args);
#endif
#ifdef IFN_LEVEL_HAS_LINEAR_Q8
    if (op == IFN_OP_LINEAR_Q8 && axis == 0)
        return VL;
#endif
    return 1;
}

/*
 * run_add, ...: runs the op, then puts the vector registers into the state that callers expect (vec_leave).
 * Compilers do that themselves, except for functions that they do not inline.
 */
#define X(name)                                                                                    \
    static ifn_status run_##name(ifn_backend *self, const ifn_##name##_args *a)                    \
    {                                                                                              \
        const ifn_status status = IFN_KERNEL(name)(self, a);                                       \
        vec_leave();                                                                               \
        return status;                                                                             \
    }
IFN_LEVEL_OPS(X)
#undef X

extern const ifn_simd_level IFN_KERNEL(level);
const ifn_simd_level IFN_KERNEL(level) = {
    .name = IFN_LEVEL_TEXT,
    .needs = IFN_LEVEL_NEEDS,
    .ops =
        {
#define X(name) .name = run_##name,
            IFN_LEVEL_OPS(X)
#undef X
        },
    .granule = granule,
    .scratch_bytes = scratch_bytes,
#ifdef IFN_LEVEL_HAS_LINEAR
#ifdef VEC_HAS_BF16_TILES
    .linear = &IFN_KERNEL(pair_packing),
#else
    .linear = &IFN_KERNEL(weight_packing),
#endif
#endif
#ifdef IFN_LEVEL_HAS_LINEAR_Q8
    .linear_q8 = &IFN_Q8_KERNEL(q8_packing),
#endif
};
