#include "written_case.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"

static bool is_bytes(const conform_tensor *t)
{
    return t->element == ELEMENT_BLOCKS && t->dtype != IFN_DTYPE_F32;
}

/* True if the tensor has too many values for people to read, so that it is written as bytes. */
static bool is_long(const conform_tensor *t)
{
    return (is_bytes(t) ? (int64_t)t->bytes : t->rows * t->cols) > SPEC_MAX_VALUES;
}

static int64_t count_of(const conform_tensor *t)
{
    return is_bytes(t) || is_long(t) ? (int64_t)t->bytes : t->rows * t->cols;
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
    fputs("\"}", out);
}

/* Element i of the tensor in memory. */
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

/* Writes a matrix as a list of rows, from `want` if it is given, else from memory. */
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
    fputc(']', out);
}

static void put_tensor(const conform_tensor *t, const char *suffix, const void *data,
                       const double *want, FILE *out)
{
    fprintf(out, "%s%s: ", t->name, suffix);
    if (is_bytes(t) || is_long(t))
        put_bytes(data, t->bytes, out);
    else if (t->role == ROLE_HOST && t->rows * t->cols == 1 && !want)
        put_number(element_of(t, data, 0), 9, out);
    else
        put_rows(t, data, want, out);
}

/* Writes a name in double quotes, because it may hold any character of an expression. */
static void put_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else
            fputc(*p < 0x20 ? ' ' : *p, out);
    }
    fputs("\"\n", out);
}

static bool is_skipped(const conform_tensor *t, const conform_truth *truth)
{
    for (int64_t i = 0; truth->skip && i < t->rows * t->cols; i++)
        if (truth->skip[i])
            return true;
    return false;
}

/* True if the output's truth can be written into an entry, which judges every element that it holds. Outputs that are
 * judged in part or decoded, or that are too large, are left to the oracle. */
static bool is_writable(const conform_tensor *t, const conform_truth *truth)
{
    if (is_bytes(t) ? !truth->raw : !truth->raw && !truth->want)
        return false;
    return !truth->raw_mask && !is_skipped(t, truth) && count_of(t) <= SPEC_MAX_VALUES;
}

/* True if the values before the call are part of the case. */
static bool is_given(const conform_tensor *t)
{
    return t->role != ROLE_OUT && t->role != ROLE_BETWEEN;
}

static void put_result(const conform_slot *s, int i, FILE *out)
{
    const conform_tensor *t = &s->layout.t[i];
    const conform_truth *truth = &s->truth[i];
    if (!is_writable(t, truth))
        return;
    fputs("    ", out);
    put_tensor(t, t->role == ROLE_OUT ? "" : "_after", truth->raw, truth->want, out);
    fputc('\n', out);
}

void conform_written_put(const conform_slot *s, const char *name, FILE *out)
{
    char id[CONFORM_ID_BYTES];
    conform_case_id(&s->c, id);
    fprintf(out, "  - case: %s\n    name: ", id);
    put_quoted(name, out);
    for (int i = 0; s->c.tier == TIER_GOLDEN && i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        if (t->absent)
            continue;
        if (is_given(t)) {
            fputs("    ", out);
            put_tensor(t, "", s->before[i], NULL, out);
            fputc('\n', out);
        }
        put_result(s, i, out);
    }
}

void conform_written_put_inputs(const conform_slot *s, FILE *out)
{
    int n = 0;
    for (int i = 0; i < s->layout.n; i++) {
        if (s->layout.t[i].absent || !is_given(&s->layout.t[i]))
            continue;
        fputs(n++ ? ", " : "", out);
        put_tensor(&s->layout.t[i], "", s->before[i], NULL, out);
    }
}

static int write_down(const conform_tensor *t, const unsigned char *data, spec_values *v)
{
    snprintf(v->name, sizeof v->name, "%s", t->name);
    v->kind = is_bytes(t) || is_long(t) ? SPEC_BYTES : SPEC_NUMBERS;
    v->n = count_of(t);
    if (is_long(t)) {
        v->bytes = malloc(t->bytes);
        if (v->bytes)
            memcpy(v->bytes, data, t->bytes);
        return v->bytes != NULL;
    }
    for (int64_t i = 0; i < v->n; i++)
        v->values[i] = is_bytes(t) ? (double)data[i] : element_of(t, data, i);
    return 1;
}

static int fits(const conform_slot *s, int64_t most)
{
    int n = 0;
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        if (t->absent || !is_given(t))
            continue;
        const int64_t count = count_of(t);
        if (count > most || count > SPEC_MAX_BYTES || n++ == SPEC_MAX_ENTRY_VALUES)
            return 0;
    }
    return 1;
}

static spec_entry *make_entry(void)
{
    spec_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->values = calloc(SPEC_MAX_ENTRY_VALUES, sizeof *entry->values);
    if (entry->values)
        return entry;
    free(entry);
    return NULL;
}

spec_entry *conform_written_of(const conform_slot *s, const char *name, int64_t most)
{
    spec_entry *entry = fits(s, most) ? make_entry() : NULL;
    if (!entry)
        return NULL;
    snprintf(entry->name, sizeof entry->name, "%s", name);
    bool is_written = 1;
    for (int i = 0; i < s->layout.n; i++)
        if (!s->layout.t[i].absent && is_given(&s->layout.t[i]))
            is_written &=
                write_down(&s->layout.t[i], s->before[i], &entry->values[entry->n_values++]);
    if (is_written)
        return entry;
    conform_written_free(entry);
    return NULL;
}

static int copy_bytes(spec_values *v)
{
    const unsigned char *const from = v->bytes;
    if (!from)
        return 1;
    v->bytes = malloc((size_t)v->n);
    if (v->bytes)
        memcpy(v->bytes, from, (size_t)v->n);
    return v->bytes != NULL;
}

spec_entry *conform_written_copy(const spec_entry *entry)
{
    bool is_copied = 1;
    spec_entry *copy = make_entry();
    if (!copy)
        return NULL;
    spec_values *values = copy->values;
    memcpy(values, entry->values, (size_t)entry->n_values * sizeof *values);
    *copy = *entry;
    copy->values = values;
    for (int i = 0; i < copy->n_values; i++)
        is_copied &= copy_bytes(&values[i]);
    if (is_copied)
        return copy;
    conform_written_free(copy);
    return NULL;
}

void conform_written_free(spec_entry *entry)
{
    if (entry)
        spec_entry_drop(entry);
    free(entry);
}
