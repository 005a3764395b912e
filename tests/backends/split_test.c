#include "split.h"

#include <string.h>

#include "legal_calls.h"
#include "op_split.h"
#include "seeing.h"
#include "test.h"

/* The granule of the leaf below, for each axis. */
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

static void cover(ifn_op op, const ifn_call *part, ifn_range ranges[2])
{
    for (int axis = 0; axis < 2; axis++)
        ranges[axis] = all_if_zero(ifn_op_get_part(op, part, axis), ifn_op_extent(op, part, axis));
    for (int64_t i = ranges[0].begin; i < ranges[0].end; i++)
        for (int64_t j = ranges[1].begin; j < ranges[1].end; j++)
            covered[i][j]++;
}

/* Counts what parts [begin, end) cover; none is empty. */
static void cover_parts(const ifn_split *split, const ifn_args *args, int32_t begin, int32_t end)
{
    ifn_range ranges[2];
    memset(covered, 0, sizeof covered);
    for (int32_t i = begin; i < end; i++) {
        ifn_args part = *args;
        ifn_split_set_part(split, &part.call, i);
        cover(split->op, &part.call, ranges);
        assert_true(ranges[0].begin < ranges[0].end && ranges[1].begin < ranges[1].end);
    }
}

/* Cuts into n and looks at every part: none empty, together the call. Returns how many. */
static int32_t cut(ifn_backend *leaf, ifn_op op, const ifn_args *args, int32_t n)
{
    ifn_split split;
    ifn_range whole[2];
    const int32_t parts = ifn_split_call(&split, op, &args->call, leaf, n);
    assert_in_range(parts, 1, (uintmax_t)n);
    cover_parts(&split, args, 0, parts);
    unsigned char once[MAX_EXTENT][MAX_EXTENT];
    memcpy(once, covered, sizeof once);
    memset(covered, 0, sizeof covered);
    cover(op, &args->call, whole);
    assert_memory_equal(once, covered, sizeof once);
    return parts;
}

/* Cuts each of at most n parts into at most k: together they are what the part was. */
static void cut_finer(ifn_backend *leaf, ifn_op op, const ifn_args *args, int32_t n, int32_t k)
{
    ifn_split split;
    const int32_t parts = ifn_split_call(&split, op, &args->call, leaf, n);
    ifn_split fine = split;
    const int32_t each = ifn_split_refine(&fine, &args->call, k, 1);
    assert_in_range(each, 1, (uintmax_t)(k > 1 ? k : 1));
    for (int32_t i = 0; i < parts; i++) {
        unsigned char whole[MAX_EXTENT][MAX_EXTENT];
        cover_parts(&split, args, i, i + 1);
        memcpy(whole, covered, sizeof whole);
        cover_parts(&fine, args, i * each, (i + 1) * each);
        assert_memory_equal(whole, covered, sizeof whole);
    }
}

TEST(parts_of_every_op_cover_it_once)
{
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

TEST(finer_parts_are_together_what_each_was)
{
    ifn_backend *const leaf = open_leaf();
    for (int g = 0; g < 5; g++) {
        granules[0] = g;
        granules[1] = 4 - g;
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const ifn_args args = legal_call((ifn_op)op);
            for (int32_t n = 1; n <= 16; n++)
                for (int32_t k = 0; k <= 5; k++)
                    cut_finer(leaf, (ifn_op)op, &args, n, k);
        }
    }
    ifn_backend_close(leaf);
}

static int32_t n_fine(ifn_backend *leaf, ifn_op op, const ifn_args *args, int32_t n, int32_t k,
                      int64_t least)
{
    ifn_split split;
    (void)ifn_split_call(&split, op, &args->call, leaf, n);
    return ifn_split_refine(&split, &args->call, k, least);
}

TEST(finer_parts_have_enough_units)
{
    ifn_backend *const leaf = open_leaf();
    granules[0] = granules[1] = 1;
    const ifn_args add = {.add = IFN_ARGS(add, .n = 40)};
    assert_int_equal(n_fine(leaf, IFN_OP_ADD, &add, 2, 4, 1), 4);
    assert_int_equal(n_fine(leaf, IFN_OP_ADD, &add, 2, 4, 5), 4);
    assert_int_equal(n_fine(leaf, IFN_OP_ADD, &add, 2, 4, 6), 3);
    assert_int_equal(n_fine(leaf, IFN_OP_ADD, &add, 2, 4, 21), 1);
    granules[0] = 10;
    assert_int_equal(n_fine(leaf, IFN_OP_ADD, &add, 2, 4, 1), 2);
    ifn_backend_close(leaf);
}

/* Four query heads share a key head; a row's keys are cut already. */
TEST(heads_that_share_keys_stay_together)
{
    ifn_backend *const leaf = open_leaf();
    granules[0] = granules[1] = 1;
    ifn_args a = {.attention = IFN_ARGS(attention, .rows = 5, .max_pos = 9, .n_heads = 32,
                                        .n_kv_heads = 8, .head_dim = 4)};
    assert_int_equal(n_fine(leaf, IFN_OP_ATTENTION, &a, 2, 4, 1), 4);
    assert_int_equal(n_fine(leaf, IFN_OP_ATTENTION, &a, 2, 3, 1), 2);
    assert_int_equal(n_fine(leaf, IFN_OP_ATTENTION, &a, 8, 4, 1), 1);
    a.attention.phase = IFN_ATTENTION_PARTIALS;
    assert_int_equal(n_fine(leaf, IFN_OP_ATTENTION, &a, 2, 4, 1), 1);
    ifn_backend_close(leaf);
}

static ifn_args matmul(int64_t m, int64_t p)
{
    return (ifn_args){.matmul = IFN_ARGS(matmul, .m = m, .n = 3, .p = p)};
}

TEST(a_call_is_cut_as_often_as_asked_where_it_can)
{
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
TEST(features_are_counted_from_the_start_of_each_weight)
{
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
        ifn_args part = args;
        ifn_split_set_part(&split, &part.call, i);
        assert_int_equal(part.linear.part_begin, borders[i]);
        assert_int_equal(part.linear.part_end, borders[i + 1]);
        assert_int_equal(part.linear.part2_begin, 0);
        assert_int_equal(part.linear.part2_end, 0);
    }
    ifn_backend_close(leaf);
}

/* Along the rows once each thread has enough of them, else along the features. */
TEST(linear_q8_of_many_rows_is_cut_along_them)
{
    static const ifn_tensor w = {.n_dims = 2, .shape = {1024, 32}};
    static const struct {
        int64_t rows;
        ifn_range features, part2; /* of the second part; 0, 0: all */
    } calls[] = {{512, {0, 0}, {256, 512}}, {127, {512, 1024}, {0, 0}}, {1, {512, 1024}, {0, 0}}};
    ifn_backend *const leaf = open_leaf();
    granules[0] = 16;
    granules[1] = 1;
    for (size_t i = 0; i < N_OF(calls); i++) {
        ifn_args args = {.linear_q8 = IFN_ARGS(linear_q8, .rows = calls[i].rows, .k = 32,
                                               .x_stride = 1, .n_w = 1, .w = {&w})};
        ifn_split split;
        assert_int_equal(ifn_split_call(&split, IFN_OP_LINEAR_Q8, &args.call, leaf, 2), 2);
        ifn_split_set_part(&split, &args.call, 1);
        assert_int_equal(args.linear_q8.part_begin, calls[i].features.begin);
        assert_int_equal(args.linear_q8.part_end, calls[i].features.end);
        assert_int_equal(args.linear_q8.part2_begin, calls[i].part2.begin);
        assert_int_equal(args.linear_q8.part2_end, calls[i].part2.end);
    }
    ifn_backend_close(leaf);
}

TEST(a_part_is_cut_inside_itself)
{
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

TEST(parts_differ_by_one_unit_at_most)
{
    ifn_backend *const leaf = open_leaf();
    granules[0] = 1;
    for (int32_t n = 1; n <= 64; n++) {
        ifn_split split;
        const ifn_args add = {.add = IFN_ARGS(add, .n = 1000003)};
        assert_int_equal(ifn_split_call(&split, IFN_OP_ADD, &add.call, leaf, n), n);
        for (int32_t i = 0; i < n && n > 1; i++) {
            ifn_args part = add;
            ifn_split_set_part(&split, &part.call, i);
            const int64_t length = part.add.part_end - part.add.part_begin;
            assert_in_range(length, 1000003 / n, 1000003 / n + 1);
        }
    }
    ifn_backend_close(leaf);
}

/* --- attention along its keys --- */

enum { SCRATCH_BYTES = 1 << 20 };
static _Alignas(64) unsigned char scratch[SCRATCH_BYTES];

/* A query at the last of so many keys. */
static ifn_attention_args decode(int64_t n_heads, int64_t n_kv_heads, int64_t keys)
{
    ifn_attention_args a = IFN_ARGS(attention, .rows = 1, .first_pos = keys - 1, .max_pos = keys,
                                    .n_heads = n_heads, .n_kv_heads = n_kv_heads, .head_dim = 32);
    a.call.scratch = scratch;
    a.call.scratch_bytes = sizeof scratch;
    return a;
}

static void expect_grid(ifn_backend *leaf, const ifn_attention_args *a, int32_t n, int32_t heads,
                        int32_t keys)
{
    ifn_split split;
    ifn_args partials;
    assert_int_equal(ifn_split_keys(&split, &partials, a, leaf, n), heads * keys);
    if (keys == 1)
        return;
    assert_int_equal(split.axes[0].n_parts, heads);
    assert_int_equal(split.axes[1].n_parts, keys);
    assert_int_equal(partials.attention.phase, IFN_ATTENTION_PARTIALS);
    assert_int_equal(cut(leaf, IFN_OP_ATTENTION, &partials, n), heads * keys);
}

TEST(one_row_is_cut_along_its_keys_where_heads_are_too_few)
{
    static const struct {
        int64_t n_heads, n_kv_heads, keys;
        int32_t n, heads, key_parts;
    } want[] = {
        {1, 1, 4096, 8, 1, 8},   {1, 1, 600, 8, 1, 3},  {2, 1, 4096, 2, 1, 2},
        {2, 2, 4096, 2, 1, 1},   {4, 2, 4096, 8, 2, 4}, {16, 8, 4096, 2, 1, 1},
        {16, 8, 4096, 16, 8, 2}, {3, 3, 4096, 7, 3, 2}, {2, 1, 257, 2, 1, 1},
    };
    ifn_backend *const leaf = open_leaf();
    granules[0] = granules[1] = 1;
    for (size_t i = 0; i < N_OF(want); i++) {
        const ifn_attention_args a = decode(want[i].n_heads, want[i].n_kv_heads, want[i].keys);
        expect_grid(leaf, &a, want[i].n, want[i].heads, want[i].key_parts);
    }
    ifn_attention_args some_heads = decode(16, 8, 4096);
    some_heads.part_begin = 4;
    some_heads.part_end = 6;
    expect_grid(leaf, &some_heads, 4, 1, 4);
    granules[1] = 100; /* not along the keys */
    const ifn_attention_args a = decode(1, 1, 4096);
    expect_grid(leaf, &a, 8, 1, 1);
    ifn_backend_close(leaf);
}

TEST(what_has_no_partials_is_not_cut_along_its_keys)
{
    ifn_backend *const leaf = open_leaf();
    granules[0] = granules[1] = 1;
    ifn_attention_args bad[8];
    for (size_t i = 0; i < N_OF(bad); i++)
        bad[i] = decode(1, 1, 4096);
    bad[0].rows = 2;
    bad[1] = decode(1, 1, 256);
    bad[2].phase = IFN_ATTENTION_PARTIALS;
    bad[3].phase = IFN_ATTENTION_MERGE;
    bad[4].n_kv_heads = 0;
    bad[5].n_kv_heads = 2;
    bad[6].call.scratch = NULL;
    bad[7].call.scratch_bytes = 16 * 34 * 4 - 1;
    for (size_t i = 0; i < N_OF(bad); i++)
        expect_grid(leaf, &bad[i], 8, 1, 1);
    for (int64_t n_kv_heads = -1; n_kv_heads < 3;
         n_kv_heads++) { /* illegal: the backend that runs it refuses */
        ifn_split split;
        ifn_attention_args a = decode(1, n_kv_heads, 4096);
        a.phase = IFN_ATTENTION_PARTIALS;
        assert_int_equal(ifn_split_call(&split, IFN_OP_ATTENTION, &a.call, leaf, 8), 8);
    }
    ifn_backend_close(leaf);
}

TEST(partials_lie_behind_the_scratch_that_is_left)
{
    const ifn_limits max = {.max_pos = 4096, .n_heads = 3, .head_dim = 33};
    const size_t bytes = 3 * 16 * 35 * 4, room = ifn_split_partials_bytes(&max);
    ifn_backend *const leaf = open_leaf();
    ifn_attention_args a = decode(3, 1, 4096);
    ifn_split split;
    ifn_args partials;
    granules[0] = granules[1] = 1;
    a.head_dim = 33;
    a.call.scratch_bytes = 640 + room;
    assert_in_range(room, bytes, bytes + 63);
    assert_int_equal(room % 64, 0);
    assert_int_equal(ifn_split_keys(&split, &partials, &a, leaf, 16), 16);
    assert_ptr_equal(partials.attention.partials, scratch + 640);
    assert_ptr_equal(partials.call.scratch, scratch);
    assert_int_equal(partials.call.scratch_bytes, 640);
    a.first_pos = 300; /* fewer keys leave more */
    assert_int_equal(ifn_split_keys(&split, &partials, &a, leaf, 16), 6);
    assert_true((unsigned char *)(partials.attention.partials + 3 * 2 * 35) <=
                scratch + 640 + room);
    assert_true(partials.call.scratch_bytes >= 640);
    assert_ptr_equal(partials.attention.partials, scratch + partials.call.scratch_bytes);
    ifn_backend_close(leaf);
}

TEST(room_for_partials_is_none_or_too_much_where_it_must_be)
{
    const ifn_limits none = {.max_pos = 0, .n_heads = 8, .head_dim = 64};
    const ifn_limits too_much[] = {
        {.max_pos = INT64_MAX, .n_heads = 1024, .head_dim = 64},
        {.max_pos = 1, .n_heads = INT64_MAX, .head_dim = INT64_MAX},
        {.max_pos = 1, .n_heads = 1, .head_dim = INT64_MAX},
        {.max_pos = -1, .n_heads = 1, .head_dim = 1},
    };
    assert_int_equal(ifn_split_partials_bytes(&none), 0);
    for (size_t i = 0; i < N_OF(too_much); i++)
        assert_true(ifn_split_partials_bytes(&too_much[i]) == SIZE_MAX);
}
