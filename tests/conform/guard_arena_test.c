#include "guard_arena.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>

#include "fatal.h"
#include "test.h"
#include "this_machine.h"

static const size_t lengths[] = {1, 4, 60, 64, 4092, 4096, 4100, 30000, 400000};

TEST(one_byte_too_far_is_fatal_at_either_end)
{
    guard_arena arena = {0};
    for (size_t i = 0; i < N_OF(lengths); i++) {
        const guard_tensor t = guard_arena_place(&arena, 3, lengths[i], 4, 0);
        assert_true(is_fatal(t.at[PLACE_END] + lengths[i], 0));
        assert_true(is_fatal(t.at[PLACE_START] - 1, 0));
        assert_false(is_fatal(t.at[PLACE_END] + lengths[i] - 1, 1));
        assert_false(is_fatal(t.at[PLACE_START], 1));
    }
    guard_arena_close(&arena);
}

TEST(a_long_tensor_lies_in_one_place_between_protected_pages)
{
    guard_arena arena = {0};
    for (size_t i = 0; i < N_OF(lengths); i++) {
        const guard_tensor t = guard_arena_place_once(&arena, 3, lengths[i], 0, 0);
        int64_t offset;
        assert_ptr_equal(t.at[PLACE_START], t.at[PLACE_END]);
        assert_ptr_equal(t.at[PLACE_FREE], t.at[PLACE_END]);
        assert_true(is_fatal(t.at[PLACE_END] + lengths[i], 0));
        assert_false(is_fatal(t.at[PLACE_END] + lengths[i] - 1, 1));
        memset(t.at[PLACE_END], 0, lengths[i]);
        assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 0);
        t.at[PLACE_END][-1] = 0;
        assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 1);
        assert_int_equal(offset, -1);
    }
    guard_arena_close(&arena);
}

TEST(a_long_tensor_may_end_a_little_before_its_page)
{
    guard_arena arena = {0};
    const size_t gap = 12;
    const guard_tensor t = guard_arena_place_once(&arena, 3, 5000, gap, 0);
    int64_t offset;
    assert_false(is_fatal(t.at[PLACE_END] + 5000 + gap - 1, 0));
    assert_true(is_fatal(t.at[PLACE_END] + 5000 + gap, 0));
    assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 0);
    t.at[PLACE_END][5000 + gap - 1] ^= 1;
    assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 1);
    assert_int_equal(offset, 5000 + gap - 1);
    guard_arena_close(&arena);
}

TEST(nothing_of_an_empty_tensor_may_be_touched)
{
    guard_arena arena = {0};
    const guard_tensor t = guard_arena_place(&arena, 0, 0, 0, 0);
    assert_true(is_fatal(t.at[PLACE_END], 0));
    guard_arena_close(&arena);
}

TEST(inputs_can_be_read_and_not_written)
{
    guard_arena arena = {0};
    guard_tensor t = guard_arena_place(&arena, 1, 100, 0, 0);
    guard_make_read_only(&t);
    for (int place = 0; place < PLACE_COUNT; place++) {
        assert_false(is_fatal(t.at[place], 0));
        assert_true(is_fatal(t.at[place], 1));
    }
    t = guard_arena_place(&arena, 1, 200, 0, 0); /* the next case may write again */
    memset(t.at[PLACE_FREE], 0, 200);
    guard_arena_close(&arena);
}

TEST(the_free_place_has_the_residue_that_was_asked_for)
{
    guard_arena arena = {0};
    for (size_t residue = 0; residue < 64; residue++) {
        const guard_tensor t = guard_arena_place(&arena, 2, 1000, residue, 0);
        assert_int_equal((uintptr_t)t.at[PLACE_FREE] % 64, residue);
    }
    guard_arena_close(&arena);
}

/* Tries every place in turn: a byte before the tensor and one after it, to the ends of the slack. */
TEST(a_byte_beside_a_place_is_found)
{
    guard_arena arena = {0};
    static const int64_t offsets[] = {-1, -8, -GUARD_SLACK, 1000, 1007, 1000 + GUARD_SLACK - 1};
    for (size_t i = 0; i < N_OF(offsets); i++) {
        for (int place = 0; place < PLACE_COUNT; place++) {
            const guard_tensor t = guard_arena_place(&arena, 2, 1000, 20, 0);
            int64_t offset = 12345;
            if ((place == PLACE_START && offsets[i] < 0) || (place == PLACE_END && offsets[i] > 0))
                continue; /* the pages there are protected */
            memset(t.at[place], 0, 1000);
            assert_int_equal(guard_slack_changed(&t, (guard_place)place, &offset), 0);
            t.at[place][offsets[i]] = 0;
            assert_int_equal(guard_slack_changed(&t, (guard_place)place, &offset), 1);
            assert_int_equal(offset, offsets[i]);
        }
    }
    guard_arena_close(&arena);
}

/* The bytes after a tensor are readable at all three places as far as declared and no further, differ between the
 * places, and a write to them is found. */
TEST(what_may_be_overread_is_there_and_no_more)
{
    guard_arena arena = {0};
    static const size_t declared[] = {4, 64, 100, IFN_MAX_OVERREAD};
    for (size_t i = 0; i < N_OF(declared); i++) {
        const guard_tensor t = guard_arena_place(&arena, 1, 1000, 4, declared[i]);
        unsigned char *const end = t.at[PLACE_END] + 1000;
        int64_t offset;
        assert_false(is_fatal(end + declared[i] - 1, 0));
        assert_true(is_fatal(end + declared[i], 0));
        assert_memory_not_equal(end, t.at[PLACE_START] + 1000, 4);
        assert_memory_not_equal(end, t.at[PLACE_FREE] + 1000, 4);
        assert_memory_not_equal(t.at[PLACE_START] + 1000, t.at[PLACE_FREE] + 1000, 4);
        assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 0);
        end[declared[i] - 1] ^= 1;
        assert_int_equal(guard_slack_changed(&t, PLACE_END, &offset), 1);
        assert_int_equal(offset, 1000 + declared[i] - 1);
    }
    guard_arena_close(&arena);
}

TEST(places_do_not_meet)
{
    guard_arena arena = {0};
    for (size_t i = 0; i < N_OF(lengths); i++) {
        const guard_tensor t = guard_arena_place(&arena, 4, lengths[i], 63, 0);
        for (int place = 0; place < PLACE_COUNT; place++)
            memset(t.at[place], place, lengths[i]);
        for (int place = 0; place < PLACE_COUNT; place++) {
            int64_t offset;
            assert_int_equal(guard_slack_changed(&t, (guard_place)place, &offset), 0);
            assert_int_equal(t.at[place][0], place);
            assert_int_equal(t.at[place][lengths[i] - 1], place);
        }
    }
    guard_arena_close(&arena);
}

TEST(a_place_without_memory_comes_back)
{
    static guard_arena arena;
    jmp_buf exhausted;
    arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        guard_arena_place(&arena, 0, TOO_MUCH, 0, 0);
        fail();
    }
    const guard_tensor t = guard_arena_place(&arena, 0, 100, 0, 0); /* this size still fits */
    t.at[PLACE_END][99] = 1;
    guard_arena_close(&arena);
}
