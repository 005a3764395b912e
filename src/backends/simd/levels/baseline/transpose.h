/* Four vectors become their transpose: see avx512/transpose.h. */
#ifndef IFN_SIMD_TRANSPOSE_H
#define IFN_SIMD_TRANSPOSE_H

#include "vec.h"

static inline void vf_transpose(vf r[VL])
{
    _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
}

#endif
