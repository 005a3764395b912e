#include "slabs.h"

#include <pthread.h>
#include <string.h>

#include <inferno/huge_pages.h>

#include "alloc_priv.h"
#include "test.h"

/* An allocator that counts, and has no more than `most` bytes. */
typedef struct counted {
    size_t bytes, most;
    int n;
} counted;

static void *counted_alloc(void *cookie, size_t bytes, size_t align)
{
    counted *const c = cookie;
    const ifn_allocator *const heap = ifn_default_allocator();
    if (bytes > c->most - c->bytes)
        return NULL;
    c->bytes += bytes;
    c->n++;
    return heap->alloc(heap->cookie, bytes, align);
}

static void counted_free(void *cookie, void *p, size_t bytes)
{
    counted *const c = cookie;
    const ifn_allocator *const heap = ifn_default_allocator();
    if (!p)
        return;
    c->bytes -= bytes;
    c->n--;
    heap->free(heap->cookie, p, bytes);
}

static ifn_allocator allocator_of(counted *c)
{
    return (ifn_allocator){.alloc = counted_alloc, .free = counted_free, .cookie = c};
}

enum { MIB = 1 << 20 };

TEST(blocks_lie_side_by_side_and_keep_what_is_theirs)
{
    counted c = {.most = SIZE_MAX};
    const ifn_allocator alloc = allocator_of(&c);
    ifn_slabs *const slabs = ifn_slabs_open(&alloc);
    unsigned char *const large = ifn_slabs_take(slabs, &alloc, 6 * MIB), *blocks[5];
    assert_true(c.bytes < 7 * MIB); /* the first is alone */
    for (int i = 0; i < 5; i++) {
        blocks[i] = ifn_slabs_take(slabs, &alloc, MIB + i);
        assert_int_equal((uintptr_t)blocks[i] % IFN_ALIGN, 0);
        memset(blocks[i], i + 1, MIB + i);
    }
    assert_int_equal(c.n, 3); /* what keeps them, and two slabs */
    assert_true(blocks[4] > blocks[0] && blocks[4] < blocks[0] + 5 * MIB);
    for (int i = 0; i < 5; i++)
        assert_true(blocks[i][0] == i + 1 && blocks[i][MIB + i - 1] == i + 1);
    for (int i = 0; i < 5; i++)
        ifn_slabs_give(slabs, blocks[i]);
    ifn_slabs_give(slabs, large);
    ifn_slabs_close(slabs);
    assert_int_equal(c.n, 0);
}

TEST(a_slab_goes_with_its_last_block_and_not_before)
{
    counted c = {.most = SIZE_MAX}, other = {.most = SIZE_MAX};
    const ifn_allocator alloc = allocator_of(&c), elsewhere = allocator_of(&other);
    ifn_slabs *const slabs = ifn_slabs_open(&alloc);
    void *const first = ifn_slabs_take(slabs, &alloc, 5 * MIB);
    void *const a = ifn_slabs_take(slabs, &alloc, 3 * MIB);
    void *const b = ifn_slabs_take(slabs, &alloc, MIB);
    void *const d = ifn_slabs_take(slabs, &elsewhere, MIB);
    assert_true(c.n == 3 && other.n == 1);
    ifn_slabs_give(slabs, first);
    ifn_slabs_give(slabs, a);
    assert_int_equal(c.n, 2);
    memset(b, 1, MIB);
    ifn_slabs_give(slabs, b);
    assert_true(c.n == 1 && other.n == 1);
    ifn_slabs_give(slabs, d);
    ifn_slabs_close(slabs);
    ifn_slabs_close(NULL);
    assert_true(c.n == 0 && other.n == 0);
}

TEST(no_memory_is_null_and_leaves_nothing)
{
    counted c = {.most = 4096};
    const ifn_allocator alloc = allocator_of(&c);
    ifn_slabs *slabs = ifn_slabs_open(&alloc);
    assert_null(ifn_slabs_take(slabs, &alloc, MIB));
    assert_null(ifn_slabs_take(slabs, &alloc, SIZE_MAX));
    assert_null(ifn_slabs_take(slabs, &alloc, SIZE_MAX - IFN_HUGE_PAGE));
    assert_int_equal(c.n, 1);
    ifn_slabs_close(slabs);
    c.most = 0;
    assert_null(ifn_slabs_open(&alloc));
    assert_int_equal(c.n, 0);
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
