/*
 * As in search_symmetric.c and search_affine.c, for a single group. Trial scales lie around the one
 * that maps the largest weight to the end of the code range. The codes of each give a least-squares
 * scale, rounded to f16; the one with the least error with newly computed codes wins. From there,
 * codes and scale are recomputed from each other as long as the error falls.
 */
#include "search_block.h"

#include <stdbool.h>

#include "quant_priv.h"

enum { N = 32 };

static float error_of_scale(const float *x, const float *w, uint16_t half, int zero)
{
    const float d = ifn_f16_to_f32(half), inverse = 1.0f / d;
    float error = 0.0f;
    for (int i = 0; i < N; i++) {
        const float e = x[i] - d * (float)ifn_nearest_code(x[i] * inverse, -zero, zero - 1);
        error += w[i] * e * e;
    }
    return error;
}

static uint16_t scale_for(const float *x, const float *w, float inverse, int zero)
{
    float xq = 0.0f, qq = 0.0f;
    for (int i = 0; i < N; i++) {
        const float q = (float)ifn_nearest_code(x[i] * inverse, -zero, zero - 1);
        xq += w[i] * (x[i] * q);
        qq += w[i] * (q * q);
    }
    return qq > 0.0f ? ifn_f16_or_nan(xq / qq) : IFN_F16_NAN;
}

/* Tries the scale for the codes that `inverse` gives. If its error is below *least, sets *best and *least and returns
 * true. */
static bool try_scale(const float *x, const float *w, float inverse, int zero, uint16_t *best,
                      float *least)
{
    const uint16_t half = scale_for(x, w, inverse, zero);
    if (!ifn_f16_is_usable(half))
        return false;
    const float error = error_of_scale(x, w, half, zero);
    if (!(error < *least))
        return false;
    *least = error;
    *best = half;
    return true;
}

uint16_t ifn_search_scale(const float x[32], const float w[32], int zero)
{
    const float largest = ifn_largest(x, N);
    uint16_t best = ifn_f16_or_nan(largest / (float)-zero);
    if (!ifn_f16_is_usable(best))
        return IFN_F16_NAN;
    float least = error_of_scale(x, w, best, zero);
    for (int k = -9; k <= 9; k++)
        (void)try_scale(x, w, -((float)zero + 0.1f * (float)k) / largest, zero, &best, &least);
    while (try_scale(x, w, 1.0f / ifn_f16_to_f32(best), zero, &best, &least))
        ;
    return best;
}

static float error_of_minimum(const float *x, const float *w, const ifn_minimum_scale *s, int steps)
{
    const float d = ifn_f16_to_f32(s->d), m = ifn_f16_to_f32(s->m);
    float error = 0.0f;
    for (int i = 0; i < N; i++) {
        const float e = x[i] - (d * (float)ifn_minimum_code(x[i], s, steps) + m);
        error += w[i] * e * e;
    }
    return error;
}

/* The least-squares line for the codes that a scale and a minimum give, rounded to f16; d is NaN if there is
 * no such line. */
static ifn_minimum_scale minimum_for(const float *x, const float *w, float lo, float inverse,
                                     int steps)
{
    const ifn_minimum_scale none = {lo, 0.0f, IFN_F16_NAN, 0};
    float sw = 0.0f, sx = 0.0f, sq = 0.0f, sqq = 0.0f, sxq = 0.0f;
    for (int i = 0; i < N; i++) {
        const float q = (float)ifn_nearest_code((x[i] - lo) * inverse, 0, steps);
        sw += w[i];
        sx += w[i] * x[i];
        sq += w[i] * q;
        sqq += w[i] * (q * q);
        sxq += w[i] * (x[i] * q);
    }
    const float determinant = sw * sqq - sq * sq;
    if (!(determinant > 0.0f))
        return none;
    const uint16_t d = ifn_f16_or_nan((sw * sxq - sx * sq) / determinant),
                   m = ifn_f16_or_nan((sqq * sx - sq * sxq) / determinant);
    if (!ifn_f16_is_usable(d) || m == IFN_F16_NAN)
        return none;
    return (ifn_minimum_scale){ifn_f16_to_f32(m), 1.0f / ifn_f16_to_f32(d), d, m};
}

static bool try_minimum(const float *x, const float *w, float lo, float inverse, int steps,
                        ifn_minimum_scale *best, float *least)
{
    const ifn_minimum_scale trial = minimum_for(x, w, lo, inverse, steps);
    if (trial.d == IFN_F16_NAN)
        return false;
    const float error = error_of_minimum(x, w, &trial, steps);
    if (!(error < *least))
        return false;
    *least = error;
    *best = trial;
    return true;
}

ifn_minimum_scale ifn_search_minimum(const float x[32], const float w[32], int steps)
{
    ifn_minimum_scale best = ifn_minimum_scale_of(x, (float)steps);
    if (!ifn_f16_is_usable(best.d))
        return best;
    const float lo = best.lo, range = (float)steps / best.id;
    float least = error_of_minimum(x, w, &best, steps);
    for (int k = -9; k <= 9; k++)
        (void)try_minimum(x, w, lo, ((float)steps + 0.1f * (float)k) / range, steps, &best, &least);
    while (try_minimum(x, w, best.lo, best.id, steps, &best, &least))
        ;
    return best;
}
