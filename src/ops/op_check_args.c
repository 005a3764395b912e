/* Checks what an op's signature requires of its arguments: numbers, windows, tensors, overlaps. */
#include "op_check_util.h"

#include <inttypes.h>
#include <stdio.h>

#include <inferno/signature_values.h>

static void expect_whole(op_checker *c, const ifn_op_arg *a, int64_t value)
{
    if (value >= a->least && value <= a->most)
        return;
    if (a->most == INT64_MAX)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %" PRId64 ", expected %" PRId64 " or more", a->name,
                         value, a->least);
    else
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %" PRId64 ", expected %" PRId64 " %s %" PRId64,
                         a->name, value, a->least, a->most - a->least == 1 ? "or" : "to", a->most);
}

static void expect_real(op_checker *c, const ifn_op_arg *a, float value)
{
    if (a->least != INT64_MIN && !(value >= (float)a->least))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %g, expected %" PRId64 " or more", a->name,
                         (double)value, a->least);
}

/* Writes a set of dtypes as in "F32, F16 or Q8_0". */
static const char *list_dtypes(uint32_t dtypes, char text[64])
{
    int n = 0;
    for (int t = 0; t < IFN_DTYPE_COUNT; t++) {
        if (!(dtypes >> t & 1))
            continue;
        const char *const separator = n == 0 ? "" : dtypes >> t == 1 ? " or " : ", ";
        n += snprintf(text + n, 64 - (size_t)n, "%s%s", separator, ifn_dtype_name((ifn_dtype)t));
    }
    return text;
}

static void expect_dtype(op_checker *c, const ifn_op_arg *a, ifn_dtype dtype)
{
    char text[64];
    if (a->dtypes != 0 && ((uint32_t)dtype >= IFN_DTYPE_COUNT || !(a->dtypes >> dtype & 1)))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %s, expected %s", a->name, ifn_dtype_name(dtype),
                         list_dtypes(a->dtypes, text));
}

static void expect_number(op_checker *c, const ifn_op_arg *a, const ifn_call *args)
{
    switch ((ifn_arg_kind)a->kind) {
    case IFN_ARG_EVEN:
        expect_whole(c, a, ifn_arg_integer(a, args));
        if (ifn_arg_integer(a, args) % 2 != 0)
            ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %" PRId64 ", expected an even one", a->name,
                             ifn_arg_integer(a, args));
        break;
    case IFN_ARG_EXTENT:
    case IFN_ARG_INT32:
    case IFN_ARG_INT64:
        expect_whole(c, a, ifn_arg_integer(a, args));
        break;
    case IFN_ARG_REAL:
        expect_real(c, a, ifn_float_at(args, a->offset));
        break;
    case IFN_ARG_DTYPE:
        expect_dtype(c, a, (ifn_dtype)ifn_arg_integer(a, args));
        break;
    default:
        break;
    }
}

static void expect_windows(op_checker *c, ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    for (int i = 0; i < a->n_dims && ifn_checker_ok(c); i++) {
        const ifn_op_dim *const d = &a->dims[i];
        if (d->begin)
            ifn_expect_window(c, ifn_op_arg_name_at(op, d->begin), ifn_dim_begin(d, args),
                              ifn_dim_touched(d, args, 0), ifn_dim_length(d, args, 0));
    }
}

void ifn_expect_numbers(op_checker *c, ifn_op op, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        expect_number(c, &s.args[i], args);
    for (size_t i = 0; i < s.n; i++)
        expect_windows(c, op, &s.args[i], args);
}

/* The number of positions, counted from 0, whose cache rows a call uses if they are contiguous; -1 if the op has
 * no cache, or the call lists spans or has its rows in pages. */
static int64_t positions_of(ifn_op op, const ifn_call *args)
{
    const ifn_kv_store_args *const s = (const ifn_kv_store_args *)args;
    const ifn_attention_args *const a = (const ifn_attention_args *)args;
    if (op == IFN_OP_KV_STORE)
        return s->n_spans || s->page_rows ? -1 : s->first_pos + s->rows;
    return op == IFN_OP_ATTENTION && !a->n_spans && !a->page_rows ? a->first_pos + a->rows : -1;
}

/* Cuts the region of a cache, [heads, max_pos] rows, down to the positions of the call: `base` may point to one
 * sequence's slot within a longer cache, and then rows past those positions may belong to other tensors. */
static op_region up_to_last_position(ifn_op op, const ifn_op_arg *a, const ifn_call *args,
                                     op_region r)
{
    const int64_t positions = positions_of(op, args);
    const bool is_cache = a->element == IFN_ELEMENT_STORED && a->n_dims == 3;
    const int64_t max_pos = is_cache ? ifn_dim_length(&a->dims[1], args, 0) : 0;
    if (positions < 0 || max_pos <= 0 || positions > max_pos || r.rows == 0)
        return r;
    r.rows /= (size_t)max_pos;
    r.stride_bytes = r.row_bytes * (size_t)max_pos;
    r.row_bytes *= (size_t)positions;
    return r;
}

op_region ifn_expect_tensor(op_checker *c, ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const void *const p = ifn_arg_pointer(a, args, 0);
    const ifn_op_dim *last = NULL;
    int64_t rows = 1, cols = 1;
    if (!ifn_checker_ok(c) || a->n_dims == 0 || (a->is_optional && !p))
        return (op_region){.name = a->name};
    for (int i = 0; i < a->n_dims; i++) {
        if (!ifn_dim_is_there(&a->dims[i], args))
            continue;
        rows = ifn_expect_product(c, a->name, rows, cols);
        last = &a->dims[i];
        cols = ifn_dim_length(last, args, 0);
    }
    if (a->element != IFN_ELEMENT_STORED) {
        const int64_t n = ifn_expect_product(c, a->name, rows, cols);
        return ifn_expect_elements(c, a->name, p, n, ifn_arg_row_bytes(a, args, 1));
    }
    const size_t row_bytes =
        ifn_expect_row_bytes(c, ifn_op_arg_name_at(op, a->dtype), ifn_arg_dtype(a, args),
                             ifn_op_arg_name_at(op, last->extent), cols);
    return up_to_last_position(op, a, args,
                               ifn_expect_rows(c, a->name, p, rows, row_bytes, row_bytes));
}

static bool may_equal(const ifn_op_arg *written, const ifn_op_arg *other, const ifn_call *args)
{
    bool is_listed = false;
    for (int i = 0; i < IFN_ARG_MAX_EQUAL; i++)
        is_listed |= written->may_equal[i] == other->offset;
    /* writing a row of blocks in place would overwrite values that have not been read yet */
    return is_listed && ifn_arg_dtype(written, args) == IFN_DTYPE_F32;
}

/* Expects every output to overlap no other tensor, but where allowed. regions[i] belongs to argument i; each pair of
 * outputs is compared once. */
static void expect_all_apart(op_checker *c, const ifn_op_signature *s, const ifn_call *args,
                             const op_region *regions)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->n && ifn_arg_is_written(&s->args[i]); k++) {
            if (k == i || (k < i && ifn_arg_is_written(&s->args[k])))
                continue;
            if (may_equal(&s->args[i], &s->args[k], args))
                ifn_expect_apart_or_equal(c, &regions[i], &regions[k]);
            else
                ifn_expect_apart(c, &regions[i], &regions[k]);
        }
    }
}

/* Checks weights first, as their shapes may give the widths of outputs; then outputs, then other inputs. */
void ifn_expect_tensors(op_checker *c, ifn_op op, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    op_region regions[IFN_SIGNATURE_MAX] = {{0}};
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].kind == IFN_ARG_WEIGHT)
            regions[i] = ifn_expect_weight(c, s.args[i].name, ifn_arg_pointer(&s.args[i], args, 0),
                                           ifn_arg_pointer(&s.args[i + 1], args, 0));
    for (int written = 1; written >= 0; written--)
        for (size_t i = 0; i < s.n; i++)
            if (ifn_arg_is_tensor(&s.args[i]) && ifn_arg_is_written(&s.args[i]) == written)
                regions[i] = ifn_expect_tensor(c, op, &s.args[i], args);
    expect_all_apart(c, &s, args, regions);
}
