#include "law_call.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature_values.h>

ifn_status law_fail(ifn_op whose, const char *what, int64_t found, const char *expected,
                    int64_t most, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_SHAPE, "law of %s: %s: %lld, expected %s %lld", ifn_op_name(whose),
                    what, (long long)found, expected, (long long)most);
}

size_t law_bytes_from(const law_tensor *x, int first)
{
    size_t bytes = ifn_dtype_row_bytes(x->dtype, x->dims[x->n_dims - 1]);
    for (int i = first; i < x->n_dims - 1; i++)
        bytes *= (size_t)x->dims[i];
    return bytes;
}

/* Dimension i of an argument is that of x, counted from the last. Dimensions missing in front are 1, and the argument's
 * last dimension is the product of all that are left in x. */
static law_size size_of(const ifn_op_arg *a, int i, const law_tensor *x)
{
    const int in_front = a->n_dims - x->n_dims;
    law_size s = {.at = a->dims[i].extent, .product = 1};
    int begin = i, end = i + 1;
    if (in_front > 0)
        begin = i - in_front, end = begin + 1;
    else if (i == a->n_dims - 1)
        end = x->n_dims;
    for (int d = begin; d >= 0 && d < end; d++) {
        s.dims[s.n++] = x->dims[d];
        s.product *= x->dims[d];
    }
    return s;
}

static const law_size *find_size(const law_call *c, size_t at)
{
    for (int i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].at == at)
            return &c->sizes[i];
    return NULL;
}

static ifn_status add_size(law_call *c, law_size s, ifn_error *err)
{
    const law_size *const known = find_size(c, s.at);
    char what[64];
    snprintf(what, sizeof what, "%s of %s", ifn_op_arg_name_at(c->op, s.at), ifn_op_name(c->op));
    if (known && known->product != s.product)
        return law_fail(c->whose, what, s.product, "as in its other operand:", known->product, err);
    if (!known && c->n_sizes < LAW_SIZES)
        c->sizes[c->n_sizes++] = s;
    memcpy(c->args.room + s.at, &s.product, sizeof s.product);
    return IFN_OK;
}

void law_call_point(law_call *c, const ifn_op_arg *a, const law_tensor *x)
{
    memcpy(c->args.room + a->offset, &x->data, sizeof x->data);
}

ifn_status law_call_bind(law_call *c, const ifn_op_arg *a, const law_tensor *x, ifn_error *err)
{
    if (a->element == IFN_ELEMENT_STORED)
        memcpy(c->args.room + a->dtype, &x->dtype, sizeof x->dtype);
    else if (x->dtype != IFN_DTYPE_F32)
        return ifn_fail(err, IFN_ERR_SHAPE, "law of %s: %s of %s is %s, expected F32",
                        ifn_op_name(c->whose), a->name, ifn_op_name(c->op),
                        ifn_dtype_name(x->dtype));
    for (int i = 0; i < a->n_dims; i++)
        IFN_TRY(add_size(c, size_of(a, i, x), err));
    law_call_point(c, a, x);
    return IFN_OK;
}

ifn_status law_call_shape(const law_call *c, law_tensor *out, ifn_error *err)
{
    const ifn_op_arg *const a = c->form.result;
    *out = (law_tensor){.dtype = a->element == IFN_ELEMENT_STORED ? ifn_arg_dtype(a, &c->args.call)
                                                                  : IFN_DTYPE_F32};
    double elements = 1;
    for (int i = 0; i < a->n_dims; i++) {
        const ifn_op_dim *const d = &a->dims[i];
        const law_size *const known = d->plus ? NULL : find_size(c, d->extent);
        const int64_t length = ifn_dim_length(d, &c->args.call, 0);
        const int n = known ? known->n : 1;
        if (!ifn_dim_is_there(d, &c->args.call))
            continue;
        elements *= (double)length;
        if (length < 0 || elements > 0x1p40 || out->n_dims + n > LAW_DIMS)
            return law_fail(c->whose, "a size of a result", length, "elements of all at most",
                            1ll << 40, err);
        memcpy(out->dims + out->n_dims, known ? known->dims : &length, (size_t)n * sizeof length);
        out->n_dims += n;
    }
    if (out->n_dims == 0)
        out->dims[out->n_dims++] = 1;
    return IFN_OK;
}
