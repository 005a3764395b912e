#include "tensor_types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), n_end = strlen(end);
    return n >= n_end && strcmp(name + n - n_end, end) == 0;
}

int type_may_change(const char *name, int32_t n_dims)
{
    return n_dims >= 2 && ends_with(name, "weight") && !ends_with(name, "_norm.weight");
}

/* The layers that get the better one of two types. */
typedef enum layers {
    EVERYWHERE,
    FIRST_TWO,
    FIRST_FOUR,
    FIRST_16TH,
    FIRST_8TH,
    FIRST_8TH_WEIGHTED, /* the same, if there is an importance matrix */
    ENDS_AND_THIRDS,    /* the first and the last eighth, and every third layer between */
    WIDE_GROUPS         /* all, if at least four heads share a KV head */
} layers;

/* The rule of a mix for one kind of matrix: type `raised` in layers `where`, `otherwise` in the others. */
typedef struct exception {
    uint32_t mix;
    const char *kind; /* the part of the tensor's name */
    layers where;
    ifn_dtype raised, otherwise;
} exception;

static const exception exceptions[] = {
    {FILE_Q4_0, "ffn_down.", FIRST_8TH_WEIGHTED, IFN_DTYPE_Q4_1, IFN_DTYPE_Q4_0},
    {FILE_Q5_0, "ffn_down.", FIRST_8TH_WEIGHTED, IFN_DTYPE_Q5_1, IFN_DTYPE_Q5_0},
    {FILE_Q2_K, "attn_v.", WIDE_GROUPS, IFN_DTYPE_Q4_K, IFN_DTYPE_Q3_K},
    {FILE_Q2_K, "attn_output.", EVERYWHERE, IFN_DTYPE_Q3_K, IFN_DTYPE_Q3_K},
    {FILE_Q2_K, "ffn_down.", EVERYWHERE, IFN_DTYPE_Q3_K, IFN_DTYPE_Q3_K},
    {FILE_Q3_K_M, "attn_v.", FIRST_TWO, IFN_DTYPE_Q5_K, IFN_DTYPE_Q4_K},
    {FILE_Q3_K_M, "attn_output.", EVERYWHERE, IFN_DTYPE_Q4_K, IFN_DTYPE_Q4_K},
    {FILE_Q3_K_M, "ffn_down.", FIRST_16TH, IFN_DTYPE_Q5_K, IFN_DTYPE_Q4_K},
    {FILE_Q3_K_L, "attn_v.", EVERYWHERE, IFN_DTYPE_Q5_K, IFN_DTYPE_Q5_K},
    {FILE_Q3_K_L, "attn_output.", EVERYWHERE, IFN_DTYPE_Q5_K, IFN_DTYPE_Q5_K},
    {FILE_Q3_K_L, "ffn_down.", EVERYWHERE, IFN_DTYPE_Q5_K, IFN_DTYPE_Q5_K},
    {FILE_Q4_K_S, "attn_v.", FIRST_FOUR, IFN_DTYPE_Q5_K, IFN_DTYPE_Q4_K},
    {FILE_Q4_K_S, "ffn_down.", FIRST_8TH, IFN_DTYPE_Q5_K, IFN_DTYPE_Q4_K},
    {FILE_Q4_K_M, "attn_v.", ENDS_AND_THIRDS, IFN_DTYPE_Q6_K, IFN_DTYPE_Q4_K},
    {FILE_Q4_K_M, "ffn_down.", ENDS_AND_THIRDS, IFN_DTYPE_Q6_K, IFN_DTYPE_Q4_K},
    {FILE_Q5_K_M, "attn_v.", ENDS_AND_THIRDS, IFN_DTYPE_Q6_K, IFN_DTYPE_Q5_K},
    {FILE_Q5_K_M, "ffn_down.", ENDS_AND_THIRDS, IFN_DTYPE_Q6_K, IFN_DTYPE_Q5_K},
};

static bool is_there(layers where, const type_rules *rules, int64_t layer)
{
    const int64_t n = rules->n_layers;
    switch (where) {
    case EVERYWHERE:
        return 1;
    case FIRST_TWO:
        return layer < 2;
    case FIRST_FOUR:
        return layer < 4;
    case FIRST_16TH:
        return layer < n / 16;
    case FIRST_8TH:
        return layer < n / 8;
    case FIRST_8TH_WEIGHTED:
        return rules->has_imatrix && layer < n / 8;
    case ENDS_AND_THIRDS:
        return layer < n / 8 || layer >= 7 * n / 8 || (layer - n / 8) % 3 == 2;
    case WIDE_GROUPS:
        return rules->heads_per_kv >= 4;
    }
    return 0;
}

/* Returns the layer a tensor belongs to; -1: none. */
static int64_t layer_of(const char *name)
{
    char *end;
    if (strncmp(name, "blk.", 4) != 0 || name[4] < '0' || name[4] > '9')
        return -1;
    const int64_t layer = strtoll(name + 4, &end, 10);
    return *end == '.' ? layer : -1;
}

static bool is_output(const type_rules *rules, const char *name)
{
    return strcmp(name, rules->has_output ? "output.weight" : "token_embd.weight") == 0;
}

static ifn_dtype in_the_mix(const type_rules *rules, const char *name)
{
    const ifn_dtype plain = rules->wanted->dtype;
    const int64_t layer = layer_of(name);
    ifn_dtype dtype = plain;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions && layer >= 0; i++) {
        const exception *e = &exceptions[i];
        if (e->mix == rules->wanted->number && strstr(name, e->kind))
            dtype = is_there(e->where, rules, layer) ? e->raised : e->otherwise;
    }
    const bool is_small = dtype == IFN_DTYPE_Q3_K || dtype == IFN_DTYPE_Q4_K;
    return rules->is_70b && is_small && strstr(name, "attn_v.") ? IFN_DTYPE_Q5_K : dtype;
}

static int fits(ifn_dtype dtype, int64_t cols)
{
    return cols % ifn_dtype_block_elements(dtype) == 0;
}

static ifn_dtype fall_back(ifn_dtype dtype, int64_t cols)
{
    ifn_dtype simpler = dtype;
    if (dtype == IFN_DTYPE_Q2_K || dtype == IFN_DTYPE_Q3_K)
        simpler = IFN_DTYPE_Q4_0;
    else if (dtype == IFN_DTYPE_Q4_K)
        simpler = IFN_DTYPE_Q5_0;
    else if (dtype == IFN_DTYPE_Q5_K)
        simpler = IFN_DTYPE_Q5_1;
    else if (dtype == IFN_DTYPE_Q6_K)
        simpler = IFN_DTYPE_Q8_0;
    return fits(simpler, cols) ? simpler : IFN_DTYPE_F16;
}

static ifn_dtype meant_type(const type_rules *rules, const char *name)
{
    const ifn_dtype plain = rules->wanted->dtype;
    if (rules->pure || !ifn_dtype_is_quantized(plain))
        return plain;
    if (is_output(rules, name))
        return plain == IFN_DTYPE_Q8_0 ? plain : IFN_DTYPE_Q6_K;
    return in_the_mix(rules, name);
}

type_choice type_of_matrix(const type_rules *rules, const char *name, int64_t cols)
{
    const ifn_dtype meant = meant_type(rules, name);
    return (type_choice){fits(meant, cols) ? meant : fall_back(meant, cols), meant};
}

int type_is_70b(ifn_string arch, int64_t n_layers, int64_t heads_per_kv)
{
    if (n_layers != 80 || arch.bytes != 5)
        return 0;
    return memcmp(arch.data, "qwen2", 5) == 0 ||
           (memcmp(arch.data, "llama", 5) == 0 && heads_per_kv > 1);
}

static int64_t rows_of(const ifn_gguf *gguf, const char *name)
{
    const ifn_gguf_tensor *tensor = ifn_gguf_find_tensor(gguf, name);
    return tensor && tensor->view.n_dims == 2 ? tensor->view.shape[0] : 0;
}

void type_rules_read(type_rules *self, const ifn_gguf *gguf)
{
    const int64_t q = rows_of(gguf, "blk.0.attn_q.weight"),
                  k = rows_of(gguf, "blk.0.attn_k.weight");
    ifn_string arch;
    self->has_output = ifn_gguf_find_tensor(gguf, "output.weight") != NULL;
    self->n_layers = 0;
    for (uint64_t i = 0; i < ifn_gguf_n_tensors(gguf); i++) {
        const int64_t layer = layer_of(ifn_gguf_tensor_at(gguf, i)->view.name);
        if (layer >= self->n_layers)
            self->n_layers = layer + 1;
    }
    self->heads_per_kv = k > 0 ? q / k : 1;
    self->is_70b = ifn_gguf_get_string(gguf, "general.architecture", &arch, NULL) == IFN_OK &&
                   type_is_70b(arch, self->n_layers, self->heads_per_kv);
}
