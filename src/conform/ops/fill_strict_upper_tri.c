/* fill_strict_upper_tri: value where column > row + offset */
#include "elementwise.h"
#include "movement.h"

/* On and below the diagonal every bit stays. */
void conform_truth_fill_strict_upper_tri(const conform_case *c, const conform_layout *l,
                                         void *const *data, const conform_declared *declared,
                                         conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "x");
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[0], pool);
    (void)declared;
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        if (i % c->dim[1] - i / c->dim[1] > c->dim[2])
            conform_move(want, i, data[1], 0);
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_INOUT, c->dim[0], c->dim[1]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    return IFN_OK;
}

const conform_module conform_module_fill_strict_upper_tri = {
    .op = IFN_OP_FILL_STRICT_UPPER_TRI,
    .dim_names = {"rows", "cols", "offset"},
    .layout = layout,
    .fill = conform_fill_movement,
    .truth = conform_truth_fill_strict_upper_tri,
    .work = conform_matrix_work,
    .model_sizes = "rows=64,cols=512,offset=448;rows=512,cols=512,offset=0",
};
