#include "conversation.h"

#include <string.h>

#include "chat_ids.h"

typedef struct reader {
    const served *model;
    ifn_tokens *ids;
    refusal *why;
    text system; /* empty: none */
    bool is_first, is_users_turn;
    size_t at; /* the message being read */
} reader;

static bool refuse_member(const reader *r, const char *member, const char *expected)
{
    char param[64];
    snprintf(param, sizeof param, "messages[%zu]%s", r->at, member);
    return refuse(r->why, REFUSE_BAD, param, "%s: expected %s", param, expected);
}

static bool refuse_status(const reader *r, const ifn_error *err)
{
    const bool is_ours = err->status != IFN_ERR_ARGUMENT;
    return refuse_error(r->why, is_ours ? REFUSE_SERVER : REFUSE_BAD, "messages", err);
}

static bool add_part(const reader *r, const json_t *part, text *out)
{
    ifn_error err;
    const char *const type = json_string_value(json_object_get(part, "type"));
    const json_t *const content = json_object_get(part, "text");
    if (!type || strcmp(type, "text") != 0 || !json_is_string(content))
        return refuse_member(r, ".content", "text: a string, or parts {\"type\": \"text\", ...}");
    return text_append(out, json_string_value(content), json_string_length(content), &err) ==
               IFN_OK ||
           refuse_status(r, &err);
}

/* Reads content: a string, or an array of parts that are text. */
static bool read_content(const reader *r, const json_t *message, text *out)
{
    ifn_error err;
    size_t i;
    const json_t *part, *const content = json_object_get(message, "content");
    if (json_is_string(content))
        return text_append(out, json_string_value(content), json_string_length(content), &err) ==
                   IFN_OK ||
               refuse_status(r, &err);
    if (!json_is_array(content))
        return refuse_member(r, ".content", "text");
    json_array_foreach(content, i, part)
    {
        if (!add_part(r, part, out))
            return false;
    }
    return true;
}

static ifn_status add_turn(reader *r, const text *said, ifn_error *err)
{
    const served *const m = r->model;
    chat_text turn = {0};
    const chat_turn how = {.system = r->system.bytes > 0 ? r->system.data : NULL,
                           .user = said->bytes > 0 ? said->data : "",
                           .user_bytes = said->bytes,
                           .is_first = r->is_first,
                           .no_thoughts = m->options->no_think};
    ifn_status status = chat_render(m->chat, &how, &turn, err);
    if (status == IFN_OK)
        status = chat_ids_add(m->session.tokenizer, m->chat, &turn, r->ids, err);
    text_free(&turn.text);
    r->is_first = false;
    return status;
}

/* Adds an earlier answer without its end, which the template writes with the next turn. */
static ifn_status add_answer(reader *r, const text *said, ifn_error *err)
{
    const chat_text turn = {.text = *said};
    if (said->bytes == 0)
        return IFN_OK;
    return chat_ids_add(r->model->session.tokenizer, r->model->chat, &turn, r->ids, err);
}

static bool add_said(reader *r, const text *said)
{
    ifn_error err;
    const ifn_status status =
        r->is_users_turn ? add_turn(r, said, &err) : add_answer(r, said, &err);
    r->is_users_turn = !r->is_users_turn;
    return status == IFN_OK || refuse_status(r, &err);
}

/* Reads the system message. Refuses a NUL in it, as the template takes a C string. */
static bool read_system(reader *r, const json_t *message)
{
    if (!read_content(r, message, &r->system))
        return false;
    return r->system.bytes == 0 || strlen(r->system.data) == r->system.bytes ||
           refuse_member(r, ".content", "text without NUL");
}

static bool is_system(const char *role)
{
    return strcmp(role, "system") == 0 || strcmp(role, "developer") == 0;
}

static bool read_message(reader *r, const json_t *message)
{
    const char *const role = json_string_value(json_object_get(message, "role"));
    const char *const expected = r->is_users_turn ? "user" : "assistant";
    if (role && r->at == 0 && is_system(role))
        return read_system(r, message);
    if (!role || strcmp(role, expected) != 0)
        return refuse_member(r, ".role",
                             r->is_users_turn
                                 ? "user: after a first system message, which may be left out, "
                                   "users and assistant speak in turns"
                                 : "assistant, after a message of the user");
    text said = {0};
    const bool is_read = read_content(r, message, &said) && add_said(r, &said);
    text_free(&said);
    return is_read;
}

static bool read_all(reader *r, const json_t *messages)
{
    const json_t *message;
    json_array_foreach(messages, r->at, message)
    {
        if (!read_message(r, message))
            return false;
    }
    return !r->is_users_turn ||
           refuse(r->why, REFUSE_BAD, "messages", "messages: expected the last to be the user's");
}

bool conversation_ids(const served *model, const json_t *messages, ifn_tokens *ids, refusal *why)
{
    ifn_error err;
    reader r = {.model = model, .ids = ids, .why = why, .is_first = true, .is_users_turn = true};
    if (!json_is_array(messages))
        return refuse(why, REFUSE_BAD, "messages", "messages: expected an array of messages");
    if (!model->chat)
        return refuse_error(why, REFUSE_BAD, "model", &model->no_chat);
    if (chat_ids_begin(model->session.tokenizer, ids, &err) != IFN_OK)
        return refuse_status(&r, &err);
    const bool is_read = read_all(&r, messages);
    text_free(&r.system);
    return is_read;
}
