#include "far.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "far_ways.h"

/* The call of whole tensors is the way after those of parts. */
const char *conform_far_way_name(ifn_op op, int way)
{
    const far_whole *const whole = conform_far_whole_of(op);
    const char *const name = far_way_of(op, way).name;
    if (name || !whole || way >= FAR_WAYS)
        return name;
    return way == 0 || far_way_of(op, way - 1).name ? whole->way : NULL;
}

/* --- the arguments of a far call --- */

void conform_far_point_to_weights(ifn_op op, conform_call *call)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const ifn_tensor *old[IFN_LINEAR_MAX];
    const int n = op == IFN_OP_GATHER_ROWS ? 1
                  : op == IFN_OP_LINEAR    ? (int)call->args.linear.n_w
                  : op == IFN_OP_LINEAR_Q8 ? (int)call->args.linear_q8.n_w
                                           : 0;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; s.args[i].kind == IFN_ARG_WEIGHT && k < n; k++) {
            old[k] = &call->weights[k];
            memcpy(call->args.room + s.args[i].offset + (size_t)k * sizeof old[k], &old[k],
                   sizeof old[k]);
        }
}

/* What a move adds to its argument; n_heads grows by a whole group of query heads per KV head. */
static int64_t amount(ifn_op op, const far_move *m, const conform_call *home, int64_t more)
{
    const ifn_attention_args *const a = &home->args.attention;
    return op == IFN_OP_ATTENTION && strcmp(m->arg, "n_heads") == 0 && a->n_kv_heads > 0
               ? more * (a->n_heads / a->n_kv_heads)
               : more;
}

/* Rows that follow the judged part, so that it does not end at the end of a tensor. None in concat_dim0, where b
 * follows right after a. */
static int64_t after(ifn_op op, const far_run *run)
{
    return op == IFN_OP_CONCAT_DIM0 || run->is_last ? 0 : 3;
}

static void add_to(const ifn_op_arg *a, conform_call *call, int64_t more)
{
    for (int i = 0; i < a->count; i++) {
        int64_t value;
        unsigned char *const at = call->args.room + a->offset + (size_t)i * sizeof value;
        memcpy(&value, at, sizeof value);
        value += more;
        memcpy(at, &value, sizeof value);
    }
}

static void make_flat(conform_call *call, int64_t more)
{
    ifn_reshape_data_args *const a = &call->args.reshape_data;
    a->rows = a->out_rows = a->rows * a->cols + more;
    a->cols = a->out_cols = 1;
}

static void move_argument(ifn_op op, const far_move *m, const conform_call *home,
                          const far_run *run, conform_call *out)
{
    const ifn_op_arg *const a = ifn_op_arg_find(op, m->arg);
    const int64_t more = run->more, its = amount(op, m, home, more);
    if (m->how == HOW_FLAT)
        make_flat(out, more);
    else if (a->kind == IFN_ARG_WEIGHT)
        out->weights[0].shape[0] += its + after(op, run);
    else if (m->how == HOW_SHIFT || (m->how == HOW_GROW && a->kind == IFN_ARG_STRIDE))
        add_to(a, out, its + after(op, run) * amount(op, m, home, 1));
    else if (!ifn_arg_is_tensor(a))
        add_to(a, out, m->how == HOW_LESS ? -its : m->how == HOW_GROW ? its + after(op, run) : its);
}

/* The axis of parts that cuts along the argument in this call; -1: none. */
static int axis_of(ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        for (int d = 0; d < s.args[i].n_dims; d++) {
            const ifn_op_dim *const dim = &s.args[i].dims[d];
            const bool is_its = dim->extent == a->offset || dim->plus == a->offset ||
                                dim->length == a->offset || dim->weight == a->offset;
            if (is_its && ifn_dim_is_cut(dim, args))
                return dim->cut == IFN_DIM_PART2;
        }
    return -1;
}

static bool has_part(far_how how)
{
    return how == HOW_SHIFT || how == HOW_FLAT;
}

int conform_far_axis(ifn_op op, const conform_call *home, const far_run *run)
{
    const far_move move = far_way_of(op, run->way).moves[0];
    return has_part(move.how) ? axis_of(op, ifn_op_arg_find(op, move.arg), &home->args.call) : -1;
}

bool conform_far_aligned(ifn_op op, const conform_call *home, int64_t granule, far_run *run)
{
    const far_move move = far_way_of(op, run->way).moves[0];
    const int axis = conform_far_axis(op, home, run);
    if (axis < 0 || granule < 2)
        return true;
    if (granule > FAR_GRANULE)
        return false;
    while (amount(op, &move, home, run->more) % granule)
        run->more++;
    run->is_last = ifn_op_extent(op, &home->args.call, axis) % granule != 0;
    return true;
}

void conform_far_move(ifn_op op, const conform_call *home, const far_run *run, conform_call *out)
{
    const far_way w = far_way_of(op, run->way);
    *out = *home;
    conform_far_point_to_weights(op, out);
    for (int i = 0; i < FAR_MOVES && w.moves[i].how; i++)
        move_argument(op, &w.moves[i], home, run, out);
    if (!has_part(w.moves[0].how))
        return;
    const int axis = conform_far_axis(op, home, run);
    const int64_t begin = amount(op, &w.moves[0], home, run->more);
    ifn_op_set_part(op, &out->args.call, axis, begin,
                    begin + ifn_op_extent(op, &home->args.call, axis));
}

/* --- its tensors --- */

/* How far the way shifts a dimension that is counted by the argument at `offset` of the argument struct. */
static int64_t shift_by(ifn_op op, const far_way *w, const conform_call *home, int64_t more,
                        uint16_t offset)
{
    for (int i = 0; offset && i < FAR_MOVES && w->moves[i].how; i++) {
        const far_move *const m = &w->moves[i];
        const ifn_op_arg *const a = ifn_op_arg_find(op, m->arg);
        const bool is_kv = op == IFN_OP_ATTENTION && strcmp(m->arg, "n_kv_heads") == 0;
        if (a->offset == offset && (has_part(m->how) || is_kv))
            return amount(op, m, home, more);
    }
    return 0;
}

typedef struct far_asker {
    ifn_op op;
    far_way way;
    const conform_call *home, *far;
    int64_t more;
} far_asker;

static int64_t shift_of(const far_asker *a, const ifn_op_dim *d)
{
    const ifn_call *const home = &a->home->args.call, *const far = &a->far->args.call;
    int64_t shift = ifn_dim_begin(d, far) - ifn_dim_begin(d, home);
    shift += shift_by(a->op, &a->way, a->home, a->more, d->extent);
    shift += shift_by(a->op, &a->way, a->home, a->more, d->plus);
    shift += shift_by(a->op, &a->way, a->home, a->more, d->length);
    if (d->weight && d->weight_axis == 0)
        shift += shift_by(a->op, &a->way, a->home, a->more, d->weight);
    return shift;
}

static size_t bytes_of(const ifn_op_arg *a, const ifn_call *args, int64_t n)
{
    return ifn_arg_row_bytes(a, args, n);
}

/* Bytes from row to row of x, by the argument "x_stride"; 0: there is no such argument. */
static size_t stride_of(ifn_op op, const ifn_op_arg *a, const ifn_call *args, int entry)
{
    char name[32];
    int64_t n;
    snprintf(name, sizeof name, "%.20s_stride", a->name);
    const ifn_op_arg *const stride = ifn_op_arg_find(op, name);
    if (!stride)
        return 0;
    memcpy(&n, (const char *)args + stride->offset + (size_t)entry * sizeof n, sizeof n);
    return a->element == IFN_ELEMENT_Q8_32F ? (size_t)n * sizeof(ifn_block_q8_32f) : (size_t)n * 4;
}

/* Merges dimensions whose runs are contiguous both at home and in the far call into one run of bytes. */
static void join_runs(far_tensor *t)
{
    for (int i = 1; i >= 0; i--) {
        const bool is_one = t->n[i] == 1;
        if (!is_one && (t->home_step[i] != t->run_bytes || t->far_step[i] != t->run_bytes))
            return;
        t->run_bytes *= (size_t)t->n[i];
        t->n[i] = 1;
    }
}

/* The dimensions of a tensor at home and in the far call, outermost first; missing outer ones are 1. */
typedef struct far_dims {
    int64_t home[IFN_ARG_MAX_DIMS], far[IFN_ARG_MAX_DIMS], shift[IFN_ARG_MAX_DIMS];
} far_dims;

static far_dims dims_of(const far_asker *a, const ifn_op_arg *arg, int entry)
{
    far_dims d = {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    const ifn_call *const home = &a->home->args.call, *const far = &a->far->args.call;
    for (int i = 0; i < arg->n_dims; i++) {
        const ifn_op_dim *const dim = &arg->dims[i];
        if (!ifn_dim_is_there(dim, home))
            continue;
        d.home[0] = d.home[1], d.home[1] = d.home[2];
        d.far[0] = d.far[1], d.far[1] = d.far[2];
        d.shift[0] = d.shift[1], d.shift[1] = d.shift[2];
        d.home[2] = ifn_dim_length(dim, home, entry);
        d.far[2] = ifn_dim_length(dim, far, entry);
        d.shift[2] = shift_of(a, dim);
    }
    if (a->way.moves[0].how == HOW_FLAT) {
        d.home[2] *= d.home[1];
        d.far[2] *= d.far[1];
        d.home[1] = d.far[1] = 1;
        d.shift[1] = 0;
        d.shift[2] = a->more;
    }
    return d;
}

static void lay_out(far_tensor *t, const far_dims *d, size_t home_row, size_t far_row,
                    size_t shift_bytes)
{
    t->n[0] = d->home[0];
    t->n[1] = d->home[1];
    t->home_step[1] = home_row;
    t->far_step[1] = far_row;
    t->home_step[0] = (size_t)d->home[1] * home_row;
    t->far_step[0] = (size_t)d->far[1] * far_row;
    t->far_begin =
        (size_t)d->shift[0] * t->far_step[0] + (size_t)d->shift[1] * far_row + shift_bytes;
}

/* Sets far_bytes: the gap after the last row of a strided tensor does not belong to it. */
static void measure(far_tensor *t, const far_dims *d, size_t far_row, size_t row_bytes)
{
    const size_t rows = (size_t)d->far[0] * (size_t)d->far[1];
    t->far_bytes = rows ? (rows - 1) * far_row + row_bytes : 0;
    join_runs(t);
}

static void describe_tensor(const far_asker *a, const ifn_op_arg *arg, int entry, far_tensor *t)
{
    const far_dims d = dims_of(a, arg, entry);
    const ifn_call *const home = &a->home->args.call, *const far = &a->far->args.call;
    const size_t home_stride = stride_of(a->op, arg, home, entry);
    const size_t far_stride = stride_of(a->op, arg, far, entry);
    const size_t far_row = bytes_of(arg, far, d.far[2]);
    *t = (far_tensor){.arg = arg, .entry = entry, .is_written = ifn_arg_is_written(arg)};
    t->run_bytes = bytes_of(arg, home, d.home[2]);
    lay_out(t, &d, home_stride ? home_stride : t->run_bytes, far_stride ? far_stride : far_row,
            bytes_of(arg, far, d.shift[2]));
    measure(t, &d, t->far_step[1], far_row);
    for (int i = 0; i < FAR_MOVES; i++)
        if (a->way.moves[i].how == HOW_PLACE && strcmp(a->way.moves[i].arg, arg->name) == 0)
            t->ids_more = a->more;
}

static void describe_weight(const far_asker *a, const ifn_op_arg *arg, int entry, far_tensor *t)
{
    const ifn_tensor *const home = &a->home->weights[entry], *const far = &a->far->weights[entry];
    const size_t row = ifn_dtype_row_bytes(home->dtype, home->shape[1]);
    const far_dims d = {{1, home->shape[0], 1}, {1, far->shape[0], 1}, {0, 0, 0}};
    *t = (far_tensor){.arg = arg, .entry = entry, .is_weight = true, .run_bytes = row};
    lay_out(t, &d, row, row, 0);
    /* the weight grows in front of its rows: ids select rows of a table, a part selects features */
    t->far_begin = (size_t)(entry == 0 && far->shape[0] > home->shape[0] ? a->more : 0) * row;
    measure(t, &d, row, row);
}

void *conform_far_address(const far_tensor *t, const conform_call *call)
{
    void *p;
    if (t->is_weight) {
        memcpy(&p, &call->weights[t->entry].data, sizeof p);
        return p;
    }
    memcpy(&p, call->args.room + t->arg->offset + (size_t)t->entry * sizeof p, sizeof p);
    return p;
}

void conform_far_set_address(const far_tensor *t, conform_call *call, void *data)
{
    if (t->is_weight)
        call->weights[t->entry].data = data;
    else
        memcpy(call->args.room + t->arg->offset + (size_t)t->entry * sizeof data, &data,
               sizeof data);
}

static int64_t n_weights(const conform_call *call, ifn_op op)
{
    return op == IFN_OP_LINEAR ? call->args.linear.n_w
                               : (op == IFN_OP_LINEAR_Q8 ? call->args.linear_q8.n_w : 1);
}

/* True if the tensor's bytes lie at other offsets in the far call, or its indices change. */
static bool is_moved(const far_tensor *t)
{
    return t->run_bytes > 0 && t->n[0] > 0 && t->n[1] > 0 &&
           (t->far_begin > 0 || t->ids_more > 0 ||
            (t->n[1] > 1 && t->far_step[1] != t->home_step[1]) ||
            (t->n[0] > 1 && t->far_step[0] != t->home_step[0]));
}

int conform_far_tensors(ifn_op op, const conform_call *home, const conform_call *far,
                        const far_run *run, far_tensor *out)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const far_asker a = {op, far_way_of(op, run->way), home, far, run->more};
    int n = 0;
    for (size_t i = 0; i < s.n; i++) {
        const ifn_op_arg *const arg = &s.args[i];
        const int entries = arg->count > 1 ? (int)n_weights(home, op) : 1;
        for (int k = 0; k < entries && n < FAR_TENSORS; k++) {
            if (arg->kind == IFN_ARG_WEIGHT)
                describe_weight(&a, arg, k, &out[n]);
            else if (ifn_arg_is_tensor(arg) && arg->kind != IFN_ARG_BETWEEN)
                describe_tensor(&a, arg, k, &out[n]);
            else
                continue;
            n += is_moved(&out[n]) && conform_far_address(&out[n], home);
        }
    }
    return n;
}

static bool has_handle(ifn_op op, const conform_call *call)
{
    const ifn_args *const a = &call->args;
    return op == IFN_OP_GATHER_ROWS ? a->gather_rows.packed != NULL
           : op == IFN_OP_LINEAR    ? a->linear.packed[0] != NULL
                                    : a->linear_q8.packed[0] != NULL;
}

/* A size that the way cuts must be cut in this call and must not be 0. A linear must have one weight only, and no
 * handle, as a part of several weights would cover only the first. */
bool conform_far_has_way(ifn_op op, const conform_call *home, int way)
{
    const far_way w = far_way_of(op, way);
    if (!w.name)
        return false;
    const ifn_op_arg *const a = ifn_op_arg_find(op, w.moves[0].arg);
    const bool is_weight = a->kind == IFN_ARG_WEIGHT;
    if (op == IFN_OP_ATTENTION && home->args.attention.phase != IFN_ATTENTION_WHOLE)
        return false;
    if (is_weight && (n_weights(home, op) != 1 || has_handle(op, home)))
        return false;
    if (!has_part(w.moves[0].how))
        return true;
    /* a precedes b: a far part of b must not include rows of a */
    if (op == IFN_OP_CONCAT_DIM0 && strcmp(w.name, "b_rows") == 0 &&
        home->args.concat_dim0.a_rows > 0)
        return false;
    const int axis = axis_of(op, a, &home->args.call);
    return axis >= 0 && ifn_op_extent(op, &home->args.call, axis) > 0;
}
