/*
 * A descriptor that the input makes up, as a plugin might hand it over: versions, sizes, flags, names, callbacks that
 * are missing or answer anything, a manifest with any numbers. It is refused with a reason, or opened; then the host
 * must cope with the answers.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>

#include "declared.h"
#include "fuzz_input.h"
#include "module.h"

/* The answers of the callbacks. */
static struct {
    int usable, fills;
    int32_t lanes;
    size_t scratch;
    int64_t granule, depth;
    ifn_status opened;
    int explains;
} answers;

static ifn_status add(ifn_backend *self, const ifn_add_args *a)
{
    if (self->inner)
        return ifn_add(self->inner, a);
    for (int64_t i = 0; i < a->n; i++)
        a->out[i] = a->x[i] + a->y[i];
    return IFN_OK;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    if (answers.fills & 1)
        table->add = add;
    if (answers.fills & 2)
        table->matmul = NULL;
}

static int usable(const ifn_backend_env *env)
{
    (void)env;
    return answers.usable;
}

static int32_t lanes(const ifn_backend_env *env)
{
    (void)env;
    return answers.lanes;
}

static size_t scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    (void)self, (void)max;
    return answers.scratch;
}

static int64_t granule(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    return answers.granule;
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env, (void)err; /* an author may forget the reason */
    *state = answers.opened == IFN_OK ? malloc(1) : NULL;
    return answers.opened;
}

static void close_state(void *state)
{
    free(state);
}

static const ifn_allocator *no_buffers(const ifn_backend *self)
{
    (void)self;
    return NULL;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)self, (void)w, (void)n, (void)uses, (void)out, (void)err;
    return IFN_ERR_UNSUPPORTED;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    (void)self, (void)packed;
}

static int explain(ifn_backend *self, ifn_error *err)
{
    (void)self;
    if (answers.explains)
        (void)ifn_fail(err, IFN_ERR_SHAPE, "a reason");
    return answers.explains;
}

static int64_t depth(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)op, (void)dtype, (void)k;
    return answers.depth;
}

static int unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    return (int)op % 2 == 0 && ((int)dtype + (int)out_dtype) % 2 == 0;
}

static float take_float(fuzz_bytes *in)
{
    const uint32_t bits = (uint32_t)fuzz_u64(in, 4);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static ifn_manifest take_manifest(fuzz_bytes *in)
{
    ifn_manifest m = {.manifest_bytes = (uint32_t)sizeof m};
    m.invariances = (uint32_t)fuzz_u64(in, 4);
    m.offset_split = fuzz_u8(in);
    m.ftz = fuzz_u8(in);
    m.exp_ulp = take_float(in);
    m.rsqrt_rel = take_float(in);
    m.max_overread = (uint32_t)fuzz_u64(in, 4);
    m.depth = fuzz_below(in, 2) ? depth : NULL;
    m.unsupported = fuzz_below(in, 2) ? unsupported : NULL;
    return m;
}

static void take_answers(fuzz_bytes *in)
{
    answers.usable = fuzz_u8(in) > 16;
    answers.fills = fuzz_u8(in) % 5;
    answers.lanes = (int32_t)fuzz_u64(in, fuzz_below(in, 2) ? 4 : 1);
    answers.scratch = (size_t)fuzz_u64(in, 8);
    answers.granule = (int64_t)fuzz_u64(in, 8);
    answers.depth = (int64_t)fuzz_u64(in, 8);
    answers.opened = (ifn_status)(fuzz_u8(in) > 32 ? 0 : fuzz_u8(in));
    answers.explains = (int)fuzz_below(in, 2);
}

/* The argument sizes that the plugin claims it was built with: larger than the real ones, smaller, or none. */
static void take_known(fuzz_bytes *in, ifn_backend_desc *d)
{
    static uint32_t sizes[IFN_OP_COUNT];
    const uint32_t op = fuzz_below(in, IFN_OP_COUNT);
    memcpy(sizes, d->args_bytes, sizeof sizes);
    sizes[op] = (uint32_t)fuzz_u64(in, fuzz_below(in, 4) ? 1 : 4);
    d->args_bytes = fuzz_below(in, 8) ? sizes : NULL;
    d->call_bytes = fuzz_below(in, 8) ? d->call_bytes : (uint32_t)fuzz_u64(in, 1);
}

static ifn_backend_desc take_desc(fuzz_bytes *in, const ifn_manifest *manifest)
{
    static const char *const names[] = {"mine", "", "a:b", "a=b", "scalar", "parallel", NULL};
    ifn_backend_desc d = {IFN_BACKEND_STAMP, .name = names[fuzz_below(in, 7)], .fill = fill};
    const uint32_t lies = fuzz_u8(in), there = (uint32_t)fuzz_u64(in, 2);
    if (lies & 1)
        d.abi = (uint32_t)fuzz_u64(in, 4);
    if (lies & 2)
        d.abi_minor = (uint32_t)fuzz_u64(in, 4);
    if (lies & 4)
        d.desc_bytes = (uint32_t)fuzz_u64(in, lies & 8 ? 4 : 1);
    if (lies & 16)
        d.table_bytes = (uint32_t)fuzz_u64(in, 2);
    d.flags = lies & 32 ? (uint32_t)fuzz_u64(in, 4) : lies >> 6 & 1;
    d.manifest = there & 1 ? manifest : NULL;
    d.fill = there & 2 && there & 4 && there & 8 ? NULL : fill;
    d.usable = there & 16 ? usable : NULL;
    d.lanes = there & 32 ? lanes : NULL;
    d.scratch_bytes = there & 64 ? scratch_bytes : NULL;
    d.granule = there & 128 ? granule : NULL;
    d.open = there & 256 ? open_state : NULL;
    d.close = there & 256 ? close_state : NULL;
    d.buffers = there & 512 && there & 1024 ? no_buffers : NULL;
    d.prepare = there & 2048 ? prepare : NULL;
    d.release = there & 4096 ? release : NULL;
    d.explain = there & 8192 ? explain : NULL;
    if (there & 16384)
        take_known(in, &d);
    return d;
}

/* Copies the descriptor to memory of the size that it claims, at least up to the version fields. */
static ifn_backend_desc *place(const ifn_backend_desc *d)
{
    size_t bytes = d->desc_bytes < sizeof *d ? d->desc_bytes : sizeof *d;
    bytes = bytes < offsetof(ifn_backend_desc, flags) ? offsetof(ifn_backend_desc, flags) : bytes;
    ifn_backend_desc *exact = malloc(bytes);
    if (!exact)
        abort();
    memcpy(exact, d, bytes);
    return exact;
}

static void expect_add(ifn_backend *b)
{
    const float x[] = {1, 2, 3}, y[] = {4, 5, 6};
    float out[3] = {0};
    const ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = 3);
    FUZZ_EXPECT(ifn_add(b, &a) == IFN_OK && out[0] == 5 && out[2] == 9);
}

static void expect_declared(ifn_backend *b)
{
    const conform_declared strict = conform_declared_default();
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_case c = {.op = (ifn_op)op, .dim = {64, 64, 64, 64, 64, 64, 64, 64}};
        const conform_declared d = conform_declared_of(b, &c);
        FUZZ_EXPECT(d.depth >= 0 && d.exp_eps > 0 && d.exp_eps <= 2 * strict.exp_eps);
        FUZZ_EXPECT(d.rsqrt_rel > 0 && d.rsqrt_rel <= 2 * strict.rsqrt_rel);
        (void)conform_is_unsupported(b, &c);
        (void)conform_is_invariant(b, (ifn_op)op, 1);
    }
}

static void look_at(ifn_backend *b)
{
    const ifn_limits limits = {.limits_bytes = (uint32_t)sizeof limits, .rows = 1};
    const ifn_add_args a = IFN_ARGS(add, .n = 3);
    ifn_error err = {.status = IFN_OK, .text = ""};
    FUZZ_EXPECT(*ifn_backend_expression(b) && ifn_backend_n_lanes(b) == 1);
    FUZZ_EXPECT(ifn_backend_granule(b, IFN_OP_ADD, 0, &a.call) >= 1);
    (void)ifn_backend_scratch_bytes(b, &limits);
    (void)ifn_backend_implements(b, IFN_OP_ADD);
    expect_add(b);
    expect_declared(b);
    if (ifn_backend_explain(b, &err))
        FUZZ_EXPECT(*err.text);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    ifn_backend *below = NULL, *b;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_manifest manifest = take_manifest(&in);
    take_answers(&in);
    const ifn_backend_desc desc = take_desc(&in, &manifest);
    ifn_backend_desc *placed = place(&desc);
    if (desc.flags & IFN_BACKEND_WRAPPER &&
        ifn_backend_open("scalar", NULL, &below, &err) != IFN_OK)
        abort();
    const ifn_status status = ifn_backend_open_desc(placed, below, "", NULL, &b, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT((status == IFN_OK) == (b != NULL));
    if (b)
        look_at(b);
    ifn_backend_close(b);
    ifn_backend_close(below);
    free(placed);
    return status == IFN_OK;
}
