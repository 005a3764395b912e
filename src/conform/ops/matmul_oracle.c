/*
 * matmul in f64, columns outermost and the sum from the end: unlike every kernel. Products of f32
 * are exact in f64, the sum is compensated (numerics 2, 6).
 */
#include "bounds.h"
#include "module.h"
#include "sampled.h"

void conform_truth_matmul(const conform_case *c, const conform_layout *l, void *const *data,
                          const conform_declared *declared, conform_pool *pool,
                          conform_truth *truth)
{
    const int64_t m = c->dim[0], n = c->dim[1], p = c->dim[2];
    const float *a = data[0], *b = data[1];
    const double h = (double)(declared->depth ? declared->depth : n);
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
            }
            conform_judge_sum(out, i * p + j, &s, c->tier, h,
                              (double)n * conform_floor_unit(declared));
        }
    }
}
