#include "staging.h"

#include <string.h>

#include <inferno/signature_values.h>

#include "alloc_priv.h"
#include "node.h"
#include "op_check_unseen.h"
#include "op_growth.h"
#include "op_operands.h"

/* One tensor of a call: its rows on the device, and their place in the lane's room in host memory. */
typedef struct staged {
    size_t offset;      /* of its pointer in the arguments */
    const char *device; /* the pointer, an address on the device */
    size_t begin;       /* offset of the bytes that the call touches, from the pointer */
    size_t rows, row_bytes, stride_bytes;
    size_t at; /* in the room */
    bool is_read, is_written;
} staged;

typedef struct transfer {
    ifn_backend *device;
    ifn_op op;
    const ifn_call *args;
    ifn_staging_lane *lane;
    size_t used; /* of the room */
    size_t n;
    staged items[IFN_OPERANDS_MAX];
} transfer;

ifn_staging *ifn_staging_open(int32_t n_lanes, const ifn_allocator *alloc)
{
    const size_t bytes = sizeof(ifn_staging) + (size_t)n_lanes * sizeof(ifn_staging_lane);
    ifn_staging *const self = alloc->alloc(alloc->cookie, bytes, _Alignof(ifn_staging));
    if (!self)
        return NULL;
    memset(self, 0, bytes);
    self->alloc = alloc;
    self->n_lanes = n_lanes;
    return self;
}

void ifn_staging_close(ifn_staging *self)
{
    if (!self)
        return;
    const ifn_allocator *const alloc = self->alloc;
    for (int32_t i = 0; i < self->n_lanes; i++)
        alloc->free(alloc->cookie, self->lanes[i].room, self->lanes[i].bytes);
    alloc->free(alloc->cookie, self,
                sizeof *self + (size_t)self->n_lanes * sizeof(ifn_staging_lane));
}

/* --- which tensors of a call are staged --- */

/* "x", or "out[1]" of an array. */
static bool has_name(const ifn_operand *o, const ifn_op_arg *a, int i)
{
    const size_t length = strlen(a->name);
    const char *const rest = o->name + length;
    if (strncmp(o->name, a->name, length) != 0)
        return false;
    return a->count == 1 ? *rest == '\0' : rest[0] == '[' && rest[1] - '0' == i;
}

static const ifn_operand *operand_of(const ifn_operands *all, const ifn_op_arg *a, int i)
{
    for (size_t k = 0; k < all->n; k++)
        if (has_name(&all->items[k], a, i))
            return &all->items[k];
    return NULL;
}

static size_t span_of(const staged *s)
{
    return s->rows && s->row_bytes ? s->begin + (s->rows - 1) * s->stride_bytes + s->row_bytes : 0;
}

static void set_rows(staged *s, const ifn_operand *o)
{
    s->begin = (size_t)((const char *)o->data - s->device);
    s->rows = (size_t)o->rows;
    s->row_bytes = o->row_bytes;
    s->stride_bytes = o->stride_bytes;
    if (s->stride_bytes == s->row_bytes) {
        s->row_bytes *= s->rows;
        s->rows = s->rows > 0;
    }
}

/* With pages, a call may touch any row of a head: stages the whole heads. */
static void widen_to_heads(staged *s, ifn_operand *o)
{
    const size_t at = (size_t)((const char *)o->data - s->device);
    o->data = s->device + at / o->stride_bytes * o->stride_bytes;
    o->row_bytes = o->stride_bytes;
}

/* Stages the whole tensor: only the op knows which bytes it touches. */
static void set_all(staged *s, const ifn_operand *o)
{
    s->rows = 1;
    s->row_bytes = sizeof(float);
    for (int i = 0; i < o->n_dims; i++)
        s->row_bytes *= (size_t)o->shape[i];
}

/* Assigns an item its place in the room. An output computed in place shares the place of its input. IFN_MAX_OVERREAD
 * bytes follow each item, for kernels that read past the end. */
static void place(transfer *t, staged *s)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].device == s->device && span_of(&t->items[i]) == span_of(s)) {
            s->at = t->items[i].at;
            return;
        }
    s->at = t->used;
    t->used += (span_of(s) + IFN_MAX_OVERREAD + IFN_ALIGN - 1) / IFN_ALIGN * IFN_ALIGN;
}

static void add(transfer *t, const ifn_operands *all, const ifn_op_arg *a, int i)
{
    const ifn_operand *o = operand_of(all, a, i);
    ifn_operands regular;
    ifn_operand *found = NULL;
    if (!o || !ifn_arg_pointer(a, t->args, i))
        return;
    staged s = {.offset = a->offset + (size_t)i * sizeof(void *),
                .device = ifn_arg_pointer(a, t->args, i),
                .is_read = a->kind != IFN_ARG_OUT,
                .is_written = ifn_arg_is_written(a) || a->kind == IFN_ARG_BETWEEN};
    regular.n = 0;
    if (!o->data && a->kind != IFN_ARG_BETWEEN) /* the operand has no rows: use the signature's */
        o = found = ifn_operand_add(&regular, t->op, a, t->args);
    if (found && found->stride_bytes > 0 && ifn_call_pages_at(t->op, t->args))
        widen_to_heads(&s, found);
    if (o->data)
        set_rows(&s, o);
    else
        set_all(&s, o);
    place(t, &s);
    t->items[t->n++] = s;
}

static void list(transfer *t)
{
    const ifn_op_signature s = ifn_op_signature_of(t->op);
    ifn_operands all;
    ifn_op_operands(t->op, t->args, &all);
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; k < s.args[i].count; k++)
            if (ifn_arg_is_tensor(&s.args[i]) && !s.args[i].is_host)
                add(t, &all, &s.args[i], k);
}

/* --- copying out and back in --- */

static ifn_status move(const transfer *t, const staged *s, bool in)
{
    unsigned char *const host = t->lane->room + s->at;
    ifn_backend *const d = t->device;
    ifn_copy_in_args to = {.call = *t->args, .bytes = s->row_bytes};
    ifn_copy_out_args from = {.call = *t->args, .bytes = s->row_bytes};
    to.call.bytes = sizeof to;
    from.call.bytes = sizeof from;
    for (size_t r = 0; r < s->rows && s->row_bytes > 0; r++) {
        const size_t at = s->begin + r * s->stride_bytes;
        to.out = (void *)(uintptr_t)(s->device + at);
        to.host = from.host = host + at;
        from.x = s->device + at;
        IFN_TRY(in ? d->own_ops->copy_in(d, &to) : d->own_ops->copy_out(d, &from));
        t->lane->moved += s->row_bytes;
    }
    return IFN_OK;
}

static ifn_status make_room(const ifn_allocator *alloc, ifn_staging_lane *lane, size_t bytes)
{
    if (bytes <= lane->bytes)
        return IFN_OK;
    unsigned char *const room = alloc->alloc(alloc->cookie, bytes, IFN_ALIGN);
    if (!room)
        return IFN_ERR_NOMEM;
    alloc->free(alloc->cookie, lane->room, lane->bytes);
    lane->room = room;
    lane->bytes = bytes;
    return IFN_OK;
}

static ifn_status run(const transfer *t, ifn_backend *base)
{
    ifn_args host;
    memcpy(&host, t->args, t->args->bytes);
    host.call.scratch = t->args->scratch_bytes ? t->lane->room + t->used : NULL;
    for (size_t i = 0; i < t->n; i++) {
        const staged *const s = &t->items[i];
        const void *const p = t->lane->room + s->at;
        memcpy(host.room + s->offset, &p, sizeof p);
        if (s->is_read)
            IFN_TRY(move(t, s, false));
    }
    IFN_TRY(ifn_op_run(base, t->op, &host.call));
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].is_written)
            IFN_TRY(move(t, &t->items[i], true));
    return IFN_OK;
}

ifn_status ifn_staging_run(ifn_staging *self, ifn_backend *device, ifn_backend *base, ifn_op op,
                           const ifn_call *args)
{
    if (args->lane < 0 || args->lane >= self->n_lanes)
        return IFN_ERR_ARGUMENT;
    IFN_TRY(ifn_op_check_unseen(op, args, NULL));
    ifn_args room;
    transfer t = {.device = device,
                  .op = op,
                  .args = ifn_call_whole(op, args, &room),
                  .lane = &self->lanes[args->lane],
                  .n = 0};
    list(&t);
    IFN_TRY(make_room(self->alloc, t.lane, t.used + args->scratch_bytes));
    return run(&t, base);
}
