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
