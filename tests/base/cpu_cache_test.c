#include "cpu_cache.h"

#include "test.h"

TEST(a_second_level_is_of_some_size_and_stays_as_it_is)
{
    const int64_t bytes = ifn_cpu_l2_bytes();
    assert_true(bytes >= 64 << 10);
    assert_true(bytes <= (int64_t)1 << 30);
    assert_true(ifn_cpu_l2_bytes() == bytes);
}
