/* Scales and codes for the K formats without a minimum (Q3_K, Q6_K). */
#ifndef IFN_SEARCH_SYMMETRIC_H
#define IFN_SEARCH_SYMMETRIC_H

#include <stdint.h>

/* w[i] = d * scale[i / 16] * code[i], 256 weights in 16 groups. */
typedef struct ifn_symmetric_fit {
    uint16_t d; /* f16; NaN with all codes 0 where the block cannot be stored */
    int8_t scale[16];
    int8_t code[256];
} ifn_symmetric_fit;

/* Codes are -codes .. codes-1, scales -scales .. scales-1. */
typedef struct ifn_symmetric_shape {
    int codes, scales;
} ifn_symmetric_shape;

/* Looks for the fit of the least sum of squared errors, each times its weight; weights NULL: 1. */
void ifn_search_symmetric(const float x[256], const float *weights, ifn_symmetric_shape shape,
                          ifn_symmetric_fit *out);

#endif
