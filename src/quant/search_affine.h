/* Scales, minima and codes for the K formats with a minimum (Q2_K, Q4_K, Q5_K). */
#ifndef IFN_SEARCH_AFFINE_H
#define IFN_SEARCH_AFFINE_H

#include <stdint.h>

/* w[i] = d * scale[g] * code[i] - dmin * min[g], g = i / group, 256 weights. */
typedef struct ifn_affine_fit {
    uint16_t d, dmin; /* f16; if the block cannot be stored, d is NaN and everything else 0 */
    uint8_t scale[16], min[16];
    uint8_t code[256];
} ifn_affine_fit;

typedef struct ifn_affine_shape {
    int group;  /* weights per group: 16 or 32 */
    int codes;  /* the largest code */
    int scales; /* the largest scale and the largest minimum */
} ifn_affine_shape;

/* Searches for the fit that minimises the sum of squared errors times their weights; weights NULL: all 1. */
void ifn_search_affine(const float x[256], const float *weights, ifn_affine_shape shape,
                       ifn_affine_fit *out);

#endif
