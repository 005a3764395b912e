#include "guard_block.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "fatal.h"
#include "test.h"
#include "this_machine.h"

enum { LINE = 64, HUGE_PAGE = 1 << 21 };

static const struct {
    size_t bytes, align;
} sizes[] = {{1, 1},       {60, 4},        {64, 64},           {100, 64},
             {4096, 64},   {5000, 4096},   {3 * 4096, 8192},   {30000, LINE},
             {100, 65536}, {400000, LINE}, {400064, HUGE_PAGE}};

static guard_block taken(size_t i)
{
    guard_block b;
    assert_non_null(guard_block_take(&b, sizes[i].bytes, sizes[i].align, 0));
    assert_int_equal((uintptr_t)b.data % sizes[i].align, 0);
    return b;
}

/* The protected pages after a block begin at the first aligned address where it can end. */
TEST(beside_it_pages_are_protected)
{
    for (size_t i = 0; i < N_OF(sizes); i++) {
        guard_block b = taken(i);
        const size_t whole =
            (sizes[i].bytes + sizes[i].align - 1) / sizes[i].align * sizes[i].align;
        assert_true(is_fatal(b.data + whole, 0));
        assert_true(is_fatal(b.data + whole + GUARD_PROTECTED - 1, 0));
        assert_true(is_fatal(b.region.body - 1, 0));
        assert_false(is_fatal(b.data, 1));
        assert_false(is_fatal(b.data + sizes[i].bytes - 1, 1));
        guard_block_give_back(&b);
        assert_null(b.data);
    }
}

TEST(it_has_what_may_be_overread)
{
    guard_block b;
    int64_t offset;
    assert_non_null(guard_block_take(&b, 128, 64, 64));
    assert_false(is_fatal(b.data + 191, 0));
    assert_true(is_fatal(b.data + 192, 0));
    assert_int_equal(guard_block_changed(&b, &offset), 0);
    b.data[130] ^= 1;
    assert_int_equal(guard_block_changed(&b, &offset), 1);
    assert_int_equal(offset, 130);
    guard_block_give_back(&b);
}

TEST(a_page_begins_where_it_is_cut)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    static const size_t cuts[] = {0, 64, 4992, 9984};
    for (size_t i = 0; i < N_OF(cuts); i++) {
        guard_block b;
        int64_t offset;
        assert_non_null(guard_block_take_cut(&b, 10000, 64, 0, cuts[i]));
        assert_int_equal(((uintptr_t)b.data + cuts[i]) % page, 0);
        assert_int_equal((uintptr_t)b.data % 64, 0);
        memset(b.data, 1, b.bytes);
        assert_int_equal(guard_block_changed(&b, &offset), 0);
        b.data[b.bytes] ^= 1;
        assert_int_equal(guard_block_changed(&b, &offset), 1);
        guard_block_give_back(&b);
    }
}

TEST(it_is_full_of_nan)
{
    guard_block b = taken(4);
    for (size_t i = 0; i < b.bytes; i += sizeof(float)) {
        float x;
        memcpy(&x, b.data + i, sizeof x);
        assert_true(isnan(x));
    }
    guard_block_give_back(&b);
}

TEST(a_byte_beside_it_is_found)
{
    static const int64_t offsets[] = {-1, -GUARD_SLACK, 100, 127};
    for (size_t i = 0; i < N_OF(offsets); i++) {
        guard_block b = taken(3);
        int64_t offset = 12345;
        memset(b.data, 0, b.bytes);
        assert_int_equal(guard_block_changed(&b, &offset), 0);
        b.data[offsets[i]] = 0;
        assert_int_equal(guard_block_changed(&b, &offset), 1);
        assert_int_equal(offset, offsets[i]);
        guard_block_give_back(&b);
    }
}

TEST(a_write_to_it_can_be_caught_for_a_while)
{
    for (size_t i = 0; i < N_OF(sizes); i++) {
        guard_block b = taken(i);
        assert_true(guard_block_protect(&b, 1));
        assert_true(is_fatal(b.data, 1));
        assert_false(is_fatal(b.data, 0));
        assert_true(guard_block_protect(&b, 0));
        assert_false(is_fatal(b.data, 1));
        guard_block_give_back(&b);
    }
}

TEST(what_no_memory_holds_is_not_had)
{
    guard_block b;
    assert_null(guard_block_take(&b, TOO_MUCH, 64, 0));
    assert_null(guard_block_take(&b, SIZE_MAX - 5, 64, 0));
    assert_null(b.data);
    guard_block_give_back(&b);
}
