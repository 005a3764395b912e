#include "npy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

enum { HEADER_BYTES = 4096, ALIGN = 64, SHAPE_BYTES = 96 };

/* The most bytes of a file: more than the largest tensor of a case. */
#define MAX_BYTES (INT64_C(1) << 36)

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* The dictionary of a header, as far as it has been read. */
typedef struct header {
    const char *at; /* next character; the text ends in a NUL */
    char descr[16];
    bool is_fortran, has_descr, has_order, has_shape;
    int n_dims;
    int64_t shape[NPY_MAX_DIMS];
} header;

static size_t row_bytes(const npy_matrix *m)
{
    return (size_t)m->cols * (size_t)(m->descr[2] - '0');
}

size_t npy_bytes(const npy_matrix *m)
{
    return (size_t)m->rows * row_bytes(m);
}

/* Writes a shape as a Python tuple: "(3,)", "(3, 4)". */
static void write_shape(char out[SHAPE_BYTES], int n, const int64_t *shape)
{
    size_t used = (size_t)snprintf(out, SHAPE_BYTES, "(");
    for (int i = 0; i < n && used < SHAPE_BYTES; i++)
        used += (size_t)snprintf(out + used, SHAPE_BYTES - used, "%s%lld", i ? ", " : "",
                                 (long long)shape[i]);
    if (used < SHAPE_BYTES)
        snprintf(out + used, SHAPE_BYTES - used, n == 1 ? ",)" : ")");
}

/* Sets the shape of the file. Returns its number of dimensions. */
static int shape_of(const npy_matrix *m, int64_t shape[NPY_MAX_DIMS])
{
    shape[0] = m->rows;
    shape[1] = m->cols;
    for (int i = 0; i < m->n_shape; i++)
        shape[i] = m->shape[i];
    return m->n_shape ? m->n_shape : 2;
}

static void put_header(const npy_matrix *m, FILE *file)
{
    char text[192], tuple[SHAPE_BYTES];
    int64_t shape[NPY_MAX_DIMS];
    const int n_dims = shape_of(m, shape);
    write_shape(tuple, n_dims, shape);
    const int n =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                 m->descr, tuple);
    /* The data starts at a multiple of 64; the header ends in a newline. */
    const int length = (10 + n + 1 + ALIGN - 1) / ALIGN * ALIGN - 10;
    fwrite(magic, 1, sizeof magic, file);
    fputc(1, file);
    fputc(0, file);
    fputc(length & 0xff, file);
    fputc(length >> 8, file);
    fprintf(file, "%-*s\n", length - 1, text);
}

void npy_put(const npy_matrix *m, const void *data, size_t stride_bytes, FILE *out)
{
    put_header(m, out);
    for (int64_t r = 0; r < m->rows; r++)
        fwrite((const char *)data + (size_t)r * stride_bytes, 1, row_bytes(m), out);
}

static void skip_spaces(header *h)
{
    h->at += strspn(h->at, " \t\n");
}

/* Consumes `text` if it comes next. Returns 1 if it did. */
static int take(header *h, const char *text)
{
    skip_spaces(h);
    const size_t n = strlen(text);
    if (strncmp(h->at, text, n) != 0)
        return 0;
    h->at += n;
    return 1;
}

/* Reads 'text' or "text", without escapes. */
static int take_quoted(header *h, char *out, size_t bytes)
{
    skip_spaces(h);
    const char quote = *h->at;
    if (quote != '\'' && quote != '"')
        return 0;
    const char *end = strchr(h->at + 1, quote);
    if (!end || (size_t)(end - h->at) > bytes)
        return 0;
    memcpy(out, h->at + 1, (size_t)(end - h->at) - 1);
    out[end - h->at - 1] = '\0';
    h->at = end + 1;
    return 1;
}

static int take_number(header *h, int64_t *out)
{
    const size_t n = (skip_spaces(h), strspn(h->at, "0123456789"));
    if (n == 0 || n > 18)
        return 0;
    *out = strtoll(h->at, NULL, 10);
    h->at += n;
    return 1;
}

/* Reads a shape: (), (3,), (3, 4). */
static int take_shape(header *h)
{
    if (!take(h, "("))
        return 0;
    while (!take(h, ")")) {
        if (h->n_dims == NPY_MAX_DIMS || !take_number(h, &h->shape[h->n_dims]))
            return 0;
        h->n_dims++;
        if (!take(h, ",") && *h->at != ')')
            return 0;
    }
    h->has_shape = 1;
    return 1;
}

static int take_order(header *h)
{
    h->has_order = 1;
    h->is_fortran = take(h, "True");
    return h->is_fortran || take(h, "False");
}

static int take_entry(header *h)
{
    char key[16];
    if (!take_quoted(h, key, sizeof key) || !take(h, ":"))
        return 0;
    if (strcmp(key, "descr") == 0 && !h->has_descr) {
        h->has_descr = 1;
        return take_quoted(h, h->descr, sizeof h->descr);
    }
    if (strcmp(key, "fortran_order") == 0 && !h->has_order)
        return take_order(h);
    return strcmp(key, "shape") == 0 && !h->has_shape && take_shape(h);
}

static int take_dictionary(header *h)
{
    if (!take(h, "{"))
        return 0;
    while (!take(h, "}")) {
        skip_spaces(h);
        if (!take_entry(h) || (!take(h, ",") && *h->at != '}'))
            return 0;
    }
    skip_spaces(h);
    return !*h->at && h->has_descr && h->has_order && h->has_shape;
}

/* Reads the text of the header into `text`, NUL-terminated. */
static int read_header(FILE *file, char text[HEADER_BYTES + 1])
{
    unsigned char start[12] = {0};
    if (fread(start, 1, 10, file) != 10 || memcmp(start, magic, sizeof magic) != 0)
        return 0;
    size_t n = (size_t)start[8] | (size_t)start[9] << 8;
    if (start[6] == 2 && fread(start + 10, 1, 2, file) == 2)
        n |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    else if (start[6] != 1)
        return 0;
    if (n > HEADER_BYTES || fread(text, 1, n, file) != n || memchr(text, 0, n))
        return 0;
    text[n] = '\0';
    return 1;
}

static ifn_status check(const char *path, const header *h, const npy_matrix *m, ifn_error *err)
{
    if (strcmp(h->descr, m->descr) != 0)
        return ifn_fail(err, IFN_ERR_FORMAT, "%.120s: dtype '%s', expected '%s'", path, h->descr,
                        m->descr);
    if (h->is_fortran)
        return ifn_fail(err, IFN_ERR_FORMAT, "%.120s: Fortran order, expected C order", path);
    int64_t shape[NPY_MAX_DIMS];
    char found[SHAPE_BYTES], expected[SHAPE_BYTES];
    const int n = shape_of(m, shape);
    if (h->n_dims == n && memcmp(h->shape, shape, (size_t)n * sizeof *shape) == 0)
        return IFN_OK;
    write_shape(found, h->n_dims, h->shape);
    write_shape(expected, n, shape);
    return ifn_fail(err, IFN_ERR_FORMAT, "%.120s: shape %s, expected %s", path, found, expected);
}

static ifn_status read_data(FILE *file, const char *path, const npy_matrix *m, void *out,
                            ifn_error *err)
{
    const size_t bytes = npy_bytes(m), got = bytes ? fread(out, 1, bytes, file) : 0;
    if (got != bytes)
        return ifn_fail(err, IFN_ERR_FORMAT, "%.120s: %zu bytes of data, expected %zu", path, got,
                        bytes);
    if (fgetc(file) != EOF)
        return ifn_fail(err, IFN_ERR_FORMAT, "%.120s: more than the expected %zu bytes of data",
                        path, bytes);
    return IFN_OK;
}

static ifn_status read_file(FILE *file, const char *path, const npy_matrix *expected, void *out,
                            ifn_error *err)
{
    char text[HEADER_BYTES + 1];
    header h = {.at = text};
    if (!read_header(file, text) || !take_dictionary(&h))
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%.120s: no header of .npy 1.0 or 2.0, expected one of '%s'", path,
                        expected->descr);
    IFN_TRY(check(path, &h, expected, err));
    return read_data(file, path, expected, out, err);
}

ifn_status npy_read(const char *path, const npy_matrix *expected, void *out, ifn_error *err)
{
    FILE *file;
    IFN_TRY(input_open(&file, path, MAX_BYTES, err));
    const ifn_status status = read_file(file, path, expected, out, err);
    fclose(file);
    return status;
}
