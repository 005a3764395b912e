/*
 * Comparisons are written as conditions to accept, `fabs(got - want) <= bound`, never as conditions to reject:
 * a NaN makes them false and is rejected.
 */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float element(const conform_tensor *t, const void *data, int64_t row, int64_t col)
{
    float x;
    memcpy(&x, (const char *)data + (size_t)(row * t->stride + col) * sizeof x, sizeof x);
    return x;
}

/* A non-finite want is compared by kind: NaN with NaN, an infinity with the same infinity. */
int conform_accept_bound(double got, double want, double bound)
{
    if (isnan(want))
        return isnan(got);
    if (isinf(want))
        return got == want;
    return fabs(got - want) <= bound;
}

static int accept_bits(float got, double want, bool is_any_zero)
{
    const float expected = (float)want;
    if (is_any_zero && expected == 0)
        return got == 0;
    return isnan(expected) ? isnan(got) : bits_of(got) == bits_of(expected);
}

static double ratio_of(double got, double want, double bound, int accepted, conform_class class)
{
    if (class == CLASS_BITS || !isfinite(want))
        return accepted ? 0 : (double)INFINITY;
    const double error = fabs(got - want);
    if (error == 0)
        return 0;
    return error / bound; /* infinite where the bound is zero */
}

static void record(conform_result *out, int64_t index, double got, double want, double bound,
                   double ratio, int accepted, unsigned char *wrong)
{
    out->n_compared++;
    if (!accepted) {
        out->n_wrong++;
        if (out->first_wrong < 0)
            out->first_wrong = index;
    }
    if (wrong)
        wrong[index] = !accepted;
    /* NaN ratios count as the worst there is. */
    if (out->worst < 0 || !(ratio <= out->ratio)) {
        out->worst = index;
        out->ratio = isnan(ratio) ? (double)INFINITY : ratio;
        out->got = got;
        out->want = want;
        out->bound = bound;
    }
}

static void record_infinite(conform_result *out, int64_t index, double got, unsigned char *wrong)
{
    const int accepted = !isfinite(got);
    record(out, index, got, (double)NAN, 0, accepted ? 0 : (double)INFINITY, accepted, wrong);
}

static void record_sign(conform_result *out, double error, double want, double lean)
{
    out->n_signed++;
    out->lean_sum += lean;
    out->signed_error_sum += error;
    out->signed_squares += error * error;
    out->outward_sum += want < 0 ? -error : error;
}

static void compare_floats(const conform_tensor *t, const void *got, const conform_truth *truth,
                           conform_result *out, unsigned char *wrong)
{
    int64_t i = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        for (int64_t c = 0; c < t->cols; c++, i++) {
            const int skip = truth->skip ? truth->skip[i] : SKIP_NOT;
            if (skip != SKIP_NOT && skip != SKIP_INFINITE) {
                out->n_skipped++;
                continue;
            }
            const float x = element(t, got, r, c);
            if (skip == SKIP_INFINITE) {
                record_infinite(out, i, (double)x, wrong);
                continue;
            }
            const double want = truth->want[i];
            const double bound = truth->class == CLASS_BOUND ? truth->bound[i] : 0;
            const int accepted = truth->class == CLASS_BOUND
                                     ? conform_accept_bound((double)x, want, bound)
                                     : accept_bits(x, want, truth->is_any_zero);
            record(out, i, (double)x, want, bound,
                   ratio_of((double)x, want, bound, accepted, truth->class), accepted, wrong);
            if (truth->class == CLASS_BOUND && bound > 0 && isfinite(want) && isfinite(x))
                record_sign(out, ((double)x - want) / bound, want,
                            truth->lean ? truth->lean[i] / bound : 0);
        }
    }
}

static void compare_raw(const conform_tensor *t, const void *got, const conform_truth *truth,
                        conform_result *out, unsigned char *wrong)
{
    const unsigned char *bytes = got;
    if (t->bytes > 0 && !truth->raw_mask && !wrong && memcmp(got, truth->raw, t->bytes) == 0) {
        record(out, 0, bytes[0], truth->raw[0], 0, 0, 1, NULL);
        out->n_compared += (int64_t)t->bytes - 1; /* the other bytes, which are equal */
        return;
    }
    for (size_t i = 0; i < t->bytes; i++) {
        const int mask = truth->raw_mask ? truth->raw_mask[i] : 0xff;
        if (!mask) {
            out->n_skipped++;
            continue;
        }
        const int accepted = ((bytes[i] ^ truth->raw[i]) & mask) == 0;
        record(out, (int64_t)i, bytes[i], truth->raw[i], 0, accepted ? 0 : (double)INFINITY,
               accepted, wrong);
    }
}

enum { AT_ONCE = 256 }; /* no block is longer */

/* Reads a tensor of blocks in order and decodes each block once. */
typedef struct block_reader {
    const conform_tensor *t;
    const char *data;
    size_t row_bytes;
    int64_t first, end; /* elements that `values` holds: a block, or part of a row of floats */
    bool is_valid;
    double values[AT_ONCE];
} block_reader;

static void start_reading(block_reader *r, const conform_tensor *t, const void *data)
{
    r->t = t;
    r->data = data;
    r->row_bytes = ifn_dtype_row_bytes(t->dtype, t->cols);
    r->first = r->end = 0;
}

static void read_block(block_reader *r, int64_t i)
{
    const conform_tensor *const t = r->t;
    const int64_t size = ifn_dtype_block_elements(t->dtype), at_once = size > 1 ? size : AT_ONCE;
    const int64_t col = i % t->cols / at_once * at_once, left = t->cols - col;
    const char *const row = r->data + (size_t)(i / t->cols) * r->row_bytes;
    const int64_t n = left < at_once ? left : at_once;
    conform_values(t->dtype, row + (size_t)(col / size) * ifn_dtype_block_bytes(t->dtype), n,
                   r->values);
    r->is_valid = conform_block_is_valid(t->dtype, row, col);
    r->first = i / t->cols * t->cols + col;
    r->end = r->first + n;
}

/* The decoded value of element i. In an invalid block it is NaN, or 0 if NaN is wanted, so that it is always wrong. */
static double decoded(block_reader *r, int64_t i, double want)
{
    if (i < r->first || i >= r->end)
        read_block(r, i);
    if (r->is_valid)
        return r->values[i - r->first];
    return isnan(want) ? 0.0 : (double)NAN;
}

static void compare_decoded(const conform_tensor *t, const void *got, const conform_truth *truth,
                            conform_result *out, unsigned char *wrong)
{
    block_reader of_got;
    start_reading(&of_got, t, got);
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
        if (truth->skip[i]) {
            out->n_skipped++;
            continue;
        }
        const double want = truth->want[i], bound = truth->bound[i];
        const double x = decoded(&of_got, i, want);
        const int accepted = conform_accept_bound(x, want, bound);
        record(out, i, x, want, bound, ratio_of(x, want, bound, accepted, truth->class), accepted,
               wrong);
    }
}

static double squared_error(const conform_tensor *t, const void *data, const conform_truth *truth,
                            int64_t first)
{
    block_reader reader;
    double squares = 0;
    start_reading(&reader, t, data);
    for (int64_t i = first; i < first + ifn_dtype_block_elements(t->dtype); i++) {
        const double error = decoded(&reader, i, truth->want[i]) - truth->want[i];
        squares += error * error;
    }
    return squares;
}

double conform_block_error(const conform_tensor *t, const void *got, const conform_truth *truth,
                           int64_t element)
{
    const int64_t n = ifn_dtype_block_elements(t->dtype);
    return sqrt(squared_error(t, got, truth, element / n * n));
}

/* Accepts a block if its error as a whole is within the bound; where NaN is wanted, each element must be NaN. */
static void compare_quality(const conform_tensor *t, const void *got, const conform_truth *truth,
                            conform_result *out, unsigned char *wrong)
{
    const int64_t n = ifn_dtype_block_elements(t->dtype);
    block_reader of_got;
    start_reading(&of_got, t, got);
    for (int64_t first = 0; first < t->rows * t->cols; first += n) {
        if (truth->skip[first]) {
            out->n_skipped += n;
            continue;
        }
        const double bound = truth->bound[first], error = sqrt(squared_error(t, got, truth, first));
        for (int64_t i = first; i < first + n; i++) {
            const double want = truth->want[i], x = decoded(&of_got, i, want);
            const int accepted =
                isfinite(want) ? error <= bound : conform_accept_bound(x, want, bound);
            const double ratio = isfinite(want) && bound > 0 ? error / bound : 0;
            record(out, i, x, want, bound, accepted ? ratio : (double)INFINITY, accepted, wrong);
        }
    }
}

/* Several encodings are right, so elements are not compared: the error over all blocks must be at most 1.01 times that
 * of the other. Compares nothing unless the truth is a row set. */
static void compare_quality_pair(const conform_tensor *t, const void *got, const void *other,
                                 const conform_truth *truth, conform_result *out)
{
    double of_got = 0, of_other = 0;
    if (!truth->is_row_set)
        return;
    for (int64_t i = 0; i < t->rows * t->cols; i += ifn_dtype_block_elements(t->dtype)) {
        of_got += squared_error(t, got, truth, i);
        of_other += squared_error(t, other, truth, i);
    }
    const double error = sqrt(of_got), bound = 1.01 * sqrt(of_other);
    record(out, 0, error, 0, bound, ratio_of(error, 0, bound, error <= bound, CLASS_QUALITY),
           error <= bound, NULL);
}

static void reset(conform_result *out)
{
    *out = (conform_result){.worst = -1, .first_wrong = -1};
}

void conform_compare(const conform_tensor *t, const void *got, const conform_truth *truth,
                     conform_result *out, unsigned char *wrong)
{
    reset(out);
    if (truth->class == CLASS_RAW)
        compare_raw(t, got, truth, out, wrong);
    else if (truth->class == CLASS_DECODED)
        compare_decoded(t, got, truth, out, wrong);
    else if (truth->class == CLASS_QUALITY)
        compare_quality(t, got, truth, out, wrong);
    else
        compare_floats(t, got, truth, out, wrong);
}

static void compare_decoded_pair(const conform_tensor *t, const void *got, const void *other,
                                 const conform_truth *truth_got, const conform_truth *truth_other,
                                 conform_result *out)
{
    block_reader of_got, of_other;
    start_reading(&of_got, t, got);
    start_reading(&of_other, t, other);
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
        if (truth_got->skip[i]) {
            out->n_skipped++;
            continue;
        }
        const double bound = truth_got->bound[i] + truth_other->bound[i];
        const double y = decoded(&of_other, i, truth_got->want[i]);
        const double x = decoded(&of_got, i, y);
        const int accepted = conform_accept_bound(x, y, bound);
        record(out, i, x, y, bound, ratio_of(x, y, bound, accepted, CLASS_DECODED), accepted, NULL);
    }
}

void conform_compare_pair(const conform_tensor *t, const void *got, const void *other,
                          const conform_truth *truth_got, const conform_truth *truth_other,
                          conform_result *out)
{
    int64_t i = 0;
    reset(out);
    if (truth_got->class == CLASS_RAW) {
        conform_truth same = *truth_got;
        same.raw = (unsigned char *)(uintptr_t)other;
        compare_raw(t, got, &same, out, NULL);
        return;
    }
    if (truth_got->class == CLASS_DECODED) {
        compare_decoded_pair(t, got, other, truth_got, truth_other, out);
        return;
    }
    if (truth_got->class == CLASS_QUALITY) {
        compare_quality_pair(t, got, other, truth_got, out);
        return;
    }
    for (int64_t r = 0; r < t->rows; r++) {
        for (int64_t c = 0; c < t->cols; c++, i++) {
            if (truth_got->skip && truth_got->skip[i]) {
                out->n_skipped++;
                continue;
            }
            const float x = element(t, got, r, c), y = element(t, other, r, c);
            const double bound =
                truth_got->class == CLASS_BOUND ? truth_got->bound[i] + truth_other->bound[i] : 0;
            const int accepted = truth_got->class == CLASS_BOUND
                                     ? conform_accept_bound((double)x, (double)y, bound)
                                     : accept_bits(x, (double)y, truth_got->is_any_zero);
            record(out, i, (double)x, (double)y, bound,
                   ratio_of((double)x, (double)y, bound, accepted, truth_got->class), accepted,
                   NULL);
        }
    }
}

int64_t conform_ulp_distance(float a, float b)
{
    if (isnan(a) || isnan(b))
        return INT64_MAX;
    /* Maps sign and magnitude to consecutive integers, with +0 and -0 at the same one. */
    const int64_t x = bits_of(a) & 0x7fffffff, y = bits_of(b) & 0x7fffffff;
    const int64_t distance = (signbit(a) ? -x : x) - (signbit(b) ? -y : y);
    return distance < 0 ? -distance : distance;
}
