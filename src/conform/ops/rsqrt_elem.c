/* rsqrt_elem: out = 1 / sqrt(x) */
#include <math.h>

#include "bounds.h"
#include "elementwise.h"
#include "gen.h"

/* The op is two correctly rounded operations, or a declared estimate; its result is always normal. The oracle computes
 * sqrt(1/x), not 1/sqrt(x). Special values follow the table of numerics 10: -0 gives -inf, -inf gives NaN. */
static double rsqrt_of(double x)
{
    if (x == 0)
        return copysign((double)INFINITY, x);
    return x < 0 ? (double)NAN : sqrt(1.0 / x);
}

void conform_truth_rsqrt_elem(const conform_case *c, const conform_layout *l, void *const *data,
                              const conform_declared *declared, conform_pool *pool,
                              conform_truth *truth)
{
    const float *x = data[0];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;) {
        out->want[i] = rsqrt_of((double)x[i]);
        out->bound[i] = declared->rsqrt_rel * fabs(out->want[i]) * CONFORM_WIDEN;
    }
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    float *x = data[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, x, 1, n, n);
    for (int64_t i = 0; c->family != FAMILY_SPECIALS && i < n; i++)
        x[i] = fabsf(x[i]);
}

const conform_module conform_module_rsqrt_elem = {
    .op = IFN_OP_RSQRT_ELEM,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .fill = fill,
    .truth = conform_truth_rsqrt_elem,
    .work = conform_vector_work,
    .model_sizes = "n=1;n=64",
};
