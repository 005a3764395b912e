#include "spec_call.h"

#include <stdio.h>

#include <inferno/signature_values.h>

static bool is_plain(const ifn_op_arg *a)
{
    return a->element == IFN_ELEMENT_F32 || a->element == IFN_ELEMENT_WORD ||
           a->element == IFN_ELEMENT_STORED;
}

/* Adds a tensor to the call. Returns false if a law's call has no place for it. */
static bool add_tensor(const ifn_op_arg *a, spec_call *c)
{
    if (!is_plain(a))
        return false;
    if (ifn_arg_is_written(a) && !c->result)
        c->result = a;
    else if (a->kind == IFN_ARG_IN && c->n_tensors < SPEC_CALL_TENSORS)
        c->tensors[c->n_tensors++] = a;
    else
        return false;
    return true;
}

static bool follows_from(const ifn_op_arg *number, const ifn_op_arg *tensor)
{
    for (int i = 0; i < tensor->n_dims; i++)
        if (tensor->dims[i].extent == number->offset)
            return true;
    return tensor->element == IFN_ELEMENT_STORED && tensor->dtype == number->offset;
}

static bool is_known(const ifn_op_arg *number, const spec_call *c)
{
    for (int i = 0; i < c->n_tensors; i++)
        if (follows_from(number, c->tensors[i]))
            return true;
    return c->is_into && follows_from(number, c->result);
}

bool spec_call_of(ifn_op op, spec_call *out)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    *out = (spec_call){0};
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].kind > IFN_ARG_DTYPE && !add_tensor(&s.args[i], out))
            return false;
    if (!out->result)
        return false;
    out->is_into = out->result->kind == IFN_ARG_INOUT && out->n_tensors > 0;
    out->is_in_place = out->result->kind == IFN_ARG_INOUT && !out->is_into;
    if (out->is_in_place)
        out->tensors[out->n_tensors++] = out->result;
    for (size_t i = 0; i < s.n; i++) {
        if (s.args[i].kind > IFN_ARG_DTYPE || is_known(&s.args[i], out))
            continue;
        if (out->n_numbers == SPEC_CALL_NUMBERS)
            return false;
        out->numbers[out->n_numbers++] = &s.args[i];
    }
    return true;
}

void spec_call_text(ifn_op op, const spec_call *call, char *out, size_t bytes)
{
    size_t used = (size_t)snprintf(out, bytes, "%s(", ifn_op_name(op));
    for (int i = 0; i < call->n_tensors + call->n_numbers && used < bytes; i++) {
        const ifn_op_arg *const a =
            i < call->n_tensors ? call->tensors[i] : call->numbers[i - call->n_tensors];
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", i ? ", " : "", a->name);
    }
    if (used < bytes)
        snprintf(out + used, bytes - used, ")");
}
