/* copy_in: bytes of host memory into a buffer of the backend */
#include "elementwise.h"
#include "movement.h"

/* copy_in: the same bytes. */
void conform_truth_copy_in(const conform_case *c, const conform_layout *l, void *const *data,
                           const conform_declared *declared, conform_pool *pool,
                           conform_truth *truth)
{
    (void)c;
    (void)declared;
    conform_truth_bytes(l, "out", data, pool, truth);
}

const conform_module conform_module_copy_in = {
    .op = IFN_OP_COPY_IN,
    .dim_names = {"bytes"},
    .fill = conform_fill_bytes,
    .truth = conform_truth_copy_in,
    .work = conform_vector_work,
    .model_sizes = "bytes=4096;bytes=4194304",
};
