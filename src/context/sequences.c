/* The sequences of a context: adding, dropping, cutting and copying them, and reading their logits. */
#include "context_priv.h"

#include "kv_copy.h"
#include "kv_pages.h"

ifn_sequence *ifn_sequence_of(ifn_context *self, int32_t sequence)
{
    const int32_t n = self->plan.params.n_sequences;
    if (sequence >= 0 && sequence < n && self->host.sequences[sequence].is_used)
        return &self->host.sequences[sequence];
    (void)ifn_fail(self->err, IFN_ERR_ARGUMENT, "sequence %d: not one of those in use, of %d",
                   (int)sequence, (int)n);
    return NULL;
}

static ifn_status find(ifn_context *self, int32_t sequence, ifn_sequence **out, ifn_error *err)
{
    self->err = err;
    *out = ifn_sequence_of(self, sequence);
    return *out ? IFN_OK : IFN_ERR_ARGUMENT;
}

ifn_status ifn_context_sequence_add(ifn_context *self, int32_t *sequence, ifn_error *err)
{
    const int32_t n = self->plan.params.n_sequences;
    for (int32_t i = 0; i < n; i++) {
        if (self->host.sequences[i].is_used)
            continue;
        self->host.sequences[i] = (ifn_sequence){.logits_row = -1, .is_used = true};
        *sequence = i;
        return IFN_OK;
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "another sequence: all %d of the context are in use",
                    (int)n);
}

ifn_status ifn_context_sequence_drop(ifn_context *self, int32_t sequence, ifn_error *err)
{
    ifn_sequence *s;
    IFN_TRY(find(self, sequence, &s, err));
    ifn_kv_pages_cut(self, sequence, 0);
    *s = (ifn_sequence){.logits_row = -1};
    return IFN_OK;
}

ifn_status ifn_context_sequence_cut(ifn_context *self, int32_t sequence, int64_t position,
                                    ifn_error *err)
{
    ifn_sequence *s;
    IFN_TRY(find(self, sequence, &s, err));
    if (position < 0 || position > s->position)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "rewind to %lld: the sequence has %lld tokens",
                        (long long)position, (long long)s->position);
    if (position != s->position)
        s->logits_row = -1;
    s->position = position;
    ifn_kv_pages_cut(self, sequence, position);
    return IFN_OK;
}

ifn_status ifn_context_rewind(ifn_context *self, int64_t position, ifn_error *err)
{
    return ifn_context_sequence_cut(self, 0, position, err);
}

int64_t ifn_context_sequence_position(const ifn_context *self, int32_t sequence)
{
    const bool is_there = sequence >= 0 && sequence < self->plan.params.n_sequences;
    return is_there ? self->host.sequences[sequence].position : 0;
}

int64_t ifn_context_position(const ifn_context *self)
{
    return ifn_context_sequence_position(self, 0);
}

ifn_status ifn_context_sequence_copy(ifn_context *self, int32_t from, int32_t to, int64_t n,
                                     ifn_error *err)
{
    ifn_sequence *source, *target;
    IFN_TRY(find(self, from, &source, err));
    IFN_TRY(find(self, to, &target, err));
    if (from == to)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "sequence %d: expected another one to copy to",
                        (int)to);
    if (n < 0 || n > source->position)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "copy of %lld tokens: sequence %d has %lld",
                        (long long)n, (int)from, (long long)source->position);
    *target = (ifn_sequence){.logits_row = -1, .is_used = true};
    if (self->b.kv.page_rows > 0) {
        ifn_kv_pages_cut(self, to, 0);
        ifn_kv_pages_share(self, from, to, n);
    } else {
        IFN_TRY(ifn_kv_copy_rows(self, from * self->b.kv.slot, to * self->b.kv.slot, n));
    }
    target->position = n;
    target->logits_row = n == source->position ? source->logits_row : -1;
    return IFN_OK;
}

const float *ifn_kept_logits(ifn_context *self, int32_t sequence)
{
    const ifn_sequence *const s = ifn_sequence_of(self, sequence);
    if (s && s->logits_row >= 0)
        return self->b.logits + s->logits_row * self->h->n_vocab;
    if (s)
        (void)ifn_fail(self->err, IFN_ERR_ARGUMENT, "no logits: nothing was evaluated yet");
    return NULL;
}

ifn_status ifn_context_read(ifn_context *self, void *host, const void *from, size_t bytes)
{
    ifn_context_at(self, IFN_POINT_READBACK);
    return IFN_RUN(self, copy_out, .host = host, .x = from, .bytes = bytes);
}

ifn_status ifn_context_sequence_logits(ifn_context *self, int32_t sequence, float *out,
                                       ifn_error *err)
{
    self->err = err;
    const float *const logits = ifn_kept_logits(self, sequence);
    return logits ? ifn_context_read(self, out, logits, (size_t)self->h->n_vocab * sizeof *out)
                  : IFN_ERR_ARGUMENT;
}

ifn_status ifn_context_logits(ifn_context *self, float *out, ifn_error *err)
{
    return ifn_context_sequence_logits(self, 0, out, err);
}
