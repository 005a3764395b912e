/* Stands in for OpenBLAS: the one function that `inferno bench` calls. Ends the program if the arguments are not
 * those of out[m,n] = a[m,k] b[k,n]. */
#include <stdlib.h>

#include <inferno/export.h>

#include "plain_product.h"

enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 };

IFN_API void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb, float beta, float *c,
                         int ldc);

void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                 int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    if (order != ROW_MAJOR || ta != NOT_TRANSPOSED || tb != NOT_TRANSPOSED || alpha != 1.0f ||
        beta != 0.0f || lda != k || ldb != n || ldc != n)
        abort();
    plain_product(m, n, k, a, b, c);
}
