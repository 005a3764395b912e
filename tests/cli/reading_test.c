#include "reading.h"

#include "test.h"

/* The first cache is hardly anywhere slower than memory; where instructions are emulated, both are as fast. */
TEST(a_cache_is_read_no_slower_than_memory)
{
    const double near = reading_bytes_per_second(1, 16 << 10),
                 far = reading_bytes_per_second(1, 128 << 20);
    assert_that(1.5 * near > far && far > 0, "%g and %g bytes per second", near, far);
    assert_true(near < 1e13);
}

TEST(a_share_is_never_nothing)
{
    assert_true(reading_bytes_per_second(2, 1) > 0);
}
