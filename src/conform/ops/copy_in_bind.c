/* copy_in: bytes of host memory into a buffer of the backend */
#include "elementwise.h"
#include "gen.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    unsigned char *host = data[0];
    for (int64_t i = 0; i < l->t[0].cols; i++)
        host[i] = (unsigned char)conform_hash(c->seed, "host", (uint64_t)i);
}

const conform_module conform_module_copy_in = {
    .op = IFN_OP_COPY_IN,
    .dim_names = {"bytes"},
    .fill = fill,
    .truth = conform_truth_copy_in,
    .work = conform_vector_work,
};
