/*
 * A small model of each architecture with some bytes changed, most of them in the metadata and the tensor table: it is
 * refused before there is a context, or it runs.
 *
 * Input: architecture, graph and cache, then patches: where, how many bytes, the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/context.h>

#include "fuzz_input.h"
#include "paths.h"
#include "tiny_model.h"

enum { N_ARCHS = 3, MAX_PATCHES = 16, MEMORY = 1 << 24 };

static struct {
    char *data;
    size_t bytes;
} files[N_ARCHS];

static void make_files(void)
{
    static const char *const archs[N_ARCHS] = {"llama", "qwen2", "qwen3"};
    for (int i = 0; i < N_ARCHS; i++) {
        const tiny_model m = {.arch = archs[i],
                              .n_vocab = 7,
                              .n_embd = 32,
                              .n_ff = 32,
                              .n_layers = 1,
                              .n_heads = 2,
                              .n_kv_heads = 1,
                              .head_dim = 16,
                              .rope_freqs = i == 0,
                              .dtype = i == 1 ? IFN_DTYPE_Q8_0 : IFN_DTYPE_F32,
                              .tied = i == 2,
                              .seed = 3};
        const char *path = temp_path("fuzz.gguf");
        tiny_write(&m, path);
        files[i].data = read_file(path, &files[i].bytes);
        if (!files[i].data)
            abort();
    }
}

/* Copies a file to memory aligned like a mapping, which ends with the last byte of the file. */
static uint8_t *copy_of(int file)
{
    const size_t bytes = (files[file].bytes + 63) / 64 * 64;
    uint8_t *copy = aligned_alloc(64, bytes);
    if (!copy)
        abort();
    memset(copy, 0, bytes);
    memcpy(copy, files[file].data, files[file].bytes);
    return copy;
}

static void patch(fuzz_bytes *in, uint8_t *data, size_t size)
{
    for (int i = 0; i < MAX_PATCHES && in->left > 0; i++) {
        const size_t at = (size_t)fuzz_u64(in, 2);
        size_t bytes = 1 + fuzz_below(in, 8);
        const uint8_t *with = fuzz_take(in, &bytes);
        if (at + bytes <= size)
            memcpy(data + at, with, bytes);
    }
}

static ifn_status run(const ifn_model *model, const ifn_context_params *params, ifn_error *err)
{
    const ifn_token ids[] = {1, 2, 0};
    ifn_backend *backend;
    ifn_weights *weights = NULL;
    ifn_context *context = NULL;
    IFN_TRY(ifn_backend_open("scalar", NULL, &backend, err));
    ifn_status status = ifn_weights_open(model, backend, ifn_context_uses(model, params), NULL,
                                         NULL, &weights, err);
    if (status == IFN_OK)
        status = ifn_context_open(weights, params, NULL, &context, err);
    if (status == IFN_OK)
        status = ifn_context_eval(context, ids, 3, err);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_backend_close(backend);
    return status;
}

static ifn_status open_and_run(const uint8_t *data, size_t bytes, const ifn_context_params *params,
                               ifn_error *err)
{
    ifn_gguf *gguf;
    ifn_model *model;
    IFN_TRY(ifn_gguf_open_memory("fuzz", data, bytes, NULL, &gguf, err));
    ifn_status status = ifn_model_open(gguf, NULL, &model, err);
    if (status == IFN_OK) {
        status = run(model, params, err);
        ifn_model_close(model);
    }
    ifn_gguf_close(gguf);
    return status;
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    ifn_error err = {.status = IFN_OK, .text = ""};
    if (!files[0].data)
        make_files();
    const int file = (int)fuzz_below(&in, N_ARCHS);
    const uint32_t how = fuzz_u8(&in);
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = 4, .max_rows = how & 1 ? 2 : 0,
                  .graph = how & 2 ? IFN_GRAPH_PRIMITIVE : IFN_GRAPH_FUSED,
                  .kv = (ifn_kv)(how >> 2 & 3), .max_memory = MEMORY);
    uint8_t *copy = copy_of(file);
    patch(&in, copy, files[file].bytes);
    fuzz_expect_said(open_and_run(copy, files[file].bytes, &params, &err), &err);
    free(copy);
    return err.status == IFN_OK;
}
