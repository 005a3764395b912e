/* argmax_with_prob: the first maximum, and its value */
#include "elementwise.h"
#include "gen.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    float *x = data[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_LOGIT, 1, x, 1, c->dim[0], c->dim[0]);
    /* Ties are what the op is about: in every second case few values share the row. */
    if (conform_is_swapped(c) && c->family != FAMILY_SPECIALS)
        for (int64_t i = 0; i < c->dim[0]; i++)
            x[i] = (float)conform_integer(conform_stream_of(c->seed, "tie"), (uint64_t)i, -3, 3);
}

const conform_module conform_module_argmax_with_prob = {
    .op = IFN_OP_ARGMAX_WITH_PROB,
    .dim_names = {"n"},
    .fill = fill,
    .truth = conform_truth_argmax_with_prob,
    .work = conform_vector_work,
};
