#include "inspection.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/model.h>

#include "tensor_dims.h"

bool inspection_shows(const inspection *self, const ifn_gguf_tensor *tensor)
{
    return !self->glob || fnmatch(self->glob, tensor->view.name, 0) == 0;
}

static void add_tensor(inspection *self, const ifn_gguf_tensor *tensor)
{
    size_t i = 0;
    while (i < self->n_types && strcmp(self->types[i].name, tensor->type_name) != 0)
        i++;
    if (i == INSPECT_TYPES)
        return;
    if (i == self->n_types)
        self->types[self->n_types++].name = tensor->type_name;
    self->types[i].n_tensors++;
    self->types[i].bytes += tensor->bytes;
    self->types[i].n_parameters += tensor_elements(&tensor->view);
    self->n_shown++;
    self->n_parameters += tensor_elements(&tensor->view);
    self->tensor_bytes += tensor->bytes;
}

/* Goes on after a problem, so that the user sees all of them. */
void inspection_find_problems(inspection *self)
{
    ifn_model *model;
    ifn_error *err = self->problems;
    if (ifn_tokenizer_open(self->gguf, NULL, &self->tokenizer, err) != IFN_OK)
        err++;
    if (ifn_model_open(self->gguf, NULL, &model, err) != IFN_OK)
        err++;
    self->n_problems = (size_t)(err - self->problems);
    ifn_model_close(model);
}

const char *inspection_warning(const inspection *self, int i)
{
    return self->tokenizer ? ifn_tokenizer_warning(self->tokenizer, i) : NULL;
}

bool inspection_is_float(ifn_gguf_type type)
{
    return type == IFN_GGUF_FLOAT32 || type == IFN_GGUF_FLOAT64;
}

bool inspection_is_unsigned(ifn_gguf_type type)
{
    return type == IFN_GGUF_UINT8 || type == IFN_GGUF_UINT16 || type == IFN_GGUF_UINT32 ||
           type == IFN_GGUF_UINT64;
}

uint64_t inspection_n_shown(const ifn_gguf_kv *entry)
{
    return entry->type == IFN_GGUF_ARRAY && entry->count > INSPECT_SHOWN ? INSPECT_SHOWN
                                                                         : entry->count;
}

ifn_status inspection_refuse_nested(const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_gguf_kv *nested = ifn_gguf_first_nested_array(gguf);
    if (!nested)
        return IFN_OK;
    return ifn_fail_at(err, IFN_ERR_FORMAT, nested->offset,
                       "%s: key '%.*s': an array of arrays, expected an array of plain values",
                       ifn_gguf_path(gguf), nested->key.bytes < 100 ? (int)nested->key.bytes : 100,
                       nested->key.data);
}

ifn_status inspection_find(inspection *self, ifn_error *err)
{
    IFN_TRY(inspection_refuse_nested(self->gguf, err));
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++)
        if (inspection_shows(self, ifn_gguf_tensor_at(self->gguf, i)))
            add_tensor(self, ifn_gguf_tensor_at(self->gguf, i));
    if (self->glob && self->n_shown == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--tensors: found '%.60s', expected what a tensor is called in %.100s",
                        self->glob, ifn_gguf_path(self->gguf));
    return IFN_OK;
}

static ifn_status find_stats(inspection *self, tensor_scan *scan, ifn_error *err)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(self->gguf); i++) {
        const ifn_gguf_tensor *const tensor = ifn_gguf_tensor_at(self->gguf, i);
        if (inspection_shows(self, tensor))
            IFN_TRY(tensor_stats_of(scan, tensor, &self->stats[n++], err));
    }
    return IFN_OK;
}

ifn_status inspection_find_stats(inspection *self, progress *bar, ifn_error *err)
{
    tensor_scan scan;
    self->stats = calloc((size_t)self->n_shown + 1, sizeof *self->stats);
    if (!self->stats)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for what its tensors are like",
                        ifn_gguf_path(self->gguf));
    ifn_status status = tensor_scan_open(&scan, self->gguf, bar, err);
    scan.all_bytes = self->tensor_bytes;
    if (status == IFN_OK)
        status = find_stats(self, &scan, err);
    tensor_scan_close(&scan);
    return status;
}

void inspection_free(inspection *self)
{
    tensor_check_free(&self->check);
    ifn_tokenizer_close(self->tokenizer);
    free(self->stats);
    *self = (inspection){0};
}
