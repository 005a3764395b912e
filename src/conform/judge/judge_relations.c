/*
 * Relations between calls that no other run tries: a row and its batch (R2), strided and contiguous tensors (R5),
 * earlier calls and their scratch (R7), permuted rows (R8). Those of the KV cache are in judge_cache.c.
 */
#include <string.h>

#include "gen.h"
#include "judge_run.h"
#include "long_case.h"
#include "row_view.h"

/* --- R2 --- */

enum { NOT_WRITTEN = 0xa5 };

/* Fills the outputs with the first run's results, except row `one`. */
static void put_other_rows(judge_run *r, const row_view *view, int64_t one)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->whole[i])
            memcpy(r->data[i], r->whole[i], r->slot->layout.t[i].bytes);
    for (int i = 0; i < view->n_fields; i++) {
        const row_field *f = &view->fields[i];
        unsigned char *const rows = conform_row_field(&r->call.args, f);
        if (f->is_out)
            memset(rows + (size_t)one * f->stride, NOT_WRITTEN, f->bytes);
    }
}

/* Runs all rows in three calls: those before a drawn one, that one alone, those after it. A long case that is not due
 * runs only that one, which costs a row; but not on a device, whose buffers are not filled from here. */
void judge_batch(judge_run *r)
{
    const bool is_due = judge_is_due(r, CHECK_BATCH);
    if (!is_due && (!r->is_long || r->judge->image.device))
        return;
    judge_start(r);
    const ifn_args all = r->call.args;
    const row_view view = conform_row_view(r->slot->c.op, &all);
    if (view.n < 2)
        return;
    const int64_t one =
        conform_integer(conform_stream_of(r->slot->c.seed, "row"), 0, 0, view.n - 1);
    const int64_t borders[4] = {0, one, one + 1, view.n};
    const int64_t *const order = judge_shuffled(r, "order", 3);
    if (!is_due)
        put_other_rows(r, &view, one);
    for (int i = 0; i < 3; i++) {
        const int64_t begin = borders[order[i]], end = borders[order[i] + 1];
        if (begin == end || (!is_due && begin != one))
            continue;
        r->call.args = all;
        conform_row_view_take(&view, &r->call.args, begin, end - begin);
        judge_must_run(r, RUN_BATCH);
    }
    judge_check_memory(r, r->home, RUN_BATCH, 0);
    r->call.args = all;
    /* the elements of an op without rows have no place of their own */
    const int64_t n_first = one == 0 ? 1 : is_due ? one : 0;
    judge_relate_first(r, RUN_BATCH, view.fields[0].bytes > sizeof(float) ? n_first : 0);
}

/* --- R8 --- */

/* Returns a copy whose row i is row order[i] of `rows` or, with `back`, whose row order[i] is row i of `rows`. */
static unsigned char *permuted(judge_run *r, const unsigned char *rows, const row_field *f,
                               const int64_t *order, int64_t n, int back)
{
    unsigned char *copy = conform_pool_take(&r->judge->pool, (size_t)n, f->stride);
    for (int64_t i = 0; i < n; i++) {
        const size_t from = (size_t)(back ? i : order[i]), to = (size_t)(back ? order[i] : i);
        memcpy(copy + to * f->stride, rows + from * f->stride, f->bytes);
    }
    return copy;
}

static void put_back(judge_run *r, const row_field *f, const int64_t *order, int64_t n)
{
    unsigned char *rows = conform_row_field(&r->call.args, f);
    const unsigned char *copy = permuted(r, rows, f, order, n, 1);
    for (int64_t i = 0; i < n; i++)
        memcpy(rows + (size_t)i * f->stride, copy + (size_t)i * f->stride, f->bytes);
}

static void permute_rows(judge_run *r)
{
    if (!judge_is_due(r, CHECK_PERMUTED))
        return;
    judge_start(r);
    const row_view view = conform_row_view(r->slot->c.op, &r->call.args);
    if (view.n < 2)
        return;
    const int64_t *order = judge_shuffled(r, "permutation", view.n);
    for (int i = 0; i < view.n_fields; i++) {
        const row_field *f = &view.fields[i];
        const void *rows = conform_row_field(&r->call.args, f);
        if (!f->is_out)
            conform_row_field_set(&r->call.args, f, permuted(r, rows, f, order, view.n, 0));
    }
    judge_must_run(r, RUN_PERMUTED);
    for (int i = 0; i < view.n_fields; i++)
        if (view.fields[i].is_out)
            put_back(r, &view.fields[i], order, view.n);
    judge_relate(r, RUN_PERMUTED);
}

void judge_permuted(judge_run *r)
{
    if (r->slot->c.op == IFN_OP_ATTENTION)
        judge_permuted_heads(r);
    else
        permute_rows(r);
}

/* --- R5 --- */

enum { PAD = 3 };

/* The smallest stride of the rows or, if they have that one, a larger stride. */
static size_t other_stride(const row_field *f, size_t element)
{
    return f->stride > f->bytes ? f->bytes : f->bytes + PAD * element;
}

/* Copies the rows of a field to memory with another stride. */
static void restride(judge_run *r, const row_field *f, size_t stride, int64_t n)
{
    const unsigned char *rows = conform_row_field(&r->call.args, f);
    unsigned char *copy = judge_take_like(r, rows, (size_t)n * stride);
    for (int64_t i = 0; i < n; i++)
        memcpy(copy + (size_t)i * stride, rows + (size_t)i * f->stride, f->bytes);
    conform_row_field_set(&r->call.args, f, copy);
}

/* Pointers to the strides of the two linear ops. */
typedef struct strides {
    int64_t *x, *out;
    size_t x_element;
} strides;

static strides strides_of(judge_run *r)
{
    ifn_linear_args *a = &r->call.args.linear;
    ifn_linear_q8_args *q = &r->call.args.linear_q8;
    if (r->slot->c.op == IFN_OP_LINEAR)
        return (strides){&a->x_stride, a->out_stride, sizeof(float)};
    return (strides){&q->x_stride, q->out_stride, ifn_dtype_block_bytes(IFN_DTYPE_Q8_32F)};
}

static void restride_all(judge_run *r, const row_view *view, strides s)
{
    int n_out = 0;
    for (int i = 0; i < view->n_fields; i++) {
        const row_field *f = &view->fields[i];
        const size_t element = f->is_out ? sizeof(float) : s.x_element;
        const size_t stride = other_stride(f, element);
        restride(r, f, stride, view->n);
        *(f->is_out ? &s.out[n_out++] : s.x) = (int64_t)(stride / element);
    }
}

/* Copies results back to the rows of the case. */
static void gather_back(judge_run *r, const row_view *view, const ifn_args *home)
{
    for (int i = 0; i < view->n_fields; i++) {
        const row_field *f = &view->fields[i];
        unsigned char *to = conform_row_field(home, f);
        const unsigned char *from = conform_row_field(&r->call.args, f);
        const size_t stride = other_stride(f, sizeof(float));
        for (int64_t row = 0; f->is_out && row < view->n; row++)
            memcpy(to + (size_t)row * f->stride, from + (size_t)row * stride, f->bytes);
    }
}

static void change_strides(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if (!judge_is_due(r, CHECK_VIEW))
        return;
    judge_start(r);
    const ifn_args home = r->call.args;
    const row_view view = conform_row_view(op, &home);
    if (view.n < 1)
        return;
    restride_all(r, &view, strides_of(r));
    judge_must_run(r, RUN_VIEW);
    gather_back(r, &view, &home);
    r->call.args = home;
    judge_relate_first(r, RUN_VIEW, 1);
}

void judge_view(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if (op == IFN_OP_ATTENTION)
        judge_view_of_cache(r);
    else if (op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8)
        change_strides(r);
}

/* --- R7 --- */

void judge_turn(const conform_tensor *t, const unsigned char *from, unsigned char *to)
{
    const size_t stride = conform_stride_bytes(t), row = conform_row_bytes(t);
    const size_t element = conform_element_bytes(t);
    if (t->rows > 1) {
        memcpy(to, from + stride, t->bytes - stride);
        memcpy(to + (size_t)(t->rows - 1) * stride, from, row);
    } else if (t->bytes > 0) {
        memcpy(to, from + element, t->bytes - element);
        memcpy(to + (t->bytes - element), from, element);
    }
}

static void exchange(unsigned char *a, unsigned char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char t = a[i];
        a[i] = b[i], b[i] = t;
    }
}

enum { LEAST_WITH_MIDDLE = 4 };

/* In half of the cases swaps two codes of one block of activations: its scale and its sum stay. Returns false if there
 * are no such blocks. */
static bool swap_codes(const conform_tensor *t, conform_stream s, unsigned char *to)
{
    ifn_block_q8_32f block;
    if (t->element != ELEMENT_BLOCKS || t->dtype != IFN_DTYPE_Q8_32F || t->rows < 1 ||
        t->cols < 1 || conform_bits(s, 2) & 1)
        return false;
    const int64_t row = conform_integer(s, 0, 0, t->rows - 1);
    const int64_t i = conform_integer(s, 1, 0, t->cols / 32 - 1);
    unsigned char *const at = to + (size_t)row * conform_stride_bytes(t) + (size_t)i * sizeof block;
    memcpy(&block, at, sizeof block);
    int j = (int)conform_integer(s, 3, 0, 30);
    while (j > 0 && block.qs[j] == block.qs[j + 1])
        j--;
    exchange((unsigned char *)&block.qs[j], (unsigned char *)&block.qs[j + 1], 1);
    memcpy(at, &block, sizeof block);
    return true;
}

/* Makes inputs that differ in two neighbours within a row, or in two rows, none of them first or last: a backend that
 * recognises inputs by their ends, or by some of their elements, takes them for the same. */
static void touch(const judge_run *r, const conform_tensor *t, const unsigned char *from,
                  unsigned char *to)
{
    const conform_stream s = conform_stream_of(r->slot->c.seed, t->name);
    const size_t stride = conform_stride_bytes(t), row_bytes = conform_row_bytes(t);
    const size_t element = conform_element_bytes(t);
    const int64_t n = (int64_t)(row_bytes / element);
    memcpy(to, from, t->bytes);
    if (swap_codes(t, s, to))
        return;
    if (t->rows > 0 && n >= LEAST_WITH_MIDDLE) {
        const int64_t row = conform_integer(s, 0, 0, t->rows - 1);
        unsigned char *const at =
            to + (size_t)row * stride + (size_t)conform_integer(s, 1, 1, n - 3) * element;
        exchange(at, at + element, element);
    } else if (t->rows >= LEAST_WITH_MIDDLE) {
        unsigned char *const at = to + (size_t)conform_integer(s, 0, 1, t->rows - 3) * stride;
        exchange(at, at + stride, row_bytes);
    }
}

/* The inputs that are put into writable memory: the case's own, rotated ones, or ones changed in few elements. */
typedef enum order_inputs { ORDER_OWN, ORDER_TURNED, ORDER_TOUCHED } order_inputs;

static void put_inputs(judge_run *r, unsigned char *const *copies, order_inputs which)
{
    const conform_slot *s = r->slot;
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *const t = &s->layout.t[i];
        if (!copies[i])
            continue;
        if (which == ORDER_TURNED)
            judge_turn(t, s->before[i], copies[i]);
        else if (which == ORDER_TOUCHED)
            touch(r, t, s->before[i], copies[i]);
        else
            memcpy(copies[i], s->before[i], t->bytes);
    }
}

static void point_to_copies(judge_run *r, unsigned char *const *copies)
{
    judge_point(r, r->home, 0);
    for (int i = 0; i < r->slot->layout.n; i++)
        if (copies[i])
            r->data[i] = copies[i];
}

static void bind_to_copies(judge_run *r, unsigned char *const *copies, int which)
{
    point_to_copies(r, copies);
    judge_prefill(r, which);
    judge_bind(r);
}

/* Fills the scratch with plausible numbers, 1.5 or 0: a NaN shows in a sum, and a maximum drops it. */
static void dirty_scratch(judge_run *r)
{
    const float value = conform_hash(r->slot->c.seed, "scratch", 0) & 1 ? 1.5f : 0.0f;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    conform_fill_words(r->call.args.call.scratch,
                       judge_dirty_bytes(r->call.args.call.scratch_bytes), word);
}

/* The place before this one, or the one after it; itself if `n` places are one. */
static int64_t next_place(int64_t at, int64_t n)
{
    return at > 0 ? at - 1 : at + (n > 1);
}

/* In every other case the call before is that of the previous position, as in decoding, whose keys are not those of
 * now, or of another row. Returns true if it then writes another part of an output. */
static bool move_call(judge_run *r)
{
    ifn_args *const a = &r->call.args;
    if ((conform_hash(r->slot->c.seed, "order", 2) & 1) == 0)
        return false;
    switch (r->slot->c.op) {
    case IFN_OP_ATTENTION:
        a->attention.first_pos -= a->attention.first_pos > 0;
        return false;
    case IFN_OP_KV_STORE:
        a->kv_store.first_pos -= a->kv_store.first_pos > 0;
        return true;
    case IFN_OP_COPY_ROW_2D:
        a->copy_row_2d.out_row = next_place(a->copy_row_2d.out_row, a->copy_row_2d.out_rows);
        return true;
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        a->copy_contiguous_into.out_offset =
            next_place(a->copy_contiguous_into.out_offset,
                       a->copy_contiguous_into.out_n - a->copy_contiguous_into.n + 1);
        return true;
    default:
        return false;
    }
}

/*
 * Makes a call on other inputs at the same addresses, then the call itself, to find state that a backend keeps from a
 * call. In every other case the inputs differ in few elements, and the outputs hold what the call on the others has
 * left. The scratch holds what the first call left; then the call is made once more with zeros or plausible numbers in
 * it.
 */
void judge_order(judge_run *r)
{
    unsigned char *copies[CONFORM_MAX_TENSORS] = {NULL};
    if (!judge_is_due(r, CHECK_ORDER))
        return;
    for (int i = 0; i < r->slot->layout.n; i++)
        if (!r->slot->is_written[i] && !r->slot->layout.t[i].absent)
            copies[i] = conform_pool_take(&r->judge->pool, r->slot->layout.t[i].bytes + 1, 1);
    const bool is_touched = conform_hash(r->slot->c.seed, "order", 0) & 1;
    put_inputs(r, copies, is_touched ? ORDER_TOUCHED : ORDER_TURNED);
    bind_to_copies(r, copies, 0);
    const bool has_moved = move_call(r);
    judge_must_run(r, RUN_ORDER);
    put_inputs(r, copies, ORDER_OWN);
    point_to_copies(r, copies);
    if (!is_touched || has_moved)
        judge_prefill(r, 1);
    judge_bind(r);
    judge_must_run(r, RUN_ORDER);
    judge_relate(r, RUN_ORDER);
    bind_to_copies(r, copies, 0);
    if (judge_failed(r) || !r->call.args.call.scratch)
        return;
    dirty_scratch(r);
    judge_must_run(r, RUN_ORDER);
    judge_relate(r, RUN_ORDER);
}
