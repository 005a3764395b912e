#include "prompt_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/spans.h>

#include "amount.h"
#include "array.h"
#include "company.h"
#include "ids.h"
#include "messages.h"
#include "text.h"

static ifn_status add_line(prompt_list *self, size_t *room, const char *line, size_t bytes,
                           const ifn_tokenizer *tokenizer, ifn_error *err)
{
    prompt_line *const lines = array_grow(self->lines, room, self->n + 1, sizeof *lines);
    if (!lines)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu prompts", self->n + 1);
    self->lines = lines;
    prompt_line *const added = &lines[self->n++];
    *added = (prompt_line){.stop = STOP_LENGTH};
    return ifn_tokenize(tokenizer, line, bytes, 0, &added->prompt, err);
}

static ifn_status add_lines(prompt_list *self, const text *file, const ifn_tokenizer *tokenizer,
                            ifn_error *err)
{
    size_t room = 0, end;
    for (size_t at = 0; at < file->bytes; at = end + 1) {
        const char *const newline = memchr(file->data + at, '\n', file->bytes - at);
        end = newline ? (size_t)(newline - file->data) : file->bytes;
        IFN_TRY(add_line(self, &room, file->data + at, end - at, tokenizer, err));
    }
    return IFN_OK;
}

ifn_status prompt_list_read(prompt_list *self, const char *path, const ifn_tokenizer *tokenizer,
                            ifn_error *err)
{
    text file = {0};
    ifn_status status = text_read(&file, path, err);
    if (status == IFN_OK)
        status = add_lines(self, &file, tokenizer, err);
    text_free(&file);
    if (status == IFN_OK && self->n == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--prompts %s: no line, expected a prompt in each",
                        path);
    return status;
}

ifn_status prompt_list_fit(prompt_list *self, int64_t trained, int64_t asked, int64_t n,
                           generation_size *largest, ifn_error *err)
{
    *largest = (generation_size){0};
    for (size_t i = 0; i < self->n; i++) {
        prompt_line *const line = &self->lines[i];
        ifn_error why;
        const ifn_status status =
            generation_fit(trained, asked, line->prompt.n, n, &line->size, &why);
        if (status != IFN_OK)
            return ifn_fail(err, status, "--prompts: line %zu: %s", i + 1, why.text);
        if (line->size.max_pos > largest->max_pos)
            largest->max_pos = line->size.max_pos;
        if (line->size.n > largest->n)
            largest->n = line->size.n;
        largest->beyond |= line->size.beyond;
    }
    return IFN_OK;
}

/* An ifn_text_sink that shows nothing: a continuation is shown once it is complete and all before it are shown. */
static ifn_status keep(void *cookie, const char *data, size_t bytes)
{
    (void)cookie, (void)data, (void)bytes;
    return IFN_OK;
}

static ifn_status show_done(prompt_list *self)
{
    for (; self->n_shown < self->n && self->lines[self->n_shown].is_done; self->n_shown++) {
        const text *const whole = &self->lines[self->n_shown].answer.text;
        if (whole->bytes == 0)
            continue;
        IFN_TRY(self->show(self->cookie, whole->data, whole->bytes));
        if (whole->data[whole->bytes - 1] != '\n')
            IFN_TRY(self->show(self->cookie, "\n", 1));
    }
    return IFN_OK;
}

static ifn_status hear_id(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    prompt_line *const line = cookie;
    (void)prob;
    IFN_TRY(ifn_tokens_append(&line->ids, id, err));
    return continuation_push(&line->answer, id, err);
}

static bool is_stopped(void *cookie)
{
    return ((const prompt_line *)cookie)->answer.is_stopped;
}

static ifn_status finish(void *cookie, ifn_status status, generation_stop stop, ifn_error *err)
{
    prompt_line *const line = cookie;
    IFN_TRY(status);
    line->stop = stop;
    line->is_done = true;
    IFN_TRY(continuation_end(&line->answer, err));
    return show_done(line->list);
}

static void begin(prompt_list *self, const generation_params *how, const arg_list *stop,
                  generation_params *out)
{
    for (size_t i = 0; i < self->n; i++) {
        prompt_line *const line = &self->lines[i];
        line->list = self;
        line->answer = (continuation){.stop = stop, .show = keep};
        continuation_begin(&line->answer, how->session->tokenizer);
        out[i] = *how;
        out[i].prompt = line->prompt.ids;
        out[i].n_prompt = line->prompt.n;
        out[i].size = line->size;
        out[i].listener = hear_id;
        out[i].is_over = is_stopped;
        out[i].cookie = line;
    }
}

ifn_status prompt_list_generate(prompt_list *self, const generation_params *how,
                                const arg_list *stop, ifn_error *err)
{
    generation_params *const all = malloc(self->n * sizeof *all);
    if (!all)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu prompts", self->n);
    begin(self, how, stop, all);
    const ifn_status status = company_run(all, self->n, finish, &self->most_pages, err);
    free(all);
    return status;
}

void prompt_list_note_pages(const prompt_list *self, const session *opened,
                            const ifn_context_params *how)
{
    int64_t in_use;
    const int64_t n = ifn_context_pages(opened->context, &in_use), most = self->most_pages;
    const uint64_t page_bytes = (uint64_t)how->page_rows * session_kv_row_bytes(opened, how->kv);
    if (n > 0)
        message_note(INFERNO,
                     "KV cache: %" PRId64 " of %" PRId64 " pages were in use at once, %s of %s",
                     most, n, amount_bytes((uint64_t)most * page_bytes).text,
                     amount_bytes((uint64_t)n * page_bytes).text);
}

void prompt_list_json(const prompt_list *self, json_writer *out)
{
    json_key(out, "prompts");
    json_begin_array(out);
    for (size_t i = 0; i < self->n; i++) {
        const prompt_line *const line = &self->lines[i];
        json_begin_object(out);
        json_key(out, "prompt_ids");
        ids_json(out, line->prompt.ids, line->prompt.n);
        json_key(out, "ids");
        ids_json(out, line->ids.ids, line->ids.n);
        json_key(out, "text");
        json_put_bytes(out, line->answer.text.data, line->answer.text.bytes);
        json_key(out, "stop");
        json_put_string(out, generation_stop_name(line->stop));
        json_end_object(out);
    }
    json_end_array(out);
}

void prompt_list_free(prompt_list *self)
{
    for (size_t i = 0; i < self->n; i++) {
        ifn_tokens_free(&self->lines[i].prompt);
        ifn_tokens_free(&self->lines[i].ids);
        continuation_free(&self->lines[i].answer);
    }
    free(self->lines);
}
