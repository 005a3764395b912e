#include "tensor_types.h"

#include <stdio.h>
#include <string.h>

static int ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), n_end = strlen(end);
    return n >= n_end && strcmp(name + n - n_end, end) == 0;
}

int type_may_change(const char *name, int32_t n_dims)
{
    return n_dims >= 2 && ends_with(name, "weight") && !ends_with(name, "_norm.weight");
}

static ifn_dtype fall_back(ifn_dtype dtype)
{
    switch (dtype) {
    case IFN_DTYPE_Q2_K:
    case IFN_DTYPE_Q3_K:
        return IFN_DTYPE_Q4_0;
    case IFN_DTYPE_Q4_K:
        return IFN_DTYPE_Q5_0;
    case IFN_DTYPE_Q5_K:
        return IFN_DTYPE_Q5_1;
    case IFN_DTYPE_Q6_K:
        return IFN_DTYPE_Q8_0;
    default:
        return IFN_DTYPE_F16;
    }
}

static int fits(ifn_dtype dtype, int64_t cols)
{
    return cols % ifn_dtype_block_elements(dtype) == 0;
}

static int is_output(const type_rules *rules, const char *name)
{
    return strcmp(name, rules->has_output ? "output.weight" : "token_embd.weight") == 0;
}

ifn_dtype type_of_matrix(const type_rules *rules, const char *name, int64_t cols)
{
    ifn_dtype dtype = rules->wanted;
    const int exception = !rules->pure && ifn_dtype_is_quantized(dtype) && is_output(rules, name);
    if (exception && dtype != IFN_DTYPE_Q8_0)
        dtype = fits(dtype, cols) ? IFN_DTYPE_Q6_K : IFN_DTYPE_Q8_0;
    if (!fits(dtype, cols))
        dtype = fall_back(dtype);
    return fits(dtype, cols) ? dtype : IFN_DTYPE_F16;
}

uint32_t type_file_number(ifn_dtype wanted)
{
    /* The numbers of the K types are those of their S mixes, the nearest to one type everywhere. */
    static const uint32_t numbers[IFN_DTYPE_COUNT] = {
        [IFN_DTYPE_F32] = 0,   [IFN_DTYPE_F16] = 1,   [IFN_DTYPE_BF16] = 32, [IFN_DTYPE_Q8_0] = 7,
        [IFN_DTYPE_Q4_0] = 2,  [IFN_DTYPE_Q4_1] = 3,  [IFN_DTYPE_Q5_0] = 8,  [IFN_DTYPE_Q5_1] = 9,
        [IFN_DTYPE_Q2_K] = 10, [IFN_DTYPE_Q3_K] = 11, [IFN_DTYPE_Q4_K] = 14, [IFN_DTYPE_Q5_K] = 16,
        [IFN_DTYPE_Q6_K] = 18,
    };
    return numbers[wanted];
}

ifn_status type_parse(const char *what, const char *name, ifn_dtype *out, ifn_error *err)
{
    if (ifn_dtype_from_name(name, out) && ifn_dtype_to_gguf(*out) != IFN_GGUF_TYPE_NONE)
        return IFN_OK;
    char names[160];
    size_t used = 0;
    for (int i = 0; i < IFN_DTYPE_COUNT && used < sizeof names; i++)
        if (ifn_dtype_to_gguf((ifn_dtype)i) != IFN_GGUF_TYPE_NONE)
            used += (size_t)snprintf(names + used, sizeof names - used, " %s",
                                     ifn_dtype_name((ifn_dtype)i));
    return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: '%.20s', expected one of%s", what, name, names);
}

ifn_status type_put_keys(ifn_gguf_writer *writer, ifn_dtype wanted, ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_put_uint(writer, "general.file_type", IFN_GGUF_UINT32,
                                     type_file_number(wanted), err));
    /* Every block format here is of the second generation. */
    return ifn_gguf_writer_put_uint(writer, "general.quantization_version", IFN_GGUF_UINT32, 2,
                                    err);
}
