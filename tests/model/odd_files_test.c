/* Files that no converter writes, made byte by byte: each is refused, and the message states the reason. */
#include <inferno/model.h>

#include <string.h>

#include "image.h"
#include "test.h"

enum { N_KEYS = 7, N_EMBD = 256, F32 = 0, IQ4_NL = 20 };

/* Begins a llama model of one block; the caller adds n_kv keys, then the tensors. */
static image begin(uint64_t n_tensors, uint64_t n_kv)
{
    image self = image_new(3, n_tensors, N_KEYS + n_kv);
    image_key(&self, "general.architecture", IFN_GGUF_STRING);
    image_string(&self, "llama");
    image_kv_u32(&self, "llama.context_length", 64);
    image_kv_u32(&self, "llama.embedding_length", N_EMBD);
    image_kv_u32(&self, "llama.feed_forward_length", 64);
    image_kv_u32(&self, "llama.block_count", 1);
    image_kv_u32(&self, "llama.attention.head_count", 4);
    image_key(&self, "llama.attention.layer_norm_rms_epsilon", IFN_GGUF_FLOAT32);
    image_u32(&self, 0x3727c5ac); /* 1e-5 */
    return self;
}

static void assert_refused(image *file, ifn_status status, const char *why)
{
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_error err = {0};
    assert_ok(image_open(file, &gguf, &err), err);
    const ifn_status got = ifn_model_open(gguf, NULL, &model, &err);
    assert_null(model);
    assert_that(strstr(err.text, why), "'%s' lacks '%s'", err.text, why);
    assert_int_equal(got, status);
    image_close(gguf);
    image_free(file);
}

TEST(an_array_of_arrays_is_refused_by_its_key)
{
    static char key[100];
    memset(key, 'k', sizeof key - 1);
    const char *const keys[] = {"nested", key};
    const char *const said[] = {"nested: found an array of arrays, expected scalars or strings",
                                "kkkk: found an array of arrays"};
    for (size_t i = 0; i < N_OF(keys); i++) {
        image file = begin(0, 1);
        image_key(&file, keys[i], IFN_GGUF_ARRAY);
        image_u32(&file, IFN_GGUF_ARRAY);
        image_length(&file, 1);
        image_u32(&file, IFN_GGUF_UINT32); /* the inner array is empty */
        image_length(&file, 0);
        assert_refused(&file, IFN_ERR_FORMAT, said[i]);
    }
}

TEST(a_type_without_an_implementation_is_named)
{
    image file = begin(1, 0);
    image_tensor(&file, "token_embd.weight", 2, (const uint64_t[]){N_EMBD, 2}, IQ4_NL, 0);
    image_pad(&file, 32);
    image_zeros(&file, (size_t)2 * N_EMBD / 32 * 18);
    assert_refused(&file, IFN_ERR_UNSUPPORTED, "token_embd.weight: type IQ4_NL is not implemented");
}

/* The image ends at the end of a page, so a byte after its data moves the data to an odd address. */
TEST(elements_at_an_odd_address_are_refused)
{
    for (size_t askew = 1; askew < 4; askew++) {
        image file = begin(1, 1);
        image_kv_u32(&file, "general.alignment", 1);
        image_tensor(&file, "token_embd.weight", 2, (const uint64_t[]){N_EMBD, 2}, F32, 0);
        image_zeros(&file, 2 * N_EMBD * sizeof(float) + askew);
        assert_refused(&file, IFN_ERR_FORMAT, "is not aligned to its F32 elements");
    }
}

TEST(a_vocabulary_that_is_no_list_is_refused)
{
    image file = begin(1, 1);
    image_key(&file, "tokenizer.ggml.tokens", IFN_GGUF_STRING);
    image_string(&file, "a b c");
    image_tensor(&file, "token_embd.weight", 2, (const uint64_t[]){N_EMBD, 2}, F32, 0);
    image_pad(&file, 32);
    image_zeros(&file, 2 * N_EMBD * sizeof(float));
    assert_refused(&file, IFN_ERR_FORMAT, "tokenizer.ggml.tokens: found string, expected array");
}

TEST(an_embedding_of_no_rows_is_refused)
{
    image file = begin(1, 0);
    image_tensor(&file, "token_embd.weight", 1, (const uint64_t[]){N_EMBD}, F32, 0);
    image_pad(&file, 32);
    image_zeros(&file, N_EMBD * sizeof(float));
    assert_refused(&file, IFN_ERR_FORMAT, "token_embd.weight: 0 rows, expected 1 .. 2147483647");
}
