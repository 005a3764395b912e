/* concat_dim0: one matrix under the other */
#include "movement.h"

/* Copies each element of the output from its source. */
void conform_truth_concat_dim0(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], NULL, pool);
    const int64_t n_a = c->dim[0] * c->dim[2], n_b = c->dim[1] * c->dim[2];
    for (int64_t i = 0; i < n_a + n_b; i++)
        conform_move(want, i, data[i < n_a ? 0 : 1], i < n_a ? i : i - n_a);
}

static int64_t work(const conform_case *c)
{
    return (c->dim[0] + c->dim[1]) * c->dim[2];
}

const conform_module conform_module_concat_dim0 = {
    .op = IFN_OP_CONCAT_DIM0,
    .dim_names = {"a_rows", "b_rows", "cols"},
    .fill = conform_fill_movement,
    .truth = conform_truth_concat_dim0,
    .work = work,
    .model_sizes = "a_rows=511,b_rows=1,cols=128;a_rows=448,b_rows=64,cols=128",
};
