#include "call_case.h"
#include "case_call.h"

#include <string.h>

#include <inferno/signature_values.h>

#include "attention_dims.h"
#include "linear_tensors.h"

enum { MAX_AXES = 6 };

/* The dimensions that count units and features, and what the rows and columns of each tensor run along. */
typedef struct shape {
    call_counts counts;
    char axes[MAX_AXES][3]; /* rows, then columns: u, f, or . for neither */
} shape;

#define NO                                                                                         \
    {                                                                                              \
        -1, -1                                                                                     \
    }

/* Returns the shape of an op whose signature does not tell it; NULL: the signature does. */
static const shape *irregular_shape(ifn_op op)
{
    static const shape whole = {{NO, NO}, {""}}; /* a row depends on its index */
    static const shape reshape = {{NO, {1, -1}}, {".f", "f."}};
    static const shape gather = {{{0, 1}, NO}, {"u.", ".u", "u."}};
    static const shape copy = {{NO, {0, 1}}, {".f", ".f"}};
    static const shape linear = {{{LINEAR_ROWS, -1}, {LINEAR_N, -1}}, {"u.", "f.", "uf", ".f"}};
    static const shape store = {{{3, -1}, NO}, {"u.", "u.", "u.", "u."}};
    static const shape attention = {{{ATTENTION_N_KV_HEADS, -1}, NO},
                                    {"u.", "u.", "u.", "..", "u."}};
    switch (op) {
    case IFN_OP_FILL_STRICT_UPPER_TRI:
        return &whole;
    case IFN_OP_RESHAPE_DATA:
        return &reshape;
    case IFN_OP_GATHER_ROWS:
        return &gather;
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        return &copy;
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
        return &linear;
    case IFN_OP_KV_STORE:
        return &store;
    case IFN_OP_ATTENTION:
        return &attention;
    default:
        return NULL;
    }
}

static int dim_named(ifn_op op, const char *name)
{
    const char *const *const names = conform_module_of(op)->dim_names;
    for (int i = 0; i < CONFORM_MAX_DIMS && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Cuts along columns or elements make features; all other cuts make units. */
static char letter_of(ifn_op op, const ifn_op_dim *d)
{
    const ifn_cut cut = ifn_op_cut(op, d->cut == IFN_DIM_PART2);
    return cut == IFN_CUT_COLS || cut == IFN_CUT_ELEMENTS ? 'f' : 'u';
}

/* Sets the letter of one dimension of a tensor if the op can be cut along it, and the dimension of the case that counts
 * it. */
static void follow_dim(ifn_op op, const ifn_op_dim *d, const ifn_call *args, char *letter,
                       call_counts *out)
{
    const int dim = dim_named(op, ifn_op_arg_name_at(op, d->extent));
    if (!ifn_dim_is_cut(d, args) || dim < 0)
        return;
    *letter = letter_of(op, d);
    (*letter == 'u' ? out->unit_dim : out->feature_dim)[0] = dim;
}

static void follow_tensor(ifn_op op, const ifn_op_arg *a, const ifn_call *args, char axes[3],
                          call_counts *out)
{
    int n = 0, at = 0;
    memcpy(axes, "..", 3);
    for (int i = 0; a && i < a->n_dims; i++)
        n += ifn_dim_is_there(&a->dims[i], args);
    for (int i = 0; a && i < a->n_dims; i++) {
        if (!ifn_dim_is_there(&a->dims[i], args))
            continue;
        if (at < 2) /* further dimensions (of heads) are part of a row */
            follow_dim(op, &a->dims[i], args, &axes[n == 1 ? 1 : at], out);
        at++;
    }
}

/* Returns true for an op whose rows are those of two inputs one after the other: no dimension of the case counts
 * them. */
static bool has_joined_rows(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].n_dims > 0 && (s.args[i].dims[0].plus || s.args[i].dims[0].after))
            return true;
    return false;
}

static shape shape_of(const call_view *v, const ifn_call *args)
{
    shape out = {{NO, NO}, {""}};
    const shape *const own = irregular_shape(v->c.op);
    if (own)
        return *own;
    for (int i = 0; i < v->l.n && i < MAX_AXES && !has_joined_rows(v->c.op); i++)
        follow_tensor(v->c.op, ifn_op_arg_find(v->c.op, v->l.t[i].name), args, out.axes[i],
                      &out.counts);
    return out;
}

static call_axis axis_of(const shape *s, int tensor, int which)
{
    const char letter = tensor < MAX_AXES ? s->axes[tensor][which] : '.';
    return (call_axis){letter == 'u'   ? ALONG_UNITS
                       : letter == 'f' ? ALONG_FEATURES
                                       : ALONG_NOTHING,
                       1, 1, 1};
}

int64_t conform_axis_length(const call_axis *axis, int64_t n_units, int64_t n_features,
                            int64_t whole)
{
    if (axis->along == ALONG_NOTHING)
        return whole;
    return axis->outer * axis->take * (axis->along == ALONG_UNITS ? n_units : n_features);
}

static void resize(const int dims[2], int64_t n, conform_case *c)
{
    for (int i = 0; i < 2; i++)
        if (dims[i] >= 0)
            c->dim[dims[i]] = n;
}

void conform_view_resize(const call_view *view, int64_t n_units, int64_t n_features,
                         conform_case *c)
{
    resize(view->counts.unit_dim, n_units, c);
    resize(view->counts.feature_dim, n_features, c);
}

const char *conform_view_complete(call_view *out, const ifn_call *args)
{
    out->l = (conform_layout){0};
    if (conform_case_layout(&out->c, &out->l) != IFN_OK)
        return "the oracle has no such case";
    const shape s = shape_of(out, args);
    const int unit = s.counts.unit_dim[0], feature = s.counts.feature_dim[0];
    out->counts = s.counts;
    out->n_units = unit >= 0 ? out->c.dim[unit] : 1;
    out->n_features = feature >= 0 ? out->c.dim[feature] : 1;
    for (int i = 0; i < out->l.n; i++)
        out->t[i] = (call_tensor){.stride = conform_row_bytes(&out->l.t[i]),
                                  .rows = axis_of(&s, i, 0),
                                  .cols = axis_of(&s, i, 1)};
    return NULL;
}
