#include "golden_write.h"

#include <math.h>
#include <string.h>

#include "spec.h"

static int is_bytes(const conform_tensor *t)
{
    return t->element == ELEMENT_BLOCKS && t->dtype != IFN_DTYPE_F32;
}

static int64_t count_of(const conform_tensor *t)
{
    return is_bytes(t) ? (int64_t)t->bytes : t->rows * t->cols;
}

static void put_number(double x, int digits, FILE *out)
{
    if (isnan(x))
        fputs(".nan", out);
    else if (isinf(x))
        fputs(x > 0 ? ".inf" : "-.inf", out);
    else
        fprintf(out, "%.*g", digits, x);
}

static void put_bytes(const unsigned char *data, size_t n, FILE *out)
{
    fputs("{bytes: \"", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%02x", data[i]);
    fputs("\"}\n", out);
}

/* Element i of memory in the tensor's own layout. */
static double element_of(const conform_tensor *t, const void *data, int64_t i)
{
    const size_t at = (size_t)(i / t->cols * t->stride + i % t->cols);
    float f;
    int32_t n;
    if (t->element == ELEMENT_BYTES)
        return ((const unsigned char *)data)[at];
    memcpy(&f, (const char *)data + at * sizeof f, sizeof f);
    memcpy(&n, &f, sizeof n);
    return t->element == ELEMENT_I32 ? (double)n : (double)f;
}

/* A matrix as a list of rows: of `want` where there is one, else of memory. */
static void put_rows(const conform_tensor *t, const void *data, const double *want, FILE *out)
{
    fputc('[', out);
    for (int64_t r = 0; r < t->rows; r++) {
        fputs(r ? ", [" : "[", out);
        for (int64_t c = 0; c < t->cols; c++) {
            const int64_t i = r * t->cols + c;
            fputs(c ? ", " : "", out);
            put_number(want ? want[i] : element_of(t, data, i), want ? 17 : 9, out);
        }
        fputc(']', out);
    }
    fputs("]\n", out);
}

static void put_tensor(const conform_tensor *t, const char *suffix, const void *data,
                       const double *want, FILE *out)
{
    fprintf(out, "    %s%s: ", t->name, suffix);
    if (is_bytes(t))
        put_bytes(data, t->bytes, out);
    else if (t->role == ROLE_HOST && t->rows * t->cols == 1 && !want)
        put_number(element_of(t, data, 0), 9, out), fputc('\n', out);
    else
        put_rows(t, data, want, out);
}

static void put_result(const conform_slot *s, int i, FILE *out)
{
    const conform_tensor *t = &s->layout.t[i];
    const conform_truth *truth = &s->truth[i];
    if (truth->want || truth->raw)
        put_tensor(t, t->role == ROLE_OUT ? "" : "_after", truth->raw, truth->want, out);
}

static void put_head(const conform_slot *s, const char *name, FILE *out)
{
    const conform_module *m = conform_module_of(s->c.op);
    fprintf(out, "  - name: %s\n", name);
    if (s->c.dtype != IFN_DTYPE_F32)
        fprintf(out, "    dtype: %s\n", ifn_dtype_name(s->c.dtype));
    if (s->c.out_dtype != IFN_DTYPE_F32)
        fprintf(out, "    out_dtype: %s\n", ifn_dtype_name(s->c.out_dtype));
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        fprintf(out, "    %s: %lld\n", m->dim_names[i], (long long)s->c.dim[i]);
}

int conform_golden_write(const conform_slot *s, const char *name, FILE *out)
{
    for (int i = 0; i < s->layout.n; i++)
        if (!s->layout.t[i].absent && count_of(&s->layout.t[i]) > SPEC_MAX_VALUES) {
            fprintf(out, "  # %s: %s has too many values to be written down\n", name,
                    s->layout.t[i].name);
            return 0;
        }
    put_head(s, name, out);
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        if (t->absent)
            continue;
        if (t->role != ROLE_OUT)
            put_tensor(t, "", s->before[i], NULL, out);
        put_result(s, i, out);
    }
    return 1;
}
