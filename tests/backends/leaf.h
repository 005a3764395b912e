/* Opens scalar or simd, if this processor can run it. */
#ifndef LEAF_H
#define LEAF_H

#include <string.h>

#include <inferno/backend.h>

#include "test.h"

/* NULL: a processor without vectors has no simd. */
static inline ifn_backend *open_leaf(const char *name)
{
    ifn_backend *leaf = NULL;
    const ifn_status status = ifn_backend_open(name, NULL, &leaf, NULL);
    assert_true(status == IFN_OK || strcmp(name, "simd") == 0);
    return leaf;
}

#endif
