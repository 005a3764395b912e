/* copy_2d_into_cols: a matrix into a column window of a wider one */
#include "elementwise.h"
#include "movement.h"

/* The window is copied; every byte outside it stays. */
void conform_truth_copy_2d_into_cols(const conform_case *c, const conform_layout *l,
                                     void *const *data, const conform_declared *declared,
                                     conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[o], pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        conform_move(want, i / c->dim[1] * c->dim[2] + c->dim[3] + i % c->dim[1], data[0], i);
}

const conform_module conform_module_copy_2d_into_cols = {
    .op = IFN_OP_COPY_2D_INTO_COLS,
    .dim_names = {"rows", "cols", "out_cols", "col_begin"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_2d_into_cols,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,cols=128,out_cols=2048,col_begin=128;"
                   "rows=64,cols=128,out_cols=2048,col_begin=128",
};
