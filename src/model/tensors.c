#include "tensors.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 96, SHAPE_BYTES = 96 };

typedef struct tensor_want {
    const char *name;
    tensor_role role;
    int64_t rows, cols; /* rows 0: one dimension of cols elements */
} tensor_want;

static int64_t extent(const ifn_hparams *h, tensor_dim dim)
{
    switch (dim) {
    case DIM_VOCAB:
        return h->n_vocab;
    case DIM_EMBD:
        return h->n_embd;
    case DIM_Q:
        return h->n_heads * h->head_dim;
    case DIM_KV:
        return h->n_kv_heads * h->head_dim;
    case DIM_HEAD:
        return h->head_dim;
    case DIM_HALF_HEAD:
        return h->head_dim / 2;
    case DIM_FF:
        return h->n_ff;
    case DIM_NONE:
        break;
    }
    return 0;
}

static tensor_want want(const ifn_hparams *h, const char *name, tensor_role role, tensor_dim first,
                        tensor_dim second)
{
    if (second == DIM_NONE)
        return (tensor_want){name, role, 0, extent(h, first)};
    return (tensor_want){name, role, extent(h, first), extent(h, second)};
}

static const char *shape_text(int32_t n_dims, const int64_t *shape, char out[SHAPE_BYTES])
{
    size_t used = 0;
    for (int32_t i = 0; i < n_dims && used < SHAPE_BYTES; i++)
        used += (size_t)snprintf(out + used, SHAPE_BYTES - used, "%s%lld", i ? ", " : "[",
                                 (long long)shape[i]);
    if (used < SHAPE_BYTES)
        snprintf(out + used, SHAPE_BYTES - used, "]");
    return out;
}

static int shape_fits(const ifn_tensor *t, const tensor_want *w)
{
    if (w->rows == 0)
        return t->n_dims == 1 && t->shape[0] == w->cols;
    return t->n_dims == 2 && t->shape[0] == w->rows && t->shape[1] == w->cols;
}

/* Ops read f32, f16 and bf16 elements in place, so these must be aligned to their size. */
static bool is_aligned(const ifn_tensor *t)
{
    return ifn_dtype_is_quantized(t->dtype) ||
           (uintptr_t)t->data % ifn_dtype_block_bytes(t->dtype) == 0;
}

static ifn_status check(const ifn_gguf *gguf, const ifn_gguf_tensor *found, const tensor_want *w,
                        ifn_error *err)
{
    const ifn_tensor *t = &found->view;
    char is[SHAPE_BYTES], should[SHAPE_BYTES];
    const int64_t shape[2] = {w->rows ? w->rows : w->cols, w->cols};
    if (!shape_fits(t, w))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: shape %s, expected %s", ifn_gguf_path(gguf),
                        w->name, shape_text(t->n_dims, t->shape, is),
                        shape_text(w->rows ? 2 : 1, shape, should));
    if (!found->known)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: %s: type %s is not implemented",
                        ifn_gguf_path(gguf), w->name, found->type_name);
    if (w->role == ROLE_F32 && t->dtype != IFN_DTYPE_F32)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: %s: type %s, expected F32",
                        ifn_gguf_path(gguf), w->name, found->type_name);
    if (!is_aligned(t))
        return ifn_fail_at(err, IFN_ERR_FORMAT, found->offset,
                           "%s: %s: data at offset %llu is not aligned to its %s elements",
                           ifn_gguf_path(gguf), w->name, (unsigned long long)found->offset,
                           found->type_name);
    return IFN_OK;
}

/* Finds and checks a tensor. *out stays as it is if the tensor is missing and not required. */
static ifn_status find(const ifn_gguf *gguf, const tensor_want *w, int required,
                       const ifn_tensor **out, ifn_error *err)
{
    const ifn_gguf_tensor *found = ifn_gguf_find_tensor(gguf, w->name);
    if (!found && !required)
        return IFN_OK;
    if (!found)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: no such tensor", ifn_gguf_path(gguf),
                        w->name);
    IFN_TRY(check(gguf, found, w, err));
    *out = &found->view;
    return IFN_OK;
}

static bool is_required(const ifn_arch *arch, tensor_need need)
{
    return need == NEED_ALWAYS || (need == NEED_BIAS && arch->needs_qkv_bias) ||
           (need == NEED_QK_NORM && arch->has_qk_norm);
}

/* Norms of q and k change the result, so a file of an architecture without them must not have any. */
static bool is_allowed(const ifn_arch *arch, tensor_need need)
{
    return need != NEED_QK_NORM || arch->has_qk_norm;
}

static ifn_status check_vocabulary(const ifn_gguf *gguf, int64_t n_vocab, ifn_error *err)
{
    const ifn_gguf_kv *tokens = ifn_gguf_find(gguf, "tokenizer.ggml.tokens");
    if (!tokens || (tokens->type == IFN_GGUF_ARRAY && tokens->count == (uint64_t)n_vocab))
        return IFN_OK;
    if (tokens->type != IFN_GGUF_ARRAY)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: tokenizer.ggml.tokens: found %s, expected array",
                        ifn_gguf_path(gguf), ifn_gguf_type_name(tokens->type));
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%s: tokenizer.ggml.tokens: %llu tokens, expected %lld, the rows of "
                    "token_embd.weight",
                    ifn_gguf_path(gguf), (unsigned long long)tokens->count, (long long)n_vocab);
}

ifn_status ifn_tensors_find_embedding(const ifn_gguf *gguf, ifn_hparams *h,
                                      ifn_model_tensors *globals, ifn_error *err)
{
    const char *name = "token_embd.weight";
    const ifn_gguf_tensor *found = ifn_gguf_find_tensor(gguf, name);
    if (found && found->view.n_dims == 2)
        h->n_vocab = found->view.shape[0];
    const tensor_want w = want(h, name, ROLE_WEIGHT, DIM_VOCAB, DIM_EMBD);
    IFN_TRY(find(gguf, &w, 1, &globals->token_embd, err));
    if (h->n_vocab < 1 || h->n_vocab > INT32_MAX)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: %lld rows, expected 1 .. %d",
                        ifn_gguf_path(gguf), name, (long long)h->n_vocab, INT32_MAX);
    return check_vocabulary(gguf, h->n_vocab, err);
}

ifn_status ifn_tensors_find_globals(const ifn_gguf *gguf, const ifn_hparams *h,
                                    ifn_model_tensors *globals, ifn_error *err)
{
    tensor_want w;
#define X(field, text, role, first, second, need)                                                  \
    w = want(h, text, role, first, second);                                                        \
    IFN_TRY(find(gguf, &w, need == NEED_ALWAYS, &globals->field, err));
    IFN_GLOBAL_TENSORS(X)
#undef X
    if (!globals->output)
        globals->output = globals->token_embd;
    return IFN_OK;
}

typedef struct layer_of {
    const ifn_gguf *gguf;
    const ifn_arch *arch;
    const ifn_hparams *h;
    int64_t index;
} layer_of;

static ifn_status find_in_layer(const layer_of *l, const char *text, tensor_role role,
                                tensor_dim first, tensor_dim second, tensor_need need,
                                const ifn_tensor **out, ifn_error *err)
{
    char name[NAME_BYTES];
    if (!is_allowed(l->arch, need))
        return IFN_OK;
    snprintf(name, sizeof name, "blk.%lld.%s", (long long)l->index, text);
    const tensor_want w = want(l->h, name, role, first, second);
    return find(l->gguf, &w, is_required(l->arch, need), out, err);
}

ifn_status ifn_tensors_find_layer(const ifn_gguf *gguf, const ifn_arch *arch, const ifn_hparams *h,
                                  int64_t index, ifn_layer *layer, ifn_error *err)
{
    const layer_of l = {gguf, arch, h, index};
#define X(field, text, role, first, second, need)                                                  \
    IFN_TRY(find_in_layer(&l, text, role, first, second, need, &layer->field, err));
    IFN_LAYER_TENSORS(X)
#undef X
    return IFN_OK;
}

/* Tensors that some converters precompute. The library derives the same numbers itself, so they are not read. */
static bool is_ignored(const char *suffix)
{
    return strcmp(suffix, "attn_rot_embd.weight") == 0 ||
           strcmp(suffix, "attn_rotary_emb.inv_freq") == 0;
}

static bool is_layer_tensor(const ifn_arch *arch, const char *suffix)
{
#define X(field, text, role, first, second, need)                                                  \
    if (strcmp(suffix, text) == 0)                                                                 \
        return is_allowed(arch, need);
    IFN_LAYER_TENSORS(X)
#undef X
    return is_ignored(suffix);
}

static bool is_global_tensor(const char *name)
{
#define X(field, text, role, first, second, need)                                                  \
    if (strcmp(name, text) == 0)                                                                   \
        return 1;
    IFN_GLOBAL_TENSORS(X)
#undef X
    return strcmp(name, "token_embd.weight") == 0;
}

static bool is_known(const ifn_arch *arch, const ifn_hparams *h, const char *name)
{
    if (strncmp(name, "blk.", 4) != 0)
        return is_global_tensor(name);
    char *end;
    const long long layer = strtoll(name + 4, &end, 10);
    return *end == '.' && layer >= 0 && layer < h->n_layers && is_layer_tensor(arch, end + 1);
}

ifn_status ifn_tensors_refuse_unknown(const ifn_gguf *gguf, const ifn_arch *arch,
                                      const ifn_hparams *h, ifn_error *err)
{
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const char *name = ifn_gguf_tensor_at(gguf, i)->view.name;
        if (!is_known(arch, h, name))
            return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                            "%s: %s: not a tensor of a %s model with %lld blocks",
                            ifn_gguf_path(gguf), name, arch->name, (long long)h->n_layers);
    }
    return IFN_OK;
}
