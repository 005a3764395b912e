#include "search.h"

#include <string.h>

#include "row_sets.h"
#include "test.h"

enum { N_BLOCKS = 2 * IFN_SEARCH_BLOCKS + 1 };

static const ifn_dtype searched[] = {
#define X(NAME) IFN_DTYPE_##NAME,
    IFN_SEARCHED_DTYPES(X)
#undef X
};

/* Searches that count their calls, and return what the plain searches find for twice the weights. */
static int n_affine, n_symmetric, n_longest;

static void twice(const float *x, float *out)
{
    for (int i = 0; i < 256; i++)
        out[i] = 2.0f * x[i];
}

static void count(int *n, int n_blocks)
{
    *n += n_blocks;
    n_longest = n_blocks > n_longest ? n_blocks : n_longest;
}

static void affine_of_twice(const float *x, int n_blocks, ifn_affine_shape shape,
                            ifn_affine_fit *out)
{
    count(&n_affine, n_blocks);
    for (int b = 0; b < n_blocks; b++) {
        float doubled[256];
        twice(x + 256 * b, doubled);
        ifn_search_affine(doubled, NULL, shape, &out[b]);
    }
}

static void symmetric_of_twice(const float *x, int n_blocks, ifn_symmetric_shape shape,
                               ifn_symmetric_fit *out)
{
    count(&n_symmetric, n_blocks);
    for (int b = 0; b < n_blocks; b++) {
        float doubled[256];
        twice(x + 256 * b, doubled);
        ifn_search_symmetric(doubled, NULL, shape, &out[b]);
    }
}

TEST(the_given_search_sees_every_block_once)
{
    const ifn_searches by = {affine_of_twice, symmetric_of_twice};
    float x[256 * N_BLOCKS], doubled[256 * N_BLOCKS];
    assert_true(row_set_fill("normal", x, 256 * N_BLOCKS));
    for (int b = 0; b < N_BLOCKS; b++)
        twice(x + 256 * b, doubled + 256 * b);
    for (size_t i = 0; i < N_OF(searched); i++) {
        unsigned char got[210 * N_BLOCKS], expected[210 * N_BLOCKS];
        const size_t bytes = ifn_dtype_row_bytes(searched[i], 256 * N_BLOCKS);
        n_affine = n_symmetric = n_longest = 0;
        assert_int_equal(ifn_quantize_row_by(&by, searched[i], x, got, 256 * N_BLOCKS), IFN_OK);
        assert_int_equal(ifn_quantize_row(searched[i], doubled, expected, 256 * N_BLOCKS), IFN_OK);
        assert_memory_equal(got, expected, bytes);
        assert_int_equal(n_affine + n_symmetric, N_BLOCKS);
        assert_int_equal(n_longest, IFN_SEARCH_BLOCKS);
    }
}

TEST(other_formats_search_nothing)
{
    const ifn_searches none = {0};
    float x[256];
    unsigned char got[256 * 4], expected[256 * 4];
    assert_true(row_set_fill("normal", x, 256));
    for (int d = 0; d < IFN_DTYPE_COUNT; d++) {
        const ifn_dtype dtype = (ifn_dtype)d;
        int is_searched = 0;
        for (size_t i = 0; i < N_OF(searched); i++)
            is_searched |= searched[i] == dtype;
        if (is_searched)
            continue;
        assert_int_equal(ifn_quantize_row_by(&none, dtype, x, got, 256), IFN_OK);
        assert_int_equal(ifn_quantize_row(dtype, x, expected, 256), IFN_OK);
        assert_memory_equal(got, expected, ifn_dtype_row_bytes(dtype, 256));
    }
}

TEST(rows_that_do_not_fit_are_refused)
{
    float x[256] = {0};
    unsigned char out[256];
    static const int64_t wrong[] = {-256, -1, 1, 255};
    for (size_t i = 0; i < N_OF(wrong); i++)
        assert_int_equal(ifn_quantize_row_by(&ifn_plain_searches, IFN_DTYPE_Q4_K, x, out, wrong[i]),
                         IFN_ERR_SHAPE);
    assert_int_equal(ifn_quantize_row_by(&ifn_plain_searches, IFN_DTYPE_Q4_K, x, out, 0), IFN_OK);
    assert_int_equal(ifn_quantize_row_by(&ifn_plain_searches, IFN_DTYPE_COUNT, x, out, 256),
                     IFN_ERR_ARGUMENT);
}
