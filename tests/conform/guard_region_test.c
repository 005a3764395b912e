#include "guard_region.h"

#include <string.h>
#include <unistd.h>

#include "fatal.h"
#include "test.h"

enum { MANY = 40 };

static size_t page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void expect_guarded(const guard_region *r)
{
    assert_false(is_fatal(r->body, 1));
    assert_false(is_fatal(r->body + r->body_bytes - 1, 1));
    assert_true(is_fatal(r->body - 1, 0));
    assert_true(is_fatal(r->body + r->body_bytes, 0));
    assert_true(is_fatal(r->body - GUARD_PROTECTED, 0));
    assert_true(is_fatal(r->body + r->body_bytes + GUARD_PROTECTED - 1, 0));
}

TEST(what_is_closed_cannot_be_touched)
{
    const size_t sizes[] = {1, page(), 3 * page(), 100 * page(), 1000 * page()};
    for (size_t i = 0; i < N_OF(sizes); i++) {
        guard_region r;
        assert_true(guard_region_open(&r, sizes[i]));
        expect_guarded(&r);
        memset(r.body, 1, r.body_bytes);
        unsigned char *const first = r.body, *const last = r.body + r.body_bytes - 1;
        guard_region_close(&r);
        assert_null(r.map);
        assert_true(is_fatal(first, 0));
        assert_true(is_fatal(last, 0));
    }
}

/* Opens a smaller region in the memory of a larger one: the rest of that memory is protected. */
TEST(one_that_is_opened_again_is_as_large_as_asked)
{
    const size_t large = 8 * page();
    guard_region r;
    for (size_t bytes = large; bytes > 4 * page(); bytes -= page()) {
        assert_true(guard_region_open(&r, bytes));
        assert_int_equal(r.body_bytes, bytes);
        assert_int_equal(r.dirty_bytes, 0);
        assert_false(r.is_read_only);
        expect_guarded(&r);
        guard_region_close(&r);
    }
}

TEST(many_at_once_have_memory_of_their_own)
{
    guard_region r[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            assert_true(guard_region_open(&r[i], 2 * page()));
            memset(r[i].body, i, r[i].body_bytes);
        }
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(r[i].body[0], i);
            assert_int_equal(r[i].body[r[i].body_bytes - 1], i);
        }
        for (int i = 0; i < MANY; i++)
            guard_region_close(&r[i]);
    }
}

TEST(memory_is_not_taken_anew)
{
    const unsigned char *maps[MANY];
    guard_region r;
    int n_seen = 0;
    for (int i = 0; i < MANY; i++) {
        assert_true(guard_region_open(&r, 2 * page()));
        maps[i] = r.map;
        for (int j = 0; j < i; j++)
            if (maps[j] == maps[i]) {
                n_seen++;
                break;
            }
        guard_region_close(&r);
    }
    assert_in_range(n_seen, MANY / 2, MANY - 1);
}
