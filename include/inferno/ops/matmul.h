/* matmul: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_MATMUL_H
#define INFERNO_OPS_MATMUL_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * matmul: out[i,j] = sum_l a[i,l] * b[l,j]
 *
 * out  [m, p]   no overlap with a or b
 * a    [m, n]
 * b    [n, p]
 *
 * Split   rows of out; columns of out
 */
typedef struct ifn_matmul_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    float *out;
    const float *a, *b;
    int64_t m, n, p;
} ifn_matmul_args;

/* clang-format off */
#define IFN_SIGNATURE_matmul                                                        \
    EXTENT(m, 0) EXTENT(n, 0) EXTENT(p, 0)                                          \
    IN(a, F32, PART(m), ALL(n))                                                     \
    IN(b, F32, ALL(n), PART2(p))                                                    \
    OUT(out, F32, APART, PART(m), PART2(p))
/* clang-format on */

#define IFN_COST_matmul OWN(matmul)

#endif
