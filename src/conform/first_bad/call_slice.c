#include "call_slice.h"
#include "case_call.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int conform_is_output(const conform_tensor *t)
{
    return !t->absent && (t->role == ROLE_OUT || t->role == ROLE_INOUT);
}

int64_t conform_view_rows(const call_view *view, int i)
{
    const call_axis *const a = &view->t[i].rows;
    if (a->along == ALONG_NOTHING)
        return view->l.t[i].rows;
    return a->outer * a->inner * (a->along == ALONG_UNITS ? view->n_units : view->n_features);
}

size_t conform_view_span(const call_view *view, int i)
{
    const conform_tensor *const t = &view->l.t[i];
    const int64_t rows = conform_view_rows(view, i);
    if (rows < 1 || t->cols < 1 || !view->t[i].data)
        return 0;
    return (size_t)(rows - 1) * view->t[i].stride + conform_row_bytes(t);
}

/* --- what is written over --- */

static int overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && x < y + b_bytes && y < x + a_bytes;
}

typedef struct memory {
    const void *data;
    size_t bytes;
} memory;

static int find_output_over(void *cookie, const call_view *v, int t)
{
    const memory *const m = cookie;
    return conform_is_output(&v->l.t[t]) &&
           overlaps(m->data, m->bytes, v->t[t].data, conform_view_span(v, t));
}

static bool is_kept(const call_keep *keep, const void *data)
{
    for (int i = 0; i < keep->n; i++)
        if (keep->kept[i].begin == data)
            return true;
    return false;
}

static ifn_status keep_one(call_keep *keep, const void *data, size_t bytes)
{
    if (bytes == 0 || keep->n == CONFORM_MAX_TENSORS || is_kept(keep, data))
        return IFN_OK;
    unsigned char *const copy = malloc(bytes);
    if (!copy)
        return IFN_ERR_NOMEM;
    memcpy(copy, data, bytes);
    keep->kept[keep->n].begin = data;
    keep->kept[keep->n].bytes = bytes;
    keep->kept[keep->n++].copy = copy;
    return IFN_OK;
}

typedef struct keeping {
    ifn_op op;
    const ifn_call *args;
    call_keep *out;
} keeping;

/* Keeps an input if an output overlaps it. IFN_ERR_NOMEM ends the visit. */
static int keep_if_written_over(void *cookie, const call_view *v, int t)
{
    const keeping *const k = cookie;
    memory m = {v->t[t].data, conform_view_span(v, t)};
    if (v->l.t[t].absent || v->l.t[t].role == ROLE_OUT || v->t[t].map ||
        !conform_call_visit(k->op, k->args, find_output_over, &m))
        return IFN_OK;
    return (int)keep_one(k->out, m.data, m.bytes);
}

ifn_status conform_call_keep(ifn_op op, const ifn_call *args, call_keep *out)
{
    keeping k = {op, args, out};
    out->n = 0;
    return (ifn_status)conform_call_visit(op, args, keep_if_written_over, &k);
}

void conform_call_keep_close(call_keep *self)
{
    for (int i = 0; i < self->n; i++)
        free(self->kept[i].copy);
    self->n = 0;
}

/* Returns where the bytes at `data` are as they were before the call: in a copy, or in place. */
static const unsigned char *before_of(const call_keep *keep, const void *data)
{
    const uintptr_t at = (uintptr_t)data;
    for (int i = 0; i < keep->n; i++) {
        const uintptr_t begin = (uintptr_t)keep->kept[i].begin;
        if (at >= begin && at < begin + keep->kept[i].bytes)
            return keep->kept[i].copy + (at - begin);
    }
    return data;
}

/* --- gathering --- */

typedef struct gathering {
    const call_view *view;
    const call_choice *units, *features;
} gathering;

int64_t conform_axis_source(const call_view *view, const call_axis *axis, const call_choice *units,
                            const call_choice *features, int64_t k)
{
    if (axis->along == ALONG_NOTHING)
        return k;
    const bool is_unit = axis->along == ALONG_UNITS;
    const call_choice *const choice = is_unit ? units : features;
    const int64_t n = is_unit ? view->n_units : view->n_features;
    const int64_t j = k % axis->take, i = k / axis->take % choice->n;
    const int64_t o = k / axis->take / choice->n;
    return (o * n + conform_chosen(choice, i)) * axis->inner + j;
}

static int64_t source_of(const gathering *g, const call_axis *axis, int64_t k)
{
    return conform_axis_source(g->view, axis, g->units, g->features, k);
}

/* Copies the chosen columns of a row. Tensors that run along units or features in columns have elements of 4 bytes. */
static void gather_cols(const gathering *g, const call_axis *axis, const conform_tensor *t,
                        const unsigned char *row, unsigned char *out)
{
    if (axis->along == ALONG_NOTHING) {
        memcpy(out, row, conform_row_bytes(t));
        return;
    }
    for (int64_t c = 0; c < t->cols; c++)
        memcpy(out + c * 4, row + source_of(g, axis, c) * 4, 4);
}

static void gather(const gathering *g, const call_tensor *from, const conform_tensor *t,
                   const unsigned char *data, unsigned char *out)
{
    const size_t row_bytes = conform_row_bytes(t);
    for (int64_t r = 0; r < t->rows && row_bytes > 0; r++) {
        const int64_t at = source_of(g, &from->rows, r);
        const size_t row = (size_t)(from->map ? from->map[at] : at);
        gather_cols(g, &from->cols, t, data + row * from->stride, out + (size_t)r * row_bytes);
    }
}

static void gather_tensor(const gathering *g, const call_keep *keep, int i, conform_pool *pool,
                          call_slice *out)
{
    const conform_tensor *const t = &out->slot.layout.t[i];
    const call_tensor *const from = &g->view->t[i];
    if (t->absent)
        return;
    out->slot.before[i] = conform_pool_take(pool, t->bytes, 1);
    out->slot.is_written[i] = conform_is_output(t);
    if (t->role == ROLE_OUT)
        conform_poison(out->slot.before[i], t->bytes, 0);
    else if (from->is_value)
        memcpy(out->slot.before[i], &g->view->value, sizeof g->view->value);
    else
        gather(g, from, t, before_of(keep, from->data), out->slot.before[i]);
    if (!conform_is_output(t))
        return;
    out->got[i] = conform_pool_take(pool, t->bytes, 1);
    gather(g, from, t, from->data, out->got[i]);
}

/* Sets ids to 0, 1, ..., as the rows of the table were gathered in the order of the ids. */
static void number_ids(call_slice *s)
{
    int32_t *const ids = s->slot.before[1];
    for (int64_t i = 0; i < s->slot.layout.t[1].cols; i++)
        ids[i] = (int32_t)i;
}

void conform_call_gather(const call_view *view, const call_keep *keep, const call_choice *units,
                         const call_choice *features, conform_pool *pool, call_slice *out)
{
    const gathering g = {view, units, features};
    *out = (call_slice){.slot = {.c = view->c}};
    conform_view_resize(view, units->n, features->n, &out->slot.c);
    (void)conform_case_layout(&out->slot.c, &out->slot.layout);
    for (int i = 0; i < out->slot.layout.n; i++)
        gather_tensor(&g, keep, i, pool, out);
    if (view->c.op == IFN_OP_GATHER_ROWS)
        number_ids(out);
}
