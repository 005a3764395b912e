/* generate --chat with a pipe as standard input. tests/program/terminal_test.c tests the terminal. */
#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"

#define PHI3 "{{'<|user|>\n' + message['content'] + '<|end|>\n' + '<|assistant|>\n'}}"

/* Returns the path, in static storage, of a small model whose <|end|> ends a turn, with this template; NULL: without
 * a template. */
static const char *model_with(const char *template)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s", temp_path("chat.gguf"));
    rewrite_model(
        small_model("llama"), path,
        template ? &(rewrite){.string_key = "tokenizer.chat_template", .string_value = template}
                 : &(rewrite){0});
    return path;
}

static program chat_list(const char *input, const char *const *argv)
{
    static char in[1024];
    snprintf(in, sizeof in, "%s", temp_path("messages"));
    write_file(in, input, strlen(input));
    return program_run_files(argv, in, NULL);
}
#define CHAT(input, model, ...)                                                                    \
    chat_list(input, (const char *const[]){"inferno", "generate", model, "--chat", __VA_ARGS__,    \
                                           "--ignore-eos", NULL})

static void assert_said(const program *p, const char *text, const char *err)
{
    assert_that(p->status == 0, "exit status %d: %s", p->status, p->err);
    assert_string_equal(p->err, err);
    if (text)
        assert_string_equal(p->out, text);
}

/* Runs generate on the same text: the template's only special token is the end of a turn. */
static program continuation(const char *model, const char *prompt)
{
    return assert_runs("inferno", "generate", model, "-p", prompt, "-n", "6", "--ignore-eos");
}

TEST(a_message_is_answered_as_its_rendering_is_continued)
{
    const char *const model = model_with(PHI3);
    program expected =
        continuation(model, "<|system|>\nBe.<|end|>\n<|user|>\nhello<|end|>\n<|assistant|>\n");
    program p = CHAT("hello\n", model, "-n", "6", "--system", "Be.");
    assert_said(&p, NULL, "");
    assert_int_equal(p.out_bytes, expected.out_bytes);
    assert_memory_equal(p.out, expected.out, p.out_bytes);
    program_free(&p);
    p = CHAT("hello", model_with(NULL), "-n", "6", "--system", "Be.", "--chat-template", "phi3");
    assert_said(&p, NULL, "");
    assert_int_equal(p.out_bytes, expected.out_bytes);
    assert_memory_equal(p.out, expected.out, p.out_bytes);
    program_free(&p);
    program_free(&expected);
}

/* Appends ids to a list for --ids. */
static void append_ids(char *list, size_t room, const json *ids)
{
    for (size_t i = 0; i < ids->n; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, room - used, "%s%d", used ? "," : "", (int)json_int(&ids->items[i]));
    }
}

static void append_text(char *list, size_t room, const char *model, const char *text, int has_bos)
{
    json *d = assert_json("inferno", "tokenize", model, text, "--json",
                          has_bos ? "--no-eos" : "--no-bos");
    append_ids(list, room, json_get(d, "ids"));
    json_free(d);
}

/* Returns the answer to a list of ids, and appends its ids. */
static program answer_to(char *list, size_t room, const char *model)
{
    json *d = assert_json("inferno", "generate", model, "--ids", list, "-n", "6", "--ignore-eos",
                          "--json");
    program p = assert_runs("inferno", "generate", model, "--ids", list, "-n", "6", "--ignore-eos");
    append_ids(list, room, json_get(d, "ids"));
    json_free(d);
    return p;
}

/* Tried with a cache, and with everything recomputed. */
TEST(a_second_turn_goes_on_behind_the_first)
{
    static const char *const caches[] = {"basic", "off"};
    char list[4096] = "";
    const char *const model = model_with(PHI3);
    append_text(list, sizeof list, model, "<|user|>\none<|end|>\n<|assistant|>\n", 1);
    program first = answer_to(list, sizeof list, model);
    append_text(list, sizeof list, model, "<|end|>\n<|user|>\ntwo<|end|>\n<|assistant|>\n", 0);
    program second = answer_to(list, sizeof list, model);
    for (size_t i = 0; i < N_OF(caches); i++) {
        program p = CHAT("one\n\ntwo\r\n", model, "-n", "6", "--kv", caches[i]);
        assert_said(&p, NULL, "");
        assert_int_equal(p.out_bytes, first.out_bytes + second.out_bytes);
        assert_memory_equal(p.out, first.out, first.out_bytes);
        assert_memory_equal(p.out + first.out_bytes, second.out, second.out_bytes);
        program_free(&p);
    }
    program_free(&first);
    program_free(&second);
}

TEST(the_end_of_the_input_ends_the_chat)
{
    program p = CHAT("", model_with(PHI3), "-n", "6");
    assert_said(&p, "", "");
    program_free(&p);
}

TEST(the_end_of_the_context_is_said)
{
    program p = CHAT("a\nb\n", model_with(PHI3), "--ctx", "60");
    assert_said(&p, NULL,
                "inferno: the context of 60 tokens is full, and the conversation over; --ctx gives "
                "it more\n");
    program_free(&p);
}

/* <|begin|> and the template around the message take 26 tokens; each byte of the message takes one. */
TEST(a_message_that_does_not_fit_is_left_out)
{
    const char *const model = model_with(PHI3);
    program expected =
        assert_runs("inferno", "generate", model, "-p", "<|user|>\nb<|end|>\n<|assistant|>\n", "-n",
                    "2", "--ignore-eos");
    program p = CHAT("a message that has thirty byte\nb\n", model, "--ctx", "40", "-n", "2");
    assert_said(&p, NULL,
                "inferno: the message takes 56 tokens, of 40 in the context 0 are taken: it was "
                "left out\n");
    assert_int_equal(p.out_bytes, expected.out_bytes);
    assert_memory_equal(p.out, expected.out, p.out_bytes);
    program_free(&p);
    program_free(&expected);
}

TEST(a_template_that_is_missing_or_unknown_is_refused)
{
    assert_refused(1,
                   "chat.gguf: found no tokenizer.chat_template, expected one of ChatML, Qwen3, "
                   "Llama 2 or 3, Gemma, Mistral or Phi; --chat-template NAME picks one",
                   "inferno", "generate", model_with(NULL), "--chat");
    assert_refused(1,
                   "chat.gguf: tokenizer.chat_template: found '{{ 'USER: ' + messag', expected one "
                   "of ChatML, Qwen3, Llama 2 or 3, Gemma, Mistral or Phi; --chat-template NAME",
                   "inferno", "generate", model_with("{{ 'USER: ' + message }}"), "--chat");
    assert_refused(1,
                   "chat template gemma: the vocabulary has no token '<end_of_turn>', which ends a "
                   "turn",
                   "inferno", "generate", model_with(PHI3), "--chat", "--chat-template", "gemma");
    assert_refused(2, "--chat-template: found 'phi5', expected ", "inferno", "generate",
                   model_with(PHI3), "-i", "--chat-template", "phi5");
    assert_refused(2, "--no-think: chat template phi3 has no thoughts to leave out, expected qwen3",
                   "inferno", "generate", model_with(PHI3), "--chat", "--no-think");
}

TEST(what_does_not_go_together_is_refused)
{
    static const char *const with[][2] = {{"-p", "a"}, {"-f", "a"},      {"--ids", "1"},
                                          {"-n", "0"}, {"--json", NULL}, {"--metrics", NULL}};
    static const char *const without[][2] = {
        {"--system", "a"}, {"--chat-template", "phi3"}, {"--no-think", NULL}};
    char what[64];
    for (size_t i = 0; i < N_OF(with); i++) {
        snprintf(what, sizeof what, "--chat with %s", with[i][0]);
        assert_refused(2, what, "inferno", "generate", "model.gguf", "--chat", with[i][0],
                       with[i][1]);
    }
    for (size_t i = 0; i < N_OF(without); i++) {
        snprintf(what, sizeof what, "%s without --chat", without[i][0]);
        assert_refused(2, what, "inferno", "generate", "model.gguf", "-p", "a", without[i][0],
                       without[i][1]);
    }
}
