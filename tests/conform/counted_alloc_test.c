#include "counted_alloc.h"

#include <stdint.h>
#include <string.h>

#include "test.h"

TEST(requests_are_counted_and_served)
{
    const ifn_allocator *const a = conform_counted_allocator();
    const int64_t before = conform_counted_requests();
    char *p = a->alloc(a->cookie, 4, 64);
    assert_true(p && (uintptr_t)p % 64 == 0);
    memcpy(p, "abc", 4);
    p = a->resize(a->cookie, p, 4, 100, 64);
    assert_string_equal(p, "abc");
    a->free(a->cookie, p, 100);
    assert_int_equal(conform_counted_requests() - before, 2);
}

TEST(another_size_given_back_is_told_once)
{
    const ifn_allocator *const a = conform_counted_allocator();
    size_t asked = 1, given = 1;
    unsigned char *p = a->alloc(a->cookie, 100, 4096);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 4096, 0);
    memset(p, 7, 100);
    p = a->resize(a->cookie, p, 100, 300, 64);
    assert_non_null(p);
    assert_int_equal(p[99], 7);
    a->free(a->cookie, p, 300);
    a->free(a->cookie, NULL, 0);
    assert_false(conform_counted_mismatch(&asked, &given));
    p = a->alloc(a->cookie, 100, 1);
    a->free(a->cookie, p, 96);
    assert_true(conform_counted_mismatch(&asked, &given));
    assert_true(asked == 100 && given == 96);
    assert_false(conform_counted_mismatch(&asked, &given));
}
