#include "open_model.h"

#include <math.h>

/* Expects `got` to be within slightly more than half an ulp: u * (1 + 2^-20) relative (numerics 7.6). */
static void assert_close(float got, long double want, const char *what, int64_t pos, int64_t i)
{
    const long double bound = fabsl(want) * 0x1p-24L * (1 + 0x1p-20L);
    assert_that(fabsl((long double)got - want) <= bound, "%s at position %lld, pair %lld: %.9g",
                what, (long long)pos, (long long)i, (double)got);
}

static void assert_table(const opened *o, const float *factors)
{
    const ifn_hparams *h = ifn_model_hparams(o->model);
    static const int64_t positions[] = {0, 1, 2, 7, 4095, 4096, 32767, 131071, 1 << 20};
    float row[16];
    for (size_t p = 0; p < N_OF(positions); p++) {
        ifn_model_rope_row(o->model, positions[p], row);
        for (int64_t i = 0; i < 8; i++) {
            /* exp and log in long double give the same angle by another formula */
            const long double frequency =
                expl(-2.0L * (long double)i / 16.0L * logl((long double)h->rope_theta));
            const long double angle =
                (long double)positions[p] * frequency / (factors ? (long double)factors[i] : 1.0L);
            /* f64 angles are accurate to 2^-50 relative: for angles up to 2^20 that error is far below u, except
             * where a sine or cosine is nearly zero. */
            if (fabsl(cosl(angle)) > 1e-3L)
                assert_close(row[i], cosl(angle), "cosine", positions[p], i);
            if (fabsl(sinl(angle)) > 1e-3L || positions[p] < 8)
                assert_close(row[8 + i], sinl(angle), "sine", positions[p], i);
        }
    }
}

TEST(entries_are_sines_and_cosines_rounded_once)
{
    const tiny_model m = tiny_default("qwen3");
    opened o = open_model(&m);
    assert_table(&o, NULL);
    close_model(&o);
}

TEST(factors_divide_the_frequencies)
{
    tiny_model m = tiny_default("llama");
    m.rope_freqs = 1;
    opened o = open_model(&m);
    assert_table(&o, ifn_model_tensors_of(o.model)->rope_freqs->data);
    close_model(&o);
}
