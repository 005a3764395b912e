/* What every kernel of a level includes: the level's own name for things, its vectors, its parts.
 */
#ifndef IFN_SIMD_LEVEL_H
#define IFN_SIMD_LEVEL_H

#include "op_part.h"
#include "simd.h"
#include "vec_vocabulary.h"

#define IFN_KERNEL_2(level, name) ifn_##level##_##name
#define IFN_KERNEL_1(level, name) IFN_KERNEL_2(level, name)
/* IFN_KERNEL(add): ifn_avx2_add where this file is compiled for AVX2. */
#define IFN_KERNEL(name) IFN_KERNEL_1(IFN_LEVEL, name)

/* The level whose panels and few rows of linear_q8 this one has: its own, or those of one before it. */
#ifndef IFN_Q8_LEVEL
#define IFN_Q8_LEVEL IFN_LEVEL
#endif
#define IFN_Q8_KERNEL(name) IFN_KERNEL_1(IFN_Q8_LEVEL, name)

/* Inlined in any case: what is constant at the call is constant in the loops. */
#define IFN_INLINE static inline __attribute__((always_inline))
/* A kernel compiled for each of its constants; under sanitizers once for all of them, as its instructions, watched and
 * unrolled, are minutes to compile and run the same way. */
#ifdef IFN_KERNELS_ONCE
#define IFN_SPECIALIZED static __attribute__((noinline))
#else
#define IFN_SPECIALIZED IFN_INLINE
#endif
enum { LINE_BYTES = 64 }; /* what one fetch brings */
/* The line at p into L2, where L1 has no room for it yet. */
#define IFN_FETCH_L2(p) __builtin_prefetch(p, 0, 2)

/* Where lines come to ahead of their time, a constant wherever it is used. On their way to L2 they take no
 * place that loads from L2 need. */
typedef enum ifn_fetch { FETCH_NONE, FETCH_L1, FETCH_L2 } ifn_fetch;

IFN_INLINE void ifn_fetch_line(const ifn_fetch to, const void *p)
{
    if (to == FETCH_L1)
        __builtin_prefetch(p);
    if (to == FETCH_L2)
        IFN_FETCH_L2(p);
}

/* Unrolls the next loop, so that what it indexes stays in registers. */
#define IFN_UNROLL _Pragma("GCC unroll 8")

#define X(NAME, name, cut, cut2, doc)                                                              \
    ifn_status IFN_KERNEL(name)(ifn_backend * self, const ifn_##name##_args *a);
IFN_OPS(X)
#undef X

#endif
