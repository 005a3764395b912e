/*
 * Measures from which size on cutting a call in two is faster: runs calls of some ops of simd whole and
 * cut, in turn. Sizes are in the steps that `parallel` counts in (work.h); it cuts from twice its
 * LEAST_WORK on. Prints medians, as other programs may hold up a thread. Fails only if a call does.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/clock.h>
#include <inferno/cpu.h>

#include "test.h"
#include "work.h"

enum { CALLS = 401, N = 1 << 16, DIM = 256, MIN_STEPS = 512, MAX_STEPS = N };

static float x[N], y[N], out[2 * N];
static ifn_backend *chain;

/* A call of some size that grows with `steps`. */
typedef struct bench_call {
    ifn_op op;
    ifn_args (*of)(int64_t steps);
} bench_call;

static ifn_args add_of(int64_t steps)
{
    return (ifn_args){.add = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = steps)};
}

static ifn_args swiglu_of(int64_t steps)
{
    return (ifn_args){.swiglu =
                          IFN_ARGS(swiglu, .out = out, .gate = x, .up = y, .rows = steps / DIM,
                                   .dim = DIM, .out_dtype = IFN_DTYPE_F32)};
}

static ifn_args rms_norm_of(int64_t steps)
{
    return (ifn_args){.rms_norm =
                          IFN_ARGS(rms_norm, .out = out, .x = x, .weight = y, .rows = steps / DIM,
                                   .dim = DIM, .eps = 1e-6f, .out_dtype = IFN_DTYPE_F32)};
}

/* A weight of zeros, prepared as a model's are, for one row that is in the cache. */
static void *weights;
static ifn_tensor weight;
static ifn_packed packed;

static void prepare(ifn_dtype dtype, int64_t n, uint32_t use)
{
    ifn_backend *const simd = ifn_backend_implementer(chain, IFN_OP_LINEAR);
    const ifn_tensor *const w = &weight;
    ifn_error err = {0};
    if (packed.data)
        simd->desc->release(simd, &packed);
    free(weights);
    weights = calloc((size_t)n, ifn_dtype_row_bytes(dtype, DIM));
    assert_non_null(weights);
    weight = (ifn_tensor){"w", weights, dtype, 2, {n, DIM}};
    assert_ok(simd->desc->prepare(simd, &w, 1, use, &packed, &err), err);
}

static ifn_args linear_of(int64_t steps)
{
    const int64_t n = steps * 16 / DIM;
    prepare(IFN_DTYPE_F32, n, IFN_USE_LINEAR);
    return (ifn_args){.linear = IFN_ARGS(linear, .x = y, .rows = 1, .k = DIM, .x_stride = DIM,
                                         .n_w = 1, .w = {&weight}, .packed = {packed.data},
                                         .out = {out}, .out_stride = {n})};
}

static ifn_args linear_q8_of(int64_t steps)
{
    static ifn_block_q8_32f row[DIM / 32];
    const int64_t n = steps * 16 / DIM;
    prepare(IFN_DTYPE_Q8_0, n, IFN_USE_LINEAR_Q8);
    return (ifn_args){.linear_q8 =
                          IFN_ARGS(linear_q8, .x = row, .rows = 1, .k = DIM, .x_stride = DIM / 32,
                                   .n_w = 1, .w = {&weight}, .packed = {packed.data}, .out = {out},
                                   .out_stride = {n})};
}

/* One row over 64 keys of 64 components for each head. */
static ifn_args attention_of(int64_t steps)
{
    const int64_t n_heads = steps * 8 / (64 * 64), n_kv_heads = n_heads < 16 ? n_heads : 16;
    return (ifn_args){.attention =
                          IFN_ARGS(attention, .out = out, .q = y, .k_cache = x, .v_cache = x,
                                   .rows = 1, .first_pos = 63, .max_pos = 64, .n_heads = n_heads,
                                   .n_kv_heads = n_kv_heads, .head_dim = 64, .scale = 0.1f)};
}

static const bench_call bench_calls[] = {
    {IFN_OP_ADD, add_of},       {IFN_OP_SWIGLU, swiglu_of},       {IFN_OP_RMS_NORM, rms_norm_of},
    {IFN_OP_LINEAR, linear_of}, {IFN_OP_LINEAR_Q8, linear_q8_of}, {IFN_OP_ATTENTION, attention_of}};

static int by_size(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Nanoseconds of the median call, whole and cut. */
static void time_both(ifn_op op, const ifn_args *args, int64_t ns[2])
{
    static uint64_t all[2][CALLS];
    ifn_backend *const chains[] = {chain->inner, chain};
    for (int i = 0; i < CALLS; i++) {
        for (int c = 0; c < 2; c++) {
            const uint64_t begin = ifn_clock_ns();
            assert_int_equal(ifn_op_run(chains[c], op, &args->call), IFN_OK);
            all[c][i] = ifn_clock_ns() - begin;
        }
    }
    for (int c = 0; c < 2; c++) {
        qsort(all[c], CALLS, sizeof **all, by_size);
        ns[c] = (int64_t)all[c][CALLS / 2];
    }
}

TEST(a_call_gains_from_this_size_on)
{
    static _Alignas(64) unsigned char scratch[1 << 20];
    ifn_error err = {0};
    if (ifn_cpu_count() < 2)
        skip();
    assert_ok(ifn_backend_open("parallel=2+small:simd", NULL, &chain, &err), err);
    for (int i = 0; i < N; i++)
        x[i] = y[i] = (float)(i % 100) * 0.01f;
    for (size_t b = 0; b < N_OF(bench_calls); b++) {
        for (int64_t steps = MIN_STEPS; steps <= MAX_STEPS; steps *= 2) {
            ifn_args args = bench_calls[b].of(steps);
            int64_t ns[2];
            args.call.n_lanes = 1;
            args.call.scratch = scratch;
            args.call.scratch_bytes = sizeof scratch;
            time_both(bench_calls[b].op, &args, ns);
            print_message("%-10s %6d steps: whole %6d ns, cut %6d ns, %.2f\n",
                          ifn_op_name(bench_calls[b].op),
                          (int)ifn_parallel_work(bench_calls[b].op, &args.call), (int)ns[0],
                          (int)ns[1], (double)ns[0] / (double)ns[1]);
        }
    }
    prepare(IFN_DTYPE_F32, 1, IFN_USE_LINEAR);
    ifn_backend_implementer(chain, IFN_OP_LINEAR)->desc->release(chain->inner, &packed);
    free(weights);
    ifn_backend_close(chain);
}
