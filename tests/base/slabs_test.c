#include "slabs.h"

#include <pthread.h>
#include <string.h>

#include <inferno/huge_pages.h>

#include "alloc_priv.h"
#include "fail_alloc.h"
#include "test.h"

enum { MIB = 1 << 20 };

TEST(blocks_lie_side_by_side_and_keep_what_is_theirs)
{
    fail_alloc c;
    fail_alloc_init(&c, -1);
    ifn_slabs *const slabs = ifn_slabs_open(&c.allocator);
    unsigned char *const large = ifn_slabs_take(slabs, &c.allocator, 6 * MIB), *blocks[5];
    assert_true(c.live_bytes < 7 * MIB); /* the first block has a slab of its own */
    for (int i = 0; i < 5; i++) {
        blocks[i] = ifn_slabs_take(slabs, &c.allocator, MIB + i);
        assert_int_equal((uintptr_t)blocks[i] % IFN_ALIGN, 0);
        memset(blocks[i], i + 1, MIB + i);
    }
    assert_int_equal(c.live_blocks, 3); /* the list of slabs, and two slabs */
    assert_true(blocks[4] > blocks[0] && blocks[4] < blocks[0] + 5 * MIB);
    for (int i = 0; i < 5; i++)
        assert_true(blocks[i][0] == i + 1 && blocks[i][MIB + i - 1] == i + 1);
    for (int i = 0; i < 5; i++)
        ifn_slabs_give(slabs, blocks[i]);
    ifn_slabs_give(slabs, large);
    ifn_slabs_close(slabs);
    assert_int_equal(c.live_blocks, 0);
}

TEST(a_slab_goes_with_its_last_block_and_not_before)
{
    fail_alloc c, other;
    fail_alloc_init(&c, -1);
    fail_alloc_init(&other, -1);
    ifn_slabs *const slabs = ifn_slabs_open(&c.allocator);
    void *const first = ifn_slabs_take(slabs, &c.allocator, 5 * MIB);
    void *const a = ifn_slabs_take(slabs, &c.allocator, 3 * MIB);
    void *const b = ifn_slabs_take(slabs, &c.allocator, MIB);
    void *const d = ifn_slabs_take(slabs, &other.allocator, MIB);
    assert_true(c.live_blocks == 3 && other.live_blocks == 1);
    ifn_slabs_give(slabs, first);
    ifn_slabs_give(slabs, a);
    assert_int_equal(c.live_blocks, 2);
    memset(b, 1, MIB);
    ifn_slabs_give(slabs, b);
    assert_true(c.live_blocks == 1 && other.live_blocks == 1);
    ifn_slabs_give(slabs, d);
    ifn_slabs_close(slabs);
    ifn_slabs_close(NULL);
    assert_true(c.live_blocks == 0 && other.live_blocks == 0);
}

TEST(no_memory_is_null_and_leaves_nothing)
{
    fail_alloc c;
    fail_alloc_init(&c, 1);
    c.fail_from = 1;
    ifn_slabs *slabs = ifn_slabs_open(&c.allocator);
    assert_null(ifn_slabs_take(slabs, &c.allocator, MIB));
    assert_null(ifn_slabs_take(slabs, &c.allocator, SIZE_MAX));
    assert_null(ifn_slabs_take(slabs, &c.allocator, SIZE_MAX - IFN_HUGE_PAGE));
    assert_int_equal(c.live_blocks, 1);
    ifn_slabs_close(slabs);
    c.fail_at = 0;
    assert_null(ifn_slabs_open(&c.allocator));
    assert_int_equal(c.live_blocks, 0);
}

static void *take_and_give(void *cookie)
{
    for (int i = 0; i < 50; i++) {
        unsigned char *const a = ifn_slabs_take(cookie, ifn_default_allocator(), MIB + 64 * i);
        unsigned char *const b = ifn_slabs_take(cookie, ifn_default_allocator(), MIB);
        a[MIB + 64 * i - 1] = 1;
        b[0] = 2;
        ifn_slabs_give(cookie, a);
        if (b[0] != 2)
            return cookie;
        ifn_slabs_give(cookie, b);
    }
    return NULL;
}

TEST(threads_take_and_give_at_once)
{
    ifn_slabs *const slabs = ifn_slabs_open(ifn_default_allocator());
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, slabs), 0);
    for (int i = 0; i < 3; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    ifn_slabs_close(slabs);
}
