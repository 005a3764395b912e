#include "sha256.h"

#include <string.h>

#include "test.h"

static void assert_sum(const void *data, size_t bytes, const char *expected)
{
    char hex[65];
    sha256_hex(data, bytes, hex);
    assert_string_equal(hex, expected);
}

/* Examples of NIST's CAVP and of FIPS 180-4. */
TEST(published_examples)
{
    assert_sum("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sum("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_sum(two_blocks, strlen(two_blocks),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* 55 bytes are the most that share a block with their length. */
TEST(padding_around_the_end_of_a_block)
{
    char as[64];
    memset(as, 'a', sizeof as);
    assert_sum(as, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    assert_sum(as, 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    assert_sum(as, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}
