#include "request_read.h"

#include <string.h>
#include <time.h>

#include "conversation.h"
#include "ids.h"
#include "request_fields.h"

enum { SEED_NOT_GIVEN = -1, COMPLETION_TOKENS = 16 };

static const json_t *member(const request *self, const char *name)
{
    const json_t *const value = json_object_get(self->document, name);
    return json_is_null(value) ? NULL : value;
}

static bool parse(request *self, const char *body, size_t bytes, refusal *why)
{
    json_error_t at;
    self->document = json_loadb(body, bytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &at);
    if (!self->document)
        return refuse(why, REFUSE_BAD, NULL, "the body is no JSON: line %d, column %d: %s", at.line,
                      at.column, at.text);
    return json_is_object(self->document) ||
           refuse(why, REFUSE_BAD, NULL, "the body: expected a JSON object");
}

static bool check_model(const request *self, const served *model, refusal *why)
{
    const json_t *const value = member(self, "model");
    const char *const name = json_string_value(value);
    if (!value || (name && strcmp(name, model->called) == 0))
        return true;
    if (!name)
        return refuse(why, REFUSE_BAD, "model", "model: expected a string");
    (void)refuse(why, REFUSE_NOT_FOUND, "model", "model: found '%.60s', expected '%s'", name,
                 model->called);
    why->code = "model_not_found";
    return false;
}

static bool check_one(const request *self, const char *name, refusal *why)
{
    const json_t *const value = member(self, name);
    return !value || (json_is_integer(value) && json_integer_value(value) == 1) ||
           refuse(why, REFUSE_BAD, name, "%s: expected 1: each request has one answer", name);
}

static bool check_format(const request *self, refusal *why)
{
    const json_t *const value = member(self, "response_format");
    const char *const type = json_string_value(json_object_get(value, "type"));
    return !value || (type && strcmp(type, "text") == 0) ||
           refuse(why, REFUSE_BAD, "response_format",
                  "response_format: expected {\"type\": \"text\"}, this server has no other");
}

static bool read_stream_options(request *self, refusal *why)
{
    const json_t *const value = member(self, "stream_options");
    const json_t *const usage = json_object_get(value, "include_usage");
    self->wants_usage = json_is_true(usage);
    if (value && !self->is_stream)
        return refuse(why, REFUSE_BAD, "stream_options",
                      "stream_options: expected only with \"stream\": true");
    return !value || (json_is_object(value) && (!usage || json_is_boolean(usage))) ||
           refuse(why, REFUSE_BAD, "stream_options",
                  "stream_options: expected {\"include_usage\": true or false}");
}

static bool add_stop(request *self, const json_t *word, refusal *why)
{
    const char *const spelled = json_string_value(word);
    if (!spelled || !*spelled || strlen(spelled) != json_string_length(word))
        return refuse(why, REFUSE_BAD, "stop",
                      "stop: expected text without NUL, or an array of such texts");
    if (self->stop.n == ARG_LIST_MOST)
        return refuse(why, REFUSE_BAD, "stop", "stop: expected %d texts at most", ARG_LIST_MOST);
    self->stop.items[self->stop.n++] = spelled;
    return true;
}

static bool read_stop(request *self, refusal *why)
{
    const json_t *word, *const value = member(self, "stop");
    size_t i;
    if (!json_is_array(value))
        return !value || add_stop(self, value, why);
    json_array_foreach(value, i, word)
    {
        if (!add_stop(self, word, why))
            return false;
    }
    return true;
}

static bool refuse_prompt(refusal *why)
{
    return refuse(why, REFUSE_BAD, "prompt", "prompt: expected one text, or an array of token ids");
}

static bool read_ids(request *self, const served *model, const json_t *list, refusal *why)
{
    const json_t *id;
    ifn_error err;
    size_t i;
    ifn_status status = IFN_OK;
    json_array_foreach(list, i, id)
    {
        const json_int_t value = json_integer_value(id);
        if (!json_is_integer(id) || value < 0 || value > INT32_MAX)
            return refuse_prompt(why);
        status = ifn_tokens_append(&self->prompt, (ifn_token)value, &err);
        if (status != IFN_OK)
            return refuse_error(why, REFUSE_SERVER, "prompt", &err);
    }
    status = ids_check(&self->prompt, ifn_model_hparams(model->session.model)->n_vocab, &err);
    return status == IFN_OK || refuse_error(why, REFUSE_BAD, "prompt", &err);
}

static bool read_prompt(request *self, const served *model, refusal *why)
{
    ifn_error err;
    const json_t *const value = member(self, "prompt");
    const bool is_list = json_is_array(value), is_one = is_list && json_array_size(value) == 1;
    const json_t *const first = is_one ? json_array_get(value, 0) : value;
    if (is_list && !json_is_string(first))
        return read_ids(self, model, value, why);
    if (!json_is_string(first))
        return refuse_prompt(why);
    return ifn_tokenize(model->session.tokenizer, json_string_value(first),
                        json_string_length(first), 0, &self->prompt, &err) == IFN_OK ||
           refuse_error(why, REFUSE_SERVER, "prompt", &err);
}

/* Reads `prompt` or `messages`, and refuses the one that belongs to the other address. */
static bool read_topic(request *self, const served *model, refusal *why)
{
    const char *const other = self->is_chat ? "prompt" : "messages";
    if (member(self, other))
        return refuse(why, REFUSE_BAD, other, "%s: expected at %s", other,
                      self->is_chat ? "/v1/completions" : "/v1/chat/completions");
    return self->is_chat ? conversation_ids(model, member(self, "messages"), &self->prompt, why)
                         : read_prompt(self, model, why);
}

static bool fit(request *self, const served *model, refusal *why)
{
    ifn_error err;
    const int64_t most = model->params.max_pos;
    if (generation_fit(most, most, self->prompt.n, self->n, &self->size, &err) == IFN_OK)
        return true;
    (void)refuse_error(why, REFUSE_BAD, self->is_chat ? "messages" : "prompt", &err);
    why->code = self->prompt.n > 0 ? "context_length_exceeded" : NULL;
    return false;
}

static void choose_seed(request *self)
{
    struct timespec now;
    if (self->seed != SEED_NOT_GIVEN)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    self->seed = self->temperature > 0 ? (int64_t)(now.tv_sec ^ now.tv_nsec) & INT32_MAX : 0;
}

bool request_read(request *self, const served *model, bool is_chat, const char *body, size_t bytes,
                  refusal *why)
{
    *self = (request){.is_chat = is_chat,
                      .n = is_chat ? GENERATION_NO_LIMIT : COMPLETION_TOKENS,
                      .temperature = 1,
                      .top_p = 1,
                      .seed = SEED_NOT_GIVEN};
    const bool is_read = parse(self, body, bytes, why) && request_fields_read(self, why) &&
                         check_model(self, model, why) && check_one(self, "n", why) &&
                         check_one(self, "best_of", why) && check_format(self, why) &&
                         read_stream_options(self, why) && read_stop(self, why) &&
                         read_topic(self, model, why) && fit(self, model, why);
    choose_seed(self);
    return is_read;
}

void request_free(request *self)
{
    ifn_tokens_free(&self->prompt);
    json_decref(self->document);
    self->document = NULL;
}
