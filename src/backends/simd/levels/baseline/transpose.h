/* vec_vocabulary.h on SSE2. */
#ifndef IFN_SIMD_TRANSPOSE_H
#define IFN_SIMD_TRANSPOSE_H

#include "vec.h"

static inline void vf_transpose(vf r[VL])
{
    _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
}

#endif
