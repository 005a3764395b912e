/* Stands in for oneDNN: the one function that `inferno bench` calls. Ends the program if the arguments are not those
 * of out[m,n] = a[m,k] b[k,n]. */
#include <stdint.h>
#include <stdlib.h>

#include <inferno/export.h>

#include "plain_product.h"

IFN_API int dnnl_sgemm(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha,
                       const float *a, int64_t lda, const float *b, int64_t ldb, float beta,
                       float *c, int64_t ldc);

int dnnl_sgemm(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
               int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc)
{
    if (ta != 'N' || tb != 'N' || alpha != 1.0f || beta != 0.0f || lda != k || ldb != n || ldc != n)
        abort();
    plain_product(m, n, k, a, b, c);
    return 0;
}
