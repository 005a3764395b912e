#include "invoke.h"

#include <stdbool.h>

#include <inferno/signature_values.h>

/* enter_matmul, ...: one function type for all ops. Each compiles to a jump, so that registers are as the op leaves
 * them; without the attribute ThreadSanitizer would insert code after the call. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    __attribute__((no_sanitize("thread"))) static ifn_status enter_##name(ifn_backend *backend,    \
                                                                          const ifn_call *args)    \
    {                                                                                              \
        return backend->ops->name(backend, (const ifn_##name##_args *)args);                       \
    }
IFN_OPS(X)
#undef X

conform_op_fn conform_op_entry(ifn_op op)
{
    static const conform_op_fn entries[] = {
#define X(NAME, name, cut, cut2, doc) enter_##name,
        IFN_OPS(X)
#undef X
    };
    return entries[op];
}

int conform_next_phase(ifn_op op, conform_call *call)
{
    ifn_attention_args *a = &call->args.attention;
    if (op != IFN_OP_ATTENTION || a->phase != IFN_ATTENTION_PARTIALS)
        return 0;
    a->phase = IFN_ATTENTION_MERGE;
    a->part_begin = a->part_end = a->part2_begin = a->part2_end = 0;
    return 1;
}

uint32_t conform_use_of(ifn_op op)
{
    switch (op) {
    case IFN_OP_GATHER_ROWS:
        return IFN_USE_GATHER_ROWS;
    case IFN_OP_LINEAR:
        return IFN_USE_LINEAR;
    case IFN_OP_LINEAR_Q8:
        return IFN_USE_LINEAR_Q8;
    default:
        return 0;
    }
}

static int copy_weights(const ifn_tensor *const *w, int64_t n,
                        const ifn_tensor *out[IFN_LINEAR_MAX])
{
    for (int64_t i = 0; i < n; i++)
        out[i] = w[i];
    return (int)n;
}

int conform_weights_of(ifn_op op, const conform_call *call, const ifn_tensor *out[IFN_LINEAR_MAX])
{
    const ifn_args *a = &call->args;
    switch (op) {
    case IFN_OP_GATHER_ROWS:
        return copy_weights(&a->gather_rows.table, 1, out);
    case IFN_OP_LINEAR:
        return copy_weights(a->linear.w, a->linear.n_w, out);
    case IFN_OP_LINEAR_Q8:
        return copy_weights(a->linear_q8.w, a->linear_q8.n_w, out);
    default:
        return 0;
    }
}

static bool is_one(const ifn_tensor *a, const ifn_tensor *b)
{
    return a->data == b->data && a->dtype == b->dtype && a->shape[0] == b->shape[0] &&
           a->shape[1] == b->shape[1];
}

static int share(const ifn_tensor **w, int64_t n)
{
    int n_shared = 0;
    for (int64_t j = 1; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            if (w[i] != w[j] && is_one(w[i], w[j])) {
                w[j] = w[i];
                n_shared++;
            }
    return n_shared > 0;
}

int conform_share_weights(ifn_op op, conform_call *call)
{
    ifn_args *const a = &call->args;
    return op == IFN_OP_LINEAR      ? share(a->linear.w, a->linear.n_w)
           : op == IFN_OP_LINEAR_Q8 ? share(a->linear_q8.w, a->linear_q8.n_w)
                                    : 0;
}

void conform_set_packed(ifn_op op, conform_call *call, const ifn_packed *packed)
{
    ifn_args *a = &call->args;
    if (op == IFN_OP_GATHER_ROWS)
        a->gather_rows.packed = packed[0].data;
    for (int i = 0; i < IFN_LINEAR_MAX; i++) {
        if (op == IFN_OP_LINEAR && i < a->linear.n_w)
            a->linear.packed[i] = packed[i].data;
        if (op == IFN_OP_LINEAR_Q8 && i < a->linear_q8.n_w)
            a->linear_q8.packed[i] = packed[i].data;
    }
}

void conform_set_unused(ifn_op op, conform_call *call, void *nowhere)
{
    ifn_linear_args *a = &call->args.linear;
    ifn_linear_q8_args *b = &call->args.linear_q8;
    if (op == IFN_OP_LINEAR)
        for (int64_t i = a->n_w; i >= 0 && i < IFN_LINEAR_MAX; i++) {
            a->w[i] = nowhere, a->packed[i] = nowhere;
            a->out[i] = nowhere, a->bias[i] = nowhere;
        }
    if (op == IFN_OP_LINEAR_Q8)
        for (int64_t i = b->n_w; i >= 0 && i < IFN_LINEAR_MAX; i++) {
            b->w[i] = nowhere, b->packed[i] = nowhere;
            b->out[i] = nowhere, b->bias[i] = nowhere;
        }
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A matmul is legal if its rows are within the largest of three limits. Each shape puts its size into one of the three
 * and 1 into the others; max_pos is one of them because attention made of matmuls has the keys of a sequence as
 * columns. */
static void spread_limits(ifn_limits *m, const ifn_matmul_args *a)
{
    const int64_t longest = larger(m->k, m->n);
    const int which = (int)((a->m + a->n + a->p) % 3);
    m->k = which == 0 ? longest : 1;
    m->n = which == 1 ? longest : 1;
    m->max_pos = which == 2 ? longest : 1;
}

static ifn_limits least_limits(void)
{
    return (ifn_limits){.limits_bytes = (uint32_t)sizeof(ifn_limits),
                        .rows = 1,
                        .max_pos = 1,
                        .k = 1,
                        .n = 1,
                        .n_heads = 1,
                        .n_kv_heads = 1,
                        .head_dim = 1};
}

static void add_to_limits(ifn_limits *m, int64_t rows, int64_t cols, bool is_written)
{
    m->rows = larger(m->rows, rows);
    m->k = larger(m->k, cols);
    if (is_written)
        m->n += cols;
}

/* The argument with this name; 0 if the op has no such number. */
static int64_t number_of(ifn_op op, const ifn_call *args, const char *name)
{
    const ifn_op_arg *const a = ifn_op_arg_find(op, name);
    return a && ifn_arg_is_number(a) ? ifn_arg_integer(a, args) : 0;
}

int64_t conform_told_rows(ifn_op op, const ifn_call *args)
{
    static const char *const names[IFN_OP_COUNT] = {
        [IFN_OP_MATMUL] = "m",       [IFN_OP_LINEAR] = "rows",   [IFN_OP_LINEAR_Q8] = "rows",
        [IFN_OP_ATTENTION] = "rows", [IFN_OP_KV_STORE] = "rows", [IFN_OP_GATHER_ROWS] = "n"};
    const int64_t rows = number_of(op, args, "rows"), cols = number_of(op, args, "cols");
    if (op == IFN_OP_TRANSPOSE_2D)
        return rows < cols ? rows : cols;
    return names[op] ? number_of(op, args, names[op]) : -1;
}

/* Where a sequence ends after these rows: at most at `most`, also for arguments that are to be refused. */
static int64_t end_of(int64_t first_pos, int64_t rows, int64_t most)
{
    const bool fits = first_pos >= 0 && rows >= 0 && most >= 0 && first_pos <= most - rows;
    return fits ? first_pos + rows : most;
}

/* The number of positions of the longest sequence in the call: what it stores or sees of the cache, which may have room
 * for more, and for other sequences. */
static int64_t positions_of(ifn_op op, const ifn_call *args)
{
    const ifn_attention_args *const a = (const ifn_attention_args *)args;
    const ifn_kv_store_args *const s = (const ifn_kv_store_args *)args;
    const ifn_span *const spans = op == IFN_OP_ATTENTION  ? a->spans
                                  : op == IFN_OP_KV_STORE ? s->spans
                                                          : NULL;
    const int64_t room = number_of(op, args, "max_pos"), n = number_of(op, args, "n_spans");
    int64_t most = 0;
    if (n == 0)
        return end_of(number_of(op, args, "first_pos"), number_of(op, args, "rows"), room);
    for (int64_t i = 0; spans && i < n; i++)
        most = larger(most, end_of(spans[i].first_pos, spans[i].rows, room));
    return most;
}

/* Sets limits by the arguments, which go before what the tensors look like. */
static void limit_by_args(ifn_limits *m, ifn_op op, const ifn_call *args)
{
    const int64_t rows = conform_told_rows(op, args);
    if (rows >= 0)
        m->rows = larger(rows, 1);
    if (op == IFN_OP_MATMUL)
        spread_limits(m, (const ifn_matmul_args *)args);
    if (op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8) /* a result is no row that is read */
        m->k = larger(number_of(op, args, "k"), 1);
    if (ifn_op_arg_find(op, "max_pos"))
        m->max_pos = larger(m->max_pos, positions_of(op, args));
    m->n_kv_heads = larger(m->n_kv_heads, number_of(op, args, "n_kv_heads"));
    m->n_heads = larger(m->n_kv_heads, number_of(op, args, "n_heads"));
    m->head_dim = larger(m->head_dim, number_of(op, args, "head_dim"));
}

ifn_limits conform_args_limits(ifn_op op, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    ifn_limits m = least_limits();
    for (size_t at = 0; at < s.n; at++) {
        const ifn_op_arg *const a = &s.args[at];
        int64_t rows = 1, cols = 1;
        if (!ifn_arg_is_tensor(a))
            continue;
        for (int d = 0; d < a->n_dims; d++)
            if (ifn_dim_is_there(&a->dims[d], args)) {
                rows = larger(rows * cols, 1);
                cols = ifn_dim_length(&a->dims[d], args, 0);
            }
        add_to_limits(&m, rows, cols, ifn_arg_is_written(a));
    }
    limit_by_args(&m, op, args);
    return m;
}

ifn_limits conform_call_limits(ifn_op op, const conform_call *call, const conform_layout *l)
{
    ifn_limits m = least_limits();
    for (int i = 0; i < l->n; i++) {
        const conform_tensor *t = &l->t[i];
        add_to_limits(&m, t->rows, t->cols, t->role != ROLE_IN);
    }
    limit_by_args(&m, op, &call->args.call);
    return m;
}
