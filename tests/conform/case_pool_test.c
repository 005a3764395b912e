#include "case_pool.h"

#include <string.h>

#include "test.h"

TEST(pieces_are_zeroed_aligned_and_apart)
{
    conform_pool pool;
    conform_pool_init(&pool);
    unsigned char *last = NULL;
    for (size_t n = 1; n < 3000; n += 37) {
        unsigned char *p = conform_pool_take(&pool, n, 3);
        assert_true((uintptr_t)p % 64 == 0);
        for (size_t i = 0; i < 3 * n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, 3 * n);
        assert_true(!last || last[0] == 0xff);
        last = p;
    }
    conform_pool_fini(&pool);
}

TEST(a_reset_pool_hands_out_the_same_memory_zeroed)
{
    conform_pool pool;
    conform_pool_init(&pool);
    unsigned char *first = conform_pool_take(&pool, 100, 1);
    unsigned char *large = conform_pool_take(&pool, 5 << 20, 1);
    memset(first, 1, 100);
    memset(large, 1, 5 << 20);
    conform_pool_reset(&pool);
    assert_ptr_equal(conform_pool_take(&pool, 100, 1), first);
    assert_ptr_equal(conform_pool_take(&pool, 5 << 20, 1), large);
    assert_int_equal(first[99] | large[(5 << 20) - 1], 0);
    conform_pool_fini(&pool);
}

/* Memory taken raw keeps what was in it before; a plain take after it, or after the next reset, still gets zeros. */
TEST(what_is_taken_raw_leaves_zeros_to_others)
{
    conform_pool pool;
    conform_pool_init(&pool);
    unsigned char *const raw = conform_pool_take_raw(&pool, 100, 2);
    memset(raw, 1, 200);
    conform_pool_reset(&pool);
    assert_ptr_equal(conform_pool_take_raw(&pool, 50, 1), raw);
    assert_int_equal(raw[0] & raw[49], 1);
    const unsigned char *const after = conform_pool_take(&pool, 1000, 1);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(after[i], 0);
    conform_pool_fini(&pool);
}

/* Returns 1 if the take finds no memory and jumps back here. */
static int comes_back(conform_pool *pool, size_t count)
{
    jmp_buf exhausted;
    pool->exhausted = &exhausted;
    if (setjmp(exhausted))
        return 1;
    conform_pool_take(pool, count, 8);
    return 0;
}

/* Both kinds of pool, and sizes whose product overflows size_t. */
TEST(a_take_without_memory_comes_back)
{
    conform_pool shared, own;
    conform_pool_init_shared(&shared, 1 << 16);
    assert_true(comes_back(&shared, 1 << 20));
    assert_true(comes_back(&shared, SIZE_MAX / 8));
    assert_true(comes_back(&shared, SIZE_MAX / 2));
    assert_false(comes_back(&shared, 100)); /* a size that fits still succeeds */
    conform_pool_fini(&shared);
    conform_pool_init(&own);
    assert_true(comes_back(&own, SIZE_MAX / 4));
    assert_false(comes_back(&own, 100));
    conform_pool_fini(&own);
}

TEST(a_shared_pool_needs_nothing_set_before)
{
    conform_pool pool;
    memset(&pool, 0xff, sizeof pool);
    conform_pool_init_shared(&pool, 1 << 20);
    assert_null(pool.exhausted);
    conform_pool_fini(&pool);
}
