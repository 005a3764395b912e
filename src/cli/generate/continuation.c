#include "continuation.h"

#include "stop_words.h"

void continuation_begin(continuation *self, const ifn_tokenizer *tokenizer)
{
    self->text.bytes = self->n_shown = 0;
    self->is_stopped = false;
    self->detokenizer = IFN_SIZED(ifn_detokenizer);
    ifn_detokenizer_init(&self->detokenizer, tokenizer, IFN_DETOKENIZE_CONTINUE);
}

static ifn_status show_up_to(continuation *self, size_t end)
{
    const size_t from = self->n_shown;
    self->n_shown = end;
    return end == from ? IFN_OK : self->show(self->cookie, self->text.data + from, end - from);
}

/* An ifn_text_sink. */
static ifn_status put(void *cookie, const char *data, size_t bytes)
{
    continuation *const self = cookie;
    size_t end;
    if (self->is_stopped || bytes == 0)
        return IFN_OK;
    IFN_TRY(text_append(&self->text, data, bytes, NULL));
    self->is_stopped = stop_words_find(self->stop, self->text.data + self->n_shown,
                                       self->text.bytes - self->n_shown, &end);
    if (self->is_stopped)
        self->text.bytes = self->n_shown + end;
    return show_up_to(self, self->n_shown + end);
}

ifn_status continuation_push(continuation *self, ifn_token id, ifn_error *err)
{
    return ifn_detokenizer_push(&self->detokenizer, id, put, self, err);
}

ifn_status continuation_end(continuation *self, ifn_error *err)
{
    IFN_TRY(ifn_detokenizer_flush(&self->detokenizer, put, self, err));
    return show_up_to(self, self->text.bytes);
}

void continuation_free(continuation *self)
{
    text_free(&self->text);
}
