/*
 * parallel: runs the parts of one call at once, each with a lane and a scratch of its own.
 *
 * `parallel` cuts a call only if the backend that implements the op declares R1: any legal cut gives
 * the bits of the whole (spec/numerics.md, section 12). So the results are the inner backend's, bit
 * for bit, on any number of threads. Calls that are too small to gain from it, and all calls while the
 * pool works for another context, run whole on the caller's thread.
 *
 * Each thread has a share of the call, which consists of several parts. A thread that has finished its
 * share takes parts of the others' (work stealing): if other programs keep a thread from its processor,
 * one part is late, not a whole share.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/cpu.h>
#include <inferno/parallel.h>

#include "alloc_priv.h"
#include "checked.h"
#include "op_split.h"
#include "pool.h"
#include "split.h"
#include "work.h"

/* The least ifn_parallel_work of a part: handing out a smaller one takes longer than running it. */
#define LEAST_WORK 2048.0

/* Most parts of a share; the least ifn_parallel_work of each part; its least granules on the axis along
 * which shares are cut. On simd four parts take no longer than the whole share, eight up to 4 per cent
 * longer (prompts, Q6_K). Fewer granules: 512 rows by 128 features (F16, k = 2048) took 9 per cent
 * longer than by 256, as every part copies all of the rows. */
#define SHARE_PARTS    4
#define LEAST_PART     (16 * LEAST_WORK)
#define LEAST_GRANULES 8

/* Most shares: with more threads, some threads work on one share together. */
#define MAX_SHARES 64

typedef struct parallel {
    ifn_pool *pool;
    const ifn_allocator *alloc;
    int32_t n_threads, n_wanted;
    double least_work;
} parallel;

#define NO_FAILURE UINT64_MAX

typedef struct share {
    _Alignas(IFN_POOL_APART) _Atomic int32_t n_taken; /* parts; may exceed the number of parts */
} share;

/* A call that is being run. */
typedef struct job {
    const parallel *self;
    ifn_backend *inner;
    const ifn_call *args;
    ifn_split split;
    int32_t n_tasks, n_parts, n_shares;
    _Atomic uint64_t failure; /* the lowest part that failed << 32 | its status; or NO_FAILURE */
    share shares[MAX_SHARES]; /* [n_shares] */
} job;

/* Bytes of each thread's slice of the scratch: slices lie side by side, each aligned as a scratch must be. */
static size_t slice_bytes(const parallel *self, size_t scratch_bytes)
{
    return scratch_bytes / (size_t)self->n_threads / IFN_ALIGN * IFN_ALIGN;
}

/* Copies the call for the i-th of the inner lanes that belong to its lane. */
static void copy_for_lane(const parallel *self, const ifn_call *args, int32_t i, ifn_args *out)
{
    const size_t bytes = slice_bytes(self, args->scratch_bytes);
    memcpy(out, args, args->bytes);
    out->call.lane = args->lane * self->n_threads + i;
    out->call.n_lanes = args->n_lanes * self->n_threads;
    out->call.scratch = args->scratch ? (unsigned char *)args->scratch + (size_t)i * bytes : NULL;
    out->call.scratch_bytes = bytes;
}

static ifn_status run_whole(const parallel *self, ifn_backend *inner, ifn_op op,
                            const ifn_call *args)
{
    ifn_args whole;
    copy_for_lane(self, args, 0, &whole);
    return ifn_op_run(inner, op, &whole.call);
}

/* Keeps the failure of the lowest part, whose status becomes that of the call, in whatever order parts end. */
static void note_failure(job *j, int32_t i, ifn_status status)
{
    const uint64_t failure = (uint64_t)i << 32 | (uint32_t)status;
    uint64_t lowest = atomic_load(&j->failure);
    while (failure < lowest && !atomic_compare_exchange_weak(&j->failure, &lowest, failure))
        continue;
}

static ifn_status status_of(const job *j)
{
    const uint64_t failure = atomic_load(&j->failure);
    return failure == NO_FAILURE ? IFN_OK : (ifn_status)(uint32_t)failure;
}

static void run_part(job *j, int32_t lane, int32_t i)
{
    ifn_args part;
    copy_for_lane(j->self, j->args, lane, &part);
    ifn_split_set_part(&j->split, &part.call, i);
    const ifn_status status = ifn_op_run(j->inner, j->split.op, &part.call);
    if (status != IFN_OK)
        note_failure(j, i, status);
}

static int32_t first_part(const job *j, int32_t s)
{
    return (int32_t)((int64_t)s * j->n_parts / j->n_shares);
}

static void run_share(job *j, int32_t lane, int32_t s)
{
    const int32_t first = first_part(j, s), n = first_part(j, s + 1) - first;
    for (;;) {
        const int32_t i = atomic_fetch_add_explicit(&j->shares[s].n_taken, 1, memory_order_relaxed);
        if (i >= n)
            return;
        run_part(j, lane, first + i);
    }
}

/* Runs the thread's own share, then parts that are left of the other shares. */
static void run_task(void *cookie, int32_t i)
{
    job *const j = cookie;
    const int32_t own = (int32_t)((int64_t)i * j->n_shares / j->n_tasks);
    for (int32_t s = 0; s < j->n_shares; s++)
        run_share(j, i, (own + s) % j->n_shares);
}

static bool declares_r1(const ifn_backend *backend)
{
    return ifn_manifest_of(backend->desc).invariances & 1u << 1;
}

/* Checks all ids before the cut: an id out of range must fail the whole call before anything is written, but a
 * part checks only its own ids. */
static bool ids_fit(const ifn_gather_rows_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    if (part.begin < 0 || part.end > a->n || !a->ids)
        return false;
    for (int64_t i = part.begin; i < part.end; i++)
        if (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0])
            return false;
    return true;
}

static ifn_status run(const parallel *self, ifn_backend *inner, ifn_op op, const ifn_call *args);

/* How many parts the call is worth: 1 for a device that defers, whose parts would each wait for the call
 * before and make the next one wait; such a device keeps itself busy. */
static int32_t parts_of(const parallel *self, ifn_backend *inner, ifn_op op, const ifn_call *args)
{
    const double work = self->n_threads > 1 ? ifn_parallel_work(op, args) : 0.0;
    const double n = self->least_work > 0.0 ? work / self->least_work : (double)self->n_threads;
    if (work <= 0.0 || n < 2.0) /* first, as the checks below would cost short calls time */
        return 1;
    const ifn_backend *const runner = ifn_backend_runner(inner, op, args);
    if (ifn_op_cut(op, 0) == IFN_CUT_NONE || !runner || !declares_r1(runner) ||
        ifn_backend_defers(inner) ||
        (op == IFN_OP_GATHER_ROWS &&
         (ifn_backend_is_device(inner) || !ids_fit((const ifn_gather_rows_args *)args))))
        return 1;
    return n < (double)self->n_threads ? (int32_t)n : self->n_threads;
}

/* How many parts a share of the call is worth. */
static int32_t parts_of_share(const parallel *self, ifn_op op, const ifn_call *args, int32_t n)
{
    const double parts = ifn_parallel_work(op, args) / LEAST_PART / (double)n;
    return self->least_work > 0.0 && parts < SHARE_PARTS ? (int32_t)parts : SHARE_PARTS;
}

static void init_job(job *j, const parallel *self, ifn_backend *inner, const ifn_call *args,
                     const ifn_split *split, int32_t n)
{
    j->self = self;
    j->inner = inner;
    j->args = args;
    j->split = *split;
    j->n_tasks = n;
    j->n_parts = n * ifn_split_refine(&j->split, args, parts_of_share(self, split->op, args, n),
                                      self->least_work > 0.0 ? LEAST_GRANULES : 1);
    j->n_shares = n < MAX_SHARES ? n : MAX_SHARES;
    atomic_init(&j->failure, NO_FAILURE);
    for (int32_t s = 0; s < j->n_shares; s++)
        atomic_init(&j->shares[s].n_taken, 0);
}

/* Returns false if the pool works for another context: nothing was run. */
static bool run_shares(const parallel *self, ifn_backend *inner, const ifn_call *args,
                       const ifn_split *split, int32_t n, ifn_status *status)
{
    job j; /* most of it stays uninitialised: shares from n_shares on */
    init_job(&j, self, inner, args, split, n);
    if (!ifn_pool_run(self->pool, n, run_task, &j))
        return false;
    *status = status_of(&j);
    return true;
}

static bool run_cut(const parallel *self, ifn_backend *inner, ifn_op op, const ifn_call *args,
                    int32_t wanted, ifn_status *status)
{
    ifn_split split;
    const int32_t n = ifn_split_call(&split, op, args, inner, wanted);
    return n > 1 && run_shares(self, inner, args, &split, n, status);
}

/* Runs attention of one row cut along its keys as well, so that decoding can use more threads than
 * there are heads. */
static bool run_by_keys(const parallel *self, ifn_backend *inner, const ifn_call *args,
                        int32_t wanted, ifn_status *status)
{
    ifn_split split;
    ifn_args phase;
    const int32_t n =
        ifn_split_keys(&split, &phase, (const ifn_attention_args *)args, inner, wanted);
    if (n <= 1 || !run_shares(self, inner, &phase.call, &split, n, status))
        return false;
    phase.attention.phase = IFN_ATTENTION_MERGE;
    if (*status == IFN_OK)
        *status = run(self, inner, IFN_OP_ATTENTION, &phase.call);
    return true;
}

static ifn_status run(const parallel *self, ifn_backend *inner, ifn_op op, const ifn_call *args)
{
    ifn_status status;
    const int32_t wanted = parts_of(self, inner, op, args);
    if (wanted > 1 &&
        ((op == IFN_OP_ATTENTION && run_by_keys(self, inner, args, wanted, &status)) ||
         run_cut(self, inner, op, args, wanted, &status)))
        return status;
    return run_whole(self, inner, op, args);
}

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    return run(self->state, self->inner, op, args);
}

IFN_FILL_THROUGH

/* "[THREADS][+small]" */
typedef struct options {
    int32_t n_threads; /* 0: not said */
    bool small;
} options;

static bool parse_options(const char *text, options *out)
{
    *out = (options){0, false};
    if (*text >= '1' && *text <= '9') {
        char *end;
        const long n = strtol(text, &end, 10);
        if (n > IFN_POOL_MAX_THREADS)
            return false;
        out->n_threads = (int32_t)n;
        text = end;
    }
    out->small = strcmp(text, "+small") == 0;
    return out->small || *text == '\0';
}

/* 1 for wrong options: only `open` can return an error. */
static int32_t lanes(const ifn_backend_env *env)
{
    options o;
    if (!parse_options(env->options, &o))
        return 1;
    if (o.n_threads > 0)
        return o.n_threads;
    return env->n_threads ? env->n_threads : ifn_cpu_count();
}

/* A slice for each thread, and the partials of attention between its phases. */
static size_t scratch_bytes(const ifn_backend *backend, const ifn_limits *max)
{
    const parallel *const self = backend->state;
    const size_t partials = self->n_threads > 1 ? ifn_split_partials_bytes(max) : 0;
    size_t bytes = ifn_backend_scratch_bytes(backend->inner, max);
    if (!ifn_round_up_size(bytes, IFN_ALIGN, &bytes) ||
        !ifn_mul_size(bytes, (size_t)self->n_threads, &bytes) ||
        !ifn_add_size(bytes, partials, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* env->n_threads is the answer of `lanes`. */
static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    options o;
    if (!parse_options(env->options, &o))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend 'parallel': option '%s', expected 1 to %d threads, '+small', or "
                        "both",
                        env->options, IFN_POOL_MAX_THREADS);
    parallel *const self = ifn_alloc_array(env->alloc, 1, sizeof *self);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "backend 'parallel': out of memory");
    *self = (parallel){
        .alloc = env->alloc, .n_wanted = env->n_threads, .least_work = o.small ? 0.0 : LEAST_WORK};
    const ifn_status status = ifn_pool_open(self->n_wanted, env->alloc, &self->pool, err);
    if (status != IFN_OK) {
        ifn_free_array(env->alloc, self, 1, sizeof *self);
        return status;
    }
    self->n_threads = ifn_pool_threads(self->pool);
    *state = self;
    return IFN_OK;
}

static void close_state(void *state)
{
    parallel *const self = state;
    ifn_pool_close(self->pool);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

int32_t ifn_parallel_threads(const ifn_backend *chain, int32_t *wanted)
{
    *wanted = 0;
    while (chain && chain->desc->open != open_state)
        chain = chain->inner;
    if (!chain)
        return 0;
    const parallel *const self = chain->state;
    *wanted = self->n_wanted;
    return self->n_threads;
}

const ifn_backend_desc ifn_backend_parallel = {
    IFN_BACKEND_STAMP,
    .flags = IFN_BACKEND_WRAPPER,
    .name = "parallel",
    .summary = "cuts each call into parts for all processors; =N threads, =N+small small calls too",
    .fill = fill,
    .lanes = lanes,
    .scratch_bytes = scratch_bytes,
    .open = open_state,
    .close = close_state,
};
