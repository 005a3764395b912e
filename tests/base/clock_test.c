#include <inferno/clock.h>

#include <time.h>

#include "test.h"

TEST(time_passes_and_never_runs_backwards)
{
    const uint64_t start = ifn_clock_ns();
    uint64_t last = start;
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = ifn_clock_ns();
        assert_true(now >= last);
        last = now;
    }
    const struct timespec wait = {0, 2000000};
    nanosleep(&wait, NULL);
    assert_true(ifn_clock_ns() - start >= 2000000);
}
