/* transpose_2d: out[c,r] = x[r,c] */
#include "elementwise.h"
#include "movement.h"

/* Copies each element of the output from its source. */
void conform_truth_transpose_2d(const conform_case *c, const conform_layout *l, void *const *data,
                                const conform_declared *declared, conform_pool *pool,
                                conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], NULL, pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        conform_move(want, i, data[0], i % c->dim[0] * c->dim[1] + i / c->dim[0]);
}

const conform_module conform_module_transpose_2d = {
    .op = IFN_OP_TRANSPOSE_2D,
    .dim_names = {"rows", "cols"},
    .fill = conform_fill_movement,
    .truth = conform_truth_transpose_2d,
    .work = conform_matrix_work,
    .model_sizes = "rows=64,cols=128;rows=512,cols=128",
};
