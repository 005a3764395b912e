#include "arch.h"

#include <string.h>

#include "test.h"

static const ifn_arch *find(const char *name)
{
    return ifn_arch_find((ifn_string){name, strlen(name)});
}

TEST(architectures_differ_where_the_papers_say)
{
    assert_int_equal(find("llama")->rope_pairing, IFN_ROPE_INTERLEAVED);
    assert_int_equal(find("qwen2")->rope_pairing, IFN_ROPE_HALF_SPLIT);
    assert_true(find("qwen2")->needs_qkv_bias);
    assert_false(find("qwen2")->has_qk_norm);
    assert_true(find("qwen3")->has_qk_norm);
    assert_false(find("qwen3")->needs_qkv_bias);
}

TEST(other_names_are_no_architecture)
{
    assert_null(find("gpt2"));
    assert_null(find("llam"));
    assert_null(find("llama4"));
    assert_null(find(""));
}

TEST(the_list_names_them_all)
{
    assert_string_equal(ifn_arch_names(), "llama qwen2 qwen3");
}
