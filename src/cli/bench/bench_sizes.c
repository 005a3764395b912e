#include "bench_sizes.h"

#include <string.h>

#include "args.h"
#include "module.h"

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

/* Parses one call of a list and moves *text past it. Sizes that it does not name keep their values in *out. */
static ifn_status read_call(const char **text, ifn_op op, conform_case *out, ifn_error *err)
{
    const char *at = *text;
    do {
        const size_t bytes = strcspn(at, ",;");
        IFN_TRY(read_size(at, bytes, op, out, err));
        at += bytes;
    } while (*at++ == ',');
    *text = at[-1] == ';' ? at : at - 1;
    return IFN_OK;
}

ifn_status bench_sizes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err)
{
    const char *usual = conform_module_of(op)->model_sizes;
    const int n_w = find_dim(op, "n_w", 3);
    memset(out->dim, 0, sizeof out->dim);
    if (n_w >= 0)
        out->dim[n_w] = 1;
    IFN_TRY(read_call(&usual, op, out, err));
    return read_call(text, op, out, err);
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
