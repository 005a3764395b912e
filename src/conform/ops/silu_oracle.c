/* silu through the shared formula of numerics 6 (swiglu uses it too). */
#include "bounds.h"
#include "module.h"

void conform_truth_silu(const conform_case *c, const conform_layout *l, void *const *data,
                        const conform_declared *declared, conform_pool *pool, conform_truth *truth)
{
    const float *x = data[0];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[0], pool);
    for (int64_t i = c->dim[0]; i-- > 0;)
        out->want[i] = conform_silu(x[i], declared, &out->bound[i]);
}
