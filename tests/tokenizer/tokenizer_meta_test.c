#include "tokenizer_meta.h"

#include <string.h>

#include "test.h"
#include "tiny_gguf.h"

#define KEY(name) "tokenizer.ggml." name

static const char *const tokens[] = {"<unk>", "<s>", "</s>", "a", NULL};
static const float scores[] = {0, 0, 0, 0};

/* Begins a file that has only a vocabulary of four entries. */
static void begin(tiny_gguf *file, const char *model, const char *pre)
{
    tiny_begin(file);
    tiny_put_vocab(file,
                   &(tiny_vocab){.model = model, .pre = pre, .tokens = tokens, .scores = scores});
}

static ifn_warnings warnings; /* of the latest read_meta */

static ifn_status read_meta(tiny_gguf *file, ifn_tokenizer_meta *meta, ifn_error *err)
{
    ifn_vocab vocab;
    const ifn_gguf *gguf = tiny_open(file);
    assert_ok(ifn_vocab_open(&vocab, gguf, ifn_default_allocator(), NULL, err), *err);
    warnings = (ifn_warnings){0};
    const ifn_status status = ifn_tokenizer_meta_read(meta, gguf, &vocab, &warnings, err);
    ifn_vocab_close(&vocab);
    tiny_end(file);
    return status;
}

static ifn_tokenizer_meta expect_meta(tiny_gguf *file)
{
    ifn_tokenizer_meta meta;
    ifn_error err;
    assert_ok(read_meta(file, &meta, &err), err);
    return meta;
}

static void expect_refused(tiny_gguf *file, ifn_status expected, const char *key, const char *found)
{
    ifn_tokenizer_meta meta;
    ifn_error err;
    assert_int_equal(read_meta(file, &meta, &err), expected);
    assert_that(strstr(err.text, key) && strstr(err.text, found), "'%s' lacks '%s' or '%s'",
                err.text, key, found);
}

TEST(sentencepiece_has_defaults)
{
    tiny_gguf file;
    begin(&file, "llama", NULL);
    const ifn_tokenizer_meta meta = expect_meta(&file);
    assert_null(meta.pre);
    assert_int_equal(meta.unknown, 0);
    assert_int_equal(meta.bos, 1);
    assert_int_equal(meta.eos, 2);
    assert_int_equal(meta.end_of_turn, IFN_TOKEN_NONE);
    assert_int_equal(meta.end_of_message, IFN_TOKEN_NONE);
    assert_true(meta.add_bos && !meta.add_eos && meta.space_prefix);
}

TEST(byte_level_has_no_default_ids)
{
    tiny_gguf file;
    begin(&file, "gpt2", "qwen2");
    const ifn_tokenizer_meta meta = expect_meta(&file);
    assert_string_equal(meta.pre->names[0], "qwen2");
    assert_int_equal(meta.bos, IFN_TOKEN_NONE);
    assert_int_equal(meta.eos, IFN_TOKEN_NONE);
    assert_int_equal(meta.unknown, IFN_TOKEN_NONE);
    assert_false(meta.add_bos || meta.add_eos || meta.space_prefix);
}

TEST(llama3_adds_bos_unless_told)
{
    tiny_gguf file;
    begin(&file, "gpt2", "llama-bpe");
    tiny_u32(&file, KEY("bos_token_id"), 1);
    assert_true(expect_meta(&file).add_bos);
    begin(&file, "gpt2", "llama3");
    assert_false(expect_meta(&file).add_bos); /* the vocabulary has no BOS */
    begin(&file, "gpt2", "llama3");
    tiny_u32(&file, KEY("bos_token_id"), 1);
    tiny_bool(&file, KEY("add_bos_token"), 0);
    assert_false(expect_meta(&file).add_bos);
    begin(&file, "gpt2", "gpt-2");
    tiny_u32(&file, KEY("bos_token_id"), 1);
    assert_false(expect_meta(&file).add_bos);
    begin(&file, "gpt2", "gpt-2");
    tiny_u32(&file, KEY("bos_token_id"), 1);
    tiny_bool(&file, KEY("add_bos_token"), 1);
    assert_true(expect_meta(&file).add_bos);
}

TEST(no_name_of_a_rule_means_default)
{
    tiny_gguf file;
    begin(&file, "gpt2", NULL);
    assert_string_equal(expect_meta(&file).pre->names[0], "default");
    begin(&file, "gpt2", "");
    assert_string_equal(expect_meta(&file).pre->names[0], "default");
    begin(&file, "llama", "anything"); /* SentencePiece splits no words */
    assert_null(expect_meta(&file).pre);
}

TEST(ids_of_all_ones_are_none)
{
    tiny_gguf file;
    begin(&file, "llama", NULL);
    tiny_u32(&file, KEY("bos_token_id"), 0xffffffff);
    tiny_i32(&file, KEY("eos_token_id"), -1);
    tiny_u32(&file, KEY("unknown_token_id"), UINT32_MAX);
    tiny_u32(&file, KEY("eot_token_id"), 3);
    tiny_u32(&file, KEY("eom_token_id"), 2);
    const ifn_tokenizer_meta meta = expect_meta(&file);
    assert_int_equal(meta.bos, IFN_TOKEN_NONE);
    assert_int_equal(meta.eos, IFN_TOKEN_NONE);
    assert_int_equal(meta.unknown, IFN_TOKEN_NONE);
    assert_int_equal(meta.end_of_turn, 3);
    assert_int_equal(meta.end_of_message, 2);
    assert_false(meta.add_bos);
}

/* llama.cpp only warns of such an id, and takes another token. */
TEST(ids_outside_the_vocabulary_are_refused_where_they_count)
{
    static const char *const keys[] = {KEY("bos_token_id"), KEY("eos_token_id"),
                                       KEY("unknown_token_id"), KEY("eot_token_id"),
                                       KEY("eom_token_id")};
    for (size_t i = 0; i < N_OF(keys); i++) {
        tiny_gguf file;
        begin(&file, "llama", NULL);
        tiny_u32(&file, keys[i], 4);
        expect_refused(&file, IFN_ERR_FORMAT, keys[i], "found 4, expected 0 .. 3, or -1 for none");
    }
}

static void expect_warning(tiny_gguf *file, const char *text)
{
    (void)expect_meta(file);
    assert_int_equal(warnings.n, 1);
    assert_string_equal(warnings.lines[0].text, text);
}

TEST(what_changes_no_answer_is_warned_of)
{
    static const int32_t types[] = {2, 3, 3, 1};
    const tiny_vocab vocab = {.model = "gpt2", .pre = "qwen2", .tokens = tokens, .types = types};
    tiny_gguf file;
    begin(&file, "gpt2", "qwen2");
    (void)expect_meta(&file);
    assert_int_equal(warnings.n, 0);
    begin(&file, "gpt2", NULL);
    expect_warning(&file,
                   KEY("pre") ": missing, taken as default; models of today name their rule");
    begin(&file, "gpt2", "");
    expect_warning(&file, KEY("pre") ": empty, taken as default; models of today name their rule");
    begin(&file, "gpt2", "qwen2"); /* which adds no BOS */
    tiny_u32(&file, KEY("bos_token_id"), 9);
    expect_warning(&file, KEY("bos_token_id") ": found 9, expected 0 .. 3; taken as none");
    tiny_begin(&file);
    tiny_put_vocab(&file, &vocab);
    tiny_u32(&file, KEY("eos_token_id"), 3);
    expect_warning(&file, KEY("eos_token_id") ": token 3, 'a', is of type 1, expected 3, control");
    tiny_begin(&file);
    tiny_put_vocab(&file, &vocab);
    tiny_u32(&file, KEY("eos_token_id"), 2);
    (void)expect_meta(&file);
    assert_int_equal(warnings.n, 0);
}

TEST(defaults_out_of_range_are_none)
{
    const char *const one[] = {"a", NULL};
    tiny_gguf file;
    tiny_begin(&file);
    tiny_put_vocab(&file, &(tiny_vocab){.model = "llama", .tokens = one, .scores = scores});
    const ifn_tokenizer_meta meta = expect_meta(&file);
    assert_int_equal(meta.unknown, 0);
    assert_int_equal(meta.bos, IFN_TOKEN_NONE);
    assert_int_equal(meta.eos, IFN_TOKEN_NONE);
    assert_false(meta.add_bos);
}

TEST(flags_are_read)
{
    tiny_gguf file;
    begin(&file, "llama", NULL);
    tiny_bool(&file, KEY("add_bos_token"), 0);
    tiny_bool(&file, KEY("add_eos_token"), 1);
    tiny_bool(&file, KEY("add_space_prefix"), 0);
    const ifn_tokenizer_meta meta = expect_meta(&file);
    assert_true(!meta.add_bos && meta.add_eos && !meta.space_prefix);
}

TEST(what_is_unknown_is_refused_with_what_is_known)
{
    tiny_gguf file;
    begin(&file, "t5", NULL);
    expect_refused(&file, IFN_ERR_UNSUPPORTED, KEY("model"), "found 't5', expected gpt2 or llama");
    begin(&file, "gpt2", "tekken");
    expect_refused(&file, IFN_ERR_UNSUPPORTED, KEY("pre"), "found 'tekken', expected default");
    begin(&file, "gpt2", "tekken");
    expect_refused(&file, IFN_ERR_UNSUPPORTED, "llama-bpe", "smollm");
}

TEST(what_is_wrong_is_refused_by_key)
{
    tiny_gguf file;
    begin(&file, NULL, NULL);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("model"), "nothing");
    begin(&file, "llama", NULL);
    tiny_string(&file, KEY("bos_token_id"), "<s>");
    expect_refused(&file, IFN_ERR_FORMAT, KEY("bos_token_id"), "string");
    begin(&file, "llama", NULL);
    tiny_i32(&file, KEY("eos_token_id"), -2);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("eos_token_id"), "-2");
    begin(&file, "llama", NULL);
    tiny_u32(&file, KEY("add_bos_token"), 1);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("add_bos_token"), "u32");
    begin(&file, "gpt2", "gpt-2");
    tiny_bool(&file, KEY("add_bos_token"), 1);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("add_bos_token"), KEY("bos_token_id"));
    begin(&file, "gpt2", "gpt-2");
    tiny_bool(&file, KEY("add_eos_token"), 1);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("add_eos_token"), KEY("eos_token_id"));
    tiny_begin(&file);
    tiny_put_vocab(&file, &(tiny_vocab){.model = "gpt2", .tokens = tokens});
    tiny_u32(&file, KEY("pre"), 1);
    expect_refused(&file, IFN_ERR_FORMAT, KEY("pre"), "u32");
}
