/* copy_out: bytes of a buffer of the backend into host memory */
#include "elementwise.h"
#include "movement.h"

/* copy_out: the same bytes. */
void conform_truth_copy_out(const conform_case *c, const conform_layout *l, void *const *data,
                            const conform_declared *declared, conform_pool *pool,
                            conform_truth *truth)
{
    (void)c;
    (void)declared;
    conform_truth_bytes(l, "host", data, pool, truth);
}

const conform_module conform_module_copy_out = {
    .op = IFN_OP_COPY_OUT,
    .dim_names = {"bytes"},
    .fill = conform_fill_bytes,
    .truth = conform_truth_copy_out,
    .work = conform_vector_work,
    .model_sizes = "bytes=607744",
};
