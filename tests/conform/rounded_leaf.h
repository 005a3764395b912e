/* An honest leaf that rounds activations of linear to bf16 and declares it, for tests of whole models. */
#ifndef CONFORM_ROUNDED_LEAF_H
#define CONFORM_ROUNDED_LEAF_H

#include <stdlib.h>

#include <inferno/backend.h>

#include "arithmetic.h"

static inline void declare_bf16(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    out->inputs = IFN_ROUND_BF16;
}

static inline ifn_status rounded_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const conform_format *const bf16 = conform_format_of(IFN_ROUND_BF16);
    float *const x = malloc((size_t)(a->rows * a->k) * sizeof *x + 1);
    ifn_linear_args rounded = *a;
    if (!x)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->rows * a->k; i++)
        x[i] = (float)conform_round_to(bf16, (double)a->x[i / a->k * a->x_stride + i % a->k]);
    rounded.x = x;
    rounded.x_stride = a->k;
    const ifn_status status = ifn_linear(self->base, &rounded);
    free(x);
    return status;
}

static inline void fill_rounded(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = rounded_linear;
}

static const ifn_manifest manifest_of_bf16 = {
    .manifest_bytes = sizeof manifest_of_bf16, .invariances = 0x7ff, .arithmetic = declare_bf16};

/* The arithmetic that each op of the leaf declares: only linear is not scalar's. */
static inline conform_arithmetics bf16_in_linear(void)
{
    conform_arithmetics a = {0};
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        a.of[IFN_OP_LINEAR][d] =
            (ifn_arithmetic){.arithmetic_bytes = sizeof(ifn_arithmetic), .inputs = IFN_ROUND_BF16};
    return a;
}

#endif
