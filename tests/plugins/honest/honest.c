/* The plugin: every op checks its call, flushes subnormals if the style does, and computes, whole
 * or in pieces on threads of its own. */
#include "honest.h"

#include <stdio.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

typedef struct backend {
    const style *style;
    const ifn_allocator *alloc;
    crew *crew;
} backend;

/* --- subnormals --- */

static unsigned flush_begin(const style *s)
{
#if defined __x86_64__
    const unsigned before = _mm_getcsr();
    if (s->ftz)
        _mm_setcsr(before | 0x8040);
    return before;
#else
    (void)s;
    return 0;
#endif
}

static void flush_end(unsigned before)
{
#if defined __x86_64__
    _mm_setcsr((_mm_getcsr() & 0x3fu) | (before & ~0x3fu));
#else
    (void)before;
#endif
}

/* --- pieces --- */

enum { SHORT_EXTENT = 24 };

typedef ifn_status compute(const style *s, const ifn_call *args);

typedef struct job {
    const style *style;
    ifn_op op;
    compute *compute;
    const ifn_call *args;
    int64_t begin, extent;
    size_t scratch_bytes;
    ifn_status status[CREW_PIECES];
} job;

static void run_piece(void *cookie, int i)
{
    job *const j = cookie;
    ifn_args args;
    const int64_t n = j->extent, begin = j->begin + n * i / CREW_PIECES,
                  end = j->begin + n * (i + 1) / CREW_PIECES;
    if (begin == end)
        return;
    memcpy(&args, j->args, ifn_op_args_bytes(j->op));
    ifn_op_set_part(j->op, &args.call, 0, begin, end);
    args.call.scratch_bytes = j->scratch_bytes / CREW_PIECES / 64 * 64;
    args.call.scratch = (char *)j->args->scratch + (size_t)i * args.call.scratch_bytes;
    const unsigned before = flush_begin(j->style);
    j->status[i] = j->compute(j->style, &args.call);
    flush_end(before);
}

static ifn_status in_pieces(const backend *b, ifn_op op, compute *f, const ifn_call *args)
{
    job j = {.style = b->style, .op = op, .compute = f, .args = args};
    j.scratch_bytes = args->scratch_bytes;
    j.extent = ifn_op_extent(op, args, 0);
    crew_run(b->crew, j.extent <= SHORT_EXTENT, run_piece, &j);
    for (int i = 0; i < CREW_PIECES; i++)
        if (j.status[i] != IFN_OK)
            return j.status[i];
    return IFN_OK;
}

/* --- calls that the base computes --- */

/* True for rms_norm and swiglu, which write f32 or Q8_32F; *as_blocks: this call writes Q8_32F. */
static bool writes_rows(ifn_op op, const ifn_args *a, bool *as_blocks)
{
    *as_blocks =
        (op == IFN_OP_RMS_NORM ? a->rms_norm.out_dtype : a->swiglu.out_dtype) == IFN_DTYPE_Q8_32F;
    return op == IFN_OP_RMS_NORM || op == IFN_OP_SWIGLU;
}

static bool is_in_place(ifn_op op, const ifn_args *a)
{
    switch (op) {
    case IFN_OP_SILU:
        return a->silu.out == a->silu.x;
    case IFN_OP_RSQRT_ELEM:
        return a->rsqrt_elem.out == a->rsqrt_elem.x;
    case IFN_OP_SOFTMAX_ROWS:
        return a->softmax_rows.out == a->softmax_rows.x;
    case IFN_OP_APPLY_ROPE:
        return a->apply_rope.out == a->apply_rope.x;
    case IFN_OP_APPLY_ROPE_SINGLE_ROW:
        return a->apply_rope_single_row.out == a->apply_rope_single_row.x;
    case IFN_OP_RMS_NORM:
        return a->rms_norm.out == a->rms_norm.x ||
               (a->rms_norm.sum && a->rms_norm.sum == a->rms_norm.x);
    case IFN_OP_SWIGLU:
        return a->swiglu.out == a->swiglu.gate || a->swiglu.out == a->swiglu.up;
    default:
        return false;
    }
}

static bool is_left(const style *s, ifn_op op, const ifn_args *a)
{
    bool as_blocks;
    switch (s->left) {
    case LEFT_BLOCKS:
        return writes_rows(op, a, &as_blocks) && as_blocks;
    case LEFT_FLOATS:
        return writes_rows(op, a, &as_blocks) && !as_blocks;
    case LEFT_MANY_ROWS:
        return op == IFN_OP_APPLY_ROPE && a->apply_rope.rows > 1;
    case LEFT_IN_PLACE:
        return is_in_place(op, a);
    default:
        return false;
    }
}

/* Cuts a whole call into pieces for the crew; a call that is a part already runs on the caller's thread. */
static ifn_status run(ifn_backend *self, ifn_op op, compute *f, const ifn_call *args, int is_part)
{
    const backend *const b = self->state;
    IFN_TRY(ifn_op_check(op, args, NULL));
    if (is_left(b->style, op, (const ifn_args *)args))
        return ifn_op_run(self->base, op, args);
    if (b->crew && !is_part && ifn_op_cut(op, 0) != IFN_CUT_NONE)
        return in_pieces(b, op, f, args);
    const unsigned before = flush_begin(b->style);
    const ifn_status status = f(b->style, args);
    flush_end(before);
    return status;
}

/* run_matmul, ...; compute_matmul, ... */
#define X(NAME, name)                                                                              \
    static ifn_status compute_##name(const style *s, const ifn_call *args)                         \
    {                                                                                              \
        return honest_##name(s, (const ifn_##name##_args *)args);                                  \
    }                                                                                              \
    static ifn_status run_##name(ifn_backend *self, const ifn_##name##_args *a)                    \
    {                                                                                              \
        return run(self, IFN_OP_##NAME, compute_##name, &a->call, a->part_end != 0);               \
    }
HONEST_OPS(X)
#undef X

/* --- the backend --- */

static ifn_manifest manifest = {.manifest_bytes = sizeof manifest};

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    const style *const s = style_named(env->options);
    const ifn_op_table base = *table;
#define X(NAME, name) table->name = run_##name;
    HONEST_OPS(X)
#undef X
    if (!s)
        return;
    if (s->left == LEFT_ONE_ROW)
        table->apply_rope_single_row = base.apply_rope_single_row;
    manifest.invariances = s->promises;
    manifest.ftz = s->ftz;
    manifest.max_overread = s->overread;
    manifest.exp_ulp = s->exp_ulp;
    manifest.offset_split = s->linear == LINEAR_SPLIT;
    manifest.rsqrt_rel = s->norm == NORM_NEWTON || s->norm == NORM_SSE ? 0x1p-22f : 0;
}

static ifn_status open_style(void **state, const ifn_backend_env *env, ifn_error *err)
{
    const style *const s = style_named(env->options);
    if (!s) {
        if (err)
            snprintf(err->text, sizeof err->text, "backend 'honest': no style '%.40s'",
                     env->options);
        return IFN_ERR_ARGUMENT;
    }
    backend *const b = env->alloc->alloc(env->alloc->cookie, sizeof *b, sizeof(void *));
    if (!b)
        return IFN_ERR_NOMEM;
    *b = (backend){.style = s, .alloc = env->alloc};
    if (s->threads)
        b->crew = crew_open(s->threads, env->alloc);
    *state = b;
    return IFN_OK;
}

static void close_style(void *state)
{
    backend *const b = state;
    crew_close(b->crew);
    b->alloc->free(b->alloc->cookie, b, sizeof *b);
}

static size_t scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    return (honest_scratch_floats(max) * sizeof(float) + 63) / 64 * 64 * CREW_PIECES;
}

IFN_BACKEND_ENTRY(.name = "honest", .summary = "right in the way its option says",
                  .manifest = &manifest, .fill = fill, .open = open_style, .close = close_style,
                  .scratch_bytes = scratch_bytes)
