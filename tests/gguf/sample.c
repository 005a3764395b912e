#include "sample.h"

#include <string.h>

#include <inferno/gguf_writer.h>

#include "test.h"

static const uint8_t nested[] = {
    /* array of u8, 2 elements */
    0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 8,
    /* array of string, 1 element */
    8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 'h', 'i'};

static void put_scalars(ifn_gguf_writer *w)
{
    static const ifn_gguf_type integers[] = {IFN_GGUF_UINT8,  IFN_GGUF_INT8,   IFN_GGUF_UINT16,
                                             IFN_GGUF_INT16,  IFN_GGUF_UINT32, IFN_GGUF_INT32,
                                             IFN_GGUF_UINT64, IFN_GGUF_INT64};
    static const uint8_t f64[8] = {0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
    const ifn_gguf_kv entry = {.key = {"f64", 3},
                               .type = IFN_GGUF_FLOAT64,
                               .element_type = IFN_GGUF_FLOAT64,
                               .count = 1,
                               .data = f64,
                               .bytes = sizeof f64,
                               .length_bytes = 8};
    ifn_error err;
    for (size_t i = 0; i < N_OF(integers); i++)
        assert_ok(ifn_gguf_writer_put_uint(w, ifn_gguf_type_name(integers[i]), integers[i], 100 + i,
                                           &err),
                  err);
    assert_ok(ifn_gguf_writer_put_float(w, "f32", 0.5f, &err), err);
    assert_ok(ifn_gguf_writer_put_kv(w, &entry, &err), err);
    assert_ok(ifn_gguf_writer_put_bool(w, "bool", 1, &err), err);
    assert_ok(ifn_gguf_writer_put_string(w, "string", "text", 4, &err), err);
    assert_ok(ifn_gguf_writer_put_string(w, "string.empty", "", 0, &err), err);
}

static void put_arrays(ifn_gguf_writer *w)
{
    static const uint8_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const ifn_string strings[] = {{"one", 3}, {"", 0}, {"three\0!", 7}};
    const ifn_gguf_kv entry = {.key = {"nested", 6},
                               .type = IFN_GGUF_ARRAY,
                               .element_type = IFN_GGUF_ARRAY,
                               .count = 2,
                               .data = nested,
                               .bytes = sizeof nested,
                               .length_bytes = 8};
    char key[32] = "array.";
    ifn_error err;
    for (int i = 0; i <= IFN_GGUF_FLOAT64; i++) {
        const ifn_gguf_type type = (ifn_gguf_type)i;
        if (type == IFN_GGUF_STRING || type == IFN_GGUF_ARRAY)
            continue;
        strcpy(key + 6, ifn_gguf_type_name(type));
        assert_ok(ifn_gguf_writer_put_array(w, key, type, ones, 2, &err), err);
    }
    assert_ok(ifn_gguf_writer_put_array(w, "array.empty", IFN_GGUF_UINT32, NULL, 0, &err), err);
    assert_ok(ifn_gguf_writer_put_strings(w, "array.string", strings, 3, &err), err);
    assert_ok(ifn_gguf_writer_put_kv(w, &entry, &err), err);
}

static void put_tensors(ifn_gguf_writer *w)
{
    static const struct {
        const char *name;
        ifn_dtype dtype;
        int32_t n_dims;
        int64_t shape[4];
        size_t bytes;
    } tensors[SAMPLE_N_TENSORS] = {
        {"matrix", IFN_DTYPE_F32, 2, {3, 5}, 60},   {"vector", IFN_DTYPE_F16, 1, {7}, 14},
        {"blocks", IFN_DTYPE_Q8_0, 2, {2, 32}, 68}, {"four", IFN_DTYPE_BF16, 4, {1, 2, 1, 3}, 12},
        {"nothing", IFN_DTYPE_F32, 2, {0, 4}, 0},   {"k", IFN_DTYPE_Q4_K, 3, {1, 1, 256}, 144},
    };
    uint8_t data[144];
    ifn_error err;
    for (size_t i = 0; i < N_OF(tensors); i++)
        assert_ok(ifn_gguf_writer_declare_tensor(w, tensors[i].name, tensors[i].dtype,
                                                 tensors[i].n_dims, tensors[i].shape, &err),
                  err);
    for (size_t i = 0; i < N_OF(tensors); i++) {
        memset(data, (int)(0x10 + i), sizeof data);
        assert_ok(ifn_gguf_writer_write_data(w, data, tensors[i].bytes, &err), err);
    }
}

void sample_write(const char *path, uint32_t alignment)
{
    ifn_gguf_writer *w;
    ifn_error err;
    assert_ok(ifn_gguf_writer_open(path, alignment, NULL, &w, &err), err);
    put_scalars(w);
    put_arrays(w);
    put_tensors(w);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
}
