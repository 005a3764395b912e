/* vec_vocabulary.h on WebAssembly's 128-bit vectors. */
#ifndef IFN_SIMD_TRANSPOSE_H
#define IFN_SIMD_TRANSPOSE_H

#include "vec.h"

static inline void vf_transpose(vf r[VL])
{
    const vf a = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5);
    const vf b = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5);
    const vf c = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    const vf d = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    r[0] = wasm_i64x2_shuffle(a, b, 0, 2);
    r[1] = wasm_i64x2_shuffle(a, b, 1, 3);
    r[2] = wasm_i64x2_shuffle(c, d, 0, 2);
    r[3] = wasm_i64x2_shuffle(c, d, 1, 3);
}

#endif
