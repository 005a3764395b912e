/*
 * The scalar backend as a plugin: the same sources, built by another compiler or with other flags.
 * It is correct, so every case must pass, and R0 .. R10 must hold as scalar declares them.
 *
 * REBUILT_NAME      the backend's name
 * REBUILT_CONTRACT  replaces only the ops whose contract allows fused multiply-adds; the contracts
 *                   of the others require one rounding per operation, so these stay the base's
 */
#include "scalar.h"

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
#ifdef REBUILT_CONTRACT
    ifn_op_table own;
    ifn_backend_scalar.fill(&own, env);
    table->matmul = own.matmul;
    table->sum_squares_axis = own.sum_squares_axis;
    table->softmax_rows = own.softmax_rows;
    table->apply_rope = own.apply_rope;
    table->apply_rope_single_row = own.apply_rope_single_row;
    table->linear = own.linear;
    table->linear_q8 = own.linear_q8;
    table->rms_norm = own.rms_norm;
    table->swiglu = own.swiglu;
    table->attention = own.attention;
#else
    ifn_backend_scalar.fill(table, env);
#endif
}

static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 0x7ff,
    .spans = 1,
};

IFN_BACKEND_ENTRY(.name = REBUILT_NAME, .summary = "scalar, built another way",
                  .manifest = &manifest, .fill = fill)
