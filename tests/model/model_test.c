#include "open_model.h"

#include <inferno/gguf_writer.h>

#include "fail_alloc.h"

TEST(a_layer_outside_the_model_is_null)
{
    const tiny_model m = tiny_default("qwen3");
    opened o = open_model(&m);
    assert_non_null(ifn_model_layer(o.model, 1));
    assert_null(ifn_model_layer(o.model, 2));
    assert_null(ifn_model_layer(o.model, -1));
    assert_ptr_equal(ifn_model_gguf(o.model), o.gguf);
    close_model(&o);
}

TEST(tensors_are_views_of_the_file)
{
    const tiny_model m = tiny_default("qwen3");
    opened o = open_model(&m);
    assert_ptr_equal(ifn_model_tensors_of(o.model)->token_embd->data,
                     ifn_gguf_find_tensor(o.gguf, "token_embd.weight")->view.data);
    close_model(&o);
}

TEST(one_quantized_matrix_makes_a_quantized_model)
{
    tiny_model m = tiny_wide("qwen3", IFN_DTYPE_F16);
    opened o = open_model(&m);
    assert_false(ifn_model_is_quantized(o.model));
    close_model(&o);
    m.kv_dtype = IFN_DTYPE_Q8_0;
    o = open_model(&m);
    assert_true(ifn_model_is_quantized(o.model));
    close_model(&o);
    m = tiny_wide("qwen3", IFN_DTYPE_Q4_K);
    o = open_model(&m);
    assert_true(ifn_model_is_quantized(o.model));
    close_model(&o);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    const tiny_model m = tiny_default("qwen3");
    opened o = open_model(&m);
    for (long n = 0;; n++) {
        fail_alloc failing;
        ifn_model *model;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_status status = ifn_model_open(o.gguf, &failing.allocator, &model, &err);
        if (status == IFN_OK) {
            assert_true(n == 2);
            ifn_model_close(model);
            assert_int_equal(failing.live_blocks, 0);
            break;
        }
        assert_int_equal(status, IFN_ERR_NOMEM);
        assert_null(model);
        assert_non_null(strstr(err.text, "memory"));
        assert_int_equal(failing.live_blocks, 0);
    }
    close_model(&o);
    ifn_model_close(NULL);
}

/* With a vocabulary larger than the embedding, ids would index past the table. */
TEST(the_vocabulary_must_fit_the_embedding)
{
    const tiny_model m = tiny_default("qwen3");
    const char *path = temp_path("vocabulary.gguf");
    opened o = open_model(&m);
    ifn_gguf_writer *w;
    ifn_error err;
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w, &err), err);
    for (uint64_t i = 0; i < ifn_gguf_n_kv(o.gguf); i++)
        assert_ok(ifn_gguf_writer_put_kv(w, ifn_gguf_kv_at(o.gguf, i), &err), err);
    const ifn_string tokens[] = {{"a", 1}, {"b", 1}};
    assert_ok(ifn_gguf_writer_put_strings(w, "tokenizer.ggml.tokens", tokens, 2, &err), err);
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(o.gguf); i++) {
        const ifn_tensor *t = &ifn_gguf_tensor_at(o.gguf, i)->view;
        assert_ok(ifn_gguf_writer_declare_tensor(w, t->name, t->dtype, t->n_dims, t->shape, &err),
                  err);
    }
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(o.gguf); i++) {
        const ifn_gguf_tensor *t = ifn_gguf_tensor_at(o.gguf, i);
        assert_ok(ifn_gguf_writer_write_data(w, t->view.data, t->bytes, &err), err);
    }
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    close_model(&o);

    assert_ok(ifn_gguf_open(path, NULL, &o.gguf, &err), err);
    assert_int_equal(ifn_model_open(o.gguf, NULL, &o.model, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "tokenizer.ggml.tokens: 2 tokens, expected 61"));
    close_model(&o);
}
