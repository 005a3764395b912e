#include "split.h"

#include <string.h>

#include "legal_calls.h"
#include "op_split.h"
#include "seeing.h"
#include "test.h"

/* What the leaf below answers, for each axis. */
static int64_t granules[2];

static int64_t granule(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)args;
    return granules[axis];
}

/* A leaf that is cut where the test says. */
static ifn_backend *open_leaf(void)
{
    ifn_backend_desc desc = seeing;
    ifn_backend *self;
    ifn_error err;
    desc.granule = granule;
    assert_ok(ifn_backend_open_desc(&desc, NULL, NULL, NULL, &self, &err), err);
    return self;
}

enum { MAX_EXTENT = 64 };

/* How often each element of the grid of both axes is covered. */
static unsigned char covered[MAX_EXTENT][MAX_EXTENT];

static ifn_range all_if_zero(ifn_range r, int64_t extent)
{
    return ifn_part(r.begin, r.end, extent > 0 ? extent : 1);
}

static void cover(ifn_op op, const ifn_call *piece, ifn_range ranges[2])
{
    for (int axis = 0; axis < 2; axis++)
        ranges[axis] =
            all_if_zero(ifn_op_get_part(op, piece, axis), ifn_op_extent(op, piece, axis));
    for (int64_t i = ranges[0].begin; i < ranges[0].end; i++)
        for (int64_t j = ranges[1].begin; j < ranges[1].end; j++)
            covered[i][j]++;
}

/* Cuts into n and looks at every piece: none empty, together the call. Returns how many. */
static int32_t cut(ifn_backend *leaf, ifn_op op, const ifn_args *args, int32_t n)
{
    ifn_split split;
    ifn_range whole[2], part[2];
    const int32_t pieces = ifn_split_call(&split, op, &args->call, leaf, n);
    assert_in_range(pieces, 1, (uintmax_t)n);
    memset(covered, 0, sizeof covered);
    for (int32_t i = 0; i < pieces; i++) {
        ifn_args piece = *args;
        ifn_split_set_piece(&split, &piece.call, i);
        cover(op, &piece.call, part);
        assert_true(part[0].begin < part[0].end && part[1].begin < part[1].end);
    }
    unsigned char once[MAX_EXTENT][MAX_EXTENT];
    memcpy(once, covered, sizeof once);
    memset(covered, 0, sizeof covered);
    cover(op, &args->call, whole);
    assert_memory_equal(once, covered, sizeof once);
    return pieces;
}

static void pieces_of_every_op_cover_it_once(void **state)
{
    (void)state;
    ifn_backend *const leaf = open_leaf();
    for (int g = 0; g < 5; g++) {
        granules[0] = g;
        granules[1] = 4 - g;
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const ifn_args args = legal_call((ifn_op)op);
            for (int32_t n = 1; n <= 64; n++)
                cut(leaf, (ifn_op)op, &args, n);
        }
    }
    ifn_backend_close(leaf);
}

static ifn_args matmul(int64_t m, int64_t p)
{
    return (ifn_args){.matmul = IFN_ARGS(matmul, .m = m, .n = 3, .p = p)};
}

static void a_call_is_cut_as_often_as_asked_where_it_can(void **state)
{
    (void)state;
    ifn_backend *const leaf = open_leaf();
    granules[0] = granules[1] = 1;
    const ifn_args add = {.add = IFN_ARGS(add, .n = 7)};
    assert_int_equal(cut(leaf, IFN_OP_ADD, &add, 3), 3);
    assert_int_equal(cut(leaf, IFN_OP_ADD, &add, 64), 7);
    const ifn_args square = matmul(6, 6), row = matmul(1, 40), column = matmul(40, 1);
    assert_int_equal(cut(leaf, IFN_OP_MATMUL, &square, 36), 36);
    assert_int_equal(cut(leaf, IFN_OP_MATMUL, &row, 8), 8);
    assert_int_equal(cut(leaf, IFN_OP_MATMUL, &column, 8), 8);
    granules[0] = 40; /* not along the rows */
    assert_int_equal(cut(leaf, IFN_OP_MATMUL, &column, 8), 1);
    assert_int_equal(cut(leaf, IFN_OP_MATMUL, &square, 36), 6);
    const ifn_args copy_in = {.copy_in = IFN_ARGS(copy_in, .bytes = 1000)};
    assert_int_equal(cut(leaf, IFN_OP_COPY_IN, &copy_in, 4), 1);
    ifn_backend_close(leaf);
}

/* Seven features in panels of three, then five: borders 0 3 6 7 10 12. */
static void features_are_counted_from_the_start_of_each_weight(void **state)
{
    (void)state;
    static const ifn_tensor w7 = {.n_dims = 2, .shape = {7, 32}},
                            w5 = {.n_dims = 2, .shape = {5, 32}};
    static const int64_t borders[] = {0, 3, 6, 7, 10, 12};
    ifn_backend *const leaf = open_leaf();
    const ifn_args args = {.linear =
                               IFN_ARGS(linear, .rows = 1, .k = 32, .n_w = 2, .w = {&w7, &w5})};
    granules[0] = 3;
    granules[1] = 1;
    ifn_split split;
    assert_int_equal(ifn_split_call(&split, IFN_OP_LINEAR, &args.call, leaf, 5), 5);
    for (int32_t i = 0; i < 5; i++) {
        ifn_args piece = args;
        ifn_split_set_piece(&split, &piece.call, i);
        assert_int_equal(piece.linear.part_begin, borders[i]);
        assert_int_equal(piece.linear.part_end, borders[i + 1]);
        assert_int_equal(piece.linear.part2_begin, 0);
        assert_int_equal(piece.linear.part2_end, 0);
    }
    ifn_backend_close(leaf);
}

static void a_piece_is_cut_inside_its_part(void **state)
{
    (void)state;
    ifn_backend *const leaf = open_leaf();
    granules[0] = 4;
    ifn_args add = {.add = IFN_ARGS(add, .part_begin = 8, .part_end = 30, .n = 30)};
    assert_int_equal(cut(leaf, IFN_OP_ADD, &add, 64), 6);
    add.add.part_end = 29; /* off the granule */
    assert_int_equal(cut(leaf, IFN_OP_ADD, &add, 64), 1);
    add.add.part_begin = 9;
    add.add.part_end = 30;
    assert_int_equal(cut(leaf, IFN_OP_ADD, &add, 64), 1);
    static const ifn_range outside[] = {{-4, 8}, {8, 4}, {8, 8}, {0, 32}};
    for (size_t i = 0; i < N_OF(outside); i++) {
        ifn_split split;
        add.add.part_begin = outside[i].begin;
        add.add.part_end = outside[i].end;
        assert_int_equal(ifn_split_call(&split, IFN_OP_ADD, &add.call, leaf, 8), 1);
    }
    ifn_backend_close(leaf);
}

static void pieces_differ_by_one_unit_at_most(void **state)
{
    (void)state;
    ifn_backend *const leaf = open_leaf();
    granules[0] = 1;
    for (int32_t n = 1; n <= 64; n++) {
        ifn_split split;
        const ifn_args add = {.add = IFN_ARGS(add, .n = 1000003)};
        assert_int_equal(ifn_split_call(&split, IFN_OP_ADD, &add.call, leaf, n), n);
        for (int32_t i = 0; i < n && n > 1; i++) {
            ifn_args piece = add;
            ifn_split_set_piece(&split, &piece.call, i);
            const int64_t length = piece.add.part_end - piece.add.part_begin;
            assert_in_range(length, 1000003 / n, 1000003 / n + 1);
        }
    }
    ifn_backend_close(leaf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(pieces_of_every_op_cover_it_once),
        RUN(a_call_is_cut_as_often_as_asked_where_it_can),
        RUN(features_are_counted_from_the_start_of_each_weight),
        RUN(a_piece_is_cut_inside_its_part),
        RUN(pieces_differ_by_one_unit_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
