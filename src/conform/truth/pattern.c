#include "pattern.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"

/* The smallest rectangle around the wrong elements, and the step between their columns. */
typedef struct extent {
    int64_t n, row_low, row_high, col_low, col_high;
    int64_t step; /* greatest common divisor of the distances between wrong columns */
} extent;

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static extent measure(const conform_tensor *t, const unsigned char *wrong, int64_t n)
{
    extent e = {0, t->rows, -1, t->cols, -1, 0};
    int64_t first_col = -1;
    for (int64_t i = 0; i < n; i++) {
        if (!wrong[i])
            continue;
        const int64_t row = i / t->cols, col = i % t->cols;
        if (first_col < 0)
            first_col = col;
        e.n++;
        e.row_low = row < e.row_low ? row : e.row_low;
        e.row_high = row > e.row_high ? row : e.row_high;
        e.col_low = col < e.col_low ? col : e.col_low;
        e.col_high = col > e.col_high ? col : e.col_high;
        e.step = gcd(col > first_col ? col - first_col : first_col - col, e.step);
    }
    return e;
}

static double got_at(const conform_wrong *w, int64_t i)
{
    float x;
    const conform_tensor *t = w->t;
    const size_t at = (size_t)(i / t->cols * t->stride + i % t->cols) * sizeof x;
    memcpy(&x, (const char *)w->got + at, sizeof x);
    return (double)x;
}

static double bound_of(const conform_wrong *w, int64_t i)
{
    return w->truth->class == CLASS_BOUND ? w->truth->bound[i] : 0;
}

/* True if element i has the value that element j should have. */
static bool has_value_of(const conform_wrong *w, int64_t i, int64_t j)
{
    return conform_accept_bound(got_at(w, i), w->truth->want[j], bound_of(w, j));
}

static bool has_values(const conform_wrong *w)
{
    return w->got && w->truth && w->t->element == ELEMENT_F32 && w->truth->want &&
           (w->truth->class == CLASS_BOUND || w->truth->class == CLASS_BITS);
}

/* 1: every wrong element is NaN where a number belongs; -1: a number where NaN belongs; 0: neither. */
static int nan_of(const conform_wrong *w)
{
    int64_t n = 0, n_spread = 0, n_lost = 0;
    for (int64_t i = 0; has_values(w) && i < w->t->rows * w->t->cols; i++) {
        if (!w->marks[i])
            continue;
        n++;
        n_spread += isnan(got_at(w, i)) && !isnan(w->truth->want[i]);
        n_lost += !isnan(got_at(w, i)) && isnan(w->truth->want[i]);
    }
    return n == 0 ? 0 : n_spread == n ? 1 : n_lost == n ? -1 : 0;
}

static bool is_transposed(const conform_wrong *w)
{
    const int64_t rows = w->t->rows, cols = w->t->cols;
    if (rows < 2 || cols < 2 || !has_values(w))
        return false;
    for (int64_t i = 0; i < rows * cols; i++)
        if (!has_value_of(w, i, i % rows * cols + i / rows))
            return false;
    return true;
}

enum { FARTHEST = 64, ENOUGH = 3 };

/* True if every wrong element has the value that belongs `by` elements further on. NaN, infinities, and values too
 * close for their bounds to tell apart are no evidence. */
static bool is_shifted_by(const conform_wrong *w, int64_t by)
{
    const int64_t n = w->t->rows * w->t->cols;
    const double *want = w->truth->want;
    int64_t matched = 0, changes = 0;
    double last = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!w->marks[i] || i + by < 0 || i + by >= n)
            continue;
        if (!has_value_of(w, i, i + by))
            return false;
        if (!isfinite(want[i + by]))
            continue;
        changes += matched++ == 0 || fabs(want[i + by] - last) > 2 * bound_of(w, i + by);
        last = want[i + by];
    }
    return changes >= ENOUGH;
}

/* The distance that the result is shifted by; 0: it is not shifted. */
static int64_t shift_of(const conform_wrong *w)
{
    for (int64_t by = 1; has_values(w) && by <= FARTHEST; by++)
        for (int sign = 1; sign >= -1; sign -= 2)
            if (is_shifted_by(w, sign * by))
                return sign * by;
    return 0;
}

static bool is_beside(int64_t low, int64_t high, const int64_t *borders, int n)
{
    for (int i = 0; i < n; i++)
        if (low >= borders[i] - 1 && high <= borders[i])
            return true;
    return false;
}

/* True if only the rows, or the columns, at which two parts meet are wrong. */
static bool is_border(const conform_wrong *w, const extent *e)
{
    const conform_borders *b = w->borders;
    return b && (is_beside(e->row_low, e->row_high, b->rows, b->n_rows) ||
                 is_beside(e->col_low, e->col_high, b->cols, b->n_cols));
}

/* True if the wrong columns have a common step. Any two columns have one, so a lane takes at least three. */
static bool is_lane(const extent *e)
{
    return e->step > 1 && e->col_high - e->col_low >= 2 * e->step;
}

static const char *name_places(const conform_tensor *t, const extent *e)
{
    const int64_t rows = e->row_high - e->row_low + 1, cols = e->col_high - e->col_low + 1;
    if (e->n == rows * cols && e->col_high == t->cols - 1 && e->col_low > 0 && cols < 64)
        return "tail of the columns";
    if (e->n == rows * cols && e->row_high == t->rows - 1 && e->row_low > 0 && cols == t->cols)
        return "last rows";
    if (rows == 1 && cols > 1)
        return "one row";
    if (cols == 1)
        return e->n == 1 ? "one element" : "one column";
    if (is_lane(e))
        return "one lane";
    if (e->n == rows * cols)
        return "a block";
    return "scattered";
}

static const char *name_pattern(const conform_wrong *w, const extent *e, char room[32])
{
    const int nan = nan_of(w);
    if (nan)
        return nan > 0 ? "NaN where a number belongs" : "a number where NaN belongs";
    const int64_t shift = shift_of(w);
    if (is_transposed(w))
        return "transposed";
    if (shift) {
        snprintf(room, 32, "shifted by %lld", (long long)shift);
        return room;
    }
    if (e->n == w->t->rows * w->t->cols)
        return "all";
    return is_border(w, e) ? "border" : name_places(w->t, e);
}

void conform_describe_wrong(const conform_wrong *w, char *out, size_t bytes)
{
    const conform_tensor *t = w->t;
    const int64_t n = t->rows * t->cols;
    const extent e = measure(t, w->marks, n);
    char room[32];
    if (e.n == 0) {
        snprintf(out, bytes, "no wrong element");
        return;
    }
    const int used = snprintf(out, bytes,
                              "%s: %lld of %lld wrong, rows %lld..%lld of %lld, columns "
                              "%lld..%lld of %lld",
                              name_pattern(w, &e, room), (long long)e.n, (long long)n,
                              (long long)e.row_low, (long long)e.row_high, (long long)t->rows,
                              (long long)e.col_low, (long long)e.col_high, (long long)t->cols);
    if (is_lane(&e) && used > 0 && (size_t)used < bytes)
        snprintf(out + used, bytes - (size_t)used, ", every %lld", (long long)e.step);
}
