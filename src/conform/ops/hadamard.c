/* hadamard: out = x * y */
#include "elementwise.h"

/* One rounded operation: f64 holds twice the digits of f32, so rounding its result once more
 * changes nothing. */
void conform_truth_hadamard(const conform_case *c, const conform_layout *l, void *const *data,
                            const conform_declared *declared, conform_pool *pool,
                            conform_truth *truth)
{
    const float *x = data[0], *y = data[1];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    conform_truth_take(out, CLASS_BITS, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;)
        out->want[i] = (double)(float)((double)x[i] * (double)y[i]);
}

const conform_module conform_module_hadamard = {
    .op = IFN_OP_HADAMARD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .fill = conform_pair_fill,
    .truth = conform_truth_hadamard,
    .work = conform_vector_work,
    .model_sizes = "n=3072;n=196608",
};
