#include "bytes.h"

#include "test.h"

TEST(loads_are_little_endian_at_any_address)
{
    const uint8_t bytes[] = {0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
    assert_int_equal(ifn_load_u16le(bytes + 1), 0x0201);
    assert_int_equal(ifn_load_u32le(bytes + 1), 0x04030201);
    assert_true(ifn_load_u64le(bytes + 1) == 0x8807060504030201ull);
}

TEST(floats_keep_their_bits)
{
    const uint8_t one[] = {0, 0, 0x80, 0x3f}, two[] = {0, 0, 0, 0, 0, 0, 0, 0x40};
    assert_true(ifn_load_f32le(one) == 1.0f);
    assert_true(ifn_load_f64le(two) == 2.0);
}

TEST(stores_are_what_loads_read)
{
    uint8_t room[9] = {0};
    ifn_store_u16le(room + 1, 0xbeef);
    assert_int_equal(ifn_load_u16le(room + 1), 0xbeef);
    ifn_store_u32le(room + 1, 0xdeadbeef);
    assert_true(ifn_load_u32le(room + 1) == 0xdeadbeef);
    ifn_store_u64le(room + 1, 0x0123456789abcdefull);
    assert_true(ifn_load_u64le(room + 1) == 0x0123456789abcdefull);
    assert_int_equal(room[0], 0);
    assert_int_equal(room[1], 0xef);
}
