#include "cpu_streams.h"

#include "test.h"

TEST(how_a_processor_reads_best_is_known_by_its_vendor_and_family)
{
    enum { ZEN_3_AND_4 = 0x19, ZEN_5 = 0x1a };
    assert_int_equal(ifn_cpu_streams_of("AuthenticAMD", ZEN_3_AND_4), IFN_STREAM_FOLLOWED);
    assert_int_equal(ifn_cpu_streams_of("HygonGenuine", 0x18), IFN_STREAM_FOLLOWED);
    assert_int_equal(ifn_cpu_streams_of("AuthenticAMD", ZEN_5), IFN_STREAM_FETCHED);
    assert_int_equal(ifn_cpu_streams_of("AuthenticAMD", ZEN_5 + 1), IFN_STREAM_FETCHED);
    assert_int_equal(ifn_cpu_streams_of("GenuineIntel", 6), IFN_STREAMS_SEVERAL);
    assert_int_equal(ifn_cpu_streams_of("AuthenticAMd", ZEN_5), IFN_STREAMS_SEVERAL);
}

TEST(the_answer_is_this_processors_until_another_is_assumed)
{
    const ifn_cpu_streams own = ifn_cpu_streams_x86();
    const ifn_cpu_streams other =
        own == IFN_STREAM_FOLLOWED ? IFN_STREAM_FETCHED : IFN_STREAM_FOLLOWED;
    assert_int_equal(ifn_cpu_best_streams(), own);
    assert_int_equal(ifn_cpu_best_streams(), own);
    ifn_cpu_assume_streams(other);
    assert_int_equal(ifn_cpu_best_streams(), other);
    ifn_cpu_assume_streams(own);
    assert_int_equal(ifn_cpu_best_streams(), own);
}
