/*
 * A device without hardware: it runs the ops of its base, such as scalar, in memory that only its own
 * ops can access. Code of the host that reads or writes a buffer, other than by copy_in and copy_out,
 * crashes at once.
 *
 * "fenced=add,rms_norm" implements these ops besides copy_in and copy_out, "fenced=doors" none: the
 * others are inherited, and therefore staged. "fenced" implements all.
 *
 * Built with FENCED_DEFERS it is "deferred": an op returns before it has run, and runs when a caller
 * waits. It aborts if a buffer or a handle is given back while calls wait. It counts passes, and those
 * that it could have recorded.
 *
 * Built with FENCED_MUSEUM as well, it is the museum of devices: "device_museum=NAME" has the fault of
 * that name, faults.h.
 */
#include "faults.h"
#include "fence.h"
#include "museum.h"
#include "queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include <inferno/signature.h>

typedef struct device {
    fence *fence;
    queue *queue; /* NULL: ops run at once */
    ifn_allocator buffers;
    /* For the museum only. */
    device_fault fault;
    pthread_mutex_t lock; /* guards `past` */
    device_past past;
    struct handle *kept; /* a released handle, for stale_weight */
} device;

/* --- calls from within --- */

/* The inside address that a kernel of the op gets for a pointer, wrong if the fault says so. */
static void *kernel_pointer(const device *self, ifn_op op, const void *p)
{
    size_t offset, begin;
    if (self->fault == DEVICE_SOUND || op != faults_op(self->fault) ||
        !fence_find(self->fence, p, &offset, &begin))
        return fence_inside(self->fence, p);
    return fence_inside_at(self->fence, faults_offset(self->fault, offset, begin));
}

/* Replaces the first n pointers of a field by inside addresses. Returns 0 if one of them is not of the fence. */
static int move_inside(const device *self, ifn_op op, void *fields, int64_t n)
{
    int are_inside = 1;
    for (int64_t i = 0; i < n && i < IFN_LINEAR_MAX; i++) {
        void *p;
        memcpy(&p, (char *)fields + (size_t)i * sizeof p, sizeof p);
        void *const inside = kernel_pointer(self, op, p);
        memcpy((char *)fields + (size_t)i * sizeof p, &inside, sizeof p);
        are_inside &= !p || inside != p;
    }
    return are_inside;
}

/* The handle that prepare makes: the same tensor, with its data copied to the fence. */
typedef struct handle {
    ifn_tensor tensor;
    size_t bytes; /* of its buffer */
} handle;

/* Fault zeros_tidied_in_the_handle: the op turns -0 into 0 in the weight that it reads. */
static void tidy_zeros(const ifn_tensor *w, void *inside)
{
    float *const x = inside;
    const int64_t n = w->dtype == IFN_DTYPE_F32 ? w->shape[0] * w->shape[1] : 0;
    for (int64_t i = 0; i < n; i++)
        if (x[i] == 0)
            x[i] = 0;
}

static void read_handles(const device *self, const ifn_tensor **w, const void **packed,
                         ifn_tensor *inside, int64_t n)
{
    const handle *const first = packed[0];
    for (int64_t i = 0; i < n && i < IFN_LINEAR_MAX; i++) {
        if (!packed[i])
            continue;
        const handle *const own = packed[i], *const wrong = first ? first : own;
        inside[i] = (self->fault == DEVICE_handle_of_the_first_weight ? wrong : own)->tensor;
        if (self->fault == DEVICE_handle_offset_is_0)
            inside[i].data = wrong->tensor.data;
        inside[i].data = fence_inside(self->fence, inside[i].data);
        if (self->fault == DEVICE_zeros_tidied_in_the_handle)
            tidy_zeros(&inside[i], (void *)(uintptr_t)inside[i].data);
        w[i] = &inside[i];
        packed[i] = NULL;
    }
}

/* For each field of a call, by its kind: tensors get their inside addresses, and a handle replaces its raw weight. Of
 * arrays only the first n_w elements are used. */
/* clang-format off */
#define NOTHING(...)
#define EXTENT           NOTHING
#define EVEN             NOTHING
#define BYTES            NOTHING
#define PLACE            NOTHING
#define REAL             NOTHING
#define DTYPE            NOTHING
#define STRIDES          NOTHING
#define SPANS            NOTHING
#define PAGES            NOTHING
#define HOST             NOTHING
#define HOST_OUT         NOTHING
#define INTEGER(field, ...)                                                                        \
    if (strcmp(#field, "n_w") == 0)                                                                \
        n_w = a.field;
#define IN(field, ...)   are_inside &= move_inside(d, op, &a.field, 1);
#define IN_OPT           IN
#define OUT              IN
#define OUT_OPT          IN
#define INOUT            IN
#define BETWEEN          IN
#define MANY_OUT(field, ...) are_inside &= move_inside(d, op, &a.field, n_w);
#define MANY_IN_OPT      MANY_OUT
#define WEIGHT(field, n) const ifn_tensor **const weights = (const ifn_tensor **)(void *)&a.field;
#define PACKED(field, n) read_handles(d, weights, (const void **)(void *)&a.field, tensors, n_w);
/* clang-format on */

/* run_matmul, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status run_##name(ifn_backend *self, const ifn_##name##_args *args)                 \
    {                                                                                              \
        const device *const d = self->state;                                                       \
        const ifn_op op = IFN_OP_##NAME;                                                           \
        ifn_tensor tensors[IFN_LINEAR_MAX];                                                        \
        ifn_##name##_args a = *args;                                                               \
        int are_inside = move_inside(d, op, &a.call.scratch, 1);                                   \
        int64_t n_w = 1;                                                                           \
        (void)tensors, (void)n_w;                                                                  \
        IFN_SIGNATURE_##name return are_inside ? ifn_##name(self->base, &a) : IFN_ERR_ARGUMENT;    \
    }
IFN_OPS(X)
#undef X

/* --- running a call, at once or later --- */

static ifn_status run(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return run_##name(self, (const ifn_##name##_args *)args);
        IFN_OPS(X)
#undef X
    default:
        return IFN_ERR_ARGUMENT;
    }
}

/* For tests that have the plugin open. */
IFN_API int64_t deferred_n_waiting(void);
IFN_API int64_t deferred_n_passes(void);
IFN_API int64_t deferred_n_repeated(void);

int64_t deferred_n_passes(void)
{
    return queue_passes_of_all();
}

int64_t deferred_n_repeated(void)
{
    return queue_repeated_of_all();
}

int64_t deferred_n_waiting(void)
{
    return queue_length_of_all();
}

/* Runs the calls that wait on the lane. */
static ifn_status wait_for(ifn_backend *self, int32_t lane)
{
    device *const d = self->state;
    return faults_told(d->fault, &d->past, queue_wait(d->queue, lane, self, run));
}

static ifn_status begin(ifn_backend *self, int32_t lane)
{
    device *const d = self->state;
    d->past.is_in_pass = true;
    if (d->fault == DEVICE_pass_forgets_what_waits &&
        queue_last_is(d->queue, lane, faults_op(d->fault)))
        queue_forget_last(d->queue, lane);
    return queue_begin(d->queue, lane) ? IFN_OK : IFN_ERR_ARGUMENT;
}

static ifn_status end(ifn_backend *self, int32_t lane)
{
    device *const d = self->state;
    d->past.is_in_pass = false;
    if (d->fault == DEVICE_pass_without_its_last_call && d->past.is_last)
        queue_forget_last(d->queue, lane);
    return queue_end(d->queue, lane) ? IFN_OK : IFN_ERR_ARGUMENT;
}

static ifn_status synchronize(ifn_backend *self, int32_t lane)
{
    switch (((const device *)self->state)->fault) {
    case DEVICE_synchronize_does_nothing:
        return IFN_OK;
    case DEVICE_synchronize_waits_for_lane_0:
        return wait_for(self, 0);
    default:
        return wait_for(self, lane);
    }
}

/* Fault pass_runs_at_its_end_alone: calls of a pass run when the pass has ended, not when copy_out waits. */
static bool is_held_back(const ifn_backend *self, int32_t lane)
{
    const device *const d = self->state;
    return d->fault == DEVICE_pass_runs_at_its_end_alone && d->past.is_last &&
           queue_is_in_pass(d->queue, lane);
}

static ifn_status wait_before_copy_out(ifn_backend *self, int32_t lane)
{
    if (is_held_back(self, lane))
        return queue_wait_for_pass(((const device *)self->state)->queue, lane, self, run);
    switch (((const device *)self->state)->fault) {
    case DEVICE_copy_out_does_not_wait:
        return IFN_OK;
    case DEVICE_copy_out_waits_for_lane_0:
        return wait_for(self, 0);
    default:
        return wait_for(self, lane);
    }
}

static ifn_status enter(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    queue *const q = ((const device *)self->state)->queue;
    if (q && op != IFN_OP_COPY_OUT)
        return queue_add(q, op, args);
    if (q)
        IFN_TRY(wait_before_copy_out(self, args->lane));
    return run(self, op, args);
}

static bool record(device *self, ifn_op op, ifn_args *args)
{
    pthread_mutex_lock(&self->lock);
    const bool is_to_run = faults_record(self->fault, &self->past, op, args);
    pthread_mutex_unlock(&self->lock);
    return is_to_run;
}

/* Any call of a device that has a fault. */
static ifn_status enter_wrongly(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    device *const d = self->state;
    ifn_args own;
    memset(&own, 0, sizeof own);
    memcpy(&own, args, args->bytes < sizeof own ? args->bytes : sizeof own);
    if (!record(d, op, &own))
        return IFN_OK;
    if (d->fault == DEVICE_ids_read_before_they_arrive && op == faults_op(d->fault))
        return run(self, op, args);
    IFN_TRY(enter(self, op, &own.call));
    if (op == IFN_OP_COPY_OUT)
        faults_keep_copy(d->fault, &d->past, &own.copy_out);
    if (op == IFN_OP_COPY_IN && d->fault == DEVICE_upload_reads_the_host_late)
        queue_read_host_late(d->queue, args->lane, own.copy_in.host);
    if (op == IFN_OP_COPY_IN && d->fault == DEVICE_upload_overtakes_the_queue)
        queue_overtake(d->queue, args->lane);
    if (op != faults_op(d->fault))
        return IFN_OK;
    if (d->fault == DEVICE_failure_told_to_any_lane)
        d->past.failed = queue_wait(d->queue, args->lane, self, run);
    if (d->fault == DEVICE_tensors_read_late)
        queue_read_table_late(d->queue, args->lane, own.gather_rows.table);
    if (d->fault == DEVICE_spans_read_late)
        queue_read_spans_late(d->queue, args->lane, own.kv_store.spans);
    if (d->fault == DEVICE_op_overtakes_the_queue)
        queue_overtake(d->queue, args->lane);
    if (d->fault == DEVICE_arguments_read_late)
        queue_read_late(d->queue, args->lane, args);
    return IFN_OK;
}

/* fenced_matmul, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status fenced_##name(ifn_backend *self, const ifn_##name##_args *args)              \
    {                                                                                              \
        const int is_sound = ((const device *)self->state)->fault == DEVICE_SOUND;                 \
        return (is_sound ? enter : enter_wrongly)(self, IFN_OP_##NAME, &args->call);               \
    }
IFN_OPS(X)
#undef X

/* Aborts if calls wait: they may still access the buffer or handle that is given back. */
static void expect_none_waits(const device *self, const char *what)
{
    const int64_t n = self->queue ? queue_length(self->queue) : 0;
    if (n == 0 || self->fault != DEVICE_SOUND)
        return;
    fprintf(stderr, "deferred: %s is given back while %lld calls wait\n", what, (long long)n);
    abort();
}

/* 1 if the options name an op, or nothing. */
static int is_wanted(const char *options, const char *op)
{
    const size_t n = strlen(op);
    for (const char *at = options; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!*options || (strncmp(at, op, n) == 0 && (at[n] == ',' || at[n] == '\0')))
            return 1;
    }
    return 0;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
#define X(NAME, name, cut, cut2, doc)                                                              \
    if (FENCED_MUSEUM || is_wanted(env->options, #name))                                           \
        table->name = fenced_##name;
    IFN_OPS(X)
#undef X
    table->copy_in = fenced_copy_in;
    table->copy_out = fenced_copy_out;
}

/* --- weights --- */

/* The allocator of handles: that of the device's buffers, which the judge may have replaced. For stale_weight the
 * fence's own, as that fault keeps a handle after its release. */
static const ifn_allocator *handle_buffers(const ifn_backend *self)
{
    const device *const d = self->state;
    return d->fault == DEVICE_stale_weight ? fence_buffers(d->fence) : self->buffers;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    const ifn_allocator *const buffers = handle_buffers(self);
    handle *const h = packed->data;
    device *const d = self->state;
    expect_none_waits(d, "a handle");
    *packed = (ifn_packed){0};
    if (h && !d->kept && d->fault == DEVICE_stale_weight) {
        d->kept = h;
        return;
    }
    if (h)
        buffers->free(buffers->cookie, (void *)(uintptr_t)h->tensor.data, h->bytes);
    free(h);
}

static void give(const ifn_tensor *w, uint32_t uses, handle *h, ifn_packed *out)
{
    const void *const data = h->tensor.data;
    h->tensor = *w;
    h->tensor.data = data;
    *out = (ifn_packed){
        .data = h,
        .bytes = h->bytes,
        .ops = uses & (IFN_USE_GATHER_ROWS | IFN_USE_LINEAR | IFN_USE_LINEAR_Q8),
    };
}

/* Fault stale_weight: takes the released handle, with its old contents, if it is long enough. */
static handle *take_kept(device *self, size_t bytes)
{
    handle *const h = self->kept;
    if (!h || h->bytes < bytes)
        return NULL;
    self->kept = NULL;
    return h;
}

static size_t bytes_uploaded(const device *self, const ifn_tensor *w)
{
    const size_t bytes = ifn_matrix_bytes(w);
    return self->fault == DEVICE_weight_without_its_last_row && w->shape[0]
               ? bytes - bytes / (size_t)w->shape[0]
               : bytes;
}

static void upload(const device *self, const ifn_tensor *w, void *data)
{
    const size_t bytes = ifn_matrix_bytes(w);
    unsigned char *const inside = fence_inside(self->fence, data);
    memcpy(inside, w->data, bytes_uploaded(self, w));
    if (self->fault == DEVICE_weight_with_a_byte_too_many)
        inside[bytes] = 0;
}

static ifn_status prepare_one(ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                              ifn_packed *out)
{
    const ifn_allocator *const buffers = handle_buffers(self);
    const size_t bytes = ifn_matrix_bytes(w);
    handle *const stale = take_kept(self->state, bytes);
    *out = (ifn_packed){0};
    if (stale && bytes) {
        give(w, uses, stale, out);
        return IFN_OK;
    }
    handle *const h = malloc(sizeof *h);
    void *const data = h && bytes ? buffers->alloc(buffers->cookie, bytes, 64) : NULL;
    if (!data) {
        free(h);
        return bytes ? IFN_ERR_NOMEM : IFN_OK;
    }
    upload(self->state, w, data);
    *h = (handle){{.data = data}, bytes};
    give(w, uses, h, out);
    return IFN_OK;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)err;
    for (int i = 0; i < n; i++) {
        const ifn_status status = prepare_one(self, w[i], uses, &out[i]);
        if (status == IFN_OK)
            continue;
        while (i-- > 0)
            release(self, &out[i]);
        return status;
    }
    return IFN_OK;
}

/* --- life --- */

static void *take(void *cookie, size_t bytes, size_t align)
{
    const ifn_allocator *const a = fence_buffers(((const device *)cookie)->fence);
    return a->alloc(a->cookie, bytes, align);
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    const ifn_allocator *const a = fence_buffers(((const device *)cookie)->fence);
    if (p)
        expect_none_waits(cookie, "a buffer");
    a->free(a->cookie, p, bytes);
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    const ifn_allocator *const a = fence_buffers(((const device *)cookie)->fence);
    expect_none_waits(cookie, "a buffer");
    void *const grown = a->resize(a->cookie, p, old_bytes, bytes, align);
    const size_t kept = old_bytes / 4096 * 4096;
    if (grown && bytes > old_bytes &&
        ((const device *)cookie)->fault == DEVICE_resized_in_whole_pages)
        memset((char *)fence_inside(((const device *)cookie)->fence, grown) + kept, 0,
               old_bytes - kept);
    return grown;
}

static void close_state(void *state)
{
    device *const self = state;
    if (self) {
        pthread_mutex_destroy(&self->lock);
        free(self->past.copy);
        free(self->kept);
        queue_close(self->queue);
        fence_close(self->fence);
    }
    free(self);
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    device *const self = calloc(1, sizeof *self);
    *state = self;
    if (!self)
        return IFN_ERR_NOMEM;
    pthread_mutex_init(&self->lock, NULL);
#if FENCED_MUSEUM
    self->fault = museum_fault(env->options);
    if (self->fault == DEVICE_SOUND && *env->options)
        return museum_refuse(env->options, err);
#else
    (void)err;
#endif
    self->buffers = (ifn_allocator){take, resize, give_back, self};
    self->fence = fence_open();
    const int32_t n_lanes = env->n_lanes > FAULTS_LANES ? env->n_lanes : FAULTS_LANES;
    self->queue = FENCED_DEFERS ? queue_open(n_lanes) : NULL;
    return self->fence && (self->queue || !FENCED_DEFERS) ? IFN_OK : IFN_ERR_NOMEM;
}

static const ifn_allocator *buffers(const ifn_backend *self)
{
    return &((const device *)self->state)->buffers;
}

/* The invariances that scalar and simd both promise: results do not depend on how a call is cut, on the number of
 * rows, or on the chunks in which a position was reached. */
static const ifn_manifest manifest = {
    .manifest_bytes = (uint32_t)sizeof(ifn_manifest),
    .invariances = 1u << 1 | 1u << 2 | 1u << 3,
    .spans = 1,
};

IFN_BACKEND_ENTRY(.flags = IFN_BACKEND_DEVICE,
                  .name = FENCED_MUSEUM   ? "device_museum"
                          : FENCED_DEFERS ? "deferred"
                                          : "fenced",
                  .manifest = &manifest,
                  .summary = "what it stands on, in memory that the host cannot touch",
                  .fill = fill, .open = open_state, .close = close_state, .buffers = buffers,
                  .prepare = prepare, .release = release,
                  .synchronize = FENCED_DEFERS ? synchronize : NULL,
                  .begin = FENCED_DEFERS ? begin : NULL, .end = FENCED_DEFERS ? end : NULL)
