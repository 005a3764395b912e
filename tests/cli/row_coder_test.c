#include "row_coder.h"

#include <string.h>

#include <inferno/quant.h>

#include "team.h"
#include "test.h"

enum { COLS = 512, ROWS = 40, N_THREADS = 5 };

typedef struct coding {
    row_coder coder;
    ifn_dtype dtype;
    size_t row_bytes;
    float x[ROWS][COLS], decoded[ROWS][COLS];
    unsigned char encoded[ROWS][COLS * 4];
    int failed[N_THREADS];
} coding;

static void code_rows(void *cookie, int i)
{
    coding *c = cookie;
    for (int r = i; r < ROWS; r += N_THREADS) {
        if (row_encode(&c->coder, c->dtype, c->x[r], NULL, c->encoded[r], COLS) != IFN_OK ||
            row_decode(&c->coder, c->dtype, c->encoded[r], c->decoded[r], COLS) != IFN_OK)
            c->failed[i] = 1;
    }
}

TEST(several_threads_code_rows_at_once)
{
    static coding c;
    ifn_error err = {0};
    for (int i = 0; i < ROWS * COLS; i++)
        c.x[i / COLS][i % COLS] = (float)(i * 7919 % 1000 - 500) / 256.0f;
    assert_ok(row_coder_open(&c.coder, N_THREADS, &err), err);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++) {
        c.dtype = (ifn_dtype)d;
        team_run(c.coder.n_threads, code_rows, &c);
        for (int r = 0; r < ROWS; r++) {
            unsigned char expected[COLS * 4];
            float decoded[COLS];
            assert_int_equal(ifn_quantize_row(c.dtype, c.x[r], expected, COLS), IFN_OK);
            assert_int_equal(ifn_dequantize_row(c.dtype, expected, decoded, COLS), IFN_OK);
            assert_memory_equal(c.encoded[r], expected, ifn_dtype_row_bytes(c.dtype, COLS));
            assert_memory_equal(c.decoded[r], decoded, sizeof decoded);
        }
        for (int i = 0; i < N_THREADS; i++)
            assert_false(c.failed[i]);
    }
    row_coder_close(&c.coder);
}

TEST(without_a_number_there_is_a_thread_for_each_processor)
{
    row_coder coder;
    ifn_error err = {0};
    assert_ok(row_coder_open(&coder, 0, &err), err);
    assert_int_equal(coder.n_threads, team_size());
    row_coder_close(&coder);
}
