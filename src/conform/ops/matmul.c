/* matmul: C[m,p] = A[m,n] B[n,p] */
#include "arithmetic.h"
#include "bounds.h"
#include "gen.h"
#include "module.h"
#include "sampled.h"

/*
 * matmul in f64, with columns outermost and sums from the end, unlike any kernel. Products of f32
 * are exact in f64, the sum is compensated (numerics 2, 6).
 */

/* The bound on rounding each input element to the declared format; NULL if arithmetic is f32. */
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
            conform_judge_sum(out, i * p + j, &s, &how, (double)n * conform_summing_unit(declared));
        }
    }
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[1];
    (void)l;
    conform_fill_f32(c, "a", OPERAND_A, n, data[0], c->dim[0], n, n);
    conform_fill_f32(c, "b", OPERAND_B_DOWN, n, data[1], n, c->dim[2], c->dim[2]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[0] * c->dim[1] * c->dim[2];
}

const conform_module conform_module_matmul = {
    .op = IFN_OP_MATMUL,
    .dim_names = {"m", "n", "p"},
    .is_reduction = 1,
    .has_statistics = 1,
    .fill = fill,
    .truth = conform_truth_matmul,
    .work = work,
    .model_sizes = "m=1,n=1024,p=3072;m=64,n=1024,p=3072",
};
