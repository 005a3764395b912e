/*
 * Strassen's seven products of sums of blocks instead of eight products of blocks: as accurate normwise, but small
 * rows are rounded like the largest.
 *
 * Follows doi:10.1007/BF02165411
 */
#include <math.h>
#include <stdlib.h>

#include "museum_kit.h"

enum { LEAST = 32 };

/* A block of a matrix, times `sign`; 0: no block. */
typedef struct term {
    int row, col, sign;
} term;

/* Strassen's seven products: the sum of blocks of a, that of b, and the blocks of the result that the product is added
 * to. */
static const struct {
    term a[2], b[2], out[2];
} products[] = {
    {{{0, 0, 1}, {1, 1, 1}}, {{0, 0, 1}, {1, 1, 1}}, {{0, 0, 1}, {1, 1, 1}}},
    {{{1, 0, 1}, {1, 1, 1}}, {{0, 0, 1}, {0, 0, 0}}, {{1, 0, 1}, {1, 1, -1}}},
    {{{0, 0, 1}, {0, 0, 0}}, {{0, 1, 1}, {1, 1, -1}}, {{0, 1, 1}, {1, 1, 1}}},
    {{{1, 1, 1}, {0, 0, 0}}, {{1, 0, 1}, {0, 0, -1}}, {{0, 0, 1}, {1, 0, 1}}},
    {{{0, 0, 1}, {0, 1, 1}}, {{1, 1, 1}, {0, 0, 0}}, {{0, 0, -1}, {0, 1, 1}}},
    {{{1, 0, 1}, {0, 0, -1}}, {{0, 0, 1}, {0, 1, 1}}, {{1, 1, 1}, {0, 0, 0}}},
    {{{0, 1, 1}, {1, 1, -1}}, {{1, 0, 1}, {1, 1, 1}}, {{0, 0, 1}, {0, 0, 0}}},
};

static float sum_at(const float *x, const term t[2], int64_t rows, int64_t cols, int64_t i,
                    int64_t j)
{
    float sum = 0;
    for (int k = 0; k < 2; k++)
        if (t[k].sign)
            sum += (float)t[k].sign * x[(t[k].row * rows + i) * 2 * cols + t[k].col * cols + j];
    return sum;
}

static void add_product(const ifn_matmul_args *a, size_t which, float *out)
{
    const int64_t m = a->m / 2, n = a->n / 2, p = a->p / 2;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < p; j++) {
            float sum = 0;
            for (int64_t l = 0; l < n; l++)
                sum += museum_product(sum_at(a->a, products[which].a, m, n, i, l),
                                      sum_at(a->b, products[which].b, n, p, l, j));
            for (int k = 0; k < 2; k++) {
                const term t = products[which].out[k];
                if (t.sign)
                    out[(t.row * m + i) * a->p + t.col * p + j] += (float)t.sign * sum;
            }
        }
}

static int is_finite(const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

static int is_even(int64_t n)
{
    return n >= LEAST && n <= 512 && n % 2 == 0;
}

ifn_status museum_products_of_sums(ifn_backend *self, const ifn_matmul_args *a)
{
    if (!is_even(a->m) || !is_even(a->n) || !is_even(a->p) || !is_finite(a->a, a->m * a->n) ||
        !is_finite(a->b, a->n * a->p))
        return ifn_matmul(self->base, a);
    float *const out = calloc((size_t)(a->m * a->p), sizeof *out);
    if (!out)
        return IFN_ERR_NOMEM;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        add_product(a, i, out);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] = out[i * a->p + j];
    free(out);
    return IFN_OK;
}
