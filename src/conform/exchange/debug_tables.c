/* Prints tensors as tables: small ones whole, else a window around one element. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

#include "compare.h"
#include "debug.h"
#include "export.h"

enum { ROWS = 6, COLS = 6 };

/* The part of a tensor that is shown. */
typedef struct window {
    int64_t row, col, rows, cols;
} window;

static int64_t first_of(int64_t wanted, int64_t shown, int64_t all)
{
    const int64_t first = wanted - shown / 2;
    if (all <= shown || first < 0)
        return 0;
    return first < all - shown ? first : all - shown;
}

static window around(const conform_tensor *t, int64_t element)
{
    const int64_t row = t->cols ? element / t->cols : 0, col = t->cols ? element % t->cols : 0;
    return (window){first_of(row, ROWS, t->rows), first_of(col, COLS, t->cols),
                    t->rows < ROWS ? t->rows : ROWS, t->cols < COLS ? t->cols : COLS};
}

/* Converts one row to f64; blocks are dequantized. Returns 0 if memory runs out. */
static int read_row(const conform_tensor *t, const void *data, int64_t row, double *out)
{
    const unsigned char *const at = (const unsigned char *)data + (size_t)row * export_stride(t);
    float *const floats = calloc((size_t)t->cols, sizeof *floats);
    bool is_read = floats != NULL;
    if (is_read && t->element == ELEMENT_BLOCKS)
        is_read = ifn_dequantize_row(t->dtype, at, floats, t->cols) == IFN_OK;
    for (int64_t i = 0; is_read && i < t->cols; i++) {
        int32_t whole;
        float f = floats[i];
        if (t->element == ELEMENT_F32)
            memcpy(&f, at + 4 * i, sizeof f);
        memcpy(&whole,
               t->element == ELEMENT_I32 ? at + 4 * i : (const unsigned char *)&(int32_t){0},
               sizeof whole);
        out[i] = t->element == ELEMENT_I32     ? whole
                 : t->element == ELEMENT_BYTES ? at[i]
                                               : (double)f;
    }
    free(floats);
    return is_read;
}

static void put_head(const char *what, const conform_tensor *t, const window *w, FILE *out)
{
    fprintf(out, "\n%s %s [%lld, %lld]", t->name, what, (long long)t->rows, (long long)t->cols);
    if (t->element == ELEMENT_BLOCKS)
        fprintf(out, " %s", ifn_dtype_name(t->dtype));
    if (w->rows < t->rows || w->cols < t->cols)
        fprintf(out, ", rows %lld to %lld, columns %lld to %lld", (long long)w->row,
                (long long)(w->row + w->rows - 1), (long long)w->col,
                (long long)(w->col + w->cols - 1));
    fputc('\n', out);
}

static void put_data(const char *what, const conform_tensor *t, const void *data, const window *w,
                     FILE *out)
{
    double *const row = calloc((size_t)t->cols + 1, sizeof *row);
    put_head(what, t, w, out);
    for (int64_t i = w->row; row && i < w->row + w->rows; i++) {
        if (!read_row(t, data, i, row))
            continue;
        for (int64_t j = w->col; j < w->col + w->cols; j++)
            fprintf(out, " %12.6g", row[j]);
        fputc('\n', out);
    }
    free(row);
}

void debug_put_inputs(const debug_run *r, FILE *out)
{
    for (int i = 0; i < r->slot->layout.n; i++) {
        const conform_tensor *const t = &r->slot->layout.t[i];
        const window w = around(t, 0);
        if (export_is_input(r->slot, i))
            put_data("in", t, r->slot->before[i], &w, out);
    }
}

static void put_numbers(const char *what, const conform_tensor *t, const double *x, const window *w,
                        FILE *out)
{
    put_head(what, t, w, out);
    for (int64_t i = w->row; i < w->row + w->rows; i++) {
        for (int64_t j = w->col; j < w->col + w->cols; j++)
            fprintf(out, " %12.6g", x[i * t->cols + j]);
        fputc('\n', out);
    }
}

static double ratio_of(double got, double want, double bound)
{
    if (got <= want && got >= want)
        return 0;
    if (isnan(got) && isnan(want))
        return 0;
    return bound > 0 ? fabs(got - want) / bound : (double)INFINITY;
}

/* Prints error / bound of each element, with a star if it is above 1. */
static void put_errors(const conform_tensor *t, const void *got, const conform_truth *truth,
                       const window *w, FILE *out)
{
    double *const row = calloc((size_t)t->cols + 1, sizeof *row);
    put_head("error/bound", t, w, out);
    for (int64_t i = w->row; row && i < w->row + w->rows; i++) {
        if (!read_row(t, got, i, row))
            continue;
        for (int64_t j = w->col; j < w->col + w->cols; j++) {
            const int64_t at = i * t->cols + j;
            const double ratio =
                ratio_of(row[j], truth->want[at], truth->bound ? truth->bound[at] : 0);
            fprintf(out, " %11.4g%c", ratio, ratio <= 1 ? ' ' : '*');
        }
        fputc('\n', out);
    }
    free(row);
}

/* Returns the index of the worst element; 0 if the comparison names none, or names a byte. */
static int64_t worst_of(const debug_run *r, int i)
{
    conform_result result;
    if (!r->got[i])
        return 0;
    conform_compare(&r->slot->layout.t[i], r->got[i], &r->truth[i], &result, NULL);
    if (r->truth[i].class == CLASS_RAW || result.worst < 0)
        return 0;
    return result.worst;
}

static void put_output(const debug_run *r, int i, FILE *out)
{
    const conform_tensor *const t = &r->slot->layout.t[i];
    const conform_truth *const truth = &r->truth[i];
    const window w = around(t, worst_of(r, i));
    if (truth->class == CLASS_RAW)
        put_data("want", t, truth->raw, &w, out);
    else
        put_numbers("want", t, truth->want, &w, out);
    if (!r->got[i])
        return;
    put_data("got", t, r->got[i], &w, out);
    if (truth->class != CLASS_RAW)
        put_errors(t, r->got[i], truth, &w, out);
}

void debug_put_outputs(const debug_run *r, FILE *out)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (export_is_output(r->slot, i))
            put_output(r, i, out);
}
