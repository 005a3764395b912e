/* The registry of modules: one per op, by IFN_OPS. */
#include "module.h"

const conform_module *conform_module_of(ifn_op op)
{
    static const conform_module *const modules[] = {
#define X(NAME, name, cut, cut2, doc) &conform_module_##name,
        IFN_OPS(X)
#undef X
    };
    return (size_t)op < IFN_OP_COUNT ? modules[op] : NULL;
}
