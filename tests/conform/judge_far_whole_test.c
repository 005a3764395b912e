/* Calls of whole tensors: the judge finds what 32-bit integers and floats, used as sizes or indices, do to a copy,
 * to a search and to computed elements. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "far.h"
#include "far_pieces.h"
#include "far_whole.h"
#include "judge_run.h"
#include "leaves.h"

enum { CHUNK = 1 << 16 };

/* LEAF_OF(op, word) is LEAF with backends that are named after the op, too. */
#define LEAF_OF(op, word) LEAF_NAMED(op, word##_##op)
#define LEAF_NAMED(op, word)                                                                       \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = word;                                                                          \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word,                              \
                                                 .manifest = &leaf_promises_none};                 \
    static const conform_tested tested_##word = {#word, leaf_open, &desc_##word};

/* --- copies --- */

/* COPY(word, op, to, from) defines <word>_<op>, which copies with by_<word>, and its backends. */
#define COPY(word, op, to, from)                                                                   \
    static ifn_status word##_##op(ifn_backend *self, const ifn_##op##_args *a)                     \
    {                                                                                              \
        (void)self;                                                                                \
        by_##word(a->to, a->from, (size_t)a->bytes);                                               \
        return IFN_OK;                                                                             \
    }                                                                                              \
    LEAF(op, word)

static void by_length_unsigned(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, (uint32_t)bytes);
}

static void by_length_signed(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes & INT32_MAX);
}

static void by_no_more_than_int(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes < INT32_MAX ? bytes : INT32_MAX);
}

/* Copies with a length in an int32_t: correct below 2^31, negative up to 2^32, small beyond. */
static void by_length_in_int(void *to, const void *from, size_t bytes)
{
    const int32_t n = (int32_t)(uint32_t)bytes;
    if (n > 0)
        memcpy(to, from, (size_t)n);
}

static void by_read_length_in_int(void *to, const void *from, size_t bytes)
{
    by_length_in_int(to, from, bytes);
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Truncates the offset of the target to 32 bits; copies in chunks. */
static void by_target_wraps(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CHUNK)
        memcpy((char *)to + (uint32_t)i, (const char *)from + i, lesser(CHUNK, bytes - i));
}

/* Truncates the offset of the source to 32 bits. */
static void by_source_wraps(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CHUNK)
        memcpy((char *)to + i, (const char *)from + (uint32_t)i, lesser(CHUNK, bytes - i));
}

static void by_source_wraps_at_31(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CHUNK)
        memcpy((char *)to + i, (const char *)from + (i & INT32_MAX), lesser(CHUNK, bytes - i));
}

/* Converts an offset to an int and back: an offset from 2^31 on becomes negative, before the tensor. */
static ptrdiff_t in_int(size_t i)
{
    return (int32_t)(uint32_t)i;
}

static void by_target_extended(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CHUNK)
        memcpy((char *)to + in_int(i), (const char *)from + i, lesser(CHUNK, bytes - i));
}

static void by_source_extended(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CHUNK)
        memcpy((char *)to + i, (const char *)from + in_int(i), lesser(CHUNK, bytes - i));
}

/* Copies everything to its place, and the last byte also 2^32 bytes earlier. */
static void by_twice(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    if (bytes > UINT32_MAX)
        memcpy((char *)to + (uint32_t)(bytes - 1), (const char *)from + bytes - 1, 1);
}

/* Copies only the ends and what lies around the borders at 2^31 and 2^32 bytes. */
static void by_no_middle(void *to, const void *from, size_t bytes)
{
    enum { PIECE = 1 << 21, PAGE = 1 << 12 };
    static const uint64_t borders[] = {0, UINT64_C(1) << 31, UINT64_C(1) << 32};
    for (size_t i = 0; i < N_OF(borders); i++) {
        const size_t begin = borders[i] ? (size_t)borders[i] - PIECE - PAGE : 0;
        if (begin < bytes)
            memcpy((char *)to + begin, (const char *)from + begin,
                   lesser(bytes - begin, (borders[i] ? 2 : 1) * (PIECE + PAGE)));
    }
}

COPY(length_unsigned, copy_in, out, host)
COPY(length_signed, copy_in, out, host)
COPY(no_more_than_int, copy_in, out, host)
COPY(length_in_int, copy_in, out, host)
COPY(read_length_in_int, copy_out, host, x)
COPY(target_extended, copy_in, out, host)
COPY(source_extended, copy_out, host, x)
COPY(target_wraps, copy_in, out, host)
COPY(source_wraps, copy_in, out, host)
COPY(source_wraps_at_31, copy_out, host, x)
COPY(twice, copy_out, host, x)
COPY(no_middle, copy_out, host, x)

static ifn_status refuses_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    return a->bytes > INT32_MAX ? IFN_ERR_UNSUPPORTED : ifn_copy_in(self->base, a);
}

LEAF(copy_in, refuses)

static void spend(double seconds)
{
    const double begin = judge_seconds_used();
    while (judge_seconds_used() - begin < seconds)
        ;
}

/* Copies correctly, but far slower than memory allows. */
static ifn_status slow_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    spend(a->bytes > CHUNK ? 0.2 : 0);
    return ifn_copy_in(self->base, a);
}

LEAF(copy_in, slow)

/* Is slow in its first long call only, as if another process had taken the machine. */
static ifn_status delayed_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    static bool was_delayed;
    if (a->bytes > CHUNK && !was_delayed) {
        was_delayed = true;
        spend(0.2);
    }
    return ifn_copy_in(self->base, a);
}

LEAF(copy_in, delayed)

/* --- the largest --- */

/* Searches the first `n_expression` elements, and returns index `i_expression` instead of `i`. */
#define SEARCH(word, n_expression, i_expression)                                                   \
    static ifn_status word##_argmax_with_prob(ifn_backend *self,                                   \
                                              const ifn_argmax_with_prob_args *a)                  \
    {                                                                                              \
        ifn_argmax_with_prob_args one = *a;                                                        \
        one.n = n_expression;                                                                      \
        const ifn_status status = ifn_argmax_with_prob(self->base, &one);                          \
        if (status == IFN_OK) {                                                                    \
            const int64_t i = *a->index;                                                           \
            *a->index = (int32_t)(i_expression);                                                   \
        }                                                                                          \
        return status;                                                                             \
    }                                                                                              \
    LEAF(argmax_with_prob, word)

static int64_t in_bytes(int64_t n, int64_t most)
{
    return n * 4 <= most ? n : (n * 4 & most) / 4;
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n * 4 <= most ? n : most / 4;
}

static int64_t in_int_of_bytes(int64_t n)
{
    const int64_t bytes = in_int((size_t)n * 4);
    return bytes > 0 ? bytes / 4 : 1;
}

SEARCH(n_unsigned, in_bytes(a->n, UINT32_MAX), i)
SEARCH(n_in_int, in_int_of_bytes(a->n), i)
SEARCH(n_at_most, at_most(a->n, INT32_MAX), i)
SEARCH(n_at_most_32, at_most(a->n, UINT32_MAX), i)
SEARCH(index_wraps, a->n, in_bytes(i, UINT32_MAX))

/* Reads the value of the maximum at a byte offset of 32 bits. */
static ifn_status value_wraps_argmax_with_prob(ifn_backend *self,
                                               const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK)
        *a->value = a->x[in_bytes(*a->index, INT32_MAX)];
    return status;
}

LEAF(argmax_with_prob, value_wraps)

/* Reads every element at a byte offset in an int. */
static ifn_status extended_argmax_with_prob(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = a->n < 1 << 28 ? ifn_argmax_with_prob(self->base, a) : IFN_OK;
    float most = -1;
    for (int64_t i = 0; i < a->n && a->n >= 1 << 28; i++) {
        float x;
        memcpy(&x, (const char *)a->x + in_int((size_t)i * sizeof x), sizeof x);
        if (x > most) {
            *a->index = (int32_t)i;
            *a->value = most = x;
        }
    }
    return status;
}

LEAF(argmax_with_prob, extended)

/* --- what a float counts, and an int of bytes --- */

static int64_t in_float(int64_t n)
{
    const float near = (float)n;
    return (int64_t)near > n ? (int64_t)near - 2 : (int64_t)near; /* below 2^25 */
}

static int64_t as_int_of_bytes(int64_t n)
{
    const int32_t bytes = (int32_t)(uint32_t)((uint64_t)n * sizeof(float));
    return bytes > 0 ? bytes / (int64_t)sizeof(float) : 0;
}

static bool is_long(int64_t n)
{
    return n > 1 << 24;
}

static ifn_status short_add(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args one = *a;
    if (a->part_end == 0 && is_long(a->n))
        one.n = in_float(a->n);
    return ifn_add(self->base, &one);
}

/* Writes one element after the last. */
static ifn_status more_scale(ifn_backend *self, const ifn_scale_args *a)
{
    const ifn_status status = ifn_scale(self->base, a);
    if (status == IFN_OK && a->part_end == 0 && is_long(a->n))
        a->out[a->n] = 0;
    return status;
}

/* Reads y at an index that was rounded to a float. */
static ifn_status other_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    const ifn_status status = ifn_hadamard(self->base, a);
    for (int64_t i = 1 << 24; status == IFN_OK && a->part_end == 0 && i < a->n; i++)
        a->out[i] = a->x[i] * a->y[in_float(i)];
    return status;
}

/* Repeats the first 2^24 elements of the result in place of the later ones. */
static ifn_status wraps_rsqrt_elem(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    const ifn_status status = ifn_rsqrt_elem(self->base, a);
    for (int64_t i = 1 << 24; status == IFN_OK && a->part_end == 0 && i < a->n; i++)
        a->out[i] = a->out[i - (1 << 24)];
    return status;
}

/* Is correct within the bound: every third element is one unit in the last place off. */
static ifn_status off_silu(ifn_backend *self, const ifn_silu_args *a)
{
    const ifn_status status = ifn_silu(self->base, a);
    if (status == IFN_OK && a->part_end == 0 && is_long(a->n))
        for (int64_t i = 0; i < a->n; i += 3)
            a->out[i] = nextafterf(a->out[i], 1);
    return status;
}

static ifn_status short_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    ifn_swiglu_args one = *a;
    if (a->part_end == 0 && a->rows > 0 && a->dim > 0 && a->rows <= 1 << 24 && a->dim <= 1 << 26 &&
        is_long(a->rows * a->dim)) {
        one.rows = 1;
        one.dim = in_float(a->rows * a->dim);
    }
    return ifn_swiglu(self->base, &one);
}

static ifn_status int_concat_dim0(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    ifn_concat_dim0_args one = *a;
    if (a->part_end == 0 && a->cols >= 1 << 24)
        one.b_rows = as_int_of_bytes(a->b_rows * a->cols) / a->cols;
    return ifn_concat_dim0(self->base, &one);
}

static ifn_status int_copy_contiguous_into(ifn_backend *self,
                                           const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args one = *a;
    if (a->part_end == 0 && is_long(a->n))
        one.n = as_int_of_bytes(a->n);
    return ifn_copy_contiguous_into(self->base, &one);
}

/* Also writes the element before the window. */
static ifn_status before_copy_contiguous_into(ifn_backend *self,
                                              const ifn_copy_contiguous_into_args *a)
{
    const ifn_status status = ifn_copy_contiguous_into(self->base, a);
    if (status == IFN_OK && a->part_end == 0 && is_long(a->n) && a->out_offset > 0)
        memset((char *)a->out + (a->out_offset - 1) * 4, 0, 4);
    return status;
}

static ifn_status int_copy_row_2d(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    ifn_copy_row_2d_args one = *a;
    if (a->cols < 1 << 24)
        return ifn_copy_row_2d(self->base, a);
    one.cols = as_int_of_bytes(a->cols);
    one.out = a->out + a->out_row * a->cols;
    one.x = a->x + a->x_row * a->cols;
    one.out_rows = one.x_rows = 1;
    one.out_row = one.x_row = 0;
    return ifn_copy_row_2d(self->base, &one);
}

/* Rounds the number of elements to a float before it copies. */
static ifn_status half_reshape_data(ifn_backend *self, const ifn_reshape_data_args *a)
{
    ifn_reshape_data_args one = *a;
    const bool is_whole = a->part_end == 0 && a->rows > 0 && a->cols > 0;
    if (is_whole && a->rows <= 1 << 24 && a->cols <= 1 << 26 && is_long(a->rows * a->cols)) {
        one.rows = one.out_rows = in_float(a->rows * a->cols);
        one.cols = one.out_cols = 1;
    }
    return ifn_reshape_data(self->base, &one);
}

static ifn_status near_argmax_with_prob(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK)
        *a->index = (int32_t)(float)*a->index;
    return status;
}

LEAF_OF(add, short)
LEAF_OF(scale, more)
LEAF_OF(hadamard, other)
LEAF_OF(rsqrt_elem, wraps)
LEAF_OF(silu, off)
LEAF_OF(swiglu, short)
LEAF_OF(concat_dim0, int)
LEAF_OF(copy_contiguous_into, int)
LEAF_OF(copy_contiguous_into, before)
LEAF_OF(copy_row_2d, int)
LEAF_OF(reshape_data, half)
LEAF(argmax_with_prob, near)

/* --- what comes of it --- */

/* Returns the first case from seed 1 on that has the whole-tensor call of this size and no other. */
static conform_case due_in(ifn_op op, far_size size)
{
    const unsigned call = (unsigned)FAR_CALL_OF_WHOLES << size;
    conform_case c = {.op = op,
                      .dim = {40, 40, 40},
                      .tier = TIER_T1,
                      .family = FAMILY_NORMAL,
                      .out_dtype = IFN_DTYPE_F32,
                      .seed = 1};
    if (op == IFN_OP_COPY_CONTIGUOUS_INTO)
        c.dim[1] = 90;
    if (op == IFN_OP_ADD || op == IFN_OP_HADAMARD || op == IFN_OP_SCALE ||
        op == IFN_OP_ADD_SCALAR || op == IFN_OP_SILU || op == IFN_OP_RSQRT_ELEM)
        c.dim[0] = 400;
    if (op == IFN_OP_COPY_ROW_2D)
        c.dim[3] = c.dim[4] = 7;
    while ((conform_far_calls(&c) & ~(unsigned)FAR_CALL_OF_PARTS) != call)
        c.seed++;
    return c;
}

static conform_case due(ifn_op op)
{
    return due_in(op, FAR_HUGE);
}

static ifn_status honest_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    return ifn_copy_in(self->base, a);
}

static ifn_status honest_copy_out(ifn_backend *self, const ifn_copy_out_args *a)
{
    return ifn_copy_out(self->base, a);
}

static ifn_status honest_argmax_with_prob(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    return ifn_argmax_with_prob(self->base, a);
}

static void fill_honest(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->copy_in = honest_copy_in;
    table->copy_out = honest_copy_out;
    table->argmax_with_prob = honest_argmax_with_prob;
}

static const ifn_backend_desc desc_honest = {IFN_BACKEND_STAMP, .name = "honest", .summary = "",
                                             .fill = fill_honest};
static const conform_tested honest = {"honest", leaf_open, &desc_honest};

static bool has_room(void)
{
    far_map map;
    if (!far_map_has_room() || !far_pieces_open(&map, 1, 0))
        return false;
    far_map_close(&map);
    return true;
}

TEST(an_honest_backend_passes_and_both_borders_are_counted)
{
    static const ifn_op ops[] = {IFN_OP_COPY_IN, IFN_OP_COPY_OUT, IFN_OP_ARGMAX_WITH_PROB};
    if (!has_room())
        skip();
    for (size_t i = 0; i < N_OF(ops); i++) {
        const conform_case c = due(ops[i]);
        const conform_verdict v = judge_once(&honest, &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s: %s", ifn_op_name(ops[i]), v.detail);
        assert_int_equal(v.far, conform_far_whole_classes(c.op, FAR_HUGE));
        assert_int_equal(v.far_left_out, 0);
    }
}

static void expect_in(const conform_tested *tested, ifn_op op, far_size size, const char *what)
{
    const conform_case c = due_in(op, size);
    const conform_verdict v = judge_once(tested, &c);
    assert_that(v.outcome == OUTCOME_FAIL && v.check == CHECK_FAR && strstr(v.detail, what),
                "%s of %s: %s: %s", tested->label, ifn_op_name(op), conform_check_name(v.check),
                v.detail);
    assert_int_equal(v.far & conform_far_whole_classes(op, size),
                     conform_far_whole_classes(op, size));
}

static void expect(const conform_tested *tested, ifn_op op, const char *what)
{
    expect_in(tested, op, FAR_HUGE, what);
}

static void expect_honest(const conform_tested *tested, ifn_op op, far_size size)
{
    const conform_case c = due_in(op, size);
    const conform_verdict v = judge_once(tested, &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s: %s", ifn_op_name(op), v.detail);
    assert_int_equal(v.far & conform_far_whole_classes(op, size),
                     conform_far_whole_classes(op, size));
    assert_int_equal(v.far_left_out, 0);
}

/* Tries every op that has calls of whole tensors; silu is one unit off, which its bound allows. */
TEST(an_honest_backend_passes_past_2_to_the_24_elements)
{
    if (!has_room())
        skip();
    for (ifn_op op = 0; op < IFN_OP_COUNT; op++)
        if (conform_far_whole_of(op))
            expect_honest(op == IFN_OP_SILU ? &tested_off_silu : &honest, op, FAR_LONG);
}

/* Of the ops that compute, tries add only: each takes a second or more. */
TEST(an_honest_backend_passes_past_2_to_the_31_bytes)
{
    if (!has_room())
        skip();
    for (ifn_op op = 0; op < IFN_OP_COUNT; op++) {
        const far_whole *const whole = conform_far_whole_of(op);
        if (whole && whole->is_cut && (whole->kind == WHOLE_MOVES || op == IFN_OP_ADD))
            expect_honest(&honest, op, FAR_GREAT);
    }
    expect_honest(&honest, IFN_OP_CONCAT_DIM0, FAR_HUGE);
}

TEST(a_count_or_an_index_in_a_float_is_found)
{
    if (!has_room())
        skip();
    expect_in(&tested_short_add, IFN_OP_ADD, FAR_LONG,
              "all of n of out past 2^24 elements: element 167");
    expect_in(&tested_other_hadamard, IFN_OP_HADAMARD, FAR_LONG, "past 2^24 elements: element 167");
    expect_in(&tested_wraps_rsqrt_elem, IFN_OP_RSQRT_ELEM, FAR_LONG, "elements: element 167772");
    expect_in(&tested_short_swiglu, IFN_OP_SWIGLU, FAR_LONG, "all elements of out past 2^24 ");
    expect_in(&tested_half_reshape_data, IFN_OP_RESHAPE_DATA, FAR_LONG, "elements: byte 67");
    expect_in(&near[1], IFN_OP_ARGMAX_WITH_PROB, FAR_LONG, "2^24 elements: index is 167");
}

TEST(what_is_written_beside_a_long_output_is_found)
{
    if (!has_room())
        skip();
    expect_in(&tested_before_copy_contiguous_into, IFN_OP_COPY_CONTIGUOUS_INTO, FAR_LONG,
              "all of n of out past 2^24 elements: byte ");
    const conform_failure f =
        bench_failure_of(&tested_more_scale, due_in(IFN_OP_SCALE, FAR_LONG), 60);
    assert_that(f.verdict.check == CHECK_GUARD && strstr(f.verdict.detail, " bytes after out"),
                "%s: %s", conform_check_name(f.verdict.check), f.verdict.detail);
}

TEST(an_int_of_bytes_is_found_in_copies_that_have_parts)
{
    if (!has_room())
        skip();
    expect_in(&tested_int_concat_dim0, IFN_OP_CONCAT_DIM0, FAR_GREAT,
              "all rows of out past 2^31 bytes: byte 21");
    expect_in(&tested_int_copy_contiguous_into, IFN_OP_COPY_CONTIGUOUS_INTO, FAR_GREAT,
              "all of n of out past 2^31 bytes: byte ");
    expect_in(&tested_int_copy_row_2d, IFN_OP_COPY_ROW_2D, FAR_GREAT,
              "cols of out past 2^31 bytes: byte 0 ");
    expect_in(&tested_int_copy_row_2d, IFN_OP_COPY_ROW_2D, FAR_HUGE, "cols of out past 2^32 bytes");
    expect_in(&tested_int_concat_dim0, IFN_OP_CONCAT_DIM0, FAR_HUGE, "past 2^32 bytes: byte ");
}

TEST(a_length_of_32_bits_is_found)
{
    if (!has_room())
        skip();
    expect(&length_unsigned[1], IFN_OP_COPY_IN, "bytes of out past 2^32 bytes: byte ");
    expect(&length_signed[1], IFN_OP_COPY_IN, "bytes of out past 2^32 bytes: byte ");
    expect(&no_more_than_int[1], IFN_OP_COPY_IN, "past 2^32 bytes: byte 2147483647 is ");
    expect(&length_in_int[1], IFN_OP_COPY_IN, "bytes of out past 2^32 bytes: byte ");
    expect(&read_length_in_int[1], IFN_OP_COPY_OUT, "bytes of host past 2^32 bytes: byte ");
}

TEST(an_offset_of_32_bits_is_found_in_a_copy)
{
    if (!has_room())
        skip();
    expect(&target_wraps[1], IFN_OP_COPY_IN, "past 2^32 bytes: byte 0 is ");
    expect(&source_wraps[1], IFN_OP_COPY_IN, "past 2^32 bytes: byte 4294967296 is ");
    expect(&source_wraps_at_31[1], IFN_OP_COPY_OUT, "past 2^32 bytes: byte 2147483648 is ");
}

TEST(a_copy_that_leaves_its_place_or_a_hole_is_found)
{
    if (!has_room())
        skip();
    expect(&twice[1], IFN_OP_COPY_OUT, "bytes of host past 2^32 bytes: byte 1");
    expect(&no_middle[1], IFN_OP_COPY_OUT, ", or one between the borders, is ");
}

TEST(a_search_that_counts_in_32_bits_is_found)
{
    if (!has_room())
        skip();
    expect(&n_unsigned[1], IFN_OP_ARGMAX_WITH_PROB, "n of x past 2^32 bytes: index is ");
    expect(&n_in_int[1], IFN_OP_ARGMAX_WITH_PROB, "n of x past 2^32 bytes: index is ");
    expect(&n_at_most[1], IFN_OP_ARGMAX_WITH_PROB, "past 2^32 bytes: index is ");
    expect(&n_at_most_32[1], IFN_OP_ARGMAX_WITH_PROB, "past 2^32 bytes: index is 5368");
    expect(&index_wraps[1], IFN_OP_ARGMAX_WITH_PROB, "past 2^32 bytes: index is ");
    expect(&value_wraps[1], IFN_OP_ARGMAX_WITH_PROB, "past 2^32 bytes: value is 1, expected 4");
}

static void expect_to_die(const conform_tested *tested, ifn_op op, const char *before,
                          const char *after)
{
    const conform_failure f = bench_failure_of(tested, due(op), 60);
    assert_that(f.verdict.check == CHECK_GUARD && strstr(f.verdict.detail, before) &&
                    strstr(f.verdict.detail, after),
                "%s of %s: %s: %s", tested->label, ifn_op_name(op),
                conform_check_name(f.verdict.check), f.verdict.detail);
}

/* No call may touch memory before a tensor: 2^31 bytes away as little as next to it. */
TEST(an_offset_that_is_extended_with_its_sign_is_found)
{
    if (!has_room())
        skip();
    expect_to_die(&target_extended[1], IFN_OP_COPY_IN, "SIGSEGV writing 2147", " bytes before out");
    expect_to_die(&source_extended[1], IFN_OP_COPY_OUT, "SIGSEGV reading 2147", " bytes before x");
    expect_to_die(&extended[1], IFN_OP_ARGMAX_WITH_PROB, "SIGSEGV reading 2147", " bytes before x");
}

/* A refused call counts as not tried, so the certificate lacks its class. */
TEST(a_call_that_is_refused_was_not_tried)
{
    const conform_case c = due(IFN_OP_COPY_IN);
    const conform_verdict v = judge_once(&refuses[1], &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.far, 0);
}

/* The runner would take such a call for one that hangs. */
TEST(a_call_that_would_take_too_long_is_left_out)
{
    const conform_case c = due(IFN_OP_COPY_IN);
    const conform_verdict v = judge_once(&slow[1], &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.far, 0);
    assert_int_equal(v.far_left_out, conform_far_whole_classes(c.op, FAR_HUGE));
}

TEST(a_call_that_was_slow_once_is_made)
{
    if (!has_room())
        skip();
    const conform_case c = due(IFN_OP_COPY_IN);
    const conform_verdict v = judge_once(&delayed[1], &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.far_left_out, 0);
}
