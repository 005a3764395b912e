#include "chat_template.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define HOLE           CHAT_HOLE
#define CHATML_MARKS   "<|im_end|>", "<|im_start|>"
#define CHATML_SYSTEM  "<|im_start|>system\n" HOLE "<|im_end|>\n"
#define CHATML_USER    "<|im_start|>user\n" HOLE "<|im_end|>\n"
#define CHATML_ANSWER  "<|im_start|>assistant\n"
#define LLAMA3(role)   "<|start_header_id|>" role "<|end_header_id|>\n\n"
#define MISTRAL_MARKS  "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"
#define PHI_MARKS      "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"
#define PHI4_TURN(who) "<|im_start|>" who "<|im_sep|>"

/* The first template that matches is used. If a template has a blank or newline before the mark that ends an answer,
 * the model generates it. */
static const chat_template templates[] = {
    {.name = "phi4",
     .marks = {CHATML_MARKS, "<|im_sep|>"},
     .needs = {"<|im_start|>", "<|im_sep|>"},
     .system = PHI4_TURN("system") HOLE "<|im_end|>",
     .user = PHI4_TURN("user") HOLE "<|im_end|>",
     .answer = PHI4_TURN("assistant"),
     .end = "<|im_end|>"},
    {.name = "qwen3",
     .marks = {CHATML_MARKS, "<think>", "</think>"},
     .needs = {"<|im_start|>", "enable_thinking", "<think>\\n\\n</think>\\n\\n"},
     .system = CHATML_SYSTEM,
     .user = CHATML_USER,
     .answer = CHATML_ANSWER,
     .end = "<|im_end|>\n",
     .no_thoughts = "<think>\n\n</think>\n\n"},
    {.name = "chatml",
     .marks = {CHATML_MARKS},
     .needs = {"<|im_start|>", "<|im_end|>"},
     .lacks = "assistant\\n<think>", /* thoughts that cannot be suppressed */
     .system = CHATML_SYSTEM,
     .user = CHATML_USER,
     .answer = CHATML_ANSWER,
     .end = "<|im_end|>\n"},
    {.name = "llama3",
     .marks = {"<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>"},
     .needs = {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
     .system = LLAMA3("system") HOLE "<|eot_id|>",
     .user = LLAMA3("user") HOLE "<|eot_id|>",
     .answer = LLAMA3("assistant"),
     .end = "<|eot_id|>",
     .trims = 1},
    {.name = "gemma",
     .marks = {"<end_of_turn>", "<start_of_turn>"},
     .needs = {"<start_of_turn>", "<end_of_turn>"},
     .system = HOLE "\n\n",
     .user = "<start_of_turn>user\n" HOLE "<end_of_turn>\n",
     .answer = "<start_of_turn>model\n",
     .end = "<end_of_turn>\n",
     .system_in_user = 1,
     .trims = 1},
    {.name = "llama2",
     .marks = {"</s>", "<s>"},
     .needs = {"bos_token + '[INST] '", "[/INST]", "<<SYS>>"},
     .system = "<<SYS>>\n" HOLE "\n<</SYS>>\n\n",
     .user = "[INST] " HOLE " [/INST]",
     .answer = "",
     .end = "</s><s>",
     .system_in_user = 1,
     .trims = 1},
    {.name = "mistral-v7",
     .marks = {MISTRAL_MARKS},
     .needs = {"[SYSTEM_PROMPT] ", "[INST] "},
     .system = "[SYSTEM_PROMPT] " HOLE "[/SYSTEM_PROMPT]",
     .user = "[INST] " HOLE "[/INST]",
     .answer = "",
     .end = "</s>"},
    {.name = "mistral-v7-tekken",
     .marks = {MISTRAL_MARKS},
     .needs = {"[SYSTEM_PROMPT]", "[INST]"},
     .system = "[SYSTEM_PROMPT]" HOLE "[/SYSTEM_PROMPT]",
     .user = "[INST]" HOLE "[/INST]",
     .answer = "",
     .end = "</s>"},
    {.name = "mistral-v3-tekken",
     .marks = {MISTRAL_MARKS},
     .needs = {"\"[INST]\"", "[AVAILABLE_TOOLS]"},
     .system = HOLE "\n\n",
     .user = "[INST]" HOLE "[/INST]",
     .answer = "",
     .end = "</s>",
     .system_in_user = 1},
    {.name = "mistral-v3",
     .marks = {MISTRAL_MARKS},
     .needs = {"\"[INST] \"", "[AVAILABLE_TOOLS]"},
     .system = HOLE "\n\n",
     .user = "[INST] " HOLE "[/INST]",
     .answer = "",
     .end = "</s>",
     .system_in_user = 1},
    {.name = "mistral-v1",
     .marks = {MISTRAL_MARKS},
     .needs = {"' [INST] '", "' [/INST]'"},
     .lacks = "<<SYS>>",
     .system = HOLE "\n\n",
     .user = " [INST] " HOLE " [/INST]",
     .answer = "",
     .end = "</s>",
     .system_in_user = 1},
    {.name = "mistral", /* as first published */
     .marks = {MISTRAL_MARKS},
     .needs = {"'[INST] '", "' [/INST]'", "eos_token"},
     .lacks = "<<SYS>>",
     .system = HOLE "\n\n",
     .user = "[INST] " HOLE " [/INST]",
     .answer = "",
     .end = "</s>",
     .system_in_user = 1},
    {.name = "phi4-mini",
     .marks = {PHI_MARKS},
     .needs = {"'|>' + message['content'] + '<|end|>'", "<|assistant|>"},
     .system = "<|system|>" HOLE "<|end|>",
     .user = "<|user|>" HOLE "<|end|>",
     .answer = "<|assistant|>",
     .end = "<|end|>"},
    {.name = "phi3",
     .marks = {PHI_MARKS},
     .needs = {"<|assistant|>", "<|end|>"},
     .system = "<|system|>\n" HOLE "<|end|>\n",
     .user = "<|user|>\n" HOLE "<|end|>\n",
     .answer = "<|assistant|>\n",
     .end = "<|end|>\n"},
};

enum { N_TEMPLATES = sizeof templates / sizeof *templates };

/* The names of `templates` in the same order. */
const char *const chat_template_words[] = {"phi4",
                                           "qwen3",
                                           "chatml",
                                           "llama3",
                                           "gemma",
                                           "llama2",
                                           "mistral-v7",
                                           "mistral-v7-tekken",
                                           "mistral-v3-tekken",
                                           "mistral-v3",
                                           "mistral-v1",
                                           "mistral",
                                           "phi4-mini",
                                           "phi3",
                                           NULL};

_Static_assert(sizeof chat_template_words / sizeof *chat_template_words == N_TEMPLATES + 1,
               "a name for each template");

const chat_template *chat_template_at(int i)
{
    return &templates[i];
}

static int contains(ifn_string source, const char *what)
{
    const size_t bytes = strlen(what);
    for (size_t i = 0; bytes <= source.bytes && i <= source.bytes - bytes; i++)
        if (memcmp(source.data + i, what, bytes) == 0)
            return 1;
    return 0;
}

static int fits(const chat_template *self, ifn_string source)
{
    const int n = sizeof self->needs / sizeof *self->needs;
    for (int i = 0; i < n && self->needs[i]; i++)
        if (!contains(source, self->needs[i]))
            return 0;
    return !self->lacks || !contains(source, self->lacks);
}

const chat_template *chat_template_recognise(ifn_string source)
{
    for (int i = 0; i < N_TEMPLATES; i++)
        if (fits(&templates[i], source))
            return &templates[i];
    return NULL;
}

#define FAMILIES "ChatML, Qwen3, Llama 2 or 3, Gemma, Mistral or Phi"
#define KEY      "tokenizer.chat_template"

ifn_status chat_template_find(const ifn_gguf *gguf, int asked, const chat_template **out,
                              ifn_error *err)
{
    ifn_string found;
    *out = asked == CHAT_TEMPLATE_OF_MODEL ? NULL : chat_template_at(asked);
    if (*out)
        return IFN_OK;
    if (!ifn_gguf_find(gguf, KEY))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "%s: found no " KEY ", expected one of " FAMILIES
                        "; --chat-template NAME picks one",
                        ifn_gguf_path(gguf));
    IFN_TRY(ifn_gguf_get_string(gguf, KEY, &found, err));
    *out = chat_template_recognise(found);
    if (*out)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: " KEY ": found '%.*s', expected one of " FAMILIES
                    "; --chat-template NAME picks one",
                    ifn_gguf_path(gguf), (int)(found.bytes < 20 ? found.bytes : 20), found.data);
}

/* Returns the index of the mark at `at`; -1: none. */
static int mark_at(const chat_template *self, const char *at)
{
    for (int i = 0; i < CHAT_TEMPLATE_MARKS && self->marks[i]; i++)
        if (strncmp(at, self->marks[i], strlen(self->marks[i])) == 0)
            return i;
    return -1;
}

/* Appends text of the template from `from` to `end`, and notes its marks. */
static ifn_status put(const chat_template *self, const char *from, const char *end, chat_text *out,
                      ifn_error *err)
{
    while (from < end) {
        const int which = mark_at(self, from);
        const size_t bytes = which >= 0 ? strlen(self->marks[which]) : 1;
        assert(out->n_marks < CHAT_MOST_MARKS);
        if (which >= 0)
            out->marks[out->n_marks++] = (chat_mark){out->text.bytes, which};
        IFN_TRY(text_append(&out->text, from, bytes, err));
        from += bytes;
    }
    return IFN_OK;
}

static ifn_status put_whole(const chat_template *self, const char *template, chat_text *out,
                            ifn_error *err)
{
    return put(self, template, template + strlen(template), out, err);
}

static bool is_space(char c)
{
    return c != '\0' && strchr(" \t\n\v\f\r", c);
}

static ifn_string trimmed(ifn_string s)
{
    while (s.bytes > 0 && is_space(s.data[s.bytes - 1]))
        s.bytes--;
    while (s.bytes > 0 && is_space(*s.data))
        s = (ifn_string){s.data + 1, s.bytes - 1};
    return s;
}

static ifn_status put_system(const chat_template *self, const chat_turn *turn, chat_text *out,
                             ifn_error *err)
{
    if (!turn->is_first || !turn->system)
        return IFN_OK;
    const char *const hole = strstr(self->system, HOLE);
    IFN_TRY(put(self, self->system, hole, out, err));
    IFN_TRY(text_append(&out->text, turn->system, strlen(turn->system), err));
    return put_whole(self, hole + strlen(HOLE), out, err);
}

static ifn_status put_user(const chat_template *self, const chat_turn *turn, chat_text *out,
                           ifn_error *err)
{
    const ifn_string all = {turn->user, turn->user_bytes};
    const ifn_string said = self->trims ? trimmed(all) : all;
    const char *const hole = strstr(self->user, HOLE);
    IFN_TRY(put(self, self->user, hole, out, err));
    if (self->system_in_user)
        IFN_TRY(put_system(self, turn, out, err));
    IFN_TRY(text_append(&out->text, said.data, said.bytes, err));
    return put_whole(self, hole + strlen(HOLE), out, err);
}

ifn_status chat_render(const chat_template *self, const chat_turn *turn, chat_text *out,
                       ifn_error *err)
{
    if (!turn->is_first)
        IFN_TRY(put_whole(self, self->end, out, err));
    if (!self->system_in_user)
        IFN_TRY(put_system(self, turn, out, err));
    IFN_TRY(put_user(self, turn, out, err));
    IFN_TRY(put_whole(self, self->answer, out, err));
    return turn->no_thoughts && self->no_thoughts ? put_whole(self, self->no_thoughts, out, err)
                                                  : IFN_OK;
}
