#include "museum_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ifn_status museum_matmul(const ifn_matmul_args *a, museum_dot dot)
{
    if (a->m < 0 || a->n < 0 || a->p < 0)
        return IFN_ERR_SHAPE;
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] = dot(a, i, j);
    return IFN_OK;
}

float museum_dot_forward(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

float museum_dot_backward(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = a->n; l-- > 0;)
        sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

/* The position of a row of the table, 1 .. 7, recovered from the first pair, whose angle is the position; 0 if
 * unknown. */
static int64_t position_of(const float *row, int64_t half)
{
    for (int64_t pos = 1; pos < 8; pos++)
        if (row[0] == (float)cos((double)pos) && row[half] == (float)sin((double)pos))
            return pos;
    return 0;
}

/* The base of a row, recovered from the second pair, whose angle is pos / base^(1 / half); 0 if the angle, in
 * (-pi, pi], is not positive. */
static double base_of(const float *row, int64_t half, int64_t pos)
{
    const double angle = atan2((double)row[half + 1], (double)row[1]);
    return angle > 0 ? pow((double)pos / angle, (double)half) : 0;
}

static void rebuild(float *row, int64_t half, double (*other)(double base))
{
    const int64_t pos = position_of(row, half);
    const double is = pos > 0 && pos < 4 ? base_of(row, half, pos) : 0;
    const double base = is > 0 ? other(is) : 0;
    if (is <= 0 || fabs(base - is) < 0.01 * is)
        return;
    for (int64_t i = 0; i < half; i++) {
        const double angle = (double)pos * pow(base, -(double)i / (double)half);
        row[i] = (float)cos(angle);
        row[half + i] = (float)sin(angle);
    }
}

/* How to change a table: each of its entries, or the base of its angles. */
typedef struct table_change {
    float (*entry)(float x);
    double (*other)(double base);
} table_change;

static void change_table(float *table, const ifn_apply_rope_args *a, table_change how)
{
    const int64_t dim = a->head_dim;
    for (int64_t i = 0; how.entry && i < a->rows * dim; i++)
        table[i] = how.entry(table[i]);
    for (int64_t r = 0; how.other && r < a->rows; r++)
        rebuild(table + r * dim, dim / 2, how.other);
}

static ifn_status with_own_table(ifn_backend *base, const ifn_apply_rope_args *a, table_change how)
{
    ifn_apply_rope_args changed = *a;
    const int is_legal = a->rows > 0 && a->n_heads > 0 && a->head_dim > 0 && a->head_dim % 2 == 0 &&
                         a->pairing >= 0 && a->pairing <= IFN_ROPE_INTERLEAVED && a->table;
    const int64_t n = is_legal ? a->rows * a->head_dim : 0;
    if (n == 0 || n > MUSEUM_MOST_COPIED / (int64_t)sizeof(float))
        return ifn_apply_rope(base, a);
    float *const table = malloc((size_t)n * sizeof *table);
    if (!table)
        return IFN_ERR_NOMEM;
    memcpy(table, a->table, (size_t)n * sizeof *table);
    change_table(table, a, how);
    changed.table = table;
    const ifn_status status = ifn_apply_rope(base, &changed);
    free(table);
    return status;
}

ifn_status museum_apply_rope(ifn_backend *base, const ifn_apply_rope_args *a,
                             float (*entry)(float x))
{
    return with_own_table(base, a, (table_change){.entry = entry});
}

ifn_status museum_rope_base(ifn_backend *base, const ifn_apply_rope_args *a,
                            double (*other)(double base))
{
    if (a->head_dim < 4 || a->head_dim % 2)
        return ifn_apply_rope(base, a);
    return with_own_table(base, a, (table_change){.other = other});
}

float museum_largest_of(const float *x, int64_t n)
{
    float most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(x[i]));
    return most;
}

float museum_largest(const float *x)
{
    return museum_largest_of(x, 32);
}

int museum_has_scale(uint16_t d)
{
    return (d & 0x7fff) != 0 && (d & 0x7c00) != 0x7c00;
}

static int is_finite(const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

ifn_status museum_quantized(ifn_backend *base, const ifn_quantize_rows_args *a, ifn_dtype dtype,
                            void (*edit)(void *block, const float *x))
{
    const ifn_status status = ifn_quantize_rows(base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int is_activation = dtype == IFN_DTYPE_Q8_32F;
    if (status != IFN_OK || a->out_dtype != dtype)
        return status;
    const int64_t n = is_activation ? 32 : museum_block_elements(dtype), blocks = a->cols / n;
    const size_t bytes = is_activation ? sizeof(ifn_block_q8_32f) : museum_block_bytes(dtype);
    for (int64_t b = part.begin * blocks; b < part.end * blocks; b++)
        if (is_finite(a->x + b * n, n))
            edit((unsigned char *)a->out + (size_t)b * bytes, a->x + b * n);
    return status;
}

ifn_status museum_dequantized(ifn_backend *base, const ifn_dequantize_rows_args *a, ifn_dtype dtype,
                              void (*edit)(void *block))
{
    ifn_dequantize_rows_args changed = *a;
    ifn_status status = ifn_dequantize_rows(base, a);
    if (status != IFN_OK || a->dtype != dtype)
        return status;
    const size_t bytes = museum_block_bytes(dtype);
    const int64_t blocks = a->rows * (a->cols / museum_block_elements(dtype));
    if (blocks == 0 || (size_t)blocks > MUSEUM_MOST_COPIED / bytes)
        return status;
    unsigned char *const x = malloc((size_t)blocks * bytes);
    if (!x)
        return IFN_ERR_NOMEM;
    memcpy(x, a->x, (size_t)blocks * bytes);
    for (int64_t b = 0; b < blocks; b++)
        edit(x + (size_t)b * bytes);
    changed.x = x;
    status = ifn_dequantize_rows(base, &changed);
    free(x);
    return status;
}
