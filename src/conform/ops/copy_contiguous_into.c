/* copy_contiguous_into: a run of elements to an offset */
#include "elementwise.h"
#include "movement.h"

/* The run is copied; every other byte stays. */
void conform_truth_copy_contiguous_into(const conform_case *c, const conform_layout *l,
                                        void *const *data, const conform_declared *declared,
                                        conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[o], pool);
    for (int64_t i = 0; i < c->dim[0]; i++)
        conform_move(want, c->dim[2] + i, data[0], i);
}

const conform_module conform_module_copy_contiguous_into = {
    .op = IFN_OP_COPY_CONTIGUOUS_INTO,
    .dim_names = {"n", "out_n", "out_offset"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_contiguous_into,
    .work = conform_vector_work,
    .model_sizes = "n=1024,out_n=524288,out_offset=1024;"
                   "n=65536,out_n=524288,out_offset=1024",
};
