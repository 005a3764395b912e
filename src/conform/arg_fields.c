#include "arg_fields.h"

#include <stddef.h>
#include <string.h>

typedef enum field_type { FIELD_F32, FIELD_I32, FIELD_I64 } field_type;

typedef struct field {
    ifn_op op;
    const char *name;
    field_type type;
    size_t offset;
} field;

/* What refuse entries set: scalars that the modules choose themselves, or keep legal. */
static const field fields[] = {
    {IFN_OP_RESHAPE_DATA, "out_rows", FIELD_I64, offsetof(ifn_reshape_data_args, out_rows)},
    {IFN_OP_RESHAPE_DATA, "out_cols", FIELD_I64, offsetof(ifn_reshape_data_args, out_cols)},
    {IFN_OP_LINEAR, "n_w", FIELD_I64, offsetof(ifn_linear_args, n_w)},
    {IFN_OP_LINEAR, "x_stride", FIELD_I64, offsetof(ifn_linear_args, x_stride)},
    {IFN_OP_LINEAR, "out_stride_0", FIELD_I64, offsetof(ifn_linear_args, out_stride)},
    {IFN_OP_LINEAR_Q8, "n_w", FIELD_I64, offsetof(ifn_linear_q8_args, n_w)},
    {IFN_OP_LINEAR_Q8, "x_stride", FIELD_I64, offsetof(ifn_linear_q8_args, x_stride)},
    {IFN_OP_LINEAR_Q8, "out_stride_0", FIELD_I64, offsetof(ifn_linear_q8_args, out_stride)},
    {IFN_OP_RMS_NORM, "eps", FIELD_F32, offsetof(ifn_rms_norm_args, eps)},
    {IFN_OP_ATTENTION, "n_heads", FIELD_I64, offsetof(ifn_attention_args, n_heads)},
    {IFN_OP_ATTENTION, "phase", FIELD_I32, offsetof(ifn_attention_args, phase)},
};

static const field *find_field(ifn_op op, const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].op == op && strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

int conform_has_field(ifn_op op, const char *name)
{
    return find_field(op, name) != NULL;
}

static void store(unsigned char *at, field_type type, double value)
{
    const float f32 = (float)value;
    const int32_t i32 = type == FIELD_I32 ? (int32_t)value : 0;
    const int64_t i64 = type == FIELD_I64 ? (int64_t)value : 0;
    switch (type) {
    case FIELD_F32:
        memcpy(at, &f32, sizeof f32);
        break;
    case FIELD_I32:
        memcpy(at, &i32, sizeof i32);
        break;
    case FIELD_I64:
        memcpy(at, &i64, sizeof i64);
        break;
    }
}

int conform_set_field(ifn_op op, ifn_args *args, const char *name, double value)
{
    const field *f = find_field(op, name);
    if (!f)
        return 0;
    store(args->room + f->offset, f->type, value);
    return 1;
}

int conform_is_weight_field(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && (strcmp(dot, ".dtype") == 0 || strcmp(dot, ".n_dims") == 0 ||
                   strcmp(dot, ".shape") == 0);
}

static ifn_tensor *find_weight(ifn_tensor weights[IFN_LINEAR_MAX], const char *name, size_t n)
{
    for (int i = 0; i < IFN_LINEAR_MAX; i++) {
        const char *const own = weights[i].name;
        if (own && strlen(own) == n && memcmp(own, name, n) == 0)
            return &weights[i];
    }
    return NULL;
}

int conform_set_weight_field(ifn_tensor weights[IFN_LINEAR_MAX], const char *name,
                             const double *values, int64_t n)
{
    const char *dot = strchr(name, '.');
    ifn_tensor *w =
        conform_is_weight_field(name) ? find_weight(weights, name, (size_t)(dot - name)) : NULL;
    if (!w || n != (strcmp(dot, ".shape") == 0 ? 2 : 1))
        return 0;
    if (n == 2)
        w->shape[0] = (int64_t)values[0], w->shape[1] = (int64_t)values[1];
    else if (strcmp(dot, ".dtype") == 0)
        w->dtype = (ifn_dtype)(int)values[0];
    else
        w->n_dims = (int32_t)values[0];
    return 1;
}
