#include "cpu_streams.h"

#include "cpu_priv.h"
#include "test.h"

TEST(processors_that_follow_a_stream_are_known_by_their_vendor)
{
    assert_true(ifn_cpu_vendor_follows_streams("AuthenticAMD"));
    assert_true(ifn_cpu_vendor_follows_streams("HygonGenuine"));
    assert_false(ifn_cpu_vendor_follows_streams("GenuineIntel"));
    assert_false(ifn_cpu_vendor_follows_streams("AuthenticAMd"));
}

TEST(the_answer_is_this_processors_until_another_is_assumed)
{
    const bool own = ifn_cpu_follows_streams_x86();
    assert_true(ifn_cpu_follows_streams() == own);
    assert_true(ifn_cpu_follows_streams() == own);
    ifn_cpu_assume_follows_streams(!own);
    assert_true(ifn_cpu_follows_streams() == !own);
    ifn_cpu_assume_follows_streams(own);
    assert_true(ifn_cpu_follows_streams() == own);
}
