#include "tokens.h"

#include "grow.h"
#include "message.h"

ifn_status ifn_tokens_append(ifn_tokens *self, ifn_token id, ifn_error *err)
{
    if (!self->alloc)
        self->alloc = ifn_default_allocator();
    void *ids = ifn_grow(self->alloc, self->ids, &self->capacity, self->n + 1, sizeof *self->ids);
    if (!ids)
        return ifn_tokenizer_nomem(err);
    self->ids = ids;
    self->ids[self->n++] = id;
    return IFN_OK;
}

ifn_status ifn_tokens_append_if(ifn_tokens *self, ifn_token id, ifn_error *err)
{
    return id == IFN_TOKEN_NONE ? IFN_OK : ifn_tokens_append(self, id, err);
}

void ifn_tokens_free(ifn_tokens *tokens)
{
    if (!tokens)
        return;
    if (tokens->ids)
        ifn_free_array(tokens->alloc, tokens->ids, tokens->capacity, sizeof *tokens->ids);
    *tokens = (ifn_tokens){.alloc = tokens->alloc};
}
