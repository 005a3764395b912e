/* A plugin with the name of the reference; the registry must tell them apart. */
#include <inferno/backend.h>

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)t;
    (void)env;
}

IFN_BACKEND_ENTRY(.name = "scalar", .summary = "an impostor", .fill = fill)
