/* broadcast_row_scalars: out[r,c] = x[r] */
#include "elementwise.h"
#include "movement.h"

/* Copies each element of the output from its source. */
void conform_truth_broadcast_row_scalars(const conform_case *c, const conform_layout *l,
                                         void *const *data, const conform_declared *declared,
                                         conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], NULL, pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        conform_move(want, i, data[0], i / c->dim[1]);
}

const conform_module conform_module_broadcast_row_scalars = {
    .op = IFN_OP_BROADCAST_ROW_SCALARS,
    .dim_names = {"rows", "dim"},
    .fill = conform_fill_movement,
    .truth = conform_truth_broadcast_row_scalars,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,dim=1024;rows=64,dim=1024",
};
