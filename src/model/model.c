/* Opening and closing a model. */
#include "model_priv.h"

#include <stdbool.h>
#include <string.h>

#include "alloc_priv.h"
#include "arch.h"
#include "gguf_priv.h"
#include "hparams.h"
#include "tensors.h"

/* Refuses a block_count above the number of tensors, before a table of that many layers is allocated. */
static ifn_status check_block_count(const ifn_model *self, ifn_error *err)
{
    const uint64_t n_tensors = ifn_gguf_n_tensors(self->gguf);
    if ((uint64_t)self->hparams.n_layers <= n_tensors)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%s: %s.block_count: found %lld, but there are %llu tensors",
                    ifn_gguf_path(self->gguf), self->hparams.arch,
                    (long long)self->hparams.n_layers, (unsigned long long)n_tensors);
}

static ifn_status refuse_nested_arrays(const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_gguf_kv *entry = ifn_gguf_first_nested_array(gguf);
    if (!entry)
        return IFN_OK;
    return ifn_fail_at(err, IFN_ERR_FORMAT, entry->offset,
                       "%s: %.*s: found an array of arrays, expected scalars or strings",
                       ifn_gguf_path(gguf), (int)(entry->key.bytes < 64 ? entry->key.bytes : 64),
                       entry->key.data);
}

/* Refuses big-endian machines: ops read norms and biases directly from the file, whose numbers are little-endian. */
static ifn_status refuse_byte_order(const ifn_gguf *gguf, ifn_error *err)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: found a big-endian machine, expected a little-endian one",
                    ifn_gguf_path(gguf));
}

static ifn_status read_all(ifn_model *self, ifn_error *err)
{
    const ifn_arch *arch;
    ifn_hparams *h = &self->hparams;
    IFN_TRY(refuse_byte_order(self->gguf, err));
    IFN_TRY(refuse_nested_arrays(self->gguf, err));
    IFN_TRY(ifn_hparams_read(self->gguf, &arch, h, err));
    IFN_TRY(check_block_count(self, err));
    IFN_TRY(ifn_tensors_find_embedding(self->gguf, h, &self->globals, err));
    IFN_TRY(ifn_tensors_find_globals(self->gguf, h, &self->globals, err));
    self->layers = ifn_alloc_zeroed(self->alloc, (size_t)h->n_layers, sizeof *self->layers);
    if (!self->layers)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for %lld blocks",
                        ifn_gguf_path(self->gguf), (long long)h->n_layers);
    self->n_layers = h->n_layers;
    for (int64_t i = 0; i < h->n_layers; i++)
        IFN_TRY(ifn_tensors_find_layer(self->gguf, arch, h, i, &self->layers[i], err));
    return ifn_tensors_refuse_unknown(self->gguf, arch, h, err);
}

ifn_status ifn_model_open(const ifn_gguf *gguf, const ifn_allocator *alloc, ifn_model **out,
                          ifn_error *err)
{
    *out = NULL;
    alloc = ifn_allocator_or_default(alloc);
    ifn_model *self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", ifn_gguf_path(gguf));
    self->alloc = alloc;
    self->gguf = gguf;
    const ifn_status status = read_all(self, err);
    if (status != IFN_OK) {
        ifn_model_close(self);
        return status;
    }
    *out = self;
    return IFN_OK;
}

void ifn_model_close(ifn_model *self)
{
    if (!self)
        return;
    ifn_free_array(self->alloc, self->layers, (size_t)self->n_layers, sizeof *self->layers);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

const ifn_hparams *ifn_model_hparams(const ifn_model *self)
{
    return &self->hparams;
}

const ifn_model_tensors *ifn_model_tensors_of(const ifn_model *self)
{
    return &self->globals;
}

const ifn_layer *ifn_model_layer(const ifn_model *self, int64_t index)
{
    return index >= 0 && index < self->n_layers ? &self->layers[index] : NULL;
}

const ifn_file_stamp *ifn_model_stamp(const ifn_model *self)
{
    return &self->gguf->map.stamp;
}

const ifn_gguf *ifn_model_gguf(const ifn_model *self)
{
    return self->gguf;
}

static bool is_quantized(const ifn_tensor *t)
{
    return t && ifn_dtype_is_quantized(t->dtype);
}

static int layer_is_quantized(const ifn_layer *layer)
{
    int quantized = 0;
#define X(field, text, role, first, second, need) quantized |= is_quantized(layer->field);
    IFN_LAYER_TENSORS(X)
#undef X
    return quantized;
}

int ifn_model_is_quantized(const ifn_model *self)
{
    if (is_quantized(self->globals.output))
        return 1;
    for (int64_t i = 0; i < self->n_layers; i++)
        if (layer_is_quantized(&self->layers[i]))
            return 1;
    return 0;
}
