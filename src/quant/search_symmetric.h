/* Scales and codes for the K formats without a minimum (Q3_K, Q6_K). */
#ifndef IFN_SEARCH_SYMMETRIC_H
#define IFN_SEARCH_SYMMETRIC_H

#include <stdint.h>

/* w[i] = d * scale[i / 16] * code[i], 256 weights in 16 groups. */
typedef struct ifn_symmetric_fit {
    uint16_t d; /* f16; if the block cannot be stored, d is NaN and all codes are 0 */
    int8_t scale[16];
    int8_t code[256];
} ifn_symmetric_fit;

/* Codes are -codes .. codes-1, scales -scales .. scales-1. */
typedef struct ifn_symmetric_shape {
    int codes, scales;
} ifn_symmetric_shape;

/* Searches for the fit that minimises the sum of squared errors times their weights; weights NULL: all 1. */
void ifn_search_symmetric(const float x[256], const float *weights, ifn_symmetric_shape shape,
                          ifn_symmetric_fit *out);

#endif
