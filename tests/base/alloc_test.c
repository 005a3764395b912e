#include "alloc_priv.h"

#include <string.h>

#include "fail_alloc.h"
#include "test.h"

TEST(the_default_allocator_honours_every_alignment)
{
    const ifn_allocator *a = ifn_allocator_or_default(NULL);
    for (size_t align = 1; align <= 4096; align *= 2) {
        void *p = a->alloc(a->cookie, 100, align);
        assert_non_null(p);
        assert_true((uintptr_t)p % align == 0);
        memset(p, 7, 100);
        p = a->resize(a->cookie, p, 100, 1000, align);
        assert_non_null(p);
        assert_true((uintptr_t)p % align == 0);
        for (int i = 0; i < 100; i++)
            assert_int_equal(((unsigned char *)p)[i], 7);
        a->free(a->cookie, p, 1000);
    }
    a->free(a->cookie, NULL, 0);
    void *fresh = a->resize(a->cookie, NULL, 0, 10, 64);
    assert_non_null(fresh);
    a->free(a->cookie, fresh, 10);
}

TEST(an_impossible_request_is_null)
{
    const ifn_allocator *a = ifn_default_allocator();
    assert_null(a->alloc(a->cookie, SIZE_MAX - 7, 64));
    assert_null(ifn_alloc_array(a, SIZE_MAX / 2, 3));
}

TEST(arrays_go_through_the_hook)
{
    fail_alloc counting;
    fail_alloc_init(&counting, -1);
    const ifn_allocator *a = ifn_allocator_or_default(&counting.allocator);
    int *zeroed = ifn_alloc_zeroed(a, 5, sizeof *zeroed);
    assert_int_equal(counting.live_bytes, 20);
    assert_int_equal(zeroed[4], 0);
    void *empty = ifn_alloc_array(a, 0, 8);
    assert_non_null(empty);
    ifn_free_array(a, zeroed, 5, sizeof *zeroed);
    ifn_free_array(a, empty, 0, 8);
    ifn_free_array(a, NULL, 3, 8);
    assert_int_equal(counting.live_bytes, 0);
    assert_int_equal(counting.live_blocks, 0);
}

static size_t latest_align;

static void *note_align(void *cookie, size_t bytes, size_t align)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    latest_align = align;
    return own->alloc(own->cookie, bytes, align);
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    own->free(own->cookie, p, bytes);
}

/* The size of a type that is aligned to a cache line is a multiple of it. */
TEST(arrays_of_whole_cache_lines_begin_at_one)
{
    const ifn_allocator a = {.alloc = note_align, .free = give_back};
    static const size_t sizes[] = {64, 192, 4096, 4, 65};
    for (size_t i = 0; i < N_OF(sizes); i++) {
        void *const p = ifn_alloc_array(&a, 3, sizes[i]);
        assert_non_null(p);
        assert_int_equal(latest_align, sizes[i] % 64 ? _Alignof(max_align_t) : 64);
        ifn_free_array(&a, p, 3, sizes[i]);
    }
}
