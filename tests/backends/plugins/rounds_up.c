/* Changes the floating-point environment by being loaded, as -ffast-math objects do. */
#include <inferno/backend.h>

#include <fenv.h>

__attribute__((constructor)) static void on_load(void)
{
    fesetround(FE_UPWARD);
}

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)t;
    (void)env;
}

IFN_BACKEND_ENTRY(.name = "rounds-up", .summary = "changes the environment", .fill = fill)
