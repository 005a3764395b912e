#include "pretokenize.h"

#include <string.h>

#include "message.h"
#include "utf8.h"

/*
 * Sources: GPT-2's encoder.py; Llama 3's tokenizer.py; tokenizer.json of Qwen2-7B, SmolLM-135M and
 * falcon-7b, whose pre-tokenizers Digits, Punctuation and ByteLevel are the expressions below.
 */
#define GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
#define CL100K_DIGITS(n)                                                                           \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" n                          \
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/* clang-format off */
static const ifn_pre_rule rules[] = {
    {.names = {"default"},
     .stages = {"[\\p{P}\\$\\+<=>\\^~\\|]+", GPT2, "\\p{N}+", "[0-9][0-9][0-9]"}},
    {.names = {"gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "exaone4", "gigachat",
               "granite-docling"},
     .stages = {GPT2}},
    {.names = {"qwen2", "deepseek-r1-qwen", "stablelm2", "megrez", "hunyuan", "solar-open",
               "grok-2"},
     .stages = {CL100K_DIGITS("")}},
    {.names = {"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0",
               "lfm2"},
     .stages = {CL100K_DIGITS("{1,3}")}, .ignores_merges = true, .adds_bos = true},
    {.names = {"smaug-bpe", "dbrx", "glm4", "chatglm-bpe"},
     .stages = {CL100K_DIGITS("{1,3}")}},
    {.names = {"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"},
     .stages = {"\\p{N}", GPT2}},
    {.names = {"falcon"},
     .stages = {"[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT2, "[0-9][0-9][0-9]"}},
};
/* clang-format on */

const ifn_pre_rule *ifn_pre_rule_at(size_t index)
{
    return index < sizeof rules / sizeof *rules ? &rules[index] : NULL;
}

static bool has_name(const ifn_pre_rule *rule, const char *name, size_t bytes)
{
    for (const char *const *known = rule->names; *known; known++)
        if (strlen(*known) == bytes && memcmp(*known, name, bytes) == 0)
            return true;
    return false;
}

const ifn_pre_rule *ifn_pre_rule_find(const char *name, size_t bytes)
{
    const ifn_pre_rule *rule;
    for (size_t i = 0; (rule = ifn_pre_rule_at(i)); i++)
        if (has_name(rule, name, bytes))
            return rule;
    return NULL;
}

static ifn_status compile(ifn_pretokenizer *self, const ifn_pre_rule *rule, ifn_error *err)
{
    for (int i = 0; i < IFN_PRE_MAX_STAGES && rule->stages[i]; i++)
        IFN_TRY(ifn_regex_compile(&self->regex, rule->stages[i], &self->stages[i], err));
    return IFN_OK;
}

ifn_status ifn_pretokenizer_open(ifn_pretokenizer *self, const ifn_pre_rule *rule,
                                 const ifn_allocator *alloc, ifn_error *err)
{
    *self = (ifn_pretokenizer){.stages = {NULL}};
    IFN_TRY(ifn_regex_context_open(&self->regex, alloc, err));
    const ifn_status status = compile(self, rule, err);
    if (status != IFN_OK)
        ifn_pretokenizer_close(self);
    return status;
}

void ifn_pretokenizer_close(ifn_pretokenizer *self)
{
    for (int i = 0; i < IFN_PRE_MAX_STAGES; i++)
        pcre2_code_free(self->stages[i]);
    ifn_regex_context_close(&self->regex);
    *self = (ifn_pretokenizer){.stages = {NULL}};
}

typedef struct cutter {
    const ifn_regex_context *regex;
    pcre2_code *const *first_stage;
    pcre2_match_data *scratch; /* holds one match at a time, read before the next is looked for */
    ifn_word_sink sink;
    void *cookie;
    ifn_error *err;
} cutter;

/* Cuts text with this stage and, recursively, each piece with the next; after the last, pieces go to the sink. */
static ifn_status cut(const cutter *c, pcre2_code *const *stage, const uint8_t *text, size_t bytes)
{
    if (bytes == 0)
        return IFN_OK;
    if (!*stage)
        return c->sink(c->cookie, text, bytes, c->err);
    size_t done = 0;
    while (done < bytes) {
        bool found;
        size_t begin, end;
        IFN_TRY(ifn_regex_find(c->regex, *stage, c->scratch, text, bytes, done, &found, &begin,
                               &end, c->err));
        if (!found || begin == end)
            begin = end = bytes;
        IFN_TRY(cut(c, stage + 1, text + done, begin - done));
        IFN_TRY(cut(c, stage + 1, text + begin, end - begin));
        done = end;
    }
    return IFN_OK;
}

/* The length of the well-formed UTF-8 at the start of text[0 .. n). */
static size_t well_formed(const uint8_t *text, size_t n)
{
    size_t i = 0;
    while (i < n) {
        const size_t length = text[i] < 0x80 ? 1 : ifn_utf8_char(text + i, n - i);
        if (length == 0)
            break;
        i += length;
    }
    return i;
}

static ifn_status cut_around_stray_bytes(const cutter *c, const uint8_t *text, size_t bytes)
{
    for (size_t i = 0; i < bytes;) {
        const size_t n = well_formed(text + i, bytes - i);
        IFN_TRY(cut(c, c->first_stage, text + i, n));
        i += n;
        if (i < bytes)
            IFN_TRY(c->sink(c->cookie, text + i++, 1, c->err));
    }
    return IFN_OK;
}

ifn_status ifn_pretokenize(const ifn_pretokenizer *self, const uint8_t *text, size_t bytes,
                           ifn_word_sink sink, void *cookie, ifn_error *err)
{
    cutter c = {&self->regex, self->stages, NULL, sink, cookie, err};
    IFN_TRY(ifn_regex_scratch(&self->regex, &c.scratch, err));
    const ifn_status status = cut_around_stray_bytes(&c, text, bytes);
    pcre2_match_data_free(c.scratch);
    return status;
}
