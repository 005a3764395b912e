/* Bodies of requests: what is read, what is refused for which field, and bytes that are no request. */
#include "request_read.h"

#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "synth_model.h"
#include "test.h"

static served model;

static int open_model(void **state)
{
    static serve_options options = {.kv = IFN_KV_F32, .quiet = true, .alias = "tiny"};
    ifn_error err = {0};
    (void)state;
    options.model = synth_model("512");
    options.backend = "scalar";
    while (strcmp(chat_template_words[options.chat_template], "phi3") != 0)
        options.chat_template++;
    if (options.model && served_open(&model, &options, &err) == IFN_OK)
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static int close_model(void **state)
{
    (void)state;
    served_close(&model);
    temp_clean();
    return 0;
}

static bool read(request *r, bool is_chat, const char *body, refusal *why)
{
    return request_read(r, &model, is_chat, body, strlen(body), why);
}

static void assert_no(bool is_chat, const char *body, unsigned status, const char *param,
                      const char *words)
{
    request r;
    refusal why = {0};
    assert_that(!read(&r, is_chat, body, &why), "not refused: %s", body);
    assert_that(why.status == status && strcmp(why.param, param) == 0 && strstr(why.text, words),
                "%s: found %u '%s' '%s', expected %u '%s' '%s'", body, why.status, why.param,
                why.text, status, param, words);
    request_free(&r);
}

static void a_completion_has_the_defaults_of_the_api(void **state)
{
    (void)state;
    request r;
    refusal why;
    assert_true(read(&r, false, "{\"prompt\": \"ab\"}", &why));
    assert_int_equal(r.prompt.n, 3); /* <|begin|>, a, b */
    assert_int_equal(r.size.n, 16);
    assert_true(r.temperature == 1 && r.top_p == 1 && r.seed >= 0);
    assert_false(r.is_stream || r.wants_usage || r.ignore_eos);
    request_free(&r);
}

static void every_field_is_read(void **state)
{
    (void)state;
    static const char body[] =
        "{\"model\": \"tiny\", \"prompt\": [1, 2, 3], \"max_tokens\": 7, \"temperature\": 0.5, "
        "\"top_p\": 0.25, \"min_p\": 0.125, \"top_k\": 9, \"seed\": 11, \"stop\": [\"x\", \"yz\"], "
        "\"stream\": true, \"stream_options\": {\"include_usage\": true}, \"n\": 1, "
        "\"ignore_eos\": true, \"frequency_penalty\": 1, \"presence_penalty\": -1.5, "
        "\"user\": \"me\", \"logprobs\": null, \"echo\": false, \"logit_bias\": {}}";
    request r;
    refusal why;
    assert_true(read(&r, false, body, &why));
    assert_int_equal(r.prompt.n, 3);
    assert_int_equal(r.size.n, 7);
    assert_true(r.temperature == 0.5 && r.top_p == 0.25 && r.min_p == 0.125);
    assert_true(r.frequency == 1 && r.presence == -1.5);
    assert_true(r.top_k == 9 && r.seed == 11 && r.stop.n == 2);
    assert_string_equal(r.stop.items[1], "yz");
    assert_true(r.is_stream && r.wants_usage && r.ignore_eos);
    request_free(&r);
}

static void a_field_that_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *body, *param, *text;
    } cases[] = {
        {"{}", "prompt", "expected one text"},
        {"{\"prompt\": 1}", "prompt", "expected one text"},
        {"{\"prompt\": [\"a\", \"b\"]}", "prompt", "expected one text"},
        {"{\"prompt\": [1, -2]}", "prompt", "expected one text"},
        {"{\"prompt\": [1, 300]}", "prompt", "the vocabulary ends at 299"},
        {"{\"prompt\": []}", "prompt", "the prompt is empty"},
        {"{\"prompt\": \"a\", \"messages\": []}", "messages", "/v1/chat/completions"},
        {"{\"prompt\": \"a\", \"temperature\": \"1\"}", "temperature", "a number in 0 .. 2"},
        {"{\"prompt\": \"a\", \"temperature\": 3}", "temperature", "a number in 0 .. 2"},
        {"{\"prompt\": \"a\", \"top_p\": 0}", "top_p", "a number in"},
        {"{\"prompt\": \"a\", \"max_tokens\": 1.5}", "max_tokens", "a whole number"},
        {"{\"prompt\": \"a\", \"max_tokens\": -1}", "max_tokens", "a whole number"},
        {"{\"prompt\": \"a\", \"seed\": -1}", "seed", "a whole number"},
        {"{\"prompt\": \"a\", \"n\": 2}", "n", "expected 1"},
        {"{\"prompt\": \"a\", \"best_of\": 4}", "best_of", "expected 1"},
        {"{\"prompt\": \"a\", \"stream\": 1}", "stream", "true or false"},
        {"{\"prompt\": \"a\", \"stream_options\": {}}", "stream_options", "\"stream\": true"},
        {"{\"prompt\": \"a\", \"stream\": true, \"stream_options\": 1}", "stream_options",
         "include_usage"},
        {"{\"prompt\": \"a\", \"stop\": \"\"}", "stop", "expected text"},
        {"{\"prompt\": \"a\", \"stop\": \"b\\u0000\"}", "stop", "without NUL"},
        {"{\"prompt\": \"a\", \"stop\": [1]}", "stop", "expected text"},
        {"{\"prompt\": \"a\", \"stop\": [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}",
         "stop", "8 texts at most"},
        {"{\"prompt\": \"a\", \"echo\": true}", "echo", "does not have it"},
        {"{\"prompt\": \"a\", \"logprobs\": 3}", "logprobs", "does not have it"},
        {"{\"prompt\": \"a\", \"response_format\": {\"type\": \"json_object\"}}", "response_format",
         "expected {\"type\": \"text\"}"},
        {"{\"prompt\": \"a\", \"temprature\": 1}", "temprature", "'temperature'"},
        {"{\"prompt\": \"a\", \"model\": 1}", "model", "expected a string"},
    };
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_no(false, cases[i].body, REFUSE_BAD, cases[i].param, cases[i].text);
    assert_no(false, "{\"prompt\": \"a\", \"model\": \"gpt\"}", REFUSE_NOT_FOUND, "model",
              "expected 'tiny'");
}

static void what_is_no_json_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_no(false, "", REFUSE_BAD, "", "the body is no JSON");
    assert_no(false, "[1]", REFUSE_BAD, "", "expected a JSON object");
    assert_no(false, "{\"prompt\": \"a\",}", REFUSE_BAD, "", "line 1, column 16");
    assert_no(false, "{\"prompt\": \"a\", \"prompt\": \"b\"}", REFUSE_BAD, "", "duplicate");
    assert_no(false, "{\"prompt\": \"\xff\"}", REFUSE_BAD, "", "the body is no JSON");
}

static void a_prompt_beyond_the_context_is_refused(void **state)
{
    (void)state;
    enum { N = 600 };
    char body[N + 32] = "{\"prompt\": \"";
    memset(body + strlen(body), 'a', N);
    strncat(body, "\"}", 3);
    assert_no(false, body, REFUSE_BAD, "prompt", "holds 512");
}

static void messages_take_turns(void **state)
{
    (void)state;
    static const struct {
        const char *body, *param;
    } cases[] = {
        {"{}", "messages"},
        {"{\"messages\": []}", "messages"},
        {"{\"messages\": [1]}", "messages[0].role"},
        {"{\"messages\": [{\"role\": \"assistant\", \"content\": \"a\"}]}", "messages[0].role"},
        {"{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, "
         "{\"role\": \"user\", \"content\": \"b\"}]}",
         "messages[1].role"},
        {"{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, "
         "{\"role\": \"assistant\", \"content\": \"b\"}]}",
         "messages"},
        {"{\"messages\": [{\"role\": \"user\", \"content\": 1}]}", "messages[0].content"},
        {"{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"image_url\"}]}]}",
         "messages[0].content"},
        {"{\"messages\": [{\"role\": \"system\", \"content\": \"a\\u0000\"}, "
         "{\"role\": \"user\", \"content\": \"b\"}]}",
         "messages[0].content"},
        {"{\"messages\": [{\"role\": \"tool\", \"content\": \"a\"}]}", "messages[0].role"},
        {"{\"prompt\": \"a\"}", "prompt"},
    };
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_no(true, cases[i].body, REFUSE_BAD, cases[i].param, "");
}

static void a_conversation_becomes_ids(void **state)
{
    (void)state;
    static const char whole[] =
        "{\"messages\": [{\"role\": \"system\", \"content\": \"s\"}, "
        "{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"assistant\", \"content\": \"bc\"}, "
        "{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"d\"}]}]}";
    static const char rendered[] = "<|system|>\ns<|end|>\n<|user|>\na<|end|>\n<|assistant|>\nbc"
                                   "<|end|>\n<|user|>\nd<|end|>\n<|assistant|>\n";
    request r;
    refusal why;
    ifn_tokens expected;
    ifn_error err = {0};
    assert_that(read(&r, true, whole, &why), "%s", why.text);
    assert_ok(
        ifn_tokenize(model.session.tokenizer, rendered, sizeof rendered - 1, 0, &expected, &err),
        err);
    assert_int_equal(r.prompt.n, expected.n);
    assert_memory_equal(r.prompt.ids, expected.ids, expected.n * sizeof *expected.ids);
    assert_int_equal(r.size.n, model.params.max_pos - (int64_t)expected.n);
    ifn_tokens_free(&expected);
    request_free(&r);
}

/* A model's output may contain NUL, and the client sends it back with the next turn. */
static void a_nul_is_a_byte_like_others(void **state)
{
    (void)state;
    request r;
    refusal why = {0};
    assert_true(read(&r, false, "{\"prompt\": \"a\\u0000b\"}", &why));
    assert_int_equal(r.prompt.n, 4);
    request_free(&r);
    assert_true(read(&r, true,
                     "{\"messages\": [{\"role\": \"user\", \"content\": \"\\u0000\"}, "
                     "{\"role\": \"assistant\", \"content\": \"a\\u0000\"}, "
                     "{\"role\": \"user\", \"content\": \"b\"}]}",
                     &why));
    request_free(&r);
}

/* Changes, removes or inserts one to eight bytes of a valid body. */
static size_t spoil(char *body, size_t bytes, unsigned *seed)
{
    static const char often[] = "\"\\{}[]:,-.0eEtfnu \n\xff";
    const unsigned n = 1 + (*seed >> 3) % 8;
    for (unsigned i = 0; i < n && bytes > 1; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        const size_t at = (*seed >> 8) % bytes;
        const unsigned how = *seed >> 29;
        if (how < 4)
            body[at] = often[(*seed >> 4) % (sizeof often - 1)];
        else if (how < 6)
            memmove(body + at, body + at + 1, --bytes - at);
        else
            body[at] = (char)(*seed >> 16);
    }
    return bytes;
}

static void spoilt_bodies_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{\"model\": \"tiny\", \"prompt\": [1, 2, 3], \"max_tokens\": 7, \"temperature\": 0.5, "
        "\"stop\": [\"x\", \"y\\u00e4z\"], \"stream\": true, \"stream_options\": "
        "{\"include_usage\": true}, \"seed\": 12}",
        "{\"messages\": [{\"role\": \"system\", \"content\": \"s\"}, {\"role\": \"user\", "
        "\"content\": [{\"type\": \"text\", \"text\": \"d\"}]}], \"stop\": \"<|end|>\"}"};
    unsigned seed = 1;
    int n_refused = 0;
    for (int i = 0; i < 20000; i++) {
        const char *const good = bodies[i % 2];
        const size_t bytes = strlen(good);
        char *const body = malloc(bytes);
        memcpy(body, good, bytes);
        const size_t n = spoil(body, bytes, &seed);
        request r;
        refusal why = {0};
        const bool is_read = request_read(&r, &model, i % 2, body, n, &why);
        assert_true(is_read || (why.status >= 400 && why.text[0]));
        n_refused += !is_read;
        request_free(&r);
        free(body);
    }
    assert_true(n_refused > 10000 && n_refused < 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_completion_has_the_defaults_of_the_api),
        RUN(every_field_is_read),
        RUN(a_field_that_is_wrong_is_named),
        RUN(what_is_no_json_is_refused_with_its_place),
        RUN(a_prompt_beyond_the_context_is_refused),
        RUN(messages_take_turns),
        RUN(a_conversation_becomes_ids),
        RUN(a_nul_is_a_byte_like_others),
        RUN(spoilt_bodies_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
