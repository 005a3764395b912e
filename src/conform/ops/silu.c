/* silu: out = x / (1 + e^-x) */
#include "bounds.h"
#include "elementwise.h"
#include "gen.h"

/* The truth by the formula of numerics 6, which swiglu also uses. */
void conform_truth_silu(const conform_case *c, const conform_layout *l, void *const *data,
                        const conform_declared *declared, conform_pool *pool, conform_truth *truth)
{
    const float *x = data[0];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;)
        out->want[i] = conform_silu(x[i], declared, &out->bound[i]);
}

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
    .model_sizes = "n=3072;n=196608",
};
