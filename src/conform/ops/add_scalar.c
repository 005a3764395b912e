/* add_scalar: out = x + value */
#include "elementwise.h"

/* One rounded operation; see add. */
void conform_truth_add_scalar(const conform_case *c, const conform_layout *l, void *const *data,
                              const conform_declared *declared, conform_pool *pool,
                              conform_truth *truth)
{
    const float *x = data[0], value = *(const float *)data[1];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    conform_truth_take(out, CLASS_BITS, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;)
        out->want[i] = (double)(float)((double)x[i] + (double)value);
}

const conform_module conform_module_add_scalar = {
    .op = IFN_OP_ADD_SCALAR,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_value_layout,
    .fill = conform_value_fill,
    .truth = conform_truth_add_scalar,
    .work = conform_vector_work,
    .model_sizes = "n=1;n=64",
};
