/* negate: out = -x */
#include "elementwise.h"
#include "gen.h"

void conform_truth_negate(const conform_case *c, const conform_layout *l, void *const *data,
                          const conform_declared *declared, conform_pool *pool,
                          conform_truth *truth)
{
    const float *x = data[0];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    conform_truth_take(out, CLASS_BITS, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;)
        out->want[i] = -(double)x[i];
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], 1, c->dim[0], c->dim[0]);
}

const conform_module conform_module_negate = {
    .op = IFN_OP_NEGATE,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .fill = fill,
    .truth = conform_truth_negate,
    .work = conform_vector_work,
    .model_sizes = "n=3072;n=196608",
};
