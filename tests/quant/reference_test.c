/*
 * Compares these quantizers with ggml's (fixtures/make/quant_reference.py): the pinned formats give the same bytes,
 * the K formats have no larger error.
 */
#include <inferno/quant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "paths.h"
#include "row_sets.h"
#include "test.h"

typedef struct reference {
    const char *rows;
    ifn_dtype dtype;
    int64_t n;
    double rms;           /* with ggml's dequantizer */
    const uint8_t *bytes; /* ggml's */
    size_t n_bytes;
} reference;

static reference read_record(const json *record, const char *data)
{
    reference r = {.rows = json_get(record, "rows")->string,
                   .n = json_int(json_get(record, "elements")),
                   .rms = json_get(record, "rms")->number,
                   .n_bytes = (size_t)json_int(json_get(record, "bytes"))};
    assert_true(ifn_dtype_from_name(json_get(record, "dtype")->string, &r.dtype));
    assert_int_equal(ifn_dtype_row_bytes(r.dtype, r.n), r.n_bytes);
    r.bytes = (const uint8_t *)data + json_int(json_get(record, "offset"));
    return r;
}

/* Calls check with every record of a file and the row set of the record. Returns the number of records. */
static size_t for_each(const char *stem, void (*check)(const reference *, const float *))
{
    char name[64];
    snprintf(name, sizeof name, "fixtures/golden/quant/%s.json", stem);
    char *text = read_file(source_path(name), NULL);
    snprintf(name, sizeof name, "fixtures/golden/quant/%s.bin", stem);
    char *data = read_file(source_path(name), NULL);
    assert_non_null(text);
    assert_non_null(data);
    json *file = json_parse(text, NULL);
    const json *records = json_get(file, "records");
    const size_t n = records->n;
    for (size_t i = 0; i < n; i++) {
        const reference r = read_record(&records->items[i], data);
        float *x = malloc((size_t)r.n * sizeof *x);
        assert_non_null(x);
        assert_true(row_set_fill(r.rows, x, r.n));
        if (r.dtype != IFN_DTYPE_Q8_32F || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
            check(&r, x); /* that type's byte order is the machine's */
        free(x);
    }
    json_free(file);
    free(data);
    free(text);
    return n;
}

static double rms_of(const reference *r, const void *bytes, const float *x)
{
    float *back = malloc((size_t)r->n * sizeof *back);
    double sum = 0.0;
    assert_non_null(back);
    assert_int_equal(ifn_dequantize_row(r->dtype, bytes, back, r->n), IFN_OK);
    for (int64_t i = 0; i < r->n; i++)
        sum += ((double)back[i] - (double)x[i]) * ((double)back[i] - (double)x[i]);
    free(back);
    return sqrt(sum / (double)r->n);
}

static void *quantize(const reference *r, const float *x)
{
    void *bytes = malloc(r->n_bytes);
    assert_non_null(bytes);
    assert_int_equal(ifn_quantize_row(r->dtype, x, bytes, r->n), IFN_OK);
    return bytes;
}

static void rms_agrees(const reference *r, const float *x)
{
    const double rms = rms_of(r, r->bytes, x);
    assert_that(fabs(rms - r->rms) <= 1e-12 * r->rms, "%s, %s: RMS %.17g, the maker's %.17g",
                ifn_dtype_name(r->dtype), r->rows, rms, r->rms);
}

static void bytes_agree(const reference *r, const float *x)
{
    uint8_t *bytes = quantize(r, x);
    for (size_t i = 0; i < r->n_bytes; i++)
        assert_that(bytes[i] == r->bytes[i], "%s, %s: block %zu byte %zu is %02x, expected %02x",
                    ifn_dtype_name(r->dtype), r->rows, i / ifn_dtype_block_bytes(r->dtype),
                    i % ifn_dtype_block_bytes(r->dtype), bytes[i], r->bytes[i]);
    free(bytes);
}

static void loses_no_more(const reference *r, const float *x)
{
    void *bytes = quantize(r, x);
    const double ours = rms_of(r, bytes, x), ggml = rms_of(r, r->bytes, x);
    print_message("%-5s %-9s RMS %.6g, ggml %.6g, ratio %.4f\n", ifn_dtype_name(r->dtype), r->rows,
                  ours, ggml, ours / ggml);
    assert_that(ours <= 1.01 * ggml, "%s, %s: RMS %g exceeds 1.01 x %g", ifn_dtype_name(r->dtype),
                r->rows, ours, ggml);
    free(bytes);
}

TEST(the_references_decode_as_their_maker_decodes_them)
{
    assert_int_equal(for_each("pinned-reference", rms_agrees), 36);
    assert_int_equal(for_each("kquant-reference", rms_agrees), 30);
}

TEST(pinned_formats_give_the_bytes_of_the_reference)
{
    assert_int_equal(for_each("pinned-reference", bytes_agree), 36);
}

TEST(k_formats_lose_no_more_than_ggml)
{
    assert_int_equal(for_each("kquant-reference", loses_no_more), 30);
}
