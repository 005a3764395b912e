/* Computes out[m,n] = a[m,k] b[k,n] for the libraries' stand-ins. */
#ifndef TEST_PLAIN_PRODUCT_H
#define TEST_PLAIN_PRODUCT_H

#include <stdint.h>

static inline void plain_product(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                 float *out)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            out[i * n + j] = sum;
        }
}

#endif
