#include "bench_products.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inferno/nearest.h>

#include "args.h"
#include "bench.h"
#include "bench_measurement.h"
#include "bench_peer.h"
#include "cpu_levels.h"
#include "linear_tensors.h"
#include "plugin_watch.h"
#include "reading.h"

enum { MAX_EXTENT = 1 << 16 };

/* The products that are measured by default. */
static const struct {
    ifn_op op;
    ifn_dtype dtype;
    bool is_packed;
    const char *sizes;
} standard[] = {
#define PRODUCTS "1x1024x3072,8x1024x3072,512x1024x3072"
    {IFN_OP_MATMUL, IFN_DTYPE_F32, 0, "16,32,64,128,256,512,1024,2048,1x1024x3072"},
    {IFN_OP_LINEAR, IFN_DTYPE_F32, 0, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F32, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F16, 0, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_F16, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_BF16, 1, PRODUCTS},
    {IFN_OP_LINEAR, IFN_DTYPE_Q8_0, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q8_0, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q8_0, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_0, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_K, 0, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_K, 1, PRODUCTS},
    {IFN_OP_LINEAR_Q8, IFN_DTYPE_Q6_K, 1, PRODUCTS},
#undef PRODUCTS
};

enum { N_STANDARD = sizeof standard / sizeof *standard };

typedef struct bench_run_state {
    const bench_products *options;
    uint32_t features;    /* of the level */
    ifn_backend *against; /* or NULL */
    double read;          /* bytes per second */
    json_writer json;
} bench_run_state;

/* Parses one size and skips the comma after it. */
static ifn_status next_shape(const char **text, bench_shape *out, ifn_error *err)
{
    const char *const from = *text, *const comma = strchr(from, ',');
    const size_t length = comma ? (size_t)(comma - from) : strlen(from);
    int64_t extents[3];
    int n = 0;
    const char *at = from;
    while (n < 3) {
        char number[16];
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits >= sizeof number)
            break;
        memcpy(number, at, digits);
        number[digits] = '\0';
        IFN_TRY(args_int("--sizes", number, 1, MAX_EXTENT, &extents[n], err));
        n++;
        at += digits;
        if (*at != 'x')
            break;
        at++;
    }
    if ((n != 1 && n != 3) || at != from + length)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--sizes: found %.*s, expected N or MxNxP, numbers 1 .. %d", (int)length,
                        from, (int)MAX_EXTENT);
    *out = n == 1 ? (bench_shape){extents[0], extents[0], extents[0]}
                  : (bench_shape){extents[0], extents[1], extents[2]};
    *text = comma ? comma + 1 : from + length;
    return IFN_OK;
}

/* Returns how to time. With several threads there is a pause before each sample, as threads of other libraries spin
 * for a while after their work and occupy processors. */
static bench_way way_of(int n_threads)
{
    if (n_threads == 1)
        return (bench_way){.is_wall = false};
    return (bench_way){.is_wall = true, .sample = 0.02, .pause = 0.05};
}

static int threads_of(const bench_products *options)
{
    return options->n_threads ? (int)options->n_threads : 1;
}

/* Times the kernel in turn with the peak loop of the level, another backend if one is given, and for matmul OpenBLAS
 * and oneDNN. */
static void take_times(const bench_run_state *s, bench_call *c, bench_call *against,
                       bench_measurement *m)
{
    enum { OWN, PEAK, OPENBLAS, ONEDNN, OTHER, N_ENTRIES };
    const bench_product product = {m->shape.m, m->shape.n, m->shape.p, m->n_threads};
    const bool has_peers = c->c.op == IFN_OP_MATMUL, of_dots = bench_call_is_of_dots(c);
    bench_peer *const openblas = has_peers ? bench_peer_open(BENCH_OPENBLAS, product) : NULL;
    bench_peer *const onednn = has_peers ? bench_peer_open(BENCH_ONEDNN, product) : NULL;
    double flops;
    bench_entry entries[N_ENTRIES] = {
        [OWN] = {.fn = bench_call_run, .cookie = c},
        [PEAK] = bench_ceiling(s->features, of_dots, &flops),
        [OPENBLAS] = {.fn = openblas ? bench_peer_run : NULL, .cookie = openblas},
        [ONEDNN] = {.fn = onednn ? bench_peer_run : NULL, .cookie = onednn},
        [OTHER] = {.fn = against->backend ? bench_call_run : NULL, .cookie = against}};
    bench_run_by(way_of(m->n_threads), entries, N_ENTRIES);
    const double peak_seconds = bench_time_of(&entries[PEAK]).median;
    m->time = bench_time_of(&entries[OWN]);
    m->peak = peak_seconds > 0.0 ? m->n_threads * flops / peak_seconds : 0.0;
    m->against = bench_time_of(&entries[OTHER]).median;
    m->openblas = bench_time_of(&entries[OPENBLAS]).median;
    m->onednn = bench_time_of(&entries[ONEDNN]).median;
    if (openblas && !s->options->backend)
        m->openblas_skylakex = peak_seconds * bench_openblas_as("SkylakeX", m->level, product);
    bench_peer_close(openblas);
    bench_peer_close(onednn);
}

/* Makes the case of a product out[m,p] = a[m,n] b[n,p]. */
static conform_case case_of(ifn_op op, ifn_dtype dtype, bench_shape shape)
{
    conform_case c = {.op = op, .dtype = dtype, .tier = TIER_T1, .family = FAMILY_NORMAL};
    if (op == IFN_OP_MATMUL) {
        c.dim[0] = shape.m;
        c.dim[1] = shape.n;
        c.dim[2] = shape.p;
        return c;
    }
    c.dim[LINEAR_ROWS] = shape.m;
    c.dim[LINEAR_N] = shape.p;
    c.dim[LINEAR_K] = shape.n;
    c.dim[LINEAR_N_W] = 1;
    return c;
}

static ifn_status measure(bench_run_state *s, bench_measurement *m, bench_call *c, ifn_error *err)
{
    bench_call against = {.backend = s->against, .c = c->c, .is_hot = c->is_hot};
    m->c = c;
    m->read = s->read;
    ifn_status status = bench_call_open(c, err);
    if (status == IFN_OK && against.backend)
        status = bench_call_open(&against, err);
    if (status == IFN_OK) {
        take_times(s, c, &against, m);
        if (s->options->json)
            bench_measurement_json(&s->json, m);
        else
            bench_measurement_print(m);
    }
    if (against.backend)
        bench_call_close(&against);
    bench_call_close(c);
    return status;
}

/* Measures all products of one level. */
static ifn_status measure_level(bench_run_state *s, const char *level, ifn_backend *backend,
                                ifn_error *err)
{
    int judged[IFN_OP_COUNT] = {0}; /* 1: conformant */
    for (int i = 0; i < N_STANDARD; i++) {
        const ifn_op op = standard[i].op;
        if ((s->options->op && strcmp(s->options->op, ifn_op_name(op)) != 0) ||
            !ifn_backend_implements(backend, op))
            continue;
        if (judged[op] == 0)
            judged[op] = bench_is_conformant(ifn_backend_expression(backend), op);
        if (judged[op] != 1)
            return ifn_fail(err, judged[op] < 0 ? IFN_ERR_IO : IFN_ERR_UNSUPPORTED,
                            "bench: %s of %s %s: it has no speed", ifn_op_name(op),
                            ifn_backend_expression(backend),
                            judged[op] < 0 ? "could not be judged by its conformance cases"
                                           : "fails its conformance cases");
        for (const char *at = s->options->sizes ? s->options->sizes : standard[i].sizes; *at;) {
            bench_measurement m = {.level = level, .n_threads = threads_of(s->options)};
            IFN_TRY(next_shape(&at, &m.shape, err));
            bench_call c = {.backend = backend,
                            .c = case_of(op, standard[i].dtype, m.shape),
                            .form = standard[i].is_packed ? BENCH_PACKED : BENCH_RAW,
                            .is_hot = s->against != NULL || op == IFN_OP_MATMUL};
            const int64_t row = op == IFN_OP_MATMUL ? m.shape.p : m.shape.n;
            if (row % ifn_dtype_block_elements(c.c.dtype) == 0)
                IFN_TRY(measure(s, &m, &c, err));
        }
    }
    return IFN_OK;
}

static ifn_status open_backend(const bench_run_state *s, const char *expression, ifn_backend **out,
                               ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_threads = threads_of(s->options));
    return plugin_watch_open(expression, &options, out, err);
}

static ifn_status open_level(const bench_run_state *s, const char *level, ifn_backend **out,
                             ifn_error *err)
{
    char expression[40];
    snprintf(expression, sizeof expression, "%ssimd=%s",
             threads_of(s->options) > 1 ? "parallel:" : "", level);
    return open_backend(s, expression, out, err);
}

/* Measures all levels of this processor, the given level, or the given backend. */
static ifn_status measure_all(bench_run_state *s, ifn_error *err)
{
    const char *const expression = s->options->backend;
    for (int i = 0; i < (expression ? 1 : N_CPU_LEVELS); i++) {
        const char *const level = expression ? expression : cpu_levels[i].name;
        ifn_backend *backend;
        if (expression)
            IFN_TRY(open_backend(s, expression, &backend, err));
        else if ((s->options->level && strcmp(s->options->level, level) != 0) ||
                 open_level(s, level, &backend, NULL) != IFN_OK)
            continue;
        s->features = expression ? ifn_cpu_detect() : cpu_levels[i].features;
        const ifn_status status = measure_level(s, level, backend, err);
        plugin_watch_close(backend);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}

ifn_status bench_products_openblas(const bench_products *self, ifn_error *err)
{
    const char *size = self->openblas;
    bench_shape shape;
    double flops;
    uint64_t features = 0;
    if (self->level)
        (void)ifn_cpu_level_mask(self->level, &features);
    IFN_TRY(next_shape(&size, &shape, err));
    const int n_threads = threads_of(self);
    bench_peer *const peer =
        bench_peer_open(BENCH_OPENBLAS, (bench_product){shape.m, shape.n, shape.p, n_threads});
    bench_entry entries[] = {{.fn = peer ? bench_peer_run : NULL, .cookie = peer},
                             bench_peak(features & ifn_cpu_detect(), &flops)};
    if (peer && entries[1].fn) {
        bench_run_by(way_of(n_threads), entries, 2);
        printf("%.9g\n", bench_time_of(&entries[0]).median / bench_time_of(&entries[1]).median);
    }
    bench_peer_close(peer);
    return IFN_OK;
}

static ifn_status check_options(const bench_run_state *s, ifn_error *err)
{
    const bench_products *const o = s->options;
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = o->op ? o->op : ""};
    int known = !o->op;
    for (int i = 0; i < N_STANDARD && !known; i++) {
        known = strcmp(o->op, ifn_op_name(standard[i].op)) == 0;
        ifn_nearest_offer(&near, ifn_op_name(standard[i].op));
    }
    if (!known)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--op: found %s, expected matmul, linear or linear_q8%s", o->op,
                        ifn_nearest_hint(&near, hint));
    for (const char *at = o->sizes; at && *at;) {
        bench_shape shape;
        IFN_TRY(next_shape(&at, &shape, err));
    }
    if (o->level) {
        ifn_backend *backend;
        IFN_TRY(open_level(s, o->level, &backend, err));
        ifn_backend_close(backend);
    }
    return IFN_OK;
}

ifn_status bench_products_run(const bench_products *options, ifn_error *err)
{
    bench_run_state s = {.options = options, .json = {.out = stdout}};
    IFN_TRY(check_options(&s, err));
    if (options->against)
        IFN_TRY(open_backend(&s, options->against, &s.against, err));
    s.read = bench_read_bytes(threads_of(options));
    if (options->json)
        json_begin_array(&s.json);
    else
        bench_measurement_head(s.read, options->against);
    const ifn_status status = measure_all(&s, err);
    if (options->json) {
        json_end_array(&s.json);
        json_finish(&s.json);
    }
    plugin_watch_close(s.against);
    return status;
}
