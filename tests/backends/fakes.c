#include "fakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char fake_journal[512];
ifn_status fake_open_status = IFN_OK;

void fake_journal_clear(void)
{
    fake_journal[0] = '\0';
}

static void note(const char *what, const char *who)
{
    const size_t used = strlen(fake_journal);
    snprintf(fake_journal + used, sizeof fake_journal - used, "%s %s\n", what, who);
}

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    (void)self, (void)op, (void)args;
    return FROM_ROOT;
}

IFN_FILL_THROUGH

static size_t root_scratch(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    return (size_t)max->rows;
}

const ifn_backend_desc fake_root = {
    IFN_BACKEND_STAMP,
    .name = "scalar",
    .summary = "every op",
    .fill = fill,
    .scratch_bytes = root_scratch,
};

static ifn_status simd_silu(ifn_backend *self, const ifn_silu_args *a)
{
    (void)self, (void)a;
    return FROM_SIMD;
}

static ifn_status simd_linear(ifn_backend *self, const ifn_linear_args *a)
{
    (void)self, (void)a;
    return FROM_SIMD;
}

static void simd_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->silu = simd_silu;
    table->linear = simd_linear;
}

/* False if the processor has features and the mask has removed all of them. */
static int has_some_cpu(const ifn_backend_env *env)
{
    return env->cpu != 0 || ifn_cpu_detect() == 0;
}

static size_t simd_scratch(const ifn_backend *self, const ifn_limits *max)
{
    (void)self, (void)max;
    return FAKE_SIMD_SCRATCH;
}

static int64_t simd_granule(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)args;
    return op == IFN_OP_LINEAR && axis == 0 ? FAKE_SIMD_GRANULE : 0;
}

const ifn_backend_desc fake_simd = {
    IFN_BACKEND_STAMP,       .name = "simd",         .summary = "silu and linear",
    .fill = simd_fill,       .usable = has_some_cpu, .scratch_bytes = simd_scratch,
    .granule = simd_granule,
};

static ifn_status mine_add(ifn_backend *self, const ifn_add_args *a)
{
    (void)self, (void)a;
    return FROM_MINE;
}

static void mine_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = mine_add;
}

const ifn_backend_desc fake_mine = {
    IFN_BACKEND_STAMP, .name = "mine", .summary = "add", .fill = mine_fill, .usable = has_some_cpu,
};

/* States are allocated, so that a close too few is a leak and one too many a crash. */
static ifn_status open_state(void **state, const char *name, const ifn_backend_env *env,
                             ifn_error *err)
{
    char text[64];
    if (fake_open_status != IFN_OK)
        return ifn_fail(err, fake_open_status, "%s does not open", name);
    snprintf(text, sizeof text, "%s %d [%s]", name, (int)env->n_lanes, env->options);
    note("open", text);
    *state = malloc(1);
    return *state ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "%s", name);
}

static void wrapper_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table, (void)env;
}

static ifn_status parallel_open(void **state, const ifn_backend_env *env, ifn_error *err)
{
    return open_state(state, "parallel", env, err);
}

static void parallel_close(void *state)
{
    free(state);
    note("close", "parallel");
}

static int32_t parallel_lanes(const ifn_backend_env *env)
{
    return *env->options ? atoi(env->options) : env->n_threads ? env->n_threads : 4;
}

static size_t parallel_scratch(const ifn_backend *self, const ifn_limits *max)
{
    return 4 * ifn_backend_scratch_bytes(self->inner, max);
}

const ifn_backend_desc fake_parallel = {
    IFN_BACKEND_STAMP,
    .flags = IFN_BACKEND_WRAPPER,
    .name = "parallel",
    .summary = "claims lanes",
    .fill = wrapper_fill,
    .lanes = parallel_lanes,
    .scratch_bytes = parallel_scratch,
    .open = parallel_open,
    .close = parallel_close,
};

static ifn_status split_open(void **state, const ifn_backend_env *env, ifn_error *err)
{
    char threads[32];
    snprintf(threads, sizeof threads, "split with %d threads", (int)env->n_threads);
    return open_state(state, threads, env, err);
}

static void split_close(void *state)
{
    free(state);
    note("close", "split");
}

const ifn_backend_desc fake_split = {
    IFN_BACKEND_STAMP,    .flags = IFN_BACKEND_WRAPPER,
    .name = "split",      .summary = "claims lanes, too",
    .fill = wrapper_fill, .lanes = parallel_lanes,
    .open = split_open,   .close = split_close,
};

static ifn_status trace_add(ifn_backend *self, const ifn_add_args *a)
{
    note("add", "trace");
    return ifn_add(self->inner, a);
}

static void trace_fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = trace_add;
}

static ifn_status trace_open(void **state, const ifn_backend_env *env, ifn_error *err)
{
    return open_state(state, "trace", env, err);
}

static void trace_close(void *state)
{
    free(state);
    note("close", "trace");
}

const ifn_backend_desc fake_trace = {
    IFN_BACKEND_STAMP,         .flags = IFN_BACKEND_WRAPPER, .name = "trace",
    .summary = "tells of add", .fill = trace_fill,           .open = trace_open,
    .close = trace_close,
};

const ifn_backend_desc fake_check = {
    IFN_BACKEND_STAMP,         .flags = IFN_BACKEND_WRAPPER, .name = "check",
    .summary = "hands all on", .fill = wrapper_fill,
};

static const ifn_backend_desc *const descs[] = {&fake_root,  &fake_simd,  &fake_parallel,
                                                &fake_trace, &fake_split, &fake_check};

const ifn_registry fake_registry = {descs, sizeof descs / sizeof *descs};
