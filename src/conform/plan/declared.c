#include "declared.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/signature.h>
#include <inferno/signature_values.h>

#include "arithmetic.h"
#include "blocks.h"
#include "bounds.h"
#include "invoke.h"

conform_declared conform_declared_default(void)
{
    return (conform_declared){.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
}

static ifn_manifest manifest_of(ifn_backend *backend, ifn_op op)
{
    const ifn_backend *who = ifn_backend_implementer(backend, op);
    return who ? ifn_manifest_of(who->desc) : (ifn_manifest){.manifest_bytes = 0};
}

static int64_t dim_named(const conform_case *c, const char *name)
{
    const conform_module *m = conform_module_of(c->op);
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        if (strcmp(m->dim_names[i], name) == 0)
            return c->dim[i];
    return 0;
}

int64_t conform_reduction_length(const conform_case *c)
{
    switch (c->op) {
    case IFN_OP_MATMUL:
        return dim_named(c, "n");
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
        return dim_named(c, "k");
    case IFN_OP_RMS_NORM:
        return dim_named(c, "dim");
    case IFN_OP_SUM_SQUARES_AXIS:
        return dim_named(c, "axis") == 1 ? dim_named(c, "cols") : dim_named(c, "rows");
    case IFN_OP_ATTENTION:
        return dim_named(c, "head_dim");
    case IFN_OP_SOFTMAX_ROWS:
        return dim_named(c, "cols");
    default:
        return 0;
    }
}

int conform_sum_is_long(const conform_case *c)
{
    enum { LONG = 64 };
    if (c->op == IFN_OP_SOFTMAX_ROWS)
        return 0; /* exponentials and rescales make most of its bound */
    if (c->op == IFN_OP_ATTENTION && dim_named(c, "first_pos") >= LONG)
        return 1; /* the sum over keys is long; that over components is tested below */
    return conform_reduction_length(c) >= LONG;
}

/* The default depth of a sum; linear_q8 counts the roundings of each group (numerics 8.1). */
static int64_t default_depth(const conform_case *c, int64_t k)
{
    const conform_limits l = conform_limits_of(c->dtype);
    return c->op == IFN_OP_LINEAR_Q8 ? k / l.group * (1 + l.has_min) + 8 : k;
}

/* The declared depth; 0 if none is declared, or none that is smaller than the default. */
static int64_t declared_depth(const ifn_manifest *m, const conform_case *c, ifn_dtype dtype,
                              int64_t k)
{
    conform_case of_dtype = *c;
    of_dtype.dtype = dtype;
    const int64_t depth = m->depth && k > 0 ? m->depth(c->op, dtype, k) : 0;
    return depth > 0 && depth < default_depth(&of_dtype, k) ? depth : 0;
}

static bool makes_products(ifn_op op)
{
    return op == IFN_OP_MATMUL || op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8 ||
           op == IFN_OP_SUM_SQUARES_AXIS || op == IFN_OP_ATTENTION;
}

static ifn_arithmetic declared_arithmetic(const ifn_manifest *m, ifn_op op, ifn_dtype dtype)
{
    ifn_arithmetic a = {.arithmetic_bytes = sizeof a};
    if (m->arithmetic && makes_products(op))
        m->arithmetic(op, dtype, &a);
    if (op == IFN_OP_ATTENTION) /* adds in f32 */
        a.sums = a.sum_block = 0;
    return a;
}

/* The declared value, or the strict default if none is declared. Values beyond numerics 9 are refused when a backend is
 * opened. */
static double or_strict(double declared, double strict)
{
    return declared > 0 ? declared : strict;
}

conform_declared conform_declared_of(ifn_backend *backend, const conform_case *c)
{
    const ifn_manifest m = manifest_of(backend, c->op);
    const int64_t k = conform_reduction_length(c);
    conform_declared d = conform_declared_default();
    d.depth = declared_depth(&m, c, c->dtype, k);
    d.arithmetic = declared_arithmetic(&m, c->op, c->dtype);
    for (int i = 0; i < c->n_more; i++)
        d.more_depth[i] = declared_depth(&m, c, c->more[i], k);
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        d.more_arithmetic[i] = declared_arithmetic(&m, c->op, conform_case_dtype(c, i + 1));
    d.exp_eps = or_strict((double)m.exp_ulp * 2 * U, d.exp_eps);
    d.rsqrt_rel = or_strict((double)m.rsqrt_rel, d.rsqrt_rel);
    d.offset_split = m.offset_split != 0;
    d.ftz = m.ftz != 0;
    d.rope_angle_f32 = m.rope_angle_f32 != 0;
    d.is_any_order = c->op == IFN_OP_ATTENTION && !conform_is_invariant(backend, c->op, 3);
    return d;
}

conform_declared conform_declared_of_law(ifn_backend *backend, const conform_case *c)
{
    const conform_declared strict = conform_declared_default();
    conform_declared d = conform_declared_of(backend, c);
    d.depth = 0;
    memset(d.more_depth, 0, sizeof d.more_depth);
    d.exp_eps = fmax(d.exp_eps, strict.exp_eps);
    d.rsqrt_rel = fmax(d.rsqrt_rel, strict.rsqrt_rel);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_manifest m = manifest_of(backend, (ifn_op)op);
        d.exp_eps = fmax(d.exp_eps, (double)m.exp_ulp * 2 * U);
        d.rsqrt_rel = fmax(d.rsqrt_rel, (double)m.rsqrt_rel);
        d.ftz |= m.ftz != 0;
    }
    return d;
}

conform_declared conform_declared_as(uint32_t products, bool ftz, const conform_case *c)
{
    conform_declared d = conform_declared_default();
    d.ftz = ftz;
    if (makes_products(c->op))
        d.arithmetic.inputs = products;
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        d.more_arithmetic[i] = d.arithmetic;
    return d;
}

bool conform_declared_is_plain(const conform_declared *d)
{
    bool is_plain = conform_arithmetic_is_plain(&d->arithmetic);
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        is_plain &= conform_arithmetic_is_plain(&d->more_arithmetic[i]);
    return is_plain;
}

int conform_declared_differ(const conform_declared *d)
{
    const conform_declared strict = conform_declared_default();
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        if (d->more_depth[i])
            return 1;
    return !conform_declared_is_plain(d) || d->depth != strict.depth ||
           d->exp_eps != strict.exp_eps || d->rsqrt_rel != strict.rsqrt_rel || d->offset_split ||
           d->ftz || d->rope_angle_f32 || d->is_any_order;
}

int conform_law_is_rounded(ifn_backend *backend, const conform_case *c)
{
    static const ifn_op parts[] = {IFN_OP_MATMUL, IFN_OP_SUM_SQUARES_AXIS};
    const bool is_concerned = makes_products(c->op) || c->op == IFN_OP_RMS_NORM;
    for (size_t i = 0; is_concerned && i < sizeof parts / sizeof *parts; i++) {
        const ifn_manifest m = manifest_of(backend, parts[i]);
        const ifn_arithmetic a = declared_arithmetic(&m, parts[i], IFN_DTYPE_F32);
        if (!conform_arithmetic_is_plain(&a))
            return 1;
    }
    return 0;
}

void conform_declared_arithmetics(ifn_backend *backend, conform_arithmetics *out)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_manifest m = manifest_of(backend, (ifn_op)op);
        for (int d = 0; d < IFN_DTYPE_COUNT; d++)
            out->of[op][d] = declared_arithmetic(&m, (ifn_op)op, (ifn_dtype)d);
    }
}

/* True if d is the first dtype whose arithmetic has these words; `same` receives the number of dtypes that have
 * them. */
static bool is_first_of(const ifn_manifest *m, ifn_op op, int d, int *same)
{
    char words[96], others[96];
    const ifn_arithmetic a = declared_arithmetic(m, op, (ifn_dtype)d);
    bool is_first = 1;
    *same = 0;
    conform_arithmetic_words(&a, words, sizeof words);
    for (int i = 0; i < IFN_DTYPE_COUNT; i++) {
        const ifn_arithmetic b = declared_arithmetic(m, op, (ifn_dtype)i);
        const bool is_same =
            strcmp(conform_arithmetic_words(&b, others, sizeof others), words) == 0;
        *same += is_same;
        is_first &= !(is_same && i < d);
    }
    return is_first && words[0];
}

/* Appends the dtypes whose arithmetic has these words: " (F32 F16)". */
static size_t name_dtypes(const ifn_manifest *m, ifn_op op, const char *words, char *out,
                          size_t bytes)
{
    size_t used = 0;
    for (int i = 0; i < IFN_DTYPE_COUNT && used < bytes; i++) {
        char others[96];
        const ifn_arithmetic b = declared_arithmetic(m, op, (ifn_dtype)i);
        if (strcmp(conform_arithmetic_words(&b, others, sizeof others), words) == 0)
            used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? " " : " (",
                                     ifn_dtype_name((ifn_dtype)i));
    }
    return used < bytes ? used + (size_t)snprintf(out + used, bytes - used, ")") : bytes;
}

void conform_arithmetic_stated(ifn_backend *backend, ifn_op op, char *out, size_t bytes)
{
    const ifn_manifest m = manifest_of(backend, op);
    size_t used = 0;
    int same;
    *out = '\0';
    for (int d = 0; d < IFN_DTYPE_COUNT && used < bytes; d++) {
        char words[96];
        const ifn_arithmetic a = declared_arithmetic(&m, op, (ifn_dtype)d);
        if (!is_first_of(&m, op, d, &same))
            continue;
        conform_arithmetic_words(&a, words, sizeof words);
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? ", " : "", words);
        if (same < IFN_DTYPE_COUNT && used < bytes)
            used += name_dtypes(&m, op, words, out + used, bytes - used);
    }
}

size_t conform_overread_of(ifn_backend *backend, ifn_op op)
{
    const size_t declared = (manifest_of(backend, op).max_overread + 3u) / 4 * 4;
    return declared < IFN_MAX_OVERREAD ? declared : IFN_MAX_OVERREAD;
}

int conform_is_invariant(ifn_backend *backend, ifn_op op, int invariance)
{
    return manifest_of(backend, op).invariances >> invariance & 1;
}

int conform_takes_pages(ifn_backend *backend, ifn_op op)
{
    return manifest_of(backend, op).pages != 0;
}

/* The dtype that `unsupported` is asked about (backend.h): that of the output for quantize_rows, where only this
 * varies. */
static ifn_dtype asked_dtype(ifn_op op, ifn_dtype dtype, ifn_dtype out)
{
    return op == IFN_OP_QUANTIZE_ROWS ? out : dtype;
}

int conform_is_unsupported(ifn_backend *backend, const conform_case *c)
{
    const ifn_manifest m = manifest_of(backend, c->op);
    for (int i = 0; m.unsupported && i <= c->n_more; i++)
        if (m.unsupported(c->op, asked_dtype(c->op, conform_case_dtype(c, i), c->out_dtype),
                          c->out_dtype))
            return 1;
    return 0;
}

/* The value of the op's dtype argument of that name; `otherwise` if it has none. */
static ifn_dtype dtype_named(ifn_op op, const conform_call *call, const char *name,
                             ifn_dtype otherwise)
{
    const ifn_op_arg *const arg = ifn_op_arg_find(op, name);
    return arg && arg->kind == IFN_ARG_DTYPE ? ifn_dtype_at(&call->args.call, arg->offset)
                                             : otherwise;
}

int conform_is_unsupported_call(ifn_backend *backend, ifn_op op, const conform_call *call)
{
    const ifn_manifest m = manifest_of(backend, op);
    const ifn_dtype out = dtype_named(op, call, "out_dtype", IFN_DTYPE_F32);
    const ifn_dtype own = asked_dtype(op, IFN_DTYPE_F32, out);
    const ifn_tensor *w[IFN_LINEAR_MAX] = {NULL};
    int n = m.unsupported ? conform_weights_of(op, call, w) : 0;
    while (n-- > 0)
        if (w[n] && m.unsupported(op, w[n]->dtype, out))
            return 1;
    const ifn_dtype stored =
        dtype_named(op, call, "cache_dtype", dtype_named(op, call, "dtype", own));
    return m.unsupported && !w[0] && m.unsupported(op, stored, out);
}

int conform_is_invariant_throughout(ifn_backend *backend, int invariance)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (!conform_is_invariant(backend, (ifn_op)op, invariance))
            return 0;
    return 1;
}
