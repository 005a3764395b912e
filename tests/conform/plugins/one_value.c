/*
 * A plugin that is wrong at one single value, by option:
 *
 *   silu-bf1d2c3b     silu of the f32 with these bits
 *   rsqrt-3f800001    rsqrt_elem of the f32 with these bits
 *   softmax-c0490fdb  softmax_rows if it is among the inputs
 *   decode-83ff       dequantize_rows: of this pattern of F16
 *   scale-0001        dequantize_rows: of the last code, 7, of Q4_0 under this pattern of d
 *   none-0            no value
 */
#include <inferno/backend.h>

#include <stdlib.h>
#include <string.h>

static ifn_op_table base;
static uint32_t wrong;

/* Returns the index of the first float with the bits `wrong`; -1 if there is none. */
static int64_t find(const float *x, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        if (bits == wrong)
            return i;
    }
    return -1;
}

/* Changes a number to another one, whatever it was. */
static void spoil(float *x)
{
    *x = *x - *x == 0 && *x != 0 ? 2 * *x : 1.0f;
}

static void range(int64_t part_begin, int64_t part_end, int64_t extent, int64_t out[2])
{
    out[0] = part_end ? part_begin : 0;
    out[1] = part_end ? part_end : extent;
}

static ifn_status silu(ifn_backend *self, const ifn_silu_args *a)
{
    int64_t part[2];
    range(a->part_begin, a->part_end, a->n, part);
    const int64_t at = find(a->x, part[0], part[1]);
    const ifn_status status = base.silu(self, a);
    if (status == IFN_OK && at >= 0)
        spoil(&a->out[at]);
    return status;
}

static ifn_status rsqrt(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    int64_t part[2];
    range(a->part_begin, a->part_end, a->n, part);
    const int64_t at = find(a->x, part[0], part[1]);
    const ifn_status status = base.rsqrt_elem(self, a);
    if (status == IFN_OK && at >= 0)
        spoil(&a->out[at]);
    return status;
}

static ifn_status softmax(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    int64_t part[2];
    range(a->part_begin, a->part_end, a->rows, part);
    const int64_t at = find(a->x, part[0] * a->cols, part[1] * a->cols);
    const ifn_status status = base.softmax_rows(self, a);
    if (status == IFN_OK && at >= 0)
        spoil(&a->out[at]);
    return status;
}

static ifn_status decode(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = base.dequantize_rows(self, a);
    const uint16_t *x = a->x;
    int64_t part[2];
    range(a->part_begin, a->part_end, a->rows, part);
    for (int64_t i = part[0] * a->cols;
         status == IFN_OK && a->dtype == IFN_DTYPE_F16 && i < part[1] * a->cols; i++)
        if (x[i] == wrong)
            spoil(&a->out[i]);
    return status;
}

static ifn_status scale(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = base.dequantize_rows(self, a);
    const ifn_block_q4_0 *x = a->x;
    int64_t part[2];
    range(a->part_begin, a->part_end, a->rows, part);
    for (int64_t b = part[0] * a->cols / 32;
         status == IFN_OK && a->dtype == IFN_DTYPE_Q4_0 && b < part[1] * a->cols / 32; b++)
        for (int i = 0; x[b].d == wrong && i < 16; i++)
            if (x[b].qs[i] >> 4 == 15)
                spoil(&a->out[b * 32 + 16 + i]);
    return status;
}

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    const char *number = strchr(env->options, '-');
    const size_t n = number ? (size_t)(number - env->options) : 0;
    base = *t;
    wrong = number ? (uint32_t)strtoul(number + 1, NULL, 16) : 0;
    if (n == 4 && strncmp(env->options, "silu", n) == 0)
        t->silu = silu;
    else if (n == 5 && strncmp(env->options, "rsqrt", n) == 0)
        t->rsqrt_elem = rsqrt;
    else if (n == 7 && strncmp(env->options, "softmax", n) == 0)
        t->softmax_rows = softmax;
    else if (n == 6 && strncmp(env->options, "decode", n) == 0)
        t->dequantize_rows = decode;
    else if (n == 5 && strncmp(env->options, "scale", n) == 0)
        t->dequantize_rows = scale;
}

static const ifn_manifest manifest = {.manifest_bytes = sizeof manifest, .invariances = 0x3ff};

IFN_BACKEND_ENTRY(.name = "one-value", .summary = "wrong at the one value that its option says",
                  .fill = fill, .manifest = &manifest)
