/* copy_row_2d: one row of one matrix to one row of another */
#include "movement.h"

/* The row is copied; every other byte stays. */
void conform_truth_copy_row_2d(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[o], pool);
    for (int64_t i = 0; i < c->dim[2]; i++)
        conform_move(want, c->dim[3] * c->dim[2] + i, data[0], c->dim[4] * c->dim[2] + i);
}

static int64_t work(const conform_case *c)
{
    return c->dim[2];
}

const conform_module conform_module_copy_row_2d = {
    .op = IFN_OP_COPY_ROW_2D,
    .dim_names = {"out_rows", "x_rows", "cols", "out_row", "x_row"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_row_2d,
    .work = work,
    .model_sizes = "out_rows=64,x_rows=64,cols=1024,out_row=63,x_row=1",
};
