/* Included by every kernel of a level: the names that the level's functions get, its vectors, parts of calls. */
#ifndef IFN_SIMD_LEVEL_H
#define IFN_SIMD_LEVEL_H

#include "op_part.h"
#include "simd.h"
#include "vec_vocabulary.h"

#define IFN_KERNEL_2(level, name) ifn_##level##_##name
#define IFN_KERNEL_1(level, name) IFN_KERNEL_2(level, name)
/* IFN_KERNEL(add): ifn_avx2_add where this file is compiled for AVX2. */
#define IFN_KERNEL(name) IFN_KERNEL_1(IFN_LEVEL, name)

/* The level whose packed panels and kernels of few rows linear_q8 uses: this one, or a weaker one. */
#ifndef IFN_Q8_LEVEL
#define IFN_Q8_LEVEL IFN_LEVEL
#endif
#define IFN_Q8_KERNEL(name) IFN_KERNEL_1(IFN_Q8_LEVEL, name)

/* The level whose panels and tiles of floats linear and matmul use: this one, or a weaker one. */
#ifndef IFN_GEMM_LEVEL
#define IFN_GEMM_LEVEL IFN_LEVEL
#endif
#define IFN_GEMM_KERNEL(name) IFN_KERNEL_1(IFN_GEMM_LEVEL, name)

/* Always inlined, so that arguments that are constant at the call are constant in the loops. */
#define IFN_INLINE static inline __attribute__((always_inline))
/* A kernel that is compiled once for each set of constants; under sanitizers once in all, as instrumented and unrolled
 * code takes minutes to compile, and gives the same results. */
#ifdef IFN_KERNELS_ONCE
#define IFN_SPECIALIZED static __attribute__((noinline))
#else
#define IFN_SPECIALIZED IFN_INLINE
#endif
enum { LINE_BYTES = 64 }; /* a cache line */
/* Prefetches the line at p into L2 only, if L1 has no room for it yet. */
#define IFN_FETCH_L2(p) __builtin_prefetch(p, 0, 2)

/* The cache that lines are prefetched into; always a compile-time constant. Prefetches into L2 do not take the fill
 * buffers that loads from L2 need. */
typedef enum ifn_fetch { FETCH_NONE, FETCH_L1, FETCH_L2 } ifn_fetch;

IFN_INLINE void ifn_fetch_line(const ifn_fetch to, const void *p)
{
    if (to == FETCH_L1)
        __builtin_prefetch(p);
    if (to == FETCH_L2)
        IFN_FETCH_L2(p);
}

/* Unrolls the next loop, so that arrays it indexes stay in registers. */
#define IFN_UNROLL _Pragma("GCC unroll 8")

#define X(NAME, name, cut, cut2, doc)                                                              \
    ifn_status IFN_KERNEL(name)(ifn_backend * self, const ifn_##name##_args *a);
IFN_OPS(X)
#undef X

#endif
