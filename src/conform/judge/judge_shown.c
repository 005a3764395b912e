#include "judge_lend.h"

/* The tensors that prepare is shown are gone when it returns; the data they point to is not, until
 * release. */
ifn_status judge_prepare_shown(ifn_backend *who, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err)
{
    guard_block shown = {.data = NULL};
    const ifn_tensor *given[IFN_LINEAR_MAX];
    ifn_tensor *const copies =
        guard_block_take(&shown, (size_t)n * sizeof *copies, _Alignof(ifn_tensor), 0);
    for (int i = 0; i < n; i++) {
        given[i] = copies && w[i] ? &copies[i] : w[i];
        if (copies && w[i])
            copies[i] = *w[i];
        for (int j = 0; j < i; j++)
            if (w[j] == w[i])
                given[i] = given[j]; /* one weight twice */
    }
    const ifn_status status = who->desc->prepare(who, given, n, uses, out, err);
    guard_block_give_back(&shown);
    return status;
}
