/* matmul: C[m,p] = A[m,n] B[n,p] */
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t m = c->dim[0], n = c->dim[1], p = c->dim[2];
    conform_add_f32(out, "a", ROLE_IN, m, n);
    conform_add_f32(out, "b", ROLE_IN, n, p);
    conform_add_f32(out, "out", ROLE_OUT, m, p);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[1];
    (void)l;
    conform_fill_f32(c, "a", OPERAND_A, n, data[0], c->dim[0], n, n);
    conform_fill_f32(c, "b", OPERAND_B_DOWN, n, data[1], n, c->dim[2], c->dim[2]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.matmul = IFN_ARGS(matmul, .a = data[0], .b = data[1], .out = data[2], .m = c->dim[0],
                                 .n = c->dim[1], .p = c->dim[2]);
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
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_matmul,
    .work = work,
};
