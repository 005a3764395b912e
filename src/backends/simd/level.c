/* The table of one level, from the list of ops it was built with. */
#include "level.h"

#include "level_ops.h"

extern const ifn_simd_level IFN_KERNEL(level);
const ifn_simd_level IFN_KERNEL(level) = {
    .name = IFN_LEVEL_TEXT,
    .needs = IFN_LEVEL_NEEDS,
    .ops =
        {
#define X(name) .name = IFN_KERNEL(name),
            IFN_LEVEL_OPS(X)
#undef X
        },
};
