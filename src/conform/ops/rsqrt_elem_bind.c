/* rsqrt_elem: out = 1 / sqrt(x) */
#include "elementwise.h"
#include "gen.h"

#include <math.h>

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
};
