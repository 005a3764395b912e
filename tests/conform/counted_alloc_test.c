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
