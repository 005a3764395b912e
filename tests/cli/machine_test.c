#include "machine.h"

#include "test.h"

TEST(a_machine_has_memory_and_this_process_holds_some)
{
    assert_true(machine_memory_bytes() > 16u << 20);
    assert_true(machine_peak_rss_bytes() > 64u << 10);
    assert_true(machine_peak_rss_bytes() < machine_memory_bytes());
}

TEST(caches_grow_and_tell_where_bytes_lie)
{
    const machine_caches found = machine_find_caches();
    for (int i = 1; i < found.n; i++)
        assert_true(found.at[i - 1].bytes < found.at[i].bytes);
    const machine_caches all = {3, {{"L1", 100}, {"L2", 1000}, {"L3", 10000}}};
    assert_string_equal(machine_memory_of(&all, 100, 1), "L1");
    assert_string_equal(machine_memory_of(&all, 101, 1), "L2");
    assert_string_equal(machine_memory_of(&all, 200, 2), "L1");
    assert_string_equal(machine_memory_of(&all, 4000, 4), "L2");
    assert_string_equal(machine_memory_of(&all, 10000, 4), "L3");
    assert_string_equal(machine_memory_of(&all, 10001, 4), "memory");
    assert_string_equal(machine_memory_of(&(machine_caches){0}, 1, 1), "memory");
}
