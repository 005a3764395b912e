/*
 * matmul in f64, columns outermost and the sum from the end: unlike every kernel. Products of f32
 * are exact in f64, the sum is compensated (numerics 2, 6).
 */
#include "arithmetic.h"
#include "bounds.h"
#include "module.h"
#include "sampled.h"

/* How far each element may be moved by what inputs are rounded to; NULL: by nothing. */
static const double *errors_of(const float *x, int64_t n, const conform_declared *declared,
                               conform_pool *pool)
{
    const conform_format *const f = conform_format_of(declared->arithmetic.inputs);
    if (conform_arithmetic_is_plain(&declared->arithmetic))
        return NULL;
    double *const errors = conform_pool_take(pool, conform_size_of(n), sizeof *errors);
    for (int64_t i = 0; i < n && declared->arithmetic.inputs; i++)
        errors[i] = conform_rounding_error(f, (double)x[i]);
    return errors;
}

void conform_truth_matmul(const conform_case *c, const conform_layout *l, void *const *data,
                          const conform_declared *declared, conform_pool *pool,
                          conform_truth *truth)
{
    const int64_t m = c->dim[0], n = c->dim[1], p = c->dim[2];
    const float *a = data[0], *b = data[1];
    const double h = (double)(declared->depth ? declared->depth : n);
    const conform_summing how = conform_summing_of(c->tier, declared, h, (double)n, 0);
    const double *const ea = errors_of(a, m * n, declared, pool);
    const double *const eb = errors_of(b, n * p, declared, pool);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, m * p, pool);
    const conform_grid columns = {
        .n_lines = p, .length = m, .line_step = 1, .element_step = p, .cost = n, .per_line = 3};
    const conform_lines lines = conform_choose_lines(c, out, &columns, pool);
    for (int64_t line = 0; line < lines.n; line++) {
        const int64_t j = conform_chosen_line(&lines, line);
        for (int64_t i = 0; i < m; i++) {
            conform_sum s = {0};
            if (out->skip[i * p + j])
                continue;
            for (int64_t t = n; t-- > 0;) {
                const double term = (double)a[i * n + t] * (double)b[t * p + j];
                conform_sum_add(&s, term, term);
                if (ea)
                    conform_sum_move(&s, fabs((double)a[i * n + t]), ea[i * n + t],
                                     fabs((double)b[t * p + j]), eb[t * p + j]);
            }
            conform_judge_sum_in(out, i * p + j, &s, &how,
                                 (double)n * conform_summing_unit(declared));
        }
    }
}
