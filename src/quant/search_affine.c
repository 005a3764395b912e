/*
 * As in search_symmetric.c, with one more unknown per group:
 *
 *   1. for each group alone, find the f32 step and minimum with the least error, out of steps
 *      around range / largest code, each improved by least squares;
 *   2. the largest step and the largest minimum give d and dmin; every group takes the best of
 *      the stored pairs next to its target, judged by the error with newly computed codes;
 *   3. with codes, scales and minima held fixed, d and dmin solve a 2 by 2 least-squares system;
 *      then step 2 is repeated with them, as long as the error falls.
 */
#include "search_affine.h"

#include "quant_priv.h"

/* Groups have 16 or 32 elements. Inner loops take AT_ONCE elements, which a compiler can vectorise. */
enum { N_STARTS = 3, N_ROUNDS = 4, AT_ONCE = 16 };

/* w = step * code - min */
typedef struct line {
    float step, min;
} line;

/* Codes of a group for the given line, and their squared error. */
static float encode_group(const float *x, const float *w, line fit, ifn_affine_shape shape,
                          uint8_t *code)
{
    const float inverse = fit.step != 0.0f ? 1.0f / fit.step : 0.0f;
    float error = 0.0f;
    for (int from = 0; from < shape.group; from += AT_ONCE) {
        float squares[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            const int q = ifn_nearest_code((x[from + i] + fit.min) * inverse, 0, shape.codes);
            const float e = x[from + i] - (fit.step * (float)q - fit.min);
            code[from + i] = (uint8_t)q;
            squares[i] = w[from + i] * e * e;
        }
        for (int i = 0; i < AT_ONCE; i++)
            error += squares[i];
    }
    return error;
}

/* The least-squares line through the points (code, x), with a minimum of at least zero. */
static line least_squares(const float *x, const float *w, const uint8_t *code, int n)
{
    float sw = 0.0f, sx = 0.0f, sq = 0.0f, sqq = 0.0f, sxq = 0.0f;
    for (int i = 0; i < n; i++) {
        const float q = (float)code[i];
        sw += w[i];
        sx += w[i] * x[i];
        sq += w[i] * q;
        sqq += w[i] * (q * q);
        sxq += w[i] * (x[i] * q);
    }
    const float determinant = sw * sqq - sq * sq;
    if (determinant > 0.0f) {
        const line free = {(sw * sxq - sx * sq) / determinant, (sq * sxq - sqq * sx) / determinant};
        if (free.min >= 0.0f)
            return free;
    }
    return (line){sqq > 0.0f ? sxq / sqq : 0.0f, 0.0f};
}

/* Step 1 for one group. */
static line best_line(const float *x, const float *w, ifn_affine_shape shape)
{
    float lo = 0.0f, hi = x[0], best_error;
    uint8_t code[32];
    for (int i = 0; i < shape.group; i++) {
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    line best = {(hi - lo) / (float)shape.codes, -lo};
    if (hi - lo <= 0x1p-25f) /* all values are equal, or closer than f16 can tell */
        return (line){0.0f, -lo};
    best_error = encode_group(x, w, best, shape, code);
    for (int k = -2; k <= 7; k++) {
        line trial = {(hi - lo) / ((float)shape.codes + 0.2f * (float)k), -lo};
        encode_group(x, w, trial, shape, code);
        trial = least_squares(x, w, code, shape.group);
        const float error = encode_group(x, w, trial, shape, code);
        if (error < best_error) {
            best_error = error;
            best = trial;
        }
    }
    return best;
}

static float fit_group(const float *x, const float *w, line target, line unit,
                       ifn_affine_shape shape, uint8_t *scale, uint8_t *min, uint8_t *codes)
{
    const int s0 =
        unit.step > 0.0f ? ifn_nearest_code(target.step / unit.step, 0, shape.scales) : 0;
    const int m0 = unit.min > 0.0f ? ifn_nearest_code(target.min / unit.min, 0, shape.scales) : 0;
    float best = INFINITY;
    for (int s = s0 > 0 ? s0 - 1 : 0; s <= s0 + 1 && s <= shape.scales; s++) {
        for (int m = m0 > 0 ? m0 - 1 : 0; m <= m0 + 1 && m <= shape.scales; m++) {
            uint8_t code[32];
            const line trial = {unit.step * (float)s, unit.min * (float)m};
            const float error = encode_group(x, w, trial, shape, code);
            if (error < best) {
                best = error;
                *scale = (uint8_t)s;
                *min = (uint8_t)m;
                memcpy(codes, code, (size_t)shape.group);
            }
        }
    }
    return best;
}

/* Step 2 for the units in `fit`. Returns the squared error of the block. */
static float fit_block(const float *x, const float *w, const line *target, ifn_affine_shape shape,
                       ifn_affine_fit *fit)
{
    const line unit = {ifn_f16_to_f32(fit->d), ifn_f16_to_f32(fit->dmin)};
    float total = 0.0f;
    for (int g = 0; g < 256 / shape.group; g++)
        total += fit_group(x + g * shape.group, w + g * shape.group, target[g], unit, shape,
                           &fit->scale[g], &fit->min[g], fit->code + g * shape.group);
    return total;
}

/* Step 3: returns the next d and dmin, and sets the next targets of the groups. */
static line refit(const float *x, const float *w, const ifn_affine_fit *fit, ifn_affine_shape shape,
                  line *target)
{
    double uu = 0.0, uv = 0.0, vv = 0.0, xu = 0.0, xv = 0.0;
    for (int g = 0; g < 256 / shape.group; g++) {
        target[g] = least_squares(x + g * shape.group, w + g * shape.group,
                                  fit->code + g * shape.group, shape.group);
        for (int i = g * shape.group; i < (g + 1) * shape.group; i++) {
            const double u = fit->scale[g] * fit->code[i], v = fit->min[g], wi = (double)w[i];
            uu += wi * (u * u);
            uv += wi * (u * v);
            vv += wi * (v * v);
            xu += wi * ((double)x[i] * u);
            xv += wi * ((double)x[i] * v);
        }
    }
    const double determinant = uu * vv - uv * uv;
    if (determinant > 0.0)
        return (line){(float)((xu * vv - xv * uv) / determinant),
                      (float)((xu * uv - xv * uu) / determinant)};
    return (line){uu > 0.0 ? (float)(xu / uu) : 0.0f, vv > 0.0 ? (float)(-xv / vv) : 0.0f};
}

/* Runs step 2 with the given units, and stores the fit in `out` if its error is less than *error. */
static int try_units(const float *x, const float *w, const line *target, line unit,
                     ifn_affine_shape shape, float *error, ifn_affine_fit *out)
{
    ifn_affine_fit trial = {.d = ifn_f16_unit(unit.step), .dmin = ifn_f16_unit(unit.min)};
    if (!(unit.step >= 0.0f && unit.min >= 0.0f))
        return 0;
    const float trial_error = fit_block(x, w, target, shape, &trial);
    if (!(trial_error < *error))
        return 0;
    *error = trial_error;
    *out = trial;
    return 1;
}

/* Step 1 for all groups. Returns the largest step and the largest minimum. */
static line fit_groups(const float *x, const float *w, ifn_affine_shape shape, line *target)
{
    line largest = {0.0f, 0.0f};
    for (int g = 0; g < 256 / shape.group; g++) {
        target[g] = best_line(x + g * shape.group, w + g * shape.group, shape);
        largest.step = target[g].step > largest.step ? target[g].step : largest.step;
        largest.min = target[g].min > largest.min ? target[g].min : largest.min;
    }
    return largest;
}

/* True if x / parts, the least scale or minimum that reaches x, overflows f16 or is NaN. */
static int out_of_reach(float x, int parts)
{
    return ifn_f16_or_nan(x / (float)parts) == IFN_F16_NAN;
}

void ifn_search_affine(const float x[256], const float *weights, ifn_affine_shape shape,
                       ifn_affine_fit *out)
{
    const float *const w = weights ? weights : ifn_no_weights;
    line target[16];
    float error = INFINITY;
    *out = (ifn_affine_fit){.d = IFN_F16_NAN};
    if (out_of_reach(ifn_largest(x, 256), shape.codes * shape.scales))
        return;
    const line largest = fit_groups(x, w, shape, target);
    if (out_of_reach(largest.min, shape.scales))
        return;
    for (int start = 0; start < N_STARTS; start++) {
        const float most = (float)(shape.scales - start);
        try_units(x, w, target, (line){largest.step / most, largest.min / most}, shape, &error,
                  out);
    }
    for (int round = 0; round < N_ROUNDS; round++)
        if (!try_units(x, w, target, refit(x, w, out, shape, target), shape, &error, out))
            return;
}
