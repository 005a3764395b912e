/*
 * Published blocks and floats: random and edge-case blocks of every GGUF type, one ramp tensor as ggml encoded it, and
 * values that llama.cpp printed.
 */
#include <inferno/quant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "f16.h"
#include "json.h"
#include "paths.h"
#include "test.h"

static json *load(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "quants/%s", name);
    char *text = read_file(external_path(path), NULL);
    assert_non_null(text);
    json *value = json_parse(text, NULL);
    free(text);
    return value;
}

/* The payload of a NaN is not part of the contract (numerics 10). */
static int same(float a, float b)
{
    return ifn_f32_bits(a) == ifn_f32_bits(b) || (isnan(a) && isnan(b));
}

static void decodes(const json *record, ifn_dtype dtype)
{
    size_t n_bytes, n_float_bytes;
    uint8_t *bytes = json_hex(json_get(record, "bytes_hex"), &n_bytes);
    uint8_t *want = json_hex(json_get(record, "dequant_f32le_hex"), &n_float_bytes);
    const int64_t n = (int64_t)(n_float_bytes / 4);
    float *got = malloc(n_float_bytes);
    assert_non_null(got);
    assert_true(n > 0);
    assert_int_equal(ifn_dtype_row_bytes(dtype, n), n_bytes);
    assert_int_equal(ifn_dequantize_row(dtype, bytes, got, n), IFN_OK);
    for (int64_t i = 0; i < n; i++) {
        float expected;
        assert_int_equal(ifn_dequantize_row(IFN_DTYPE_F32, want + 4 * i, &expected, 1), IFN_OK);
        assert_that(same(got[i], expected), "%s: element %lld is %a, expected %a",
                    ifn_dtype_name(dtype), (long long)i, (double)got[i], (double)expected);
    }
    free(got);
    free(want);
    free(bytes);
}

/* Decodes every record of a supported type and names the others. Returns how many it decoded. */
static int decode_all(const json *records, unsigned *seen)
{
    int n_decoded = 0, n_other = 0;
    for (size_t i = 0; i < records->n; i++) {
        const json *record = &records->items[i];
        ifn_dtype dtype;
        if (ifn_dtype_from_gguf((uint32_t)json_int(json_get(record, "ggml_type")), &dtype)) {
            assert_string_equal(ifn_dtype_name(dtype), json_get(record, "type")->string);
            decodes(record, dtype);
            *seen |= 1u << dtype;
            n_decoded++;
        } else {
            print_message("not a dtype of ours: %s\n", json_get(record, "type")->string);
            n_other++;
        }
    }
    print_message("%d records decoded, %d of types we do not have\n", n_decoded, n_other);
    return n_decoded;
}

static void every_published_block_decodes_bit_for_bit(void **state)
{
    (void)state;
    json *records = load("blocks.json");
    unsigned seen = 0;
    assert_true(decode_all(records, &seen) > 0);
    json_free(records);
    for (int i = IFN_DTYPE_BF16; i < IFN_DTYPE_Q8_32F; i++)
        assert_that(seen >> i & 1, "no block of %s", ifn_dtype_name((ifn_dtype)i));
}

static void the_ramp_tensor_decodes_bit_for_bit(void **state)
{
    (void)state;
    json *records = load("real-tensor.json");
    unsigned seen = 0;
    assert_true(decode_all(records, &seen) > 0);
    json_free(records);
}

static void the_ramp_encodes_to_the_published_bytes(void **state)
{
    (void)state;
    json *records = load("real-tensor.json");
    float ramp[256];
    int n_encoded = 0;
    for (int i = 0; i < 256; i++)
        ramp[i] = (float)i;
    for (size_t i = 0; i < records->n; i++) {
        const json *record = &records->items[i];
        uint8_t got[1024];
        size_t n_bytes;
        ifn_dtype dtype;
        if (!ifn_dtype_from_name(json_get(record, "type")->string, &dtype) ||
            ifn_dtype_block_elements(dtype) == 256)
            continue;
        uint8_t *want = json_hex(json_get(record, "bytes_hex"), &n_bytes);
        assert_int_equal(ifn_dtype_row_bytes(dtype, 256), n_bytes);
        assert_int_equal(ifn_quantize_row(dtype, ramp, got, 256), IFN_OK);
        print_message("%s\n", ifn_dtype_name(dtype));
        assert_memory_equal(got, want, n_bytes);
        free(want);
        n_encoded++;
    }
    json_free(records);
    assert_true(n_encoded >= 5);
}

static void are_near(const json *want, const float *got, double tolerance)
{
    assert_true(want->n > 0);
    for (size_t i = 0; i < want->n; i++)
        assert_that(fabs((double)got[i] - want->items[i].number) <= tolerance,
                    "element %zu is %.9g, printed %.9g", i, (double)got[i], want->items[i].number);
}

static void values_printed_by_llama_cpp_are_ours(void **state)
{
    (void)state;
    json *record = load("q4_k-llamacpp-printed.json");
    const double tolerance = json_get(record, "tolerance")->number;
    size_t n_bytes;
    uint8_t *bytes = json_hex(json_get(record, "bytes_hex"), &n_bytes);
    float got[256];
    assert_int_equal(n_bytes, 144);
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q4_K, bytes, got, 256), IFN_OK);
    are_near(json_get(record, "expected_0_20"), got, tolerance);
    are_near(json_get(record, "expected_32_40"), got + 32, tolerance);
    free(bytes);
    json_free(record);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(every_published_block_decodes_bit_for_bit),
        RUN(the_ramp_tensor_decodes_bit_for_bit),
        RUN(the_ramp_encodes_to_the_published_bytes),
        RUN(values_printed_by_llama_cpp_are_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
