#include "op_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_split.h"

/* The backends and levels that the op tests run, as far as this machine has them. */
static const char *const backends[] = {"scalar", "parallel=3+small:scalar",
#define X(NAME, name) "simd=" name,
                                       IFN_CPU_LEVELS(X)
#undef X
};

/* The contents of outputs before a run: signalling NaNs, and the complement of their bits, so that a byte which is
 * the same after both runs was written. */
static const uint32_t fills[2] = {0x7fa5a5a5u, ~0x7fa5a5a5u};

void op_begin(op_case *c, ifn_op op, uint64_t seed)
{
    *c = (op_case){.op = op, .seed = seed, .random = seed, .backend = "-"};
}

void op_shape(op_case *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(c->shape, sizeof c->shape, format, list);
    va_end(list);
}

void op_end(op_case *c)
{
    for (int k = 0; k < c->n_buffers; k++) {
        guard_free(&c->buffers[k].memory);
        free(c->buffers[k].initial);
    }
    c->n_buffers = 0;
}

/* Prints what is needed to repeat the case, and fails. */
static void fail_case(const op_case *c, const char *format, ...) IFN_PRINTF(2, 3);
static void fail_case(const op_case *c, const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_error("%s on %s, seed %llu%s%s: %s\n", ifn_op_name(c->op), c->backend,
                (unsigned long long)c->seed, c->shape[0] ? ", " : "", c->shape, text);
    fail();
}

/* --- random numbers --- */

static uint64_t next_random(op_case *c)
{
    uint64_t z = c->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int64_t op_below(op_case *c, int64_t n)
{
    return n > 0 ? (int64_t)(next_random(c) >> 1) % n : 0;
}

int64_t op_size(op_case *c, int64_t max)
{
    static const int64_t edges[] = {0,  1,  1,  2,  3,  4,  5,  7,  8, 9,
                                    15, 16, 17, 31, 32, 33, 63, 64, 65};
    if (op_below(c, 2) == 0)
        return op_below(c, max + 1);
    const int64_t n = edges[op_below(c, (int64_t)N_OF(edges))];
    return n <= max ? n : max;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns a float with a full significand, any sign, and an exponent in [low, high). */
static float random_float(op_case *c, int low, int high)
{
    const double significand = 1.0 + (double)(next_random(c) >> 41) * 0x1p-23;
    const double magnitude = ldexp(significand, low + (int)op_below(c, high - low));
    return (float)(op_below(c, 2) ? -magnitude : magnitude);
}

float op_float(op_case *c, op_floats_kind kind)
{
    static const float specials[] = {NAN,   INFINITY,  -INFINITY,   0.0f,
                                     -0.0f, 0x1p-149f, -0x1.8p-127f};
    switch (kind) {
    case OP_PLAIN:
        return random_float(c, -3, 3);
    case OP_WIDE:
        return random_float(c, -40, 40);
    case OP_TINY:
        return random_float(c, -130, -50);
    case OP_LATTICE:
        return (float)((1 + op_below(c, 64)) * (op_below(c, 2) ? -1 : 1));
    case OP_SPECIAL:
        return op_below(c, 8) ? random_float(c, -3, 3) : specials[op_below(c, N_OF(specials))];
    case OP_BITS:
        return from_bits((uint32_t)next_random(c));
    }
    return 0.0f;
}

op_floats_kind op_kind(op_case *c)
{
    return (op_floats_kind)op_below(c, OP_SPECIAL + 1);
}

/* --- buffers --- */

/* Adds a buffer, mostly at the end of a page, where vectors overrun; sometimes at its start. */
static op_buffer *add_buffer(op_case *c, op_buffer_kind kind, size_t bytes)
{
    assert_true(c->n_buffers < OP_BUFFERS);
    op_buffer *const b = &c->buffers[c->n_buffers++];
    unsigned char *const records = calloc(6 * bytes + 1, 1);
    *b = (op_buffer){.kind = kind, .initial = records};
    b->memory = next_random(c) % 4 ? guard_at_end(bytes) : guard_at_start(bytes);
    if (bytes == 0)
        b->memory.data = NULL;
    b->run = records + bytes;
    b->whole = b->run + bytes;
    b->run_wrote = b->whole + bytes;
    b->whole_wrote = b->run_wrote + bytes;
    b->parts_wrote = b->whole_wrote + bytes;
    return b;
}

const float *op_floats(op_case *c, int64_t n, op_floats_kind kind)
{
    op_buffer *const b = add_buffer(c, OP_BUFFER_INPUT, (size_t)n * sizeof(float));
    float *const data = b->memory.data;
    for (int64_t i = 0; i < n; i++)
        data[i] = op_float(c, kind);
    guard_read_only(&b->memory);
    return data;
}

const void *op_input(op_case *c, const void *data, size_t bytes)
{
    op_buffer *const b = add_buffer(c, OP_BUFFER_INPUT, bytes);
    if (bytes > 0)
        memcpy(b->memory.data, data, bytes);
    guard_read_only(&b->memory);
    return b->memory.data;
}

void *op_output(op_case *c, size_t bytes)
{
    return add_buffer(c, OP_BUFFER_OUTPUT, bytes)->memory.data;
}

void *op_output_some(op_case *c, size_t bytes)
{
    return add_buffer(c, OP_BUFFER_OUTPUT_SOME, bytes)->memory.data;
}

void *op_in_place(op_case *c, const void *data, size_t bytes)
{
    op_buffer *const b = add_buffer(c, OP_BUFFER_IN_PLACE, bytes);
    if (bytes > 0)
        memcpy(b->initial, data, bytes);
    return b->memory.data;
}

static unsigned char *bytes_of(const op_buffer *b)
{
    return b->memory.data;
}

static unsigned char fill_byte(size_t i, int which)
{
    return (unsigned char)(fills[which] >> 8 * (i % 4));
}

/* Loops over every byte of every buffer that the op may write. */
#define FOR_EACH_BYTE(c, b, i)                                                                     \
    for (op_buffer *b = (c)->buffers; b < (c)->buffers + (c)->n_buffers; b++)                      \
        for (size_t i = 0; b->kind != OP_BUFFER_INPUT && i < b->memory.bytes; i++)

static void fill_outputs(op_case *c, int which)
{
    FOR_EACH_BYTE(c, b, i)
    bytes_of(b)[i] = b->kind == OP_BUFFER_IN_PLACE ? b->initial[i] : fill_byte(i, which);
}

static int buffer_index(const op_case *c, const op_buffer *b)
{
    return (int)(b - c->buffers);
}

/* --- running --- */

static ifn_status call(op_case *c, ifn_backend *backend)
{
    switch (c->op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return ifn_##name(backend, &c->args.name);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return IFN_ERR_ARGUMENT;
}

static void run(op_case *c, ifn_backend *backend)
{
    ifn_error err;
    if (ifn_op_check(c->op, &c->args.call, &err) != IFN_OK)
        fail_case(c, "is no legal call: %s", err.text);
    const ifn_status status = call(c, backend);
    if (status != IFN_OK)
        fail_case(c, "returned %s", ifn_status_name(status));
}

/* Runs with both fills: each byte must be the same after both, or still be the fill. The outputs then hold the first
 * run's results. */
static void run_twice(op_case *c, ifn_backend *backend)
{
    fill_outputs(c, 0);
    run(c, backend);
    FOR_EACH_BYTE(c, b, i)
    b->run[i] = bytes_of(b)[i];
    fill_outputs(c, 1);
    run(c, backend);
    FOR_EACH_BYTE(c, b, i)
    {
        const unsigned char again = bytes_of(b)[i];
        b->run_wrote[i] = b->run[i] == again;
        if (!b->run_wrote[i] && (b->run[i] != fill_byte(i, 0) || again != fill_byte(i, 1)))
            fail_case(c, "buffer %d, byte %zu: differs between two runs", buffer_index(c, b), i);
        bytes_of(b)[i] = b->run[i];
    }
}

static void run_whole(op_case *c, ifn_backend *backend)
{
    run_twice(c, backend);
    FOR_EACH_BYTE(c, b, i)
    {
        b->whole[i] = b->run[i];
        b->whole_wrote[i] = b->run_wrote[i];
        if (b->kind == OP_BUFFER_OUTPUT && !b->run_wrote[i])
            fail_case(c, "buffer %d, byte %zu: was not written", buffer_index(c, b), i);
    }
}

/* --- parts --- */

enum { MAX_PIECES = 4 };

typedef struct pieces {
    int n;
    int64_t begin[MAX_PIECES], end[MAX_PIECES];
} pieces;

/* Returns 1 if a call on this backend may be cut there: the features of linear count from each weight's start. */
static int is_legal_cut(const op_case *c, ifn_backend *backend, int axis, int64_t at)
{
    const int64_t granule = ifn_backend_granule(backend, c->op, axis, &c->args.call);
    const int is_linear = c->op == IFN_OP_LINEAR || c->op == IFN_OP_LINEAR_Q8;
    const ifn_tensor *const *const w =
        c->op == IFN_OP_LINEAR ? c->args.linear.w : c->args.linear_q8.w;
    for (int i = 0; is_linear && axis == 0 && at >= w[i]->shape[0]; i++)
        at -= w[i]->shape[0];
    return at % granule == 0;
}

/* Cuts the axis into random pieces that cover it; a single piece "all" if there is nothing to cut. */
static pieces cut(op_case *c, ifn_backend *backend, int axis)
{
    const int64_t extent = ifn_op_extent(c->op, &c->args.call, axis);
    pieces p = {.n = 1, .end = {extent}};
    while (p.n < MAX_PIECES && op_below(c, 4) > 0) {
        const int64_t at = p.begin[p.n - 1] + 1 + op_below(c, extent - p.begin[p.n - 1] - 1);
        if (at >= extent || !is_legal_cut(c, backend, axis, at))
            break;
        p.end[p.n - 1] = at;
        p.begin[p.n] = at;
        p.end[p.n++] = extent;
    }
    return p;
}

static void set_part(op_case *c, int axis, const pieces *p, int i)
{
    ifn_op_set_part(c->op, &c->args.call, axis, p->begin[i], p->end[i]);
}

/* Runs one piece alone: it must write what no other piece writes, with the bits of the whole. */
static void run_piece(op_case *c, ifn_backend *backend)
{
    run_twice(c, backend);
    FOR_EACH_BYTE(c, b, i)
    {
        if (!b->run_wrote[i])
            continue;
        if (b->parts_wrote[i] || !b->whole_wrote[i])
            fail_case(c, "buffer %d, byte %zu: written outside the part", buffer_index(c, b), i);
        if (b->run[i] != b->whole[i])
            fail_case(c, "buffer %d, byte %zu: a part differs from the whole", buffer_index(c, b),
                      i);
        b->parts_wrote[i] = 1;
    }
}

static int has_in_place_buffer(const op_case *c)
{
    int n = 0;
    for (int k = 0; k < c->n_buffers; k++)
        n += c->buffers[k].kind == OP_BUFFER_IN_PLACE;
    return n > 0;
}

/* Runs all pieces. In place they can only run one after the other in the same buffers. */
static void run_parts(op_case *c, ifn_backend *backend)
{
    const pieces rows = cut(c, backend, 0), cols = cut(c, backend, 1);
    const int n = rows.n * cols.n, in_place = has_in_place_buffer(c);
    const int first = (int)op_below(c, n), step = op_below(c, 2) ? 1 : n - 1;
    FOR_EACH_BYTE(c, b, i)
    b->parts_wrote[i] = 0;
    fill_outputs(c, 0);
    for (int k = 0, at = first; k < n; k++, at = (at + step) % n) {
        set_part(c, 0, &rows, at / cols.n);
        set_part(c, 1, &cols, at % cols.n);
        if (in_place)
            run(c, backend);
        else
            run_piece(c, backend);
    }
    ifn_op_set_part(c->op, &c->args.call, 0, 0, 0);
    ifn_op_set_part(c->op, &c->args.call, 1, 0, 0);
    FOR_EACH_BYTE(c, b, i)
    {
        if (in_place ? bytes_of(b)[i] != b->whole[i] : b->parts_wrote[i] != b->whole_wrote[i])
            fail_case(c, "buffer %d, byte %zu: parts differ from the whole", buffer_index(c, b), i);
        bytes_of(b)[i] = b->whole[i];
    }
}

/* Opens the next backend of the list that this machine has; NULL after the last. */
static ifn_backend *open_next(op_case *c)
{
    while (c->next_backend < (int)N_OF(backends)) {
        ifn_backend *backend;
        ifn_error err;
        c->backend = backends[c->next_backend++];
        if (ifn_backend_open(c->backend, NULL, &backend, &err) == IFN_OK)
            return backend;
        if (!strstr(err.text, "not a level of this processor"))
            fail_case(c, "%s", err.text);
    }
    return NULL;
}

/* A case that sets a part itself is run as it is. */
static int is_whole(const op_case *c)
{
    const ifn_range part = ifn_op_get_part(c->op, &c->args.call, 0);
    return part.begin == 0 && part.end == 0;
}

/* Gives exactly the scratch memory that the backend asks for. No case exceeds these limits. The memory is mapped
 * once, because mapping takes longer than most calls. */
static void give_scratch(op_case *c, ifn_backend *backend)
{
    static guard kept[N_OF(backends)];
    guard *const scratch = &kept[c->next_backend - 1];
    const ifn_limits limits = {.limits_bytes = sizeof limits,
                               .rows = 512,
                               .max_pos = 1024,
                               .k = 512,
                               .n = 128,
                               .n_heads = 64,
                               .n_kv_heads = 64,
                               .head_dim = 256};
    const size_t bytes = (ifn_backend_scratch_bytes(backend, &limits) + 63) / 64 * 64;
    if (scratch->map)
        guard_fill(scratch);
    else
        *scratch = guard_at_end(bytes);
    assert_true(scratch->bytes == bytes);
    c->args.call.scratch = bytes ? scratch->data : NULL;
    c->args.call.scratch_bytes = bytes;
}

int op_next(op_case *c)
{
    ifn_backend *const backend = open_next(c);
    if (!backend) {
        op_end(c);
        return 0;
    }
    give_scratch(c, backend);
    run_whole(c, backend);
    if (is_whole(c))
        run_parts(c, backend);
    ifn_backend_close(backend);
    return 1;
}

void op_expect_status(op_case *c, ifn_status status)
{
    const ifn_status check = ifn_op_check(c->op, &c->args.call, NULL);
    if (check != status)
        fail_case(c, "ifn_op_check says %s instead of %s", ifn_status_name(check),
                  ifn_status_name(status));
    for (ifn_backend *backend; (backend = open_next(c));) {
        fill_outputs(c, 0);
        const ifn_status got = call(c, backend);
        if (got != status)
            fail_case(c, "returned %s instead of %s", ifn_status_name(got),
                      ifn_status_name(status));
        FOR_EACH_BYTE(c, b, i)
        if (bytes_of(b)[i] != (b->kind == OP_BUFFER_IN_PLACE ? b->initial[i] : fill_byte(i, 0)))
            fail_case(c, "buffer %d, byte %zu: written by a refused call", buffer_index(c, b), i);
        ifn_backend_close(backend);
    }
    op_end(c);
}

/* --- verdicts --- */

void op_expect(const op_case *c, const char *what, int64_t index, float got, double want,
               double bound)
{
    /* the oracle's own error, and that of the bound, are within this factor (numerics 2) */
    bound *= 1.0 + 0x1p-20;
    const int same_kind = isnan(want) ? isnan(got) : (double)got == want;
    if (isfinite(want) ? fabs((double)got - want) <= bound : same_kind)
        return;
    fail_case(c, "%s[%lld] = %.9g (%a), expected %.17g within %.3g, off by %.3g", what,
              (long long)index, (double)got, (double)got, want, bound, fabs((double)got - want));
}

void op_expect_float(const op_case *c, const char *what, int64_t index, float got, float want)
{
    if ((isnan(got) && isnan(want)) || memcmp(&got, &want, sizeof got) == 0)
        return;
    fail_case(c, "%s[%lld] = %.9g (%a), expected exactly %.9g (%a)", what, (long long)index,
              (double)got, (double)got, (double)want, (double)want);
}

void op_expect_floats(const op_case *c, const char *what, const float *got, const float *want,
                      int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        op_expect_float(c, what, i, got[i], want[i]);
}

void op_expect_bits(const op_case *c, const char *what, int64_t index, const void *got,
                    const void *want)
{
    uint32_t g, w;
    memcpy(&g, got, sizeof g);
    memcpy(&w, want, sizeof w);
    if (g != w)
        fail_case(c, "%s[%lld] has the bits %08x, expected %08x", what, (long long)index,
                  (unsigned)g, (unsigned)w);
}

void op_expect_bytes(const op_case *c, const char *what, const void *got, const void *want,
                     size_t bytes)
{
    const unsigned char *const g = got, *const w = want;
    for (size_t i = 0; i < bytes; i++)
        if (g[i] != w[i])
            fail_case(c, "%s: byte %zu is %02x, expected %02x", what, i, (unsigned)g[i],
                      (unsigned)w[i]);
}

void op_expect_untouched(const op_case *c, const char *what, const void *at, size_t bytes)
{
    for (int k = 0; k < c->n_buffers && bytes > 0; k++) {
        const op_buffer *const b = &c->buffers[k];
        const size_t from = (size_t)((const unsigned char *)at - bytes_of(b));
        if (b->kind == OP_BUFFER_INPUT || from >= b->memory.bytes)
            continue;
        for (size_t i = from; i < from + bytes; i++)
            if (b->whole_wrote[i])
                fail_case(c, "%s: byte %zu was written", what, i - from);
        return;
    }
    if (bytes > 0)
        fail_case(c, "%s: is in no output", what);
}

/* --- sums --- */

void op_add(op_sum *s, double term)
{
    const double sum = s->sum + term, back = sum - s->sum;
    s->low += (s->sum - (sum - back)) + (term - back);
    s->sum = sum;
    s->magnitudes += fabs(term);
    s->squares += term * term;
    s->n++;
}

double op_value(const op_sum *s)
{
    return s->sum + s->low;
}

double op_gamma(double h)
{
    return h * OP_U / (1.0 - h * OP_U);
}

double op_sum_bound(const op_sum *s, double h)
{
    return fmin(op_gamma(h) * s->magnitudes, 10.0 * OP_U * sqrt(h + 2.0) * sqrt(s->squares));
}
