#include "blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "row_sets.h"
#include "test.h"

void assert_decodes(ifn_dtype dtype, const void *bytes, const float *want, int64_t n)
{
    float *got = malloc((size_t)n * sizeof *got);
    assert_non_null(got);
    assert_int_equal(ifn_dequantize_row(dtype, bytes, got, n), IFN_OK);
    for (int64_t i = 0; i < n; i++)
        assert_that(memcmp(&got[i], &want[i], sizeof *got) == 0 ||
                        (isnan(got[i]) && isnan(want[i])),
                    "%s: element %lld decodes to %a, expected %a", ifn_dtype_name(dtype),
                    (long long)i, (double)got[i], (double)want[i]);
    free(got);
}

void assert_encodes(ifn_dtype dtype, const float *x, const void *want, int64_t n)
{
    const size_t n_bytes = ifn_dtype_row_bytes(dtype, n);
    uint8_t *got = malloc(n_bytes);
    const uint8_t *expected = want;
    assert_non_null(got);
    assert_int_equal(ifn_quantize_row(dtype, x, got, n), IFN_OK);
    for (size_t i = 0; i < n_bytes; i++)
        assert_that(got[i] == expected[i], "%s: byte %zu is %02x, expected %02x",
                    ifn_dtype_name(dtype), i, got[i], expected[i]);
    free(got);
}

void assert_bit_moves(ifn_dtype dtype, uint8_t *block, size_t byte, int bit, int weight, float step)
{
    float before[256], after[256];
    const int n = (int)ifn_dtype_block_elements(dtype);
    assert_int_equal(ifn_dequantize_row(dtype, block, before, n), IFN_OK);
    block[byte] ^= (uint8_t)(1 << bit);
    assert_int_equal(ifn_dequantize_row(dtype, block, after, n), IFN_OK);
    block[byte] ^= (uint8_t)(1 << bit);
    for (int i = 0; i < n; i++)
        assert_that(after[i] - before[i] == (i == weight ? step : 0.0f),
                    "%s: byte %zu bit %d moves weight %d by %g, expected weight %d by %g",
                    ifn_dtype_name(dtype), byte, bit, i, (double)(after[i] - before[i]), weight,
                    (double)step);
}

void round_trip(ifn_dtype dtype, const float *x, float *back, int64_t n)
{
    void *bytes = malloc(ifn_dtype_row_bytes(dtype, n));
    assert_non_null(bytes);
    assert_int_equal(ifn_quantize_row(dtype, x, bytes, n), IFN_OK);
    assert_int_equal(ifn_dequantize_row(dtype, bytes, back, n), IFN_OK);
    free(bytes);
}

void random_block(uint64_t index, float *x, int64_t n)
{
    const int e = (int)(row_hash("block.exponent", index) % 17) - 8;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t at = index * 256 + (uint64_t)i;
        const float v = row_normal("block", at);
        /* Each fourth block is normal, heavy-tailed, mostly zero, or of one sign. */
        const float shaped[4] = {v, v * v * v, row_hash("block.zero", at) % 8 ? 0.0f : v, fabsf(v)};
        x[i] = ldexpf(shaped[index % 4], e);
    }
}
