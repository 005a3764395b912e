/* silu: out = x / (1 + e^-x) */
#include "elementwise.h"
#include "gen.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_LOGIT, 1, data[0], 1, n, n);
}

const conform_module conform_module_silu = {
    .op = IFN_OP_SILU,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .fill = fill,
    .truth = conform_truth_silu,
    .work = conform_vector_work,
};
