/* Table and descriptor of the reference backend. */
#include "scalar.h"

/* .matmul = ifn_scalar_matmul, ... */
static const ifn_op_table ops = {
#define X(NAME, name, cut, cut2, doc) .name = ifn_scalar_##name,
    IFN_OPS(X)
#undef X
};

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    *table = ops;
}

/* R0 .. R10: nothing here depends on a thread, a neighbour, an address or an earlier call. exp_ulp
 * stays at its default of 2: the C library's expf is assumed to be within that, as glibc's is. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
    .spans = 1,
    .pages = 1,
};

const ifn_backend_desc ifn_backend_scalar = {
    IFN_BACKEND_STAMP,
    .name = "scalar",
    .summary = "the reference: every op as its formula reads, in plain sequential order",
    .manifest = &manifest,
    .fill = fill,
};
