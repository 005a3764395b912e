/*
 * The tree's OpenCL backend with kernels of matmul and linear that multiply halves. The option names the arithmetic
 * that it declares for them, which is true only for f16: opencl_half.so=f16, opencl_half.so=tf32.
 */
#include <stdio.h>
#include <string.h>

#include <inferno/backend.h>

extern const ifn_backend_desc ifn_backend_opencl;

static const struct way {
    const char *option;
    uint32_t inputs; /* IFN_ROUND_* */
} ways[] = {
    {"none", IFN_ROUND_NONE},
    {"tf32", IFN_ROUND_TF32},
    {"bf16", IFN_ROUND_BF16},
    {"f16", IFN_ROUND_F16},
};

static const struct way *declared = ways;

static const struct way *way_named(const char *option)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].option, option) == 0)
            return &ways[i];
    return NULL;
}

/* Declares rounding for matmul and linear only: linear_q8 multiplies integers, and attention f32. */
static void arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)dtype;
    if (op == IFN_OP_MATMUL || op == IFN_OP_LINEAR)
        out->inputs = declared->inputs;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    const struct way *const way = way_named(env->options);
    if (way)
        declared = way;
    ifn_backend_opencl.fill(table, env);
}

static ifn_status open_first(void **state, const ifn_backend_env *env, ifn_error *err)
{
    ifn_backend_env first = *env;
    *state = NULL;
    if (!way_named(env->options)) {
        if (err)
            snprintf(err->text, sizeof err->text,
                     "backend 'opencl_half': option '%.60s', expected none, tf32, bf16 or f16",
                     env->options);
        return IFN_ERR_ARGUMENT;
    }
    first.options = "";
    return ifn_backend_opencl.open(state, &first, err);
}

IFN_API const ifn_backend_desc *ifn_backend_entry(void);
const ifn_backend_desc *ifn_backend_entry(void)
{
    static ifn_manifest manifest;
    static ifn_backend_desc desc;
    manifest = *ifn_backend_opencl.manifest;
    manifest.arithmetic = arithmetic;
    desc = ifn_backend_opencl;
    desc.name = "opencl_half";
    desc.summary = "the OpenCL backend, products in half";
    desc.manifest = &manifest;
    desc.fill = fill;
    desc.open = open_first;
    desc.device = NULL;
    return &desc;
}
