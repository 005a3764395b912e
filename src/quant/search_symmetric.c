/*
 * Approximates the least squared error of a block in two steps:
 *
 *   1. for each group alone, find the f32 factor with the least error, out of factors that map
 *      the largest weight near the end of the code range, each improved by least squares;
 *   2. the largest of these gives d; every group takes the best of the three stored scales
 *      nearest to its target, judged by the error with the rounded product d * scale and newly
 *      computed codes. The largest factor is tried as the largest scale and as the next smaller
 *      ones: each gives another d, with other rounding errors in f16 and in the other groups.
 */
#include "search_symmetric.h"

#include "quant_priv.h"

enum { N_GROUPS = 16, GROUP = 16, N_STARTS = 8 };

/* The nearest of the codes -limit .. limit-1. */
static int nearest(float v, int limit)
{
    return ifn_nearest_code(v, -limit, limit - 1);
}

/* Codes of a group for the factor d * scale, and their squared error. */
static float encode_group(const float *x, const float *w, float factor, int codes, int8_t *code)
{
    const float inverse = factor != 0.0f ? 1.0f / factor : 0.0f;
    float squares[GROUP], error = 0.0f;
    for (int i = 0; i < GROUP; i++) { /* without a sum, so that a compiler can vectorise it */
        const int q = nearest(x[i] * inverse, codes);
        const float e = x[i] - factor * (float)q;
        code[i] = (int8_t)q;
        squares[i] = w[i] * e * e;
    }
    for (int i = 0; i < GROUP; i++)
        error += squares[i];
    return error;
}

/*
 * The factor of least squared error for the codes that `inverse` gives is xq/qq, and it lowers the
 * squared error from that of all-zero codes by xq*xq/qq: the larger `gain` the better.
 */
static float least_squares(const float *x, const float *w, float inverse, int codes, float *gain)
{
    float xqs[GROUP], qqs[GROUP], xq = 0.0f, qq = 0.0f;
    for (int i = 0; i < GROUP; i++) {
        const float q = (float)nearest(x[i] * inverse, codes);
        xqs[i] = w[i] * (x[i] * q);
        qqs[i] = w[i] * (q * q);
    }
    for (int i = 0; i < GROUP; i++) {
        xq += xqs[i];
        qq += qqs[i];
    }
    *gain = qq > 0.0f ? xq * xq / qq : 0.0f;
    return qq > 0.0f ? xq / qq : 0.0f;
}

/* Step 1 for one group. */
static float best_factor(const float *x, const float *w, int codes)
{
    const float largest = ifn_largest(x, GROUP);
    float best = 0.0f, best_gain = 0.0f;
    if (fabsf(largest) <= 0x1p-25f) /* rounds to zero in f16 */
        return 0.0f;
    for (int k = -9; k <= 9; k++) {
        float gain;
        const float inverse = -((float)codes + 0.1f * (float)k) / largest;
        const float factor = least_squares(x, w, inverse, codes, &gain);
        if (gain > best_gain) {
            best_gain = gain;
            best = factor;
        }
    }
    return best;
}

/* Step 2 for the d in `fit`. Returns the squared error of the block. */
static float fit_scales(const float *x, const float *w, const float *target,
                        ifn_symmetric_shape most, ifn_symmetric_fit *fit)
{
    const float d = ifn_f16_to_f32(fit->d);
    float total = 0.0f;
    for (int g = 0; g < N_GROUPS; g++) {
        const int centre = nearest(target[g] / d, most.scales);
        float best = INFINITY;
        for (int scale = centre - 1; scale <= centre + 1; scale++) {
            int8_t code[GROUP];
            if (scale < -most.scales || scale >= most.scales)
                continue;
            const float error =
                encode_group(x + GROUP * g, w + GROUP * g, d * (float)scale, most.codes, code);
            if (error < best) {
                best = error;
                fit->scale[g] = (int8_t)scale;
                memcpy(fit->code + GROUP * g, code, sizeof code);
            }
        }
        total += best;
    }
    return total;
}

void ifn_search_symmetric(const float x[256], const float *weights, ifn_symmetric_shape shape,
                          ifn_symmetric_fit *out)
{
    const float *const w = weights ? weights : ifn_no_weights;
    float target[N_GROUPS], error = INFINITY;
    *out = (ifn_symmetric_fit){.d = IFN_F16_NAN};
    if (ifn_f16_or_nan(ifn_largest(x, 256) / (float)(shape.codes * shape.scales)) == IFN_F16_NAN)
        return;
    for (int g = 0; g < N_GROUPS; g++)
        target[g] = best_factor(x + GROUP * g, w + GROUP * g, shape.codes);
    const float largest = ifn_largest(target, N_GROUPS);
    if (largest == 0.0f)
        out->d = 0;
    for (int start = 0; start < N_STARTS && largest != 0.0f; start++) {
        ifn_symmetric_fit trial = {.d = ifn_f16_unit(largest / (float)(start - shape.scales))};
        const float trial_error = fit_scales(x, w, target, shape, &trial);
        if (trial_error < error) {
            error = trial_error;
            *out = trial;
        }
    }
}
