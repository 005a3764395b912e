/* Calls itself like the reference, which must confuse nobody. */
#include <inferno/backend.h>

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)t;
    (void)env;
}

IFN_BACKEND_ENTRY(.name = "scalar", .summary = "an impostor", .fill = fill)
