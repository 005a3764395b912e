#include "bench_sizes.h"

#include <string.h>

#include "args.h"
#include "module.h"

/*
 * Qwen3-0.6B: rows of 1024, 16 heads of 128 that share 8 of keys and values, 3072 wide in between,
 * 151936 tokens. One row is decoding, 64 are a piece of a prompt; 512 positions are in the cache.
 * The primitive ops are as large as what stands in their place.
 */
static const bench_sizes sizes[IFN_OP_COUNT] = {
    [IFN_OP_MATMUL] = {"m=1,n=1024,p=3072;m=64,n=1024,p=3072", NULL},
    [IFN_OP_ADD] = {"n=1024;n=65536", NULL},
    [IFN_OP_HADAMARD] = {"n=3072;n=196608", NULL},
    [IFN_OP_SCALE] = {"n=512;n=524288", NULL},
    [IFN_OP_ADD_SCALAR] = {"n=1;n=64", NULL},
    [IFN_OP_SILU] = {"n=3072;n=196608", NULL},
    [IFN_OP_RSQRT_ELEM] = {"n=1;n=64", NULL},
    [IFN_OP_SUM_SQUARES_AXIS] = {"rows=1,cols=1024,axis=1;rows=64,cols=1024,axis=1", NULL},
    [IFN_OP_BROADCAST_ROW_SCALARS] = {"rows=1,dim=1024;rows=64,dim=1024", NULL},
    [IFN_OP_REPEAT_ROW_AS_MATRIX] = {"rows=1,dim=1024;rows=64,dim=1024", NULL},
    [IFN_OP_TRANSPOSE_2D] = {"rows=64,cols=128;rows=512,cols=128", NULL},
    [IFN_OP_RESHAPE_DATA] = {"rows=1,cols=1024;rows=64,cols=1024", NULL},
    [IFN_OP_SOFTMAX_ROWS] = {"rows=16,cols=512;rows=1024,cols=512", NULL},
    [IFN_OP_GATHER_ROWS] = {"n=1,table_rows=32000,cols=1024;n=64,table_rows=32000,cols=1024",
                            "F32,F16,Q8_0,Q4_K"},
    [IFN_OP_FILL_STRICT_UPPER_TRI] = {"rows=64,cols=512,offset=448;rows=512,cols=512", NULL},
    [IFN_OP_COPY_2D_FROM_COLS] = {"rows=1,cols=128,x_cols=2048,col_begin=128;"
                                  "rows=64,cols=128,x_cols=2048,col_begin=128",
                                  NULL},
    [IFN_OP_COPY_2D_INTO_COLS] = {"rows=1,cols=128,out_cols=2048,col_begin=128;"
                                  "rows=64,cols=128,out_cols=2048,col_begin=128",
                                  NULL},
    [IFN_OP_COPY_ROW_2D] = {"out_rows=64,x_rows=64,cols=1024,out_row=63,x_row=1", NULL},
    [IFN_OP_COPY_CONTIGUOUS_INTO] = {"n=1024,out_n=524288,out_offset=1024;"
                                     "n=65536,out_n=524288,out_offset=1024",
                                     NULL},
    [IFN_OP_CONCAT_DIM0] = {"a_rows=511,b_rows=1,cols=128;a_rows=448,b_rows=64,cols=128", NULL},
    [IFN_OP_APPLY_ROPE] = {"rows=1,n_heads=16,head_dim=128,pos=511;"
                           "rows=64,n_heads=16,head_dim=128,pos=448",
                           NULL},
    [IFN_OP_APPLY_ROPE_SINGLE_ROW] = {"n_heads=16,head_dim=128,pos=511", NULL},
    [IFN_OP_ARGMAX_WITH_PROB] = {"n=151936", NULL},
    [IFN_OP_LINEAR] = {"rows=1,n=3072,k=1024;rows=64,n=3072,k=1024", "F32,F16,BF16,Q8_0"},
    [IFN_OP_LINEAR_Q8] = {"rows=1,n=3072,k=1024;rows=64,n=3072,k=1024", "Q8_0,Q4_0,Q4_K,Q6_K"},
    [IFN_OP_QUANTIZE_ROWS] = {"rows=1,cols=1024;rows=64,cols=1024", "F16,Q8_32F,Q8_0"},
    [IFN_OP_DEQUANTIZE_ROWS] = {"rows=1,cols=1024;rows=64,cols=1024", "F16,Q8_0,Q4_K"},
    [IFN_OP_RMS_NORM] = {"rows=1,dim=1024,residual=2,eps=6;rows=64,dim=1024,residual=2,eps=6",
                         NULL},
    [IFN_OP_SWIGLU] = {"rows=1,dim=3072;rows=64,dim=3072", NULL},
    [IFN_OP_KV_STORE] = {"rows=1,first_pos=511,n_kv_heads=8,head_dim=128;"
                         "rows=64,first_pos=448,n_kv_heads=8,head_dim=128",
                         "F32,F16,Q8_0"},
    [IFN_OP_ATTENTION] = {"rows=1,first_pos=511,n_kv_heads=8,group=2,head_dim=128;"
                          "rows=64,first_pos=448,n_kv_heads=8,group=2,head_dim=128",
                          "F32,F16,Q8_0"},
    [IFN_OP_COPY_IN] = {"bytes=4096;bytes=4194304", NULL},
    [IFN_OP_COPY_OUT] = {"bytes=607744", NULL}, /* a row of logits */
};

bench_sizes bench_sizes_of(ifn_op op)
{
    return sizes[op];
}

static int find_dim(ifn_op op, const char *name, size_t bytes)
{
    const conform_module *const m = conform_module_of(op);
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++)
        if (strlen(m->dim_names[i]) == bytes && memcmp(m->dim_names[i], name, bytes) == 0)
            return i;
    return -1;
}

static ifn_status no_size(const char *text, size_t bytes, ifn_op op, ifn_error *err)
{
    const conform_module *const m = conform_module_of(op);
    char names[160] = "";
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", m->dim_names[i]);
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "--shape: found %.*s, expected name=number, of %s: %s",
                    bytes < 40 ? (int)bytes : 40, text, ifn_op_name(op), names);
}

static ifn_status read_size(const char *text, size_t bytes, ifn_op op, conform_case *out,
                            ifn_error *err)
{
    const char *const equal = memchr(text, '=', bytes);
    const int dim = equal ? find_dim(op, text, (size_t)(equal - text)) : -1;
    char number[24] = "";
    const size_t digits = equal ? bytes - (size_t)(equal - text) - 1 : 0;
    if (dim < 0 || digits == 0 || digits >= sizeof number)
        return no_size(text, bytes, op, err);
    memcpy(number, equal + 1, digits);
    return args_int("--shape", number, 0, (int64_t)1 << 32, &out->dim[dim], err);
}

ifn_status bench_sizes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err)
{
    const int n_w = find_dim(op, "n_w", 3);
    memset(out->dim, 0, sizeof out->dim);
    if (n_w >= 0)
        out->dim[n_w] = 1;
    const char *at = *text;
    do {
        const size_t bytes = strcspn(at, ",;");
        IFN_TRY(read_size(at, bytes, op, out, err));
        at += bytes;
    } while (*at++ == ',');
    *text = at[-1] == ';' ? at : at - 1;
    return IFN_OK;
}

ifn_status bench_dtypes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err)
{
    const size_t bytes = strcspn(*text, ",");
    char name[16] = "";
    ifn_dtype dtype;
    if (bytes < sizeof name)
        memcpy(name, *text, bytes);
    if (!ifn_dtype_from_name(name, &dtype))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--dtype: found '%.*s', expected a dtype",
                        bytes < 20 ? (int)bytes : 20, *text);
    *(op == IFN_OP_QUANTIZE_ROWS ? &out->out_dtype : &out->dtype) = dtype;
    *text += bytes + ((*text)[bytes] == ',');
    return IFN_OK;
}
