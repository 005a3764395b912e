/* Turns (transposes) rows into panels: neighbours in a row become the same lane of consecutive vectors. */
#ifndef IFN_SIMD_TURN_H
#define IFN_SIMD_TURN_H

#include "vec_vocabulary.h"

/*
 * panel[j][0 .. VL) = row[0 .. VL)[j] for 0 <= j < n_k. The first n rows exist, `stride` apart; the
 * others count as zeros. Elements are any 4 bytes: they are moved, never computed with.
 */
static inline void turn(const float *row, int64_t stride, int64_t n, int64_t n_k, float *panel,
                        int width)
{
    for (int64_t j = 0; j < n_k; j += VL) {
        const int some = (int)(n_k - j < VL ? n_k - j : VL);
        vf square[VL];
        for (int i = 0; i < VL; i++) {
            const float *const at = row + i * stride + j;
            square[i] = i >= n ? vf_zero() : some == VL ? vf_load(at) : vf_load_n(at, some);
        }
        vf_transpose(square);
        for (int i = 0; i < some; i++)
            vf_store(panel + (j + i) * width, square[i]);
    }
}

#endif
