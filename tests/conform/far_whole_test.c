#include "far_whole.h"

#include <string.h>

#include "case_call.h"
#include "far.h"
#include "test.h"

/* Loops over the ops that have calls of whole tensors. */
#define EACH(whole, op)                                                                            \
    for (ifn_op op = 0; op < IFN_OP_COUNT; op++)                                                   \
        for (const far_whole *whole = conform_far_whole_of(op); whole; whole = NULL)

static conform_case home_of(ifn_op op, uint64_t seed)
{
    const far_whole *const whole = conform_far_whole_of(op);
    conform_case c = {.op = op,
                      .dim = {40, 40, 40, 7, 7},
                      .tier = TIER_T1,
                      .family = FAMILY_NORMAL,
                      .out_dtype = IFN_DTYPE_F32,
                      .seed = seed};
    if (whole && whole->kind == WHOLE_COMPUTES && op != IFN_OP_SWIGLU)
        c.dim[0] = 400;
    if (op == IFN_OP_COPY_CONTIGUOUS_INTO)
        c.dim[1] = 90;
    return c;
}

/* Bytes of the longest tensor, and of the shortest input that is no scalar. */
typedef struct extent {
    int64_t longest, shortest;
} extent;

static extent extent_of(const conform_case *c)
{
    conform_layout l = {0};
    extent e = {0, INT64_MAX};
    assert_int_equal(conform_case_layout(c, &l), IFN_OK);
    for (int i = 0; i < l.n; i++) {
        const int64_t bytes = (int64_t)l.t[i].bytes;
        e.longest = bytes > e.longest ? bytes : e.longest;
        if (bytes > 64 && bytes < e.shortest)
            e.shortest = bytes;
    }
    return e;
}

/* What is compared on each side of a border is a piece of memory of that size. */
enum { NEAR = 1 << 17 };

TEST(a_long_call_has_a_number_of_elements_that_no_float_holds)
{
    EACH(w, op)
    for (uint64_t seed = 1; seed < 100; seed++) {
        const conform_case home = home_of(op, seed);
        const conform_case far = conform_far_whole_case(w, &home, FAR_LONG, 1);
        const int64_t rows = op == IFN_OP_COPY_ROW_2D ? 2 : 1;
        const int64_t n = extent_of(&far).shortest / rows / (int64_t)w->element_bytes;
        assert_in_range(n - (1 << 24), 3 << 10, NEAR);
        assert_int_equal(n % 2, 1);
    }
}

/* Returns false on 32-bit machines: the bytes of a layout's tensor are a size_t. */
static bool has_such_sizes(void)
{
    return SIZE_MAX > UINT32_MAX;
}

TEST(a_huge_call_ends_some_pages_after_2_to_the_32_bytes)
{
    if (!has_such_sizes())
        skip();
    EACH(w, op)
    for (uint64_t seed = 1; seed < 100; seed++) {
        const conform_case home = home_of(op, seed);
        const conform_case far = conform_far_whole_case(w, &home, FAR_HUGE, 1);
        const extent e = extent_of(&far);
        const int64_t shortest = op == IFN_OP_CONCAT_DIM0 ? INT64_C(1) << 31 : INT64_C(1) << 32;
        assert_in_range(e.shortest - shortest, 3 << 12, NEAR);
        assert_true(e.longest <= (op == IFN_OP_CONCAT_DIM0 ? INT64_C(7) << 30 : INT64_C(5) << 30));
        assert_true(far.dim[0] <= INT32_MAX || w->kind != WHOLE_SEARCHES);
    }
}

/* Every input passes 2^31 bytes, each of the joined matrices too. */
TEST(a_great_call_passes_2_to_the_31_bytes_in_every_tensor)
{
    if (!has_such_sizes())
        skip();
    EACH(w, op)
    for (uint64_t seed = 1; seed < 100 && w->is_cut; seed++) {
        const conform_case home = home_of(op, seed);
        const conform_case far = conform_far_whole_case(w, &home, FAR_GREAT, 1);
        assert_in_range(extent_of(&far).shortest - (INT64_C(1) << 31), 3 << 12, NEAR);
    }
}

TEST(a_share_of_a_call_is_as_much_less)
{
    EACH(w, op)
    for (far_size size = FAR_LONG; size < (has_such_sizes() ? FAR_SIZES : FAR_GREAT); size++) {
        const conform_case home = home_of(op, 3);
        const conform_case all = conform_far_whole_case(w, &home, size, 1),
                           some = conform_far_whole_case(w, &home, size, 64);
        assert_in_range(extent_of(&all).longest / extent_of(&some).longest, 40, 65);
    }
}

/* --- what is moved --- */

/* Compares with the oracle element by element, at small sizes. */
static void expect_moves(conform_case c)
{
    conform_layout l = {0};
    assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
    const int out = conform_tensor_index(&l, c.op == IFN_OP_COPY_OUT ? "host" : "out");
    const int64_t n = l.t[out].rows * l.t[out].cols;
    for (int64_t at = 0; at < n;) {
        const far_moved m = conform_far_moved(&c, at);
        assert_in_range(m.n, 1, n - at);
        if (m.in) {
            const conform_tensor *const in = &l.t[conform_tensor_index(&l, m.in)];
            assert_in_range(m.from + m.n, 1, in->rows * in->cols);
        }
        at += m.n;
    }
}

static far_moved moved(ifn_op op, const int64_t dim[CONFORM_MAX_DIMS], int64_t at)
{
    conform_case c = home_of(op, 1);
    memcpy(c.dim, dim, sizeof c.dim);
    expect_moves(c);
    return conform_far_moved(&c, at);
}

static void expect(far_moved got, const char *in, int64_t from, int64_t n)
{
    if (in)
        assert_string_equal(got.in, in);
    else
        assert_null(got.in);
    assert_int_equal(got.from, from);
    assert_int_equal(got.n, n);
}

#define DIM(...) ((const int64_t[CONFORM_MAX_DIMS]){__VA_ARGS__})

TEST(each_element_comes_from_somewhere_or_stays)
{
    expect(moved(IFN_OP_COPY_IN, DIM(9), 4), "host", 4, 5);
    expect(moved(IFN_OP_COPY_OUT, DIM(9), 0), "x", 0, 9);
    expect(moved(IFN_OP_RESHAPE_DATA, DIM(3, 5), 7), "x", 7, 8);
    expect(moved(IFN_OP_CONCAT_DIM0, DIM(2, 3, 4), 7), "a", 7, 1);
    expect(moved(IFN_OP_CONCAT_DIM0, DIM(2, 3, 4), 9), "b", 1, 11);
    expect(moved(IFN_OP_COPY_CONTIGUOUS_INTO, DIM(4, 10, 3), 1), NULL, 0, 2);
    expect(moved(IFN_OP_COPY_CONTIGUOUS_INTO, DIM(4, 10, 3), 5), "x", 2, 2);
    expect(moved(IFN_OP_COPY_CONTIGUOUS_INTO, DIM(4, 10, 3), 7), NULL, 0, 3);
    expect(moved(IFN_OP_COPY_ROW_2D, DIM(2, 3, 4, 1, 2), 0), NULL, 0, 4);
    expect(moved(IFN_OP_COPY_ROW_2D, DIM(2, 3, 4, 1, 2), 5), "x", 9, 3);
}

/* --- which cases have one --- */

TEST(an_op_with_rows_of_its_own_has_none)
{
    assert_null(conform_far_whole_of(IFN_OP_MATMUL));
    assert_null(conform_far_whole_of(IFN_OP_RMS_NORM));
    assert_int_equal(conform_far_whole_classes(IFN_OP_MATMUL, FAR_LONG), 0);
}

/* Hardly a case has such a call by chance, and every case can be given a seed that has it. */
static void expect_to_be_made_due(conform_case c, far_size size)
{
    const conform_stream seeds = conform_stream_of(7, "due");
    const uint32_t classes = conform_far_whole_classes(c.op, size);
    uint64_t next = 0;
    int class = 0, n = 0;
    while (!(classes >> class & 1))
        class ++;
    for (c.seed = 1; c.seed <= 1000; c.seed++)
        n += (conform_far_calls(&c) & ~(unsigned)FAR_CALL_OF_PARTS) != 0;
    assert_in_range(n, 0, 1);
    assert_int_equal(conform_far_classes(&c) & classes, classes);
    assert_true(conform_far_make_due(&c, class, seeds, &next));
    assert_int_equal(conform_far_due(&c) & classes, classes);
    assert_true(next > 0);
    c.tier = TIER_REFUSE;
    assert_false(conform_far_make_due(&c, class, seeds, &next));
}

TEST(a_case_is_made_due)
{
    EACH(w, op)
    for (far_size size = FAR_LONG; size < FAR_SIZES; size++)
        if (conform_far_whole_comes_in(w, size))
            expect_to_be_made_due(home_of(op, 1), size);
}

TEST(what_is_never_cut_passes_both_borders_at_once)
{
    assert_int_equal(conform_far_whole_classes(IFN_OP_COPY_IN, FAR_GREAT), 0);
    assert_int_equal(conform_far_whole_classes(IFN_OP_COPY_IN, FAR_HUGE),
                     1U << FAR_BYTES_31 | 1U << FAR_BYTES_32);
    assert_int_equal(conform_far_whole_classes(IFN_OP_ADD, FAR_HUGE),
                     1U << (FAR_BORDERS + FAR_BYTES_32));
    assert_string_equal(conform_far_way_name(IFN_OP_ADD, 1), "all of n");
    assert_null(conform_far_way_name(IFN_OP_ADD, 2));
}

/* A computed far call repeats the numbers of its case: that takes more than a few, of ordinary size, and no blocks. */
TEST(a_case_of_few_or_odd_numbers_is_none)
{
    const conform_stream seeds = conform_stream_of(7, "due");
    uint64_t next = 0;
    const int class = FAR_BORDERS + FAR_ELEMENTS_24;
    conform_case few = home_of(IFN_OP_SWIGLU, 1), odd = few, blocks = few;
    few.dim[0] = 3;
    odd.family = FAMILY_ZEROS;
    blocks.dim[1] = 64;
    blocks.out_dtype = IFN_DTYPE_Q8_32F;
    assert_false(conform_far_make_due(&few, class, seeds, &next));
    assert_false(conform_far_make_due(&odd, class, seeds, &next));
    assert_false(conform_far_make_due(&blocks, class, seeds, &next));
    assert_int_equal(next, 0);
}
