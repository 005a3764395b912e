#include "hash64.h"

#include "test.h"

/* Values of the reference implementation for the bytes 0, 1, ... n - 1. */
TEST(hashes_are_those_of_xxh64)
{
    static const struct {
        size_t n;
        uint64_t seed, hash;
    } known[] = {
        {0, 0, 0xef46db3751d8e999},
        {32, 0, 0xcbf59c5116ff32b4},
        {100, 0, 0x6ac1e58032166597},
        {101, 7, 0xe878e9791dbc64fa},
        {47, 0x9e3779b185ebca87, 0xc2ce3e2a9952e3eb},
    };
    uint8_t bytes[101];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < N_OF(known); i++)
        assert_true(ifn_hash64(bytes, known[i].n, known[i].seed) == known[i].hash);
    assert_true(ifn_hash64(NULL, 0, 0) == known[0].hash);
    assert_true(ifn_hash64("a", 1, 0) == 0xd24ec4f1a98c6e5b);
    assert_true(ifn_hash64("abc", 3, 0) == 0x44bc2cf5ad770999);
}

TEST(every_bit_counts_wherever_it_stands)
{
    uint8_t bytes[80] = {0};
    for (size_t n = 1; n <= sizeof bytes; n++) {
        const uint64_t hash = ifn_hash64(bytes, n, 0);
        for (size_t bit = 0; bit < 8 * n; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(ifn_hash64(bytes, n, 0) != hash);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}
