/* Expectations of argument structs: valid sizes, memory that is not NULL, regions that do not overlap. */
#include "op_check_util.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "checked.h"

void ifn_checker_fail(op_checker *c, ifn_status status, const char *format, ...)
{
    if (!ifn_checker_ok(c))
        return;
    char text[sizeof c->err->text] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->status = ifn_fail(c->err, status, "%s: %s", c->op, text);
}

void ifn_expect_part(op_checker *c, const char *name, ifn_range part, int64_t extent)
{
    if (part.begin < 0 || part.begin > part.end || part.end > extent)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s [%" PRId64 ", %" PRId64 "), expected a range inside [0, %" PRId64 ")",
                         name, part.begin, part.end, extent);
}

void ifn_expect_window(op_checker *c, const char *name, int64_t begin, int64_t n, int64_t extent)
{
    if (ifn_checker_ok(c) && (begin < 0 || n > extent || begin > extent - n))
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %" PRId64 ": %" PRId64 " from there on do not fit %" PRId64, name,
                         begin, n, extent);
}

static void too_large(op_checker *c, const char *name)
{
    ifn_checker_fail(c, IFN_ERR_SHAPE, "%s: larger than any memory", name);
}

int64_t ifn_expect_sum(op_checker *c, const char *name, int64_t a, int64_t b)
{
    if (ifn_checker_ok(c) && a <= INT64_MAX - b)
        return a + b;
    too_large(c, name);
    return 0;
}

int64_t ifn_expect_product(op_checker *c, const char *name, int64_t a, int64_t b)
{
    int64_t product;
    if (ifn_checker_ok(c) && ifn_mul_i64(a, b, &product))
        return product;
    too_large(c, name);
    return 0;
}

size_t ifn_expect_row_bytes(op_checker *c, const char *dtype_name, ifn_dtype dtype,
                            const char *cols_name, int64_t cols)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    if (!ifn_checker_ok(c))
        return 0;
    if (block == 0) {
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %d is no dtype", dtype_name, (int)dtype);
        return 0;
    }
    if (cols % block != 0) {
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %" PRId64 ", expected a multiple of %" PRId64 " for %s", cols_name,
                         cols, block, ifn_dtype_name(dtype));
        return 0;
    }
    const size_t bytes = ifn_dtype_row_bytes(dtype, cols);
    if (cols > 0 && (bytes == 0 || bytes > PTRDIFF_MAX))
        too_large(c, cols_name);
    return bytes;
}

op_region ifn_expect_rows(op_checker *c, const char *name, const void *p, int64_t rows,
                          size_t row_bytes, size_t stride_bytes)
{
    const op_region none = {.name = name};
    const uintptr_t base = (uintptr_t)p;
    size_t bytes, end;
    if (!ifn_checker_ok(c) || rows == 0 || row_bytes == 0)
        return none;
    if (!ifn_mul_size((size_t)rows - 1, stride_bytes, &bytes) ||
        !ifn_add_size(bytes, row_bytes, &bytes) || bytes > PTRDIFF_MAX ||
        !ifn_add_size(base, bytes, &end)) {
        too_large(c, name);
        return none;
    }
    if (!p) {
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s is NULL, expected %zu bytes", name, bytes);
        return none;
    }
    return (op_region){name, base, row_bytes, stride_bytes, (size_t)rows};
}

op_region ifn_expect_elements(op_checker *c, const char *name, const void *p, int64_t n,
                              size_t bytes)
{
    size_t all = 0;
    if (n == INT64_MAX || !ifn_mul_size((size_t)n, bytes, &all))
        too_large(c, name);
    return ifn_expect_rows(c, name, p, 1, all, all);
}

op_region ifn_expect_f32(op_checker *c, const char *name, const float *p, int64_t rows,
                         int64_t cols)
{
    return ifn_expect_elements(c, name, p, ifn_expect_product(c, name, rows, cols), sizeof *p);
}

static void expect_weight_shape(op_checker *c, const char *name, const ifn_tensor *w)
{
    const int64_t block = ifn_dtype_block_elements(w->dtype);
    if (w->n_dims != 2)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %s: %d dimensions, expected 2", name, w->name,
                         (int)w->n_dims);
    else if (w->shape[0] < 0 || w->shape[1] < 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %s: shape [%" PRId64 ", %" PRId64 "], expected 0 or more", name,
                         w->name, w->shape[0], w->shape[1]);
    else if (block == 0 || w->dtype == IFN_DTYPE_Q8_32F)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %s: dtype %s, expected one that files hold", name,
                         w->name, ifn_dtype_name(w->dtype));
    else if (w->shape[1] % block != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %s: rows of %" PRId64 ", expected a multiple of %" PRId64 " for %s",
                         name, w->name, w->shape[1], block, ifn_dtype_name(w->dtype));
}

op_region ifn_expect_weight(op_checker *c, const char *name, const ifn_tensor *w,
                            const void *packed)
{
    const op_region none = {.name = name};
    if (!w) {
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s is NULL, expected a tensor", name);
        return none;
    }
    expect_weight_shape(c, name, w);
    if (!ifn_checker_ok(c) || (packed && !w->data))
        return none;
    const size_t row_bytes = ifn_expect_row_bytes(c, name, w->dtype, name, w->shape[1]);
    return ifn_expect_rows(c, name, w->data, w->shape[0], row_bytes, row_bytes);
}

/* One past the last byte. */
static uintptr_t region_end(const op_region *r)
{
    return r->base + (r->rows - 1) * r->stride_bytes + r->row_bytes;
}

/* True if [begin, end) holds a byte of a row of `r`. Only the last row that starts before `end` need be checked. */
static bool row_meets(uintptr_t begin, uintptr_t end, const op_region *r)
{
    if (end <= r->base)
        return false;
    const size_t before_end = (end - 1 - r->base) / r->stride_bytes;
    const size_t last = before_end < r->rows - 1 ? before_end : r->rows - 1;
    return r->base + last * r->stride_bytes + r->row_bytes > begin;
}

/*
 * True if two regions share a byte. Rows of two matrices may interleave without sharing one, as q, k and v in
 * one buffer do, so intersecting address ranges alone are not an overlap.
 */
static bool overlap(const op_region *a, const op_region *b)
{
    if (a->row_bytes == 0 || b->row_bytes == 0 || region_end(a) <= b->base ||
        region_end(b) <= a->base)
        return false;
    for (size_t i = 0; i < a->rows; i++) {
        const uintptr_t begin = a->base + i * a->stride_bytes;
        if (row_meets(begin, begin + a->row_bytes, b))
            return true;
    }
    return false;
}

void ifn_expect_apart(op_checker *c, const op_region *written, const op_region *other)
{
    if (overlap(written, other))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s overlaps %s", written->name, other->name);
}

void ifn_expect_apart_or_equal(op_checker *c, const op_region *written, const op_region *other)
{
    if (written->base != other->base && overlap(written, other))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s overlaps %s, expected equal or apart", written->name,
                         other->name);
}
