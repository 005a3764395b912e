#include "check_scan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <inferno/quant.h>

enum { STEP = 256 }; /* elements: whole blocks of every dtype */

int ifn_check_can_scan(const ifn_operand *o)
{
    return o->data != NULL && o->dtype != IFN_DTYPE_COUNT;
}

/* The loop has no branch, so that compilers vectorise it. */
static int all_finite(const float *x, int64_t n)
{
    uint32_t exponents = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        exponents |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return !exponents;
}

static int find(const float *x, int64_t n, check_place *out)
{
    if (all_finite(x, n))
        return 0;
    int64_t i = 0;
    while (isfinite(x[i]))
        i++;
    out->element = i;
    out->is_nan = isnan(x[i]);
    return 1;
}

/* Elements in a row of this many bytes. */
static int64_t row_elements(const ifn_operand *o)
{
    const size_t block_bytes = ifn_dtype_block_bytes(o->dtype);
    return (int64_t)(o->row_bytes / block_bytes) * ifn_dtype_block_elements(o->dtype);
}

/* Weights are in host memory, also if a device multiplies them. */
static bool is_on_device(const ifn_operand *o, const check_source *source)
{
    return source->device && !o->tensor;
}

/* Returns bytes of an operand at an address that the host can read, copied out if need be; NULL: the device failed. */
static const unsigned char *reach(const ifn_operand *o, const check_source *source,
                                  const unsigned char *at, size_t bytes, unsigned char *room)
{
    if (!is_on_device(o, source))
        return at;
    ifn_copy_out_args a = {.call = *source->args, .host = room, .x = at, .bytes = bytes};
    a.call.bytes = sizeof a;
    return ifn_copy_out(source->device, &a) == IFN_OK ? room : NULL;
}

/* Decodes and scans a row, STEP elements (whole blocks) at a time. Decoding cannot fail: dtype and size fit. */
static int scan_row(const ifn_operand *o, const check_source *source, const unsigned char *row,
                    check_place *out)
{
    const int64_t n = row_elements(o);
    for (int64_t i = 0; i < n; i += STEP) {
        float decoded[STEP];
        unsigned char room[STEP * sizeof(float)];
        const int64_t step = n - i < STEP ? n - i : STEP;
        const unsigned char *const codes = reach(o, source, row + ifn_dtype_row_bytes(o->dtype, i),
                                                 ifn_dtype_row_bytes(o->dtype, step), room);
        if (!codes)
            return 0;
        (void)ifn_dequantize_row(o->dtype, codes, decoded, step);
        if (find(decoded, step, out)) {
            out->element += i;
            return 1;
        }
    }
    return 0;
}

int ifn_check_scan(const ifn_operand *o, const check_source *source, check_place *out)
{
    for (int64_t r = 0; r < o->rows && ifn_check_can_scan(o); r++) {
        const unsigned char *const row =
            (const unsigned char *)o->data + (size_t)r * o->stride_bytes;
        const bool is_found = o->dtype == IFN_DTYPE_F32 && !is_on_device(o, source)
                                  ? find((const float *)(const void *)row, row_elements(o), out)
                                  : scan_row(o, source, row, out);
        if (is_found) {
            out->row = r;
            return 1;
        }
    }
    return 0;
}
