/* copy_2d_from_cols: a column window out of a wider matrix */
#include "elementwise.h"
#include "movement.h"

/* Copies each element of the output from its source. */
void conform_truth_copy_2d_from_cols(const conform_case *c, const conform_layout *l,
                                     void *const *data, const conform_declared *declared,
                                     conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], NULL, pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        conform_move(want, i, data[0], i / c->dim[1] * c->dim[2] + c->dim[3] + i % c->dim[1]);
}

const conform_module conform_module_copy_2d_from_cols = {
    .op = IFN_OP_COPY_2D_FROM_COLS,
    .dim_names = {"rows", "cols", "x_cols", "col_begin"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_2d_from_cols,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,cols=128,x_cols=2048,col_begin=128;"
                   "rows=64,cols=128,x_cols=2048,col_begin=128",
};
