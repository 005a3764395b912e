#include "machine.h"

#include "test.h"

TEST(a_machine_has_memory_and_this_process_holds_some)
{
    assert_true(machine_memory_bytes() > 16u << 20);
    assert_true(machine_peak_rss_bytes() > 64u << 10);
    assert_true(machine_peak_rss_bytes() < machine_memory_bytes());
}
