#include "answer.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

#include "json_writer.h"

answer_head answer_head_of(const request *asked, const served *model)
{
    static atomic_uint_fast64_t n_answers;
    const uint64_t number = atomic_fetch_add(&n_answers, 1);
    answer_head head = {.request = asked, .model = model->called, .created = (int64_t)time(NULL)};
    snprintf(head.id, sizeof head.id, "%s-%" PRIx64 "-%" PRIx64,
             asked->is_chat ? "chatcmpl" : "cmpl", (uint64_t)model->since, number);
    return head;
}

static void put_null(json_writer *json, const char *key)
{
    json_member(json, key, NULL);
}

static void put_int(json_writer *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_put_int(json, value);
}

static const char *reason(generation_stop stop)
{
    return stop == STOP_END || stop == STOP_TEXT ? "stop" : "length";
}

static void begin(const answer_head *head, bool is_piece, json_writer *json)
{
    const char *const chat = is_piece ? "chat.completion.chunk" : "chat.completion";
    json_begin_object(json);
    json_member(json, "id", head->id);
    json_member(json, "object", head->request->is_chat ? chat : "text_completion");
    put_int(json, "created", head->created);
    json_member(json, "model", head->model);
    json_key(json, "choices");
    json_begin_array(json);
}

static void put_text(json_writer *json, const char *key, const text *value)
{
    json_key(json, key);
    json_put_bytes(json, value->bytes > 0 ? value->data : "", value->bytes);
}

/* Writes the only choice. The text of a chat is in an object of its own. */
static void put_choice(const answer_head *head, const char *message, bool has_role,
                       const text *piece, const char *finish_reason, json_writer *json)
{
    json_begin_object(json);
    put_int(json, "index", 0);
    if (head->request->is_chat) {
        json_key(json, message);
        json_begin_object(json);
        if (has_role)
            json_member(json, "role", "assistant");
    }
    if (piece)
        put_text(json, head->request->is_chat ? "content" : "text", piece);
    if (head->request->is_chat)
        json_end_object(json);
    put_null(json, "logprobs");
    json_member(json, "finish_reason", finish_reason);
    json_end_object(json);
}

static void put_usage(const answer_head *head, const job *done, json_writer *json)
{
    const int64_t n_prompt = (int64_t)head->request->prompt.n;
    json_key(json, "usage");
    json_begin_object(json);
    put_int(json, "prompt_tokens", n_prompt);
    put_int(json, "completion_tokens", done->n_ids);
    put_int(json, "total_tokens", n_prompt + done->n_ids);
    json_end_object(json);
}

/* Writes the seed, which repeats a sampled answer. */
static void put_seed(const answer_head *head, json_writer *json)
{
    if (head->request->temperature > 0)
        put_int(json, "seed", head->request->seed);
}

void answer_json(const answer_head *head, const job *done, FILE *out)
{
    json_writer json = {.out = out};
    begin(head, false, &json);
    put_choice(head, "message", true, &done->text, reason(done->stop), &json);
    json_end_array(&json);
    put_usage(head, done, &json);
    put_seed(head, &json);
    json_end_object(&json);
}

static json_writer begin_event(FILE *out)
{
    fputs("data: ", out);
    return (json_writer){.out = out};
}

static void end_event(FILE *out)
{
    fputs("\n\n", out);
}

static void put_event(const answer_head *head, bool has_role, const text *piece,
                      const char *finish_reason, FILE *out)
{
    json_writer json = begin_event(out);
    begin(head, true, &json);
    put_choice(head, "delta", has_role, piece, finish_reason, &json);
    json_end_array(&json);
    if (finish_reason)
        put_seed(head, &json);
    json_end_object(&json);
    end_event(out);
}

void answer_event_begin(const answer_head *head, FILE *out)
{
    static const text nothing;
    if (head->request->is_chat)
        put_event(head, true, &nothing, NULL, out);
}

void answer_event_text(const answer_head *head, const text *piece, FILE *out)
{
    put_event(head, false, piece, NULL, out);
}

static void put_event_usage(const answer_head *head, const job *done, FILE *out)
{
    json_writer json = begin_event(out);
    begin(head, true, &json);
    json_end_array(&json);
    put_usage(head, done, &json);
    json_end_object(&json);
    end_event(out);
}

void answer_event_end(const answer_head *head, const job *done, FILE *out)
{
    static const text nothing;
    if (done->state == JOB_REFUSED) {
        fputs("data: ", out);
        refusal_json(&done->why, out);
        end_event(out);
        return;
    }
    put_event(head, false, head->request->is_chat ? NULL : &nothing, reason(done->stop), out);
    if (head->request->wants_usage)
        put_event_usage(head, done, out);
    fputs("data: [DONE]\n\n", out);
}
