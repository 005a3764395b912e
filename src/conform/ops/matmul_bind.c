/* matmul: C[m,p] = A[m,n] B[n,p] */
#include "gen.h"
#include "module.h"

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
};
