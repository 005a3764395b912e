#include "queue.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    struct entry *next;
    ifn_op op;
    ifn_args args;
    const ifn_call *late; /* if not NULL, these are read instead of `args` */
    ifn_tensor tensors[IFN_LINEAR_MAX];
    unsigned char host[]; /* a copy of copy_in's host memory, or of spans */
} entry;

/* What two passes are compared by: a hash over their calls, without first_pos, and the number of calls. */
typedef struct pass {
    uint64_t hash;
    int64_t n_calls;
} pass;

/* Without a lock, as only one thread at a time uses a lane. */
typedef struct queue_lane {
    entry *first, **last;
    int64_t n;
    bool is_in_pass;
    int64_t n_before; /* calls that waited when the pass began */
    pass now, before;
} queue_lane;

static atomic_int_least64_t n_of_all, passes_of_all, repeated_of_all;

struct queue {
    int32_t n_lanes;
    atomic_int_least64_t n;
    queue_lane lanes[];
};

queue *queue_open(int32_t n_lanes)
{
    queue *const self = calloc(1, sizeof *self + (size_t)n_lanes * sizeof *self->lanes);
    if (!self)
        return NULL;
    self->n_lanes = n_lanes;
    for (int32_t i = 0; i < n_lanes; i++)
        self->lanes[i].last = &self->lanes[i].first;
    return self;
}

static entry *take_first(queue *self, int32_t i)
{
    queue_lane *const l = &self->lanes[i];
    entry *const e = l->first;
    if (!e)
        return NULL;
    l->first = e->next;
    if (!l->first)
        l->last = &l->first;
    l->n--;
    l->n_before -= l->n_before > 0;
    atomic_fetch_sub(&self->n, 1);
    atomic_fetch_sub(&n_of_all, 1);
    return e;
}

void queue_close(queue *self)
{
    for (int32_t i = 0; self && i < self->n_lanes; i++)
        for (entry *e = take_first(self, i); e; e = take_first(self, i))
            free(e);
    free(self);
}

/* Writes the host memory that a call points to, besides ifn_tensors; returns its bytes. */
static size_t host_of(ifn_op op, const ifn_args *a, const void **host)
{
    switch (op) {
    case IFN_OP_COPY_IN:
        *host = a->copy_in.host;
        return a->copy_in.bytes;
    case IFN_OP_KV_STORE:
        *host = a->kv_store.spans;
        return (size_t)a->kv_store.n_spans * sizeof(ifn_span);
    case IFN_OP_ATTENTION:
        *host = a->attention.spans;
        return (size_t)a->attention.n_spans * sizeof(ifn_span);
    default:
        *host = NULL;
        return 0;
    }
}

static void point_to_host(entry *e)
{
    if (e->op == IFN_OP_COPY_IN)
        e->args.copy_in.host = e->host;
    if (e->op == IFN_OP_KV_STORE && e->args.kv_store.spans)
        e->args.kv_store.spans = (const ifn_span *)(const void *)e->host;
    if (e->op == IFN_OP_ATTENTION && e->args.attention.spans)
        e->args.attention.spans = (const ifn_span *)(const void *)e->host;
}

static void copy_tensors(entry *e, const ifn_tensor **w, int64_t n)
{
    for (int64_t i = 0; i < n && i < IFN_LINEAR_MAX; i++) {
        if (!w[i])
            continue;
        e->tensors[i] = *w[i];
        w[i] = &e->tensors[i];
    }
}

static void point_to_tensors(entry *e)
{
    if (e->op == IFN_OP_GATHER_ROWS)
        copy_tensors(e, &e->args.gather_rows.table, 1);
    if (e->op == IFN_OP_LINEAR)
        copy_tensors(e, e->args.linear.w, e->args.linear.n_w);
    if (e->op == IFN_OP_LINEAR_Q8)
        copy_tensors(e, e->args.linear_q8.w, e->args.linear_q8.n_w);
}

static void note_call(queue_lane *l, ifn_op op, const ifn_call *args)
{
    ifn_args a;
    memset(&a, 0, sizeof a);
    memcpy(&a, args, args->bytes);
    if (op == IFN_OP_KV_STORE)
        a.kv_store.first_pos = 0;
    if (op == IFN_OP_ATTENTION)
        a.attention.first_pos = 0;
    for (size_t i = 0; i < args->bytes; i++)
        l->now.hash = (l->now.hash ^ a.room[i]) * 0x100000001b3u;
    l->now.hash = (l->now.hash ^ (uint64_t)op) * 0x100000001b3u;
    l->now.n_calls++;
}

bool queue_begin(queue *self, int32_t lane)
{
    queue_lane *const l = &self->lanes[lane];
    if (l->is_in_pass)
        return false;
    l->is_in_pass = true;
    l->n_before = l->n;
    l->now = (pass){0};
    return true;
}

bool queue_end(queue *self, int32_t lane)
{
    queue_lane *const l = &self->lanes[lane];
    if (!l->is_in_pass)
        return false;
    l->is_in_pass = false;
    atomic_fetch_add(&passes_of_all, 1);
    if (l->now.n_calls == l->before.n_calls && l->now.hash == l->before.hash)
        atomic_fetch_add(&repeated_of_all, 1);
    l->before = l->now;
    return true;
}

bool queue_is_in_pass(const queue *self, int32_t lane)
{
    return self->lanes[lane].is_in_pass;
}

int64_t queue_passes_of_all(void)
{
    return atomic_load(&passes_of_all);
}

int64_t queue_repeated_of_all(void)
{
    return atomic_load(&repeated_of_all);
}

ifn_status queue_add(queue *self, ifn_op op, const ifn_call *args)
{
    queue_lane *const l = &self->lanes[args->lane];
    const void *host;
    const size_t bytes = host_of(op, (const ifn_args *)args, &host);
    entry *const e = calloc(1, sizeof *e + (host ? bytes : 0));
    if (!e)
        return IFN_ERR_NOMEM;
    e->op = op;
    memcpy(&e->args, args, args->bytes);
    if (host && bytes)
        memcpy(e->host, host, bytes);
    point_to_host(e);
    point_to_tensors(e);
    *l->last = e;
    l->last = &e->next;
    l->n++;
    if (l->is_in_pass)
        note_call(l, op, args);
    atomic_fetch_add(&self->n, 1);
    atomic_fetch_add(&n_of_all, 1);
    return IFN_OK;
}

/* The pointer to the last entry of a lane, which must not be empty. */
static entry **last_of(queue_lane *l)
{
    entry **at = &l->first;
    while ((*at)->next)
        at = &(*at)->next;
    return at;
}

bool queue_last_is(queue *self, int32_t lane, ifn_op op)
{
    queue_lane *const l = &self->lanes[lane];
    return l->first && (*last_of(l))->op == op;
}

void queue_overtake(queue *self, int32_t lane)
{
    queue_lane *const l = &self->lanes[lane];
    entry **const at = last_of(l), *const e = *at;
    if (at == &l->first)
        return;
    *at = NULL;
    l->last = at;
    e->next = l->first;
    l->first = e;
}

void queue_read_host_late(queue *self, int32_t lane, const void *host)
{
    (*last_of(&self->lanes[lane]))->args.copy_in.host = host;
}

void queue_read_late(queue *self, int32_t lane, const ifn_call *args)
{
    (*last_of(&self->lanes[lane]))->late = args;
}

void queue_read_table_late(queue *self, int32_t lane, const ifn_tensor *table)
{
    (*last_of(&self->lanes[lane]))->args.gather_rows.table = table;
}

void queue_read_spans_late(queue *self, int32_t lane, const ifn_span *spans)
{
    (*last_of(&self->lanes[lane]))->args.kv_store.spans = spans;
}

void queue_forget_last(queue *self, int32_t lane)
{
    queue_lane *const l = &self->lanes[lane];
    entry **const at = l->first ? last_of(l) : NULL;
    if (!at)
        return;
    free(*at);
    *at = NULL;
    l->last = at;
    l->n--;
    atomic_fetch_sub(&self->n, 1);
    atomic_fetch_sub(&n_of_all, 1);
}

ifn_status queue_wait_for_pass(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run)
{
    queue_lane *const l = &self->lanes[lane];
    ifn_status status = IFN_OK;
    while (l->n_before > 0) {
        entry *const e = take_first(self, lane);
        const ifn_status its = run(backend, e->op, e->late ? e->late : &e->args.call);
        status = status == IFN_OK ? its : status;
        free(e);
    }
    return status;
}

ifn_status queue_wait(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run)
{
    ifn_status status = IFN_OK;
    for (entry *e = take_first(self, lane); e; e = take_first(self, lane)) {
        const ifn_status its = run(backend, e->op, e->late ? e->late : &e->args.call);
        status = status == IFN_OK ? its : status;
        free(e);
    }
    return status;
}

int64_t queue_length(const queue *self)
{
    return atomic_load(&self->n);
}

int64_t queue_length_of_all(void)
{
    return atomic_load(&n_of_all);
}
