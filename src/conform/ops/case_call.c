#include "case_call.h"

#include <string.h>

#include <inferno/signature_values.h>

static int tensor_named(const conform_layout *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->t[i].name, name) == 0)
            return l->t[i].absent ? -1 : i;
    return -1;
}

static void bind_number(const conform_case *c, const ifn_op_arg *a, ifn_call *args)
{
    const char *const *const names = conform_module_of(c->op)->dim_names;
    if (a->kind == IFN_ARG_DTYPE)
        ifn_arg_set_integer(a, args, strcmp(a->name, "out_dtype") == 0 ? c->out_dtype : c->dtype);
    for (int i = 0; i < CONFORM_MAX_DIMS && names[i]; i++)
        if (a->kind < IFN_ARG_REAL && strcmp(names[i], a->name) == 0)
            ifn_arg_set_integer(a, args, c->dim[i]);
}

/* Sets all numbers except floats, which are elements of tensors. */
static void bind_numbers(const conform_case *c, ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(c->op);
    args->bytes = (uint32_t)ifn_op_args_bytes(c->op);
    for (size_t i = 0; i < s.n; i++)
        bind_number(c, &s.args[i], args);
}

void conform_case_bind(const conform_case *c, const conform_layout *l, void *const *data,
                       conform_call *call)
{
    const ifn_op_signature s = ifn_op_signature_of(c->op);
    const conform_module *const m = conform_module_of(c->op);
    call->args = (ifn_args){.room = {0}};
    bind_numbers(c, &call->args.call);
    for (size_t i = 0; i < s.n; i++) {
        const ifn_op_arg *const a = &s.args[i];
        const int t = tensor_named(l, a->name);
        if (t >= 0 && ifn_arg_is_tensor(a))
            memcpy(call->args.room + a->offset, &data[t], sizeof data[t]);
        else if (t >= 0 && a->kind == IFN_ARG_REAL)
            memcpy(call->args.room + a->offset, data[t], sizeof(float));
    }
    if (m->bind)
        m->bind(c, l, data, call);
}

static bool is_in_range(const ifn_op_arg *a, const ifn_call *args)
{
    if (a->kind >= IFN_ARG_REAL)
        return true;
    const int64_t value = ifn_arg_integer(a, args);
    return value >= a->least && value <= a->most && (a->kind != IFN_ARG_EVEN || value % 2 == 0);
}

static int fits(const ifn_op_dim *d, const ifn_call *args)
{
    const int64_t begin = ifn_dim_begin(d, args);
    return begin >= 0 && begin + ifn_dim_touched(d, args, 0) <= ifn_dim_length(d, args, 0);
}

static conform_role role_of(const ifn_op_arg *a)
{
    return a->kind == IFN_ARG_OUT     ? ROLE_OUT
           : a->kind == IFN_ARG_INOUT ? ROLE_INOUT
           : a->kind == IFN_ARG_HOST  ? ROLE_HOST
                                      : ROLE_IN;
}

static ifn_status add_tensor(const ifn_op_arg *a, const ifn_call *args, conform_layout *out)
{
    int64_t n[2] = {1, 1}; /* rows, columns */
    for (int i = 0; i < a->n_dims; i++) {
        if (!fits(&a->dims[i], args))
            return IFN_ERR_SHAPE;
        if (!ifn_dim_is_there(&a->dims[i], args))
            continue;
        n[0] = n[1];
        n[1] = ifn_dim_length(&a->dims[i], args, 0);
    }
    if (a->element == IFN_ELEMENT_STORED) {
        const ifn_dtype dtype = ifn_arg_dtype(a, args);
        if (n[1] % ifn_dtype_block_elements(dtype) != 0)
            return IFN_ERR_SHAPE;
        conform_add_blocks(out, a->name, role_of(a), dtype, n[0], n[1]);
    } else if (a->element == IFN_ELEMENT_I32) {
        conform_add_i32(out, a->name, role_of(a), n[1]);
    } else if (a->element == IFN_ELEMENT_BYTE) {
        conform_add_bytes(out, a->name, role_of(a), n[1]);
    } else {
        conform_add_f32(out, a->name, role_of(a), n[0], n[1]);
    }
    return IFN_OK;
}

static ifn_status signature_layout(const conform_case *c, conform_layout *out)
{
    const ifn_op_signature s = ifn_op_signature_of(c->op);
    ifn_args args = {.room = {0}};
    bind_numbers(c, &args.call);
    for (size_t i = 0; i < s.n; i++)
        if (!is_in_range(&s.args[i], &args.call))
            return IFN_ERR_SHAPE;
    for (size_t i = 0; i < s.n; i++)
        if (ifn_arg_is_tensor(&s.args[i]))
            IFN_TRY(add_tensor(&s.args[i], &args.call, out));
    return IFN_OK;
}

ifn_status conform_case_layout(const conform_case *c, conform_layout *out)
{
    const conform_module *const m = conform_module_of(c->op);
    return m->layout ? m->layout(c, out) : signature_layout(c, out);
}
