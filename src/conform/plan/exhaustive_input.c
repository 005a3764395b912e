/* Describes in words which input a wrong result of a sweep was computed from. */
#include <stdio.h>
#include <string.h>

#include "blocks.h"
#include "exhaustive.h"
#include "linear_tensors.h"

static void say_float(const void *x, int64_t i, char *out, size_t bytes)
{
    uint32_t bits;
    memcpy(&bits, (const unsigned char *)x + (size_t)i * sizeof bits, sizeof bits);
    snprintf(out, bytes, ", input 0x%08x", (unsigned)bits);
}

/* Describes element i of row `row` of tensor t, which has blocks. */
static void say_block(const conform_case *c, const conform_tensor *t, const void *data, int64_t row,
                      int64_t i, char *out, size_t bytes)
{
    const int64_t n = ifn_dtype_block_elements(c->dtype);
    const uint64_t number = c->seed + (uint64_t)((row * t->cols + i) / n);
    const unsigned char *stored =
        (const unsigned char *)data + (size_t)row * conform_stride_bytes(t);
    const unsigned pattern = (unsigned)(number / (uint64_t)conform_every_turns(c->dtype) & 0xffff);
    const conform_code code = conform_code_at(c->dtype, stored, i);
    if (n == 1)
        snprintf(out, bytes, ", pattern 0x%04x", pattern);
    else
        snprintf(out, bytes, ", block 0x%llx, element %lld: d 0x%04x, sc %d, m %d, code %d",
                 (unsigned long long)number, (long long)(i % n), pattern, code.sc, code.m, code.c);
}

/* The element at a byte of the output. In kv_store the new rows of the only head follow first_pos older ones. */
static int64_t stored_element(const conform_case *c, int64_t byte)
{
    const int64_t before = c->op == IFN_OP_KV_STORE ? c->dim[1] * c->dim[4] : 0;
    return byte / 2 - before;
}

void conform_every_describe(const conform_case *c, const conform_layout *l, void *const *data,
                            int64_t at, char *out, size_t bytes)
{
    const conform_tensor *t = &l->t[0];
    *out = '\0';
    if (at < 0 || t->cols < 1)
        return;
    switch (c->op) {
    case IFN_OP_DEQUANTIZE_ROWS:
    case IFN_OP_GATHER_ROWS:
        say_block(c, t, data[0], at / t->cols, at % t->cols, out, bytes);
        break;
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
        say_block(c, &l->t[1], data[1], at % l->t[1].rows, at / l->t[1].rows % t->cols, out, bytes);
        break;
    case IFN_OP_ARGMAX_WITH_PROB:
        snprintf(out, bytes, ", ordering 0x%llx", (unsigned long long)c->seed);
        break;
    case IFN_OP_QUANTIZE_ROWS:
    case IFN_OP_KV_STORE:
        at = stored_element(c, at);
        if (at >= 0 && at < t->rows * t->cols)
            say_float(data[0], at, out, bytes);
        break;
    default:
        say_float(data[0], at, out, bytes);
    }
}
