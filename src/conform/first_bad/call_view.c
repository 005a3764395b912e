#include "call_view.h"

#include "call_view_ops.h"
#include "ops/attention.h"
#include "ops/linear_tensors.h"

/* Which dimensions of the case count units and features (-1: none; the second of a pair: a
 * dimension that counts the same), and what the rows and columns of each tensor go along. */
typedef struct shape {
    ifn_op op;
    int unit_dim[2], feature_dim[2];
    const char *axes[6]; /* by tensor: rows, then columns: u, f, or . for neither */
} shape;

/* clang-format off */
#define NO {-1, -1}
static const shape shapes[] = {
    {IFN_OP_MATMUL, {0, -1}, {2, -1}, {"u.", ".f", "uf"}},
    {IFN_OP_ADD, NO, {0, -1}, {".f", ".f", ".f"}},
    {IFN_OP_HADAMARD, NO, {0, -1}, {".f", ".f", ".f"}},
    {IFN_OP_SCALE, NO, {0, -1}, {".f", "..", ".f"}},
    {IFN_OP_ADD_SCALAR, NO, {0, -1}, {".f", "..", ".f"}},
    {IFN_OP_SILU, NO, {0, -1}, {".f", ".f"}},
    {IFN_OP_RSQRT_ELEM, NO, {0, -1}, {".f", ".f"}},
    {IFN_OP_SUM_SQUARES_AXIS, {0, -1}, NO, {"u.", ".u"}},
    {IFN_OP_BROADCAST_ROW_SCALARS, {0, -1}, {1, -1}, {".u", "uf"}},
    {IFN_OP_REPEAT_ROW_AS_MATRIX, {0, -1}, {1, -1}, {".f", "uf"}},
    {IFN_OP_TRANSPOSE_2D, {0, -1}, {1, -1}, {"uf", "fu"}},
    {IFN_OP_RESHAPE_DATA, NO, {1, -1}, {".f", "f."}},
    {IFN_OP_SOFTMAX_ROWS, {0, -1}, NO, {"u.", "u."}},
    {IFN_OP_GATHER_ROWS, {0, 1}, NO, {"u.", ".u", "u."}},
    {IFN_OP_COPY_2D_FROM_COLS, {0, -1}, NO, {"u.", "u."}},
    {IFN_OP_COPY_2D_INTO_COLS, {0, -1}, NO, {"u.", "u."}},
    {IFN_OP_COPY_CONTIGUOUS_INTO, NO, {0, 1}, {".f", ".f"}},
    {IFN_OP_APPLY_ROPE, {0, -1}, NO, {"u.", "u.", "u."}},
    {IFN_OP_APPLY_ROPE_SINGLE_ROW, {0, -1}, NO, {"u.", "..", "u."}},
    {IFN_OP_LINEAR, {LINEAR_ROWS, -1}, {LINEAR_N, -1}, {"u.", "f.", "uf", ".f"}},
    {IFN_OP_LINEAR_Q8, {LINEAR_ROWS, -1}, {LINEAR_N, -1}, {"u.", "f.", "uf", ".f"}},
    {IFN_OP_QUANTIZE_ROWS, {0, -1}, NO, {"u.", "u."}},
    {IFN_OP_DEQUANTIZE_ROWS, {0, -1}, NO, {"u.", "u."}},
    {IFN_OP_RMS_NORM, {0, -1}, NO, {"u.", "..", "u.", "u.", "u."}},
    {IFN_OP_SWIGLU, {0, -1}, NO, {"u.", "u.", "u."}},
    {IFN_OP_KV_STORE, {3, -1}, NO, {"u.", "u.", "u.", "u."}},
    {IFN_OP_ATTENTION, {ATTENTION_N_KV_HEADS, -1}, NO, {"u.", "u.", "u.", "..", "u."}},
};
/* clang-format on */

/* NULL: the op is judged as a whole. */
static const shape *shape_of(ifn_op op)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].op == op)
            return &shapes[i];
    return NULL;
}

static call_axis axis_of(const shape *s, int tensor, int which)
{
    const char letter = s && s->axes[tensor] ? s->axes[tensor][which] : '.';
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
    const shape *const s = shape_of(view->c.op);
    if (!s)
        return;
    resize(s->unit_dim, n_units, c);
    resize(s->feature_dim, n_features, c);
}

const char *conform_view_complete(call_view *out, void *const *data)
{
    const shape *const s = shape_of(out->c.op);
    out->l = (conform_layout){0};
    if (conform_module_of(out->c.op)->layout(&out->c, &out->l) != IFN_OK)
        return "the oracle has no such case";
    out->n_units = s && s->unit_dim[0] >= 0 ? out->c.dim[s->unit_dim[0]] : 1;
    out->n_features = s && s->feature_dim[0] >= 0 ? out->c.dim[s->feature_dim[0]] : 1;
    for (int i = 0; i < out->l.n; i++)
        out->t[i] = (call_tensor){.data = data[i],
                                  .stride = conform_row_bytes(&out->l.t[i]),
                                  .rows = axis_of(s, i, 0),
                                  .cols = axis_of(s, i, 1)};
    return NULL;
}

int conform_call_views(ifn_op op, const ifn_call *args)
{
    const ifn_args *const a = (const ifn_args *)(const void *)args;
    if (op == IFN_OP_LINEAR)
        return (int)a->linear.n_w;
    return op == IFN_OP_LINEAR_Q8 ? (int)a->linear_q8.n_w : 1;
}

const char *conform_call_view_row(ifn_op op, const ifn_call *args, int i, int64_t row,
                                  call_view *out)
{
    *out = (call_view){.c = {.op = op, .tier = TIER_GOLDEN, .family = FAMILY_WRITTEN, .index = 1}};
    return conform_view_of((const ifn_args *)(const void *)args, i, row, out);
}

const char *conform_call_view(ifn_op op, const ifn_call *args, int i, call_view *out)
{
    return conform_call_view_row(op, args, i, -1, out);
}

int conform_call_visit(ifn_op op, const ifn_call *args, call_visit *visit, void *cookie)
{
    call_view v;
    int answer = 0;
    for (int i = 0; i < conform_call_views(op, args) && answer == 0; i++) {
        const int n = conform_call_view(op, args, i, &v) ? 0 : v.l.n;
        for (int t = 0; t < n && answer == 0; t++)
            answer = visit(cookie, &v, t);
    }
    return answer;
}
