#include "call_scalars.h"

#include <math.h>

#include <inferno/signature_values.h>

static void put_float(double x, FILE *out)
{
    if (isnan(x))
        fputs(".nan", out);
    else if (isinf(x))
        fputs(x > 0 ? ".inf" : "-.inf", out);
    else
        fprintf(out, "%.9g", x);
}

void conform_put_scalars(ifn_op op, const conform_call *call, FILE *out)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const char *separator = "";
    for (size_t i = 0; i < s.n; i++) {
        const ifn_op_arg *const a = &s.args[i];
        if (!ifn_arg_is_number(a))
            continue;
        fprintf(out, "%s%s: ", separator, a->name);
        if (a->kind == IFN_ARG_REAL)
            put_float((double)ifn_float_at(&call->args.call, a->offset), out);
        else
            fprintf(out, "%lld", (long long)ifn_arg_integer(a, &call->args.call));
        separator = ", ";
    }
}
